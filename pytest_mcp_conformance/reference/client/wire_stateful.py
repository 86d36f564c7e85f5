"""The stateful wire: initialize, a session, streams that can be come back to. 2025-03-26 to 2025-11-25.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Mapping
from contextlib import aclosing
from http import HTTPStatus

import httpx

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, dumps, shown
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.json_rpc import Kind, kind_of
from pytest_mcp_conformance.reference.client.failing import ClientFailure
from pytest_mcp_conformance.reference.client.faults import Fault, Faults
from pytest_mcp_conformance.reference.client.identity import capabilities, client_info
from pytest_mcp_conformance.reference.client.outgoing import Requests
from pytest_mcp_conformance.reference.client.receiving import EVENT_STREAM, JSON, Cursor, media_type, messages, refusal
from pytest_mcp_conformance.reference.client.sending import HttpSender
from pytest_mcp_conformance.reference.client.server_requests import Unanswerable, result_of
from pytest_mcp_conformance.reference.client.wire import ACCEPT, NO_HEADERS
from pytest_mcp_conformance.reference.client.wire_stateless import result_in

SPOKEN = tuple(revision for revision in Revision if not revision.stateless)
LISTENING_SECONDS = 1.0  # for a GET to be answered, before the client goes on without waiting for it
CLOSING_SECONDS = 2.0  # for the answers that are still under way, and for DELETE, each
RETRY_MS = 1000  # before coming back to a stream whose server did not say how long to wait
MAX_RETRY_MS = 60_000  # longer waits are cut: the client would be ended in the middle of them
VISIBLE = re.compile(r"[\x21-\x7E]+")
MAX_RETURNS = 10  # to one stream that brings nothing


class SessionGone(Exception):
    """The server does not know the session any more."""


class StatefulWire:
    """See `Wire`."""

    def __init__(self, sender: HttpSender, revision: Revision, faults: Faults) -> None:
        self.revision = revision
        self.capabilities: JsonObject = {}
        self._wanted = revision
        self._sender = sender
        self._faults = faults
        self._requests = Requests(faults)
        self._pending: dict[int, asyncio.Future[JsonValue]] = {}
        self._session: str | None = None
        self._initialized = False
        self._answers: set[asyncio.Task[None]] = set()
        self._listening: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Initialize. MUST be the first interaction: 2025-03-26 to 2025-11-25, basic/lifecycle#initialization."""
        version = "1999-12-31" if Fault.UNKNOWN_VERSION_OFFERED in self._faults else self._wanted.value
        offer: JsonObject = {
            "protocolVersion": version,
            "capabilities": capabilities(self._wanted, self._faults),
            "clientInfo": client_info(self._faults),
        }
        answer = await self._exchange("initialize", offer)
        agreed = answer.get("protocolVersion")
        # SHOULD disconnect where it does not support that version: 2025-11-25, basic/lifecycle#version-negotiation
        if agreed not in [each.value for each in SPOKEN]:
            raise ClientFailure(
                f"the server answers in version {shown(agreed)}; this client speaks {', '.join(SPOKEN)}"
            )
        self.revision = Revision(str(agreed))
        self.capabilities = as_object(answer.get("capabilities"))
        self._initialized = True
        # MUST be sent after the answer: 2025-03-26 to 2025-11-25, basic/lifecycle#initialization
        if Fault.INITIALIZED_UNSENT not in self._faults:
            await self._post_only(json_rpc.notification("notifications/initialized"))
        await self._listen()

    async def request(
        self,
        method: str,
        params: JsonObject | None = None,
        *,
        headers: Mapping[str, str] = NO_HEADERS,  # noqa: ARG002 -- they belong to the other wire
    ) -> JsonObject:
        """See `Wire.request`."""
        try:
            return await self._exchange(method, params)
        except SessionGone:
            # MUST start a new session: 2025-03-26 to 2025-11-25, basic/transports#session-management, item 4
            await self._forget()
            await self.open()
        try:
            return await self._exchange(method, params)
        except SessionGone as error:
            raise ClientFailure(f"{method}: the server forgets every session") from error

    async def notify(self, method: str, params: JsonObject) -> None:
        """See `Wire.notify`."""
        await self._post_only(json_rpc.notification(method, params))

    async def close(self) -> None:
        """See `Wire.close`."""
        if self._answers:
            await asyncio.wait(self._answers, timeout=CLOSING_SECONDS)
        session = self._session
        await self._forget(keep_session=True)
        if session is None:
            return
        # SHOULD be sent: 2025-03-26 to 2025-11-25, basic/transports#session-management, item 5
        try:
            async with asyncio.timeout(CLOSING_SECONDS), self._sender.open("DELETE", self._headers("DELETE")):
                pass
        except (httpx.HTTPError, ClientFailure, TimeoutError):  # the session is over for us, whatever the server says
            pass

    async def _forget(self, *, keep_session: bool = False) -> None:
        """End the conversation as far as it is held here."""
        running = [*self._answers, *([self._listening] if self._listening else [])]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        self._listening = None
        if not keep_session:
            self._session, self._initialized = None, False

    def _headers(self, method: str) -> dict[str, str]:
        headers = {}
        # MUST be on every request after initialize: 2025-03-26 to 2025-11-25, basic/transports#session-management, item 2
        owed = method == "POST" or Fault.SESSION_ID_WITH_POST_ALONE not in self._faults
        if self._session is not None and owed:
            headers["Mcp-Session-Id"] = self._session
        # MUST be on every request after initialize: 2025-06-18 to 2025-11-25, basic/transports#protocol-version-header
        owed = self.revision >= Revision.V2025_06_18 and Fault.VERSION_HEADER_OMITTED not in self._faults
        if self._initialized and owed:
            older = Fault.OTHER_VERSION_NAMED in self._faults
            headers["MCP-Protocol-Version"] = Revision.V2025_03_26 if older else self.revision.value
        return headers

    def _posted_with(self, method: str | None = None) -> dict[str, str]:
        """Return the headers of a POST; `method` is that of the request in it, if there is one."""
        # MUST list both: 2025-03-26 to 2025-11-25, basic/transports#sending-messages-to-the-server, item 2
        headers = {"Accept": ACCEPT, "Content-Type": JSON, **self._headers("POST")}
        if method == "tools/call" and Fault.CALLS_UNATTRIBUTED in self._faults:
            headers.pop("Mcp-Session-Id", None)
        return headers

    async def _exchange(self, method: str, params: JsonObject | None) -> JsonObject:
        id_, message = self._requests.make(method, params)
        answer = self._pending[id_] = asyncio.get_running_loop().create_future()
        cursor = Cursor()
        try:
            async with self._sender.open("POST", self._posted_with(method), dumps(message).encode()) as response:
                if response.status_code == HTTPStatus.NOT_FOUND and self._session is not None:
                    raise SessionGone
                if not response.is_success:
                    raise await refusal(method, response)
                if method == "initialize":
                    self._session = _session_in(response)
                await self._read(response, cursor, answer)
            await self._come_back(method, cursor, answer)
            return result_in(method, answer.result())
        except httpx.HTTPError as error:
            raise ClientFailure(f"{method} brought no answer: {error!r}") from error
        finally:
            del self._pending[id_]

    async def _come_back(self, method: str, cursor: Cursor, answer: asyncio.Future[JsonValue]) -> None:
        """Return to the stream that ended without the response, as often as it brings something new.

        SHOULD be done by GET with the id of the last event: 2025-11-25, basic/transports#resumability-and-redelivery, 2
        """
        returns = 0
        while not answer.done():
            if not cursor.event_id or Fault.NOTHING_GOTTEN in self._faults or returns == MAX_RETURNS:
                raise ClientFailure(f"{method} brought no response, only the end of the answer")
            before = cursor.event_id
            await self._wait(cursor)
            async with self._sender.open("GET", self._gotten_with(cursor)) as response:
                if not response.is_success or media_type(response) != EVENT_STREAM:
                    raise await refusal(f"GET after {method}", response)
                await self._read(response, cursor, answer)
            returns = returns + 1 if cursor.event_id == before else 0

    async def _wait(self, cursor: Cursor) -> None:
        # MUST wait as long as the server says: 2025-11-25, basic/transports#sending-messages-to-the-server, item 6
        wait_ms = RETRY_MS if cursor.retry_ms is None else min(cursor.retry_ms, MAX_RETRY_MS)
        await asyncio.sleep(0 if Fault.RETRY_IGNORED in self._faults else wait_ms / 1000)

    def _gotten_with(self, cursor: Cursor) -> dict[str, str]:
        # MUST list the type: 2025-03-26 to 2025-11-25, basic/transports#listening-for-messages-from-the-server, item 2
        headers = {"Accept": EVENT_STREAM, **self._headers("GET")}
        if cursor.event_id and Fault.LAST_EVENT_ID_OMITTED not in self._faults:
            # MUST be the id of an event of that stream: 2025-11-25, basic/transports#resumability-and-redelivery, item 2
            invented = Fault.LAST_EVENT_ID_INVENTED in self._faults
            headers["Last-Event-ID"] = f"x{cursor.event_id}" if invented else cursor.event_id
        return headers

    async def _read(
        self, response: httpx.Response, cursor: Cursor, answer: asyncio.Future[JsonValue] | None = None
    ) -> None:
        """Take the messages of a response until its end, or until `answer` is there."""
        async with aclosing(messages(response, cursor)) as received:
            async for message in received:
                self._take(message)
                if answer is not None and answer.done():
                    return

    def _take(self, message: JsonValue) -> None:
        match kind_of(message):
            case Kind.REQUEST:
                task = asyncio.create_task(self._answer(as_object(message)))
                self._answers.add(task)
                task.add_done_callback(self._answers.discard)
            case Kind.RESPONSE:
                answered = as_object(message).get("id")
                pending = self._pending.get(answered) if type(answered) is int else None
                if pending is not None and not pending.done():
                    pending.set_result(message)
            case _:  # notifications ask for nothing that this client would do
                pass

    async def _answer(self, request: JsonObject) -> None:
        try:
            result = result_of(request.get("method"), request.get("params"), self.revision, self._faults)
            message = json_rpc.result(request["id"], result)
        except Unanswerable as error:
            message = json_rpc.error(request["id"], error.code, error.message)
        await self._post_only(message)

    async def _post_only(self, message: JsonObject) -> None:
        """Send a notification or a response. What the server says to it changes nothing."""
        try:
            async with self._sender.open("POST", self._posted_with(), dumps(message).encode()):
                pass
        except (httpx.HTTPError, ClientFailure):  # the next request will tell
            pass

    async def _listen(self) -> None:
        """Open the stream on which the server may speak by itself, and wait a moment for it.

        MAY be opened: 2025-03-26 to 2025-11-25, basic/transports#listening-for-messages-from-the-server, item 1
        """
        if Fault.NOTHING_GOTTEN in self._faults:
            return
        opened = asyncio.Event()
        self._listening = asyncio.create_task(self._listening_to(opened))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(opened.wait(), LISTENING_SECONDS)

    async def _listening_to(self, opened: asyncio.Event) -> None:
        cursor = Cursor()
        while True:
            try:
                async with self._sender.open("GET", self._gotten_with(cursor)) as response:
                    opened.set()
                    if not response.is_success or media_type(response) != EVENT_STREAM:
                        return
                    await self._read(response, cursor)
            except (httpx.HTTPError, ClientFailure):
                return
            finally:
                opened.set()
            # A stream without event ids has nothing to come back to.
            if not cursor.event_id:
                return
            await self._wait(cursor)


def _session_in(response: httpx.Response) -> str | None:
    """Return the session id that the answer to initialize assigns, if it does.

    MUST only contain visible ASCII characters: 2025-03-26 to 2025-11-25, basic/transports#session-management, item 1
    """
    session: str | None = response.headers.get("mcp-session-id")
    if session is not None and not VISIBLE.fullmatch(session):
        raise ClientFailure(f"the server assigns the session id {shown(session)}, which no header can carry")
    return session
