"""The places in the extensions of authorization, and in the standards behind them, that checks carry."""

from __future__ import annotations

from pytest_mcp_conformance.model import SpecRef
from pytest_mcp_conformance.scenarios.client.auth.references import OAUTH_21, RFC

EXTENSIONS = "https://github.com/modelcontextprotocol/ext-auth/blob"
PULL_REQUESTS = "https://github.com/modelcontextprotocol/modelcontextprotocol/pull"
DATATRACKER = "https://datatracker.ietf.org/doc/html"

CLIENT_CREDENTIALS_GRANT = SpecRef(id="OAUTH-2.1-client-credentials-grant", url=f"{OAUTH_21}#section-4.2")
CLIENT_CREDENTIALS = SpecRef(
    id="SEP-1046-Client-Credentials", url=f"{EXTENSIONS}/main/specification/draft/oauth-client-credentials.mdx"
)
JWT_CLIENT_AUTHENTICATION = SpecRef(id="RFC-7523-JWT-Client-Auth", url=f"{DATATRACKER}/rfc7523#section-2.2")
JWT_CONTENTS = SpecRef(id="RFC-7523-JWT-Format", url=f"{DATATRACKER}/rfc7523#section-3")

TOKEN_EXCHANGE = SpecRef(id="RFC-8693-Token-Exchange", url=f"{DATATRACKER}/rfc8693")
JWT_BEARER_GRANT = SpecRef(id="RFC-7523-JWT-Bearer-Grant", url=f"{DATATRACKER}/rfc7523")
ENTERPRISE_MANAGED = SpecRef(
    id="SEP-990-Enterprise-Managed-OAuth",
    url=f"{EXTENSIONS}/main/specification/draft/enterprise-managed-authorization.mdx",
)

WORKLOAD_IDENTITY = SpecRef(id="SEP-1933-Workload-Identity-Federation", url=f"{PULL_REQUESTS}/1933")

DPOP = SpecRef(id="SEP-1932-DPoP", url=f"{PULL_REQUESTS}/1932")
DPOP_EXTENSION = SpecRef(
    id="MCP-DPoP-Extension", url=f"{EXTENSIONS}/pieterkas-dpop-extension/specification/draft/dpop-extension.mdx"
)
DPOP_PROOF_SYNTAX = SpecRef(id="RFC-9449-dpop-proof-jwt-syntax", url=f"{RFC}/rfc9449.html#section-4.2")
DPOP_PROOF_CHECKING = SpecRef(id="RFC-9449-checking-dpop-proofs", url=f"{RFC}/rfc9449.html#section-4.3")
DPOP_TOKEN_REQUEST = SpecRef(id="RFC-9449-dpop-access-token-request", url=f"{RFC}/rfc9449.html#section-5")
DPOP_SCHEME = SpecRef(id="RFC-9449-dpop-authentication-scheme", url=f"{RFC}/rfc9449.html#section-7.1")
DPOP_SERVER_NONCE = SpecRef(id="RFC-9449-authorization-server-provided-nonce", url=f"{RFC}/rfc9449.html#section-8")
DPOP_RESOURCE_NONCE = SpecRef(id="RFC-9449-resource-server-provided-nonce", url=f"{RFC}/rfc9449.html#section-9")
