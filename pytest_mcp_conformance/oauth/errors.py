"""How OAuth says no: an error code in a JSON object, or in the query of a redirect.

Specification: RFC 6749, 4.1.2.1 and 5.2; RFC 7591, 3.2.2; RFC 8707, 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.serving.http import HttpReply, json_reply

INVALID_REQUEST = "invalid_request"
INVALID_CLIENT = "invalid_client"
INVALID_GRANT = "invalid_grant"
INVALID_SCOPE = "invalid_scope"
INVALID_CLIENT_METADATA = "invalid_client_metadata"
UNAUTHORIZED_CLIENT = "unauthorized_client"
UNSUPPORTED_GRANT_TYPE = "unsupported_grant_type"

# MUST be on every answer that carries tokens, and does no harm on the others: RFC 6749, 5.1
NOT_STORED: Mapping[str, str] = {"cache-control": "no-store", "pragma": "no-cache"}


@dataclass(frozen=True, kw_only=True)
class OAuthError:
    """A request that is answered with an OAuth error.

    :ivar description: in our own words, ASCII without quotation marks and backslashes; never what a client sent.
    :ivar headers: further header fields of the answer, for example a nonce.
    """

    error: str
    description: str
    status: int = 400
    headers: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> JsonObject:
        """Return the object that carries the error."""
        return {"error": self.error, "error_description": self.description}

    def reply(self) -> HttpReply:
        """Return the answer of an endpoint that speaks JSON."""
        return json_reply(self.as_json(), status=self.status, headers={**NOT_STORED, **self.headers})


def invalid_request(description: str) -> OAuthError:
    """Refuse a request that lacks something, has it twice, or cannot be read."""
    return OAuthError(error=INVALID_REQUEST, description=description)


def invalid_grant(description: str) -> OAuthError:
    """Refuse a code, or another grant, that is not good here."""
    return OAuthError(error=INVALID_GRANT, description=description)


def invalid_client(description: str, *, scheme: str | None = None) -> OAuthError:
    """Refuse a client that does not authenticate itself.

    MUST be 401 with the scheme that the client used, where it used the Authorization header: RFC 6749, 5.2
    """
    headers = {"www-authenticate": f'{scheme} realm="token"'} if scheme else {}
    return OAuthError(error=INVALID_CLIENT, description=description, status=401, headers=headers)
