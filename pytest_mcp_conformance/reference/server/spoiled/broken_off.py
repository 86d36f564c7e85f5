"""A fault that no message has: a stream that ends in the middle of an event."""

from __future__ import annotations

from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM
from pytest_mcp_conformance.serving.asgi import Send
from pytest_mcp_conformance.serving.http import send_head


async def break_off(send: Send) -> None:
    """Answer with an event stream that breaks off in its first event."""
    await send_head(send, status=200, headers={"content-type": EVENT_STREAM})
    await send({"type": "http.response.body", "body": b"data: {", "more_body": True})
    raise ConnectionAbortedError
