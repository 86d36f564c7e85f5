"""What an HTTP response carries: JSON-RPC messages, as one JSON text or as an event stream."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass

import httpx

from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonValue, NotJson, as_object, loads, shown
from pytest_mcp_conformance.protocol.json_rpc import RpcError
from pytest_mcp_conformance.protocol.sse import Event, SseParser
from pytest_mcp_conformance.reference.client.failing import ClientFailure, RequestRefused

MAX_BODY = 16 * 1024 * 1024  # bytes of a response that is no stream
EVENT_STREAM = "text/event-stream"
JSON = "application/json"


@dataclass
class Cursor:
    """How far a stream has been read, for coming back to it.

    :ivar event_id: of the last event that had one; empty if none had.
    :ivar retry_ms: to wait before coming back, where the server said so.
    """

    event_id: str = ""
    retry_ms: int | None = None


def media_type(response: httpx.Response) -> str:
    """Return the type of the body, without parameters, in lower case."""
    declared: str = response.headers.get("content-type", "")
    return declared.partition(";")[0].strip().lower()


async def messages(response: httpx.Response, cursor: Cursor) -> AsyncGenerator[JsonValue, None]:
    """Yield every message that the body of a successful response holds, and keep `cursor` up to date.

    A stream that breaks off ends as one that is closed.

    :raises ClientFailure: the body is neither of the two, or holds no JSON.
    """
    # MUST support both: 2025-03-26 to 2025-11-25, basic/transports#sending-messages-to-the-server, item 5
    if media_type(response) == JSON:
        for message in _each(_json(await body_of(response))):
            yield message
        return
    if media_type(response) != EVENT_STREAM:
        raise ClientFailure(f"the answer has the type {shown(response.headers.get('content-type'))}")
    parser = SseParser(retry_ms=cursor.retry_ms, last_event_id=cursor.event_id)
    async for chunk in _chunks(response):
        try:
            events = parser.feed(chunk)
        except Nonconforming as error:
            raise ClientFailure(error.message) from error
        # Also what came in a block without data counts.
        cursor.event_id, cursor.retry_ms = parser.last_event_id, parser.retry_ms
        for event in events:
            for message in _messages_of(event):
                yield message


async def body_of(response: httpx.Response) -> bytes:
    """Return the body of a response.

    :raises ClientFailure: it is larger than any message, or breaks off.
    """
    read = bytearray()
    try:
        async for chunk in response.aiter_bytes():
            read += chunk
            if len(read) > MAX_BODY:
                raise ClientFailure(f"the answer has more than {MAX_BODY} bytes")
    except httpx.HTTPError as error:
        raise ClientFailure(f"the answer breaks off: {error!r}") from error
    return bytes(read)


async def refusal(method: str, response: httpx.Response) -> ClientFailure:
    """Return what the response says that is no success: the error in it, or else its status."""
    try:
        error = RpcError.read(as_object(loads(await body_of(response))).get("error"))
    except (NotJson, ClientFailure):
        error = None
    if error is not None:
        return RequestRefused(method, error)
    return ClientFailure(f"{method} was answered with HTTP status {response.status_code}")


async def _chunks(response: httpx.Response) -> AsyncGenerator[bytes, None]:
    try:
        async for chunk in response.aiter_bytes():
            yield chunk
    except httpx.HTTPError:  # which tells as little about the request as an orderly end of the connection
        return


def _messages_of(event: Event) -> list[JsonValue]:
    # An event without data only tells an id: 2025-11-25, basic/transports#sending-messages-to-the-server, item 6
    if event.event != "message" or not event.data:
        return []
    try:
        return _each(event.value())
    except NotJson as error:
        raise ClientFailure(f"an event is {error}") from error


def _json(body: bytes) -> JsonValue:
    try:
        return loads(body)
    except NotJson as error:
        raise ClientFailure(f"the answer is {error}") from error


def _each(value: JsonValue) -> list[JsonValue]:
    """Return the messages of a batch, or the one message. MUST accept batches: 2025-03-26, basic#batching."""
    return value if isinstance(value, list) else [value]
