"""The authorization request: that it is of the client that registered, and asks for what it may ask for. An addition.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#open-redirection
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from pytest_mcp_conformance.json_values import as_list, shown
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth.clients import Client
from pytest_mcp_conformance.oauth.events import AuthorizationRequested
from pytest_mcp_conformance.oauth.redirect_uris import is_among
from pytest_mcp_conformance.scenarios.client.auth import references

CODE = "code"

AS_REGISTERED = Requirement(
    id="x-authorization-request-as-registered",
    name="AuthorizationRequestAsRegistered",
    level=Level.MUST,
    text="An authorization request is for a code; a client that registered sends the client_id and a redirect URI of that.",
    spec=(references.AUTHORIZATION_REQUEST, references.OPEN_REDIRECTION),
    addition=True,
)
EXPECTED = "response_type code, a client_id, and of a client that registered the id and a redirect URI that it has"


def problems_of(event: AuthorizationRequested, registered: Mapping[str, Client]) -> Iterator[str]:
    """Say what is wrong with an authorization request.

    :param registered: the clients that registered with the same server in this run, by id. Of others nothing is known here.
    """
    # MUST be code: RFC 6749, 4.1.1
    response_type = event.parameters.get("response_type")
    if response_type != CODE:
        yield f"response_type {shown(response_type)}" if response_type is not None else "no response_type"
    client_id = event.parameters.get("client_id")
    client = registered.get(client_id or "")
    if client_id is None:
        yield "no client_id"  # REQUIRED: RFC 6749, 4.1.1
    elif client is not None:
        yield from _redirect_problems(event, client)
    elif registered and event.client is None and not _is_document(client_id):
        yield f"client_id {shown(client_id)}, which no registration gave"


def _redirect_problems(event: AuthorizationRequested, client: Client) -> Iterator[str]:
    own = redirect_uris_of(client)
    uris = [uri for uri in event.parameters.all("redirect_uri") if uri]
    # MUST be there unless exactly one is registered: RFC 6749, 3.1.2.3
    if not uris and len(own) != 1:
        yield f"no redirect_uri, and {len(own)} of them registered"
    # MUST be registered, and is compared exactly: 2025-11-25, basic/authorization#open-redirection
    for uri in uris:
        if not is_among(uri, own):
            yield f"redirect_uri {shown(uri)}, which is not registered"


def redirect_uris_of(client: Client) -> tuple[str, ...]:
    """Return what a client registered; one that registered with a form cannot have sent a list."""
    said = client.metadata.get("redirect_uris")
    return tuple(each for each in ([said] if isinstance(said, str) else as_list(said)) if isinstance(each, str))


def _is_document(client_id: str) -> bool:
    """Tell whether an id is the URL of a metadata document, which takes the place of a registration.

    MUST be an https URL with a path: 2025-11-25, basic/authorization#client-id-metadata-documents.
    """
    try:
        parts = urlsplit(client_id)
    except ValueError:
        return False
    return parts.scheme == "https" and parts.path not in ("", "/")
