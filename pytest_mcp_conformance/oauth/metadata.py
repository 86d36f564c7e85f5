"""The two documents by which a client finds its way: of an authorization server, and of a protected resource.

Specification: RFC 8414, 2; RFC 9728, 2; OpenID Connect Discovery 1.0, 3.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.oauth.clients import NONE
from pytest_mcp_conformance.oauth.events import AUTHORIZATION_CODE, REFRESH_TOKEN
from pytest_mcp_conformance.oauth.pkce import S256

OAUTH_LOCATION = "/.well-known/oauth-authorization-server"
OPENID_LOCATION = "/.well-known/openid-configuration"
RESOURCE_ROOT = "/.well-known/oauth-protected-resource"
RESOURCE_LOCATION = f"{RESOURCE_ROOT}/mcp"

FOREIGN_ISSUER = "https://evil.example.com"


class IssuerSent(Enum):
    """What the iss parameter of an authorization response says: RFC 9207, 2."""

    CORRECT = "the issuer"
    FOREIGN = "another issuer"
    WITH_SLASH = "the issuer and a slash"
    NONE = "nothing: the parameter is left out"


@dataclass(frozen=True, kw_only=True)
class ServerMetadata:
    """What an authorization server says about itself, and where.

    :ivar location: the only path of the document; without one there is no document.
    :ivar path: of the issuer, and in front of its endpoints: a tenant.
    :ivar endpoints_path: in front of the endpoints, where that is another one.
    :ivar issuer: what the document calls the issuer in the place of the true one.
    :ivar openid: whether it is a document of OpenID Connect.
    :ivar registers: whether the document has a registration endpoint; there is one all the same.
    :ivar code_challenge_methods: none leaves the member out; so does none of `scopes` and `names_issuer`.
    :ivar names_issuer: whether authorization responses have the iss parameter, as the document says.
    :ivar more: further members, or others in the place of those.
    """

    location: str | None = OAUTH_LOCATION
    path: str = ""
    endpoints_path: str | None = None
    issuer: str | None = None
    openid: bool = False
    registers: bool = True
    scopes: tuple[str, ...] | None = None
    grant_types: tuple[str, ...] = (AUTHORIZATION_CODE, REFRESH_TOKEN)
    auth_methods: tuple[str, ...] = (NONE,)
    code_challenge_methods: tuple[str, ...] | None = (S256,)
    names_issuer: bool | None = True
    client_id_documents: bool | None = None
    more: JsonObject = field(default_factory=dict)

    @property
    def endpoints(self) -> str:
        """What stands in front of the paths of the endpoints."""
        return self.path if self.endpoints_path is None else self.endpoints_path

    def issuer_at(self, base: str) -> str:
        """Return the issuer of a server whose URL is `base`."""
        return self.issuer or f"{base}{self.path}"

    def document(self, base: str) -> JsonObject:
        """Return the document of a server whose URL is `base`."""
        optional: JsonObject = {
            "registration_endpoint": f"{base}{self.endpoints}/register" if self.registers else None,
            "scopes_supported": _listed(self.scopes),
            "code_challenge_methods_supported": _listed(self.code_challenge_methods),
            "authorization_response_iss_parameter_supported": self.names_issuer,
            "client_id_metadata_document_supported": self.client_id_documents,
        }
        return {
            "issuer": self.issuer_at(base),
            "authorization_endpoint": f"{base}{self.endpoints}/authorize",
            "token_endpoint": f"{base}{self.endpoints}/token",
            "response_types_supported": ["code"],
            "grant_types_supported": list(self.grant_types),
            "token_endpoint_auth_methods_supported": list(self.auth_methods),
            **{name: value for name, value in optional.items() if value is not None},
            **(_openid_members(base) if self.openid else {}),
            **self.more,
        }


@dataclass(frozen=True, kw_only=True)
class ResourceMetadata:
    """What a protected resource says about itself, and where.

    :ivar resource: its identifier, in the place of the true one.
    :ivar authorization_servers: issuers.
    """

    authorization_servers: tuple[str, ...] = ()
    location: str = RESOURCE_LOCATION
    resource: str | None = None
    scopes: tuple[str, ...] | None = None

    def resource_at(self, base: str) -> str:
        """Return the identifier of a resource whose server is at `base`: what the location was made from.

        MUST be what the well-known part was inserted into to get the location: RFC 9728, 3.1
        """
        return self.resource or (base if self.location == RESOURCE_ROOT else f"{base}/mcp")

    def document(self, base: str) -> JsonObject:
        """Return the document of a resource whose server is at `base`."""
        scopes: JsonObject = {} if self.scopes is None else {"scopes_supported": list(self.scopes)}
        return {
            "resource": self.resource_at(base),
            "authorization_servers": list(self.authorization_servers),
            **scopes,
        }


def _listed(values: tuple[str, ...] | None) -> JsonValue:
    return None if values is None else list[JsonValue](values)


def _openid_members(base: str) -> JsonObject:
    """Return what OpenID Connect demands beside: Discovery 1.0, 3. No ID tokens are issued, so there are no keys."""
    return {
        "jwks_uri": f"{base}/.well-known/jwks.json",
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
    }
