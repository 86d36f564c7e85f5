"""The stateless wire: every request carries what is needed to answer it. 2026-07-28.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
"""

from __future__ import annotations

import asyncio

from pytest_mcp_conformance.json_values import JsonValue
from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM, JSON
from pytest_mcp_conformance.reference.server import metadata
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.respond import declared, respond
from pytest_mcp_conformance.reference.server.rounds import or_ask
from pytest_mcp_conformance.reference.server.spoiled import spoil
from pytest_mcp_conformance.reference.server.stateless_calls import STATUS, StatelessCall
from pytest_mcp_conformance.reference.server.stateless_methods import METHODS, REMOVED
from pytest_mcp_conformance.reference.server.world import World
from pytest_mcp_conformance.serving.asgi import Receive, Send
from pytest_mcp_conformance.serving.concurrency import first_of
from pytest_mcp_conformance.serving.exchange import Exchange, Reply
from pytest_mcp_conformance.serving.http import Headers, HttpReply, HttpRequest, disconnected, send_reply
from pytest_mcp_conformance.serving.incoming import (
    Notification,
    Request,
    Response,
    read_message,
)
from pytest_mcp_conformance.serving.refusals import (
    Refusal,
    invalid_request,
    unknown_method,
)
from pytest_mcp_conformance.serving.streams import EventStream, write_stream


class StatelessWire:
    """Answers the HTTP requests of clients that say everything in every request."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def post(self, http: HttpRequest, body: JsonValue, receive: Receive, send: Send) -> None:
        """Answer a POST whose body is `body`.

        :raises Refusal: the POST cannot be accepted.
        """
        # MUST be a single request or notification, MUST NOT be a response: 2026-07-28,
        # basic/transports/streamable-http#sending-messages, item 4
        if isinstance(body, list):
            raise invalid_request("The body is a single message")
        message = read_message(body)
        if isinstance(message, Response):
            raise invalid_request("The body is a request or a notification")
        if isinstance(message, Notification):
            await send_reply(send, HttpReply(status=202))
            return
        await self._serve(http.headers, message, receive, send)

    async def _serve(self, headers: Headers, request: Request, receive: Receive, send: Send) -> None:
        exchange = Exchange(EventStream())
        work = asyncio.create_task(self._answer(headers, request, exchange))
        try:
            await first_of(exchange.settled(), disconnected(receive))
            if exchange.streaming:
                other = Fault.STREAM_OF_ANOTHER_TYPE in self._world.faults
                await write_stream(exchange.stream, receive, send, media_type=JSON if other else EVENT_STREAM)
            elif exchange.is_settled:
                await send_reply(send, declared(exchange.as_reply(), self._world.faults))
        finally:
            # MUST take a closed connection for a cancellation: 2026-07-28, basic/transports/streamable-http#cancellation
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    def _unknown(self, method: str) -> Refusal:
        refusal = unknown_method(method)
        if Fault.UNKNOWN_METHOD_WITH_200 in self._world.faults and method not in REMOVED:
            refusal.status = 200
        return refusal

    async def _answer(self, headers: Headers, request: Request, exchange: Exchange) -> None:
        faults = self._world.faults
        try:
            metadata.check_request(headers, request, faults)
            handler = METHODS.get(request.method)
            if handler is None:
                raise self._unknown(request.method)
            call = StatelessCall(self._world, headers, request, exchange)
            reply = await respond(call, or_ask(handler))
        except Refusal as refusal:
            status = refusal.status or STATUS.get(refusal.code, 200)
            reply = spoil(faults, request, Reply(message=refusal.as_error(request.id), status=status))
        exchange.answer(reply)
