"""Where an authorization server sends the browser back to, with a code or an error in the query.

Specification: RFC 6749, 3.1.2 and 4.1.2; RFC 8252, 7.3.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

KEPT = "!#$%&'()*+,/:;=?@[]~-._"  # what a URI is written with; all else is percent-encoded in a header field


def is_usable(uri: str) -> bool:
    """Tell whether a browser can be sent to `uri`.

    MUST be an absolute URI, MUST NOT have a fragment: RFC 6749, 3.1.2
    """
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError:
        return False
    hostless = parts.scheme in ("http", "https") and not parts.hostname
    control = any(ord(character) <= 0x20 or ord(character) == 0x7F for character in uri)
    return bool(parts.scheme) and not hostless and not parts.fragment and not control


def is_among(uri: str, registered: Iterable[str]) -> bool:
    """Tell whether `uri` is one of those that are registered.

    MUST be compared exactly, but for the port of a loopback address, which an application learns only when it asks: RFC 8252,
    7.3; OAuth 2.1, 2.3.1. The name localhost is taken for such an address.
    """
    portless = _without_loopback_port(uri)
    return any(
        uri == each or (portless is not None and portless == _without_loopback_port(each)) for each in registered
    )


def _without_loopback_port(uri: str) -> str | None:
    """Return a redirect URI of this machine without its port; nothing where it leads elsewhere."""
    try:
        parts = urlsplit(uri)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme != "http" or not is_loopback(parts.hostname or ""):
        return None
    return uri if port is None else urlunsplit(parts._replace(netloc=parts.netloc.removesuffix(f":{port}")))


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine."""
    if host == "localhost" or host.endswith(".localhost"):  # RFC 6761, 6.3
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def with_parameters(uri: str, parameters: Mapping[str, str]) -> str:
    """Return `uri` with `parameters` in its query; what the query already has stays, unless it has the same name.

    MUST keep the query that is there: RFC 6749, 3.1.2
    """
    parts = urlsplit(uri)
    kept = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name not in parameters]
    query = urlencode([*kept, *parameters.items()], errors="replace")
    return quote(urlunsplit(parts._replace(query=query)), safe=KEPT, errors="replace")
