"""A client of a few lines that does as a test says: for what no library sends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

import httpx

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, dumps
from pytest_mcp_conformance.model import ClientEnd, Leg, Outcome, Revision
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running_client import run_client_scenario
from pytest_mcp_conformance.stage import Call

ACCEPT = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
META = "io.modelcontextprotocol/"
SECONDS = 10.0

Doing: TypeAlias = "Callable[[Odd], Awaitable[None]]"


class Odd:
    """A connection to a server under which nothing checks what is sent."""

    def __init__(self, http: httpx.AsyncClient, url: str) -> None:
        self.http = http
        self.url = url
        self.headers: dict[str, str] = {}

    async def post(self, body: JsonValue | bytes, headers: Mapping[str, str] | None = None) -> httpx.Response:
        """Send a body, bytes as they are, and return the whole response."""
        content = body if isinstance(body, bytes) else dumps(body).encode()
        return await self.http.post(self.url, content=content, headers=ACCEPT | self.headers | dict(headers or {}))

    async def initialize(self, capabilities: JsonObject | None = None, version: str = "2025-11-25") -> None:
        """Begin a session."""
        info: JsonObject = {"name": "odd", "version": "1"}
        params: JsonObject = {"protocolVersion": version, "capabilities": capabilities or {}, "clientInfo": info}
        answer = await self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
        self.headers = {"mcp-session-id": answer.headers["mcp-session-id"], "mcp-protocol-version": version}
        await self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})


class OddClient:
    """A client under test that is a function."""

    description = "the odd client"

    def __init__(self, doing: Doing) -> None:
        self._doing = doing

    async def run(self, call: Call, *, within: float) -> ClientEnd:
        """See `ClientTarget.run`."""
        async with (
            asyncio.timeout(within),
            httpx.AsyncClient(verify=False, timeout=SECONDS) as http,
        ):  # no TLS to be set up
            await self._doing(Odd(http, call.url))
        return ClientEnd(exit_code=0)


def stateless(method: str, params: JsonObject | None = None, *, id_: JsonValue = 1) -> tuple[Any, dict[str, str]]:
    """Return a request of the stateless wire: body and header fields."""
    meta: JsonObject = {
        f"{META}protocolVersion": "2026-07-28",
        f"{META}clientCapabilities": {"elicitation": {}},
        f"{META}clientInfo": {"name": "odd", "version": "1"},
    }
    said = params or {}
    headers = {"mcp-protocol-version": "2026-07-28", "mcp-method": method}
    name = said.get("name", said.get("uri"))
    if isinstance(name, str):
        headers["mcp-name"] = name
    body: JsonObject = {"jsonrpc": "2.0", "id": id_, "method": method, "params": {"_meta": meta, **said}}
    return body, headers


async def outcome(name: str, revision: Revision, doing: Doing) -> Outcome:
    """Run a scenario against a client that does as `doing` says."""
    return await run_client_scenario(scenarios(Leg.CLIENT)[name], revision, OddClient(doing), timeout=SECONDS)
