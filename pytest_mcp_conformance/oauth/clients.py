"""The clients that an authorization server knows.

Specification: RFC 7591, 2; 2025-11-25, basic/authorization#client-registration-approaches.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pytest_mcp_conformance.json_values import JsonObject

NONE = "none"
CLIENT_SECRET_BASIC = "client_secret_basic"  # noqa: S105 -- the name of a method
CLIENT_SECRET_POST = "client_secret_post"  # noqa: S105 -- the name of a method
PRIVATE_KEY_JWT = "private_key_jwt"


@dataclass(frozen=True, kw_only=True)
class Client:
    """A client: registered by itself, or known beforehand.

    :ivar secret: none of a public client.
    :ivar metadata: what it said about itself when it registered.
    """

    id: str
    secret: str | None = None
    auth_method: str = NONE
    redirect_uris: tuple[str, ...] = ()
    metadata: JsonObject = field(default_factory=dict)
