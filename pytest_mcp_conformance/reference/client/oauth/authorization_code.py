"""The authorization code grant: the request that a user would see, the answer to it, and the code that is redeemed.

The user is nobody: the authorization URL is asked for, and the answer is read from where it redirects.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#authorization-flow-steps
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Container, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from pytest_mcp_conformance.json_values import shown
from pytest_mcp_conformance.reference.client.failing import ClientFailure
from pytest_mcp_conformance.reference.client.oauth.asking import ask
from pytest_mcp_conformance.reference.client.oauth.assertions import base64url
from pytest_mcp_conformance.reference.client.oauth.clients import REDIRECT_URI, Client
from pytest_mcp_conformance.reference.client.oauth.faults import OAuthFault
from pytest_mcp_conformance.reference.client.oauth.identifiers import same_issuer
from pytest_mcp_conformance.reference.client.oauth.scopes import OFFLINE_ACCESS
from pytest_mcp_conformance.reference.client.oauth.server import AUTHORIZATION_CODE, S256, AuthorizationServer
from pytest_mcp_conformance.reference.client.oauth.token_endpoint import (
    BEARER,
    Token,
    TokenEndpoint,
    Wanted,
    resource_parameter,
    scope_parameter,
)

REDIRECTS = frozenset({302, 303, 307, 308})
OMITTED_BY = {
    OAuthFault.RESPONSE_TYPE_UNNAMED: "response_type",
    OAuthFault.NO_CHALLENGE: "code_challenge",
    OAuthFault.CHALLENGE_METHOD_UNNAMED: "code_challenge_method",
    OAuthFault.NO_RESOURCE_IN_AUTHORIZATION: "resource",
}


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """What one authorization request keeps until its answer: all of it MUST belong to that request alone.

    :ivar server: validated: the issuer in the answer is compared with its.
    """

    server: AuthorizationServer
    state: str
    verifier: str

    @property
    def challenge(self) -> str:
        """What the request says of the verifier: RFC 7636, 4.2."""
        return base64url(hashlib.sha256(self.verifier.encode()).digest())


async def by_authorization_code(endpoint: TokenEndpoint, wanted: Wanted, client: Client) -> Token:
    """Obtain a token by the authorization code grant.

    :raises ClientFailure: the authorization server lacks what has to be there, refuses, or is not who answers.
    """
    faults = endpoint.faults
    # MUST be 43 to 128 characters: RFC 7636, 4.1
    verifier = secrets.token_urlsafe(16 if OAuthFault.SHORT_VERIFIER in faults else 48)
    attempt = Attempt(server=wanted.server, state=secrets.token_urlsafe(24), verifier=verifier)
    code = "invented" if OAuthFault.CODE_INVENTED in faults else await _code(endpoint, attempt, wanted, client)
    if OAuthFault.CODE_AS_TOKEN in faults:
        return Token(text=code, scheme=BEARER, issuer=wanted.server.issuer, scopes=wanted.scopes)
    grant = {"grant_type": AUTHORIZATION_CODE, "code": code, "redirect_uri": REDIRECT_URI}
    if OAuthFault.OTHER_VERIFIER in faults:
        grant["code_verifier"] = secrets.token_urlsafe(48)
    elif OAuthFault.NO_VERIFIER not in faults:
        grant["code_verifier"] = attempt.verifier
    return await endpoint.token(wanted, client, grant)


async def _code(endpoint: TokenEndpoint, attempt: Attempt, wanted: Wanted, client: Client) -> str:
    server, faults = attempt.server, endpoint.faults
    if server.authorization_endpoint is None:
        raise ClientFailure(f"the authorization server {server.issuer} has no authorization endpoint")
    # MUST refuse to go on unless metadata say that PKCE is supported: 2025-11-25,
    # basic/authorization#authorization-code-protection
    if S256 not in server.challenge_methods:
        raise ClientFailure(f"the authorization server {server.issuer} does not support PKCE by {S256}")
    url = with_parameters(server.authorization_endpoint, request_parameters(attempt, wanted, client, faults))
    answer = await ask(endpoint.http, "GET", url, headers={"Accept": "*/*"})
    location = answer.headers.get("location", "")
    if answer.status not in REDIRECTS or not location:
        raise ClientFailure(f"the authorization server {server.issuer} did not send the user back: {answer.told}")
    try:
        back = urljoin(url, location)
        urlsplit(back)
    except ValueError as error:
        raise ClientFailure(f"the user was sent to what is no URL: {shown(location)}") from error
    return code_of(back, attempt, faults)


def request_parameters(
    attempt: Attempt, wanted: Wanted, client: Client, faults: Container[str] = frozenset()
) -> dict[str, str]:
    """Return the parameters of the authorization request."""
    parameters = {
        "response_type": "token" if OAuthFault.OTHER_RESPONSE_TYPE in faults else "code",  # RFC 6749, 4.1.1
        "client_id": client.id,
        "redirect_uri": REDIRECT_URI,
        "state": attempt.state,  # SHOULD: 2025-11-25, basic/authorization#open-redirection
        # MUST be PKCE, by S256: 2025-11-25, basic/authorization#authorization-code-protection
        "code_challenge": attempt.challenge,
        "code_challenge_method": S256,
        # MUST name the resource here, too: 2025-11-25, basic/authorization#resource-parameter-implementation
        "resource": resource_parameter(wanted.resource, faults),
        **scope_parameter(wanted.scopes),
    }
    if OFFLINE_ACCESS in wanted.scopes:
        parameters["prompt"] = "consent"  # MUST, or OpenID providers ignore it: OpenID Connect Core 1.0, 11
    omitted = {name for fault, name in OMITTED_BY.items() if fault in faults}
    return {name: value for name, value in parameters.items() if name not in omitted}


def with_parameters(url: str, parameters: Mapping[str, str]) -> str:
    """Return `url` with `parameters` behind what its query has already: MUST be kept, RFC 6749, 3.1."""
    parts = urlsplit(url)
    kept = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in parameters]
    return urlunsplit(parts._replace(query=urlencode([*kept, *parameters.items()]), fragment=""))


def code_of(location: str, attempt: Attempt, faults: Container[str] = frozenset()) -> str:
    """Return the authorization code in the URL that the user was sent back to.

    :raises ClientFailure: it is not our redirect URI, the answer is not to our request or not from our authorization
        server, or it is an error.
    """
    parts = urlsplit(location)
    if urlunsplit((*parts[:3], "", "")) != REDIRECT_URI:
        raise ClientFailure(f"the user was sent to {shown(location)}, not back to {REDIRECT_URI}")
    answers = parse_qs(parts.query, keep_blank_values=True)
    repeated = [name for name, values in answers.items() if len(values) > 1]
    if repeated:  # MUST NOT: RFC 6749, 3.1
        raise ClientFailure(f"the answer to the authorization request has more than one {shown(repeated[0])}")
    answer = {name: values[0] for name, values in answers.items()}
    # MUST come before anything else in the answer is used, an error included: 2026-07-28,
    # basic/authorization#authorization-response-validation
    check_iss(answer.get("iss"), attempt.server, faults)
    # SHOULD discard what has another state than was sent: 2025-11-25, basic/authorization#open-redirection
    if answer.get("state") != attempt.state:
        raise ClientFailure("the answer to the authorization request has another state than the request")
    if "error" in answer:
        description = answer.get("error_description")
        raise ClientFailure(
            f"the authorization server {attempt.server.issuer} refused: {shown(answer['error'])}"
            + (f" ({shown(description)})" if description else "")
        )
    if not answer.get("code"):
        raise ClientFailure("the answer to the authorization request has no code")
    return answer["code"]


def check_iss(iss: str | None, server: AuthorizationServer, faults: Container[str] = frozenset()) -> None:
    """Hold the issuer in an answer against the server that was asked.

    :raises ClientFailure: it is another, or missing where it was promised.

    Source: RFC 9207, 2.4; 2026-07-28, basic/authorization#authorization-response-validation.
    """
    if iss is None:
        promised = server.sends_iss and OAuthFault.MISSING_ISS_ACCEPTED not in faults
        if promised or OAuthFault.ISS_REQUIRED in faults:
            raise ClientFailure(f"the answer to the authorization request does not say that it is from {server.issuer}")
        return
    asked = server.issuer
    if OAuthFault.ISS_NORMALIZED in faults:
        iss, asked = iss.rstrip("/"), asked.rstrip("/")
    # MUST be compared also where it was not promised
    differs = not same_issuer(iss, asked) and OAuthFault.ISS_IGNORED not in faults
    if differs or OAuthFault.ISS_REFUSED in faults:
        raise ClientFailure(f"the answer to the authorization request is from {shown(iss)}, not from {server.issuer}")
