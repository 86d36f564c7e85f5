"""A client of a few lines that goes where a test says, in the event loop of the test."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlsplit

import httpx

from pytest_mcp_conformance.model import ClientEnd, Leg, Outcome, Revision
from pytest_mcp_conformance.oauth.pkce import challenge_of
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running_client import run_client_scenario
from pytest_mcp_conformance.stage import Call
from pytest_mcp_conformance.verdict import collapsed

CALLBACK = "http://localhost:3000/callback"
VERIFIER = "a-verifier-of-at-least-forty-three-characters-in-all"
META = "io.modelcontextprotocol/"
WELL_KNOWN = "/.well-known/oauth-authorization-server"
RESOURCE_ROOT = "/.well-known/oauth-protected-resource"
TIMEOUT_SECONDS = 20.0


@dataclass
class Visitor:
    """One visit.

    :ivar told: the parameters of the last challenge.
    :ivar client: what the last registration gave, or what was put there.
    """

    call: Call
    http: httpx.AsyncClient
    told: dict[str, str] = field(default_factory=dict)
    resource: dict[str, Any] = field(default_factory=dict)
    server: dict[str, Any] = field(default_factory=dict)
    client: dict[str, Any] = field(default_factory=dict)
    token: str | None = None

    @property
    def origin(self) -> str:
        """The URL of the MCP server, without a path."""
        return self.call.url.removesuffix("/mcp")

    async def ask(self, method: str = "tools/list", **params: Any) -> httpx.Response:
        """Send an MCP request, with the token if there is one."""
        headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": self.call.revision.value}
        if self.call.revision.stateless:
            version = self.call.revision.value
            params["_meta"] = {f"{META}protocolVersion": version, f"{META}clientCapabilities": {}}
            headers |= {"mcp-method": method} | ({"mcp-name": params["name"]} if "name" in params else {})
        if self.token is not None:
            headers["authorization"] = f"Bearer {self.token}"
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = await self.http.post(self.call.url, json=message, headers=headers)
        self.told = dict(re.findall(r'(\w+)="([^"]*)"', answer.headers.get("www-authenticate", "")))
        return answer

    async def call_tool(self) -> httpx.Response:
        """Call the tool."""
        return await self.ask("tools/call", name="test-tool", arguments={})

    async def look_up(self) -> None:
        """Read both documents, where these scenarios have them by default."""
        found = await self.http.get(self.told["resource_metadata"])
        self.resource = found.json()
        self.server = (await self.http.get(f"{self.resource['authorization_servers'][0]}{WELL_KNOWN}")).json()

    async def register(self, **metadata: Any) -> None:
        """Register."""
        whole = {
            "redirect_uris": [CALLBACK],
            "application_type": "native",
            "grant_types": ["refresh_token"],
            **metadata,
        }
        self.client = (await self.http.post(self.server["registration_endpoint"], json=whole)).json()

    async def authorize(self, **changes: Any) -> dict[str, str]:
        """Ask for a code, and return what comes back; `None` leaves a parameter out."""
        query = {
            "response_type": "code",
            "client_id": self.client.get("client_id"),
            "redirect_uri": CALLBACK,
            "code_challenge": challenge_of(VERIFIER),
            "code_challenge_method": "S256",
            "resource": self.resource.get("resource"),
            **changes,
        }
        answer = await self.http.get(self.server["authorization_endpoint"], params=_given(query))
        return dict(parse_qsl(urlsplit(answer.headers.get("location", "")).query))

    async def redeem(self, code: str, **changes: Any) -> httpx.Response:
        """Ask for a token, with the secret in the body if there is one; `auth` is HTTP Basic."""
        auth = changes.pop("auth", None)
        body = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": CALLBACK,
            "code_verifier": VERIFIER,
            "client_id": self.client.get("client_id"),
            "client_secret": None if auth else self.client.get("client_secret"),
            "resource": self.resource.get("resource"),
            **changes,
        }
        answer = await self.http.post(self.server["token_endpoint"], data=_given(body), auth=auth)
        self.token = answer.json().get("access_token", self.token)
        return answer

    async def enter(self, **changes: Any) -> None:
        """Go all the way from the challenge to the token; `changes` are of the authorization request."""
        await self.look_up()
        await self.register()
        await self.redeem((await self.authorize(**changes))["code"])


Visit: TypeAlias = Callable[[Visitor], Awaitable[None]]


@dataclass
class Visiting:
    """A client target that makes one visit."""

    visit: Visit
    description: str = "a visitor"

    async def run(self, call: Call, *, within: float) -> ClientEnd:
        """Make the visit; what it raises is for the test to see."""
        async with asyncio.timeout(within), httpx.AsyncClient(trust_env=False) as http:
            await self.visit(Visitor(call=call, http=http))
        return ClientEnd(exit_code=0)


async def outcome(name: str, visit: Visit, *, revision: str = "2026-07-28") -> Outcome:
    """Return the outcome of a scenario."""
    scenario = scenarios(Leg.CLIENT)[f"auth/{name}"]
    found = await run_client_scenario(scenario, Revision(revision), Visiting(visit), timeout=TIMEOUT_SECONDS)
    assert found.reason is None, found.reason
    return found


async def statuses(name: str, visit: Visit, *, revision: str = "2026-07-28") -> dict[str, str]:
    """Return the status of each check, the worst of each id."""
    found = await outcome(name, visit, revision=revision)
    return {id_: check.status.value for id_, check in collapsed(found.checks).items()}


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
