"""Single requests of the scenario `server-stateless`, and what came back for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown, as_object, same, shown, truthy
from pytest_mcp_conformance.model import DRAFT, Revision
from pytest_mcp_conformance.peer import CLIENT_INFO, Peer
from pytest_mcp_conformance.peer.api import Headers
from pytest_mcp_conformance.peer.headers import replaced
from pytest_mcp_conformance.peer.stateless import META, StatelessPeer
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.json_rpc import Answer, Kind, kind_of

PROTOCOL_VERSION = f"{META}protocolVersion"
CLIENT_CAPABILITIES = f"{META}clientCapabilities"
SUBSCRIPTION_ID = f"{META}subscriptionId"
SERVER_INFO = f"{META}serverInfo"


def stateless(peer: Peer, revision: Revision = DRAFT) -> Peer:
    """Return `peer`, or if it is of another wire, a stateless one at `revision` to the same server."""
    return peer if peer.revision.stateless else StatelessPeer(peer.http, peer.url, revision)


def meta(peer: Peer, *, without: str = "", **members: JsonValue) -> JsonObject:
    """Return the `_meta` of a request.

    :param without: the member left out.
    :param members: named without prefix; they replace the usual ones.
    """
    usual: JsonObject = {"protocolVersion": peer.revision.value, "clientInfo": CLIENT_INFO, "clientCapabilities": {}}
    return {f"{META}{name}": value for name, value in {**usual, **members}.items() if name != without}


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What came back for the request `id`; `malformed` tells that the request was wrong on purpose."""

    id: int
    answer: Answer
    malformed: bool = False

    @property
    def arrived(self) -> bool:
        """Whether there was an HTTP response."""
        return self.answer.status is not None

    @property
    def status(self) -> int | None:
        """The HTTP status."""
        return self.answer.status

    @property
    def body(self) -> JsonObject:
        """The response message: with the id of the request if there is one, else the last that came."""
        if self.answer.message is not None:
            return as_object(self.answer.message)
        responses = [each for each in self.answer.messages if kind_of(each) is Kind.RESPONSE]
        return as_object(responses[-1]) if responses else {}

    @property
    def refused(self) -> bool:
        """Whether an error came."""
        return truthy(self.body.get("error"))

    @property
    def error(self) -> JsonObject:
        """The error; empty if there is none."""
        return as_object(self.body.get("error"))

    @property
    def result(self) -> JsonObject:
        """The result; empty if there is none, or if it is no object."""
        return as_object(self.body.get("result"))

    def has_code(self, code: int) -> bool:
        """Tell whether an error with `code` came."""
        return same(self.error.get("code"), code)

    def shown(self) -> Shown:
        """Return status and message as one line."""
        if not self.arrived:
            return self.answer.shown()
        told = shown(self.body) if self.body else self.answer.shown()
        return told if told.startswith("HTTP ") else Shown(f"HTTP {self.status}, {told}")

    def details(self, **more: JsonValue) -> JsonObject:
        """Return the message as published details name it, if one came."""
        return {**more, "response": self.body} if self.body else dict(more)


@dataclass
class Probes:
    """Sends requests, each as it is, and remembers what came back.

    :ivar ids: of requests that are given none.
    """

    peer: Peer
    ids: Iterator[int]
    replies: list[Reply] = field(default_factory=list)

    async def send(
        self,
        method: str,
        params: JsonObject,
        *,
        id: int | None = None,  # noqa: A002 -- the member's name
        headers: Headers | None = None,
        malformed: bool = False,
        from_peer: bool = False,
    ) -> Reply:
        """Send a request with exactly these params; `headers` replace the usual ones."""
        number = next(self.ids) if id is None else id
        sent = replaced(self.peer.headers(method, params), headers)
        message = json_rpc.request(number, method, params)
        answer = await self.peer.post(message, headers=sent, malformed=malformed, from_peer=from_peer)
        reply = Reply(id=number, answer=answer, malformed=malformed)
        self.replies.append(reply)
        return reply

    async def call(self, tool: str, *, id: int | None = None) -> Reply:  # noqa: A002 -- the member's name
        """Call a tool without arguments, as a client without capabilities."""
        return await self.send("tools/call", {"name": tool, "arguments": {}, "_meta": meta(self.peer)}, id=id)

    @property
    def errors(self) -> int:
        """How many responses had an error."""
        return sum("error" in reply.body for reply in self.replies)
