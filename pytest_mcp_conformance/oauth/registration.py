"""Dynamic registration: a client tells about itself and becomes known.

Specification: RFC 7591, 2 and 3.
"""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list
from pytest_mcp_conformance.oauth.clients import NONE, Client
from pytest_mcp_conformance.oauth.errors import INVALID_CLIENT_METADATA, NOT_STORED, OAuthError
from pytest_mcp_conformance.oauth.tokens import random_text
from pytest_mcp_conformance.serving.http import HttpReply, json_reply

# What a registered client is told of what it said; the rest is not used here.
ECHOED = ("client_name", "client_uri", "grant_types", "response_types", "application_type", "scope")
UNNAMED = "a client without a name"


def registered(metadata: JsonObject, auth_methods: tuple[str, ...]) -> Client:
    """Return a new client that said `metadata` of itself.

    Members that are not what they should be are passed over: what a client says is for a scenario to judge.

    :param auth_methods: those of the server. MAY replace what was asked for: RFC 7591, 3.2.1.
    """
    asked = metadata.get("token_endpoint_auth_method")
    method = asked if isinstance(asked, str) and asked in auth_methods else auth_methods[0]
    return Client(
        id=random_text("client"),
        secret=None if method == NONE else random_text("secret"),
        auth_method=method,
        redirect_uris=tuple(each for each in as_list(metadata.get("redirect_uris")) if isinstance(each, str)),
        metadata=metadata,
    )


def response(client: Client) -> HttpReply:
    """Return the answer to a registration: RFC 7591, 3.2.1."""
    uris: list[JsonValue] = [*client.redirect_uris]
    # MUST be there with a secret; 0 for one that does not expire: RFC 7591, 3.2.1
    secret: JsonObject = (
        {} if client.secret is None else {"client_secret": client.secret, "client_secret_expires_at": 0}
    )
    body: JsonObject = {
        "client_id": client.id,
        **secret,
        "client_name": UNNAMED,
        **{name: client.metadata[name] for name in ECHOED if name in client.metadata},
        "redirect_uris": uris,
        "token_endpoint_auth_method": client.auth_method,
    }
    return json_reply(body, status=201, headers=NOT_STORED)


def unreadable() -> OAuthError:
    """Refuse a body that tells nothing."""
    return OAuthError(error=INVALID_CLIENT_METADATA, description="The body is a JSON object, application/json")
