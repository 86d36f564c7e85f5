"""Client credentials: a client that speaks for itself, without a user.

Specification: https://github.com/modelcontextprotocol/ext-auth, oauth-client-credentials
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, Shown
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth import assertions, keys
from pytest_mcp_conformance.oauth.client_authentication import Credentials
from pytest_mcp_conformance.oauth.clients import CLIENT_SECRET_BASIC, PRIVATE_KEY_JWT, Client
from pytest_mcp_conformance.oauth.errors import UNSUPPORTED_GRANT_TYPE, OAuthError, invalid_client
from pytest_mcp_conformance.oauth.jwts import InvalidToken, Jwt
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

EXTENSION = "io.modelcontextprotocol/oauth-client-credentials"
CLIENT_CREDENTIALS = "client_credentials"
CLIENT_ID = "conformance-test-client"
CLIENT_SECRET = "conformance-test-secret"  # noqa: S105 -- of a client that exists here only

ASSERTION_VERIFIED = Requirement(
    id="client-credentials-jwt-verified",
    name="ClientCredentialsJwtVerified",
    level=Level.MUST,
    text="The client authenticates with an assertion that its key signed, for this authorization server.",
    spec=(
        references.CLIENT_CREDENTIALS_GRANT,
        references.CLIENT_CREDENTIALS,
        references.JWT_CLIENT_AUTHENTICATION,
    ),
)
BASIC_CREDENTIALS = Requirement(
    id="client-credentials-basic-auth",
    name="ClientCredentialsBasicAuth",
    level=Level.MUST,
    text="The client authenticates with its id and secret in the Authorization header.",
    spec=(references.CLIENT_CREDENTIALS_GRANT, references.CLIENT_CREDENTIALS),
)
GRANT_TYPE = Requirement(
    id="client-credentials-grant-type",
    name="ClientCredentialsGrantType",
    level=Level.MUST,
    text="The client asks for tokens with the grant client_credentials, and with no other.",
    spec=(references.CLIENT_CREDENTIALS_GRANT, references.CLIENT_CREDENTIALS),
    exceptional=True,
)
ASSERTION_TYPE = Requirement(
    id="client-credentials-assertion-type",
    name="ClientCredentialsAssertionType",
    level=Level.MUST,
    text="A token request says that its client assertion is a JWT.",
    spec=(references.JWT_CLIENT_AUTHENTICATION,),
    exceptional=True,
)
ASSERTION_ISSUER = Requirement(
    id="client-credentials-jwt-iss",
    name="ClientCredentialsJwtIss",
    level=Level.MUST,
    text="The issuer of a client assertion is the client.",
    spec=(references.JWT_CLIENT_AUTHENTICATION,),
    exceptional=True,
)
ASSERTION_SUBJECT = Requirement(
    id="client-credentials-jwt-sub",
    name="ClientCredentialsJwtSub",
    level=Level.MUST,
    text="The subject of a client assertion is the client.",
    spec=(references.JWT_CLIENT_AUTHENTICATION,),
    exceptional=True,
)
ASSERTION_EXPIRES = Requirement(
    id="x-client-assertion-expires",
    name="ClientAssertionExpires",
    level=Level.MUST,
    text="A client assertion says when it expires.",
    spec=(references.JWT_CONTENTS,),
    addition=True,
)

BY_ASSERTION = (
    ASSERTION_VERIFIED,
    GRANT_TYPE,
    ASSERTION_TYPE,
    ASSERTION_ISSUER,
    ASSERTION_SUBJECT,
    ASSERTION_EXPIRES,
    *WITHOUT_CODE,
)
BY_SECRET = (BASIC_CREDENTIALS, GRANT_TYPE, *WITHOUT_CODE)


def _other_grant(checks: Checks, request: TokenRequest) -> OAuthError | None:
    """Refuse what is no request of this flow."""
    if request.grant_type == CLIENT_CREDENTIALS:
        return None
    checks.fail(GRANT_TYPE, expected=f"grant_type {CLIENT_CREDENTIALS}", got=request.grant_type)
    return OAuthError(error=UNSUPPORTED_GRANT_TYPE, description=f"The grant is {CLIENT_CREDENTIALS}")


def _granted(request: TokenRequest) -> Granted:
    parameters = request.parameters
    return Granted(scopes=words(parameters.get("scope")), client_id=CLIENT_ID, resources=parameters.all("resource"))


def _authenticated_by_assertion(checks: Checks, key: ECKey, request: TokenRequest) -> Granted | OAuthError:
    """Judge a request whose client shows who it is by a signed assertion."""
    kind = request.parameters.get("client_assertion_type")
    # MUST be this type: RFC 7523, 2.2
    if kind != assertions.CLIENT_ASSERTION_TYPE:
        checks.fail(ASSERTION_TYPE, expected=f"client_assertion_type {assertions.CLIENT_ASSERTION_TYPE}", got=kind)
        return invalid_client("The client_assertion_type is that of a JWT")
    try:
        jwt = assertions.check_client_assertion(
            request.parameters.get("client_assertion") or "",
            key,
            issuer=request.issuer,
            token_endpoint=request.endpoint,
            now=time.time(),
        )
    except InvalidToken as error:
        checks.fail(
            ASSERTION_VERIFIED,
            expected="an assertion for this server, signed by the key of the client",
            got=Shown(error),
            details={"error": str(error)},
        )
        return invalid_client("The client assertion is not good")
    # MUST have a time from which on it is not accepted: RFC 7523, 3, item 4
    checks.decide(ASSERTION_EXPIRES, "exp" in jwt.claims, expected="an assertion with exp", got=list(jwt.claims))
    return _named_client(checks, jwt) or _granted(request)


def _named_client(checks: Checks, jwt: Jwt) -> OAuthError | None:
    """Hold an assertion to speaking of the client. MUST be its id, both: RFC 7523, 3, items 1 and 2.B."""
    for requirement, name in ((ASSERTION_ISSUER, "iss"), (ASSERTION_SUBJECT, "sub")):
        value = jwt.claims.get(name)
        if value != CLIENT_ID:
            details: JsonObject = {"expected": CLIENT_ID, "actual": value}
            checks.fail(requirement, expected=f"{name} {CLIENT_ID}", got=value, details=details)
            return invalid_client(f"The {name} of the client assertion is not the client")
    checks.succeed(ASSERTION_VERIFIED, details={name: jwt.claims.get(name) for name in ("iss", "sub", "aud")})
    return None


def _authenticated_by_secret(checks: Checks, request: TokenRequest) -> Granted | OAuthError:
    """Judge a request whose client sends id and secret in the Authorization header."""
    given: Credentials = request.credentials
    right = given.problem is None and (given.client_id, given.secret) == (CLIENT_ID, CLIENT_SECRET)
    if given.method == CLIENT_SECRET_BASIC and right:
        checks.succeed(BASIC_CREDENTIALS, details={"clientId": given.client_id})
        return _granted(request)
    checks.fail(
        BASIC_CREDENTIALS,
        expected=f"Basic credentials of {CLIENT_ID}",
        got=Shown(given.problem or f"{given.method} of {given.client_id!a}"),
        details={"clientId": given.client_id} if given.method == CLIENT_SECRET_BASIC else None,
    )
    return invalid_client("The Basic credentials of the client are needed", scheme="Basic")


def _never_came(checks: Checks, requirement: Requirement, what: str) -> None:
    """Fail what no token request came to: silence is no pass."""
    if all(check.id != requirement.id for check in checks.recorded):
        checks.fail(requirement, expected=what, got=Shown("none"))


@client_scenario(
    name="auth/client-credentials-jwt",
    extension=EXTENSION,
    lists=frozenset({"extensions"}),
    purpose="The client gets a token for itself by a signed assertion.",
    task=(
        "Find the authorization server, ask its token endpoint for a token with grant_type client_credentials and a client "
        "assertion (iss and sub are client_id of the context, aud is the issuer, signed with private_key_pem by ES256), "
        "connect with the token, list the tools, and end."
    ),
    decides=BY_ASSERTION,
)
async def client_credentials_jwt(stage: Stage, checks: Checks) -> None:
    key = keys.new_key()
    setup = ServerSetup(
        metadata=ServerMetadata(
            grant_types=(CLIENT_CREDENTIALS,),
            auth_methods=(PRIVATE_KEY_JWT,),
            more={"token_endpoint_auth_signing_alg_values_supported": ["ES256"]},
        ),
        clients=(Client(id=CLIENT_ID, auth_method=PRIVATE_KEY_JWT),),
        guards=(lambda request: _other_grant(checks, request),),
        grants={CLIENT_CREDENTIALS: lambda request: _authenticated_by_assertion(checks, key, request)},
    )
    cast = await put(stage, checks, BY_ASSERTION, setup=setup)
    context: JsonObject = {
        "client_id": CLIENT_ID,
        "private_key_pem": keys.private_pem(key),
        "signing_algorithm": "ES256",
    }
    await stage.client(cast.url, context=context)
    _never_came(checks, ASSERTION_VERIFIED, "a token request with a good assertion of the client")


@client_scenario(
    name="auth/client-credentials-basic",
    extension=EXTENSION,
    lists=frozenset({"extensions"}),
    purpose="The client gets a token for itself by its secret.",
    task=(
        "Find the authorization server, ask its token endpoint for a token with grant_type client_credentials and client_id "
        "and client_secret of the context as Basic credentials, connect with the token, list the tools, and end."
    ),
    decides=BY_SECRET,
)
async def client_credentials_basic(stage: Stage, checks: Checks) -> None:
    setup = ServerSetup(
        metadata=ServerMetadata(grant_types=(CLIENT_CREDENTIALS,), auth_methods=(CLIENT_SECRET_BASIC,)),
        clients=(Client(id=CLIENT_ID, secret=CLIENT_SECRET, auth_method=CLIENT_SECRET_BASIC),),
        guards=(lambda request: _other_grant(checks, request),),
        grants={CLIENT_CREDENTIALS: lambda request: _authenticated_by_secret(checks, request)},
    )
    cast = await put(stage, checks, BY_SECRET, setup=setup)
    await stage.client(cast.url, context={"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET})
    _never_came(checks, BASIC_CREDENTIALS, "a token request with the Basic credentials of the client")
