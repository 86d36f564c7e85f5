"""HTTP below MCP: what came in, what goes out.

Header names are compared here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pytest_mcp_conformance.json_values import JsonValue, dumps
from pytest_mcp_conformance.serving.asgi import Receive, Send

MAX_BODY_BYTES = 4 * 1024 * 1024  # far above any message of the protocol, far below what would hurt


class BodyTooLarge(Exception):
    """The body of a request is larger than `MAX_BODY_BYTES`."""


class Headers:
    """The header fields of a request, in the order of the wire."""

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        self._fields = [(name.decode("latin-1"), value.decode("latin-1").strip(" \t")) for name, value in raw]

    def get(self, name: str) -> str | None:
        """Return the value of the field `name`, several joined with a comma, or nothing.

        MUST compare names without case: 2026-07-28, basic/transports/streamable-http#case-sensitivity
        """
        values = [value for spelled, value in self._fields if spelled.lower() == name.lower()]
        return ", ".join(values) if values else None

    def as_mapping(self) -> dict[str, str]:
        """Return all fields, names in lower case, values of repeated ones joined with a comma."""
        return {name: self.get(name) or "" for name in dict.fromkeys(spelled.lower() for spelled, _ in self._fields)}

    def spelled(self, *spellings: str) -> str | None:
        """Return the value of the first field whose name is spelled exactly as one of `spellings`."""
        return next((value for spelled, value in self._fields if spelled in spellings), None)


@dataclass(frozen=True, kw_only=True)
class HttpRequest:
    """A request whose body has been read; `body` is empty where the method has none.

    :ivar query: what stands behind the question mark, as it came.
    :ivar at: when it had come whole, in seconds of `time.monotonic`.
    :ivar entry: its number in the transcript, where there is one.
    """

    method: str
    path: str
    headers: Headers
    body: bytes = b""
    query: str = ""
    at: float = 0.0
    entry: int | None = None


@dataclass(frozen=True, kw_only=True)
class HttpReply:
    """A response that is sent in one piece."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


def json_reply(message: JsonValue, *, status: int = 200, headers: Mapping[str, str] | None = None) -> HttpReply:
    """Return a response that carries `message`."""
    fields = {"content-type": "application/json"} | dict(headers or {})
    return HttpReply(status=status, headers=fields, body=dumps(message).encode())


async def read_body(receive: Receive, *, limit: int = MAX_BODY_BYTES) -> bytes:
    """Read the body of a request to its end.

    :raises BodyTooLarge: more than `limit` bytes came; what is left stays unread.
    """
    chunks: list[bytes] = []
    size = 0
    while True:
        event = await receive()
        chunk: bytes = event.get("body", b"")
        size += len(chunk)
        if size > limit:
            raise BodyTooLarge
        chunks.append(chunk)
        if not event.get("more_body", False):  # the end, or the client has gone
            return b"".join(chunks)


async def send_reply(send: Send, reply: HttpReply) -> None:
    """Send `reply`."""
    await send_head(send, status=reply.status, headers={**reply.headers, "content-length": str(len(reply.body))})
    await send({"type": "http.response.body", "body": reply.body})


async def send_head(send: Send, *, status: int, headers: Mapping[str, str]) -> None:
    """Send status and header fields of a response; the body follows."""
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})


async def disconnected(receive: Receive) -> None:
    """Return when the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
