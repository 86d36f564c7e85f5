"""The answer to one POST: plain JSON while only responses come, an event stream from the first other message on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.serving.http import HttpReply, json_reply
from pytest_mcp_conformance.serving.streams import EventStream


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A JSON-RPC response, and the HTTP status that it travels with where it travels alone."""

    message: JsonObject
    status: int = 200


class Exchange:
    """The answer to one POST with `expected` requests in it.

    :param batch: whether the answer is an array even if it holds one response.
    :param prime: puts the first event on the stream, if there comes to be one.
    """

    def __init__(
        self,
        stream: EventStream,
        *,
        expected: int = 1,
        batch: bool = False,
        prime: Callable[[EventStream], None] | None = None,
    ) -> None:
        self.stream = stream
        self.streaming = False
        self._replies: list[Reply] = []
        self._whole: HttpReply | None = None
        self._expected = expected
        self._batch = batch
        self._prime = prime
        self._settled = asyncio.Event()

    def open_stream(self) -> None:
        """Make the answer an event stream, if it is none yet."""
        if self.streaming:
            return
        self.streaming = True
        if self._prime is not None:
            self._prime(self.stream)
        for reply in self._replies:
            self.stream.send(reply.message)
        self._settled.set()

    def send(self, message: JsonObject) -> None:
        """Send a message that is no answer to the POST's requests."""
        self.open_stream()
        self.stream.send(message)

    def answer(self, reply: Reply) -> None:
        """Send the response to one of the POST's requests."""
        self._replies.append(reply)
        if self.streaming:
            self.stream.send(reply.message)
        self._count_down()

    def answer_with(self, whole: HttpReply) -> None:
        """Answer the POST itself, whatever else would be said; on a stream that has begun, no more is said."""
        self._whole = self._whole or whole
        self._count_down()

    def abandon(self) -> None:
        """Leave one of the requests without a response: it was cancelled."""
        if not self._replies and self._whole is None:
            self.open_stream()  # an answer without a response can only be a stream that ends
        self._count_down()

    def _count_down(self) -> None:
        self._expected -= 1
        if self._expected <= 0:
            # SHOULD end the stream after the response: 2025-11-25, basic/transports#sending-messages-to-the-server, 6
            self.stream.finish()
            self._settled.set()

    async def settled(self) -> None:
        """Return when it is known how the answer will be sent."""
        await self._settled.wait()

    @property
    def is_settled(self) -> bool:
        """Whether it is known how the answer will be sent."""
        return self._settled.is_set()

    def as_reply(self) -> HttpReply:
        """Return the answer in one piece."""
        if self._whole is not None:
            return self._whole
        messages: list[JsonValue] = [reply.message for reply in self._replies]
        if self._batch:
            return json_reply(messages)
        return json_reply(messages[0], status=self._replies[0].status)
