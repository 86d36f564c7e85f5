"""The stateful wire (2025-03-26 to 2025-11-25): initialize, a session, streams in both directions.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle and .../basic/transports
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import aclosing

from pytest_mcp_conformance.exceptions import ConformanceError, Nonconforming
from pytest_mcp_conformance.json_values import (
    JsonObject,
    JsonValue,
    NotJson,
    Shown,
    as_object,
    is_integer,
    shown,
    truthy,
)
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.peer.api import (
    CLIENT_INFO,
    SESSION_DELETE_SECONDS,
    STATEFUL_REQUEST_SECONDS,
    Headers,
    Peer,
    ServerRequestHandler,
)
from pytest_mcp_conformance.peer.exchange import ACCEPT_BOTH, Exchange, Incoming, bounded, exchange_of
from pytest_mcp_conformance.peer.headers import replaced
from pytest_mcp_conformance.peer.server_requests import reply_to
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.http import Http
from pytest_mcp_conformance.protocol.json_rpc import Answer, Kind, kind_of
from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM, JSON
from pytest_mcp_conformance.protocol.recorder import Origin
from pytest_mcp_conformance.protocol.sse import Event

DEFAULT_CAPABILITIES: JsonObject = {"sampling": {}, "elicitation": {}}
# What may be negotiated: a server that does not speak the revision asked for answers with another one that it speaks.
# 2025-11-25, basic/lifecycle#version-negotiation
NEGOTIABLE = frozenset({"2024-11-05", *(each.value for each in Revision if not each.stateless)})

FIRST_RESUME_SECONDS = 1.0  # before a stream without `retry` is resumed
RESUMES_IN_A_ROW = 2
NOTIFICATIONS_KEPT = 10_000  # of one session; a server that sends more is not listened to any longer
REPLIES_AT_ONCE = 50  # to requests of the server; one that sends more, faster than it reads, gets no answer to them


class StatefulPeer:
    """A client's side of one session."""

    def __init__(
        self,
        http: Http,
        url: str,
        revision: Revision,
        *,
        capabilities: JsonObject | None = None,
        client_info: JsonObject | None = None,
    ) -> None:
        self.http = http
        self.url = url
        self.revision = revision
        self.notifications: list[JsonObject] = []
        self.session_id: str | None = None
        self.negotiated: str | None = None
        self._capabilities = DEFAULT_CAPABILITIES if capabilities is None else capabilities
        self._client_info = CLIENT_INFO if client_info is None else client_info
        self._handlers: dict[str, ServerRequestHandler] = {}
        self._handshake: JsonObject = {}
        self._connecting = asyncio.Lock()
        self._connected = False
        self._next_id = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._replies = 0
        self._others: list[Peer] = []

    @property
    def judged_by(self) -> Revision:
        """The revision whose schema binds this connection: the negotiated one, until then the one asked for.

        That stays the one asked for where 2024-11-05 was negotiated, of which there is no schema here.
        """
        known = {each.value: each for each in Revision}
        return known.get(self.negotiated or "", self.revision)

    async def connect(self) -> None:
        """Initialize and listen: see `Peer.connect`."""
        async with self._connecting:
            if self._connected:
                return
            answer = await self._ask(
                "initialize",
                {
                    "protocolVersion": self.revision.value,
                    "capabilities": self._capabilities,
                    "clientInfo": self._client_info,
                },
                within=STATEFUL_REQUEST_SECONDS,
            )
            result = answer.expect_result()
            _require_handshake(result)
            self._handshake, self.negotiated = result, str(result["protocolVersion"])
            # The server MAY assign a session id on the response with the result: 2025-03-26 on, basic/transports
            self.session_id = answer.headers.get("mcp-session-id") or None
            # MUST be sent after initialize succeeded: 2025-03-26 to 2025-11-25, basic/lifecycle#initialization
            status = await self._notify("notifications/initialized", None)
            self._connected = True
            if status == 202:  # only a server that follows the transport to the letter is asked for its stream
                self._spawn(self._listen())

    async def request(
        self,
        method: str,
        params: JsonObject | None = None,
        *,
        headers: Headers | None = None,
        within: float | None = None,
        from_peer: bool = False,
    ) -> JsonObject:
        """See `Peer.request`."""
        return (await self.ask(method, params, headers=headers, within=within, from_peer=from_peer)).expect_result()

    async def ask(
        self,
        method: str,
        params: JsonObject | None = None,
        *,
        headers: Headers | None = None,
        within: float | None = None,
        malformed: bool = False,
        from_peer: bool = False,
    ) -> Answer:
        """See `Peer.ask`."""
        await self.connect()
        return await self._ask(
            method, params or {}, headers=headers, within=within, malformed=malformed, from_peer=from_peer
        )

    async def notify(self, method: str, params: JsonObject | None = None) -> None:
        """See `Peer.notify`."""
        await self.connect()
        await self._notify(method, params)

    async def discover(self) -> JsonObject:
        """See `Peer.discover`."""
        await self.connect()
        return {
            key: self._handshake[key]
            for key in ("capabilities", "serverInfo", "instructions")
            if key in self._handshake
        }

    def answer(self, method: str, handler: ServerRequestHandler) -> None:
        """See `Peer.answer`."""
        self._handlers[method] = handler

    def message(self, method: str, params: JsonObject | None = None, *, id: int | str) -> JsonObject:  # noqa: A002
        """See `Peer.message`."""
        return json_rpc.request(id, method, params or {})

    def headers(self, method: str, params: JsonObject | None = None) -> dict[str, str]:  # noqa: ARG002 -- the wire's seam
        """See `Peer.headers`."""
        headers = {"Content-Type": JSON, "Accept": ACCEPT_BOTH}
        return headers | self._session_headers()

    async def post(
        self,
        message: JsonValue | bytes,
        *,
        headers: Mapping[str, str],
        within: float | None = None,
        malformed: bool = False,
        from_peer: bool = False,
        request_method: str | None = None,
    ) -> Answer:
        """See `Peer.post`."""
        exchange = exchange_of(
            self.http,
            self.url,
            message,
            revision=self.judged_by,
            take=self._take,
            request_method=request_method,
            malformed=malformed,
            from_peer=from_peer,
        )
        incoming = await bounded(exchange, message, headers, within or STATEFUL_REQUEST_SECONDS)
        return incoming.answer(exchange.method)

    def another(self, *, capabilities: JsonObject | None = None, client_info: JsonObject | None = None) -> Peer:
        """See `Peer.another`."""
        peer = StatefulPeer(self.http, self.url, self.revision, capabilities=capabilities, client_info=client_info)
        self._others.append(peer)
        return peer

    async def close(self) -> None:
        """See `Peer.close`."""
        try:
            await asyncio.gather(self._end_session(), *(other.close() for other in self._others))
        finally:  # also where ending the session was broken off
            while self._tasks:  # a task may begin another one while it ends
                for task in self._tasks:
                    task.cancel()
                await asyncio.wait(self._tasks)

    async def _end_session(self) -> None:
        if self.session_id is None:
            return
        session, self.session_id = self._session_headers(), None
        try:
            # SHOULD send DELETE to a session it no longer needs: 2025-03-26 to 2025-11-25, basic/transports#session-management
            await self.http.fetch("DELETE", self.url, headers=session, within=SESSION_DELETE_SECONDS)
        except ConformanceError as error:
            self.http.recorder.note(f"the session could not be deleted: {error}")

    def _session_headers(self) -> dict[str, str]:
        headers = {}
        # MUST be on every request after initialize: 2025-06-18 to 2025-11-25, basic/transports#protocol-version-header
        if self.negotiated is not None:
            headers["MCP-Protocol-Version"] = self.negotiated
        # MUST be on every request once the server issued it: 2025-03-26 to 2025-11-25, basic/transports#session-management
        if self.session_id is not None:
            headers["Mcp-Session-Id"] = self.session_id
        return headers

    async def _ask(
        self,
        method: str,
        params: JsonObject | None,
        *,
        headers: Headers | None = None,
        within: float | None = None,
        malformed: bool = False,
        from_peer: bool = False,
    ) -> Answer:
        id_, self._next_id = self._next_id, self._next_id + 1
        exchange = Exchange(
            http=self.http,
            url=self.url,
            revision=self.judged_by,
            method=method,
            request_id=id_,
            only_success=True,
            drain=True,
            malformed=malformed,
            from_peer=from_peer,
            take=self._take,
        )
        incoming = Incoming()
        seconds = within or STATEFUL_REQUEST_SECONDS
        message = json_rpc.request(id_, method, params)
        try:
            async with asyncio.timeout(seconds):
                await self._until_answered(exchange, message, replaced(self.headers(method), headers), incoming)
        except TimeoutError:
            incoming.problem = f"no answer within {seconds:g} s"
            if method != "initialize":  # MUST NOT be cancelled: 2025-03-26 to 2025-11-25, basic/utilities/cancellation
                self._spawn(self._give_up(id_))
        return incoming.answer(method)

    async def _until_answered(
        self, exchange: Exchange, message: JsonObject, headers: Mapping[str, str], incoming: Incoming
    ) -> None:
        """Run the exchange; go on as soon as the response is there, while its stream is read to the end behind us."""
        answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        exchange.arrived = lambda _: None if answered.done() else answered.set_result(None)
        running = self._spawn(exchange.run(message, headers, incoming))
        try:
            await asyncio.wait({running, answered}, return_when=asyncio.FIRST_COMPLETED)
            if running.done() and not answered.done():
                running.result()  # raises PeerUnreachable
                await self._resume(exchange, incoming)
        except asyncio.CancelledError:
            running.cancel()
            raise

    async def _resume(self, exchange: Exchange, incoming: Incoming) -> None:
        """Fetch the response of a stream that ended early, where the server gave event ids.

        MAY resume by GET with Last-Event-ID: 2025-03-26 to 2025-11-25, basic/transports#resumability-and-redelivery.
        """
        for attempt in range(RESUMES_IN_A_ROW):
            if not incoming.last_event_id or incoming.response is not None:
                return
            # MUST wait for the retry time: 2025-11-25, basic/transports#sending-messages-to-the-server, item 6
            delay = FIRST_RESUME_SECONDS * 1.5**attempt if incoming.retry_ms is None else incoming.retry_ms / 1000
            await asyncio.sleep(delay)
            await self._follow_stream(incoming.last_event_id, exchange, incoming)

    async def _listen(self) -> None:
        """Take what the server sends on its own account, from the GET stream, resuming it where it ends."""
        incoming = Incoming()
        refusals = 0
        while refusals < RESUMES_IN_A_ROW and len(self.notifications) < NOTIFICATIONS_KEPT:
            opened = await self._follow_stream(incoming.last_event_id, None, incoming)
            refusals = 0 if opened else refusals + 1
            if not opened and not incoming.last_event_id:
                return  # 405: the server offers no stream, which is its right
            delay = FIRST_RESUME_SECONDS * 1.5**refusals if incoming.retry_ms is None else incoming.retry_ms / 1000
            await asyncio.sleep(max(delay, 0.05))

    async def _follow_stream(self, last_event_id: str, exchange: Exchange | None, incoming: Incoming) -> bool:
        """Read one GET stream to its end, or to the response that `exchange` awaits. Tell whether it was opened."""
        headers = {"Accept": EVENT_STREAM, **self._session_headers()}
        if last_event_id:
            headers["Last-Event-ID"] = last_event_id
        try:
            async with self.http.open("GET", self.url, headers=headers, follow=True) as stream:
                if not stream.ok or stream.content_type != EVENT_STREAM:
                    return False
                async with aclosing(stream.events()) as events, incoming.remembering(stream):
                    async for event in events:
                        self._take_event(event, exchange, incoming)
                        if exchange is not None and incoming.response is not None:
                            break
        except ConformanceError as error:
            self.http.recorder.note(f"the GET stream ended: {error}")
            return False
        return True

    def _take_event(self, event: Event, exchange: Exchange | None, incoming: Incoming) -> None:
        if not event.data.strip():
            return
        try:
            value = event.value()
        except NotJson as error:
            self.http.recorder.unreadable(
                event, error, context="from the server, on the GET stream", revision=self.judged_by
            )
            return
        if exchange is not None and exchange.answers(value):
            exchange.judge(value, is_response=True)
            incoming.response, incoming.problem = as_object(value), None
            return
        self.http.recorder.judge(
            value, Origin.IMPLEMENTATION, context="from the server, on the GET stream", revision=self.judged_by
        )
        for message in value if isinstance(value, list) else [value]:
            self._take(as_object(message))

    def _take(self, message: JsonObject) -> None:
        """Sort a message that is not an awaited response."""
        match kind_of(message):
            case Kind.NOTIFICATION if message["method"] != "notifications/cancelled":
                if len(self.notifications) < NOTIFICATIONS_KEPT:
                    self.notifications.append(message)
            case Kind.REQUEST if not _can_be_answered(message):
                self.http.recorder.note(f"a request whose id is none: {shown(message.get('id'))}")
            case Kind.REQUEST if self._replies >= REPLIES_AT_ONCE:
                self.http.recorder.note(f"left unanswered, as {REPLIES_AT_ONCE} others still are: {shown(message)}")
            case Kind.REQUEST:
                self._replies += 1
                self._spawn(self._reply(message))
            case Kind.RESPONSE:
                self.http.recorder.note(f"a response nobody waits for: id {shown(message.get('id'))}")
            case _:
                pass

    async def _reply(self, request: JsonObject) -> None:
        method = shown(request["method"])
        try:
            reply = reply_to(request, self._handlers, revision=self.judged_by)
            await self._send(reply, f"the answer to {method}")
        except ConformanceError as error:
            self.http.recorder.note(f"{method} could not be answered: {error}")
        finally:
            self._replies -= 1

    async def _notify(self, method: str, params: JsonObject | None) -> int:
        incoming = await self._send(json_rpc.notification(method, params), method)
        # MUST be accepted with 202: 2025-03-26 to 2025-11-25, basic/transports#sending-messages-to-the-server, item 4
        if incoming.status is None or not 200 <= incoming.status < 300:
            came = Shown(incoming.problem) if incoming.problem else shown(incoming.status)
            raise Nonconforming(f"{method} was not accepted", "HTTP 202", came)
        return incoming.status

    async def _send(self, message: JsonObject, method: str) -> Incoming:
        """Send a message that has no response."""
        exchange = Exchange(
            http=self.http,
            url=self.url,
            revision=self.judged_by,
            method=method,
            awaits_response=False,
            only_success=True,
        )
        return await bounded(exchange, message, self.headers(method), STATEFUL_REQUEST_SECONDS)

    async def _give_up(self, id_: int) -> None:
        params: JsonObject = {"requestId": id_, "reason": "no answer in time"}
        await self._send(json_rpc.notification("notifications/cancelled", params), "notifications/cancelled")

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, ConformanceError):
            self.http.recorder.faults.append(error)


def _can_be_answered(request: JsonObject) -> bool:
    """Tell whether a request has an id that a response can repeat.

    MUST be a string or an integer: all revisions, basic#requests.
    """
    id_ = request.get("id")
    return isinstance(id_, str) or is_integer(id_)


def _require_handshake(result: JsonObject) -> None:
    """Look at what the connection rests on.

    :raises Nonconforming: a member that `InitializeResult` requires is missing, or the version is none that a client knows.
    """
    info = as_object(result.get("serverInfo"))
    missing = [name for name in ("protocolVersion", "capabilities", "serverInfo") if not truthy(result.get(name))]
    missing += [f"serverInfo.{name}" for name in ("name", "version") if not isinstance(info.get(name), str)]
    if missing:
        raise Nonconforming("initialize was answered incompletely", f"members {', '.join(missing)}", shown(result))
    if str(result["protocolVersion"]) not in NEGOTIABLE:
        raise Nonconforming(
            "initialize was answered with a version that no client of this wire knows",
            f"one of {', '.join(sorted(NEGOTIABLE))}",
            shown(result["protocolVersion"]),
        )
