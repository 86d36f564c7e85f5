"""Lifecycle: the handshake that opens a session, and the end of the session.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
and https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from http import HTTPStatus

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, Shown, shown
from pytest_mcp_conformance.model import Level, Requirement, SpecRef
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.event_streams import judge_request, read_response
from pytest_mcp_conformance.scenarios.server.raw_sessions import (
    BODY_SECONDS,
    INITIALIZED,
    POST_HEADERS,
    Session,
    accepted,
    end_session,
    initialize_request,
    post_step,
    status_of,
    status_of_delete,
)

SPECIFICATION = "https://modelcontextprotocol.io/specification"
SESSIONS = SpecRef(id="MCP-Session-Management", url=f"{SPECIFICATION}/2025-11-25/basic/transports#session-management")

HEAD_SECONDS = 5.0  # for the head of the second initialize, which a server answers at once if it answers at all

SERVER_INITIALIZE = Requirement(
    id="server-initialize",
    name="ServerInitialize",
    level=Level.MUST,
    text="initialize and notifications/initialized open a session.",
    spec=(SpecRef(id="MCP-Initialize", url=f"{SPECIFICATION}/2025-06-18/basic/lifecycle#initialization"),),
)
SESSION_ID_VISIBLE_ASCII = Requirement(
    id="server-session-id-visible-ascii",
    name="ServerSessionIdVisibleAscii",
    level=Level.MUST,
    text="A session id has only visible ASCII characters, 0x21 to 0x7E.",
    spec=(SESSIONS,),
)
INITIALIZED_ACCEPTED = Requirement(
    id="server-session-initialized-accepted",
    name="SessionInitializedAccepted",
    level=Level.MUST,
    text="notifications/initialized is accepted.",
    spec=(SESSIONS,),
)
DELETE_ACCEPTED = Requirement(
    id="server-session-delete-accepted",
    name="SessionDeleteAccepted",
    level=Level.SHOULD,
    text="DELETE ends the session, unless the server does not let clients end sessions (405).",
    spec=(SESSIONS,),
)
TERMINATED_RETURNS_404 = Requirement(
    id="server-session-terminated-returns-404",
    name="SessionTerminatedReturns404",
    level=Level.MUST,
    text="A request in a session that has ended is answered with 404.",
    spec=(SESSIONS,),
)
LIFECYCLE_SKIPPED = Requirement(
    id="server-session-lifecycle-skipped",
    name="SessionLifecycleSkipped",
    level=Level.MAY,
    text="The server issues a session id.",
    spec=(SESSIONS,),
    exceptional=True,
)
LIFECYCLE_ERROR = Requirement(
    id="server-session-lifecycle-error",
    name="SessionLifecycleError",
    level=Level.MUST,
    text="The session's requests are answered, and initialize with 2xx.",
    spec=(SESSIONS,),
    exceptional=True,
)


@server_scenario(
    name="server-initialize",
    introduced_in="2025-06-18",
    removed_in="2026-07-28",
    purpose="The server completes the initialize handshake, and a session id, if it hands one out, has only visible ASCII.",
    decides=(SERVER_INITIALIZE, SESSION_ID_VISIBLE_ASCII),
)
async def server_initialize(peer: Peer, checks: Checks) -> None:
    await peer.connect()
    await peer.close()  # before the second handshake: a server may have room for one session
    checks.succeed(SERVER_INITIALIZE, details={"serverUrl": peer.url, "connected": True})
    try:
        session = await second_session(peer)
    except Nonconforming as error:
        checks.fail(SESSION_ID_VISIBLE_ASCII, expected="an answer to initialize", got=Shown(error.message))
        return
    if session.id is None:
        checks.inform(SESSION_ID_VISIBLE_ASCII, details={"message": "the server issues no session id"})
        return
    # MUST only contain visible ASCII characters: 2025-03-26 to 2025-11-25, basic/transports#session-management
    checks.decide(
        SESSION_ID_VISIBLE_ASCII,
        visible_ascii(session.id),
        expected="a session id of visible ASCII characters",
        got=session.id,
        details={"sessionId": session.id},
    )
    await end_session(peer, session)


async def second_session(peer: Peer) -> Session:
    """Initialize by hand and return the session, its id as it came.

    :raises Nonconforming: no HTTP response came in time.
    """
    message = initialize_request(peer, "conformance-session-id-test")
    judge_request(peer, message)
    async with AsyncExitStack() as until_read:
        try:
            async with asyncio.timeout(HEAD_SECONDS):
                opened = peer.http.open("POST", peer.url, headers=POST_HEADERS, body=message, follow=True)
                stream = await until_read.enter_async_context(opened)
        except TimeoutError:
            raise Nonconforming(f"initialize was not answered within {HEAD_SECONDS:g} s") from None
        response = await read_response(peer, stream, message, within=BODY_SECONDS)
        return Session.opened(peer, stream.headers, response.get("result"))


def visible_ascii(text: str) -> bool:
    """Tell whether every character is in 0x21 to 0x7E, space not included."""
    return all("!" <= character <= "~" for character in text)


@server_scenario(
    name="server-session-lifecycle",
    introduced_in="2025-03-26",
    removed_in="2026-07-28",
    purpose="A server with sessions accepts DELETE of its session and answers 404 to later requests that carry the dead"
    " session id.",
    decides=(
        INITIALIZED_ACCEPTED,
        DELETE_ACCEPTED,
        TERMINATED_RETURNS_404,
        LIFECYCLE_SKIPPED,
        LIFECYCLE_ERROR,
    ),
    charged=LIFECYCLE_ERROR,
)
async def server_session_lifecycle(peer: Peer, checks: Checks) -> None:
    status, answer = await post_step(peer, initialize_request(peer, "conformance-session-lifecycle-test"), POST_HEADERS)
    if not accepted(status):
        details: JsonObject = {"statusCode": status}
        checks.fail(LIFECYCLE_ERROR, expected="initialize to be answered with 2xx", got=answer.shown(), details=details)
        return
    session = Session.opened(peer, answer.headers, answer.result)
    if session.id is None:
        checks.inform(LIFECYCLE_SKIPPED, details={"message": "the server issues no session id, so no session can end"})
        return

    status, answer = await post_step(peer, INITIALIZED, POST_HEADERS | session.headers)
    if not checks.decide(
        INITIALIZED_ACCEPTED,
        accepted(status),
        expected="notifications/initialized to be accepted with 2xx",
        got=Shown(f"HTTP {status}"),
        details={"statusCode": status},
    ):
        skip(checks, "the session was not opened: notifications/initialized was refused")
        return

    deleted = await status_of_delete(peer, session)
    if deleted == HTTPStatus.METHOD_NOT_ALLOWED:
        # MAY answer 405 to say that clients cannot end sessions: 2025-03-26 to 2025-11-25, basic/transports#session-management
        skip(checks, "the server does not let clients end sessions", statusCode=deleted)
    elif accepted(deleted) or deleted == HTTPStatus.NOT_FOUND:
        later = await status_of(peer, session, json_rpc.request(2, "tools/list", {}))
        decide_end(checks, deleted, later)
    else:
        warn_of_delete(checks, deleted, "2xx, 404 or 405 in answer to DELETE")


def decide_end(checks: Checks, deleted: int, later: int) -> None:
    """Decide what DELETE did to the session, from its status and that of a later request in the session."""
    gone = later == HTTPStatus.NOT_FOUND
    if not accepted(deleted) and not gone:
        warn_of_delete(
            checks, deleted, f"404 in answer to DELETE to mean that the session is gone, where it answers {later}"
        )
        return
    already = {} if accepted(deleted) else {"message": "the session was gone before DELETE"}
    checks.succeed(DELETE_ACCEPTED, details={"statusCode": deleted, **already})
    # MUST answer 404 to requests with the id of a session that has ended: 2025-03-26 to 2025-11-25,
    # basic/transports#session-management
    checks.decide(
        TERMINATED_RETURNS_404,
        gone,
        expected="404 in answer to a request in a deleted session",
        got=Shown(f"HTTP {later}"),
        details={"statusCode": later},
    )


def warn_of_delete(checks: Checks, status: int, expected: str) -> None:
    """Decide that DELETE did not end the session, so that its end cannot be judged."""
    got = shown(status)
    details: JsonObject = {"statusCode": status, "message": f"expected {expected}, got {got}"}
    checks.warn(DELETE_ACCEPTED, expected=expected, got=Shown(f"HTTP {status}"), details=details)
    reason = "the session was not ended by DELETE"
    checks.skip(TERMINATED_RETURNS_404, reason, details={"message": reason})


def skip(checks: Checks, reason: str, **delete_details: int) -> None:
    """Leave the end of the session undecided."""
    checks.skip(DELETE_ACCEPTED, reason, details={**delete_details, "message": reason})
    checks.skip(TERMINATED_RETURNS_404, reason, details={"message": reason})
