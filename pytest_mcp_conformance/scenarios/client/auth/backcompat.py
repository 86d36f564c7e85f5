"""Authorization as 2025-03-26 had it: the MCP server and its authorization server are one origin.

Specification: https://modelcontextprotocol.io/specification/2025-03-26/basic/authorization#server-metadata-discovery
"""

from __future__ import annotations

from dataclasses import replace

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.model import Level, Requirement, SpecRef
from pytest_mcp_conformance.oauth.authorization_server import AuthorizationServer
from pytest_mcp_conformance.oauth.clients import CLIENT_SECRET_BASIC, CLIENT_SECRET_POST, NONE
from pytest_mcp_conformance.oauth.events import AuthorizationRequested, Event, Log, Registered, TokenRequested
from pytest_mcp_conformance.oauth.metadata import IssuerSent, ServerMetadata
from pytest_mcp_conformance.oauth.protected_resource import ProtectedResource
from pytest_mcp_conformance.oauth.server_setup import ServerSetup
from pytest_mcp_conformance.oauth.tokens import TokenStore
from pytest_mcp_conformance.scenarios.client.auth import references
from pytest_mcp_conformance.scenarios.client.auth.authorization_request import AS_REGISTERED
from pytest_mcp_conformance.scenarios.client.auth.discovery import STEPS, decide_missing
from pytest_mcp_conformance.scenarios.client.auth.observed import (
    APPLICATION_TYPE,
    AUTHORIZATION,
    METADATA_READ,
    OF_ACCESS,
    OF_CODE,
    OF_TOKEN,
    REGISTRATION,
    TOKEN,
)
from pytest_mcp_conformance.scenarios.client.auth.staging import new_log, put_mcp_server
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.serving.http import HttpReply, HttpRequest
from pytest_mcp_conformance.stage import Stage

LISTS = frozenset({"backcompat"})


def _due(requirement: Requirement, *spec: SpecRef) -> Requirement:
    """Return `requirement` as these scenarios demand it, which leave no other way."""
    return replace(requirement, level=Level.MUST, spec=spec or requirement.spec)


METADATA_DECIDES = (METADATA_READ, _due(REGISTRATION), APPLICATION_TYPE, *OF_CODE, AS_REGISTERED, *OF_TOKEN, *OF_ACCESS)

FALLBACK_STEPS: tuple[tuple[Requirement, type[Event]], ...] = (
    (_due(REGISTRATION, references.OLD_FALLBACK), Registered),
    (_due(AUTHORIZATION, references.OLD_FALLBACK), AuthorizationRequested),
    (_due(TOKEN, references.OLD_FALLBACK), TokenRequested),
)
FALLBACK_DECIDES = (*(requirement for requirement, _ in FALLBACK_STEPS), AS_REGISTERED, *OF_ACCESS)

# Where there are no metadata, a client has the method that it asked for: RFC 7591, 2, and without asking, the first of these.
ANY_METHOD = (CLIENT_SECRET_BASIC, CLIENT_SECRET_POST, NONE)


@client_scenario(
    name="auth/2025-03-26-oauth-metadata-backcompat",
    introduced_in="2025-03-26",
    removed_in="2025-06-18",
    lists=LISTS,
    purpose="There are no protected resource metadata; those of the authorization server are at the root of the MCP server.",
    task="Connect; find authorization server metadata at the origin of the MCP server; register, authorize, use the server.",
    decides=METADATA_DECIDES,
)
async def metadata_at_origin(stage: Stage, checks: Checks) -> None:
    setup = ServerSetup(metadata=ServerMetadata(endpoints_path="/oauth"))
    log = await _of_one_origin(stage, checks, setup, METADATA_DECIDES)
    # MUST be found at the authorization base URL, the origin of the MCP server: 2025-03-26,
    # basic/authorization#authorization-base-url
    decide_missing(checks, log, STEPS)


@client_scenario(
    name="auth/2025-03-26-oauth-endpoint-fallback",
    introduced_in="2025-03-26",
    removed_in="2025-06-18",
    lists=LISTS,
    purpose="There are no metadata at all; the endpoints are where they are by default.",
    task="Connect; find no metadata; use /register, /authorize and /token at the origin of the MCP server; use the server.",
    decides=FALLBACK_DECIDES,
)
async def default_endpoints(stage: Stage, checks: Checks) -> None:
    metadata = ServerMetadata(location=None, auth_methods=ANY_METHOD)
    setup = ServerSetup(metadata=metadata, iss=IssuerSent.NONE)
    log = await _of_one_origin(stage, checks, setup, FALLBACK_DECIDES)
    # MUST use the default paths then: 2025-03-26, basic/authorization#fallbacks-for-servers-without-metadata-discovery
    decide_missing(checks, log, FALLBACK_STEPS)


async def _of_one_origin(stage: Stage, checks: Checks, setup: ServerSetup, decides: tuple[Requirement, ...]) -> Log:
    """Let the client run against one server for both roles."""
    log, tokens = new_log(stage, checks, decides), TokenStore()
    authorization = AuthorizationServer(setup, log=log, tokens=tokens)
    resource = ProtectedResource(None, log=log, tokens=tokens)

    def either(http: HttpRequest) -> HttpReply | None:
        return authorization.reply(http) or resource.intercept(http)

    server = await put_mcp_server(stage, resource, intercept=either)
    authorization.base = resource.base
    await stage.client(server.url)
    return log
