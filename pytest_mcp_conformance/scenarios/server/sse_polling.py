"""Polling: a server ends the stream of a call before the result, and the client comes back for it.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
and .../basic/transports#resumability-and-redelivery
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass
from http import HTTPStatus

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown, as_object, shown, truthy
from pytest_mcp_conformance.model import Level, Needs, Requirement, SpecRef, Tool
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.peer.headers import replaced
from pytest_mcp_conformance.protocol.http import HttpStream
from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM
from pytest_mcp_conformance.protocol.sse import Event
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.event_streams import has_body, judge_request, message_in, streams_events

POST_STREAM_SECONDS = 10.0  # for the stream of the call to end
GET_STREAM_SECONDS = 5.0  # for the result to come after the reconnection
LONGEST_WAIT_SECONDS = 5.0  # of a retry time; one that is longer is cut, so that the scenario can end in its time

SEP_1699 = (SpecRef(id="SEP-1699", url="https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1699"),)

PRIMING_EVENT = Requirement(
    id="server-sse-priming-event",
    name="ServerSendsPrimingEvent",
    level=Level.SHOULD,
    text="The stream of a call starts with an event that has an id and no data, so that it can be resumed.",
    spec=SEP_1699,
)
RETRY_FIELD = Requirement(
    id="server-sse-retry-field",
    name="ServerSendsRetryField",
    level=Level.SHOULD,
    text="A server that ends a stream early says with a retry field when to come back.",
    spec=SEP_1699,
)
DISCONNECT_RESUME = Requirement(
    id="server-sse-disconnect-resume",
    name="ServerDisconnectResume",
    level=Level.SHOULD,
    text="A GET with the id of the last event brings the result of a call whose stream ended early.",
    spec=SEP_1699,
)
SESSION = Requirement(
    id="server-sse-polling-session",
    name="ServerSSEPollingSession",
    level=Level.MAY,
    text="The server issues a session id, without which a stream cannot be resumed here.",
    spec=SEP_1699,
    exceptional=True,
)
TOOL_THERE = Requirement(
    id="server-sse-test-reconnection-tool",
    name="ServerTestReconnectionTool",
    level=Level.SHOULD,
    text="The server has the tool whose call is resumed.",
    spec=SEP_1699,
    exceptional=True,
)
POST_REQUEST = Requirement(
    id="server-sse-post-request",
    name="ServerSSEPostRequest",
    level=Level.MUST,
    text="The call is answered with 2xx.",
    spec=SEP_1699,
    exceptional=True,
)
CONTENT_TYPE = Requirement(
    id="server-sse-content-type",
    name="ServerSSEContentType",
    level=Level.MAY,
    text="The call is answered with a stream of events.",
    spec=SEP_1699,
    exceptional=True,
)
STREAM = Requirement(
    id="server-sse-polling-stream",
    name="ServerSSEPollingStream",
    level=Level.MUST,
    text="A stream of events has a body.",
    spec=SEP_1699,
    exceptional=True,
)
OUTGOING_REQUEST = Requirement(
    id="outgoing-request",
    name="OutgoingRequest",
    level=Level.MAY,
    text="A request that was sent.",
    spec=(),
    exceptional=True,
)
INCOMING_RESPONSE = Requirement(
    id="incoming-response",
    name="IncomingResponse",
    level=Level.MAY,
    text="A response that arrived.",
    spec=(),
    exceptional=True,
)
INCOMING_SSE_EVENT = Requirement(
    id="incoming-sse-event",
    name="IncomingSseEvent",
    level=Level.MUST,
    text="An event that arrived; one with the result of the call does not say that the call failed.",
    spec=(),
    exceptional=True,
)
STREAM_CLOSED = Requirement(
    id="stream-closed",
    name="StreamClosed",
    level=Level.MAY,
    text="The end of the stream of the call.",
    spec=(),
    exceptional=True,
)
POLLING_ERROR = Requirement(
    id="server-sse-polling-error",
    name="ServerSSEPollingTest",
    level=Level.MUST,
    text="The conversation does not break down.",
    spec=SEP_1699,
    exceptional=True,
)


@dataclass
class CallStream:
    """What the stream of the call has brought so far.

    :ivar last_event_id: of the last event that had one of its own.
    :ivar priming: the number of the first event that only tells where to resume, counted from 1.
    """

    events: int = 0
    last_event_id: str | None = None
    priming: int | None = None
    retry_ms: int | None = None
    answered: bool = False

    def take(self, event: Event) -> None:
        """Count an event."""
        self.events += 1
        if event.id:
            self.last_event_id = event.id
            if self.priming is None and primes(event):
                self.priming = self.events


@server_scenario(
    name="server-sse-polling",
    introduced_in="2025-11-25",
    removed_in="2026-07-28",
    pending=True,
    waits=0.2,
    purpose="The server primes its SSE stream, may close it in the middle of a call, and delivers the result after a reconnect"
    " with Last-Event-ID.",
    decides=(
        PRIMING_EVENT,
        RETRY_FIELD,
        DISCONNECT_RESUME,
        SESSION,
        TOOL_THERE,
        POST_REQUEST,
        CONTENT_TYPE,
        STREAM,
        OUTGOING_REQUEST,
        INCOMING_RESPONSE,
        INCOMING_SSE_EVENT,
        STREAM_CLOSED,
        POLLING_ERROR,
    ),
    charged=POLLING_ERROR,
    needs=Needs(
        tools=(
            Tool(
                name="test_reconnection",
                behaviour="ends the event stream of the call as soon as it has sent an event with an id, no data and a retry"
                " field; goes on for about 100 ms; its result is delivered to a GET with Last-Event-ID",
                returns="one text content",
            ),
        ),
        other=("sessions, and streams that can be resumed",),
        capabilities=("tools",),
    ),
)
async def server_sse_polling(peer: Peer, checks: Checks) -> None:
    await peer.connect()
    if peer.session_id is None:
        details: JsonObject = {"message": "the server issues no session id, so a stream cannot be resumed"}
        checks.warn(SESSION, expected="a session id", details=details)
    call = peer.message("tools/call", {"name": "test_reconnection", "arguments": {}}, id=1)
    headers = peer.headers("tools/call", as_object(call["params"]))
    log_request(checks, "POST", peer.url, headers, call)
    judge_request(peer, call)
    async with peer.http.open("POST", peer.url, headers=headers, body=call, follow=True) as response:
        log_response(checks, response)
        if not can_be_read(response, checks):
            return
        seen = await read_call_stream(peer, checks, response, call)
    decide_events(checks, seen)
    await decide_resuming(peer, checks, seen, call)


def can_be_read(response: HttpStream, checks: Checks) -> bool:
    """Decide whether the call was answered with a stream of events; where it was not, the scenario ends."""
    got = Shown(f"HTTP {response.status}")
    if response.status in {HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND}:
        checks.warn(TOOL_THERE, expected="a server with the tool test_reconnection", got=got)
    elif not response.ok:
        checks.fail(POST_REQUEST, expected="2xx in answer to the call", got=got)
    elif not streams_events(response):
        # MAY answer with JSON instead of a stream: 2025-03-26 to 2025-11-25, basic/transports#sending-messages-to-the-server
        reason = "the server answers calls without a stream, so there is none to resume"
        checks.inform(CONTENT_TYPE, reason, details={"contentType": response.content_type, "message": reason})
    elif not has_body(response):
        checks.fail(STREAM, expected="a stream of events", got=got)
    else:
        return True
    return False


async def read_call_stream(peer: Peer, checks: Checks, response: HttpStream, call: JsonObject) -> CallStream:
    """Read the stream of the call to its end, or to the result.

    :raises Nonconforming: it breaks off without its proper end.
    """
    seen = CallStream()
    try:
        async with asyncio.timeout(POST_STREAM_SECONDS), aclosing(response.events()) as events:
            async for event in events:
                if not event.complete:
                    break
                seen.take(event)
                message = message_in(peer, event, call)
                if event.id:
                    log_event(checks, event, isPriming=primes(event), hasRetryField=event.retry_ms is not None)
                if is_result(message):
                    seen.answered = True
                    decide_result(checks, event, message)
                    break
    except TimeoutError:
        peer.http.recorder.note(f"the stream of the call did not end within {POST_STREAM_SECONDS:g} s")
    seen.retry_ms = response.parser.retry_ms
    return seen


def decide_result(checks: Checks, event: Event, message: JsonValue) -> None:
    """Decide whether the result that came on the stream of the call says that the call failed."""
    details: JsonObject = {"eventId": event.id, "body": message}
    if as_object(as_object(message).get("result")).get("isError") is True:
        checks.fail(INCOMING_SSE_EVENT, expected="a result of a call that went well", got=message, details=details)
    else:
        checks.inform(INCOMING_SSE_EVENT, details=details)


def decide_events(checks: Checks, seen: CallStream) -> None:
    """Decide what the stream of the call told a client that has to come back."""
    checks.inform(
        STREAM_CLOSED,
        details={
            "eventCount": seen.events,
            "lastEventId": seen.last_event_id,
            "receivedToolResponse": seen.answered,
        },
    )
    # SHOULD send at once an event with an id and an empty data field: 2025-11-25,
    # basic/transports#sending-messages-to-the-server, item 6
    checks.decide(
        PRIMING_EVENT,
        seen.priming == 1,
        expected="a first event with an id and empty data",
        got=Shown("it came later" if seen.priming else "no such event"),
        details={
            "hasPrimingEvent": seen.priming is not None,
            "primingEventIsFirst": seen.priming == 1,
            "hasEventId": seen.last_event_id is not None,
            "lastEventId": seen.last_event_id,
            "eventCount": seen.events,
        },
    )
    # SHOULD send retry before it ends the connection: 2025-11-25, the same place
    checks.decide(
        RETRY_FIELD,
        seen.retry_ms is not None,
        expected="a retry field",
        got=Shown("none"),
        details={"hasRetryField": seen.retry_ms is not None, "retryValue": seen.retry_ms},
    )


async def decide_resuming(peer: Peer, checks: Checks, seen: CallStream, call: JsonObject) -> None:
    """Come back for the result, where it has not come and the server told how."""
    if seen.answered:
        tell_of_resuming(checks, "the result came on the stream of the call", receivedToolResponse=True)
        return
    if seen.last_event_id is None or peer.session_id is None:
        reason = "the stream ended without an event id, or there is no session"
        tell_of_resuming(checks, reason, lastEventId=seen.last_event_id, sessionId=peer.session_id)
        return
    # MUST wait for the time that retry names: 2025-11-25, basic/transports#sending-messages-to-the-server, item 6
    await asyncio.sleep(min((seen.retry_ms or 0) / 1000, LONGEST_WAIT_SECONDS))
    headers = replaced(
        peer.headers("tools/call"),
        {"Content-Type": None, "Accept": EVENT_STREAM, "Last-Event-ID": seen.last_event_id},
    )
    log_request(checks, "GET", peer.url, headers)
    async with peer.http.open("GET", peer.url, headers=headers, follow=True) as response:
        log_response(checks, response)
        if response.status == HTTPStatus.METHOD_NOT_ALLOWED:
            reason = "the server offers no stream to GET, so nothing can be resumed"
            tell_of_resuming(checks, reason, statusCode=response.status)
            return
        if not has_body(response):
            checks.decide(
                DISCONNECT_RESUME,
                holds=False,
                expected="a stream in answer to a GET with the id of the last event",
                got=Shown(f"HTTP {response.status}"),
                details={
                    "statusCode": response.status,
                    "lastEventIdUsed": seen.last_event_id,
                    "message": "the server refuses to resume the stream",
                },
            )
            return
        answered = await read_resumed_stream(peer, checks, response, call)
    checks.decide(
        DISCONNECT_RESUME,
        answered,
        expected="the result of the call on the resumed stream",
        got=Shown(f"a stream without it, read for at most {GET_STREAM_SECONDS:g} s"),
        details={
            "lastEventIdUsed": seen.last_event_id,
            "receivedToolResponse": answered,
            "message": "the result came after the reconnection" if answered else "the result did not come",
        },
    )


async def read_resumed_stream(peer: Peer, checks: Checks, response: HttpStream, call: JsonObject) -> bool:
    """Read the resumed stream up to the result; tell whether it came.

    :raises Nonconforming: the stream breaks off without its proper end.
    """
    try:
        async with asyncio.timeout(GET_STREAM_SECONDS), aclosing(response.events()) as events:
            async for event in events:
                if not event.complete:
                    break
                log_event(checks, event)
                if is_result(message_in(peer, event, call)):
                    return True
    except TimeoutError:
        peer.http.recorder.note(f"the resumed stream brought no result within {GET_STREAM_SECONDS:g} s")
    return False


def primes(event: Event) -> bool:
    """Tell whether an event only names the place to resume from: its data is empty."""
    return not event.data.strip() or event.data == "{}"


def is_result(message: JsonValue) -> bool:
    """Tell whether a message is the result of the call."""
    body = as_object(message)
    return body.get("id") == 1 and not isinstance(body["id"], bool) and truthy(body.get("result"))


def tell_of_resuming(checks: Checks, message: str, **details: JsonValue) -> None:
    """Record that there is nothing to resume, and why."""
    checks.inform(DISCONNECT_RESUME, message, details={**details, "message": message})


def log_request(checks: Checks, method: str, url: str, headers: Mapping[str, str], body: JsonValue = None) -> None:
    """Keep a request among the checks, as published results do."""
    sent: JsonObject = {} if body is None else {"body": body}
    checks.inform(OUTGOING_REQUEST, details={"method": method, "url": url, "headers": {**headers}, **sent})


def log_response(checks: Checks, response: HttpStream) -> None:
    """Keep the head of a response among the checks."""
    checks.inform(INCOMING_RESPONSE, details={"statusCode": response.status, "headers": {**response.headers}})


def log_event(checks: Checks, event: Event, **details: JsonValue) -> None:
    """Keep an event among the checks."""
    retry: JsonObject = {"retryValue": event.retry_ms} if event.retry_ms is not None else {}
    checks.inform(
        INCOMING_SSE_EVENT,
        details={"eventId": event.id, "eventType": event.event, **details, **retry, "data": shown(event.data)},
    )
