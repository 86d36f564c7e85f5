"""The seam between what the client does and how it says it: either wire opens, sends requests, and closes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeAlias

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import Revision

ACCEPT = "application/json, text/event-stream"
NO_HEADERS: Mapping[str, str] = {}

Note: TypeAlias = Callable[[str], None]
"""Takes what the person who runs the client should know: a line on stderr."""


class Wire(Protocol):
    """A conversation with one server.

    :ivar revision: what both sides speak, once it is open.
    :ivar capabilities: what the server declared, once it is open.
    """

    revision: Revision
    capabilities: JsonObject

    async def open(self) -> None:
        """Learn what the server is capable of.

        :raises ClientFailure: there is no server that this client can talk to.
        """
        ...

    async def request(
        self, method: str, params: JsonObject | None = None, *, headers: Mapping[str, str] = NO_HEADERS
    ) -> JsonObject:
        """Send a request and return its result.

        :param headers: those for this request alone; ignored up to 2025-11-25.
        :raises RequestRefused: the server answered with an error.
        :raises ClientFailure: no answer came, or one that is none.
        """
        ...

    async def notify(self, method: str, params: JsonObject) -> None:
        """Send a notification. What the server says to it changes nothing."""
        ...

    async def close(self) -> None:
        """End the conversation; whatever the server does, it does not raise."""
        ...
