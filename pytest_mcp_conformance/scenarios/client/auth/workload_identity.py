"""Workload identity federation: the platform that a client runs on says who it is.

Specification: https://github.com/modelcontextprotocol/modelcontextprotocol/pull/1933 (SEP-1933); RFC 7523
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, Shown
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth import assertions, keys
from pytest_mcp_conformance.oauth.assertions import JWT_BEARER_GRANT
from pytest_mcp_conformance.oauth.errors import (
    INVALID_SCOPE,
    UNAUTHORIZED_CLIENT,
    UNSUPPORTED_GRANT_TYPE,
    OAuthError,
    invalid_grant,
    invalid_request,
)
from pytest_mcp_conformance.oauth.jwts import Flaw, InvalidToken
from pytest_mcp_conformance.oauth.metadata import ServerMetadata
from pytest_mcp_conformance.oauth.scopes import words
from pytest_mcp_conformance.oauth.server_setup import Granted, ServerSetup, TokenRequest
from pytest_mcp_conformance.scenarios.client.auth import extension_references as references
from pytest_mcp_conformance.scenarios.client.auth.extension_flows import WITHOUT_CODE
from pytest_mcp_conformance.scenarios.client.auth.staging import put
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.stage import Stage

if TYPE_CHECKING:
    from joserfc.jwk import ECKey

CLIENT_ID = "conformance-wif-workload"
PLATFORM = "https://idp.conformance-test.local"
WORKLOAD = "conformance-workload"
WRONG_AUDIENCE = "https://wrong.example"
EXPIRED_SINCE_S = 60  # far beyond what clocks may be apart
# Scopes by which the author of a client sees how it takes a refusal.
SCOPE_OF_UNAUTHORIZED = "wif.trigger-unauthorized"
SCOPE_OF_REJECTED = "wif.rejected"

SPEC = (references.JWT_BEARER_GRANT, references.WORKLOAD_IDENTITY)

VERIFIED = Requirement(
    id="wif-assertion-verified",
    name="WifAssertionVerified",
    level=Level.MUST,
    text="The client presents the token of its workload to the authorization server that it is for.",
    spec=SPEC,
)
GRANT_TYPE = Requirement(
    id="wif-grant-type",
    name="WifGrantType",
    level=Level.MUST,
    text="The client asks for tokens with the JWT bearer grant.",
    spec=SPEC,
    exceptional=True,
)
MISSING = Requirement(
    id="wif-assertion-missing",
    name="WifAssertionMissing",
    level=Level.MUST,
    text="A request with the JWT bearer grant has an assertion.",
    spec=SPEC,
    exceptional=True,
)
EXPIRED = Requirement(
    id="wif-assertion-expired",
    name="WifAssertionExpired",
    level=Level.MUST,
    text="The client presents no token that has expired.",
    spec=SPEC,
    exceptional=True,
)
AUDIENCE = Requirement(
    id="wif-assertion-audience",
    name="WifAssertionAudience",
    level=Level.MUST,
    text="The client presents no token that is for another server.",
    spec=SPEC,
    exceptional=True,
)
MALFORMED = Requirement(
    id="wif-assertion-malformed",
    name="WifAssertionMalformed",
    level=Level.MUST,
    text="The assertion is a token that its platform signed.",
    spec=SPEC,
    exceptional=True,
)
NO_RETRY = Requirement(
    id="wif-no-retry",
    name="WifNoRetry",
    level=Level.SHOULD,
    text="A client whose token was refused does not ask again.",
    spec=SPEC,
    exceptional=True,
)
NO_FALLBACK = Requirement(
    id="wif-grant-fallback",
    name="WifGrantFallback",
    level=Level.SHOULD,
    text="A client whose token was refused does not turn to another grant.",
    spec=SPEC,
    exceptional=True,
)
DECIDES = (VERIFIED, GRANT_TYPE, MISSING, EXPIRED, AUDIENCE, MALFORMED, NO_RETRY, NO_FALLBACK, *WITHOUT_CODE)
BY_FLAW = {Flaw.EXPIRED: EXPIRED, Flaw.AUDIENCE: AUDIENCE}  # all else is malformed


@dataclass
class Federation:
    """Judges the token requests of a run.

    A refusal is for good. What comes after it is looked at for nothing else.
    """

    checks: Checks
    key: ECKey
    asked: bool = False
    refused: bool = False

    def judge(self, request: TokenRequest) -> OAuthError | None:
        """Refuse a request, or let it through (a `Guard`)."""
        self.asked = True
        error = self._after_refusal(request) if self.refused else self._first(request)
        self.refused = self.refused or error is not None
        return error

    def grant(self, request: TokenRequest) -> Granted:
        """Return what a request that got through is good for."""
        parameters = request.parameters
        return Granted(scopes=words(parameters.get("scope")), client_id=CLIENT_ID, resources=parameters.all("resource"))

    def _after_refusal(self, request: TokenRequest) -> OAuthError:
        came = f"a token request with grant_type {request.grant_type!a}"
        if request.grant_type != JWT_BEARER_GRANT:
            self.checks.decide(NO_FALLBACK, False, expected="no request after a refusal", got=Shown(came))  # noqa: FBT003
            return OAuthError(error=UNSUPPORTED_GRANT_TYPE, description="The grant is the JWT bearer grant")
        self.checks.decide(NO_RETRY, False, expected="no request after a refusal", got=Shown(came))  # noqa: FBT003
        return invalid_request("The client was refused before")

    def _first(self, request: TokenRequest) -> OAuthError | None:
        if request.grant_type != JWT_BEARER_GRANT:
            self.checks.fail(GRANT_TYPE, expected=f"grant_type {JWT_BEARER_GRANT}", got=request.grant_type)
            return OAuthError(error=UNSUPPORTED_GRANT_TYPE, description="The grant is the JWT bearer grant")
        assertion = request.parameters.get("assertion")
        if assertion is None:
            self.checks.fail(MISSING, expected="an assertion", got=Shown("none"))
            return invalid_request("The request has no assertion")
        try:
            assertions.check_workload_token(assertion, self.key, issuer=request.issuer, now=time.time())
        except InvalidToken as error:
            requirement = BY_FLAW.get(error.flaw, MALFORMED)
            self.checks.fail(requirement, expected="valid_jwt of the context", got=Shown(error))
            return invalid_grant("The assertion is not good here")
        self.checks.succeed(VERIFIED)
        return _refused_by_scope(words(request.parameters.get("scope")))


def _refused_by_scope(scopes: tuple[str, ...]) -> OAuthError | None:
    if SCOPE_OF_UNAUTHORIZED in scopes:
        return OAuthError(error=UNAUTHORIZED_CLIENT, description="The workload may not have a token")
    if SCOPE_OF_REJECTED in scopes:
        return OAuthError(error=INVALID_SCOPE, description="The workload may not have this scope")
    return None


@client_scenario(
    name="auth/wif-jwt-bearer",
    extension="io.modelcontextprotocol/auth/wif",
    lists=frozenset({"extensions"}),
    purpose="The client gets a token by what its platform says of it, and takes a refusal as it is.",
    task=(
        "Find the authorization server, ask its token endpoint for a token with the JWT bearer grant and valid_jwt of the "
        "context as assertion, connect with the token, list the tools, and end. The other tokens of the context are for "
        "clients that fail on purpose."
    ),
    decides=DECIDES,
)
async def wif_jwt_bearer(stage: Stage, checks: Checks) -> None:
    federation = Federation(checks, keys.new_key())
    setup = ServerSetup(
        metadata=ServerMetadata(grant_types=(JWT_BEARER_GRANT,), registers=False),
        guards=(federation.judge,),
        grants={JWT_BEARER_GRANT: federation.grant},
    )
    cast = await put(stage, checks, DECIDES, setup=setup)
    await stage.client(cast.url, context=_context(federation.key, cast.authorization.issuer))
    if not federation.asked:
        checks.fail(VERIFIED, expected="a token request with the token of the workload", got=Shown("none"))


def _context(key: ECKey, issuer: str) -> JsonObject:
    """Return what the client is told: the token of its workload, and two by which broken clients are tried."""
    now = time.time()

    def token(audience: str, lifetime: int = assertions.WORKLOAD_LIFETIME_S) -> str:
        return assertions.workload_token(
            key, issuer=PLATFORM, subject=WORKLOAD, audience=audience, now=now, lifetime=lifetime
        )

    return {
        "client_id": CLIENT_ID,
        "valid_jwt": token(issuer),
        "wrong_audience_jwt": token(WRONG_AUDIENCE),
        "expired_jwt": token(issuer, -EXPIRED_SINCE_S),
    }
