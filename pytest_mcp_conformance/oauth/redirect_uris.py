"""Where an authorization server sends the browser back to, with a code or an error in the query.

Specification: RFC 6749, 3.1.2 and 4.1.2.
"""

from __future__ import annotations

from collections.abc import Mapping
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


def with_parameters(uri: str, parameters: Mapping[str, str]) -> str:
    """Return `uri` with `parameters` in its query; what the query already has stays, unless it has the same name.

    MUST keep the query that is there: RFC 6749, 3.1.2
    """
    parts = urlsplit(uri)
    kept = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name not in parameters]
    query = urlencode([*kept, *parameters.items()], errors="replace")
    return quote(urlunsplit(parts._replace(query=query)), safe=KEPT, errors="replace")
