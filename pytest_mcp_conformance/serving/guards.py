"""What every HTTP request must satisfy before anybody looks at its body.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
"""

from __future__ import annotations

from urllib.parse import urlsplit

from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM, JSON, media_type_of
from pytest_mcp_conformance.serving.http import Headers

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


def is_local_host(host: str | None) -> bool:
    """Tell whether a Host header names this machine, whatever the port."""
    return host is not None and _host_name(f"//{host}") in LOCAL_HOSTS


def is_local_origin(origin: str | None) -> bool:
    """Tell whether an Origin header is absent or names a page of this machine; `null` names none."""
    if origin is None:
        return True
    return origin.startswith(("http://", "https://")) and _host_name(origin) in LOCAL_HOSTS


def _host_name(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def is_json(content_type: str | None) -> bool:
    """Tell whether a Content-Type header says JSON."""
    return media_type_of(content_type) == JSON


def accepts(accept: str | None, media_type: str) -> bool:
    """Tell whether an Accept header allows `media_type`. Without the header everything is allowed.

    Source: RFC 9110, 12.5.1.
    """
    if accept is None:
        return True
    ranges = [entry.partition(";")[0].strip().lower() for entry in accept.split(",")]
    return any(allowed in (media_type, media_type.partition("/")[0] + "/*", "*/*") for allowed in ranges)


def accepts_answers(headers: Headers) -> bool:
    """Tell whether the client takes both kinds of answer to a POST.

    MUST list both media types in Accept: 2025-11-25, basic/transports#sending-messages-to-the-server, item 2
    """
    accept = headers.get("accept")
    return accepts(accept, JSON) and accepts(accept, EVENT_STREAM)
