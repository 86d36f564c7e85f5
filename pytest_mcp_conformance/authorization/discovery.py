"""Where an authorization server publishes its metadata.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#authorization-server-metadata-discovery
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from pytest_mcp_conformance.json_values import JsonObject, JsonValue


def candidates(issuer: str) -> tuple[str, ...]:
    """Return the well-known URLs of an issuer, in the order in which they MUST be tried."""
    parts = urlsplit(issuer)
    base, path = f"{parts.scheme}://{parts.netloc}", parts.path.removesuffix("/")
    urls = (
        f"{base}/.well-known/oauth-authorization-server{path}",
        f"{base}/.well-known/openid-configuration{path}",
        f"{base}{path}/.well-known/openid-configuration",
    )
    return tuple(dict.fromkeys(urls))


@dataclass(frozen=True, kw_only=True)
class Published:
    """What one of the well-known URLs answered with status 200.

    :ivar content: the body as JSON; null where it is none.
    """

    url: str
    content_type: str
    content: JsonValue

    @property
    def document(self) -> JsonObject | None:
        """The members of the metadata; none of a list, which is no metadata but JSON; nothing where it is neither."""
        if isinstance(self.content, dict):
            return self.content
        return {} if isinstance(self.content, list) else None


@dataclass(frozen=True, kw_only=True)
class Unpublished:
    """No well-known URL answered with status 200.

    :ivar answers: what each answered instead, in a few words.
    """

    answers: tuple[str, ...]
