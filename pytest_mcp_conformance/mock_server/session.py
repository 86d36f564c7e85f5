"""What lasts between the requests of one client on the stateful wire.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
"""

from __future__ import annotations

import asyncio

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, dumps
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.serving.exchange import Exchange
from pytest_mcp_conformance.serving.incoming import RequestId, Response
from pytest_mcp_conformance.serving.streams import EventId, EventStream


class MockSession:
    """One client, from its initialize to its DELETE; without sessions, all of them."""

    def __init__(self, *, revision: Revision, capabilities: JsonObject) -> None:
        self.revision = revision
        self.capabilities = capabilities
        self._working: set[asyncio.Task[None]] = set()
        self._running: dict[str, asyncio.Task[None]] = {}
        self._asked: dict[int, tuple[str, asyncio.Future[Response]]] = {}
        self._streams: dict[int, EventStream] = {}
        self._last_request = 0

    def new_stream(self) -> EventStream:
        """Return a stream for the answer to a POST; the client may come back to it."""
        number = len(self._streams) + 1
        stream = self._streams[number] = EventStream(number)
        return stream

    def stream_of(self, event: EventId) -> EventStream | None:
        """Return the stream that `event` belongs to, if all that came after it is still there."""
        stream = self._streams.get(event.stream)
        return stream if stream is not None and stream.holds(event.event) else None

    def start(self, id_: RequestId, work: asyncio.Task[None]) -> None:
        """Remember the work on a request, so that it can be cancelled."""
        self._working.add(work)
        self._running[dumps(id_)] = work  # of one id, the newest: a client that gives it twice can only mean that

        def forget(ended: asyncio.Task[None]) -> None:
            self._working.discard(ended)
            if self._running.get(dumps(id_)) is ended:
                del self._running[dumps(id_)]

        work.add_done_callback(forget)

    def cancel(self, id_: JsonValue) -> None:
        """Stop the work on a request, if there is any.

        SHOULD stop, SHOULD NOT answer, MAY ignore unknown requests:
        2025-11-25, basic/utilities/cancellation#behavior-requirements
        """
        work = self._running.get(dumps(id_))
        if work is not None:
            work.cancel()

    async def ask(self, exchange: Exchange, method: str, params: JsonObject | None) -> Response:
        """Send a request to the client on the stream of `exchange`, and return its response."""
        self._last_request += 1
        id_ = self._last_request
        answered: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self._asked[id_] = (method, answered)
        exchange.send(json_rpc.request(id_, method, params))
        try:
            return await answered
        finally:
            del self._asked[id_]

    def asked(self, id_: JsonValue) -> str | None:
        """Return the method of the request that a response with this id answers."""
        waiting = self._asked.get(id_) if isinstance(id_, int) else None
        return waiting[0] if waiting else None

    def take(self, response: Response) -> None:
        """Hand a response to whoever waits for it."""
        waiting = self._asked.get(response.id) if isinstance(response.id, int) else None
        if waiting is not None and not waiting[1].done():
            waiting[1].set_result(response)

    def end(self) -> None:
        """Stop all work and end all streams."""
        for work in self._working:
            work.cancel()
        for stream in self._streams.values():
            stream.finish()
