"""Authentication at the token endpoint: by the one method that the authorization server has.

Specification: https://www.ietf.org/archive/id/draft-ietf-oauth-v2-1-13.html#name-token-request
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, Shown
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth.clients import CLIENT_SECRET_BASIC, CLIENT_SECRET_POST, NONE
from pytest_mcp_conformance.oauth.events import AUTHORIZATION_CODE, Event, TokenRequested
from pytest_mcp_conformance.oauth.metadata import ServerMetadata
from pytest_mcp_conformance.oauth.server_setup import ServerSetup
from pytest_mcp_conformance.scenarios.client.auth import references
from pytest_mcp_conformance.scenarios.client.auth.observed import WHOLE_FLOW
from pytest_mcp_conformance.scenarios.client.auth.resource_parameter import (
    RESOURCE_PARAMETER,
    decide_resource_parameter,
)
from pytest_mcp_conformance.scenarios.client.auth.staging import Cast, put
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
ONE_METHOD = Requirement(
    id="x-one-client-authentication",
    name="OneClientAuthentication",
    level=Level.MUST,
    text="A token request authenticates the client by one method, not by several.",
    spec=(references.CLIENT_AUTHENTICATION,),
    addition=True,
)
CLIENT_NAMED = Requirement(
    id="x-public-client-names-itself",
    name="PublicClientNamesItself",
    level=Level.MUST,
    text="A client that redeems a code without authenticating itself says which client it is, in client_id.",
    spec=(references.ACCESS_TOKEN_REQUEST,),
    addition=True,
)
DECIDES = (METHOD, *RESOURCE_PARAMETER, *WHOLE_FLOW)
BASIC_DECIDES = (*DECIDES, ONE_METHOD)
PUBLIC_DECIDES = (*DECIDES, CLIENT_NAMED)


@client_scenario(
    name="auth/token-endpoint-auth-basic",
    introduced_in="2025-06-18",
    lists=LISTS,
    purpose="The token endpoint takes the secret of a client in the Authorization header.",
    task="Connect, register and authorize; authenticate at the token endpoint by client_secret_basic; use the server.",
    decides=BASIC_DECIDES,
)
async def basic(stage: Stage, checks: Checks) -> None:
    cast = await _by(CLIENT_SECRET_BASIC, stage, checks)
    _decide_one_method(checks, cast.log.of(TokenRequested))


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
    decides=PUBLIC_DECIDES,
)
async def public(stage: Stage, checks: Checks) -> None:
    cast = await _by(NONE, stage, checks)
    _decide_client_named(checks, cast.log.of(TokenRequested))


async def _by(method: str, stage: Stage, checks: Checks) -> Cast:
    def listener(event: Event) -> None:
        if isinstance(event, TokenRequested):
            _decide(checks, method, event)

    setup = ServerSetup(metadata=ServerMetadata(auth_methods=(method,)))
    cast = await put(stage, checks, DECIDES, setup=setup, listener=listener)
    await stage.client(cast.url)
    if not cast.log.of(TokenRequested):
        checks.fail(METHOD, expected="a token request", got=Shown("none"))
    decide_resource_parameter(checks, cast.log)
    return cast


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


def _decide_one_method(checks: Checks, requests: list[TokenRequested]) -> None:
    # MUST NOT use more than one in each request: RFC 6749, 2.3; OAuth 2.1, 2.4
    several = [each for each in requests if each.credentials.several]
    if requests:
        checks.decide(
            ONE_METHOD,
            not several,
            expected="one method of authentication",
            got=Shown("a secret or an assertion in the body beside other credentials"),
            entry=several[0].http.entry if several else None,
        )


def _decide_client_named(checks: Checks, requests: list[TokenRequested]) -> None:
    redeeming = [each for each in requests if each.grant_type == AUTHORIZATION_CODE and each.credentials.method == NONE]
    # REQUIRED where the client does not authenticate: RFC 6749, 3.2.1 and 4.1.3
    unnamed = [each for each in redeeming if each.parameters.get("client_id") is None]
    if redeeming:
        checks.decide(
            CLIENT_NAMED,
            not unnamed,
            expected="client_id",
            got=[list(each.parameters.values) for each in unnamed],
            entry=unnamed[0].http.entry if unnamed else None,
        )
