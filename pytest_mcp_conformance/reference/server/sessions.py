"""Sessions of the stateful wire: what lasts between the requests of one client.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Iterator

from pytest_mcp_conformance.json_values import JsonObject, dumps
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.reference.server.changes import TASK_IDS, Change, covers
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.serving.exchange import Exchange
from pytest_mcp_conformance.serving.incoming import RequestId, Response
from pytest_mcp_conformance.serving.streams import RETRY_MS, EventId, EventStream

SESSIONS_KEPT = 1024  # clients that never say goodbye must not fill the memory; the oldest make room
STREAMS_KEPT = 64  # of a session, for clients that come back to a stream that has ended
BACKLOG = 256  # messages that wait for a client to open a stream
DEFAULT_LOG_LEVEL = "info"  # MAY be chosen by the server: 2025-11-25, server/utilities/logging#message-flow


class Session:
    """One client, from its initialize to its DELETE."""

    def __init__(
        self, id_: str, *, revision: Revision, capabilities: JsonObject, faults: frozenset[Fault] = frozenset()
    ) -> None:
        self.id = id_
        self.faults = faults
        self.revision = revision
        self.capabilities = capabilities
        self.initialized = False
        self.log_level = DEFAULT_LOG_LEVEL
        self.subscriptions: set[str] = set()
        self._running: dict[str, asyncio.Task[None]] = {}
        self._asked: dict[str, asyncio.Future[Response]] = {}
        self._streams: dict[int, EventStream] = {}
        self._standalone: list[EventStream] = []
        self._backlog: deque[JsonObject] = deque(maxlen=BACKLOG)
        self._last_stream = 0
        self._last_request = 0

    # Streams

    def new_stream(self) -> EventStream:
        """Return a stream for the answer to a POST."""
        self._last_stream += 1
        stream = self._streams[self._last_stream] = EventStream(self._last_stream)
        ended = [number for number, kept in self._streams.items() if kept.finished]
        for number in ended[: max(0, len(self._streams) - STREAMS_KEPT)]:
            del self._streams[number]
        return stream

    def forget(self, stream: EventStream) -> None:
        """Drop a stream that was never used."""
        if stream.number is not None:
            self._streams.pop(stream.number, None)

    def standalone_stream(self) -> EventStream:
        """Return a stream for what belongs to no request, with whatever has been waiting for one."""
        stream = self.new_stream()
        stream.expect()
        self._standalone.append(stream)
        if len(self._standalone) > STREAMS_KEPT:
            self._standalone.pop(0).finish()
        self.prime(stream)
        self._flush(stream)
        return stream

    def prime(self, stream: EventStream) -> None:
        """Begin `stream` as the revision wants it: before 2025-11-25 with nothing, as an event without data was unheard of."""
        if self.revision >= Revision.V2025_11_25:
            data = "ready" if Fault.PRIMING_WITH_DATA in self.faults else ""
            stream.prime(data, retry_ms=None if Fault.NO_RETRY_FIELD in self.faults else RETRY_MS)

    def resume(self, last: EventId) -> EventStream | None:
        """Return the stream that `last` is an event of, or nothing if it cannot be resumed from there.

        MUST NOT replay what belongs to another stream: 2025-11-25, basic/transports#resumability-and-redelivery, 2
        """
        stream = self._streams.get(last.stream)
        if stream is None or not stream.holds(last.event):
            return None
        if stream in self._standalone:
            stream.expect()
            self._flush(stream)
        return stream

    def _flush(self, stream: EventStream) -> None:
        while self._backlog:
            stream.send(self._backlog.popleft())

    def notify(self, message: JsonObject) -> None:
        """Send a message that belongs to no request.

        MUST be sent on one stream only: 2025-11-25, basic/transports#multiple-connections
        """
        for stream in reversed(self._standalone):
            if stream.connected:
                stream.send(message)
                return
        self._backlog.append(message)

    def tell(self, change: Change) -> None:
        """Send `change`, if the client can want it."""
        if change.asked_by == TASK_IDS:  # an extension of a later revision
            return
        if change.of is None or any(covers(uri, change.of) for uri in self.subscriptions):
            self.notify(json_rpc.notification(change.method, change.params or None))

    # Requests of the client

    def runs(self, id_: RequestId) -> bool:
        """Tell whether a request with this id is being worked on."""
        return dumps(id_) in self._running

    def start(self, id_: RequestId, task: asyncio.Task[None]) -> None:
        """Remember the work on a request, so that it can be cancelled."""
        key = dumps(id_)
        self._running[key] = task
        task.add_done_callback(lambda _: self._running.pop(key, None))

    def cancel(self, id_: RequestId) -> None:
        """Stop the work on a request, if there is any.

        SHOULD stop, SHOULD NOT answer, MAY ignore unknown requests:
        2025-11-25, basic/utilities/cancellation#behavior-requirements
        """
        task = self._running.get(dumps(id_))
        if task is not None:
            task.cancel()

    # Requests of the server

    async def ask(self, exchange: Exchange, method: str, params: JsonObject | None) -> Response:
        """Send a request on the stream of the request it belongs to, and return the client's response."""
        self._last_request += 1
        id_ = self._last_request
        answered: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self._asked[dumps(id_)] = answered
        exchange.send(json_rpc.request(id_, method, params))
        try:
            return await answered
        except asyncio.CancelledError:
            reason = "The request that needed the answer was cancelled"
            exchange.send(json_rpc.notification("notifications/cancelled", {"requestId": id_, "reason": reason}))
            raise
        finally:
            del self._asked[dumps(id_)]

    def take(self, response: Response) -> None:
        """Hand a response to whoever waits for it; one that nobody waits for is dropped."""
        waiting = self._asked.get(dumps(response.id))
        if waiting is not None and not waiting.done():
            waiting.set_result(response)

    def close(self) -> None:
        """End the session: its work stops, its streams end."""
        for task in list(self._running.values()):
            task.cancel()
        for stream in self._streams.values():
            stream.finish()


class Sessions:
    """The sessions that are alive."""

    def __init__(self, faults: frozenset[Fault] = frozenset()) -> None:
        self._faults = faults
        self._sessions: dict[str, Session] = {}

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._sessions.values()))

    def open(self, *, revision: Revision, capabilities: JsonObject) -> Session:
        """Return a new session.

        MUST be visible ASCII, SHOULD be unique and secure: 2025-11-25, basic/transports#session-management, item 1
        """
        id_ = secrets.token_urlsafe(24)
        if Fault.SESSION_ID_WITH_SPACE in self._faults:
            id_ = f"session {id_}"
        session = Session(id_, revision=revision, capabilities=capabilities, faults=self._faults)
        self._sessions[session.id] = session
        while len(self._sessions) > SESSIONS_KEPT:
            self.end(next(iter(self._sessions.values())))
        return session

    def get(self, id_: str) -> Session | None:
        """Return the session `id_`, or nothing if there is none, or no longer."""
        return self._sessions.get(id_)

    def latest(self) -> Session | None:
        """Return the session that was opened last."""
        return next(reversed(self._sessions.values()), None)

    def end(self, session: Session) -> None:
        """Forget `session`."""
        self._sessions.pop(session.id, None)
        session.close()

    def close(self) -> None:
        """End all sessions."""
        for session in self:
            self.end(session)
