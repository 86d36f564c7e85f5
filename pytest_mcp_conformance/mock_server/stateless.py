"""The stateless wire of a mock server: every request stands alone. 2026-07-28.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
"""

from __future__ import annotations

import asyncio

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object
from pytest_mcp_conformance.mock_server.call import MockCall
from pytest_mcp_conformance.mock_server.metadata import CLIENT_CAPABILITIES, check_request
from pytest_mcp_conformance.mock_server.responding import STATUS, Responder, deliver
from pytest_mcp_conformance.mock_server.script import Script
from pytest_mcp_conformance.model import DRAFT
from pytest_mcp_conformance.protocol.recorder import Recorder
from pytest_mcp_conformance.serving.asgi import Receive, Send
from pytest_mcp_conformance.serving.concurrency import first_of
from pytest_mcp_conformance.serving.exchange import Exchange
from pytest_mcp_conformance.serving.http import HttpReply, HttpRequest, disconnected, send_reply
from pytest_mcp_conformance.serving.incoming import Notification, Request, Response, read_message
from pytest_mcp_conformance.serving.refusals import Refusal, invalid_request, unknown_method
from pytest_mcp_conformance.serving.streams import EventStream, write_stream


class StatelessWire:
    """Answers the HTTP requests of clients that say everything in every request."""

    def __init__(self, script: Script, responder: Responder, recorder: Recorder) -> None:
        self._script = script
        self._responder = responder
        self._recorder = recorder
        self._streams: set[EventStream] = set()

    async def post(self, http: HttpRequest, body: JsonValue, receive: Receive, send: Send) -> None:
        """Answer a POST whose body is `body`.

        :raises Refusal: the POST cannot be accepted.
        """
        # MUST be a single request or notification, MUST NOT be a response: 2026-07-28,
        # basic/transports/streamable-http#sending-messages, item 4
        message = read_message(body)
        if isinstance(message, Response):
            raise invalid_request("The body is a request or a notification")
        if isinstance(message, Notification):
            await send_reply(send, HttpReply(status=202))
            return
        supported = sorted(self._script.revisions, reverse=True)
        try:
            check_request(http.headers, message, supported)
            if message.method == "initialize":
                raise unknown_method(message.method)
        except Refusal as refusal:
            refusal.status = refusal.status or STATUS.get(refusal.code)
            if message.method == "initialize" and refusal.data is None:
                # SHOULD name the versions in any answer to a client of before: 2026-07-28, basic/versioning
                refusal.data = {"supported": [*supported]}
            raise
        await self._serve(http, message, receive, send)

    def close(self) -> None:
        """End every stream that is still open."""
        for stream in self._streams:
            stream.finish()

    async def _serve(self, http: HttpRequest, request: Request, receive: Receive, send: Send) -> None:
        exchange = Exchange(EventStream())
        self._streams.add(exchange.stream)
        work = asyncio.create_task(self._answer(http, request, exchange))
        try:
            await first_of(exchange.settled(), disconnected(receive))
            if exchange.streaming:
                await write_stream(exchange.stream, receive, send)
            elif exchange.is_settled:
                await send_reply(send, exchange.as_reply())
        finally:
            # MUST take a closed connection for a cancellation: 2026-07-28, basic/transports/streamable-http#cancellation
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            self._streams.discard(exchange.stream)

    async def _answer(self, http: HttpRequest, request: Request, exchange: Exchange) -> None:
        call = MockCall(
            request,
            headers=http.headers,
            revision=DRAFT,
            capabilities=as_object(request.meta.get(CLIENT_CAPABILITIES)),
            exchange=exchange,
            recorder=self._recorder,
        )
        default = self._discovered if request.method == "server/discover" else None
        reply = await self._responder.respond(call, request, default=default)
        deliver(reply, exchange, streams=self._script.streams)

    def _discovered(self, _call: MockCall) -> JsonObject:
        """Answer server/discover. MUST be implemented: 2026-07-28, server/discover."""
        versions: list[JsonValue] = [*sorted(self._script.revisions, reverse=True)]
        result: JsonObject = {"supportedVersions": versions, "capabilities": self._script.declared()}
        return result if self._script.instructions is None else result | {"instructions": self._script.instructions}
