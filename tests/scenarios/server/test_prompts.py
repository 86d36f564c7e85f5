"""Prompts and completion: odd lists, odd messages, odd values."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.scenarios.server.prompts import embeds_a_resource
from tests.scenarios.server.miniature import Reply
from tests.scenarios.server.odd_replies import Odd, statuses_of


@pytest.mark.parametrize(
    ("content", "embeds"),
    [
        ({"type": "resource"}, True),
        ({"type": "text", "resource": {}}, True),
        ({"type": "text", "resource": None}, True),
        ({"type": "resource_link"}, False),
        ({}, False),
    ],
)
def test_an_embedded_resource_is_known_by_its_type_or_its_member(content: JsonObject, *, embeds: bool) -> None:
    assert embeds_a_resource(content) is embeds


def one_check(scenario: str, method: str, reply: Reply, status: str, fact: str) -> Odd:
    return Odd(
        fact=fact, scenario=scenario, revision="2025-11-25", replies={method: reply}, statuses={scenario: status}
    )


def listing(prompts: JsonValue, status: str, fact: str) -> Odd:
    return one_check("prompts-list", "prompts/list", {"prompts": prompts}, status, fact)


def messages(scenario: str, messages: JsonValue, status: str, fact: str) -> Odd:
    return one_check(scenario, "prompts/get", {"messages": messages}, status, fact)


def completing(result: JsonValue, status: str, fact: str) -> Odd:
    return one_check("completion-complete", "completion/complete", result, status, fact)


TEXT: JsonObject = {"role": "user", "content": {"type": "text", "text": "testValue1 and testValue2"}}
IMAGE: JsonObject = {"role": "user", "content": {"type": "image", "data": "aGk=", "mimeType": "image/png"}}
EMBEDDED: JsonObject = {"role": "user", "content": {"type": "resource", "resource": {"uri": "test://it", "text": ""}}}

LISTS = [
    listing([], "SUCCESS", "no prompts"),
    listing([{"name": "it", "description": "It."}], "SUCCESS", "one prompt"),
    listing([{"name": "it"}], "FAILURE", "no description"),
    listing([{"name": "it", "description": ""}], "FAILURE", "an empty description"),
    listing([None], "FAILURE", "null alone"),
    listing({"it": {"name": "it", "description": "It."}}, "FAILURE", "an object of prompts"),
    listing(None, "FAILURE", "null as prompts"),
]
GETS = [
    messages("prompts-get-simple", [TEXT], "SUCCESS", "one message"),
    messages("prompts-get-simple", [], "FAILURE", "no messages"),
    messages("prompts-get-simple", [{"role": "user", "content": {}}], "SUCCESS", "an empty content"),
    messages("prompts-get-simple", [{"role": "user", "content": ""}], "FAILURE", "an empty text as content"),
    messages("prompts-get-simple", [TEXT, {"content": {}}], "FAILURE", "no role"),
    messages("prompts-get-simple", [TEXT, None], "FAILURE", "null among the messages"),
    messages("prompts-get-simple", {"0": TEXT}, "FAILURE", "an object of messages"),
    messages("prompts-get-with-args", [TEXT], "SUCCESS", "both values"),
    messages("prompts-get-with-args", [{"testValue1": 1}, {"testValue2": 2}], "SUCCESS", "both values, anywhere"),
    messages("prompts-get-with-args", [{"role": "user", "content": "testValue1"}], "FAILURE", "one value"),
    messages("prompts-get-with-args", [None, TEXT], "SUCCESS", "null among the messages"),
    messages("prompts-get-with-args", [], "FAILURE", "no messages"),
    messages("prompts-get-with-args", {"text": "testValue1 testValue2"}, "FAILURE", "an object of messages"),
    messages("prompts-get-embedded-resource", [TEXT, EMBEDDED], "SUCCESS", "a resource"),
    messages("prompts-get-embedded-resource", [TEXT], "FAILURE", "no resource"),
    messages("prompts-get-embedded-resource", [{"content": None}, EMBEDDED], "SUCCESS", "a content that is null"),
    messages("prompts-get-embedded-resource", {"0": EMBEDDED}, "FAILURE", "an object of messages"),
    messages("prompts-get-with-image", [IMAGE, TEXT], "SUCCESS", "an image"),
    messages("prompts-get-with-image", [TEXT], "FAILURE", "no image"),
    messages(
        "prompts-get-with-image",
        [{"content": {"type": "image", "data": "", "mimeType": "image/png"}}, IMAGE],
        "SUCCESS",
        "an image after one without data",
    ),
    messages("prompts-get-with-image", [{"content": {"type": "image", "data": "aGk="}}], "FAILURE", "no media type"),
    messages("prompts-get-with-image", None, "FAILURE", "null as messages"),
]
COMPLETIONS = [
    completing({"completion": {"values": []}}, "SUCCESS", "no values"),
    completing({"completion": {"values": [1]}}, "SUCCESS", "a number among the values"),
    completing({"completion": {"values": {}}}, "FAILURE", "an object of values"),
    completing({"completion": {}}, "FAILURE", "an empty completion"),
    completing({"completion": []}, "FAILURE", "a list as completion"),
    completing({"completion": 0}, "FAILURE", "zero as completion"),
    completing({"values": []}, "FAILURE", "no completion"),
]
UTILITIES = [
    one_check("ping", "ping", {}, "SUCCESS", "an empty result"),
    one_check("ping", "ping", {"_meta": {}}, "FAILURE", "a result with _meta"),
    one_check("ping", "ping", [], "FAILURE", "a list as result"),
    one_check("ping", "ping", None, "FAILURE", "null as result"),
    one_check("logging-set-level", "logging/setLevel", {}, "SUCCESS", "an empty result"),
    one_check("logging-set-level", "logging/setLevel", {"_meta": {}}, "FAILURE", "a result with _meta"),
    one_check("logging-set-level", "logging/setLevel", {"level": "info"}, "FAILURE", "a result with the level"),
]


@pytest.mark.parametrize("odd", [*LISTS, *GETS, *COMPLETIONS, *UTILITIES], ids=str)
async def test_an_odd_reply_gets_exactly_its_statuses(odd: Odd) -> None:
    assert await statuses_of(odd) == odd.statuses
