"""Sessions opened by hand, for scenarios that judge each step of the handshake or send headers of their own.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from pytest_mcp_conformance.exceptions import ConformanceError, Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, shown
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.peer.api import SESSION_DELETE_SECONDS
from pytest_mcp_conformance.peer.exchange import ACCEPT_BOTH
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.json_rpc import Answer
from pytest_mcp_conformance.protocol.media_types import JSON
from pytest_mcp_conformance.scenarios.server.event_streams import judge_request, read_response

BODY_SECONDS = 5.0  # for the body of an answer, whose status alone decides
HANDSHAKE_SECONDS = 15.0  # for one step of it: half of a scenario's time, so that a slow start is no failure

POST_HEADERS = {"Content-Type": JSON, "Accept": ACCEPT_BOTH}
INITIALIZED: JsonObject = json_rpc.notification("notifications/initialized")


def initialize_request(peer: Peer, client_name: str) -> JsonObject:
    """Build an initialize request of a client that declares nothing."""
    return json_rpc.request(
        1,
        "initialize",
        {
            "protocolVersion": peer.revision.value,
            "capabilities": {},
            "clientInfo": {"name": client_name, "version": "1.0.0"},
        },
    )


@dataclass(frozen=True, kw_only=True)
class Session:
    """A session that was opened by hand.

    :ivar id: none where the server has no sessions; an empty one is none.
    :ivar version: the negotiated one, or that asked for where none could be read.
    :ivar judged_by: the revision whose schema binds what travels, as in `Peer.judged_by`.
    """

    id: str | None
    version: str
    judged_by: Revision

    @classmethod
    def opened(cls, peer: Peer, headers: Mapping[str, str], result: JsonValue) -> Session:
        """Return the session that the answer to initialize opened: with these headers, and this result."""
        version = as_object(result).get("protocolVersion")
        known = {each.value: each for each in Revision}
        return cls(
            id=headers.get("mcp-session-id") or None,
            version=version if isinstance(version, str) else peer.revision.value,
            judged_by=known.get(str(version), peer.revision),
        )

    @property
    def headers(self) -> dict[str, str]:
        """Those of every request after initialize, on top of the usual ones."""
        # MUST be on every request after initialize: 2025-06-18 to 2025-11-25, basic/transports#protocol-version-header
        headers = {"MCP-Protocol-Version": self.version}
        # MUST be on every request once the server issued it: 2025-03-26 to 2025-11-25, basic/transports#session-management
        return headers if self.id is None else headers | {"Mcp-Session-Id": self.id}


async def post_step(peer: Peer, message: JsonObject, headers: Mapping[str, str]) -> tuple[int, Answer]:
    """POST one step of a handshake; return its HTTP status and what came.

    :raises Nonconforming: no HTTP response came.
    """
    answer = await peer.post(message, headers=headers, within=HANDSHAKE_SECONDS)
    if answer.status is None:
        wanted = f"an answer within {HANDSHAKE_SECONDS:g} s"
        raise Nonconforming(f"{answer.method} brought no HTTP response", wanted, answer.shown())
    return answer.status, answer


async def status_of(peer: Peer, session: Session, request: JsonObject) -> int:
    """Send a request in `session` and return the status of its answer, which decides; what a refusal says does not.

    :raises Nonconforming: no HTTP response came.
    """
    headers = POST_HEADERS | session.headers
    judge_request(peer, request, judged_by=session.judged_by)
    async with peer.http.open("POST", peer.url, headers=headers, body=request, follow=True) as stream:
        await read_response(peer, stream, request, within=BODY_SECONDS, judged_by=session.judged_by)
        return stream.status


async def status_of_delete(peer: Peer, session: Session) -> int:
    """Send DELETE for `session` and return the status of its answer.

    :raises Nonconforming: no HTTP response came.
    """
    async with peer.http.open("DELETE", peer.url, headers=session.headers, follow=True) as stream:
        return stream.status


async def end_session(peer: Peer, session: Session) -> None:
    """Delete a session that was opened by hand, if there is one. Its outcome decides nothing."""
    if session.id is None:
        return
    try:
        async with asyncio.timeout(SESSION_DELETE_SECONDS):
            # SHOULD send DELETE to a session it no longer needs: 2025-03-26 to 2025-11-25, basic/transports#session-management
            await status_of_delete(peer, session)
    except (ConformanceError, TimeoutError) as error:
        peer.http.recorder.note(f"the session {shown(session.id)} could not be deleted: {error or 'no answer in time'}")


def accepted(status: int) -> bool:
    """Tell whether an HTTP status is 2xx."""
    return 200 <= status < 300
