"""What a retry carries, and what other calls must not carry."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.mock_server import Received
from pytest_mcp_conformance.scenarios.client.multi_round_trip import (
    ECHO_STATE,
    NO_RESULT_TYPE,
    NO_STATE,
    UNRELATED,
    States,
    decide_rounds,
)
from tests.scenarios.client.deciding import by_id, call

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
    decide_rounds(calls, STATES, checks)
    assert by_id(checks) == GOOD | expected


def test_what_was_not_observed_has_its_id_as_name() -> None:
    checks = Checks()
    decide_rounds([], STATES, checks)
    assert all(check.name == check.id for check in checks.recorded)
