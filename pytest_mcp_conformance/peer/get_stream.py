"""The streams that a client of the stateful wire opens by GET: to hear the server, and to resume one that ended early.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import Protocol

from pytest_mcp_conformance.exceptions import ConformanceError
from pytest_mcp_conformance.json_values import JsonObject, NotJson, as_object
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.peer.exchange import Exchange, Incoming
from pytest_mcp_conformance.protocol.http import Http
from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM
from pytest_mcp_conformance.protocol.recorder import Origin
from pytest_mcp_conformance.protocol.sse import Event

FIRST_RESUME_SECONDS = 1.0  # before a stream without `retry` is resumed
RESUME_GROWTH = 1.5  # of that wait, each time
SHORTEST_RESUME_SECONDS = 0.05  # of a stream that is listened to: a `retry` of 0 is no reason to ask without end
RESUMES_IN_A_ROW = 2
ON_THE_STREAM = "from the server, on the GET stream"


class Session(Protocol):
    """What the streams of a session need to know of it."""

    http: Http
    url: str

    @property
    def judged_by(self) -> Revision:
        """The revision whose schema binds both sides, now."""
        ...

    def session_headers(self) -> dict[str, str]:
        """Return the header fields that every request of the session carries, now."""
        ...


class GetStream:
    """Reads GET streams of one session.

    :param take: gets every message that is not an awaited response.
    """

    def __init__(self, session: Session, take: Callable[[JsonObject], None]) -> None:
        self._session = session
        self._take = take

    async def listen(self, enough: Callable[[], bool]) -> None:
        """Take what the server sends of its own accord, resuming the stream where it ends, until there is `enough`."""
        incoming = Incoming()
        refusals = 0
        while refusals < RESUMES_IN_A_ROW and not enough():
            opened = await self._follow(incoming, None)
            refusals = 0 if opened else refusals + 1
            if not opened and not incoming.last_event_id:
                return  # 405: the server offers no stream, which is its right
            await asyncio.sleep(max(_pause(incoming, refusals), SHORTEST_RESUME_SECONDS))

    async def resume(self, exchange: Exchange, incoming: Incoming) -> None:
        """Fetch the response of a stream that ended early, where the server gave event ids.

        MAY resume by GET with Last-Event-ID: 2025-03-26 to 2025-11-25, basic/transports#resumability-and-redelivery.
        """
        for attempt in range(RESUMES_IN_A_ROW):
            if not incoming.last_event_id or incoming.response is not None:
                return
            # MUST wait for the retry time: 2025-11-25, basic/transports#sending-messages-to-the-server, item 6
            await asyncio.sleep(_pause(incoming, attempt))
            await self._follow(incoming, exchange)

    async def _follow(self, incoming: Incoming, exchange: Exchange | None) -> bool:
        """Read one stream to its end, or to the response that `exchange` awaits. Tell whether it was opened."""
        http = self._session.http
        headers = {"Accept": EVENT_STREAM, **self._session.session_headers()}
        if incoming.last_event_id:
            headers["Last-Event-ID"] = incoming.last_event_id
        try:
            async with http.open("GET", self._session.url, headers=headers, follow=True) as stream:
                if not stream.ok or stream.content_type != EVENT_STREAM:
                    return False
                async with aclosing(stream.events()) as events, incoming.remembering(stream):
                    async for event in events:
                        self._take_event(event, incoming, exchange)
                        if exchange is not None and incoming.response is not None:
                            break
        except ConformanceError as error:
            http.recorder.note(f"the GET stream ended: {error}")
            return False
        return True

    def _take_event(self, event: Event, incoming: Incoming, exchange: Exchange | None) -> None:
        if not event.data.strip():
            return
        recorder, revision = self._session.http.recorder, self._session.judged_by
        try:
            value = event.value()
        except NotJson as error:
            recorder.unreadable(event, error, context=ON_THE_STREAM, revision=revision)
            return
        if exchange is not None and exchange.answers(value):
            exchange.judge(value, is_response=True)
            incoming.response, incoming.problem = as_object(value), None
            return
        recorder.judge(value, Origin.IMPLEMENTATION, context=ON_THE_STREAM, revision=revision)
        for message in value if isinstance(value, list) else [value]:
            self._take(as_object(message))


def _pause(incoming: Incoming, attempt: int) -> float:
    """Return the seconds before a stream is asked for again: what the server said last, else more each time."""
    if incoming.retry_ms is not None:
        return incoming.retry_ms / 1000
    return FIRST_RESUME_SECONDS * RESUME_GROWTH**attempt
