"""Caching: odd hints."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.scenarios.server.caching import first_uri, valid_ttl
from tests.scenarios.server.miniature import Http, Refusal, Replies, Reply
from tests.scenarios.server.odd_replies import Odd, statuses_of


@pytest.mark.parametrize("ttl", [0, 1, 5.0, 86_400_000, 1e300])
def test_a_ttl_is_an_integer_of_at_least_0(ttl: JsonValue) -> None:
    assert valid_ttl(ttl)


@pytest.mark.parametrize("ttl", [-1, -0.5, 5.5, True, False, None, "5", [], {}])
def test_anything_else_is_no_ttl(ttl: JsonValue) -> None:
    assert not valid_ttl(ttl)


@pytest.mark.parametrize(
    ("listed", "uri"),
    [
        ({"resources": [{"uri": "test://it"}, {"uri": "test://other"}]}, "test://it"),
        ({"resources": [{"uri": ""}, {"uri": "test://other"}]}, None),
        ({"resources": [{"uri": 5}]}, None),
        ({"resources": [{"uri": None}]}, None),
        ({"resources": [None]}, None),
        ({"resources": []}, None),
        ({"resources": {"0": {"uri": "test://it"}}}, None),
        ({}, None),
        (None, None),
    ],
)
def test_what_is_read_is_the_first_listed_resource(listed: JsonObject | None, uri: str | None) -> None:
    assert first_uri(listed) == uri


HINTS: JsonObject = {"ttlMs": 1000, "cacheScope": "private", "resultType": "complete"}
GOOD: dict[str, Reply] = {
    "tools/list": {**HINTS, "tools": []},
    "prompts/list": {**HINTS, "prompts": []},
    "resources/list": {**HINTS, "resources": [{"uri": "test://it", "name": "it"}]},
    "resources/templates/list": {**HINTS, "resourceTemplates": []},
    "resources/read": {**HINTS, "contents": [{"uri": "test://it", "text": "words"}]},
}
CHECK_OF = {
    "tools/list": "sep-2549-tools-list-caching-hints",
    "prompts/list": "sep-2549-prompts-list-caching-hints",
    "resources/list": "sep-2549-resources-list-caching-hints",
    "resources/templates/list": "sep-2549-resources-templates-list-caching-hints",
    "resources/read": "sep-2549-resources-read-caching-hints",
}
TTL, SCOPE = "sep-2549-ttl-non-negative", "sep-2549-cache-scope-valid"
ALL_WELL = dict.fromkeys((*CHECK_OF.values(), TTL, SCOPE), "SUCCESS")


def with_hints(fact: str, hints: JsonObject, changed: dict[str, str]) -> Odd:
    """Return a server whose tools/list has `hints` in the place of good ones."""
    tools: Reply = {"tools": [], "resultType": "complete", **hints}
    return odd(fact, {"tools/list": tools}, changed)


def odd(fact: str, replies: Replies, changed: dict[str, str]) -> Odd:
    return Odd(
        fact=fact,
        scenario="caching",
        revision="2026-07-28",
        replies=GOOD | dict(replies),
        statuses=ALL_WELL | changed,
    )


def lists(**changed: Reply) -> Replies:
    return {f"{name}/list": reply for name, reply in changed.items()}


ASKS: JsonObject = {"resultType": "input_required", "requestState": "opaque", "inputRequests": {}}
TOOLS, READ = CHECK_OF["tools/list"], CHECK_OF["resources/read"]
ODD = [
    odd("good hints", {}, {}),
    with_hints("a fraction that is none", {"ttlMs": 5.0, "cacheScope": "public"}, {}),
    with_hints("zero", {"ttlMs": 0, "cacheScope": "public"}, {}),
    with_hints("a negative ttl", {"ttlMs": -1, "cacheScope": "public"}, {TTL: "FAILURE"}),
    with_hints("a fraction", {"ttlMs": 0.5, "cacheScope": "public"}, {TTL: "FAILURE"}),
    with_hints("true as ttl", {"ttlMs": True, "cacheScope": "public"}, {TTL: "FAILURE"}),
    with_hints("a text as ttl", {"ttlMs": "5", "cacheScope": "public"}, {TTL: "FAILURE"}),
    with_hints("null as ttl", {"ttlMs": None, "cacheScope": "public"}, {TTL: "FAILURE"}),
    with_hints("another scope", {"ttlMs": 5, "cacheScope": "shared"}, {SCOPE: "FAILURE"}),
    with_hints("a scope in capitals", {"ttlMs": 5, "cacheScope": "PUBLIC"}, {SCOPE: "FAILURE"}),
    with_hints("an empty scope", {"ttlMs": 5, "cacheScope": ""}, {SCOPE: "FAILURE"}),
    with_hints("null as scope", {"ttlMs": 5, "cacheScope": None}, {SCOPE: "FAILURE"}),
    with_hints("a list as scope", {"ttlMs": 5, "cacheScope": ["public"]}, {SCOPE: "FAILURE"}),
    with_hints("an object as scope", {"ttlMs": 5, "cacheScope": {}}, {SCOPE: "FAILURE"}),
    with_hints("no ttl", {"cacheScope": "public"}, {TOOLS: "FAILURE"}),
    with_hints("no scope", {"ttlMs": 5}, {TOOLS: "FAILURE"}),
    odd("a list refused", lists(prompts=Refusal(code=-32601)), {CHECK_OF["prompts/list"]: "FAILURE"}),
    odd("a list that is null", lists(prompts=None), {CHECK_OF["prompts/list"]: "FAILURE"}),
    odd("a list that is a text", lists(prompts="none"), {CHECK_OF["prompts/list"]: "FAILURE"}),
    odd("a list that is an error of HTTP", lists(prompts=Http(status=500)), {CHECK_OF["prompts/list"]: "FAILURE"}),
    odd("no resources", lists(resources={**HINTS, "resources": []}), {READ: "SKIPPED"}),
    odd("null as resources", lists(resources={**HINTS, "resources": None}), {READ: "SKIPPED"}),
    odd("a resource without uri", lists(resources={**HINTS, "resources": [{"name": "it"}]}), {READ: "SKIPPED"}),
    odd(
        "resources refused",
        lists(resources=Refusal(code=-32603)),
        {READ: "SKIPPED", CHECK_OF["resources/list"]: "FAILURE"},
    ),
    odd("a URI that is none", lists(resources={**HINTS, "resources": [{"uri": "not a uri", "name": "it"}]}), {}),
    odd("a resource that cannot be read", {"resources/read": Refusal(code=-32602)}, {READ: "FAILURE"}),
    odd("a resource that needs input", {"resources/read": ASKS}, {READ: "SKIPPED"}),
    odd("a resource that needs input, with odd hints", {"resources/read": {**ASKS, "ttlMs": -1}}, {READ: "SKIPPED"}),
    odd("a list that needs input", lists(prompts=ASKS), {CHECK_OF["prompts/list"]: "FAILURE"}),
    odd(
        "a resource of another result type",
        {"resources/read": {"resultType": "other", "contents": []}},
        {READ: "FAILURE"},
    ),
    odd(
        "no hint anywhere",
        {method: {"resources": [{"uri": "test://it", "name": "it"}]} for method in CHECK_OF},
        dict.fromkeys(ALL_WELL, "FAILURE"),
    ),
    odd(
        "nothing implemented",
        dict.fromkeys(GOOD, Refusal(code=-32601)),
        dict.fromkeys(ALL_WELL, "FAILURE") | {READ: "SKIPPED"},
    ),
    Odd(
        fact="no connection on the stateful wire",
        scenario="caching",
        revision="2025-11-25",
        replies={**GOOD, "initialize": Refusal(code=-32603)},
        statuses={"sep-2549-caching-connection": "FAILURE"},
    ),
]


@pytest.mark.parametrize("odd", ODD, ids=str)
async def test_an_odd_reply_gets_exactly_its_statuses(odd: Odd) -> None:
    assert await statuses_of(odd) == odd.statuses
