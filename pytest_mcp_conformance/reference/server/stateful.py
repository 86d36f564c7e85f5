"""The stateful wire: initialize, sessions, streams that can be resumed. 2025-03-26 to 2025-11-25.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
"""

from __future__ import annotations

import asyncio

from pytest_mcp_conformance import __version__
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, dumps
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.respond import declared, respond
from pytest_mcp_conformance.reference.server.revisions import known_members, negotiated
from pytest_mcp_conformance.reference.server.sessions import Session
from pytest_mcp_conformance.reference.server.spoiled import spoil, subject
from pytest_mcp_conformance.reference.server.spoiled.broken_off import break_off
from pytest_mcp_conformance.reference.server.stateful_calls import StatefulCall
from pytest_mcp_conformance.reference.server.stateful_methods import METHODS, unknown
from pytest_mcp_conformance.reference.server.world import INSTRUCTIONS, World, identity
from pytest_mcp_conformance.serving.asgi import Receive, Send
from pytest_mcp_conformance.serving.exchange import Exchange, Reply
from pytest_mcp_conformance.serving.http import Headers, HttpReply, HttpRequest, json_reply, send_reply
from pytest_mcp_conformance.serving.incoming import (
    Incoming,
    Notification,
    Request,
    Response,
    is_request_id,
    read_message,
    text,
)
from pytest_mcp_conformance.serving.refusals import Refusal, invalid_params, invalid_request
from pytest_mcp_conformance.serving.streams import EventId, write_stream

SESSION_HEADER = "mcp-session-id"
CAPABILITIES: JsonObject = {
    "tools": {"listChanged": True},
    "prompts": {"listChanged": True},
    "resources": {"subscribe": True, "listChanged": True},
    "completions": {},
    "logging": {},
}


class StatefulWire:
    """Answers the HTTP requests of clients that began with initialize."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def post(self, http: HttpRequest, body: JsonValue, receive: Receive, send: Send) -> None:
        """Answer a POST whose body is the message, or the batch, `body`.

        :raises Refusal: the POST cannot be accepted.
        """
        if as_object(body).get("method") == "initialize" and http.headers.get(SESSION_HEADER) is None:
            await send_reply(send, declared(self._initialize(read_message(body)), self._world.faults))
            return
        session = self._session(http.headers)
        messages = self._messages(body, session)
        requests = [message for message in messages if isinstance(message, Request)]
        # MUST NOT be used twice: 2025-11-25, basic#requests
        if len({dumps(request.id) for request in requests}) < len(requests) or any(
            session.runs(request.id) for request in requests
        ):
            raise invalid_request("A request with this id is being worked on")
        for message in messages:
            self._check(message)
            if Fault.INITIALIZED_REFUSED in self._world.faults:
                self._refuse_initialized(message)
        for message in messages:
            self._take(message, session)
        if not requests:
            # MUST be 202 without a body: 2025-11-25, basic/transports#sending-messages-to-the-server, item 4
            await send_reply(send, HttpReply(status=202))
            return
        await self._serve(session, requests, receive, send, batch=isinstance(body, list))

    def _messages(self, body: JsonValue, session: Session) -> list[Incoming]:
        if not isinstance(body, list):
            return [read_message(body)]
        # MUST be a single message from 2025-06-18 on; before, a batch: 2025-03-26,
        # basic/transports#sending-messages-to-the-server, item 3
        if session.revision > Revision.V2025_03_26 or not body:
            raise invalid_request("The body is a single message")
        messages = [read_message(entry) for entry in body]
        if len({isinstance(message, Response) for message in messages}) > 1:
            raise invalid_request("A batch holds responses or the other messages, not both")
        return messages

    def _check(self, message: Incoming) -> None:
        if isinstance(message, Request) and message.method == "initialize":
            raise invalid_request("The session is initialized already")

    def _refuse_initialized(self, message: Incoming) -> None:
        if isinstance(message, Notification) and message.method == "notifications/initialized":
            raise invalid_request("Not now")

    def _take(self, message: Incoming, session: Session) -> None:
        match message:
            case Response():
                session.take(message)
            case Notification(method="notifications/initialized"):
                session.initialized = True
            case Notification(method="notifications/cancelled"):
                id_ = message.params.get("requestId")
                if is_request_id(id_):
                    session.cancel(id_)
            case _:
                pass

    async def _serve(
        self, session: Session, requests: list[Request], receive: Receive, send: Send, *, batch: bool
    ) -> None:
        stream = session.new_stream()
        exchange = Exchange(stream, expected=len(requests), batch=batch, prime=session.prime)
        for request in requests:
            work = asyncio.create_task(self._answer(session, request, exchange))
            work.add_done_callback(lambda ended: exchange.abandon() if ended.cancelled() else None)
            session.start(request.id, work)
        # SHOULD NOT take a lost connection for a cancellation: 2025-11-25,
        # basic/transports#sending-messages-to-the-server, item 6
        await exchange.settled()
        if exchange.streaming and self._bodiless(requests[0]):
            await send_reply(send, HttpReply(status=204, headers={"content-type": EVENT_STREAM}))
        elif exchange.streaming and self._breaks_off(requests[0]):
            await break_off(send)
        elif exchange.streaming:
            await write_stream(stream, receive, send)
        else:
            session.forget(stream)
            await send_reply(send, declared(exchange.as_reply(), self._world.faults))

    def _bodiless(self, request: Request) -> bool:
        return Fault.STREAM_WITHOUT_BODY in self._world.faults and subject(request) == "test_reconnection"

    def _breaks_off(self, request: Request) -> bool:
        return Fault.LIST_BREAKS_OFF in self._world.faults and request.method == "tools/list"

    async def _answer(self, session: Session, request: Request, exchange: Exchange) -> None:
        try:
            if self._breaks_off(request):
                exchange.open_stream()
            call = StatefulCall(self._world, session, request, exchange)
            exchange.answer(await respond(call, METHODS.get(request.method, unknown)))
        except Refusal as refusal:
            exchange.answer(Reply(message=refusal.as_error(request.id), status=refusal.status or 200))

    def _initialize(self, message: Incoming) -> HttpReply:
        if not isinstance(message, Request):
            raise invalid_request("initialize is a request")
        params, client = message.params, as_object(message.params.get("clientInfo"))
        requested = text(params, "protocolVersion")
        capabilities = params.get("capabilities")
        named = isinstance(client.get("name"), str) and isinstance(client.get("version"), str)
        if not isinstance(capabilities, dict) or not named:
            raise invalid_params("initialize carries capabilities and clientInfo with name and version")
        revision = negotiated(requested)
        session = self._world.sessions.open(revision=revision, capabilities=capabilities)
        result: JsonObject = {
            "protocolVersion": revision,
            "capabilities": CAPABILITIES,
            "serverInfo": known_members(identity(__version__), revision),
            "instructions": INSTRUCTIONS,
        }
        headers = {} if Fault.NO_SESSION_ID in self._world.faults else {SESSION_HEADER: session.id}
        reply = spoil(self._world.faults, message, Reply(message=json_rpc.result(message.id, result)))
        return json_reply(reply.message, status=reply.status, headers=headers)

    def _session(self, headers: Headers) -> Session:
        id_ = headers.get(SESSION_HEADER)
        latest = self._world.sessions.latest()
        if id_ is None and latest is not None and Fault.NO_SESSION_ID in self._world.faults:
            return latest
        if id_ is None:
            # SHOULD be 400 without a session id: 2025-11-25, basic/transports#session-management, item 2
            raise Refusal(json_rpc.INVALID_REQUEST, "The session id is missing", status=400)
        session = self._world.sessions.get(id_)
        if session is None:
            # MUST be 404 after the end of a session: 2025-11-25, basic/transports#session-management, item 3
            raise Refusal(json_rpc.INVALID_REQUEST, "There is no such session", status=404)
        return session

    async def get(self, http: HttpRequest, receive: Receive, send: Send) -> None:
        """Answer a GET: a stream of its own, or one that the client comes back to.

        :raises Refusal: there is no such session, or no such stream.
        """
        session = self._session(http.headers)
        last = http.headers.get("last-event-id")
        if last is None:
            await write_stream(session.standalone_stream(), receive, send)
            return
        event = EventId.read(last)
        stream = session.resume(event) if event is not None else None
        if Fault.LAST_EVENT_ID_REFUSED in self._world.faults:
            stream = None
        if event is None or stream is None:
            raise Refusal(json_rpc.INVALID_REQUEST, "The event to resume from is unknown", status=400)
        await write_stream(stream, receive, send, after=event.event)

    async def delete(self, http: HttpRequest, send: Send) -> None:
        """Answer a DELETE: the session ends.

        :raises Refusal: there is no such session.
        """
        session = self._session(http.headers)
        if Fault.DELETE_WITH_500 in self._world.faults:
            await send_reply(send, HttpReply(status=500))
            return
        if Fault.SESSION_SURVIVES_DELETE not in self._world.faults:
            self._world.sessions.end(session)
        await send_reply(send, HttpReply(status=204))
