"""Ping: is the other side still there.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.model import Level, Needs, Requirement, SpecRef
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario

PING = Requirement(
    id="ping",
    name="Ping",
    level=Level.MUST,
    text="ping is answered with an empty result.",
    spec=(SpecRef(id="MCP-Ping", url="https://modelcontextprotocol.io/specification/2025-06-18/basic/utilities/ping"),),
)


@server_scenario(
    name="ping",
    introduced_in="2025-06-18",
    removed_in="2026-07-28",
    purpose="The server answers ping with an empty result.",
    decides=(PING,),
    needs=Needs(methods=("ping, answered with an empty result",)),
)
async def ping(peer: Peer, checks: Checks) -> None:
    result = await peer.request("ping")
    checks.decide(PING, not result, expected="an empty result", got=result, details={"result": result})
