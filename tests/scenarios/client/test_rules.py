"""The rules of the smaller scenarios, by tables."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.scenarios.client.capabilities import takes_forms
from pytest_mcp_conformance.scenarios.client.elicitation_defaults import decide_content, is_elicit_result
from pytest_mcp_conformance.scenarios.client.json_schema import decide_echo, echoed
from pytest_mcp_conformance.scenarios.client.lifecycle import decide_initialize
from pytest_mcp_conformance.scenarios.client.skills import (
    MANIFEST,
    NO_PREFETCH,
    OTHER_DIGEST,
    OTHER_FRONTMATTER,
    OTHER_SIZE,
    REFERENCE,
    SIZE,
    Did,
    Skill,
    decide_no_prefetch,
    decide_verification,
)
from pytest_mcp_conformance.scenarios.client.tool_definitions import INVALID, decide_offered
from pytest_mcp_conformance.scenarios.server.json_schema import TOOL
from tests.scenarios.client.deciding import by_id, by_name, call, unwell

STATEFUL, STATELESS = Revision.V2025_11_25, Revision.V2026_07_28


# -- initialize


@pytest.mark.parametrize(
    ("version", "info", "expected"),
    [
        ("2025-06-18", {"name": "c", "version": "1"}, "SUCCESS"),
        ("2025-11-25", {"name": "c", "version": "1"}, "SUCCESS"),
        ("2026-07-28", {"name": "c", "version": "1"}, "SUCCESS"),
        ("2025-03-26", {"name": "c", "version": "1"}, "FAILURE"),
        ("2025-11-25", {"name": "", "version": "1"}, "FAILURE"),
        ("2025-11-25", {"name": "c"}, "FAILURE"),
        ("2025-11-25", "c 1", "FAILURE"),
        (["2025-11-25"], {"name": "c", "version": "1"}, "FAILURE"),
        (None, None, "FAILURE"),
    ],
)
def test_initialize_names_a_known_version_and_the_client(version: JsonValue, info: JsonValue, expected: str) -> None:
    checks = Checks()
    decide_initialize({"protocolVersion": version, "clientInfo": info}, STATEFUL, checks)
    assert by_id(checks) == {"mcp-client-initialization": expected}


def test_initialize_may_name_the_version_of_the_run() -> None:
    checks = Checks()
    params: JsonObject = {"protocolVersion": "2025-03-26", "clientInfo": {"name": "c", "version": "1"}}
    decide_initialize(params, Revision.V2025_03_26, checks)
    assert by_id(checks) == {"mcp-client-initialization": "SUCCESS"}


@pytest.mark.parametrize(
    ("revision", "told"),
    [(STATEFUL, "protocolVersion 2025-06-18, "), (Revision.V2025_03_26, "protocolVersion 2025-03-26, 2025-06-18, ")],
)
def test_initialize_fails_with_the_versions_that_count(revision: Revision, told: str) -> None:
    checks = Checks()
    decide_initialize({}, revision, checks)
    assert f"{told}2025-11-25 or 2026-07-28" in str(checks.recorded[0].message)


# -- forms


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [
        ({"elicitation": {}}, True),
        ({"elicitation": {"form": {}}}, True),
        ({"elicitation": {"form": {}, "url": {}}}, True),
        ({"elicitation": {"applyDefaults": True}}, True),
        ({"elicitation": {"url": {}}}, False),
        ({"elicitation": True}, False),
        ({"elicitation": None}, False),
        ({}, False),
    ],
)
def test_who_takes_forms(capabilities: JsonObject, expected: bool) -> None:  # noqa: FBT001 -- a column
    assert takes_forms(capabilities) is expected


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"action": "accept"}, True),
        ({"action": "cancel", "content": None}, True),
        ({"action": "accept", "content": {"a": "x", "b": 1.5, "c": True, "d": ["x"], "e": []}}, True),
        ({"action": "accept", "content": {"a": None}}, False),
        ({"action": "accept", "content": {"a": [1]}}, False),
        ({"action": "accept", "content": {"a": {}}}, False),
        ({"action": "accept", "content": []}, False),
        ({"action": "done"}, False),
        ({"action": []}, False),
        ({}, False),
    ],
)
def test_the_shape_of_an_answer_to_a_form(result: JsonObject, expected: bool) -> None:  # noqa: FBT001 -- a column
    assert is_elicit_result(result) is expected


CONTENT: JsonObject = {"name": "John Doe", "age": 30, "score": 95.5, "status": "active", "verified": True}
KINDS = {"name": "String", "age": "Integer", "score": "Number", "status": "Enum", "verified": "Boolean"}


@pytest.mark.parametrize(
    ("field", "value", "holds"),
    [
        ("name", "somebody else", True),
        ("name", 5, False),
        ("age", 1.5, True),  # published
        ("age", "30", False),
        ("age", True, False),
        ("score", 1, True),
        ("score", None, False),
        ("status", "pending", True),
        ("status", "gone", False),
        ("status", ["active"], False),
        ("verified", False, True),
        ("verified", "true", False),
        ("verified", 1, False),
    ],
)
def test_a_field_has_a_value_of_its_type(field: str, value: JsonValue, holds: bool) -> None:  # noqa: FBT001 -- a column
    checks = Checks()
    decide_content({**CONTENT, field: value}, checks)
    assert len(checks.recorded) == 5
    assert unwell(checks) == ([] if holds else [f"ClientElicitationSEP1034{KINDS[field]}Default"])


def test_a_field_that_is_missing_fails() -> None:
    checks = Checks()
    decide_content({}, checks)
    assert set(by_id(checks).values()) == {"FAILURE"}


# -- invalid tools


def test_what_is_called_tells_what_is_offered() -> None:
    checks = Checks()
    decide_offered(["valid_tool"], checks, listed=True, lists=True)
    assert set(by_name(checks).values()) == {"SUCCESS"}
    assert len(checks.recorded) == 12


@pytest.mark.parametrize("tool", INVALID, ids=lambda tool: tool.name)
def test_an_invalid_tool_that_is_called_fails(tool: object) -> None:
    name = getattr(tool, "name", "")
    checks = Checks()
    decide_offered(["valid_tool", None, [], {}, name], checks, listed=True, lists=True)
    assert unwell(checks) == [f"ClientRejectsInvalidTool_{name}"]


@pytest.mark.parametrize(("lists", "told"), [(False, "got none"), (True, "got one that was refused")])
def test_a_client_that_has_no_list_fails_at_the_gate(*, lists: bool, told: str) -> None:
    checks = Checks()
    decide_offered([], checks, listed=False, lists=lists)
    assert unwell(checks) == ["ClientInvalidToolHeadersToolsList", "ClientKeepsValidTool"]
    assert str(checks.recorded[0].message).endswith(told)


# -- JSON Schema

WHOLE = TOOL.input_schema
P, S = "json-schema-2020-12-client-", "sep-2106-client-"
ECHO_DONE, DIALECT, DEFS, CLOSED = (
    f"{P}echo-completed",
    f"{P}$schema-preserved",
    f"{P}$defs-preserved",
    f"{P}additionalProperties-preserved",
)
COMPOSITION, CONDITION, ANCHOR = (
    f"{S}{keyword}-keyword{plural}-preserved"
    for keyword, plural in (("composition", "s"), ("conditional", "s"), ("anchor", ""))
)
NEW = {COMPOSITION, CONDITION, ANCHOR}
ALL_KEPT = dict.fromkeys((ECHO_DONE, DIALECT, DEFS, CLOSED, COMPOSITION, CONDITION, ANCHOR), "SUCCESS")


def without(*keywords: str) -> JsonObject:
    return {keyword: value for keyword, value in WHOLE.items() if keyword not in keywords}


@pytest.mark.parametrize(
    ("echo", "lost"),
    [
        (WHOLE, set()),
        (without("$schema"), {DIALECT}),
        ({**WHOLE, "$schema": "http://json-schema.org/draft-07/schema#"}, {DIALECT}),
        (without("$defs"), {DEFS, ANCHOR}),
        ({**WHOLE, "$defs": None}, {DEFS, ANCHOR}),
        ({**WHOLE, "$defs": []}, {DEFS, ANCHOR}),
        ({**WHOLE, "$defs": {"address": None}}, {ANCHOR}),
        ({**WHOLE, "$defs": {"address": {"$anchor": None}}}, set()),
        (without("additionalProperties"), {CLOSED}),
        ({**WHOLE, "additionalProperties": 0}, {CLOSED}),
        (without("allOf"), {COMPOSITION}),
        ({**WHOLE, "allOf": [None, {"anyOf": {}}]}, {COMPOSITION}),
        (without("else"), {CONDITION}),
        ({**WHOLE, "else": None}, set()),
        ({}, {DIALECT, DEFS, CLOSED, *NEW}),
        ([], {DIALECT, DEFS, CLOSED, *NEW}),
    ],
    ids=lambda value: str(sorted(value) if isinstance(value, set) else value),  # the same in every worker
)
def test_what_is_lost_is_told(echo: JsonValue, lost: set[str]) -> None:
    for revision, of_new in ((STATEFUL, "SKIPPED"), (STATELESS, "FAILURE")):
        checks = Checks()
        decide_echo(echo, revision, checks)
        assert by_id(checks) == ALL_KEPT | {check: of_new if check in NEW else "FAILURE" for check in lost}


def test_without_an_echo_the_rest_is_skipped() -> None:
    checks = Checks()
    decide_echo(None, STATELESS, checks)
    assert by_id(checks) == dict.fromkeys(ALL_KEPT, "SKIPPED") | {ECHO_DONE: "FAILURE"}


def test_the_last_schema_that_was_sent_back_counts() -> None:
    def sent_back(schema: JsonValue) -> JsonObject:
        return {"arguments": {"schema": schema}}

    schemas: list[JsonValue] = [{"a": 1}, {"b": 2}, None, "text"]
    calls = [call("json_schema_echo", sent_back(schema)) for schema in schemas]
    assert echoed([*calls, call("other", sent_back({})), call("json_schema_echo", {"arguments": []})]) == {"b": 2}
    assert echoed([]) is None


# -- skills


def manifest_in(skill: Skill) -> dict[str, JsonValue]:
    resources = skill.entry()["resources"]
    assert isinstance(resources, list)
    found = resources[0]
    assert isinstance(found, dict)
    return found


def test_each_altered_manifest_is_wrong_in_its_own_way() -> None:
    described, served = OTHER_DIGEST.described.encode(), OTHER_DIGEST.served.encode()
    assert len(described) == len(served) == manifest_in(OTHER_DIGEST)["size"]
    assert described != served
    assert len(OTHER_SIZE.served.encode()) != manifest_in(OTHER_SIZE)["size"]
    assert OTHER_FRONTMATTER.served == OTHER_FRONTMATTER.described
    assert str(OTHER_FRONTMATTER.entry()["frontmatter"]) not in OTHER_FRONTMATTER.served


def did(*reads: str, refused: str = "", lists: bool = True) -> Did:
    """Return what a client did that read `reads`; `refused` was, and got nothing: a URI, or `skills/list`."""
    got = [each for each in reads if each != refused]
    return Did(lists=lists, listed=lists and refused != "skills/list", loaded=MANIFEST in got, reads=reads)


@pytest.mark.parametrize(
    ("did", "expected"),
    [
        (did(), "SUCCESS"),
        (did("skill://pdf-processing", "file:///a"), "SUCCESS"),
        (did(REFERENCE), "FAILURE"),
        (did(MANIFEST), "FAILURE"),
        (did(MANIFEST, refused=MANIFEST), "FAILURE"),
        (did(refused="skills/list"), "FAILURE"),
        (did(MANIFEST, lists=False), "SKIPPED"),
    ],
    ids=str,
)
def test_nothing_is_read_before_it_is_loaded(did: Did, expected: str) -> None:
    checks = Checks()
    decide_no_prefetch(did, checks)
    assert by_id(checks) == {NO_PREFETCH.id: expected}


@pytest.mark.parametrize(
    ("did", "expected"),
    [
        (did(MANIFEST), "SUCCESS"),
        (did(MANIFEST, MANIFEST, "file:///a"), "SUCCESS"),
        (did(MANIFEST, REFERENCE), "FAILURE"),
        (did(REFERENCE, MANIFEST), "FAILURE"),
        (did(REFERENCE), "FAILURE"),
        (did(), "FAILURE"),
        (did(MANIFEST, refused=MANIFEST), "FAILURE"),
        (did(MANIFEST, refused="skills/list"), "FAILURE"),
        (did(lists=False), "SKIPPED"),
    ],
    ids=str,
)
def test_a_manifest_that_does_not_verify_is_not_followed(did: Did, expected: str) -> None:
    checks = Checks()
    decide_verification(SIZE, "size", did, checks)
    assert by_id(checks) == {SIZE.id: expected}
