"""The stateful wire (2025-03-26 to 2025-11-25): initialize, a session, streams in both directions.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle and .../basic/transports
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping

from pytest_mcp_conformance.exceptions import ConformanceError, Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown, as_object, shown, truthy
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
from pytest_mcp_conformance.peer.get_stream import GetStream
from pytest_mcp_conformance.peer.headers import replaced
from pytest_mcp_conformance.peer.inbox import Inbox
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.http import Http
from pytest_mcp_conformance.protocol.json_rpc import Answer
from pytest_mcp_conformance.protocol.media_types import JSON

DEFAULT_CAPABILITIES: JsonObject = {"sampling": {}, "elicitation": {}}
# What may be negotiated: a server that does not speak the revision asked for answers with another one that it speaks.
# 2025-11-25, basic/lifecycle#version-negotiation
NEGOTIABLE = frozenset({"2024-11-05", *(each.value for each in Revision if not each.stateless)})


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
        self.session_id: str | None = None
        self.negotiated: str | None = None
        self._capabilities = DEFAULT_CAPABILITIES if capabilities is None else capabilities
        self._client_info = CLIENT_INFO if client_info is None else client_info
        self._handshake: JsonObject = {}
        self._connecting = asyncio.Lock()
        self._connected = False
        self._next_id = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._others: list[Peer] = []
        self._inbox = Inbox(http.recorder, revision=lambda: self.judged_by, send=self._send, spawn=self._spawn)
        self._get_stream = GetStream(self, self._inbox.take)

    @property
    def notifications(self) -> list[JsonObject]:
        """See `Peer.notifications`."""
        return self._inbox.notifications

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
            # The server MAY assign a session id on the response with the result: 2025-03-26 to 2025-11-25, basic/transports
            self.session_id = answer.headers.get("mcp-session-id") or None
            # MUST be sent after initialize succeeded: 2025-03-26 to 2025-11-25, basic/lifecycle#initialization
            status = await self._notify("notifications/initialized", None)
            self._connected = True
            if status == 202:  # only a server that follows the transport to the letter is asked for its stream
                self._spawn(self._get_stream.listen(self._inbox.is_full))

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
        self._inbox.handlers[method] = handler

    def message(self, method: str, params: JsonObject | None = None, *, id: int | str) -> JsonObject:  # noqa: A002
        """See `Peer.message`."""
        return json_rpc.request(id, method, params or {})

    def headers(self, method: str, params: JsonObject | None = None) -> dict[str, str]:  # noqa: ARG002 -- the wire's seam
        """See `Peer.headers`."""
        headers = {"Content-Type": JSON, "Accept": ACCEPT_BOTH}
        return headers | self.session_headers()

    def session_headers(self) -> dict[str, str]:
        """Return the header fields that every request of the session carries, as far as they are known."""
        headers = {}
        # MUST be on every request after initialize: 2025-06-18 to 2025-11-25, basic/transports#protocol-version-header
        if self.negotiated is not None:
            headers["MCP-Protocol-Version"] = self.negotiated
        # MUST be on every request once the server issued it: 2025-03-26 to 2025-11-25, basic/transports#session-management
        if self.session_id is not None:
            headers["Mcp-Session-Id"] = self.session_id
        return headers

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
            take=self._inbox.take,
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
        session, self.session_id = self.session_headers(), None
        try:
            # SHOULD send DELETE to a session it no longer needs: 2025-03-26 to 2025-11-25, basic/transports#session-management
            await self.http.fetch("DELETE", self.url, headers=session, within=SESSION_DELETE_SECONDS)
        except ConformanceError as error:
            self.http.recorder.note(f"the session could not be deleted: {error}")

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
            take=self._inbox.take,
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
                await self._get_stream.resume(exchange, incoming)
        except asyncio.CancelledError:
            running.cancel()
            raise

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
