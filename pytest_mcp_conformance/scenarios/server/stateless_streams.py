"""The streams that the scenario `server-stateless` listens to: answers of requests, and subscriptions.

That something does not come takes time to see. All streams are therefore open at the same time, and beside the single
requests. A server may find that hard which serves one request after the other without fault: what does not come in company
as it should is tried once more alone, and only that decides.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, truthy
from pytest_mcp_conformance.peer.listening import Heard, hear
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.scenarios.server.stateless_probes import SUBSCRIPTION_ID, Probes, Reply
from pytest_mcp_conformance.side_by_side import side_by_side


@dataclass(frozen=True, kw_only=True)
class Take:
    """What came on a stream.

    :ivar id: of the request that opened it.
    :ivar triggered: the answer to the call that should make the server send something, if there was one.
    :ivar triggered_at: when that call was made, by the clock of `time.monotonic`.
    """

    id: int = 0
    heard: Heard = field(default_factory=Heard)
    triggered: Reply | None = None
    triggered_at: float | None = None

    @property
    def messages(self) -> list[JsonValue]:
        """All messages, in the order of arrival."""
        return self.heard.messages

    @property
    def first(self) -> JsonObject:
        """The first message; empty if none came."""
        return as_object(self.messages[0]) if self.messages else {}

    @property
    def only_errors(self) -> bool:
        """Whether nothing but errors came."""
        return all("error" in as_object(each) for each in self.messages)

    @property
    def trigger_refused(self) -> bool:
        """Whether the server had nothing to send, because it refused the call that should bring it about."""
        return self.triggered is not None and self.triggered.refused

    def carried(self, method: str) -> JsonObject | None:
        """Return the first message with `method`."""
        return next((as_object(each) for each in self.messages if method_of(each) == method), None)

    def carried_after(self, method: str, moment: float) -> bool:
        """Tell whether a message with `method` came after `moment`."""
        timed = zip(self.messages, self.heard.times, strict=True)
        return any(method_of(message) == method and when > moment for message, when in timed)


@dataclass(frozen=True, kw_only=True)
class Stream:
    """A stream to be listened to.

    :param within: seconds from before the request.
    :param unharmed: whether what came shows that company did no harm.
    :param enough: whether what came lets it be closed before its time is over.
    :param trigger: a tool to call once the first message is there.
    """

    method: str
    params: JsonObject
    within: float
    unharmed: Callable[[Take], bool]
    enough: Callable[[Sequence[JsonValue]], bool] = lambda _: False
    trigger: str | None = None


@dataclass
class Listener:
    """Listens to streams, all at once, and to some of them again alone."""

    probes: Probes

    async def together(self, streams: Sequence[Stream]) -> list[Take]:
        """Listen to all of `streams` at the same time."""
        return await side_by_side(*(self.alone(stream) for stream in streams))

    async def confirmed(self, stream: Stream, in_company: Take) -> Take:
        """Return what came in company, or if that may be the fault of the company, what comes alone."""
        return in_company if stream.unharmed(in_company) else await self.alone(stream)

    async def alone(self, stream: Stream) -> Take:
        """Listen to `stream`."""
        peer, id_ = self.probes.peer, next(self.probes.ids)
        triggered: Reply | None = None
        triggered_at: float | None = None

        async def trigger(tool: str) -> None:
            nonlocal triggered, triggered_at
            triggered_at = time.monotonic()
            triggered = await self.probes.call(tool)

        tool = stream.trigger
        heard = await hear(
            peer,
            json_rpc.request(id_, stream.method, stream.params),
            headers=peer.headers(stream.method, stream.params),
            within=stream.within,
            enough=stream.enough,
            once_open=None if tool is None else lambda: trigger(tool),
        )
        return Take(id=id_, heard=heard, triggered=triggered, triggered_at=triggered_at)


def method_of(message: JsonValue) -> str:
    """Return the method of a message; empty if it has none."""
    method = as_object(message).get("method")
    return method if isinstance(method, str) else ""


def carries(method: str) -> Callable[[Sequence[JsonValue]], bool]:
    """Return the rule that a message with `method` is enough."""
    return lambda messages: any(method_of(each) == method for each in messages)


def has(number: int) -> Callable[[Sequence[JsonValue]], bool]:
    """Return the rule that `number` messages are enough."""
    return lambda messages: len(messages) >= number


def notifications(messages: Sequence[JsonValue]) -> list[JsonObject]:
    """Return the messages that are notifications by their method."""
    return [as_object(each) for each in messages if method_of(each).startswith("notifications/")]


def subscription_id(notification: JsonObject) -> JsonValue:
    """Return the subscription id that a notification carries in `_meta`; null if there is none."""
    return as_object(as_object(notification.get("params")).get("_meta")).get(SUBSCRIPTION_ID)


def untagged(messages: Sequence[JsonValue]) -> list[JsonObject]:
    """Return the notifications without a subscription id."""
    return [each for each in notifications(messages) if not truthy(subscription_id(each))]
