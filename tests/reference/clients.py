"""Small clients for the reference server: one for each wire, over ASGI or over a socket."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from pytest_mcp_conformance.reference.server import ReferenceServer

BASE = "http://127.0.0.1:8000"
ACCEPT = {"accept": "application/json, text/event-stream"}
META = "io.modelcontextprotocol/"


@asynccontextmanager
async def http_to(server: ReferenceServer) -> AsyncIterator[httpx.AsyncClient]:
    """Give a client that calls the application directly. It reads answers to their end, so streams have to end."""
    transport = httpx.ASGITransport(app=server)
    async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=ACCEPT) as client:
        yield client


def request(method: str, params: dict[str, Any] | None = None, *, id_: Any = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params or {}}


def initialize(version: str = "2025-11-25", capabilities: dict[str, Any] | None = None) -> dict[str, Any]:
    client = {"name": "test", "version": "1"}
    params = {"protocolVersion": version, "capabilities": capabilities or {}, "clientInfo": client}
    return request("initialize", params, id_="init")


@dataclass
class Stateful:
    """A client within a session."""

    http: httpx.AsyncClient
    session: dict[str, str] = field(default_factory=dict)

    @classmethod
    async def connect(cls, http: httpx.AsyncClient, version: str = "2025-11-25", **capabilities: Any) -> Stateful:
        """Open a session and say that it is initialized."""
        answer = await http.post("/mcp", json=initialize(version, capabilities))
        made = cls(http, {"mcp-session-id": answer.headers["mcp-session-id"]})
        await made.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return made

    async def post(self, body: Any, **headers: str) -> httpx.Response:
        """Post `body` within the session."""
        return await self.http.post("/mcp", json=body, headers=self.session | headers)

    async def result(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """Return the result of a request that is answered with JSON."""
        return (await self.post(request(method, params))).json()["result"]


def stateless(
    method: str, params: dict[str, Any] | None = None, *, id_: Any = 1, capabilities: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the arguments of an HTTP client's `post` for a request of 2026-07-28."""
    meta = {f"{META}protocolVersion": "2026-07-28", f"{META}clientCapabilities": capabilities or {}}
    body = request(method, {"_meta": meta, **(params or {})}, id_=id_)
    headers = {"mcp-protocol-version": "2026-07-28", "mcp-method": method}
    name = body["params"].get("taskId") or body["params"].get("uri") or body["params"].get("name")
    if isinstance(name, str):
        headers["mcp-name"] = name
    return {"json": body, "headers": ACCEPT | headers}


def events(lines: Iterator[str]) -> Iterator[dict[str, str]]:
    """Read an event stream into its events, as their fields."""
    event: dict[str, str] = {}
    for line in lines:
        if not line:
            if event:
                yield event
            event = {}
            continue
        name, _, value = line.partition(":")
        event[name] = value.strip()


def messages(text: str) -> list[Any]:
    """Return the messages of a stream that has ended."""
    found = [event["data"] for event in events(iter(text.splitlines())) if event.get("data")]
    return [json.loads(data) for data in found]
