"""Which exchange decided a check."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown, shown
from pytest_mcp_conformance.model import Leg, Revision, Status
from pytest_mcp_conformance.reference.server import running_server
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.reporting.decisions import decision_lines, decisions_of
from pytest_mcp_conformance.reporting.exchanges import content_of, deciding, exchanges_of
from pytest_mcp_conformance.running import ServerUnderTest, run_server_scenario
from tests.reporting.runs import check, result

SESSION: JsonObject = {"Mcp-Session-Id": "abc"}
WIDE: JsonObject = {"a": "telling enough", "b": [1, 2, 3]}


def wire(*entries: dict[str, Any]) -> list[JsonValue]:
    """Number entries as the recorder does."""
    return [{"number": number, "ms": 0.1, **entry} for number, entry in enumerate(entries)]


def request(method: str | None = "tools/list", *, http: str = "POST", headers: JsonObject | None = None) -> JsonObject:
    body: JsonValue = None if method is None else {"jsonrpc": "2.0", "id": 1, "method": method}
    return {"kind": "request", "method": http, "url": "http://a/mcp", "headers": headers or {}, "body": body}


def reply() -> JsonObject:
    return {**request(), "body": {"jsonrpc": "2.0", "id": 1, "result": {}}}


def head(answers: int) -> JsonObject:
    return {"kind": "response", "answers": answers, "status": 200, "headers": {}}


def body(answers: int, value: JsonValue) -> JsonObject:
    return {"kind": "body", "answers": answers, "body": value}


def event(answers: int, value: JsonValue) -> JsonObject:
    return {"kind": "event", "answers": answers, "event": "message", "data": value}


NOTE: JsonObject = {"kind": "note", "note": "a remark"}
STREAM = request(None, http="GET", headers=SESSION)
RESUMED = request(None, http="GET", headers={"Last-Event-ID": "7"})


@pytest.mark.parametrize(
    ("entries", "entry", "got", "number", "answer"),
    [
        pytest.param([request(), head(0), body(0, [])], 2, "[]", 0, [], id="the last one"),
        pytest.param([request(), head(0), body(0, []), NOTE], 3, "none", 0, [], id="behind a remark"),
        pytest.param([request(), head(0), body(0, []), request(), head(3)], 2, "[]", 0, [], id="not a later one"),
        pytest.param([request(), head(0)], 1, "HTTP 200", 0, None, id="by its status alone"),
        pytest.param([request()], 0, None, 0, None, id="no answer came"),
        pytest.param([STREAM, request(), head(1), body(1, 1), head(0)], 4, "1", 1, 1, id="not the standing stream"),
        pytest.param([STREAM, head(0), event(0, 1)], 2, "1", 0, 1, id="the standing stream where it is alone"),
        pytest.param([request(), head(0), RESUMED, head(2), event(2, 1)], 4, "1", 2, 1, id="a resumed stream"),
        pytest.param(
            [request(), head(0), event(0, 5), reply(), head(3)], 4, "5", 0, 5, id="not the reply to a server's request"
        ),
        pytest.param(
            [request(), head(0), body(0, {"x": WIDE}), request(), head(3), body(3, {})],
            5,
            Shown(f"HTTP 200, {shown(WIDE)}"),
            0,
            {"x": WIDE},
            id="the earlier one that holds what the check got",
        ),
        pytest.param(
            [request(), head(0), body(0, WIDE), request(), head(3), body(3, WIDE)],
            5,
            shown(WIDE),
            3,
            WIDE,
            id="the latest that holds it",
        ),
        pytest.param(
            [request(), head(0), body(0, WIDE), request(), head(3), body(3, {})],
            5,
            shown([WIDE, WIDE]),
            0,
            WIDE,
            id="the first of several",
        ),
        pytest.param(
            [request(), head(0), body(0, {"t": "q" * 900}), request(), head(3), body(3, {})],
            5,
            shown({"t": "q" * 900}),
            0,
            {"t": "q" * 900},
            id="a shortened value",
        ),
    ],
)
def test_the_exchange_that_decided(
    entries: list[dict[str, Any]], entry: int, got: str | None, number: int, answer: JsonValue
) -> None:
    found = deciding(
        check(Status.FAILURE, entry=entry, got=None if got is None else Shown(got)), exchanges_of(wire(*entries))
    )
    assert found is not None
    exchange, part = found
    assert exchange.number == number
    assert (None if part is None else content_of(part)) == answer


def test_a_check_of_all_messages_is_about_the_one_it_names() -> None:
    exchanges = exchanges_of(wire(request(), head(0), body(0, WIDE), request(), head(3), body(3, {})))
    details: JsonObject = {"violations": [{"message": WIDE}]}
    found = deciding(check(Status.FAILURE, entry=5, details=details), exchanges)
    assert found is not None
    assert found[0].number == 0
    nowhere: JsonObject = {"violations": [{"message": "sent by nobody, as far as the transcript tells"}]}
    assert deciding(check(Status.FAILURE, entry=5, details=nowhere), exchanges) is None


def test_nothing_is_shown_where_nothing_travelled() -> None:
    assert deciding(check(Status.FAILURE, entry=None), exchanges_of(wire(request()))) is None
    assert deciding(check(Status.FAILURE, entry=0), exchanges_of(wire(NOTE))) is None


@pytest.mark.parametrize(
    ("scenario", "revision", "fault", "method", "with_curl"),
    [
        ("tools-list", "2026-07-28", "tool-without-description", "tools/list", True),
        ("tools-list", "2025-11-25", "tool-without-description", "tools/list", False),
        ("server-initialize", "2025-11-25", "initialize-unknown-version", "initialize", True),
    ],
)
def test_a_real_failure_shows_request_answer_and_what_repeats_it(
    scenario: str, revision: str, fault: str, method: str, *, with_curl: bool
) -> None:
    with running_server(frozenset({fault})) as url:
        server = ServerUnderTest(url=url, headers={"Authorization": "Bearer s3cr3t-t0ken"})
        run = run_server_scenario(scenarios(Leg.SERVER)[scenario], Revision(revision), server, timeout=30)
        outcome = asyncio.run(run)
    (decision, *_) = decisions_of(outcome, secret_headers=server.headers)
    assert f'"method": "{method}"' in decision.request
    assert decision.response.startswith("HTTP 200 application/json {")
    assert (decision.curl is not None) is with_curl
    text = "\n".join(decision_lines([decision]))
    assert "s3cr3t" not in text
    assert ("-H 'Authorization: ...'" in text) is with_curl
    assert text.startswith(f"decided {decision.checks[0]}")


def test_only_the_first_exchanges_are_shown_in_a_terminal() -> None:
    entries = [each for number in range(5) for each in (request(), head(2 * number))]
    outcome_checks = [check(Status.FAILURE, id=f"c{n}", entry=2 * n + 1, got=None) for n in range(5)]
    outcome = replace(result().outcome, checks=tuple(outcome_checks), transcript=tuple(wire(*entries)))
    decisions = decisions_of(outcome)
    lines = list(decision_lines(decisions))
    assert len(decisions) == 5
    assert len(lines) == 10
    assert lines[-1].startswith("2 more exchanges decided")
    assert json.dumps(lines).isascii()
