"""What a server of the stateful wire sends of its own accord: notifications are kept, requests are answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import TypeAlias

from pytest_mcp_conformance.exceptions import ConformanceError
from pytest_mcp_conformance.json_values import JsonObject, is_integer, shown
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.peer.api import ServerRequestHandler
from pytest_mcp_conformance.peer.server_requests import reply_to
from pytest_mcp_conformance.protocol.json_rpc import Kind, kind_of
from pytest_mcp_conformance.protocol.recorder import Recorder

NOTIFICATIONS_KEPT = 10_000  # of one session; a server that sends more is not listened to any longer
REPLIES_AT_ONCE = 50  # to requests of the server; one that sends more, faster than it reads, gets no answer to them

Send: TypeAlias = "Callable[[JsonObject, str], Awaitable[object]]"
"""Sends a message that has no response; the text says what it is."""


class Inbox:
    """Sorts messages that are no awaited responses.

    :ivar notifications: in the order in which they came.
    :ivar handlers: what answers which requests.
    :param spawn: runs a coroutine behind the caller's back.
    """

    def __init__(
        self,
        recorder: Recorder,
        *,
        revision: Callable[[], Revision],
        send: Send,
        spawn: Callable[[Coroutine[None, None, None]], object],
    ) -> None:
        self.notifications: list[JsonObject] = []
        self.handlers: dict[str, ServerRequestHandler] = {}
        self._recorder = recorder
        self._revision = revision
        self._send = send
        self._spawn = spawn
        self._replies = 0

    def is_full(self) -> bool:
        """Tell whether no more notifications are kept."""
        return len(self.notifications) >= NOTIFICATIONS_KEPT

    def take(self, message: JsonObject) -> None:
        """Keep, answer or note a message."""
        match kind_of(message):
            case Kind.NOTIFICATION if message["method"] != "notifications/cancelled":
                if not self.is_full():
                    self.notifications.append(message)
            case Kind.REQUEST if not _can_be_answered(message):
                self._recorder.note(f"a request whose id is none: {shown(message.get('id'))}")
            case Kind.REQUEST if self._replies >= REPLIES_AT_ONCE:
                self._recorder.note(f"left unanswered, as {REPLIES_AT_ONCE} others still are: {shown(message)}")
            case Kind.REQUEST:
                self._replies += 1
                self._spawn(self._reply(message))
            case Kind.RESPONSE:
                self._recorder.note(f"a response nobody waits for: id {shown(message.get('id'))}")
            case _:
                pass

    async def _reply(self, request: JsonObject) -> None:
        method = shown(request["method"])
        try:
            await self._send(reply_to(request, self.handlers, revision=self._revision()), f"the answer to {method}")
        except ConformanceError as error:
            self._recorder.note(f"{method} could not be answered: {error}")
        finally:
            self._replies -= 1


def _can_be_answered(request: JsonObject) -> bool:
    """Tell whether a request has an id that a response can repeat.

    MUST be a string or an integer: all revisions, basic#requests.
    """
    id_ = request.get("id")
    return isinstance(id_, str) or is_integer(id_)
