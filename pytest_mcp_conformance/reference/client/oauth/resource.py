"""The protected resource: its metadata, where they are, and whether they are those of our server.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#authorization-server-location
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_mcp_conformance.json_values import JsonObject, shown
from pytest_mcp_conformance.reference.client.failing import ClientFailure
from pytest_mcp_conformance.reference.client.oauth.asking import document_at, text_of, texts_of
from pytest_mcp_conformance.reference.client.oauth.faults import OAuthFault
from pytest_mcp_conformance.reference.client.oauth.identifiers import covers
from pytest_mcp_conformance.reference.client.oauth.well_known import resource_metadata_urls

if TYPE_CHECKING:
    import httpx


@dataclass(frozen=True, kw_only=True)
class ProtectedResource:
    """What the metadata of the MCP server say.

    :ivar identifier: what `resource` parameters name: to the letter as it was given.
    :ivar issuers: of its authorization servers; at least one.
    :ivar scopes: those it supports; empty if it says nothing about them.
    """

    identifier: str
    issuers: tuple[str, ...]
    scopes: tuple[str, ...] = ()


async def find_resource(
    http: httpx.AsyncClient,
    server_url: str,
    announced: str | None,
    *,
    headers: Mapping[str, str],
    faults: Container[str] = frozenset(),
) -> ProtectedResource | None:
    """Return what the metadata of the server at `server_url` say, or nothing if it has none.

    :param announced: where they are, if the challenge says so.
    :raises ClientFailure: they are not where they were announced, are those of another resource, or name no authorization
        server.
    """
    if OAuthFault.RESOURCE_METADATA_SKIPPED in faults:
        return None
    urls = resource_metadata_urls(server_url)
    if OAuthFault.ROOT_METADATA_FIRST in faults:
        await document_at(http, urls[-1], headers=headers)
    # MUST be what the challenge names where it names one, else the well-known places in their order: 2025-11-25,
    # basic/authorization#protected-resource-metadata-discovery-requirements
    for url in [announced] if announced else urls:
        document = await document_at(http, url, headers=headers)
        if document is not None:
            return read_resource(document, server_url, faults)
    if announced:
        raise ClientFailure(f"there are no metadata of the resource at {announced}, which the challenge names")
    return None


def read_resource(document: JsonObject, server_url: str, faults: Container[str] = frozenset()) -> ProtectedResource:
    """Return what metadata of the server at `server_url` say.

    :raises ClientFailure: they are those of another resource, or name no authorization server.
    """
    resource = text_of(document.get("resource"))
    ours = resource is not None and covers(resource, server_url)
    # MUST NOT be used unless the resource is the one that was asked about: RFC 9728, 3.3
    if resource is None or not (ours or OAuthFault.FOREIGN_RESOURCE_ACCEPTED in faults):
        named = shown(document.get("resource"))
        raise ClientFailure(f"the metadata of the resource at {server_url} are those of {named}")
    issuers = texts_of(document.get("authorization_servers"))
    # MUST have at least one: 2025-11-25, basic/authorization#authorization-server-location
    if not issuers:
        raise ClientFailure(f"the metadata of the resource at {server_url} name no authorization server")
    return ProtectedResource(identifier=resource, issuers=issuers, scopes=texts_of(document.get("scopes_supported")))
