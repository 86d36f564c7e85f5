"""Enterprise-managed authorization: the identity provider of an enterprise lets a client in, in the user's place.

Specification: https://github.com/modelcontextprotocol/ext-auth, enterprise-managed-authorization
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, Shown
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth import assertions, keys
from pytest_mcp_conformance.oauth.clients import CLIENT_SECRET_BASIC, Client
from pytest_mcp_conformance.oauth.errors import (
    UNSUPPORTED_GRANT_TYPE,
    OAuthError,
    invalid_client,
    invalid_grant,
    invalid_request,
)
from pytest_mcp_conformance.oauth.identity_provider import IdentityProvider
from pytest_mcp_conformance.oauth.jwts import InvalidToken
from pytest_mcp_conformance.oauth.metadata import ServerMetadata
from pytest_mcp_conformance.oauth.scopes import words
from pytest_mcp_conformance.oauth.server_setup import Granted, ServerSetup, TokenRequest
from pytest_mcp_conformance.scenarios.client.auth import extension_references as references
from pytest_mcp_conformance.scenarios.client.auth.extension_flows import WITHOUT_CODE
from pytest_mcp_conformance.scenarios.client.auth.staging import Cast, put
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.stage import Stage

if TYPE_CHECKING:
    from joserfc.jwk import ECKey

CLIENT_ID = "conformance-test-xaa-client"  # at the authorization server
CLIENT_SECRET = "conformance-test-xaa-secret"  # noqa: S105 -- of a client that exists here only
IDP_CLIENT_ID = "conformance-test-idp-client"  # the same client, at the identity provider
USER = "demo-user@example.com"

EXCHANGED = Requirement(
    id="complete-flow-token-exchange",
    name="CompleteFlowTokenExchange",
    level=Level.MUST,
    text="The client exchanges the ID token at the identity provider for an identity assertion grant.",
    spec=(references.TOKEN_EXCHANGE, references.ENTERPRISE_MANAGED),
)
GRANT_PRESENTED = Requirement(
    id="complete-flow-jwt-bearer",
    name="CompleteFlowJwtBearer",
    level=Level.MUST,
    text="The client presents that grant to the authorization server, and authenticates as the one whom it was given to.",
    spec=(references.JWT_BEARER_GRANT, references.ENTERPRISE_MANAGED),
)
DECIDES = (EXCHANGED, GRANT_PRESENTED, *WITHOUT_CODE)


class Enterprise:
    """What both servers know, and what they decide.

    :ivar cast: once it is on the stage; no request comes before.
    """

    def __init__(self, checks: Checks) -> None:
        self.key: ECKey = keys.new_key()
        self.cast: Cast | None = None
        self._checks = checks

    @property
    def resource(self) -> str:
        """The identifier of the MCP server."""
        return self.cast.url if self.cast is not None else ""

    def exchange(self, request: TokenRequest) -> str | OAuthError:
        """Return the identity assertion grant that an exchange is answered with, or why there is none."""
        form = {name: request.parameters.get(name) or "" for name in request.parameters.values}
        if request.grant_type != assertions.TOKEN_EXCHANGE_GRANT:
            self._not_exchanged(f"grant_type {assertions.TOKEN_EXCHANGE_GRANT}", request.grant_type)
            return OAuthError(error=UNSUPPORTED_GRANT_TYPE, description="The grant is a token exchange")
        fault = assertions.exchange_fault(form)
        if fault is not None:
            self._not_exchanged("the parameters of an exchange of an ID token for an ID-JAG", Shown(fault))
            return invalid_request("A parameter of the exchange is missing, or is another one")
        now = time.time()
        try:
            jwt = assertions.check_id_token(
                form["subject_token"], self.key, issuer=request.issuer, audience=IDP_CLIENT_ID, now=now
            )
        except InvalidToken as error:
            self._not_exchanged("the ID token of the context", Shown(error))
            return invalid_grant("The subject_token is not an ID token of this provider for this client")
        self._checks.succeed(EXCHANGED)
        return assertions.id_jag(
            self.key,
            issuer=request.issuer,
            subject=str(jwt.claims.get("sub")),
            audience=form["audience"],
            resource=form["resource"],
            client_id=CLIENT_ID,
            now=now,
        )

    def grant(self, request: TokenRequest) -> Granted | OAuthError:
        """Judge a request that presents the grant."""
        given = request.credentials
        right = given.problem is None and (given.client_id, given.secret) == (CLIENT_ID, CLIENT_SECRET)
        if given.method != CLIENT_SECRET_BASIC or not right:
            came = given.problem or f"{given.method} of {given.client_id!a}"
            self._not_presented(f"Basic credentials of {CLIENT_ID}", Shown(came))
            return invalid_client("The Basic credentials of the client are needed", scheme="Basic")
        assertion = request.parameters.get("assertion")
        if assertion is None:
            self._not_presented("an assertion", Shown("none"))
            return invalid_request("The request has no assertion")
        try:
            assertions.check_id_jag(
                assertion,
                self.key,
                issuer=request.issuer,
                client_id=CLIENT_ID,
                resource=self.resource,
                now=time.time(),
            )
        except InvalidToken as error:
            self._not_presented("the grant that the identity provider gave, for this server", Shown(error))
            return invalid_grant("The assertion is not a grant for this server")
        self._checks.succeed(GRANT_PRESENTED)
        parameters = request.parameters
        return Granted(scopes=words(parameters.get("scope")), client_id=CLIENT_ID, resources=parameters.all("resource"))

    def decide_what_never_came(self) -> None:
        """Fail what no request came to: silence is no pass."""
        came = {check.id for check in self._checks.recorded}
        if EXCHANGED.id not in came:
            self._not_exchanged("a token exchange at the identity provider", Shown("none"))
        if GRANT_PRESENTED.id not in came:
            self._not_presented("a token request with the grant", Shown("none"))

    def _not_exchanged(self, expected: str, got: object) -> None:
        self._checks.fail(EXCHANGED, expected=expected, got=got)

    def _not_presented(self, expected: str, got: Shown) -> None:
        self._checks.fail(GRANT_PRESENTED, expected=expected, got=got, details={"error": str(got)})


@client_scenario(
    name="auth/enterprise-managed-authorization",
    extension="io.modelcontextprotocol/enterprise-managed-authorization",
    lists=frozenset({"extensions"}),
    purpose="The client gets a token by what the identity provider of an enterprise says of its user.",
    task=(
        "Read the metadata of the MCP server and of its authorization server. Exchange idp_id_token of the context at "
        "idp_token_endpoint for an ID-JAG (audience: the issuer; resource: that of the MCP server). Present it to the "
        "authorization server as assertion of the JWT bearer grant, with client_id and client_secret as Basic credentials. "
        "Connect with the token, list the tools, call test-tool, and end."
    ),
    decides=DECIDES,
)
async def enterprise_managed_authorization(stage: Stage, checks: Checks) -> None:
    enterprise = Enterprise(checks)
    provider = IdentityProvider(enterprise.key, enterprise.exchange)
    provider.base = await stage.serve(provider.answer)
    setup = ServerSetup(
        metadata=ServerMetadata(grant_types=(assertions.JWT_BEARER_GRANT,), auth_methods=(CLIENT_SECRET_BASIC,)),
        clients=(Client(id=CLIENT_ID, secret=CLIENT_SECRET, auth_method=CLIENT_SECRET_BASIC),),
        grants={assertions.JWT_BEARER_GRANT: enterprise.grant},
    )
    enterprise.cast = cast = await put(stage, checks, DECIDES, setup=setup)
    token = assertions.id_token(
        enterprise.key, issuer=provider.base, audience=IDP_CLIENT_ID, subject=USER, now=time.time()
    )
    context: JsonObject = {
        "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET,
        "idp_client_id": IDP_CLIENT_ID,
        "idp_id_token": token,
        "idp_issuer": provider.base,
        "idp_token_endpoint": provider.token_endpoint,
    }
    await stage.client(cast.url, context=context)
    enterprise.decide_what_never_came()
