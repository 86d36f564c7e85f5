"""An ASGI application whose traffic is kept: every request that comes, every response that goes.

What answers the requests is handed in. So this also carries servers that speak no MCP at all.
"""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TypeAlias

from pytest_mcp_conformance.json_values import NotJson, as_object, dumps, loads
from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM, media_type
from pytest_mcp_conformance.protocol.recorder import Recorder
from pytest_mcp_conformance.protocol.sse import SseParser
from pytest_mcp_conformance.serving import cross_origin
from pytest_mcp_conformance.serving.asgi import Event, Receive, Scope, Send
from pytest_mcp_conformance.serving.http import (
    MAX_BODY_BYTES,
    BodyTooLarge,
    Headers,
    HttpReply,
    HttpRequest,
    read_body,
    send_reply,
)
from pytest_mcp_conformance.serving.incoming import spelled
from pytest_mcp_conformance.serving.venue import LOCAL, Venue

KEPT_BYTES = 32 * 1024 * 1024  # of the bodies of all requests to one server; further bodies are too large

Answering: TypeAlias = "Callable[[HttpRequest, Receive, Send], Awaitable[None]]"
"""Answers one request, whose body has been read. `Receive` tells when the client has gone."""


class RecordedApp:
    """Keeps what passes.

    :ivar requests: all HTTP requests of clients in the order in which they came.
    :ivar results: of each JSON-RPC result that went out, the entry of the HTTP request that it answered, and its id as JSON.
    :ivar loop: the one that serves, once it does.
    :param close: ends what `answering` keeps open.
    :param venue: says whom it answers, and is told of each request.
    """

    def __init__(
        self,
        answering: Answering,
        recorder: Recorder,
        *,
        close: Callable[[], None] = lambda: None,
        venue: Venue = LOCAL,
    ) -> None:
        self.requests: list[HttpRequest] = []
        self.results: list[tuple[int, str]] = []
        self.loop: asyncio.AbstractEventLoop | None = None
        self.close = close
        self._answering = answering
        self._recorder = recorder
        self._venue = venue
        self._room = KEPT_BYTES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request (ASGI)."""
        self.loop = asyncio.get_running_loop()
        if scope["type"] == "lifespan":
            await _live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, body, too_large = Headers(scope["headers"]), b"", False
        try:
            body = await read_body(receive, limit=min(MAX_BODY_BYTES, self._room))
            self._room -= len(body)
        except BodyTooLarge:
            too_large = True
        number = self._recorder.request(
            scope["method"], _url(scope, headers), headers.as_mapping(), body or None, malformed=False
        )
        request = HttpRequest(
            method=scope["method"],
            path=scope["path"],
            headers=headers,
            body=body,
            query=scope.get("query_string", b"").decode("latin-1"),
            at=time.monotonic(),
            entry=number,
        )
        # What a browser asks on its own account is no request of the client.
        preflight = self._venue.public and cross_origin.is_preflight(request)
        if not preflight:
            self.requests.append(request)
        kept = _Kept(
            send,
            self._recorder,
            number,
            more=cross_origin.ON_EVERY_ANSWER if self._venue.public else {},
            when_begun=partial(self._venue.heard, request),
            when_said=partial(self._note_result, number),
        )
        try:
            if preflight:
                await cross_origin.allow(request, kept.send)
            elif too_large:
                await send_reply(kept.send, HttpReply(status=413))
            else:
                await self._answering(request, receive, kept.send)
        except Exception as error:
            self._recorder.faults.append(error)
            self._recorder.note("".join(traceback.format_exception_only(error)).strip())
            if kept.begun:
                raise
            await send_reply(kept.send, HttpReply(status=500))
        finally:
            if not kept.begun:
                self._venue.heard(request, None)
            kept.finish()

    def _note_result(self, number: int, text: str | bytes) -> None:
        """Note the result in a body or an event; in a batch, each one."""
        try:
            said = loads(text)
        except NotJson:
            return
        answers = map(as_object, said if isinstance(said, list) else [said])
        self.results += [(number, dumps(spelled(each.get("id")))) for each in answers if "result" in each]


class _Kept:
    """Sends one response and keeps it.

    :param more: header fields that it has beside those that it is given.
    :param when_begun: is told the status.
    :param when_said: is given each body and the data of each event.
    """

    def __init__(
        self,
        send: Send,
        recorder: Recorder,
        number: int,
        *,
        more: Mapping[str, str],
        when_begun: Callable[[int], None],
        when_said: Callable[[str | bytes], None],
    ) -> None:
        self.begun = False
        self._send = send
        self._recorder = recorder
        self._number = number
        self._more = [(name.encode(), value.encode()) for name, value in more.items()]
        self._when_begun = when_begun
        self._when_said = when_said
        self._parser: SseParser | None = None
        self._body = bytearray()

    async def send(self, event: Event) -> None:
        if event["type"] == "http.response.start":
            self.begun = True
            event["headers"] = [*event.get("headers", ()), *self._more]
            headers = Headers(event["headers"]).as_mapping()
            self._when_begun(event["status"])
            self._recorder.response(self._number, event["status"], headers)
            self._parser = SseParser() if media_type(headers) == EVENT_STREAM else None
        else:
            self._take(event.get("body", b""))
        await self._send(event)

    def finish(self) -> None:
        """Keep a body that was sent in one piece or several."""
        self._recorder.body(self._number, bytes(self._body))
        self._when_said(bytes(self._body))

    def _take(self, part: bytes) -> None:
        if self._parser is None:
            self._body += part
            return
        for sse in self._parser.feed(part):
            self._recorder.event(self._number, sse)
            self._when_said(sse.data)


def _url(scope: Scope, headers: Headers) -> str:
    query = scope.get("query_string", b"").decode("latin-1")
    return f"http://{headers.get('host') or '127.0.0.1'}{scope['path']}{'?' if query else ''}{query}"


async def _live(receive: Receive, send: Send) -> None:
    while True:
        event = await receive()
        if event["type"] == "lifespan.shutdown":
            await send({"type": "lifespan.shutdown.complete"})
            return
        await send({"type": "lifespan.startup.complete"})
