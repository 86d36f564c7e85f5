"""Server-sent event streams that outlive the connection they are written to.

A stream is a bounded log of events. A connection follows it from some position on; when the connection is lost, or closed
on purpose, the stream goes on, and another connection can follow it from where the first one stopped.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass

from pytest_mcp_conformance.json_values import JsonObject, dumps
from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM
from pytest_mcp_conformance.serving.asgi import Receive, Send
from pytest_mcp_conformance.serving.concurrency import first_of
from pytest_mcp_conformance.serving.http import disconnected, send_head

EVENTS_KEPT = 256  # a stream; older ones can no longer be redelivered
RETRY_MS = 500  # how long a client is asked to wait before it comes back
KEEP_ALIVE_SECONDS = 15.0  # of silence, then a comment keeps intermediaries from closing the connection
COMMENT = b":\n\n"


@dataclass(frozen=True, kw_only=True)
class EventId:
    """Where an event stands: unique in its session, because it names the stream and the place in it.

    MUST be unique across the streams of a session, SHOULD tell the stream:
    2025-11-25, basic/transports#resumability-and-redelivery, item 1
    """

    stream: int
    event: int

    def __str__(self) -> str:
        return f"{self.stream}-{self.event}"

    @classmethod
    def read(cls, text: str) -> EventId | None:
        """Return the id that `text` spells, or nothing."""
        stream, _, event = text.partition("-")
        if not (stream.isascii() and stream.isdigit() and event.isascii() and event.isdigit()):
            return None
        return cls(stream=int(stream), event=int(event))


def encode_event(data: str, *, id_: EventId | None = None, retry_ms: int | None = None) -> bytes:
    """Return one event of an event stream; `data` has no line breaks.

    Source: HTML Living Standard, 9.2.5 (parsing an event stream).
    """
    lines = [f"id: {id_}"] if id_ is not None else []
    lines += [f"retry: {retry_ms}"] if retry_ms is not None else []
    return "\n".join([*lines, f"data: {data}", "", ""]).encode()


class EventStream:
    """One stream of messages to the client.

    :param number: of the stream in its session; none for a stream that cannot be resumed, whose events have no ids.
    """

    def __init__(self, number: int | None = None) -> None:
        self.number = number
        self.finished = False
        self._events: deque[tuple[int, bytes]] = deque(maxlen=EVENTS_KEPT)
        self._last = 0
        self._follower: asyncio.Event | None = None
        self._closing = False
        self._expected = False

    @property
    def connected(self) -> bool:
        """Whether a connection follows the stream just now, or is about to."""
        return self._expected or self._follower is not None

    def expect(self) -> None:
        """Count on a connection that is about to follow the stream."""
        self._expected = True

    def prime(self, data: str = "", *, retry_ms: int | None = RETRY_MS) -> None:
        """Send the client an event id before there is anything to say.

        SHOULD send an id and an empty data field first, and a retry field before a connection is closed:
        2025-11-25, basic/transports#sending-messages-to-the-server, item 6
        """
        self._append(data, retry_ms=retry_ms)

    def send(self, message: JsonObject) -> None:
        """Put `message` on the stream."""
        self._append(dumps(message))

    def finish(self) -> None:
        """End the stream: nothing more will come, on this connection or a later one."""
        self.finished = True
        self._wake()

    def disconnect(self) -> None:
        """Close the connection that follows the stream, or the next one if there is none. The stream itself goes on."""
        self._closing = self._follower is None
        self._release()

    def _release(self) -> None:
        follower, self._follower = self._follower, None
        if follower is not None:
            follower.set()

    def _append(self, data: str, *, retry_ms: int | None = None) -> None:
        self._last += 1
        id_ = EventId(stream=self.number, event=self._last) if self.number is not None else None
        self._events.append((self._last, encode_event(data, id_=id_, retry_ms=retry_ms)))
        self._wake()

    def _wake(self) -> None:
        if self._follower is not None:
            self._follower.set()

    def holds(self, event: int) -> bool:
        """Tell whether everything after `event` is still there to be redelivered."""
        oldest = self._events[0][0] if self._events else self._last + 1
        return oldest - 1 <= event <= self._last

    async def follow(self, after: int = 0) -> AsyncGenerator[bytes, None]:
        """Yield the events after `after`, then those to come, until the stream or this connection ends.

        A second follower takes the stream over from the first.
        """
        self._release()
        self._expected = False
        self._follower = wake = asyncio.Event()
        if self._closing:
            self._closing, self._follower = False, None
        try:
            while True:
                wake.clear()
                while waiting := [entry for entry in self._events if entry[0] > after]:
                    for number, chunk in waiting:
                        yield chunk
                        after = number
                if self.finished or self._follower is not wake:
                    return
                try:
                    await asyncio.wait_for(wake.wait(), KEEP_ALIVE_SECONDS)
                except TimeoutError:
                    yield COMMENT
        finally:
            if self._follower is wake:
                self._follower = None


async def write_stream(
    stream: EventStream,
    receive: Receive,
    send: Send,
    *,
    after: int = 0,
    media_type: str = EVENT_STREAM,
    headers: Mapping[str, str] | None = None,
) -> None:
    """Answer an HTTP request with `stream`, until the stream, the connection or the client's patience ends.

    :param headers: of the response, beside those of a stream.
    """
    fields = {"content-type": media_type, "cache-control": "no-cache", "x-accel-buffering": "no", **(headers or {})}
    await send_head(send, status=200, headers=fields)

    async def write() -> None:
        async with aclosing(stream.follow(after)) as chunks:
            async for chunk in chunks:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})

    await first_of(write(), disconnected(receive))
    await send({"type": "http.response.body", "body": b""})
