"""One request on its way: what its handler knows of it, and what it may do beside answering.

The two wires each have their own kind of call; features are written once, against this class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.reference.server.input_requests import InputRequest
from pytest_mcp_conformance.serving.incoming import Request, progress_token
from pytest_mcp_conformance.serving.refusals import Refusal

if TYPE_CHECKING:
    from pytest_mcp_conformance.reference.server.world import World
    from pytest_mcp_conformance.serving.exchange import Exchange

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class ToolFailure(Exception):
    """A tool that cannot do its work; the message is for the model that called it."""


class Call(ABC):
    """One request, from the point of view of the handler that answers it.

    :ivar capabilities: what the client declared: in its initialize, or in this very request.
    """

    def __init__(
        self, world: World, request: Request, exchange: Exchange, *, revision: Revision, capabilities: JsonObject
    ) -> None:
        self.world = world
        self.request = request
        self.params = request.params
        self.exchange = exchange
        self.revision = revision
        self.capabilities = capabilities
        self._progress_token = progress_token(request)

    @abstractmethod
    def log_threshold(self) -> str | None:
        """Return the lowest level that is sent; with none nothing is."""

    @abstractmethod
    async def ask(self, requests: Mapping[str, InputRequest], *, sealed: bool = False) -> Mapping[str, JsonObject]:
        """Return the client's answers to `requests`, under the same keys.

        :param sealed: the answers count only together with the state that was sent along with the requests.
        :raises Refusal: an answer is malformed, or the state was tampered with.
        """

    @abstractmethod
    def require(self, needed: JsonObject) -> None:
        """Go on only if the client declared `needed`."""

    @abstractmethod
    async def in_background(self, work: Work) -> JsonObject:
        """Return the result of `work`, or the task that it becomes."""

    @abstractmethod
    def check_mirrored_arguments(self, schema: JsonObject, arguments: JsonObject) -> None:
        """Refuse the call of a tool whose arguments the HTTP headers should repeat and do not."""

    @abstractmethod
    def close_connection(self) -> None:
        """Close the connection, where the client can come back for the answer."""

    @abstractmethod
    def finish(self, result: JsonObject) -> JsonObject:
        """Return `result` with the members that every result of this revision has."""

    @abstractmethod
    def status_of(self, refusal: Refusal) -> int:
        """Return the HTTP status that goes with `refusal`."""

    def send(self, method: str, params: JsonObject) -> None:
        """Send a notification on the stream of this request."""
        self.exchange.send(json_rpc.notification(method, params))

    def progress(self, value: float, *, total: float, message: str) -> None:
        """Tell how far the request has come, if the client wants to hear it.

        MUST only reference tokens of active requests: 2025-11-25, basic/utilities/progress#behavior-requirements
        """
        if self._progress_token is not None:
            params: JsonObject = {"progressToken": self._progress_token, "progress": value, "total": total}
            # `message` came with 2025-03-26, the oldest revision served here.
            self.send("notifications/progress", params | {"message": message})

    def log(self, level: str, data: JsonValue) -> None:
        """Send a log message, if its level reaches the client's threshold."""
        threshold = self.log_threshold()
        if threshold is not None and LOG_LEVELS.index(level) >= LOG_LEVELS.index(threshold):
            self.send("notifications/message", {"level": level, "logger": "reference", "data": data})


Handler: TypeAlias = Callable[[Call], Awaitable[JsonObject]]
Work: TypeAlias = Callable[[Call], Awaitable[JsonObject]]
