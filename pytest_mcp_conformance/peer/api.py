"""The interface through which a scenario talks to the server under test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeAlias

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.http import Http
from pytest_mcp_conformance.protocol.json_rpc import Answer

CLIENT_INFO: JsonObject = {"name": "conformance-test-client", "version": "1.0.0"}

STATEFUL_REQUEST_SECONDS = 60.0  # one request on the stateful wire, as in the published suite
STATELESS_REQUEST_SECONDS = 10.0  # one exchange on the stateless wire, as in the published suite
SESSION_DELETE_SECONDS = 5.0  # the DELETE that ends a session; its outcome decides nothing

ServerRequestHandler: TypeAlias = Callable[[JsonObject], JsonObject]
"""Takes the params of a well-formed request from the server and returns the result to answer with."""

Headers: TypeAlias = Mapping[str, "str | None"]
"""Headers that replace those of the wire, whatever the case of their names; none removes one."""


class Peer(Protocol):
    """The server under test, at one revision. The connection opens with the first request and is closed by the runner.

    Whatever sends raises `PeerUnreachable` where nothing answers at all; `close` does not.
    """

    @property
    def url(self) -> str:
        """The endpoint."""
        ...

    @property
    def revision(self) -> Revision:
        """What the run asks for, on the wire too."""
        ...

    @property
    def judged_by(self) -> Revision:
        """The revision whose rules bind what travels: the negotiated one where that is known, else the one asked for."""
        ...

    @property
    def http(self) -> Http:
        """For traffic that the wire's own requests cannot express; recorded like everything else."""
        ...

    @property
    def notifications(self) -> list[JsonObject]:
        """Those of all streams, from connecting on, in the order of arrival."""
        ...

    @property
    def session_id(self) -> str | None:
        """The session that the server issued; always none on the stateless wire."""
        ...

    async def connect(self) -> None:
        """Open the connection, once: initialize and its notification on the stateful wire, nothing on the stateless.

        :raises Nonconforming: the handshake fails.
        """
        ...

    async def request(
        self,
        method: str,
        params: JsonObject | None = None,
        *,
        headers: Headers | None = None,
        within: float | None = None,
        from_peer: bool = False,
    ) -> JsonObject:
        """Send a request and return its result.

        :param within: seconds for the whole exchange; the wire's own bound if none.
        :param from_peer: the request repeats a value that the server gave: where that makes it invalid, it is not our fault.
        :raises ErrorAnswer: the server answered with a JSON-RPC error.
        :raises Nonconforming: no usable answer came.
        """
        ...

    async def ask(
        self,
        method: str,
        params: JsonObject | None = None,
        *,
        headers: Headers | None = None,
        within: float | None = None,
        malformed: bool = False,
        from_peer: bool = False,
    ) -> Answer:
        """Send a request and return what came, for scenarios that judge errors.

        :param malformed: the request is wrong on purpose: it is not judged, and `id: null` in its error is allowed.
        :param from_peer: see `request`.
        :raises Nonconforming: connecting failed.
        """
        ...

    async def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Send a notification.

        :raises Nonconforming: the server does not accept it with 2xx.
        """
        ...

    async def discover(self) -> JsonObject:
        """Return what the server says of itself.

        `capabilities` and `instructions`, and on the stateful wire `serverInfo`, from the handshake; on the stateless one the
        result of `server/discover` as it came.

        :raises Nonconforming: there is none.
        """
        ...

    def answer(self, method: str, handler: ServerRequestHandler) -> None:
        """Answer well-formed requests of the server for `method`. Without a handler they are refused with -32601."""
        ...

    def message(self, method: str, params: JsonObject | None = None, *, id: int | str) -> JsonObject:  # noqa: A002
        """Build a request as this wire sends it, for traffic of the scenario's own."""
        ...

    def headers(self, method: str, params: JsonObject | None = None) -> dict[str, str]:
        """Return the headers that belong to such a request on this wire, session included."""
        ...

    async def post(
        self,
        message: JsonValue | bytes,
        *,
        headers: Mapping[str, str],
        within: float | None = None,
        malformed: bool = False,
        from_peer: bool = False,
        request_method: str | None = None,
    ) -> Answer:
        """POST `message` as it is, with exactly these headers; judge what travels; return what came.

        :param request_method: the method whose result is expected, where `message` does not tell.
        :param from_peer: see `request`.
        """
        ...

    def another(self, *, capabilities: JsonObject | None = None, client_info: JsonObject | None = None) -> Peer:
        """Return a further connection to the same server, with its own session; the runner closes it too."""
        ...

    async def close(self) -> None:
        """End the session and every stream. Never raises for what the server does."""
        ...
