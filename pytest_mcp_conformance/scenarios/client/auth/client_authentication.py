"""Authentication at the token endpoint: by the one method that the authorization server has.

Specification: https://www.ietf.org/archive/id/draft-ietf-oauth-v2-1-13.html#name-token-request
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, Shown
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth.clients import CLIENT_SECRET_BASIC, CLIENT_SECRET_POST, NONE
from pytest_mcp_conformance.oauth.events import Event, TokenRequested
from pytest_mcp_conformance.oauth.metadata import ServerMetadata
from pytest_mcp_conformance.oauth.server_setup import ServerSetup
from pytest_mcp_conformance.scenarios.client.auth import references
from pytest_mcp_conformance.scenarios.client.auth.observed import WHOLE_FLOW
from pytest_mcp_conformance.scenarios.client.auth.resource_parameter import (
    RESOURCE_PARAMETER,
    decide_resource_parameter,
)
from pytest_mcp_conformance.scenarios.client.auth.staging import put
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.stage import Stage

LISTS = frozenset({"core", "auth"})

METHOD = Requirement(
    id="token-endpoint-auth-method",
    name="Token endpoint authentication method",
    level=Level.MUST,
    text="The client authenticates itself by the method that the authorization server supports.",
    spec=(references.TOKEN_REQUEST,),
)
DECIDES = (METHOD, *RESOURCE_PARAMETER, *WHOLE_FLOW)


@client_scenario(
    name="auth/token-endpoint-auth-basic",
    introduced_in="2025-06-18",
    lists=LISTS,
    purpose="The token endpoint takes the secret of a client in the Authorization header.",
    task="Connect, register and authorize; authenticate at the token endpoint by client_secret_basic; use the server.",
    decides=DECIDES,
)
async def basic(stage: Stage, checks: Checks) -> None:
    await _by(CLIENT_SECRET_BASIC, stage, checks)


@client_scenario(
    name="auth/token-endpoint-auth-post",
    introduced_in="2025-06-18",
    lists=LISTS,
    purpose="The token endpoint takes the secret of a client in the body.",
    task="Connect, register and authorize; authenticate at the token endpoint by client_secret_post; use the server.",
    decides=DECIDES,
)
async def post(stage: Stage, checks: Checks) -> None:
    await _by(CLIENT_SECRET_POST, stage, checks)


@client_scenario(
    name="auth/token-endpoint-auth-none",
    introduced_in="2025-06-18",
    lists=LISTS,
    purpose="Clients have no secret, and send none to the token endpoint.",
    task="Connect, register and authorize as a public client, which has no secret; use the server.",
    decides=DECIDES,
)
async def public(stage: Stage, checks: Checks) -> None:
    await _by(NONE, stage, checks)


async def _by(method: str, stage: Stage, checks: Checks) -> None:
    def listener(event: Event) -> None:
        if isinstance(event, TokenRequested):
            _decide(checks, method, event)

    setup = ServerSetup(metadata=ServerMetadata(auth_methods=(method,)))
    cast = await put(stage, checks, DECIDES, setup=setup, listener=listener)
    await stage.client(cast.url)
    if not cast.log.of(TokenRequested):
        checks.fail(METHOD, expected="a token request", got=Shown("none"))
    decide_resource_parameter(checks, cast.log)


def _decide(checks: Checks, method: str, event: TokenRequested) -> None:
    presented = event.credentials
    problem: JsonObject = {} if presented.problem is None else {"formatError": presented.problem}
    # MUST use the method that it registered with, and only one is offered: OAuth 2.1, 2.4 and 3.2.1
    checks.decide(
        METHOD,
        presented.method == method and presented.problem is None,
        expected=method,
        got=presented.problem or presented.method,
        details={
            "expectedAuthMethod": method,
            "actualAuthMethod": presented.method,
            "hasAuthorizationHeader": event.http.headers.get("authorization") is not None,
            "hasBodyClientSecret": event.parameters.get("client_secret") is not None,
            **problem,
        },
    )
