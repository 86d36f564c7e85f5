"""What an authorization server is told to be: data, and functions where data will not do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.oauth.client_authentication import Credentials
from pytest_mcp_conformance.oauth.clients import Client
from pytest_mcp_conformance.oauth.errors import OAuthError
from pytest_mcp_conformance.oauth.metadata import IssuerSent, ServerMetadata
from pytest_mcp_conformance.oauth.parameters import Parameters
from pytest_mcp_conformance.oauth.tokens import Token, random_text
from pytest_mcp_conformance.serving.http import HttpReply, HttpRequest


@dataclass(frozen=True, kw_only=True)
class TokenRequest:
    """A request to the token endpoint, as guards, grants and `mint` see it.

    :ivar server: the URL of the authorization server, without a path.
    :ivar endpoint: the URL of the token endpoint.
    :ivar client: the one that the request names, where it is known.
    """

    server: str
    issuer: str
    endpoint: str
    http: HttpRequest
    parameters: Parameters
    credentials: Credentials
    client: Client | None = None

    @property
    def grant_type(self) -> str | None:
        """What it offers for the token."""
        return self.parameters.get("grant_type")


@dataclass(frozen=True, kw_only=True)
class Granted:
    """What a grant is good for."""

    scopes: tuple[str, ...] = ()
    client_id: str | None = None
    resources: tuple[str, ...] = ()


Guard: TypeAlias = "Callable[[TokenRequest], OAuthError | None]"
"""Looks at every token request before its grant does, and may refuse it."""

Grant: TypeAlias = "Callable[[TokenRequest], Granted | OAuthError | HttpReply]"
"""Judges what is offered for a token; an HTTP answer stands in the place of the token response."""

Mint: TypeAlias = "Callable[[TokenRequest, Granted], Token]"
"""Makes the token. It is kept in the store of the server, and told in the token response with its type and scopes."""


def opaque_bearer_token(request: TokenRequest, granted: Granted) -> Token:
    """Make a token that means something only to who issued it."""
    return Token(
        value=random_text("token"),
        issuer=request.issuer,
        scopes=granted.scopes,
        client_id=granted.client_id,
        resources=granted.resources,
    )


@dataclass(frozen=True, kw_only=True)
class ServerSetup:
    """All that an authorization server is told.

    It takes what a client does wrong where refusing it would hide what else the client does: an unknown client, a missing
    proof, a missing resource. Scenarios read that from the log. It refuses what it cannot answer, and codes of others.

    :ivar iss: what authorization responses say of the issuer.
    :ivar clients: those that are known beforehand.
    :ivar authenticates: whether a client that does not authenticate itself is refused a token.
    :ivar guards: in their order, on every token request, before anything else.
    :ivar grants: by grant type; authorization_code is there unless it is named here.
    """

    metadata: ServerMetadata = field(default_factory=ServerMetadata)
    iss: IssuerSent = IssuerSent.CORRECT
    clients: tuple[Client, ...] = ()
    authenticates: bool = False
    guards: tuple[Guard, ...] = ()
    grants: Mapping[str, Grant] = field(default_factory=dict)
    mint: Mint = opaque_bearer_token
    more_in_token_response: JsonObject = field(default_factory=dict)
