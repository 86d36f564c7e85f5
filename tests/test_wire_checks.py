"""The two checks on all traffic: whose message broke the schema decides which of them fails."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonValue, as_list, as_object, dumps
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.recorder import Origin, Recorder
from pytest_mcp_conformance.wire_checks import decide_wire

GOOD: JsonValue = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
BAD: JsonValue = {"jsonrpc": "2.0", "id": None, "method": "ping"}


def decided(*messages: tuple[Origin, JsonValue]) -> dict[str, str]:
    recorder = Recorder(revision=Revision.V2025_11_25)
    for origin, message in messages:
        recorder.judge(message, origin, context="a test")
    checks = Checks()
    decide_wire(recorder, Revision.V2025_11_25, checks)
    return {check.id: check.status.value for check in checks.recorded}


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([], {}),
        ([(Origin.HARNESS, GOOD)], {"wire-schema-valid": "SUCCESS"}),
        ([(Origin.IMPLEMENTATION, GOOD)], {"wire-schema-valid": "SUCCESS"}),
        ([(Origin.IMPLEMENTATION, BAD), (Origin.HARNESS, GOOD)], {"wire-schema-valid": "FAILURE"}),
        ([(Origin.HARNESS, BAD)], {"wire-schema-valid": "SUCCESS", "wire-schema-harness-error": "FAILURE"}),
        (
            [(Origin.HARNESS, BAD), (Origin.IMPLEMENTATION, BAD)],
            {"wire-schema-valid": "FAILURE", "wire-schema-harness-error": "FAILURE"},
        ),
    ],
    ids=str,
)
def test_who_broke_the_schema_decides_which_check_fails(
    messages: list[tuple[Origin, JsonValue]], expected: dict[str, str]
) -> None:
    assert decided(*messages) == expected


def test_details_count_messages_of_both_sides_and_list_violations() -> None:
    recorder = Recorder(revision=Revision.V2025_11_25)
    recorder.judge(GOOD, Origin.HARNESS, context="to the server: ping")
    recorder.judge(BAD, Origin.IMPLEMENTATION, context="from the server")
    checks = Checks()
    decide_wire(recorder, Revision.V2025_11_25, checks)
    details = as_object(checks.recorded[0].details)
    (violation,) = as_list(details["violations"])
    assert details["messagesValidated"] == 2
    assert as_object(violation)["origin"] == "implementation"
    assert as_object(violation)["message"] == BAD


@pytest.mark.parametrize(
    ("body", "status", "type_", "expected"),
    [
        (GOOD, 200, "application/json", "SUCCESS"),
        (GOOD, 200, "Text/Event-Stream; charset=utf-8", "SUCCESS"),
        (GOOD, 200, "text/plain", "FAILURE"),
        (GOOD, 202, None, "FAILURE"),
        (GOOD, 500, None, None),
        ({"jsonrpc": "2.0", "method": "notifications/x"}, 202, None, None),
        (None, 200, None, None),
    ],
    ids=str,
)
@pytest.mark.parametrize("revision", [Revision.V2025_03_26, Revision.V2026_07_28], ids=str)
def test_an_answer_to_a_request_is_declared_as_one_of_two_types(
    revision: Revision, body: JsonValue, status: int, type_: str | None, expected: str | None
) -> None:
    recorder = Recorder(revision=revision)
    number = recorder.request("POST", "http://a/", {}, dumps(body).encode() if body else None, malformed=False)
    recorder.response(number, status, {"content-type": type_} if type_ else {})
    checks = Checks()
    decide_wire(recorder, revision, checks)
    assert [check.status.value for check in checks.recorded] == ([expected] if expected else [])
    assert all(check.addition and check.id == "x-response-content-type" for check in checks.recorded)
