"""The authorization endpoint: every user is at home, and agrees.

Specification: RFC 6749, 4.1.1 and 4.1.2; RFC 9207, 2; OAuth 2.1, 4.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_mcp_conformance.oauth.clients import Client
from pytest_mcp_conformance.oauth.errors import NOT_STORED, OAuthError, invalid_request
from pytest_mcp_conformance.oauth.metadata import FOREIGN_ISSUER, IssuerSent
from pytest_mcp_conformance.oauth.parameters import Parameters
from pytest_mcp_conformance.oauth.redirect_uris import is_usable, with_parameters
from pytest_mcp_conformance.oauth.scopes import words
from pytest_mcp_conformance.oauth.tokens import random_text
from pytest_mcp_conformance.serving.http import HttpReply


@dataclass
class Code:
    """An authorization code, bound to what it was asked for with.

    MUST be bound to the client and to the redirect URI: RFC 6749, 4.1.2

    :ivar used: whether it was redeemed; MUST NOT be used more than once: RFC 6749, 4.1.2.
    """

    value: str
    client_id: str | None
    redirect_uri: str
    challenge: str | None
    scopes: tuple[str, ...]
    resources: tuple[str, ...]
    used: bool = False


def code_for(parameters: Parameters, redirect_uri: str) -> Code:
    """Return a code for an authorization request."""
    return Code(
        value=random_text("code"),
        client_id=parameters.get("client_id"),
        redirect_uri=redirect_uri,
        challenge=parameters.get("code_challenge"),
        scopes=words(parameters.get("scope")),
        resources=parameters.all("resource"),
    )


def redirect_uri_of(parameters: Parameters, client: Client | None) -> str | None:
    """Return where the answer goes, or nothing where it cannot go anywhere.

    MUST NOT redirect to what is no valid redirect URI: RFC 6749, 4.1.2.1

    :param client: the one that the request names, where it is known.
    """
    uri = parameters.get("redirect_uri")
    # MAY be left out where exactly one is registered: RFC 6749, 3.1.2.3 and 4.1.1; OAuth 2.1, 4.1.1
    if uri is None and client is not None and len(client.redirect_uris) == 1:
        uri = client.redirect_uris[0]
    return uri if uri is not None and "redirect_uri" not in parameters.repeated and is_usable(uri) else None


def objection(parameters: Parameters) -> OAuthError | None:
    """Return why there is no code for this request, or nothing."""
    # MUST NOT be there more than once: RFC 6749, 3.1
    if parameters.repeated:
        return invalid_request("A parameter is there more than once")
    return None


def unanswerable() -> OAuthError:
    """Return what the browser shows where it cannot be sent back."""
    return invalid_request(
        "The request has no redirect_uri to go back to, one absolute URI without a fragment,"
        " and its client has not registered exactly one"
    )


def iss_of(sent: IssuerSent, issuer: str) -> str | None:
    """Return the iss parameter of a response: RFC 9207, 2."""
    match sent:
        case IssuerSent.CORRECT:
            return issuer
        case IssuerSent.FOREIGN:
            return FOREIGN_ISSUER
        case IssuerSent.WITH_SLASH:
            return f"{issuer}/"
        case IssuerSent.NONE:
            return None


def response(redirect_uri: str, answer: Mapping[str, str], *, state: str | None, iss: str | None) -> HttpReply:
    """Return the redirect that carries `answer`.

    MUST repeat the state: RFC 6749, 4.1.2 and 4.1.2.1
    """
    beside = {name: value for name, value in (("state", state), ("iss", iss)) if value is not None}
    location = with_parameters(redirect_uri, {**answer, **beside})
    return HttpReply(status=302, headers={"location": location, **NOT_STORED})
