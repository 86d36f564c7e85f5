"""The authorization server: its metadata, where they are, and whether they are its own.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#authorization-server-metadata-discovery
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_mcp_conformance.json_values import JsonObject, shown
from pytest_mcp_conformance.reference.client.failing import ClientFailure
from pytest_mcp_conformance.reference.client.oauth.asking import document_at, text_of, texts_of
from pytest_mcp_conformance.reference.client.oauth.faults import OAuthFault
from pytest_mcp_conformance.reference.client.oauth.identifiers import same_issuer, usable_endpoint
from pytest_mcp_conformance.reference.client.oauth.well_known import OAUTH_SERVER, origin_of, server_metadata_urls

if TYPE_CHECKING:
    import httpx

AUTHORIZATION_CODE = "authorization_code"
S256 = "S256"

# What an absent member stands for: RFC 8414, 2
DEFAULT_GRANTS = (AUTHORIZATION_CODE, "implicit")
DEFAULT_AUTH_METHODS = ("client_secret_basic",)


@dataclass(frozen=True, kw_only=True)
class AuthorizationServer:
    """What the metadata of an authorization server say.

    :ivar issuer: validated, and compared with what its answers say.
    :ivar sends_iss: whether it promises to say in its answers who it is.
    :ivar proof_algorithms: of proofs of possession that it accepts.
    """

    issuer: str
    token_endpoint: str
    authorization_endpoint: str | None = None
    registration_endpoint: str | None = None
    grants: tuple[str, ...] = DEFAULT_GRANTS
    auth_methods: tuple[str, ...] = DEFAULT_AUTH_METHODS
    challenge_methods: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    proof_algorithms: tuple[str, ...] = ()
    sends_iss: bool = False
    reads_metadata_documents: bool = False


async def find_server(
    http: httpx.AsyncClient, issuer: str, *, headers: Mapping[str, str], faults: Container[str] = frozenset()
) -> AuthorizationServer:
    """Return what the metadata of the authorization server named `issuer` say.

    :raises ClientFailure: it has none, or they are not its own.
    """
    # MUST be an HTTPS URL: RFC 8414, 2
    if not usable_endpoint(issuer):
        raise ClientFailure(f"the authorization server that was named is no HTTPS URL: {shown(issuer)}")
    if OAuthFault.SERVER_METADATA_SKIPPED in faults:
        return default_server(issuer.rstrip("/"))
    if OAuthFault.ISSUER_PATH_DROPPED in faults:
        await document_at(http, origin_of(issuer) + OAUTH_SERVER, headers=headers)
    found = await _first(http, server_metadata_urls(issuer), issuer, headers, faults)
    if found is None:
        raise ClientFailure(f"the authorization server {issuer} has no metadata")
    return found


async def find_old_server(
    http: httpx.AsyncClient, server_url: str, *, headers: Mapping[str, str], faults: Container[str] = frozenset()
) -> AuthorizationServer:
    """Return the authorization server that an MCP server of the first revision is itself.

    Source: 2025-03-26, basic/authorization#server-metadata-discovery.
    """
    # MUST be its URL without the path; MUST look for metadata there before taking the default endpoints.
    base = origin_of(server_url)
    urls = [] if OAuthFault.SERVER_METADATA_SKIPPED in faults else [base + OAUTH_SERVER]
    return await _first(http, urls, base, headers, faults) or default_server(base)


def default_server(base: str) -> AuthorizationServer:
    """Return an authorization server without metadata.

    Source: 2025-03-26, basic/authorization#fallbacks-for-servers-without-metadata-discovery.
    """
    return AuthorizationServer(
        issuer=base,
        authorization_endpoint=f"{base}/authorize",
        token_endpoint=f"{base}/token",
        registration_endpoint=f"{base}/register",
        grants=(AUTHORIZATION_CODE, "refresh_token"),
        auth_methods=("none", "client_secret_basic", "client_secret_post"),
        # MUST use PKCE, which nothing says that it supports: 2025-03-26, basic/authorization#implementation-requirements
        challenge_methods=(S256,),
    )


def read_server(document: JsonObject, issuer: str, faults: Container[str] = frozenset()) -> AuthorizationServer:
    """Return what metadata found for `issuer` say.

    :raises ClientFailure: they are not its own, or have no endpoint that may be used.
    """
    named = text_of(document.get("issuer"))
    # MUST NOT be used unless they name the issuer they were looked for under: RFC 8414, 3.3
    ours = named is not None and same_issuer(named, issuer)
    if named is None or not (ours or OAuthFault.METADATA_ISSUER_UNCHECKED in faults):
        other = shown(document.get("issuer"))
        raise ClientFailure(f"the metadata of the authorization server {issuer} are those of {other}")
    token_endpoint = _endpoint(document, "token_endpoint", issuer)
    if token_endpoint is None:
        raise ClientFailure(f"the authorization server {issuer} has no token endpoint")
    return AuthorizationServer(
        issuer=named,
        token_endpoint=token_endpoint,
        authorization_endpoint=_endpoint(document, "authorization_endpoint", issuer),
        registration_endpoint=_endpoint(document, "registration_endpoint", issuer),
        grants=texts_of(document.get("grant_types_supported")) or DEFAULT_GRANTS,
        auth_methods=texts_of(document.get("token_endpoint_auth_methods_supported")) or DEFAULT_AUTH_METHODS,
        challenge_methods=texts_of(document.get("code_challenge_methods_supported")),
        scopes=texts_of(document.get("scopes_supported")),
        proof_algorithms=texts_of(document.get("dpop_signing_alg_values_supported")),
        sends_iss=document.get("authorization_response_iss_parameter_supported") is True,
        reads_metadata_documents=document.get("client_id_metadata_document_supported") is True,
    )


async def _first(
    http: httpx.AsyncClient, urls: Sequence[str], issuer: str, headers: Mapping[str, str], faults: Container[str]
) -> AuthorizationServer | None:
    for url in urls:
        document = await document_at(http, url, headers=headers)
        if document is not None:
            return read_server(document, issuer, faults)
    return None


def _endpoint(document: JsonObject, name: str, issuer: str) -> str | None:
    """Return the endpoint `name`, if there is one.

    :raises ClientFailure: nothing secret may be sent to it.
    """
    if document.get(name) is None:
        return None
    url = text_of(document[name])
    if url is None or not usable_endpoint(url):
        named = shown(document[name])
        raise ClientFailure(f"the {name} of the authorization server {issuer} is no HTTPS URL: {named}")
    return url
