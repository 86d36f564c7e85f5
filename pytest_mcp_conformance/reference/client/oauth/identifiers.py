"""Comparing identifiers: issuers to the letter, resources by what they cover, and URLs by whether they may be used."""

from __future__ import annotations

from urllib.parse import urlsplit

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
DEFAULT_PORTS = {"http": 80, "https": 443}


def same_issuer(left: str, right: str) -> bool:
    """Tell whether two issuers are one.

    Source: RFC 8414, 3.3 and RFC 9207, 2.4: by simple string comparison. 2026-07-28, basic/authorization says that case,
    default port, trailing slash and percent-encoding MUST NOT be evened out.
    """
    return left == right


def covers(resource: str, server_url: str) -> bool:
    """Tell whether the resource identifier `resource` stands for the server at `server_url`.

    It does when both are the same, and when it is the origin of the server or a path above it: metadata at the root of a host
    stands for the whole of it.

    Source: RFC 9728, 3.3: the resource MUST be the identifier into which the well-known path was inserted, here the server's
    URL or its origin. 2025-11-25, basic/authorization#canonical-server-uri: the case of scheme and host should not matter.
    """
    try:
        wide, narrow = urlsplit(resource), urlsplit(server_url)
        same_origin = _origin(resource) == _origin(server_url)
    except ValueError:  # a port that is none, a bracket that is not closed
        return False
    if not same_origin or wide.fragment or (wide.query and wide.query != narrow.query):
        return False
    above, path = wide.path.rstrip("/"), narrow.path.rstrip("/")
    return path == above or path.startswith(f"{above}/")


def usable_endpoint(url: str) -> bool:
    """Tell whether credentials may be sent to `url`: by HTTPS, or without leaving this machine.

    Source: 2025-11-25, basic/authorization#communication-security: endpoints MUST be served over HTTPS.
    """
    try:
        scheme, host, _ = _origin(url)
    except ValueError:
        return False
    return bool(host) and (scheme == "https" or (scheme == "http" and host in LOOPBACK))


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or DEFAULT_PORTS.get(parts.scheme)
