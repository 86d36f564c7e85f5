"""A protected resource: the gate in front of an MCP server, and the document that says where tokens come from.

Specification: RFC 6750, 2.1 and 3; RFC 9728, 3 and 5; all revisions since 2025-06-18, basic/authorization.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from pytest_mcp_conformance.json_values import JsonObject, NotJson, as_object, loads
from pytest_mcp_conformance.oauth.events import AccessRequested, Log, NotServed, ResourceMetadataRead
from pytest_mcp_conformance.oauth.metadata import ResourceMetadata
from pytest_mcp_conformance.oauth.routes import Route, answered
from pytest_mcp_conformance.oauth.scopes import lacking
from pytest_mcp_conformance.oauth.tokens import BEARER, TokenStore
from pytest_mcp_conformance.serving.http import HttpReply, HttpRequest, json_reply

ENDPOINT = "/mcp"


@dataclass(frozen=True, kw_only=True)
class Challenge:
    """What a request without sufficient rights is answered with.

    :ivar error: none where the request had no credentials at all: SHOULD NOT have one then: RFC 6750, 3.1.
    :ivar names_metadata: whether it says where the metadata are.
    """

    status: int = 401
    scheme: str = BEARER
    error: str | None = None
    description: str = "Present an access token"
    scope: str | None = None
    names_metadata: bool = True
    headers: Mapping[str, str] = field(default_factory=dict)

    def reply(self, metadata_url: str | None) -> HttpReply:
        """Return the answer.

        MUST be a WWW-Authenticate header, with the URL of the metadata: RFC 9110, 11.6.1; RFC 9728, 5.1
        """
        told = {
            "error": self.error,
            "error_description": None if self.error is None else self.description,
            "scope": self.scope,
            "resource_metadata": metadata_url if self.names_metadata else None,
        }
        parts = [f'{name}="{value}"' for name, value in told.items() if value is not None]
        challenge = " ".join([self.scheme, ", ".join(parts)]).strip()
        body: JsonObject = {"error": self.error or "unauthorized", "error_description": self.description}
        return json_reply(body, status=self.status, headers={"www-authenticate": challenge, **self.headers})


INVALID_TOKEN = Challenge(error="invalid_token", description="The access token was not issued for this server")
INSUFFICIENT_SCOPE = Challenge(status=403, error="insufficient_scope", description="The access token lacks a scope")

Admission: TypeAlias = "Callable[[AccessRequested], Challenge | HttpReply | None]"
"""Decides on one MCP request: nothing lets it through."""


@dataclass(frozen=True, kw_only=True)
class BearerAdmission:
    """Lets through who has a token with the scopes.

    :ivar scopes: that a token must have.
    :ivar names_scopes: whether challenges say so.
    :ivar names_metadata: whether challenges say where the metadata are.
    """

    scopes: tuple[str, ...] = ()
    names_scopes: bool = True
    names_metadata: bool = True

    def __call__(self, request: AccessRequested) -> Challenge | None:
        """Decide on one request."""
        challenge = objection(request, self.scopes)
        if challenge is None:
            return None
        scope = " ".join(self.scopes) if self.scopes and self.names_scopes else None
        return replace(challenge, scope=scope, names_metadata=self.names_metadata)


def objection(request: AccessRequested, scopes: tuple[str, ...] = ()) -> Challenge | None:
    """Return what a request with a Bearer token that must have `scopes` is refused with, or nothing."""
    if not is_bearer(request):
        return Challenge()
    # MUST be 401 for what is no valid token, and 403 for one without the scopes: RFC 6750, 3.1
    if request.token is None:
        return INVALID_TOKEN
    return INSUFFICIENT_SCOPE if lacking(request.token.scopes, scopes) else None


def is_bearer(request: AccessRequested) -> bool:
    """Tell whether a request presents a Bearer token. The scheme is compared without case: RFC 9110, 11.1."""
    return (request.scheme or "").lower() == BEARER.lower() and bool(request.presented)


def bearer_token(http: HttpRequest) -> str | None:
    """Return the Bearer token that an HTTP request presents, whether or not it was issued."""
    scheme, value = _credentials(http)
    return value if (scheme or "").lower() == BEARER.lower() else None


def needs_no_token(request: AccessRequested) -> bool:
    """Tell whether a request is of those that a server may answer before it asks who is there."""
    method = request.rpc_method or ""
    return method == "initialize" or method.startswith("notifications/")


class ProtectedResource:
    """The gate, for `Script.intercept`.

    :ivar base: the URL of the server without a path; whoever puts it on a port says so.
    :ivar metadata: may be replaced while the server runs; without any there is no document.
    """

    def __init__(
        self,
        metadata: ResourceMetadata | None,
        *,
        log: Log,
        tokens: TokenStore,
        admission: Admission = BearerAdmission(),
    ) -> None:
        self.base = ""
        self.metadata = metadata
        self.log = log
        self.tokens = tokens
        self.admission = admission

    @property
    def metadata_url(self) -> str | None:
        """Where the metadata are."""
        return None if self.metadata is None else f"{self.base}{self.metadata.location}"

    def intercept(self, http: HttpRequest) -> HttpReply | None:
        """Answer a request that does not get through, or that asks for the metadata."""
        if http.path == ENDPOINT:
            return self._admit(http) if http.method == "POST" else None
        if self.metadata is not None:
            reply = answered({self.metadata.location: Route("GET", self._document)}, http)
            if reply is not None:
                return reply
        self.log.add(NotServed(server=self.base, http=http))
        return None

    def _document(self, http: HttpRequest) -> HttpReply:
        document = {} if self.metadata is None else self.metadata.document(self.base)
        self.log.add(ResourceMetadataRead(server=self.base, http=http, document=document))
        return json_reply(document)

    def _admit(self, http: HttpRequest) -> HttpReply | None:
        request = self._request(http)
        decided = self.admission(request)
        reply = decided.reply(self.metadata_url) if isinstance(decided, Challenge) else decided
        self.log.add(replace(request, status=None if reply is None else reply.status))
        return reply

    def _request(self, http: HttpRequest) -> AccessRequested:
        scheme, value = _credentials(http)
        return AccessRequested(
            server=self.base,
            http=http,
            rpc_method=_rpc_method(http),
            scheme=scheme,
            presented=value,
            token=self.tokens.find(value),
        )


def _credentials(http: HttpRequest) -> tuple[str | None, str | None]:
    """Return the scheme, as it is spelled, and the credentials of the Authorization header.

    MUST be in the header, and tokens MUST NOT be in the query, where none is looked for: all revisions,
    basic/authorization#token-requirements
    """
    header = http.headers.get("authorization")
    scheme, _, credentials = (header or "").strip().partition(" ")
    return None if header is None else scheme, credentials.strip() or None


def _rpc_method(http: HttpRequest) -> str | None:
    try:
        method = as_object(loads(http.body)).get("method")
    except NotJson:
        return None
    return method if isinstance(method, str) else None
