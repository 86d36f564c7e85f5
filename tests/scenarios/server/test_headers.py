"""Headers that repeat the body: servers that are odd at one place, and the checks that say so."""

from __future__ import annotations

from typing import TypeAlias

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.peer.headers import header_value
from pytest_mcp_conformance.scenarios.server.headers import best_name
from tests.scenarios.server.odd_reference import (
    Asked,
    Odd,
    Oddity,
    all_of,
    error,
    events,
    outcome,
    reply,
    result,
    text,
    to,
    unlike_the_reference,
)

STANDARD, CUSTOM = "http-header-validation", "http-custom-header-server-validation"
LIST, CALL = "tools/list", "tools/call"

STANDARD_SETUP = "sep-2243-server-standard-setup"
REJECTS, REJECTS_CODE = "sep-2243-server-reject-invalid-headers", "sep-2243-server-reject-error-code"
SPACES, NAMES = "sep-2243-server-accepts-whitespace-header-value", "sep-2243-header-name-case-insensitive"
X_CODE = "x-header-mismatch-code"

CUSTOM_SETUP, NO_TOOL = "sep-2243-server-custom-setup", "sep-2243-server-no-xmcp-tool"
NO_STRING = "sep-2243-server-no-string-param"
DECODES, MATCHES = "sep-2243-server-decode-base64", "sep-2243-server-validate-param-match"
CHARACTERS, MISMATCH = "sep-2243-server-reject-invalid-param-chars", "sep-2243-server-reject-param-mismatch"
X_VALUE = "x-param-header-value-mismatch"

FAILS, WARNS, ABSENT = "FAILURE", "WARNING", "ABSENT"
NOTHING_LISTED = {REJECTS: FAILS, SPACES: FAILS, **dict.fromkeys((REJECTS_CODE, NAMES, X_CODE), ABSENT)}
NOTHING_DECIDED = {**dict.fromkeys((DECODES, MATCHES, CHARACTERS, MISMATCH), FAILS), X_VALUE: ABSENT}
DONE: JsonObject = {"resultType": "complete", "content": [{"type": "text", "text": "done"}]}

Case: TypeAlias = "tuple[str, str, Oddity, dict[str, str]]"


def listing(*tools: JsonValue) -> Oddity:
    """Return the oddity of a server whose first list has these tools."""
    value: JsonObject = {"resultType": "complete", "tools": list(tools), "ttlMs": 0, "cacheScope": "private"}
    return to(LIST, lambda asked: reply(result(asked, value)), turn=0)


def annotated(name: str, required: JsonValue = None, **properties: JsonValue) -> JsonObject:
    """Return a tool with these arguments."""
    schema: JsonObject = {"type": "object", "properties": dict(properties)}
    return {"name": name, "inputSchema": schema | ({} if required is None else {"required": required})}


REGION: JsonObject = {"type": "string", "x-mcp-header": "Region"}
COUNT: JsonObject = {"type": "integer", "x-mcp-header": "Count"}

# What the reference is asked, by turn. tools/list: the first list, another method, no method, two spellings, another case.
# tools/call: another name, spaces, no name.
ODD: list[Case] = [
    (
        STANDARD,
        "no JSON",
        to(LIST, lambda _: text("no", status=500), turn=0),
        {**NOTHING_LISTED, STANDARD_SETUP: FAILS},
    ),
    (
        STANDARD,
        "a null result",
        to(LIST, lambda asked: reply(result(asked, None)), turn=0),
        {**NOTHING_LISTED, STANDARD_SETUP: FAILS},
    ),
    (
        STANDARD,
        "no connection",
        to(LIST, lambda _: Odd(cut=True), turn=0),
        {STANDARD_SETUP: FAILS, **dict.fromkeys((REJECTS, SPACES, REJECTS_CODE, NAMES, X_CODE), ABSENT)},
    ),
    (STANDARD, "no tools", listing(), {REJECTS: FAILS, SPACES: FAILS}),
    (
        STANDARD,
        "tools that are no list",
        to(LIST, lambda asked: reply(result(asked, {"tools": {}})), turn=0),
        {REJECTS: FAILS, SPACES: FAILS},
    ),
    (
        STANDARD,
        "a connection cut for another method",
        to(LIST, lambda _: Odd(cut=True), turn=1),
        {REJECTS: FAILS, X_CODE: FAILS},
    ),
    (
        STANDARD,
        "HTTP 400 without JSON",
        to(LIST, lambda _: text("no", status=400), turn=1),
        {REJECTS_CODE: WARNS, X_CODE: FAILS},
    ),
    (
        STANDARD,
        "HTTP 422 with the right code",
        to(LIST, lambda asked: reply(error(asked, -32020), status=422), turn=1),
        {REJECTS: FAILS},
    ),
    (
        STANDARD,
        "HTTP 200 with a result",
        to(LIST, lambda asked: reply(result(asked, {"tools": []})), turn=5),
        {REJECTS: FAILS, REJECTS_CODE: WARNS, X_CODE: FAILS},
    ),
    (
        STANDARD,
        "spaces refused",
        to(CALL, lambda asked: reply(error(asked, -32020), status=400), turn=1),
        {SPACES: FAILS},
    ),
    (
        STANDARD,
        "spaces refused with HTTP 200",
        to(CALL, lambda asked: reply(error(asked, -32020)), turn=1),
        {SPACES: FAILS},
    ),
    (
        STANDARD,
        "spaces accepted by a tool that fails",
        to(CALL, lambda asked: reply(result(asked, {**DONE, "isError": True})), turn=1),
        {},
    ),
    (
        STANDARD,
        "spaces accepted by a tool that fails on a stream",
        to(CALL, lambda asked: events(error(asked, -32602)), turn=1),
        {},
    ),
    (STANDARD, "spaces accepted without JSON", to(CALL, lambda _: text("yes"), turn=1), {}),
    (
        STANDARD,
        "a spelling refused",
        to(LIST, lambda asked: reply(error(asked, -32020), status=400), turn=3),
        {NAMES: FAILS},
    ),
    (STANDARD, "a spelling refused by a connection cut", to(LIST, lambda _: Odd(cut=True), turn=4), {NAMES: FAILS}),
    (CUSTOM, "no JSON", to(LIST, lambda _: text("no", status=500), turn=0), {CUSTOM_SETUP: FAILS, **NOTHING_DECIDED}),
    (CUSTOM, "no connection", to(LIST, lambda _: Odd(cut=True), turn=0), {CUSTOM_SETUP: FAILS, **NOTHING_DECIDED}),
    (CUSTOM, "no tools", listing(), {NO_TOOL: FAILS, **NOTHING_DECIDED}),
    (
        CUSTOM,
        "junk among the tools",
        listing(5, "x", {"name": "a"}, {"inputSchema": []}, {"inputSchema": {"properties": []}}),
        {NO_TOOL: FAILS, **NOTHING_DECIDED},
    ),
    (
        CUSTOM,
        "an annotation below the top",
        listing(annotated("execute", outer={"type": "object", "properties": {"inner": REGION}})),
        {NO_TOOL: FAILS, **NOTHING_DECIDED},
    ),
    (
        CUSTOM,
        "an integer first, a text in a later tool",
        listing(annotated("one", count=COUNT), annotated("execute", region=REGION)),
        {NO_STRING: FAILS, **NOTHING_DECIDED},
    ),
    (
        CUSTOM,
        "a type that is a list",
        listing(annotated("execute", region={**REGION, "type": ["string"]})),
        {NO_STRING: FAILS, **NOTHING_DECIDED},
    ),
    (CUSTOM, "an integer before the text", listing(annotated("execute", count=COUNT, region=REGION)), {}),
    (
        CUSTOM,
        "required arguments of all types",
        listing(
            annotated(
                "execute",
                ["region", "count", "dryRun", 5, "other"],
                region=REGION,
                count=COUNT,
                dryRun={"type": "boolean", "x-mcp-header": "Dry-Run"},
                other={},
            )
        ),
        {},
    ),
    (CUSTOM, "Base64 refused by a connection cut", to(CALL, lambda _: Odd(cut=True), turn=0), {DECODES: FAILS}),
    (
        CUSTOM,
        "every connection cut that brings a code",
        all_of(*(to(CALL, lambda _: Odd(cut=True), turn=turn) for turn in (1, 2, 5))),
        {CHARACTERS: FAILS, MATCHES: FAILS, MISMATCH: FAILS},
    ),
    (
        CUSTOM,
        "missing padding refused with HTTP 200",
        to(CALL, lambda asked: reply(error(asked, -32020)), turn=1),
        {CHARACTERS: FAILS},
    ),
    (
        CUSTOM,
        "a missing header refused by another code",
        to(CALL, lambda asked: reply(error(asked, -32602), status=400), turn=5),
        {MISMATCH: FAILS},
    ),
    (
        CUSTOM,
        "plain text refused",
        to(CALL, lambda asked: reply(error(asked, -32020), status=400), turn=3),
        {MATCHES: FAILS},
    ),
    (CUSTOM, "another value served", to(CALL, lambda asked: reply(result(asked, DONE)), turn=6), {X_VALUE: FAILS}),
]


@pytest.mark.parametrize(("scenario", "fact", "oddity", "unlike"), ODD, ids=[f"{each[0]}: {each[1]}" for each in ODD])
def test_an_odd_server_is_seen(scenario: str, fact: str, oddity: Oddity, unlike: dict[str, str]) -> None:
    assert unlike_the_reference(scenario, oddity) == unlike


def test_headers_travel_as_they_are_given() -> None:
    seen: list[Asked] = []

    def watch(asked: Asked) -> None:
        seen.append(asked)

    outcome(STANDARD, watch)
    names = [asked.headers.get("mcp-name") for asked in seen if asked.method == CALL]
    assert names[1] is not None
    assert names == ["wrong_tool_name", f"  {names[1].strip()}  ", None]


def served(*tools: JsonValue) -> Oddity:
    """Return the oddity of a server that lists these tools and serves a call of any name, where its header says the same."""

    def carries(asked: Asked) -> bool:
        return asked.headers.get("mcp-name", "").strip() == header_value(str(asked.name))

    call = to(
        CALL, lambda asked: reply(result(asked, DONE)) if carries(asked) else reply(error(asked, -32020), status=400)
    )
    return all_of(listing(*tools), call)


@pytest.mark.parametrize("name", ["größe", "line\r\nbreak", "\x00", "", " padded "])
def test_a_name_that_no_header_carries_as_it_is_travels_encoded(name: JsonValue) -> None:
    assert unlike_the_reference(STANDARD, served(annotated(str(name)))) == {}


@pytest.mark.parametrize(
    ("tools", "name"),
    [
        ([{"name": "größe"}, {"name": "plain"}, {"name": "other"}], "plain"),
        ([None, {"name": 5}, {}, {"name": "größe"}], "größe"),
        ([{"name": "größe"}, {"name": "länge"}], "größe"),
        ([{"name": None}, "plain"], None),
    ],
)
def test_the_tool_that_is_called_has_the_plainest_name(tools: list[JsonValue], name: str | None) -> None:
    assert best_name(tools) == name


def test_a_server_whose_tools_have_no_names_cannot_be_tried() -> None:
    assert unlike_the_reference(STANDARD, listing({"inputSchema": {"type": "object"}})) == {
        REJECTS: FAILS,
        SPACES: FAILS,
    }
