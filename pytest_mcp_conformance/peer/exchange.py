"""One POST of a JSON-RPC message, and what comes back on its response. Both wires and all raw traffic use it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field

from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, NotJson, Shown, as_object, loads, same, shown
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.http import Http, HttpStream
from pytest_mcp_conformance.protocol.json_rpc import Answer, Kind, RpcError, kind_of
from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM, JSON
from pytest_mcp_conformance.protocol.recorder import Origin
from pytest_mcp_conformance.protocol.sse import Event

# MUST list both types: 2025-03-26 to 2025-11-25, basic/transports#sending-messages-to-the-server, item 2
ACCEPT_BOTH = f"{JSON}, {EVENT_STREAM}"


@dataclass
class Incoming:
    """What one response carried, while it arrives.

    :ivar response: the response-shaped message that answers the request.
    :ivar problem: why there is none.
    :ivar unreadable: why the data of the last event that is no JSON is none.
    """

    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    messages: list[JsonValue] = field(default_factory=list)
    response: JsonObject | None = None
    problem: str | None = None
    unreadable: str | None = None
    last_event_id: str = ""
    retry_ms: int | None = None

    @asynccontextmanager
    async def remembering(self, stream: HttpStream) -> AsyncIterator[None]:
        """Take over, however reading `stream` ends, which event was its last and how long to wait before resuming it."""
        try:
            yield
        finally:
            self.last_event_id = stream.parser.last_event_id or self.last_event_id
            if stream.parser.retry_ms is not None:
                self.retry_ms = stream.parser.retry_ms

    def answer(self, method: str) -> Answer:
        """Return what came as the answer to `method`."""
        message = self.response
        error = RpcError.read(message["error"]) if message is not None and message.get("error") is not None else None
        problem = self.problem
        if message is not None and message.get("error") is not None and error is None:
            problem = f"an error without an integer code: {shown(message)}"
        return Answer(
            method=method,
            result=None if message is None else message.get("result"),
            error=error,
            problem=problem,
            status=self.status,
            headers=self.headers,
            message=message,
            messages=tuple(self.messages),
        )


@dataclass(kw_only=True)
class Exchange:
    """Sends one message and takes in its response.

    :param revision: whose schema binds both sides.
    :param method: of the request that is sent, or words for another message; a response is judged as its result.
    :param request_id: the id whose response is awaited; none for notifications and responses.
    :param awaits_response: whether the message is one that is answered.
    :param only_success: a status outside 2xx is no answer, whatever its body.
    :param drain: read an event stream to its end instead of leaving it at the response.
    :param malformed: the message is wrong on purpose: it is not judged, and `id: null` in its error is allowed.
    :param from_peer: the message repeats a value of the server: where that makes it invalid, it is not our fault.
    :param take: called with each message that is not the awaited response, as it arrives.
    :param arrived: called once, when the awaited response is there.
    """

    http: Http
    url: str
    revision: Revision
    method: str
    request_id: JsonValue = None
    awaits_response: bool = True
    only_success: bool = False
    drain: bool = False
    malformed: bool = False
    from_peer: bool = False
    take: Callable[[JsonObject], None] = lambda message: None  # noqa: ARG005 -- by default nobody listens
    arrived: Callable[[Incoming], None] = lambda incoming: None  # noqa: ARG005

    _well_formed: bool = field(default=False, init=False)

    async def run(self, message: JsonValue | bytes, headers: Mapping[str, str], incoming: Incoming) -> None:
        """Do the exchange and fill `incoming` as it goes.

        :raises PeerUnreachable: no connection.
        """
        self._well_formed = not self.malformed
        if not self.malformed and not isinstance(message, bytes):
            self._well_formed = self.http.recorder.judge(
                message,
                Origin.HARNESS,
                context=f"to the server: {self.method}",
                revision=self.revision,
                excused=self.from_peer,
            )
        try:
            async with self.http.open(
                "POST", self.url, headers=headers, body=message, malformed=self.malformed, follow=True
            ) as stream:
                incoming.status, incoming.headers = stream.status, stream.headers
                await self._take_in(stream, incoming)
        except Nonconforming as error:
            incoming.problem = incoming.problem or (None if incoming.response else _sentence(error, incoming.status))
        if self.awaits_response and incoming.response is None and incoming.problem is None:
            incoming.problem = self._nothing(incoming)

    async def _take_in(self, stream: HttpStream, incoming: Incoming) -> None:
        if self.only_success and not stream.ok:
            answer = await stream.read()
            incoming.problem = _status_problem(stream, answer.body)
        elif stream.content_type == EVENT_STREAM:
            async with aclosing(stream.events()) as events, incoming.remembering(stream):
                async for event in events:
                    if event.data.strip():
                        self._take_event(event, incoming)
                        if incoming.response is not None and not self.drain:
                            return
        else:
            answer = await stream.read()
            if answer.body.strip():
                if self.only_success and self.awaits_response and stream.content_type != JSON:
                    type_ = f"of type {shown(stream.content_type)}" if stream.content_type else "without a content type"
                    incoming.problem = f"an answer {type_}: {_excerpt(answer.body)}"
                    return
                self._take_body(answer.body, incoming)

    def _take_body(self, body: bytes, incoming: Incoming) -> None:
        try:
            value = loads(body)
        except NotJson as error:
            incoming.problem = f"HTTP {incoming.status}, {error}: {_excerpt(body)}"
            return
        self._take_value(value, incoming, single=True)

    def _take_event(self, event: Event, incoming: Incoming) -> None:
        try:
            value = event.value()
        except NotJson as error:
            incoming.unreadable = f"{error}: {shown(event.data)}"
            self.http.recorder.unreadable(
                event, error, context=f"from the server, in answer to {self.method}", revision=self.revision
            )
            return
        self._take_value(value, incoming, single=False)

    def _take_value(self, value: JsonValue, incoming: Incoming, *, single: bool) -> None:
        """Take what one JSON text says: a whole body (`single`), or the data of one event."""
        # MUST be a single JSON object: 2026-07-28, basic/transports/streamable-http#sending-messages, item 6
        batch = value if isinstance(value, list) and not self.revision.stateless else [value]
        incoming.messages.extend(batch)
        failed = incoming.status is not None and not 200 <= incoming.status < 300
        bare_error = single and len(batch) == 1 and (failed or not self._well_formed)
        chosen = (
            None
            if incoming.response is not None
            else next((each for each in batch if self.answers(each, bare_error=bare_error)), None)
        )
        self.judge(value, is_response=chosen is not None)
        if chosen is not None:
            incoming.response = as_object(chosen)
            self.arrived(incoming)
        for each in batch:
            if each is not chosen and isinstance(each, dict):
                self.take(each)

    def judge(self, value: JsonValue, *, is_response: bool) -> None:
        """Judge what came by the schema; a response also by the result type of its method."""
        null_allowed = not self._well_formed and isinstance(value, dict) and value.get("id", 0) is None
        judged: JsonValue = {**as_object(value), "id": 0} if null_allowed else value
        self.http.recorder.judge(
            judged,
            Origin.IMPLEMENTATION,
            context=f"from the server, in answer to {self.method}",
            request_method=self.method if is_response else None,
            revision=self.revision,
        )

    def answers(self, message: JsonValue, *, bare_error: bool = False) -> bool:
        """Tell whether `message` is the awaited response; with `bare_error` an error may be it that has no id."""
        if not self.awaits_response or not isinstance(message, dict) or kind_of(message) is not Kind.RESPONSE:
            return False
        # MUST carry the id of the request, type included: all revisions, basic#responses
        if same(message.get("id"), self.request_id):
            return True
        # An error MAY come without id where the request could not be read: 2025-11-25, basic#error-responses. A request that
        # is well formed can be read; a status outside 2xx may be from what stands before the server.
        return bare_error and message.get("id") is None and message.get("error") is not None

    def _nothing(self, incoming: Incoming) -> str:
        """Say what came in the place of the awaited response."""
        others = [as_object(each).get("id") for each in incoming.messages if kind_of(each) is Kind.RESPONSE]
        if others:
            return f"a response with id {shown(others[-1])} where id {shown(self.request_id)} was asked for"
        if incoming.unreadable:
            return f"HTTP {incoming.status} and an event whose data is {incoming.unreadable}"
        if not incoming.messages:
            return f"HTTP {incoming.status} without a message"
        last = shown(incoming.messages[-1])
        if len(incoming.messages) == 1:
            return f"HTTP {incoming.status} and no response but {last}"
        return (
            f"HTTP {incoming.status} and no response among {len(incoming.messages)} messages, the last of them {last}"
        )


def exchange_of(
    http: Http,
    url: str,
    message: JsonValue | bytes,
    *,
    revision: Revision,
    take: Callable[[JsonObject], None],
    request_method: str | None,
    malformed: bool,
    from_peer: bool,
) -> Exchange:
    """Return the exchange of a message of the scenario's own making: see `Peer.post`."""
    sent = as_object(message) if not isinstance(message, bytes) else {}
    return Exchange(
        http=http,
        url=url,
        revision=revision,
        method=request_method or str(sent.get("method", "a raw message")),
        request_id=sent.get("id"),
        awaits_response=isinstance(message, bytes) or kind_of(message) is not Kind.NOTIFICATION,
        malformed=malformed,
        from_peer=from_peer,
        take=take,
    )


async def bounded(
    exchange: Exchange, message: JsonValue | bytes, headers: Mapping[str, str], within: float
) -> Incoming:
    """Run `exchange` for at most `within` seconds; what had come by then is kept."""
    incoming = Incoming()
    try:
        async with asyncio.timeout(within):
            await exchange.run(message, headers, incoming)
    except TimeoutError:
        exchange.http.recorder.note(f"{exchange.method}: no answer within {within:g} s")
        if incoming.response is None:
            incoming.problem = f"no answer within {within:g} s"
    return incoming


def _status_problem(stream: HttpStream, body: bytes) -> str:
    return f"HTTP {stream.status}: {_excerpt(body)}" if body.strip() else f"HTTP {stream.status} without a body"


def _excerpt(body: bytes) -> Shown:
    try:
        return shown(loads(body))
    except NotJson:
        return shown(body[:1000].decode(errors="replace"))


def _sentence(error: Nonconforming, status: int | None) -> str:
    sentence = f"{error.message} ({error.got})" if error.got else error.message
    return sentence if status is None or 200 <= status < 300 else f"HTTP {status}, {sentence}"
