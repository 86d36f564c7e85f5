"""What a retry carries, and what other calls must not carry."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.mock_server import Received
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.scenarios.client.multi_round_trip import (
    ECHO_STATE,
    NO_RESULT_TYPE,
    NO_STATE,
    UNRELATED,
    States,
    decide_rounds,
)
from tests.scenarios.client.deciding import by_id, call
from tests.scenarios.client.odd_client import Odd, outcome, stateless

STATES = States("nonce")
GIVEN: JsonObject = {"confirm": {"action": "accept", "content": {"confirmed": True}}}
ECHOED = "sep-2322-client-request-state-echoed"
DIFFERENT = "sep-2322-client-jsonrpc-id-different"
OMITTED = "sep-2322-client-no-state-omitted"
ISOLATED = "sep-2322-client-parallel-isolation"
COMPLETE = "sep-2322-default-result-type-complete"
GOOD = dict.fromkeys((ECHOED, DIFFERENT, OMITTED, ISOLATED, COMPLETE), "SUCCESS")


def first(name: str, id_: JsonValue = 1) -> Received:
    return call(name, id_=id_)


def retry(name: str, id_: JsonValue = 2, **params: JsonValue) -> Received:
    return call(name, {"inputResponses": GIVEN, **params}, id_=id_)


WRITTEN_ANEW = '{"nonce":"nonce","originalId":1}'
OTHERS = [first(NO_STATE), retry(NO_STATE), first(UNRELATED), first(NO_RESULT_TYPE)]
ECHO = [first(ECHO_STATE), retry(ECHO_STATE, requestState=STATES.of(1))]


def echo(*calls: Received) -> list[Received]:
    return [*calls, *OTHERS]


ROWS: list[tuple[str, list[Received], dict[str, str]]] = [
    ("all well", echo(*ECHO), {}),
    ("a state with a blank behind it", echo(ECHO[0], retry(ECHO_STATE, requestState=f"{STATES.of(1)} ")), {ECHOED: "FAILURE"}),
    ("written anew", echo(ECHO[0], retry(ECHO_STATE, requestState=WRITTEN_ANEW)), {ECHOED: "FAILURE"}),
    ("no state", echo(ECHO[0], retry(ECHO_STATE)), {ECHOED: "FAILURE"}),
    ("null as state", echo(ECHO[0], retry(ECHO_STATE, requestState=None)), {ECHOED: "FAILURE"}),
    ("an object as state", echo(ECHO[0], retry(ECHO_STATE, requestState={})), {ECHOED: "FAILURE"}),
    ("the same id", echo(ECHO[0], retry(ECHO_STATE, 1, requestState=STATES.of(1))), {DIFFERENT: "FAILURE"}),
    ("the id as a text", echo(ECHO[0], retry(ECHO_STATE, "1", requestState=STATES.of(1))), {}),
    ("no retry", echo(ECHO[0]), {ECHOED: "FAILURE", DIFFERENT: "FAILURE"}),
    ("a retry of nothing", echo(ECHO[1]), {ECHOED: "FAILURE"}),
    (
        "two side by side",
        echo(
            first(ECHO_STATE, 1), first(ECHO_STATE, 2),
            retry(ECHO_STATE, 3, requestState=STATES.of(1)), retry(ECHO_STATE, 4, requestState=STATES.of(2)),
        ),
        {},
    ),
    ("an invented state", [*ECHO, first(NO_STATE), retry(NO_STATE, requestState=None), *OTHERS[2:]], {OMITTED: "FAILURE"}),
    ("no retry without state", [*ECHO, first(NO_STATE), *OTHERS[2:]], {OMITTED: "FAILURE"}),
    ("a state that leaks", [*ECHO, *OTHERS, call(UNRELATED, {"requestState": "x"})], {ISOLATED: "FAILURE"}),
    ("responses that leak", [*ECHO, *OTHERS, call(UNRELATED, {"inputResponses": None})], {ISOLATED: "FAILURE"}),
    ("nothing unrelated", [*ECHO, *OTHERS[:2], OTHERS[3]], {ISOLATED: "FAILURE"}),
    ("asked again without a type", [*ECHO, *OTHERS, retry(NO_RESULT_TYPE)], {COMPLETE: "FAILURE"}),
    ("the last one not called", [*ECHO, *OTHERS[:3]], {COMPLETE: "FAILURE"}),
    ("nothing", [], dict.fromkeys(GOOD, "FAILURE")),
    ("odd names", [call(None), call([]), call({}), call(5)], dict.fromkeys(GOOD, "FAILURE")),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "calls", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_rounds(fact: str, calls: list[Received], expected: dict[str, str]) -> None:
    checks = Checks()
    decide_rounds(calls, STATES, checks, answered=calls)
    assert by_id(checks) == GOOD | expected


@pytest.mark.parametrize(
    ("capabilities", "told"),
    [
        ({"elicitation": {}}, "no retry of test_mrtr_echo_state was received"),
        ({"elicitation": {"url": {}}}, "test_mrtr_echo_state was called without elicitation with forms"),
        ({}, "test_mrtr_echo_state was called without elicitation with forms"),
        (None, "test_mrtr_echo_state was called without elicitation with forms"),
    ],
)
def test_a_client_that_cannot_be_asked_is_told_so(capabilities: JsonValue, told: str) -> None:
    checks = Checks()
    meta: JsonObject = {"io.modelcontextprotocol/clientCapabilities": capabilities}
    decide_rounds([call(ECHO_STATE, {"_meta": meta})], STATES, checks, answered=[])
    messages = [check.message for check in checks.recorded if check.id in (ECHOED, DIFFERENT)]
    assert all(message is not None and message.startswith(f"Not testable: {told}") for message in messages)
    assert len(messages) == 2


@pytest.mark.parametrize(
    ("refused", "failed", "told"),
    [
        (NO_RESULT_TYPE, COMPLETE, "test_mrtr_no_result_type: no call of it could be answered"),
        (NO_STATE, OMITTED, "no call of test_mrtr_no_state could be answered, so nothing asked for its retry"),
    ],
)
def test_a_call_that_was_refused_shows_nothing(refused: str, failed: str, told: str) -> None:
    calls = echo(*ECHO)
    checks = Checks()
    decide_rounds(calls, STATES, checks, answered=[each for each in calls if each.params["name"] != refused])
    assert by_id(checks) == GOOD | {failed: "FAILURE"}
    assert [check.message for check in checks.recorded if check.id == failed] == [f"Not testable: {told}"]


async def test_the_id_1_0_is_the_id_1() -> None:
    async def call_and_retry(client: Odd) -> None:
        answer = await client.post(*stateless("tools/call", {"name": ECHO_STATE}, id_=1.0))
        state = answer.json()["result"]["requestState"]
        again: JsonObject = {"name": ECHO_STATE, "inputResponses": GIVEN, "requestState": state}
        await client.post(*stateless("tools/call", again, id_=2.0))

    found = await outcome("sep-2322-client-request-state", Revision.V2026_07_28, call_and_retry)
    decided = {check.id: check.status.value for check in found.checks}
    assert (decided[ECHOED], decided[DIFFERENT], decided["wire-schema-valid"]) == ("SUCCESS", "SUCCESS", "SUCCESS")


def test_what_was_not_observed_has_its_id_as_name() -> None:
    checks = Checks()
    decide_rounds([], STATES, checks, answered=[])
    assert all(check.name == check.id for check in checks.recorded)
