"""Metadata: what an authorization server says of itself, and where.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#authorization-server-metadata-discovery
"""

from __future__ import annotations

from pytest_mcp_conformance.authorization import AuthorizationPeer
from pytest_mcp_conformance.authorization.discovery import Published, Unpublished
from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, Shown, as_list, dumps, shown
from pytest_mcp_conformance.model import Level, Needs, Requirement, Revision, SpecRef
from pytest_mcp_conformance.protocol.media_types import JSON
from pytest_mcp_conformance.scenarios.declaration import authorization_scenario

PAGE = "https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization"
CIMD_DRAFT = "https://datatracker.ietf.org/doc/html/draft-ietf-oauth-client-id-metadata-document-00"
KEPT_CHARACTERS = 64 * 1024  # of the metadata in the details of a check

METADATA = Requirement(
    id="authorization-server-metadata",
    name="AuthorizationServerMetadata",
    level=Level.MUST,
    text="The metadata of the authorization server stands under a well-known URL of its issuer and lets a client go on.",
    spec=(SpecRef(id="MCP-Authorization-metadata-discovery", url=f"{PAGE}#authorization-server-metadata-discovery"),),
)
CIMD = Requirement(
    id="authorization-server-metadata-cimd",
    name="AuthorizationServerMetadataCIMD",
    level=Level.SHOULD,
    text="The metadata says that clients may be named by the URL of their metadata document.",
    spec=(
        SpecRef(id="MCP-Client-ID-Metadata-Documents", url=f"{PAGE}#client-id-metadata-documents"),
        SpecRef(id="IETF-OAuth-Client-ID-Metadata-Document", url=CIMD_DRAFT),
    ),
    since=Revision.V2025_11_25,
)
SUPPORTED = "client_id_metadata_document_supported"


def problems_of(found: Published | Unpublished, issuer: str) -> list[str]:
    """Return what is wrong with the metadata that was found for `issuer`, in words; nothing where a client can go on."""
    if isinstance(found, Unpublished):
        return [f"no well-known URL answers with status 200 ({', '.join(found.answers)})"]
    # MUST be application/json: RFC 8414, 3.2
    if JSON not in found.content_type.lower():
        return [f"Content-Type is {shown(found.content_type)}"]
    document = found.document
    if document is None:
        return ["the body is no JSON object"]
    return [
        *_endpoint_problems(document, "authorization_endpoint"),
        *_endpoint_problems(document, "token_endpoint"),
        *_list_problems(document, "response_types_supported", "code"),
        # MUST announce PKCE, or clients MUST NOT go on: 2025-11-25, basic/authorization#authorization-code-protection
        *_list_problems(document, "code_challenge_methods_supported", "S256"),
        *_issuer_problems(document, issuer),
    ]


def _endpoint_problems(document: JsonObject, member: str) -> list[str]:
    value = document.get(member)
    return [] if isinstance(value, str) and value else [f"{member} is {_told(document, member)}"]


def _list_problems(document: JsonObject, member: str, needed: str) -> list[str]:
    return (
        [] if needed in as_list(document.get(member)) else [f"{member} is {_told(document, member)}, without {needed}"]
    )


def _issuer_problems(document: JsonObject, issuer: str) -> list[str]:
    # MUST be identical to the issuer that the URL was made from: RFC 8414, 3.3
    if document.get("issuer") == issuer:
        return []
    return [f"issuer is {_told(document, 'issuer')} and not {shown(issuer)}"]


def _told(document: JsonObject, member: str) -> str:
    return shown(document[member]) if member in document else "absent"


@authorization_scenario(
    name="authorization-server-metadata-endpoint",
    introduced_in="2025-03-26",
    purpose="The authorization server publishes metadata that a client can use, where a client looks for it.",
    needs=Needs(other=("Metadata under one of the well-known URLs of the issuer.",)),
    decides=(METADATA, CIMD),
)
async def metadata_endpoint(target: AuthorizationPeer, checks: Checks) -> None:
    found = await target.metadata()
    problems = problems_of(found, target.settings.url)
    document = found.document if isinstance(found, Published) and JSON in found.content_type.lower() else None
    checks.decide(
        METADATA,
        not problems,
        expected="metadata with endpoints, response type code, PKCE by S256, and the issuer as it was given",
        got=Shown(", ".join(problems)),
        details=_details(found) if document is not None else None,
    )
    if document is None or not CIMD.applies_at(target.revision):
        return
    checks.decide(
        CIMD,
        document.get(SUPPORTED) is True,
        expected=f"{SUPPORTED} to be true",
        got=Shown(_told(document, SUPPORTED)),
        details={SUPPORTED: document.get(SUPPORTED)},
    )


def _details(found: Published | Unpublished) -> JsonObject:
    if isinstance(found, Unpublished):
        return {}
    small = len(dumps(found.content)) <= KEPT_CHARACTERS
    return {"contentType": found.content_type, "body": found.content if small else shown(found.content)}
