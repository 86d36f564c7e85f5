"""What a client asked of the servers of a run, in order: values from which scenarios decide.

An event is logged once per request, when the answer is known and before it is sent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.oauth.client_authentication import Credentials
from pytest_mcp_conformance.oauth.clients import Client
from pytest_mcp_conformance.oauth.errors import OAuthError
from pytest_mcp_conformance.oauth.parameters import Parameters
from pytest_mcp_conformance.oauth.pkce import Proof
from pytest_mcp_conformance.oauth.scopes import words
from pytest_mcp_conformance.oauth.tokens import Token
from pytest_mcp_conformance.serving.http import HttpRequest

AUTHORIZATION_CODE = "authorization_code"
REFRESH_TOKEN = "refresh_token"  # noqa: S105 -- the name of a grant


@dataclass(frozen=True, kw_only=True)
class Event:
    """One request to one server.

    :ivar server: its URL without a path.
    """

    server: str
    http: HttpRequest

    @property
    def url(self) -> str:
        """What was asked for."""
        return f"{self.server}{self.http.path}"


@dataclass(frozen=True, kw_only=True)
class ServerMetadataRead(Event):
    """The metadata of an authorization server were read."""


@dataclass(frozen=True, kw_only=True)
class ResourceMetadataRead(Event):
    """The metadata of a protected resource were read.

    :ivar document: as it was served.
    """

    document: JsonObject


@dataclass(frozen=True, kw_only=True)
class NotServed(Event):
    """Something was asked for that is not there."""


@dataclass(frozen=True, kw_only=True)
class Registered(Event):
    """A client asked to be registered.

    :ivar metadata: what it said about itself, as it came.
    """

    metadata: JsonObject
    client: Client


@dataclass(frozen=True, kw_only=True)
class AuthorizationRequested(Event):
    """A browser came for a code.

    :ivar client: the one that the request names, where the server knows it.
    :ivar refused: the error that it was sent away with.
    """

    parameters: Parameters
    client: Client | None = None
    refused: OAuthError | None = None

    @property
    def scope(self) -> str | None:
        """The scope parameter; none where it is absent or empty."""
        return self.parameters.get("scope")

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes that it lists."""
        return words(self.scope)


@dataclass(frozen=True, kw_only=True)
class TokenRequested(Event):
    """A client asked for a token.

    :ivar proof: of PKCE; for a code that is not known, against the latest authorization request.
    :ivar refused: the error that it was answered with.
    :ivar token: what it got.
    """

    parameters: Parameters
    credentials: Credentials
    proof: Proof
    refused: OAuthError | None = None
    token: Token | None = None

    @property
    def grant_type(self) -> str | None:
        """What it offers for the token."""
        return self.parameters.get("grant_type")


@dataclass(frozen=True, kw_only=True)
class AccessRequested(Event):
    """An MCP request came to a protected resource.

    :ivar rpc_method: its JSON-RPC method, where it has one.
    :ivar scheme: of the Authorization header, as it was spelled; none without the header.
    :ivar presented: the token in that header, as it came.
    :ivar token: the issued one, where it is one.
    :ivar status: that it was refused with; none where it was let through.
    """

    rpc_method: str | None
    scheme: str | None = None
    presented: str | None = None
    token: Token | None = None
    status: int | None = None


E = TypeVar("E", bound=Event)


@dataclass
class Log:
    """The events of one run.

    :param listener: is told of each, when it happens.
    """

    listener: Callable[[Event], None] = lambda _event: None
    events: list[Event] = field(default_factory=list)

    def add(self, event: Event) -> None:
        """Keep an event and tell the listener."""
        self.events.append(event)
        self.listener(event)

    def of(self, kind: type[E], *, server: str | None = None) -> list[E]:
        """Return the events of one kind, of one server or of all, in order."""
        return [
            event for event in self.events if isinstance(event, kind) and (server is None or event.server == server)
        ]
