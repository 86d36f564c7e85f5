"""The token endpoint: from a code, or from another grant, to an access token.

Specification: RFC 6749, 4.1.3, 5.1 and 5.2; OAuth 2.1, 3.2.
"""

from __future__ import annotations

from collections.abc import Container

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.oauth.authorize import Code
from pytest_mcp_conformance.oauth.errors import (
    NOT_STORED,
    UNSUPPORTED_GRANT_TYPE,
    OAuthError,
    invalid_grant,
    invalid_request,
)
from pytest_mcp_conformance.oauth.events import REFRESH_TOKEN
from pytest_mcp_conformance.oauth.server_setup import Granted, TokenRequest
from pytest_mcp_conformance.oauth.tokens import Token
from pytest_mcp_conformance.serving.http import HttpReply, json_reply


def redeemed(request: TokenRequest, code: Code | None) -> Granted | OAuthError:
    """Return what `code` is good for in the hands of who presents it; it is spent then."""
    if request.parameters.get("code") is None:
        return invalid_request("The request has no code")
    # MUST have been issued here, MUST NOT have been used, MUST be of this client: RFC 6749, 4.1.2, 4.1.3
    if code is None or code.used:
        return invalid_grant("The code was not issued here, or it was used before")
    named = request.credentials.client_id
    if named is not None and code.client_id is not None and named != code.client_id:
        return invalid_grant("The code was issued to another client")
    # MUST be the same, where it is there; OAuth 2.1 does without: RFC 6749, 4.1.3; OAuth 2.1, 10.2
    uri = request.parameters.get("redirect_uri")
    if uri is not None and uri != code.redirect_uri:
        return invalid_grant("The code was asked for with another redirect_uri")
    code.used = True
    return Granted(scopes=code.scopes, client_id=code.client_id, resources=code.resources)


def no_grant(request: TokenRequest, listed: Container[str]) -> OAuthError:
    """Refuse a grant that nothing here can be good for.

    :param listed: what the metadata list. Refresh tokens may be among it and are never issued, which MAY be: RFC 6749, 1.5.
    """
    if request.grant_type is None:
        return invalid_request("The request has no grant_type")
    if request.grant_type != REFRESH_TOKEN or REFRESH_TOKEN not in listed:
        return OAuthError(error=UNSUPPORTED_GRANT_TYPE, description="The server does not have this grant")
    if request.parameters.get("refresh_token") is None:
        return invalid_request("The request has no refresh_token")
    return invalid_grant("The refresh token was not issued here")  # RFC 6749, 5.2


def response(token: Token, more: JsonObject) -> HttpReply:
    """Return the answer that carries `token`: RFC 6749, 5.1."""
    scope: JsonObject = {"scope": " ".join(token.scopes)} if token.scopes else {}
    body: JsonObject = {
        "access_token": token.value,
        "token_type": token.type,
        "expires_in": token.lifetime_seconds,
        **scope,
        **more,
    }
    return json_reply(body, headers=NOT_STORED)
