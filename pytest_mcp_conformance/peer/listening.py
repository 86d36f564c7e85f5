"""A response that is read while it arrives: streams that stay open, or whose messages are looked at one by one.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#receiving-messages
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field

from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, NotJson, as_object, loads, same
from pytest_mcp_conformance.peer.api import Peer
from pytest_mcp_conformance.protocol.http import HttpStream
from pytest_mcp_conformance.protocol.json_rpc import Kind, kind_of
from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM, media_type
from pytest_mcp_conformance.protocol.recorder import Origin

OTHER_EVENT_LINES = (b"event:", b"id:", b"retry:", b":")  # of an event stream: all that is not data


@dataclass
class Heard:
    """What one response carried until it ended, enough had come, or the time was over.

    :ivar status: the HTTP status; none if there was no HTTP response in time.
    :ivar started: when the request was sent, by the clock of `time.monotonic`.
    :ivar times: when each message came, by the same clock.
    """

    started: float = 0.0
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    messages: list[JsonValue] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    @property
    def content_type(self) -> str:
        """The media type of the response."""
        return media_type(self.headers)

    def messages_within(self, seconds: float) -> list[JsonValue]:
        """Return the messages that came in the first `seconds`."""
        timed = zip(self.messages, self.times, strict=True)
        return [message for message, when in timed if when - self.started <= seconds]


async def hear(
    peer: Peer,
    request: JsonObject,
    *,
    headers: Mapping[str, str],
    within: float,
    enough: Callable[[Sequence[JsonValue]], bool] = lambda _: False,
    once_open: Callable[[], Awaitable[object]] | None = None,
) -> Heard:
    """POST `request` and take in its response message by message; then close the stream, which cancels the request.

    A stream that breaks off is no fault of its own: what it carried before is returned.

    :param within: seconds from before the request is sent.
    :param enough: asked after each message whether to stop.
    :param once_open: run once, after the first message.
    :raises PeerUnreachable: no connection.
    """
    heard = Heard(started=time.monotonic())
    method = str(request.get("method"))
    peer.http.recorder.judge(request, Origin.HARNESS, context=f"to the server: {method}", revision=peer.judged_by)
    try:
        async with asyncio.timeout(within), peer.http.open("POST", peer.url, headers=headers, body=request) as stream:
            heard.status, heard.headers = stream.status, stream.headers
            async with aclosing(_messages(stream, peer, method)) as messages:
                async for message in messages:
                    _judge(peer, message, request)
                    heard.messages.append(message)
                    heard.times.append(time.monotonic())
                    if once_open is not None and len(heard.messages) == 1:
                        await once_open()
                    if enough(heard.messages):
                        break
    except TimeoutError:
        peer.http.recorder.note(f"{method}: left after {within:g} s")
    except Nonconforming as error:
        peer.http.recorder.note(f"{method}: {error}")
    return heard


async def _messages(stream: HttpStream, peer: Peer, method: str) -> AsyncGenerator[JsonValue, None]:
    """Give the JSON values of the body: the data of events, lines of JSON, or the one value that the body is."""
    if stream.content_type == EVENT_STREAM:
        async with aclosing(stream.events()) as events:
            async for event in events:
                try:
                    value = event.value()
                except NotJson as error:
                    context = f"from the server, in answer to {method}"
                    peer.http.recorder.unreadable(event, error, context=context, revision=peer.judged_by)
                    continue
                yield value
        return
    # MUST be a single JSON object where it is no event stream: 2026-07-28,
    # basic/transports/streamable-http#sending-messages, item 6. Servers that send an object a line, or events under another
    # type, are understood all the same, so that this one fault does not hide what else there is to see.
    rest: list[bytes] = []
    one_a_line = False
    async with aclosing(stream.lines()) as lines:
        async for line in lines:
            if not line.strip() or line.startswith(OTHER_EVENT_LINES):
                continue
            try:
                value = loads(line.removeprefix(b"data:"))
            except NotJson:
                rest.append(line)
                continue
            if rest and not one_a_line:  # inside a value that is spread over lines
                rest.append(line)
                continue
            one_a_line = True
            yield value
    if rest and not one_a_line:
        with suppress(NotJson):
            yield loads(b"\n".join(rest))


def _judge(peer: Peer, message: JsonValue, request: JsonObject) -> None:
    answers = kind_of(message) is Kind.RESPONSE and same(as_object(message).get("id"), request.get("id"))
    method = str(request.get("method"))
    peer.http.recorder.judge(
        message,
        Origin.IMPLEMENTATION,
        context=f"from the server, in answer to {method}",
        request_method=method if answers else None,
        revision=peer.judged_by,
    )
