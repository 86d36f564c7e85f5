"""Assertions: tokens by which a client shows who it is, or what it may ask for.

Each kind is made by one function and checked by another. A check raises `InvalidToken` at the first rule that does not hold.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pytest_mcp_conformance.json_values import JsonObject, shown
from pytest_mcp_conformance.oauth import jwts
from pytest_mcp_conformance.oauth.jwts import Flaw, InvalidToken, Jwt

if TYPE_CHECKING:
    from joserfc.jwk import Key

JWT_BEARER_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
TOKEN_EXCHANGE_GRANT = "urn:ietf:params:oauth:grant-type:token-exchange"  # noqa: S105 -- a name
CLIENT_ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
ID_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:id_token"  # noqa: S105 -- a name
ID_JAG_TYPE = "urn:ietf:params:oauth:token-type:id-jag"
ID_JAG_HEADER_TYPE = "oauth-id-jag+jwt"

ID_TOKEN_LIFETIME_S = 3600
ID_JAG_LIFETIME_S = 300
WORKLOAD_LIFETIME_S = 300
CLOCK_LEEWAY_S = 30  # the clocks of two machines
WORKLOAD_LEEWAY_S = 5  # the harness makes the token and reads it: no clock but one


def audiences(issuer: str, *more: str) -> tuple[str, ...]:
    """Return what names the authorization server: its issuer, also with a slash at the end."""
    return (issuer.rstrip("/"), f"{issuer.rstrip('/')}/", *more)


def check_client_assertion(assertion: str, key: Key, *, issuer: str, token_endpoint: str, now: float) -> Jwt:
    """Return an assertion by which a client authenticates at the token endpoint.

    :param key: that of the client.
    :raises InvalidToken: it was not signed by the client, or not for this server, or is over.

    MAY name the token endpoint as audience: RFC 7523, 3, item 3
    """
    jwt = jwts.verify(assertion, key, algorithms=jwts.ES256)
    jwts.check_audience(jwt.claims, audiences(issuer, token_endpoint))
    jwts.check_times(jwt.claims, now=now, leeway=CLOCK_LEEWAY_S)
    return jwt


def id_token(key: Key, *, issuer: str, audience: str, subject: str, now: float) -> str:
    """Return the token by which an identity provider says who has logged in.

    Source: OpenID Connect Core 1.0, 2.
    """
    issued = math.floor(now)
    claims: JsonObject = {
        "iss": issuer,
        "sub": subject,
        "email": subject,
        "aud": audience,
        "iat": issued,
        "exp": issued + ID_TOKEN_LIFETIME_S,
    }
    return jwts.sign(claims, key)


def check_id_token(token: str, key: Key, *, issuer: str, audience: str, now: float) -> Jwt:
    """Return an identity provider's own token that comes back to it.

    MUST be validated, with the client as its audience: ext-auth, enterprise-managed-authorization, 4.1

    :raises InvalidToken: it is not one that this provider gave to this client, or it is over.
    """
    jwt = jwts.verify(token, key, algorithms=jwts.ES256)
    jwts.check_audience(jwt.claims, [audience])
    if jwt.claims.get("iss") != issuer:
        raise InvalidToken(Flaw.CLAIM, f"iss is {shown(jwt.claims.get('iss'))}, not {issuer}")
    jwts.check_times(jwt.claims, now=now, leeway=0)
    return jwt


def exchange_fault(form: Mapping[str, str]) -> str | None:
    """Return what is wrong with the parameters of a request that wants an identity assertion grant, if anything is.

    MUST have these parameters: ext-auth, enterprise-managed-authorization, 4
    """
    if not form.get("subject_token"):
        return "no subject_token"
    for name, wanted in (("subject_token_type", ID_TOKEN_TYPE), ("requested_token_type", ID_JAG_TYPE)):
        if form.get(name) != wanted:
            return f"{name} {shown(form.get(name))}"
    return next((f"no {name}" for name in ("audience", "resource") if not form.get(name)), None)


def id_jag(key: Key, *, issuer: str, subject: str, audience: str, resource: str, client_id: str, now: float) -> str:
    """Return an identity assertion grant: what an identity provider gives in exchange for its own token.

    Source: ext-auth, enterprise-managed-authorization, 4.3.
    """
    issued = math.floor(now)
    claims: JsonObject = {
        "iss": issuer,
        "sub": subject,
        "aud": audience,
        "resource": resource,
        "client_id": client_id,
        "jti": secrets.token_urlsafe(),
        "iat": issued,
        "exp": issued + ID_JAG_LIFETIME_S,
    }
    return jwts.sign(claims, key, typ=ID_JAG_HEADER_TYPE)


def check_id_jag(grant: str, key: Key, *, issuer: str, client_id: str, resource: str, now: float) -> Jwt:
    """Return a grant with which a client may have an access token.

    :param key: that of the identity provider.
    :param issuer: of the authorization server that reads it.
    :param client_id: of the client that has authenticated.
    :param resource: of the MCP server.
    :raises InvalidToken: a rule does not hold.

    Source: ext-auth, enterprise-managed-authorization, 5.1.
    """
    typ = jwts.read(grant).header.get("typ")
    if typ != ID_JAG_HEADER_TYPE:
        raise InvalidToken(Flaw.TYPE, f"typ is {shown(typ)}, not {ID_JAG_HEADER_TYPE}")
    jwt = jwts.verify(grant, key, algorithms=jwts.ES256)
    # MUST be meant for this authorization server, MUST be of the client that authenticated: 5.1
    jwts.check_audience(jwt.claims, audiences(issuer))
    jwts.check_times(jwt.claims, now=now, leeway=CLOCK_LEEWAY_S)
    for name, wanted in (("client_id", client_id), ("resource", resource)):
        if jwt.claims.get(name) != wanted:
            raise InvalidToken(Flaw.CLAIM, f"{name} is {shown(jwt.claims.get(name))}, not {wanted}")
    return jwt


def workload_token(
    key: Key, *, issuer: str, subject: str, audience: str, now: float, lifetime: int = WORKLOAD_LIFETIME_S
) -> str:
    """Return the token by which a platform says which workload runs; a negative `lifetime` makes one that is over.

    Source: RFC 7523, 3.
    """
    issued = math.floor(now)
    claims: JsonObject = {
        "iss": issuer,
        "sub": subject,
        "aud": audience,
        "jti": secrets.token_urlsafe(),
        "iat": issued,
        "exp": issued + lifetime,
    }
    return jwts.sign(claims, key)


def check_workload_token(token: str, key: Key, *, issuer: str, now: float) -> Jwt:
    """Return a workload's token that comes as a grant.

    :param issuer: of the authorization server that reads it.
    :raises InvalidToken: a rule does not hold; of a token with a wrong audience that is also over, the audience is told.

    Source: RFC 7523, 3.
    """
    jwt = jwts.verify(token, key, algorithms=jwts.ES256)
    jwts.check_audience(jwt.claims, audiences(issuer))
    jwts.check_times(jwt.claims, now=now, leeway=WORKLOAD_LEEWAY_S)
    return jwt
