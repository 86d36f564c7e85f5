"""The stateless wire (2026-07-28): every request stands alone and says who asks, at which revision, with which abilities.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic and .../basic/transports/streamable-http
"""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, shown
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.peer.api import CLIENT_INFO, STATELESS_REQUEST_SECONDS, Headers, Peer, ServerRequestHandler
from pytest_mcp_conformance.peer.exchange import ACCEPT_BOTH, bounded, exchange_of
from pytest_mcp_conformance.peer.headers import header_value, replaced
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.http import Http
from pytest_mcp_conformance.protocol.json_rpc import Answer, Kind, kind_of
from pytest_mcp_conformance.protocol.media_types import JSON
from pytest_mcp_conformance.protocol.mirrored_values import NAMED_BY

DEFAULT_CAPABILITIES: JsonObject = {"sampling": {}, "elicitation": {}, "roots": {"listChanged": True}}
META = "io.modelcontextprotocol/"


class StatelessPeer:
    """A client's side of independent requests."""

    session_id: None = None

    def __init__(
        self,
        http: Http,
        url: str,
        revision: Revision,
        *,
        capabilities: JsonObject | None = None,
        client_info: JsonObject | None = None,
    ) -> None:
        self.http = http
        self.url = url
        self.revision = revision
        self.notifications: list[JsonObject] = []
        self._capabilities = DEFAULT_CAPABILITIES if capabilities is None else capabilities
        self._client_info = CLIENT_INFO if client_info is None else client_info
        self._next_id = 1
        self._discovered: JsonObject | None = None

    @property
    def judged_by(self) -> Revision:
        """The revision asked for: nothing is negotiated on this wire."""
        return self.revision

    async def connect(self) -> None:
        """Do nothing: there is no connection on this wire."""

    async def request(
        self,
        method: str,
        params: JsonObject | None = None,
        *,
        headers: Headers | None = None,
        within: float | None = None,
        from_peer: bool = False,
    ) -> JsonObject:
        """See `Peer.request`."""
        return (await self.ask(method, params, headers=headers, within=within, from_peer=from_peer)).expect_result()

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
        """See `Peer.ask`."""
        id_, self._next_id = self._next_id, self._next_id + 1
        message = self.message(method, params, id=id_)
        sent = replaced(self.headers(method, params), headers)
        return await self.post(message, headers=sent, within=within, malformed=malformed, from_peer=from_peer)

    async def notify(self, method: str, params: JsonObject | None = None) -> None:
        """See `Peer.notify`."""
        message = json_rpc.notification(method, self._with_meta(params))
        await self.post(message, headers=self.headers(method, params))

    async def discover(self) -> JsonObject:
        """See `Peer.discover`."""
        if self._discovered is None:
            self._discovered = await self.request("server/discover")
        return self._discovered

    def answer(self, method: str, handler: ServerRequestHandler) -> None:
        """Do nothing: servers send no requests on this wire, they ask for input in their results."""

    def message(self, method: str, params: JsonObject | None = None, *, id: int | str) -> JsonObject:  # noqa: A002
        """See `Peer.message`."""
        return json_rpc.request(id, method, self._with_meta(params))

    def headers(self, method: str, params: JsonObject | None = None) -> dict[str, str]:
        """See `Peer.headers`."""
        # MUST be on every POST: 2026-07-28, basic/transports/streamable-http#standard-request-headers
        headers = {
            "Content-Type": JSON,
            "Accept": ACCEPT_BOTH,
            "MCP-Protocol-Version": self.revision.value,
            "Mcp-Method": method,
        }
        name = (params or {}).get(NAMED_BY.get(method, ""))
        if isinstance(name, str):
            headers["Mcp-Name"] = header_value(name)
        return headers

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
        """See `Peer.post`."""
        exchange = exchange_of(
            self.http,
            self.url,
            message,
            revision=self.revision,
            take=self._take,
            request_method=request_method,
            malformed=malformed,
            from_peer=from_peer,
        )
        incoming = await bounded(exchange, message, headers, within or STATELESS_REQUEST_SECONDS)
        # MUST NOT send requests of its own: 2026-07-28, basic/transports/streamable-http
        asked = next((each for each in incoming.messages if kind_of(each) is Kind.REQUEST), None)
        if asked is not None:
            method_asked = shown(as_object(asked).get("method"))
            incoming.problem = f"the server sent the request {method_asked}, and servers send none on this wire"
        return incoming.answer(exchange.method)

    def another(self, *, capabilities: JsonObject | None = None, client_info: JsonObject | None = None) -> Peer:
        """See `Peer.another`."""
        return StatelessPeer(self.http, self.url, self.revision, capabilities=capabilities, client_info=client_info)

    async def close(self) -> None:
        """Do nothing: nothing outlives a request."""

    def _take(self, message: JsonObject) -> None:
        match kind_of(message):
            case Kind.NOTIFICATION:
                self.notifications.append(message)
            case Kind.RESPONSE:
                self.http.recorder.note(f"a response nobody waits for: id {shown(message.get('id'))}")
            case _:
                pass

    def _with_meta(self, params: JsonObject | None) -> JsonObject:
        """Return `params` with the members of `_meta` that every request MUST carry; the caller's own win.

        2026-07-28, basic#_meta.
        """
        own: JsonObject = {
            f"{META}protocolVersion": self.revision.value,
            f"{META}clientInfo": self._client_info,
            f"{META}clientCapabilities": self._capabilities,
        }
        given = dict(params or {})
        return {**given, "_meta": {**own, **as_object(given.get("_meta"))}}
