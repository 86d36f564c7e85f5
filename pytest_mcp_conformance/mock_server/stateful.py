"""The stateful wire of a mock server: initialize, a session, streams that can be resumed. 2025-03-26 to 2025-11-25.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
"""

from __future__ import annotations

import asyncio
import uuid

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object
from pytest_mcp_conformance.mock_server.call import MockCall
from pytest_mcp_conformance.mock_server.metadata import VERSION_HEADER
from pytest_mcp_conformance.mock_server.responding import Responder, deliver
from pytest_mcp_conformance.mock_server.script import Script
from pytest_mcp_conformance.mock_server.session import MockSession
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.recorder import Origin, Recorder
from pytest_mcp_conformance.serving.asgi import Receive, Send
from pytest_mcp_conformance.serving.exchange import Exchange
from pytest_mcp_conformance.serving.http import Headers, HttpReply, HttpRequest, json_reply, send_reply
from pytest_mcp_conformance.serving.incoming import Incoming, Notification, Request, Response, read_message, spelled
from pytest_mcp_conformance.serving.refusals import Refusal, invalid_request
from pytest_mcp_conformance.serving.streams import EventId, EventStream, write_stream

SESSION_HEADER = "mcp-session-id"


class StatefulWire:
    """Answers the HTTP requests of clients that begin with initialize.

    :ivar issued: the sessions by id, ended ones too, each with the HTTP request that it began with.
    """

    def __init__(self, script: Script, responder: Responder, recorder: Recorder) -> None:
        self.issued: dict[str, HttpRequest] = {}
        self._script = script
        self._responder = responder
        self._recorder = recorder
        self._sessions: dict[str, MockSession] = {}
        self._everybody = MockSession(revision=self._latest, capabilities={})  # without sessions, all are one

    @property
    def _latest(self) -> Revision:
        return self._script.stateful[0] if self._script.stateful else Revision.V2025_11_25

    def judged_by(self, headers: Headers, body: JsonValue) -> Revision:
        """Return the revision whose schema binds a message of the client."""
        if as_object(body).get("method") == "initialize":
            return self._negotiated(as_object(as_object(body).get("params")).get("protocolVersion"))
        session = self._sessions.get(headers.get(SESSION_HEADER) or "")
        if session is not None:
            return session.revision
        header = headers.get(VERSION_HEADER)
        # SHOULD assume 2025-03-26 without the header: 2025-11-25, basic/transports#protocol-version-header
        named = next((each for each in self._script.stateful if each == (header or "2025-03-26")), None)
        return named or self._latest

    def asked(self, headers: Headers, response: JsonValue) -> str | None:
        """Return the method of the request of this server that `response` answers."""
        session = self._sessions.get(headers.get(SESSION_HEADER) or "", self._everybody)
        return session.asked(as_object(response).get("id"))

    async def post(self, http: HttpRequest, body: JsonValue, receive: Receive, send: Send) -> None:
        """Answer a POST whose body is the message, or the batch, `body`.

        :raises Refusal: the POST cannot be accepted.
        """
        if as_object(body).get("method") == "initialize" and http.headers.get(SESSION_HEADER) is None:
            await self._initialize(http, read_message(body), receive, send)
            return
        session = self._session(http.headers)
        revision = self.judged_by(http.headers, body)
        messages = _messages(body, revision)
        for message in messages:
            _take(message, session)
        requests = [message for message in messages if isinstance(message, Request)]
        if not requests:
            # MUST be 202 without a body: 2025-11-25, basic/transports#sending-messages-to-the-server, item 4
            await send_reply(send, HttpReply(status=202))
            return
        stream = session.new_stream()
        # SHOULD begin with an event id, once clients know events without data: 2025-11-25,
        # basic/transports#sending-messages-to-the-server, item 6
        prime = EventStream.prime if revision >= Revision.V2025_11_25 else None
        exchange = Exchange(stream, expected=len(requests), batch=isinstance(body, list), prime=prime)
        for request in requests:
            call = self._call(http, request, session, revision, exchange)
            work = asyncio.create_task(self._answer(call, request, exchange))
            work.add_done_callback(lambda ended: exchange.abandon() if ended.cancelled() else None)
            session.start(request.id, work)
        # SHOULD NOT take a lost connection for a cancellation: 2025-11-25,
        # basic/transports#sending-messages-to-the-server, item 6
        await exchange.settled()
        if exchange.streaming:
            await write_stream(stream, receive, send)
        else:
            await send_reply(send, exchange.as_reply())

    async def get(self, http: HttpRequest, receive: Receive, send: Send) -> None:
        """Answer a GET: the rest of a stream that the client comes back to.

        :raises Refusal: there is no such session, or nothing to come back to.
        """
        session = self._session(http.headers)
        event = EventId.read(http.headers.get("last-event-id") or "")
        stream = session.stream_of(event) if event is not None else None
        if event is None or stream is None:
            # MUST be 405 where there is no stream: 2025-11-25, basic/transports#listening-for-messages-from-the-server, 3
            raise Refusal(json_rpc.INVALID_REQUEST, "There is no stream here", status=405)
        await write_stream(stream, receive, send, after=event.event)

    async def delete(self, http: HttpRequest, send: Send) -> None:
        """Answer a DELETE: the session ends.

        :raises Refusal: there is no such session.
        """
        if not self._script.sessions:
            raise Refusal(json_rpc.INVALID_REQUEST, "There are no sessions here", status=405)
        self._session(http.headers).end()
        del self._sessions[http.headers.get(SESSION_HEADER) or ""]
        await send_reply(send, HttpReply(status=204))

    def end_sessions(self) -> None:
        """End every session: whoever comes with one is told that it is not there."""
        for session in [*self._sessions.values(), self._everybody]:
            session.end()
        self._sessions.clear()

    async def _initialize(self, http: HttpRequest, message: Incoming, receive: Receive, send: Send) -> None:
        if not isinstance(message, Request):
            raise invalid_request("initialize is a request")
        revision = self._negotiated(message.params.get("protocolVersion"))
        capabilities = as_object(message.params.get("capabilities"))
        session = MockSession(revision=revision, capabilities=capabilities)
        exchange = Exchange(EventStream())
        call = self._call(http, message, session, revision, exchange)
        reply = await self._responder.respond(call, message, default=self._handshake)
        if isinstance(reply, HttpReply):
            await send_reply(send, reply)
            return
        headers = {}
        if self._script.sessions and "result" in reply.message:
            # SHOULD be unique and not to be guessed: 2025-11-25, basic/transports#session-management, item 1
            headers = {SESSION_HEADER: uuid.uuid4().hex}
            self._sessions[headers[SESSION_HEADER]] = session
            self.issued[headers[SESSION_HEADER]] = http
        elif not self._script.sessions:
            self._everybody.capabilities = capabilities
        if self._script.streams:
            exchange.open_stream()
        exchange.answer(reply)
        if exchange.streaming:
            await write_stream(exchange.stream, receive, send, headers=headers)
        else:
            await send_reply(send, json_reply(reply.message, status=reply.status, headers=headers))

    def _handshake(self, call: MockCall) -> JsonObject:
        result: JsonObject = {
            "protocolVersion": call.revision.value,
            "capabilities": self._script.declared(),
            "serverInfo": self._script.server_info,
        }
        return result if self._script.instructions is None else result | {"instructions": self._script.instructions}

    def _negotiated(self, asked: JsonValue) -> Revision:
        """Return the revision in which an initialize request is answered.

        MUST be the requested one if it is supported, SHOULD be the latest otherwise:
        2025-11-25, basic/lifecycle#version-negotiation
        """
        return next((each for each in self._script.stateful if each == asked), self._latest)

    def _session(self, headers: Headers) -> MockSession:
        header = headers.get(VERSION_HEADER)
        # MUST be 400 for an unsupported version: 2025-11-25, basic/transports#protocol-version-header
        if header is not None and header not in [each.value for each in self._script.stateful]:
            raise Refusal(json_rpc.INVALID_REQUEST, f"{VERSION_HEADER} names a version that is not served", status=400)
        if not self._script.sessions:
            return self._everybody
        id_ = headers.get(SESSION_HEADER)
        if id_ is None:
            # SHOULD be 400 without a session id: 2025-11-25, basic/transports#session-management, item 2
            raise Refusal(json_rpc.INVALID_REQUEST, "The session id is missing", status=400)
        session = self._sessions.get(id_)
        if session is None:
            # MUST be 404 after the end of a session: 2025-11-25, basic/transports#session-management, item 3
            raise Refusal(json_rpc.INVALID_REQUEST, "There is no such session", status=404)
        return session

    def _call(
        self, http: HttpRequest, request: Request, session: MockSession, revision: Revision, exchange: Exchange
    ) -> MockCall:
        async def asking(exchange: Exchange, method: str, params: JsonObject | None) -> Response:
            message = json_rpc.request(0, method, params)
            self._recorder.judge(message, Origin.HARNESS, context=f"to the client: {method}", revision=revision)
            return await session.ask(exchange, method, params)

        return MockCall(
            request,
            headers=http.headers,
            revision=revision,
            capabilities=session.capabilities,
            exchange=exchange,
            recorder=self._recorder,
            asking=asking,
        )

    async def _answer(self, call: MockCall, request: Request, exchange: Exchange) -> None:
        # MUST be answered promptly with an empty result: 2025-03-26 to 2025-11-25, basic/utilities/ping
        reply = await self._responder.respond(call, request, default={} if request.method == "ping" else None)
        deliver(reply, exchange, streams=self._script.streams)


def _messages(body: JsonValue, revision: Revision) -> list[Incoming]:
    """Return what a body holds.

    :raises Refusal: not what the revision allows.
    """
    if not isinstance(body, list):
        return [read_message(body)]
    # MUST be a single message from 2025-06-18 on; before, a batch: 2025-03-26,
    # basic/transports#sending-messages-to-the-server, item 3
    if revision > Revision.V2025_03_26 or not body:
        raise invalid_request("The body is a single message")
    messages = [read_message(entry) for entry in body]
    if len({isinstance(message, Response) for message in messages}) > 1:
        raise invalid_request("A batch holds responses or the other messages, not both")
    # MUST NOT be in a batch: 2025-03-26, basic/lifecycle#initialization
    if any(isinstance(message, Request) and message.method == "initialize" for message in messages):
        raise invalid_request("initialize is in no batch")
    return messages


def _take(message: Incoming, session: MockSession) -> None:
    match message:
        case Response():
            session.take(message)
        case Notification(method="notifications/cancelled"):
            session.cancel(spelled(message.params.get("requestId")))
        case Request(method="initialize"):
            raise invalid_request("The session is initialized already")
        case _:
            pass
