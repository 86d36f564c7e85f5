"""The places in the specifications that checks of the authorization scenarios carry."""

from __future__ import annotations

from pytest_mcp_conformance.model import SpecRef

MCP = "https://modelcontextprotocol.io/specification"
AUTHORIZATION = f"{MCP}/2025-11-25/basic/authorization"
DRAFT_AUTHORIZATION = f"{MCP}/draft/basic/authorization"
OLD_AUTHORIZATION = f"{MCP}/2025-03-26/basic/authorization"
OAUTH_21 = "https://www.ietf.org/archive/id/draft-ietf-oauth-v2-1-13.html"
RFC = "https://www.rfc-editor.org/rfc"

RFC_9728 = SpecRef(id="RFC-9728", url=f"{RFC}/rfc9728.html#section-3.1")
PRM_DISCOVERY = SpecRef(
    id="MCP-2025-06-18-PRM-discovery", url=f"{AUTHORIZATION}#protected-resource-metadata-discovery-requirements"
)
RFC_8414 = SpecRef(id="RFC-8414-metadata-request", url=f"{RFC}/rfc8414.html#section-3.1")
METADATA_DISCOVERY = SpecRef(
    id="MCP-Authorization-metadata-discovery", url=f"{AUTHORIZATION}#authorization-server-metadata-discovery"
)
DYNAMIC_REGISTRATION = SpecRef(id="MCP-Dynamic-client-registration", url=f"{AUTHORIZATION}#dynamic-client-registration")
AUTHORIZATION_ENDPOINT = SpecRef(id="OAUTH-2.1-authorization-endpoint", url=f"{OAUTH_21}#name-authorization-endpoint")
TOKEN_REQUEST = SpecRef(id="OAUTH-2.1-token-request", url=f"{OAUTH_21}#name-token-request")
PKCE = SpecRef(id="MCP-PKCE-requirement", url=f"{AUTHORIZATION}#authorization-code-protection")
TOKEN_USAGE = SpecRef(id="MCP-Access-token-usage", url=f"{AUTHORIZATION}#access-token-usage")
TOKEN_REQUIREMENTS = SpecRef(id="MCP-Token-Requirements", url=f"{AUTHORIZATION}#token-requirements")
COMMUNICATION_SECURITY = SpecRef(id="MCP-Communication-Security", url=f"{AUTHORIZATION}#communication-security")
CODE_VERIFIER = SpecRef(id="RFC-7636-code-verifier", url=f"{RFC}/rfc7636.html#section-4.1")
CLIENT_AUTHENTICATION = SpecRef(id="RFC-6749-client-authentication", url=f"{RFC}/rfc6749.html#section-2.3")
ACCESS_TOKEN_REQUEST = SpecRef(id="RFC-6749-access-token-request", url=f"{RFC}/rfc6749.html#section-4.1.3")
AUTHORIZATION_REQUEST = SpecRef(id="RFC-6749-authorization-request", url=f"{RFC}/rfc6749.html#section-4.1.1")
OPEN_REDIRECTION = SpecRef(id="MCP-Open-Redirection", url=f"{AUTHORIZATION}#open-redirection")
SCOPE_SELECTION = SpecRef(id="MCP-Scope-selection-strategy", url=f"{AUTHORIZATION}#scope-selection-strategy")
SCOPE_CHALLENGE = SpecRef(id="MCP-Scope-challenge-handling", url=f"{AUTHORIZATION}#scope-challenge-handling")
CLIENT_ID_DOCUMENTS = SpecRef(
    id="MCP-Client-ID-Metadata-Documents", url=f"{AUTHORIZATION}#client-id-metadata-documents"
)
IETF_CLIENT_ID_DOCUMENTS = SpecRef(
    id="IETF-OAuth-Client-ID-Metadata-Document",
    url="https://datatracker.ietf.org/doc/html/draft-ietf-oauth-client-id-metadata-document-00",
)
PREREGISTRATION = SpecRef(id="MCP-Preregistration", url=f"{AUTHORIZATION}#preregistration")
RFC_8707 = SpecRef(id="RFC-8707-Resource-Indicators", url=f"{RFC}/rfc8707.html")
RESOURCE_PARAMETER = SpecRef(
    id="MCP-Resource-Parameter-Implementation", url=f"{DRAFT_AUTHORIZATION}#resource-parameter-implementation"
)
CANONICAL_URI = SpecRef(id="MCP-Canonical-Server-URI", url=f"{DRAFT_AUTHORIZATION}#canonical-server-uri")
RESOURCE_IDENTITY = SpecRef(id="RFC-9728-resource-identity", url=f"{RFC}/rfc9728.html#section-3.3")
RFC_9207 = SpecRef(id="RFC-9207-iss-parameter", url=f"{RFC}/rfc9207.html#section-2")
REFRESH_TOKENS = SpecRef(
    id="SEP-2207-Refresh-Token-Guidance",
    url="https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2207",
)
OLD_DISCOVERY = SpecRef(
    id="MCP-2025-03-26-Authorization-metadata-discovery", url=f"{OLD_AUTHORIZATION}#server-metadata-discovery"
)
OLD_FALLBACK = SpecRef(
    id="MCP-2025-03-26-Authorization-metadata-url-fallback",
    url=f"{OLD_AUTHORIZATION}#fallbacks-for-servers-without-metadata-discovery",
)
