"""Which request is the one with which a client comes back, and when it comes too early."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.scenarios.client.sse_polling import decide_reconnection, reconnection
from pytest_mcp_conformance.serving.http import HttpRequest
from tests.scenarios.client.deciding import by_id, http

CLOSED = 100.0
RECONNECTS, TIMING, LAST_ID = (
    "client-sse-graceful-reconnect",
    "client-sse-retry-timing",
    "client-sse-last-event-id",
)


def get(after_ms: float, last: str | None = "1-1") -> HttpRequest:
    return http("GET", {"last-event-id": last}, at=CLOSED + after_ms / 1000)


GOOD = {RECONNECTS: "SUCCESS", TIMING: "SUCCESS", LAST_ID: "SUCCESS"}
ROWS: list[tuple[str, list[HttpRequest], dict[str, str]]] = [
    ("in time", [get(510)], GOOD),
    ("a little early, as timers are", [get(451)], GOOD),
    ("as late as you like", [get(20_000)], GOOD),
    ("too early", [get(449)], GOOD | {TIMING: "FAILURE"}),
    ("at once", [get(0)], GOOD | {TIMING: "FAILURE"}),
    ("without an id", [get(510, None)], GOOD | {LAST_ID: "WARNING"}),
    ("with an empty id", [get(510, "")], GOOD | {LAST_ID: "WARNING"}),
    ("a stream of its own before", [get(-40, None), get(510)], GOOD),
    ("a stream of its own, late", [get(1, None), get(510)], GOOD),
    ("a stream of its own afterwards", [get(510), get(515, None)], GOOD),
    ("two, neither with an id", [get(1, None), get(510, None)], GOOD | {LAST_ID: "WARNING"}),
    ("back again after coming back", [get(510), get(520, "1-2")], GOOD),
    ("only a stream of its own", [get(-40, None)], {RECONNECTS: "FAILURE"}),
    ("no GET", [http("POST", at=CLOSED + 1)], {RECONNECTS: "FAILURE"}),
]


@pytest.mark.parametrize(("fact", "requests", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_a_client_comes_back(fact: str, requests: list[HttpRequest], expected: dict[str, str]) -> None:
    checks = Checks()
    decide_reconnection(requests, [CLOSED], checks)
    assert by_id(checks) == expected


def test_without_a_call_nothing_can_be_told() -> None:
    checks = Checks()
    decide_reconnection([get(-40, None)], [], checks)
    assert [(check.id, check.status.value, check.message) for check in checks.recorded] == [
        (RECONNECTS, "FAILURE", "Not testable: test_reconnection was not called, so no connection was closed")
    ]


def test_of_several_calls_the_first_is_measured() -> None:
    checks = Checks()
    decide_reconnection([get(510), get(1300)], [CLOSED, CLOSED + 0.9], checks)
    assert by_id(checks) == GOOD


def test_a_request_that_names_an_event_comes_before_one_that_names_none() -> None:
    listening, back = get(2, None), get(600)
    assert reconnection([listening, back], CLOSED) is back
    assert reconnection([listening], CLOSED) is listening
    assert reconnection([], CLOSED) is None
