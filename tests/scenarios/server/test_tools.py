"""Tools: odd lists and odd results of calls."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.scenarios.server.tools import name_fault, named
from tests.scenarios.server.miniature import Refusal, Replies, Turns
from tests.scenarios.server.odd_replies import Odd, statuses_of

TOOL: JsonObject = {"name": "one", "description": "One.", "inputSchema": {"type": "object"}}
OTHER: JsonObject = {"name": "two", "description": "Two.", "inputSchema": {"type": "object"}}


@pytest.mark.parametrize("name", ["a", "a" * 128, "A-Z_0.9", "-", "..."])
def test_a_name_of_allowed_characters_and_length_has_no_fault(name: str) -> None:
    assert name_fault(name) is None


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        (None, "no string"),
        (7, "no string"),
        ("", "0 characters"),
        ("a" * 129, "129 characters"),
        (" " * 129, "129 characters"),
        ("a/b", "other characters"),
        ("a b", "other characters"),
        ("name\n", "other characters"),
        ("é", "other characters"),
        ("\uff11", "other characters"),
    ],
)
def test_a_name_has_a_fault(name: JsonValue, fault: str) -> None:
    assert name_fault(name) == fault


def test_a_tool_without_a_name_is_called_by_its_place() -> None:
    assert [named("one", 0), named(None, 1), named("", 2)] == ["one", "<tool[1] missing name>", ""]


def listing(
    fact: str,
    *tools: JsonValue,
    names: str | None,
    order: str | None,
    listed: str = "FAILURE",
) -> list[Odd]:
    """Return a server that lists `tools` (one value a time), at the three kinds of revision that tell them differently."""
    replies: Replies = {"tools/list": Turns(replies=tuple({"tools": each} for each in tools))}
    named_statuses = {"tools-name-format": names} if names else {}
    ordered = {"tools-list-deterministic-order": order} if order else {}
    return [
        Odd(fact=fact, scenario="tools-list", revision=revision, replies=replies, statuses=statuses)
        for revision, statuses in (
            ("2025-06-18", {"tools-list": listed}),
            ("2025-11-25", {"tools-list": listed} | named_statuses),
            ("2026-07-28", {"tools-list": listed} | named_statuses | ordered),
        )
    ]


LISTS = [
    *listing("tools is null", None, names="INFO", order="WARNING"),
    *listing("tools is false", *[False], names=None, order=None),
    *listing("tools is zero", 0, names=None, order=None),
    *listing("tools is an empty text", "", names=None, order=None),
    *listing("tools is an empty object", {}, names=None, order=None),
    *listing("tools is an object", {"one": TOOL}, names=None, order=None),
    *listing("tools is a text", "one", names=None, order=None),
    *listing("tools is true", *[True], names=None, order=None),
    *listing("tools is a number", 1, names=None, order=None),
    *listing("null among the tools", [TOOL, None], names=None, order=None),
    *listing("a text among the tools", [TOOL, "two"], names="WARNING", order="SUCCESS"),
    *listing("a list among the tools", [[], TOOL], names="WARNING", order="SUCCESS"),
    *listing("no tools", [], names="INFO", order="INFO", listed="SUCCESS"),
    *listing("one tool", [TOOL], names="SUCCESS", order="INFO", listed="SUCCESS"),
    *listing("two tools", [TOOL, OTHER], names="SUCCESS", order="SUCCESS", listed="SUCCESS"),
    *listing("another order", [TOOL, OTHER], [OTHER, TOOL], names="SUCCESS", order="WARNING", listed="SUCCESS"),
    *listing("another set", [TOOL, OTHER], [TOOL, TOOL], names="SUCCESS", order="WARNING", listed="SUCCESS"),
    *listing("a later list is none", [TOOL, OTHER], {"two": OTHER}, names="SUCCESS", order="WARNING", listed="SUCCESS"),
    *listing("an empty name", [{**TOOL, "name": ""}, OTHER], names="WARNING", order="SUCCESS"),
    *listing(
        "a name that is a number", [{**TOOL, "name": 5}, OTHER], names="WARNING", order="SUCCESS", listed="SUCCESS"
    ),
    *listing(
        "a name with a slash", [{**TOOL, "name": "a/b"}, OTHER], names="WARNING", order="SUCCESS", listed="SUCCESS"
    ),
    *listing(
        "a name that ends its line",
        [{**TOOL, "name": "a\n"}, OTHER],
        names="WARNING",
        order="SUCCESS",
        listed="SUCCESS",
    ),
    *listing("an empty description", [{**TOOL, "description": ""}, OTHER], names="SUCCESS", order="SUCCESS"),
    *listing(
        "an empty input schema",
        [{**TOOL, "inputSchema": {}}, OTHER],
        names="SUCCESS",
        order="SUCCESS",
        listed="SUCCESS",
    ),
    *listing(
        "a list as input schema",
        [{**TOOL, "inputSchema": []}, OTHER],
        names="SUCCESS",
        order="SUCCESS",
        listed="SUCCESS",
    ),
    *listing("zero as input schema", [{**TOOL, "inputSchema": 0}, OTHER], names="SUCCESS", order="SUCCESS"),
]
BROKEN_LISTS = [
    Odd(
        fact="null in a later list",
        scenario="tools-list",
        revision="2026-07-28",
        replies={"tools/list": Turns(replies=({"tools": [TOOL, OTHER]}, {"tools": [TOOL, None]}))},
        statuses={"tools-list": "SUCCESS,FAILURE", "tools-name-format": "SUCCESS"},
    ),
    Odd(
        fact="a later list is refused",
        scenario="tools-list",
        revision="2026-07-28",
        replies={"tools/list": Turns(replies=({"tools": [TOOL, OTHER]}, Refusal(code=-32603)))},
        statuses={
            "tools-list": "SUCCESS",
            "tools-name-format": "SUCCESS",
            "tools-list-deterministic-order": "WARNING",
        },
    ),
    *(
        Odd(
            fact=f"the result is {result!r}",
            scenario="tools-list",
            revision=revision,
            replies={"tools/list": result},
            statuses={"tools-list": "FAILURE"},
        )
        for revision in ("2025-11-25", "2026-07-28")
        for result in (None, "text", 5)
    ),
]


def result_of(scenario: str, tool_result: JsonValue, status: str, fact: str) -> Odd:
    """Return a server whose every tool returns `tool_result`."""
    return Odd(
        fact=fact,
        scenario=scenario,
        revision="2025-11-25",
        replies={"tools/call": tool_result},
        statuses={scenario: status},
    )


TEXT: JsonObject = {"type": "text", "text": "words"}
IMAGE: JsonObject = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
AUDIO: JsonObject = {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}
EMBEDDED: JsonObject = {"type": "resource", "resource": {"uri": "test://it", "mimeType": "text/plain", "text": "words"}}


def content(*entries: JsonValue) -> JsonObject:
    return {"content": list(entries)}


CALLS = [
    result_of("tools-call-simple-text", content(TEXT), "SUCCESS", "one text"),
    result_of("tools-call-simple-text", content(IMAGE, TEXT), "SUCCESS", "a text that is not first"),
    result_of("tools-call-simple-text", content({"type": "text", "text": ""}), "FAILURE", "an empty text"),
    result_of("tools-call-simple-text", content({"type": "text", "text": ""}, TEXT), "FAILURE", "an empty text first"),
    result_of("tools-call-simple-text", content({"type": "text", "text": {}}), "SUCCESS", "an object as text"),
    result_of("tools-call-simple-text", content({"type": "text", "text": 0}), "FAILURE", "zero as text"),
    result_of("tools-call-simple-text", content({"text": "words"}), "FAILURE", "no type"),
    result_of("tools-call-simple-text", content(), "FAILURE", "no content"),
    result_of("tools-call-simple-text", content(None, TEXT), "FAILURE", "null in the content"),
    result_of("tools-call-simple-text", content("text", TEXT), "SUCCESS", "a text among the contents"),
    result_of("tools-call-simple-text", {"content": TEXT}, "FAILURE", "an object as content"),
    result_of("tools-call-simple-text", {"content": "words"}, "FAILURE", "a text as content"),
    result_of("tools-call-simple-text", {}, "FAILURE", "an empty result"),
    result_of("tools-call-simple-text", {**content(TEXT), "isError": True}, "SUCCESS", "a text that says error"),
    result_of("tools-call-image", content(IMAGE), "SUCCESS", "one image"),
    result_of("tools-call-image", content(TEXT, IMAGE), "SUCCESS", "an image that is not first"),
    result_of("tools-call-image", content({**IMAGE, "data": ""}), "FAILURE", "no data"),
    result_of("tools-call-image", content({**IMAGE, "mimeType": None}), "FAILURE", "null as media type"),
    result_of("tools-call-image", content({**IMAGE, "data": []}), "SUCCESS", "a list as data"),
    result_of("tools-call-image", content(TEXT), "FAILURE", "no image"),
    result_of("tools-call-audio", content(AUDIO), "SUCCESS", "one sound"),
    result_of("tools-call-audio", content({**AUDIO, "mimeType": "audio/x-wav"}), "FAILURE", "another media type"),
    result_of("tools-call-audio", content({**AUDIO, "data": 1}), "SUCCESS", "a number as data"),
    result_of("tools-call-audio", content({**AUDIO, "data": ""}), "FAILURE", "no data"),
    result_of("tools-call-audio", content(), "FAILURE", "no content"),
    result_of("tools-call-embedded-resource", content(EMBEDDED), "SUCCESS", "one resource"),
    result_of(
        "tools-call-embedded-resource",
        content({"type": "resource", "resource": {"uri": "test://it", "mimeType": "image/png", "blob": "aGk="}}),
        "SUCCESS",
        "a blob",
    ),
    result_of(
        "tools-call-embedded-resource",
        content({"type": "resource", "resource": {"uri": "test://it", "mimeType": "text/plain", "text": ""}}),
        "FAILURE",
        "an empty text",
    ),
    result_of(
        "tools-call-embedded-resource",
        content({"type": "resource", "resource": {"uri": "test://it", "text": "words"}}),
        "FAILURE",
        "no media type",
    ),
    result_of("tools-call-embedded-resource", content({"type": "resource", "resource": []}), "FAILURE", "a list"),
    result_of("tools-call-embedded-resource", content({"type": "resource"}), "FAILURE", "no resource"),
    result_of(
        "tools-call-embedded-resource",
        content({"type": "resource_link", "uri": "test://it", "name": "it", "mimeType": "text/plain"}),
        "FAILURE",
        "a link",
    ),
    result_of("tools-call-mixed-content", content(TEXT, IMAGE, EMBEDDED), "SUCCESS", "all three"),
    result_of("tools-call-mixed-content", content(EMBEDDED, AUDIO, IMAGE, TEXT), "SUCCESS", "all three and more"),
    result_of("tools-call-mixed-content", content(TEXT, IMAGE), "FAILURE", "two of them"),
    result_of("tools-call-mixed-content", content(TEXT, IMAGE, EMBEDDED, None), "FAILURE", "null among them"),
    result_of(
        "tools-call-mixed-content",
        content({"type": "text"}, {"type": "image"}, {"type": "resource"}),
        "SUCCESS",
        "types alone",
    ),
    result_of("tools-call-error", {**content(TEXT), "isError": True}, "SUCCESS", "an error with a text"),
    result_of("tools-call-error", {**content(IMAGE, TEXT), "isError": True}, "FAILURE", "a text that is not first"),
    result_of("tools-call-error", {**content(TEXT), "isError": 1}, "FAILURE", "one as isError"),
    result_of("tools-call-error", {**content(TEXT), "isError": "true"}, "FAILURE", "a text as isError"),
    result_of("tools-call-error", content(TEXT), "FAILURE", "no isError"),
    result_of("tools-call-error", {**content(), "isError": True}, "FAILURE", "no content"),
    result_of("tools-call-error", {**content({"text": "words"}), "isError": True}, "SUCCESS", "a text without type"),
    *(
        Odd(
            fact="the call is refused",
            scenario=f"tools-call-{name}",
            revision=revision,
            replies={},
            statuses={f"tools-call-{name}": "FAILURE"},
        )
        for name in ("simple-text", "image", "audio", "embedded-resource", "mixed-content", "error")
        for revision in ("2025-06-18", "2026-07-28")
    ),
]


async def test_names_are_not_judged_at_a_revision_without_a_rule_for_them() -> None:
    odd = next(
        odd
        for odd in listing("a slash", [{**TOOL, "name": "a/b"}], names="SKIPPED", order=None, listed="SUCCESS")
        if odd.revision == "2025-11-25"
    )
    for speaks, names in (("2025-06-18", "SKIPPED"), ("2025-11-25", "WARNING")):
        assert (await statuses_of(replace(odd, speaks=speaks)))["tools-name-format"] == names


@pytest.mark.parametrize("odd", [*LISTS, *BROKEN_LISTS, *CALLS], ids=str)
async def test_an_odd_reply_gets_exactly_its_statuses(odd: Odd) -> None:
    assert await statuses_of(odd) == odd.statuses
