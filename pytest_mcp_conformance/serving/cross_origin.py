"""What lets a page of another origin talk to a server: the answer to a preflight, and header fields on every answer.

Specification: https://fetch.spec.whatwg.org/#http-cors-protocol
"""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.serving.asgi import Send
from pytest_mcp_conformance.serving.http import HttpRequest, send_head

# What MCP and its authorization say in header fields of a response. A page sees no other than these and a safe few.
EXPOSED = ("Mcp-Session-Id", "MCP-Protocol-Version", "WWW-Authenticate", "DPoP-Nonce")

ON_EVERY_ANSWER: Mapping[str, str] = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": ", ".join(EXPOSED),
}


def is_preflight(request: HttpRequest) -> bool:
    """Tell whether a browser asks on its own account whether it may send a request for a page."""
    headers = request.headers
    asks = headers.get("origin") is not None and headers.get("access-control-request-method") is not None
    return request.method == "OPTIONS" and asks


async def allow(request: HttpRequest, send: Send) -> None:
    """Answer a preflight: whatever it asks for is allowed."""
    asked = request.headers.get
    fields = {
        "access-control-allow-methods": asked("access-control-request-method"),
        # Named, for `*` leaves Authorization out.
        "access-control-allow-headers": asked("access-control-request-headers"),
        # Of a page on the web that calls this machine: https://wicg.github.io/private-network-access/
        "access-control-allow-private-network": asked("access-control-request-private-network"),
    }
    # MUST NOT have Content-Length: RFC 9110, 8.6
    await send_head(send, status=204, headers={name: value for name, value in fields.items() if value is not None})
    await send({"type": "http.response.body", "body": b""})
