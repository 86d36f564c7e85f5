"""Resource indicators: the URI by which a client says for which server it wants a token.

Specification: RFC 8707, 2; 2025-11-25, basic/authorization#resource-parameter-implementation.
"""

from __future__ import annotations

from urllib.parse import urlsplit


def objection(resource: str) -> str | None:
    """Return what keeps `resource` from being a resource indicator, as a phrase, or nothing.

    MUST be an absolute URI, MUST NOT have a fragment: RFC 8707, 2. An empty fragment names nothing, and published checks
    let it pass.
    """
    try:
        parts = urlsplit(resource)
        _ = parts.port
    except ValueError:
        return "it is no URI"
    if any(character.isspace() for character in resource) or not parts.scheme:
        return "it is no absolute URI"
    if parts.scheme in ("http", "https") and not parts.hostname:
        return "it names no host"
    return "it has a fragment" if parts.fragment else None
