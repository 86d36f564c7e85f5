"""Polling: a client comes back for the rest of a stream whose connection the server closed.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server, item 6
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown
from pytest_mcp_conformance.mock_server import MockCall, MockTool, Script
from pytest_mcp_conformance.mock_server.app import ENDPOINT
from pytest_mcp_conformance.model import LATEST_STATEFUL, Level, Requirement, SpecRef
from pytest_mcp_conformance.scenarios.client.answered_calls import RESPONSE_FETCHED, decide_answered
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.serving.http import HttpReply, HttpRequest
from pytest_mcp_conformance.serving.streams import RETRY_MS
from pytest_mcp_conformance.stage import Stage

RETRY_EARLY_MS = 50  # timers round down, and a client may count from the event that carried the retry field
TOOL = "test_reconnection"
LAST_EVENT_ID = "last-event-id"

SEP_1699 = (SpecRef(id="SEP-1699", url="https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1699"),)

RECONNECTS = Requirement(
    id="client-sse-graceful-reconnect",
    name="ClientGracefulReconnect",
    level=Level.MUST,
    text="The client comes back by GET when the connection of a call's stream was closed before the response.",
    spec=SEP_1699,
)
RESPECTS_RETRY = Requirement(
    id="client-sse-retry-timing",
    name="ClientRespectsRetryField",
    level=Level.MUST,
    text=f"The client waits the {RETRY_MS} ms of the retry field before it comes back.",
    spec=SEP_1699,
)
SENDS_LAST_EVENT_ID = Requirement(
    id="client-sse-last-event-id",
    name="ClientSendsLastEventId",
    level=Level.SHOULD,
    text="The client says with Last-Event-ID where it comes back to.",
    spec=SEP_1699,
)


@client_scenario(
    name="sse-retry",
    introduced_in="2025-11-25",
    removed_in="2026-07-28",
    lists=frozenset({"core"}),
    waits=RETRY_MS / 1000,
    purpose="After the server closed the connection of a pending call, the client waits for the retry time and comes back by"
    " GET with Last-Event-ID.",
    task=f"Call {TOOL} without arguments, come back for the response as the retry field of the stream says, and end.",
    decides=(RECONNECTS, RESPECTS_RETRY, SENDS_LAST_EVENT_ID, RESPONSE_FETCHED),
)
async def sse_retry(stage: Stage, checks: Checks) -> None:
    closed: list[float] = []
    returned = asyncio.Event()

    def watch(http: HttpRequest) -> HttpReply | None:
        if _last_event_id(http):
            returned.set()
        return None

    async def close_and_wait(call: MockCall) -> str:
        returned.clear()
        closed.append(time.monotonic())  # before the client can know, so that no delay of ours makes it look early
        call.close_connection()
        await returned.wait()
        return "The connection was taken up again"

    tool = MockTool(
        name=TOOL, input_schema={"type": "object", "properties": {}, "required": []}, returns=close_and_wait
    )
    # The rules for retry came with 2025-11-25, so that is what has to be negotiated.
    server = await stage.mock(Script(tools=[tool], revisions=(LATEST_STATEFUL,), intercept=watch))
    await stage.client(server.url)
    decide_reconnection(server.http_requests, closed, checks)
    decide_answered(server, checks, TOOL, requirement=RESPONSE_FETCHED)


def decide_reconnection(requests: Sequence[HttpRequest], closed: Sequence[float], checks: Checks) -> None:
    """Decide how a client came back.

    :param closed: when the connections of calls were closed, in seconds of `time.monotonic`.
    """
    gets = [each for each in requests if each.method == "GET" and each.path == ENDPOINT]
    counted: JsonObject = {"getConnectionCount": len(gets)}
    if not closed:
        checks.untestable(RECONNECTS, f"{TOOL} was not called, so no connection was closed", details=counted)
        return
    back = reconnection(gets, closed[0])
    if back is None:
        told = Shown("GET only before that" if gets else "no GET request")
        details = counted | {"toolStreamCloseTime": closed[0], "retryValue": RETRY_MS}
        checks.fail(RECONNECTS, expected="a GET after the connection was closed", got=told, details=details)
        return
    checks.succeed(RECONNECTS, details=counted)
    delay_ms = (back.at - closed[0]) * 1000
    checks.decide(
        RESPECTS_RETRY,
        delay_ms >= RETRY_MS - RETRY_EARLY_MS,
        expected=f"to come back after {RETRY_MS} ms",
        got=Shown(f"a GET after {delay_ms:.0f} ms"),
        details={
            "expectedRetryMs": RETRY_MS,
            "actualDelayMs": round(delay_ms),
            "minAcceptableMs": RETRY_MS - RETRY_EARLY_MS,
            "earlyToleranceMs": RETRY_EARLY_MS,
            **counted,
        },
    )
    ids: list[JsonValue] = [id_ for id_ in map(_last_event_id, gets) if id_]
    checks.decide(
        SENDS_LAST_EVENT_ID,
        bool(ids),
        expected="a GET with the id of the last event",
        got=Shown("none"),
        details={"hasLastEventId": bool(ids), "lastEventIds": ids, **counted},
    )


def reconnection(gets: Sequence[HttpRequest], closed: float) -> HttpRequest | None:
    """Return the request with which a client came back to a stream whose connection was closed at `closed`.

    A client may also ask for a stream of its own, at any time and without Last-Event-ID, which this server does not offer:
    2025-11-25, basic/transports#listening-for-messages-from-the-server. So the first one that names an event is taken, and
    only where there is none the last one that names nothing.
    """
    after = [each for each in gets if each.at >= closed]
    resuming = [each for each in after if _last_event_id(each)]
    return next(iter([*resuming, *after[-1:]]), None)


def _last_event_id(http: HttpRequest) -> str | None:
    return http.headers.get(LAST_EVENT_ID)
