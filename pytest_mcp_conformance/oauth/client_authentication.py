"""How a client authenticates itself at the token endpoint: what it presents, and whether that is right.

Specification: RFC 6749, 2.3; OAuth 2.1, 2.4; RFC 7523, 2.2.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from dataclasses import dataclass
from urllib.parse import unquote_plus

from pytest_mcp_conformance.oauth.clients import (
    CLIENT_SECRET_BASIC,
    CLIENT_SECRET_POST,
    NONE,
    PRIVATE_KEY_JWT,
    Client,
)
from pytest_mcp_conformance.oauth.errors import OAuthError, invalid_client
from pytest_mcp_conformance.oauth.parameters import Parameters

BASIC = "basic"


@dataclass(frozen=True, kw_only=True)
class Credentials:
    """What a client presents.

    :ivar method: as metadata name it; Basic credentials come before a secret in the body, and that before an assertion.
    :ivar problem: what keeps the credentials from being read, as a phrase.
    :ivar several: whether more than one method was used, which no request may: RFC 6749, 2.3.
    """

    method: str
    client_id: str | None
    secret: str | None = None
    assertion: str | None = None
    assertion_type: str | None = None
    problem: str | None = None
    several: bool = False

    @property
    def scheme(self) -> str | None:
        """The authentication scheme of HTTP that it used."""
        return "Basic" if self.method == CLIENT_SECRET_BASIC else None


def presented(authorization: str | None, parameters: Parameters) -> Credentials:
    """Return what a token request presents."""
    client_id, secret = parameters.get("client_id"), parameters.get("client_secret")
    assertion, kind = parameters.get("client_assertion"), parameters.get("client_assertion_type")
    scheme, _, encoded = (authorization or "").strip().partition(" ")
    # MUST compare the scheme without case: RFC 9110, 11.1
    basic = scheme.lower() == BASIC
    several = [basic, secret is not None, assertion is not None].count(True) > 1
    if basic:
        named, given, problem = _basic(encoded.strip())
        return Credentials(method=CLIENT_SECRET_BASIC, client_id=named, secret=given, problem=problem, several=several)
    if secret is not None:
        return Credentials(method=CLIENT_SECRET_POST, client_id=client_id, secret=secret, several=several)
    if assertion is not None:
        return Credentials(method=PRIVATE_KEY_JWT, client_id=client_id, assertion=assertion, assertion_type=kind)
    return Credentials(method=NONE, client_id=client_id)


def refusal(credentials: Credentials, client: Client | None) -> OAuthError | None:
    """Return why `client` is not authenticated by these credentials, or nothing. Assertions are judged elsewhere."""
    if client is None:
        return invalid_client("The client is not known", scheme=credentials.scheme)
    if credentials.several:
        return invalid_client("More than one way of authentication was used", scheme=credentials.scheme)
    if credentials.method != client.auth_method:
        return invalid_client(f"This client authenticates by {client.auth_method}", scheme=credentials.scheme)
    if client.secret is not None and not _equal(credentials.secret, client.secret):
        return invalid_client("The secret is not that of the client", scheme=credentials.scheme)
    return None


def _equal(given: str | None, secret: str) -> bool:
    return hmac.compare_digest((given or "").encode("utf-8", errors="replace"), secret.encode())


def _basic(encoded: str) -> tuple[str | None, str | None, str | None]:
    """Return id, secret and problem of Basic credentials; base64 without its padding is read as well.

    MUST be form-encoded before they are joined with a colon: RFC 6749, 2.3.1
    """
    try:
        decoded = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True).decode("utf-8", errors="replace")
    except (binascii.Error, ValueError):
        return None, None, "the credentials are no base64"
    name, colon, secret = decoded.partition(":")
    if not colon:
        return unquote_plus(name), None, "the credentials have no colon between id and secret"
    return unquote_plus(name), unquote_plus(secret), None
