"""Resumable event streams: what was sent on them, kept as long as the session."""

from dataclasses import dataclass, field

from mcp.server.streamable_http import EventCallback, EventId, EventMessage, EventStore, StreamId
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import JSONRPCMessage


@dataclass(kw_only=True)
class SessionEvents(EventStore):
    """The events of one session, in the order they were sent; an event id is its number."""

    sent: list[tuple[StreamId, JSONRPCMessage | None]] = field(default_factory=list)

    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        """Keep an event; one without a message only tells the client where to resume."""
        self.sent.append((stream_id, message))
        return str(len(self.sent))

    async def replay_events_after(self, last_event_id: EventId, send_callback: EventCallback) -> StreamId | None:
        """Send what came after `last_event_id` on the same stream; None if there is no such event."""
        if not last_event_id.isdecimal() or not 1 <= int(last_event_id) <= len(self.sent):
            return None
        last = int(last_event_id)
        # MUST NOT replay what belongs to another stream: 2025-11-25, basic/transports#resumability-and-redelivery
        stream = self.sent[last - 1][0]
        for number, (stream_id, message) in enumerate(self.sent[last:], start=last + 1):
            if stream_id == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


class ResumableSessions(StreamableHTTPSessionManager):
    """Sessions with an event store each.

    The SDK names a stream by its request id, which is unique only within a session. One store for all sessions would
    replay to one client what another was sent.
    """

    @property
    def event_store(self) -> EventStore:
        """Return a new store: this is read once for every session that opens."""
        return SessionEvents()

    @event_store.setter
    def event_store(self, store: EventStore | None) -> None:
        """Take the one store of the base class, and leave it."""
