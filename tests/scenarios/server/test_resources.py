"""Resources: odd lists, odd contents, odd errors."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.scenarios.server.resources import first_contents
from pytest_mcp_conformance.scenarios.server.unknown_resources import UNKNOWN_URI
from tests.scenarios.server.miniature import Http, Refusal, Reply
from tests.scenarios.server.odd_replies import Odd, statuses_of


@pytest.mark.parametrize(
    ("result", "first"),
    [
        ({"contents": [{"uri": "a"}, {"uri": "b"}]}, {"uri": "a"}),
        ({"contents": []}, {}),
        ({"contents": [None]}, {}),
        ({"contents": ["a"]}, {}),
        ({"contents": {"0": {"uri": "a"}}}, {}),
        ({"contents": "a"}, {}),
        ({}, {}),
    ],
)
def test_the_first_contents_are_an_object_whatever_came(result: JsonObject, first: JsonObject) -> None:
    assert first_contents(result) == first


def listing(resources: JsonValue, status: str, fact: str) -> Odd:
    return Odd(
        fact=fact,
        scenario="resources-list",
        revision="2025-11-25",
        replies={"resources/list": {"resources": resources}},
        statuses={"resources-list": status},
    )


def reading(scenario: str, contents: JsonValue, status: str, fact: str) -> Odd:
    return Odd(
        fact=fact,
        scenario=scenario,
        revision="2025-11-25",
        replies={"resources/read": {"contents": contents}},
        statuses={scenario: status},
    )


def missing(reply: Reply, statuses: tuple[str, str, str], fact: str, revision: str = "2026-07-28") -> Odd:
    ids = ("sep-2164-no-empty-contents", "sep-2164-error-code", "sep-2164-data-uri")
    return Odd(
        fact=fact,
        scenario="sep-2164-resource-not-found",
        revision=revision,
        replies={"resources/read": reply},
        statuses=dict(zip(ids, statuses, strict=True)),
    )


TEXT: JsonObject = {"uri": "test://static-text", "mimeType": "text/plain", "text": "words"}
BLOB: JsonObject = {"uri": "test://static-binary", "mimeType": "image/png", "blob": "aGk="}
FILLED: JsonObject = {"uri": "test://template/123/data", "text": '{"id": "123"}'}

LISTS = [
    listing([], "SUCCESS", "no resources"),
    listing([{"uri": "test://it", "name": "it"}], "SUCCESS", "one resource"),
    listing([{"uri": "test://it", "name": ""}], "FAILURE", "an empty name"),
    listing([{"uri": [], "name": {}}], "SUCCESS", "empty containers, which are present"),
    listing([{"name": "it"}], "FAILURE", "no uri"),
    listing([{"uri": "test://it", "name": "it"}, None], "FAILURE", "null among the resources"),
    listing(["test://it"], "FAILURE", "a text among the resources"),
    listing({"it": {"uri": "test://it", "name": "it"}}, "FAILURE", "an object of resources"),
    listing("", "FAILURE", "an empty text of resources"),
    listing(None, "FAILURE", "null as resources"),
]
READS = [
    reading("resources-read-text", [TEXT], "SUCCESS", "one text"),
    reading("resources-read-text", [TEXT, None], "SUCCESS", "null after the first"),
    reading("resources-read-text", [{**TEXT, "text": ""}], "FAILURE", "an empty text"),
    reading("resources-read-text", [{**TEXT, "text": 0}], "FAILURE", "zero as text"),
    reading("resources-read-text", [{**TEXT, "mimeType": None}], "FAILURE", "null as media type"),
    reading("resources-read-text", [BLOB, TEXT], "FAILURE", "a text that is not first"),
    reading("resources-read-text", [], "FAILURE", "no contents"),
    reading("resources-read-text", [None], "FAILURE", "null alone"),
    reading("resources-read-text", {"0": TEXT}, "FAILURE", "an object of contents"),
    reading("resources-read-text", None, "FAILURE", "null as contents"),
    reading("resources-read-binary", [BLOB], "SUCCESS", "one blob"),
    reading("resources-read-binary", [{**BLOB, "blob": ""}], "FAILURE", "an empty blob"),
    reading("resources-read-binary", [{**BLOB, "blob": True}], "SUCCESS", "true as blob"),
    reading("resources-read-binary", [TEXT], "FAILURE", "a text"),
    reading("resources-read-binary", [None], "FAILURE", "null alone"),
    reading("resources-read-binary", {"0": BLOB, "length": 1}, "FAILURE", "an object that looks like a list"),
    reading("resources-templates-read", [FILLED], "SUCCESS", "the parameter in the text"),
    reading("resources-templates-read", [{**FILLED, "text": "words"}], "FAILURE", "a text without the parameter"),
    reading("resources-templates-read", [{**FILLED, "text": ""}], "FAILURE", "an empty text"),
    reading("resources-templates-read", [{**FILLED, "text": 123}], "FAILURE", "a number as text"),
    reading("resources-templates-read", [{**FILLED, "uri": ""}], "FAILURE", "an empty uri"),
    reading("resources-templates-read", [{"uri": "test://123", "blob": "MTIz"}], "FAILURE", "a blob"),
    reading("resources-templates-read", [None], "FAILURE", "null alone"),
    reading("resources-templates-read", [], "FAILURE", "no contents"),
]
SUBSCRIPTIONS = [
    Odd(
        fact="a result with members",
        scenario="resources-subscribe",
        revision="2025-11-25",
        replies={"resources/subscribe": {"taken": True}},
        statuses={"resources-subscribe": "SUCCESS"},
    ),
    Odd(
        fact="a result that is null",
        scenario="resources-subscribe",
        revision="2025-11-25",
        replies={"resources/subscribe": None},
        statuses={"resources-subscribe": "FAILURE"},
    ),
    Odd(
        fact="unsubscribe is refused",
        scenario="resources-unsubscribe",
        revision="2025-06-18",
        replies={"resources/subscribe": {}},
        statuses={"resources-unsubscribe": "FAILURE"},
    ),
    Odd(
        fact="subscribe is refused",
        scenario="resources-unsubscribe",
        revision="2025-06-18",
        replies={"resources/unsubscribe": {}},
        statuses={"resources-unsubscribe": "FAILURE"},
    ),
]
NAMED: JsonObject = {"uri": UNKNOWN_URI}
MISSING = [
    missing(Refusal(code=-32602, data=NAMED), ("SUCCESS", "SUCCESS", "SUCCESS"), "the right error"),
    missing(Refusal(code=-32602), ("SUCCESS", "SUCCESS", "WARNING"), "an error without data"),
    missing(Refusal(code=-32602, data="uri"), ("SUCCESS", "SUCCESS", "WARNING"), "a text as data"),
    missing(Refusal(code=-32602, data={"uri": [UNKNOWN_URI]}), ("SUCCESS", "SUCCESS", "WARNING"), "a list as uri"),
    missing(Refusal(code=-32002, data=NAMED), ("SUCCESS", "WARNING", "SUCCESS"), "the code of older revisions"),
    missing({"contents": []}, ("FAILURE", "WARNING", "FAILURE"), "empty contents"),
    missing({}, ("FAILURE", "WARNING", "FAILURE"), "no contents"),
    missing({"contents": {}}, ("FAILURE", "WARNING", "FAILURE"), "an object of contents"),
    missing(
        {"contents": [{"uri": UNKNOWN_URI, "text": "words"}]}, ("SUCCESS", "WARNING", "FAILURE"), "made-up contents"
    ),
    missing(None, ("FAILURE", "WARNING", "FAILURE"), "null as result"),
    missing(Http(status=500, body=b"no"), ("SUCCESS", "WARNING", "FAILURE"), "an error of HTTP"),
    missing(Http(status=200), ("SUCCESS", "WARNING", "FAILURE"), "no body"),
]


@pytest.mark.parametrize("odd", [*LISTS, *READS, *SUBSCRIPTIONS, *MISSING], ids=str)
async def test_an_odd_reply_gets_exactly_its_statuses(odd: Odd) -> None:
    assert await statuses_of(odd) == odd.statuses
