"""Clients that run inside a test: what they do is a coroutine, and they know where the servers are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import httpx

from pytest_mcp_conformance.model import ClientEnd, Leg, Outcome, Revision
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running_client import run_client_scenario
from pytest_mcp_conformance.stage import Call
from pytest_mcp_conformance.verdict import collapsed

RPC = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a client has found out before it asks for a token.

    :ivar url: of the MCP server.
    :ivar server: the metadata of the authorization server.
    """

    http: httpx.AsyncClient
    url: str
    context: dict[str, Any]
    resource: str
    server: dict[str, Any]

    @property
    def token_endpoint(self) -> str:
        """Where tokens are asked for."""
        return str(self.server["token_endpoint"])

    async def token(self, form: dict[str, str], **headers: str) -> httpx.Response:
        """Ask for a token."""
        return await self.http.post(self.token_endpoint, data=form, headers=headers)

    async def ping(self, **headers: str) -> httpx.Response:
        """Send the smallest request to the MCP server."""
        message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        return await self.http.post(self.url, json=message, headers=RPC | headers)


Acting = Callable[[Found], Awaitable[None]]


class SmallClient:
    """A client target that reads the metadata and then acts."""

    description = "A small client"

    def __init__(self, acting: Acting) -> None:
        self._acting = acting

    async def run(self, call: Call, *, within: float) -> ClientEnd:
        """Read the metadata, act, and end well."""
        async with httpx.AsyncClient(timeout=within) as http:
            base = call.url.removesuffix("/mcp")
            resource = (await http.get(f"{base}/.well-known/oauth-protected-resource/mcp")).json()
            issuer = resource["authorization_servers"][0]
            server = (await http.get(f"{issuer}/.well-known/oauth-authorization-server")).json()
            await self._acting(
                Found(
                    http=http,
                    url=call.url,
                    context=dict(call.context or {}),
                    resource=resource["resource"],
                    server=server,
                )
            )
        return ClientEnd(exit_code=0)


async def outcome(name: str, acting: Acting) -> Outcome:
    """Run one scenario with a client that acts so."""
    scenario = scenarios(Leg.CLIENT)[name]
    return await run_client_scenario(scenario, Revision.V2025_11_25, SmallClient(acting), timeout=10)


async def statuses(name: str, acting: Acting) -> dict[str, str]:
    """Return the status of each check, the worst of each id."""
    found = await outcome(name, acting)
    assert found.reason is None, found.reason
    return {id_: check.status.value for id_, check in collapsed(found.checks).items()}
