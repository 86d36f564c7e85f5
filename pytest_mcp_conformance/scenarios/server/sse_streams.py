"""Several streams: a server serves requests that are sent at the same time, each with an answer or stream of its own.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#multiple-connections
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from http import HTTPStatus

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown
from pytest_mcp_conformance.model import Level, Needs, Requirement, Revision, SpecRef
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.protocol.http import HttpStream
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.event_streams import has_body, judge_request, message_in, streams_events
from pytest_mcp_conformance.side_by_side import side_by_side

REQUEST_IDS = (1000, 1001, 1002)
FIRST_EVENT_SECONDS = 2.0  # for the first event of a stream; one that stays silent works as well

SEP_1699 = (SpecRef(id="SEP-1699", url="https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1699"),)

MULTIPLE_POSTS = Requirement(
    id="server-accepts-multiple-post-streams",
    name="ServerAcceptsMultiplePostStreams",
    level=Level.MUST,
    text="Requests that are sent at the same time are all answered with 2xx.",
    spec=SEP_1699,
)
STREAMS_FUNCTIONAL = Requirement(
    id="server-sse-streams-functional",
    name="ServerSSEStreamsFunctional",
    level=Level.SHOULD,
    text="The streams that answer requests sent at the same time can all be read.",
    spec=SEP_1699,
)
SESSION = Requirement(
    id="server-sse-multiple-streams-session",
    name="ServerSSEMultipleStreamsSession",
    level=Level.MAY,
    text="The server issues a session id, to which the requests belong.",
    spec=SEP_1699,
    until=Revision.V2026_07_28,
    exceptional=True,
)
STREAMS_ERROR = Requirement(
    id="server-sse-multiple-streams-error",
    name="ServerSSEMultipleStreamsTest",
    level=Level.MUST,
    text="The conversation does not break down.",
    spec=SEP_1699,
    exceptional=True,
)


@dataclass(frozen=True, kw_only=True)
class Answered:
    """One request and the response whose head has arrived."""

    request: JsonObject
    response: HttpStream


@server_scenario(
    name="server-sse-multiple-streams",
    introduced_in="2025-11-25",
    purpose="The server serves several POST requests at the same time, each with its own answer or stream.",
    decides=(MULTIPLE_POSTS, STREAMS_FUNCTIONAL, SESSION, STREAMS_ERROR),
    charged=STREAMS_ERROR,
    needs=Needs(methods=("tools/list",), capabilities=("tools",)),
)
async def server_sse_multiple_streams(peer: Peer, checks: Checks) -> None:
    await peer.connect()
    if not peer.revision.stateless and peer.session_id is None:
        details: JsonObject = {"message": "the server issues no session id"}
        checks.warn(SESSION, expected="a session id", details=details)
        return
    async with AsyncExitStack() as open_responses:
        answered = await send_together(peer, open_responses)
        decide_statuses(checks, [each.response for each in answered])
        readings = await asyncio.gather(*(read_first_event(peer, each) for each in answered))
    decide_streams(checks, list(readings))


async def send_together(peer: Peer, open_responses: AsyncExitStack) -> list[Answered]:
    """Send all requests at the same time, and return when each has the head of its response.

    :raises Nonconforming: one of them gets no HTTP response.
    """

    async def send(id_: int) -> Answered:
        request = peer.message("tools/list", id=id_)
        judge_request(peer, request)
        opening = peer.http.open("POST", peer.url, headers=peer.headers("tools/list"), body=request, follow=True)
        return Answered(request=request, response=await open_responses.enter_async_context(opening))

    return await side_by_side(*(send(id_) for id_ in REQUEST_IDS))


def decide_statuses(checks: Checks, responses: list[HttpStream]) -> None:
    """Decide whether every request was accepted."""
    statuses: list[JsonValue] = [response.status for response in responses]
    checks.decide(
        MULTIPLE_POSTS,
        all(response.ok for response in responses),
        expected="2xx in answer to each of the requests sent at the same time",
        got=statuses,
        details={
            "numStreamsAttempted": len(responses),
            "numStreamsAccepted": statuses.count(HTTPStatus.OK),
            "numSseStreams": sum(map(streams_events, responses)),
            "statuses": statuses,
            "contentTypes": [response.content_type for response in responses],
        },
    )


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What trying to read one response brought; `fault` says why it could not be read."""

    is_stream: bool
    got: JsonObject
    fault: str | None = None


async def read_first_event(peer: Peer, answered: Answered) -> Reading:
    """Read the first event of a response, if it is a stream. A stream may end or stay silent without one."""
    response = answered.response
    if not streams_events(response):
        return Reading(is_stream=False, got={"type": "json", "skipped": True})
    if not has_body(response):
        return Reading(is_stream=True, got={"type": "sse"}, fault=f"HTTP {response.status}")
    try:
        async with asyncio.timeout(FIRST_EVENT_SECONDS), aclosing(response.events()) as events:
            async for event in events:
                message_in(peer, event, answered.request)
                return Reading(is_stream=True, got={"type": "sse", "event": {"id": event.id, "data": event.data}})
    except TimeoutError:
        return Reading(is_stream=True, got={"type": "sse", "event": None, "silentSeconds": FIRST_EVENT_SECONDS})
    except Nonconforming as error:
        return Reading(is_stream=True, got={"type": "sse"}, fault=error.message)
    return Reading(is_stream=True, got={"type": "sse", "event": None})


def decide_streams(checks: Checks, readings: list[Reading]) -> None:
    """Decide whether the streams among the responses could be read: all of them, some, or none."""
    streams = [reading for reading in readings if reading.is_stream]
    faults = [reading.fault for reading in streams if reading.fault is not None]
    results: list[JsonValue] = [
        {"index": index, **reading.got, **({"error": reading.fault} if reading.fault else {})}
        for index, reading in enumerate(readings)
    ]
    if not streams:
        # MAY answer with JSON instead of streams: 2025-03-26 to 2025-11-25, basic/transports#sending-messages-to-the-server
        reason = "the server answers with JSON and opens no streams"
        checks.inform(STREAMS_FUNCTIONAL, reason, details={"numSseStreams": 0, "message": reason, "results": results})
        return
    details: JsonObject = {
        "numSseStreams": len(streams),
        "functionalSseStreams": len(streams) - len(faults),
        "results": results,
    }
    expected = "streams that can all be read"
    if len(faults) == len(streams):
        checks.fail(STREAMS_FUNCTIONAL, expected=expected, got=Shown("; ".join(faults)), details=details)
    else:
        checks.decide(STREAMS_FUNCTIONAL, not faults, expected=expected, got=Shown("; ".join(faults)), details=details)
