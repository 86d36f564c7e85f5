"""Sessions opened by hand, for scenarios that judge each step of the handshake or send headers of their own.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from pytest_mcp_conformance.exceptions import ConformanceError, Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, shown
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.peer.api import SESSION_DELETE_SECONDS
from pytest_mcp_conformance.peer.exchange import ACCEPT_BOTH, JSON
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.json_rpc import Answer

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


def session_headers(session_id: str | None, version: str) -> dict[str, str]:
    """Return the headers of a request after initialize."""
    # MUST be on every request after initialize: 2025-06-18 on, basic/transports#protocol-version-header
    headers = {"MCP-Protocol-Version": version}
    # MUST be on every request once the server issued it: 2025-03-26 on, basic/transports#session-management
    return headers if session_id is None else headers | {"Mcp-Session-Id": session_id}


def session_id_of(headers: Mapping[str, str]) -> str | None:
    """Return the session id that the headers of a response carry; an empty one is none."""
    return headers.get("mcp-session-id") or None


def negotiated_version(answer: Answer, otherwise: str) -> str:
    """Return the version of an initialize result, or `otherwise` where it could not be read."""
    version = as_object(answer.result).get("protocolVersion")
    return version if isinstance(version, str) else otherwise


async def post_step(peer: Peer, message: JsonObject, headers: Mapping[str, str]) -> tuple[int, Answer]:
    """POST one step of a handshake; return its HTTP status and what came.

    :raises Nonconforming: no HTTP response came.
    """
    answer = await peer.post(message, headers=headers, within=HANDSHAKE_SECONDS)
    if answer.status is None:
        wanted = f"an answer within {HANDSHAKE_SECONDS:g} s"
        raise Nonconforming(f"{answer.method} brought no HTTP response", wanted, answer.shown())
    return answer.status, answer


async def status_of(peer: Peer, method: str, headers: Mapping[str, str], body: JsonValue = None) -> int:
    """Send one HTTP request and return the status alone: what the body of a refusal says is left to the server.

    :raises Nonconforming: no HTTP response came.
    """
    async with peer.http.open(method, peer.url, headers=headers, body=body, follow=True) as stream:
        return stream.status


async def end_session(peer: Peer, session_id: str, version: str) -> None:
    """Delete a session that was opened by hand. Its outcome decides nothing."""
    try:
        async with asyncio.timeout(SESSION_DELETE_SECONDS):
            # SHOULD send DELETE when the session is no longer needed: 2025-03-26 on, basic/transports#session-management
            await status_of(peer, "DELETE", session_headers(session_id, version))
    except (ConformanceError, TimeoutError) as error:
        peer.http.recorder.note(f"the session {shown(session_id)} could not be deleted: {error or 'no answer in time'}")


def accepted(status: int) -> bool:
    """Tell whether an HTTP status is 2xx."""
    return 200 <= status < 300
