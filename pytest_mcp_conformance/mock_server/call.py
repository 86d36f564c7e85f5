"""A request of the client, as a function of the script sees it."""

from __future__ import annotations

from typing import Protocol

from pytest_mcp_conformance.exceptions import ErrorAnswer, Misuse
from pytest_mcp_conformance.json_values import JsonObject, as_object, shown
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.json_rpc import RpcError
from pytest_mcp_conformance.protocol.recorder import Origin, Recorder
from pytest_mcp_conformance.serving.exchange import Exchange
from pytest_mcp_conformance.serving.http import Headers
from pytest_mcp_conformance.serving.incoming import Request, Response


class Asking(Protocol):
    """Sends a request to the client on the stream of `exchange`, and waits for its response."""

    async def __call__(self, exchange: Exchange, method: str, params: JsonObject | None) -> Response:
        """Return the response."""
        ...


class MockCall:
    """One request. What it sends before its answer makes the answer an event stream.

    :ivar capabilities: of the client.
    """

    def __init__(
        self,
        request: Request,
        *,
        headers: Headers,
        revision: Revision,
        capabilities: JsonObject,
        exchange: Exchange,
        recorder: Recorder,
        asking: Asking | None = None,
    ) -> None:
        self.method = request.method
        self.params = request.params
        self.id = request.id
        self.headers = headers
        self.revision = revision
        self.capabilities = capabilities
        self._exchange = exchange
        self._recorder = recorder
        self._asking = asking

    @property
    def arguments(self) -> JsonObject:
        """The arguments of a tool or prompt."""
        return as_object(self.params.get("arguments"))

    @property
    def meta(self) -> JsonObject:
        """The `_meta` of the request."""
        return as_object(self.params.get("_meta"))

    def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Send a notification before the answer."""
        message = json_rpc.notification(method, params)
        self._recorder.judge(message, Origin.HARNESS, context=f"to the client: {method}", revision=self.revision)
        self._exchange.send(message)

    async def ask(self, method: str, params: JsonObject | None = None) -> JsonObject:
        """Send a request to the client before the answer, and return its result.

        :raises ErrorAnswer: the client refuses it.
        :raises Misuse: the wire has no such requests: 2026-07-28 and later ask by a result of the type `input_required`.
        """
        if self._asking is None:
            raise Misuse(
                f"{method}: a server sends no requests at {self.revision.value}. Return a result with the resultType"
                " input_required and its inputRequests."
            )
        response = await self._asking(self._exchange, method, params)
        if response.result is None:
            error = RpcError.read(response.error)
            raise ErrorAnswer(f"{method} was refused", "a result", shown(response.error), error=error)
        return response.result

    def close_connection(self) -> None:
        """Close the connection, not the stream: at 2025-11-25 and before, the client can come back for the rest of it."""
        self._exchange.open_stream()
        self._exchange.stream.disconnect()
