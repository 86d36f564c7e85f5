"""The metadata that the reference authorization server publishes.

Source: RFC 8414, 2 and 3.
"""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.reference.authorization.clients import METHODS
from pytest_mcp_conformance.reference.authorization.faults import AuthorizationFault as Fault
from pytest_mcp_conformance.serving.http import HttpReply, json_reply

WELL_KNOWN = "/.well-known/oauth-authorization-server"
AUTHORIZE = "/authorize"
TOKEN = "/token"  # noqa: S105 -- a path
SCOPES = ("mcp",)
HTML = {"content-type": "text/html; charset=utf-8"}

# What a fault leaves out of the document, or says in its place.
LEFT_OUT = {
    Fault.NO_AUTHORIZATION_ENDPOINT: "authorization_endpoint",
    Fault.NO_TOKEN_ENDPOINT: "token_endpoint",
    Fault.NO_RESPONSE_TYPES: "response_types_supported",
    Fault.PKCE_UNANNOUNCED: "code_challenge_methods_supported",
    Fault.CIMD_UNANNOUNCED: "client_id_metadata_document_supported",
}
REPLACED: dict[Fault, JsonObject] = {
    Fault.NO_CODE_RESPONSE_TYPE: {"response_types_supported": ["token"]},
    Fault.PKCE_PLAIN_ONLY: {"code_challenge_methods_supported": ["plain"]},
}


def document(issuer: str, faults: frozenset[Fault]) -> JsonObject:
    """Return the metadata of the server that `issuer` names."""
    made: JsonObject = {
        "issuer": f"{issuer}/" if Fault.ISSUER_WITH_SLASH in faults else issuer,
        "authorization_endpoint": f"{issuer}{AUTHORIZE}",
        "token_endpoint": f"{issuer}{TOKEN}",
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        # MUST announce PKCE: 2025-11-25, basic/authorization#authorization-code-protection
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": list(METHODS),
        "scopes_supported": list(SCOPES),
        # MUST announce what it sends: RFC 9207, 3
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": True,
    }
    for fault in faults:
        made.pop(LEFT_OUT.get(fault, ""), None)
        made.update(REPLACED.get(fault, {}))
    return made


def metadata_reply(issuer: str, faults: frozenset[Fault]) -> HttpReply:
    """Return the response that carries the metadata."""
    if Fault.METADATA_MISSING in faults:
        return HttpReply(status=404)
    if Fault.METADATA_NO_JSON in faults:
        return HttpReply(status=200, headers={"content-type": "application/json"}, body=b"<!doctype html><p>Metadata")
    made = document(issuer, faults)
    reply = json_reply([made] if Fault.METADATA_A_LIST in faults else made)
    if Fault.METADATA_AS_TEXT in faults:
        return HttpReply(status=200, headers={"content-type": "text/plain"}, body=reply.body)
    return reply
