"""The streams of the scenario `server-stateless`, and what each of them decides.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions and
.../basic/transports/streamable-http#receiving-messages
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, same, truthy
from pytest_mcp_conformance.model import Requirement
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.protocol.json_rpc import METHOD_NOT_FOUND, Kind, kind_of
from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM
from pytest_mcp_conformance.scenarios.server import stateless_requirements as rules
from pytest_mcp_conformance.scenarios.server.stateless_probes import Probes, Reply, meta
from pytest_mcp_conformance.scenarios.server.stateless_streams import (
    Listener,
    Stream,
    Take,
    carries,
    has,
    method_of,
    notifications,
    subscription_id,
    untagged,
)

# How long each stream is listened to, and how many messages are enough: both decide verdicts, and are as published.
REQUEST_SECONDS = 0.6
LOG_SECONDS = 0.5
REQUEST_MESSAGES = 3
ACKNOWLEDGMENT_SECONDS = 0.8
ACKNOWLEDGMENT_MESSAGES = 2  # the acknowledgment, and one notification after it
CHANGE_SECONDS = 1.5  # for a change to be told, or to be kept

LISTEN = "subscriptions/listen"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
LOG_MESSAGE = "notifications/message"
TOOLS_CHANGED = "notifications/tools/list_changed"
PROMPTS_CHANGED = "notifications/prompts/list_changed"
CHANGE_TOOLS = "test_trigger_tool_change"
CHANGE_PROMPTS = "test_trigger_prompt_change"


@dataclass
class Listened:
    """The streams of the scenario, each under the requirement that it decides first, and what came on them.

    :ivar takes: what decides; `in_company` what came while all were open.
    """

    listener: Listener
    streams: dict[Requirement, Stream]
    in_company: dict[Requirement, Take] = field(default_factory=dict)
    takes: dict[Requirement, Take] = field(default_factory=dict)

    @classmethod
    def of(cls, probes: Probes, discovered: JsonObject) -> Listened:
        """Return the streams to listen to, of a server that discovers itself so."""
        return cls(Listener(probes), _streams(probes.peer, as_object(discovered.get("capabilities"))))

    async def listen(self) -> None:
        """Listen to all of them at the same time."""
        takes = await self.listener.together(list(self.streams.values()))
        self.in_company = dict(zip(self.streams, takes, strict=True))

    async def confirm(self) -> None:
        """Listen again to those that brought something else than they should, one after the other."""
        for requirement, stream in self.streams.items():
            self.takes[requirement] = await self.listener.confirmed(stream, self.in_company[requirement])

    def decide(self, checks: Checks, discovery: Reply) -> None:
        """Decide everything that the streams show."""
        decide_request_stream(checks, self.takes[rules.NO_REQUESTS_ON_STREAM])
        decide_log_stream(checks, self.takes[rules.NO_LOG_UNASKED])
        decide_stream_type(checks, self)
        decide_acknowledgment(checks, self.takes[rules.SENDS_ACKNOWLEDGMENT], discovery)
        decide_subscription_ids(checks, self)
        decide_filter(checks, self.takes[rules.HONORS_FILTER], discovery)
        decide_filter_with_control(checks, self)
        for requirement, capability, method in (
            (rules.SENDS_PROMPTS_CHANGED, "prompts", PROMPTS_CHANGED),
            (rules.SENDS_TOOLS_CHANGED, "tools", TOOLS_CHANGED),
        ):
            decide_change(checks, requirement, capability, method, self.takes.get(requirement))


def _streams(peer: Peer, capabilities: JsonObject) -> dict[Requirement, Stream]:
    streams = {
        rules.NO_REQUESTS_ON_STREAM: _call(
            peer,
            "test_streaming_elicitation",
            {"elicitation": {}},
            within=REQUEST_SECONDS,
            unharmed=lambda take: bool(take.messages) and not take.only_errors and not requests(take.messages),
        ),
        rules.NO_LOG_UNASKED: _call(
            peer,
            "test_logging_tool",
            {},
            within=LOG_SECONDS,
            unharmed=lambda take: bool(take.messages) and not take.only_errors and take.carried(LOG_MESSAGE) is None,
        ),
        # Open longer than it is judged by: what it hears is the control of the one that follows.
        rules.SENDS_ACKNOWLEDGMENT: _subscription(
            peer,
            "toolsListChanged",
            trigger=CHANGE_TOOLS,
            within=CHANGE_SECONDS,
            unharmed=opens_well,
        ),
        rules.HONORS_FILTER: _subscription(
            peer,
            "promptsListChanged",
            trigger=CHANGE_TOOLS,
            within=CHANGE_SECONDS,
            unharmed=lambda take: bool(take.messages) and take.carried(TOOLS_CHANGED) is None,
            enough=carries(TOOLS_CHANGED),
        ),
    }
    if announces(capabilities, "prompts"):
        streams[rules.SENDS_PROMPTS_CHANGED] = _change(peer, "promptsListChanged", CHANGE_PROMPTS, PROMPTS_CHANGED)
    if announces(capabilities, "tools"):
        streams[rules.SENDS_TOOLS_CHANGED] = _change(peer, "toolsListChanged", CHANGE_TOOLS, TOOLS_CHANGED)
    return streams


def _call(
    peer: Peer, tool: str, capabilities: JsonObject, *, within: float, unharmed: Callable[[Take], bool]
) -> Stream:
    params: JsonObject = {"name": tool, "arguments": {}, "_meta": meta(peer, clientCapabilities=capabilities)}
    return Stream(method="tools/call", params=params, within=within, unharmed=unharmed, enough=has(REQUEST_MESSAGES))


def _subscription(
    peer: Peer,
    wanted: str,
    *,
    trigger: str,
    within: float,
    unharmed: Callable[[Take], bool],
    enough: Callable[[Sequence[JsonValue]], bool] = lambda _: False,
) -> Stream:
    params: JsonObject = {"_meta": meta(peer), "notifications": {wanted: True}}
    return Stream(method=LISTEN, params=params, within=within, unharmed=unharmed, enough=enough, trigger=trigger)


def _change(peer: Peer, wanted: str, trigger: str, told: str) -> Stream:
    return _subscription(
        peer,
        wanted,
        trigger=trigger,
        within=CHANGE_SECONDS,
        # Where the trigger is refused nothing changes, in company or alone.
        unharmed=lambda take: take.carried(told) is not None or take.trigger_refused,
        enough=carries(told),
    )


def announces(capabilities: JsonObject, name: str) -> bool:
    """Tell whether a server with `capabilities` says that it tells of changes of its `name`."""
    return truthy(as_object(capabilities.get(name)).get("listChanged"))


def requests(messages: Sequence[JsonValue]) -> list[JsonValue]:
    """Return the messages with a method that are no notifications, whatever the method, and those that are null."""
    return [
        each
        for each in messages
        if each is None or (truthy(as_object(each).get("method")) and kind_of(each) is not Kind.NOTIFICATION)
    ]


def _nothing_to_judge(checks: Checks, requirement: Requirement, take: Take) -> bool:
    """Record it where no message came, or nothing but errors. Return whether."""
    if not take.messages:
        checks.decide(requirement, False, expected="an answer", got=_silence(take))  # noqa: FBT003
        return True
    if take.only_errors:
        checks.untestable(requirement, "the tool call was refused", details={"response": take.messages[0]})
        return True
    return False


def _silence(take: Take) -> str:
    return "no HTTP response in time" if take.heard.status is None else f"HTTP {take.heard.status} without a message"


def decide_request_stream(checks: Checks, take: Take) -> None:
    """MUST NOT send requests on the stream: 2026-07-28, basic/transports/streamable-http#receiving-messages."""
    if _nothing_to_judge(checks, rules.NO_REQUESTS_ON_STREAM, take):
        return
    wrong = requests(take.messages)
    checks.decide(
        rules.NO_REQUESTS_ON_STREAM,
        not wrong,
        expected="notifications and the response",
        got=wrong,
        details={"frames": take.messages} if wrong else {"inspectedFramesCount": len(take.messages)},
    )


def decide_log_stream(checks: Checks, take: Take) -> None:
    """MUST NOT log for a request without a level: 2026-07-28, server/utilities/logging#per-request-log-level."""
    if _nothing_to_judge(checks, rules.NO_LOG_UNASKED, take):
        return
    log = take.carried(LOG_MESSAGE)
    checks.decide(
        rules.NO_LOG_UNASKED,
        log is None and None not in take.messages,
        expected="no notifications/message without a log level in _meta",
        got=log,
        details={"framesFound": len(take.messages)} if log is None else {"logFrame": log},
    )


def decide_stream_type(checks: Checks, listened: Listened) -> None:
    """Look at the type of every answer that was, or had to be, a stream."""
    streams = [
        take
        for requirement, take in listened.takes.items()
        if len(take.messages) > 1 or (take.messages and listened.streams[requirement].method == LISTEN)
        if not take.only_errors
    ]
    if not streams:
        checks.skip(rules.STREAM_TYPE, "no answer was a stream")
        return
    # MUST be text/event-stream where it is not a single JSON object: 2026-07-28,
    # basic/transports/streamable-http#sending-messages, item 6
    wrong: list[JsonValue] = [take.heard.content_type for take in streams if take.heard.content_type != EVENT_STREAM]
    checks.decide(rules.STREAM_TYPE, not wrong, expected=f"the type {EVENT_STREAM}", got=wrong)


def _not_offered(checks: Checks, requirement: Requirement, take: Take, discovery: Reply) -> bool:
    """Record it where the server does not know the method that subscribes. Return whether.

    That is its right if it declares nothing that could be subscribed to.
    """
    if not same(as_object(take.first.get("error")).get("code"), METHOD_NOT_FOUND):
        return False
    capabilities = as_object(discovery.result.get("capabilities"))
    offers = [name for name in ("tools", "prompts", "resources") if announces(capabilities, name)]
    if truthy(as_object(capabilities.get("resources")).get("subscribe")):
        offers.append("resources.subscribe")
    if discovery.body.get("result") is not None and not offers:
        note = f"the server declares nothing to subscribe to and refuses {LISTEN}"
        checks.skip(requirement, note, details={"note": note})
    else:
        checks.untestable(requirement, f"{LISTEN} is refused", details={"response": take.first})
    return True


def opening(take: Take) -> list[JsonValue]:
    """Return how a subscription begins: what came in time, the acknowledgment and one message more at most."""
    return take.heard.messages_within(ACKNOWLEDGMENT_SECONDS)[:ACKNOWLEDGMENT_MESSAGES]


def opens_well(take: Take) -> bool:
    """Tell whether a subscription begins with an acknowledgment, and with subscription ids."""
    return method_of(next(iter(opening(take)), None)) == ACKNOWLEDGED and not untagged(opening(take))


def decide_acknowledgment(checks: Checks, take: Take, discovery: Reply) -> None:
    """Look at the first message, and at the subscription id of it and the one that follows."""
    inspected = opening(take)
    # MUST be the first message: 2026-07-28, basic/patterns/subscriptions#acknowledgment
    if not _not_offered(checks, rules.SENDS_ACKNOWLEDGMENT, take, discovery):
        checks.decide(
            rules.SENDS_ACKNOWLEDGMENT,
            bool(inspected) and method_of(inspected[0]) == ACKNOWLEDGED,
            expected=f"{ACKNOWLEDGED} as the first message",
            got=inspected[0] if inspected else _silence(take),
            details={"firstFrame": inspected[0]} if inspected else None,
        )
    # MUST be in _meta of each: 2026-07-28, basic#_meta, per-response protocol fields
    if not _not_offered(checks, rules.TAGS_SUBSCRIPTION, take, discovery):
        told, wrong = notifications(inspected), untagged(inspected)
        checks.decide(
            rules.TAGS_SUBSCRIPTION,
            bool(told) and not wrong and None not in inspected,
            expected="a subscription id in _meta of every notification",
            got=wrong or inspected or _silence(take),
            details={"untaggedFrames": [*wrong]}
            if wrong or not told
            else {"subscriptionId": subscription_id(told[0]), "inspectedNotificationCount": len(told)},
        )


def decide_subscription_ids(checks: Checks, listened: Listened) -> None:
    """Compare the subscription ids with the ids of the requests that subscribed."""
    ids: list[tuple[int, JsonValue]] = [
        (take.id, subscription_id(told))
        for requirement, take in listened.takes.items()
        if listened.streams[requirement].method == LISTEN
        for told in notifications(take.messages)
        if truthy(subscription_id(told))
    ]
    if not ids:
        checks.skip(rules.SUBSCRIPTION_ID_VALUE, "no notification carries a subscription id")
        return
    # The value is the id of the request: 2026-07-28, basic/patterns/subscriptions#receiving-notifications
    wrong = next(((asked, told) for asked, told in ids if not same(asked, told)), None)
    checks.decide(
        rules.SUBSCRIPTION_ID_VALUE,
        wrong is None,
        expected=f"the subscription id {wrong[0]}, as the request was numbered" if wrong else "the id of the request",
        got=wrong[1] if wrong else None,
    )


def decide_filter(checks: Checks, take: Take, discovery: Reply) -> None:
    """MUST NOT send types that were not requested: 2026-07-28, basic/patterns/subscriptions#opening-a-stream."""
    if _not_offered(checks, rules.HONORS_FILTER, take, discovery):
        return
    leaked = take.carried(TOOLS_CHANGED)
    checks.decide(
        rules.HONORS_FILTER,
        bool(take.messages) and leaked is None and None not in take.messages,
        expected=f"no {TOOLS_CHANGED} where only changed prompts were asked for",
        got=leaked or _silence(take),
        details={"leakedToolFrame": leaked} if leaked else {"narrowFramesCount": len(take.messages)},
    )


def decide_filter_with_control(checks: Checks, listened: Listened) -> None:
    """Decide the filter where it is shown that there was something to hold back.

    The subscription with the narrow filter and those that asked for changed tools were open at the same time.
    """
    narrow = listened.in_company[rules.HONORS_FILTER]
    wide = [listened.in_company.get(each) for each in (rules.SENDS_ACKNOWLEDGMENT, rules.SENDS_TOOLS_CHANGED)]
    moment = narrow.triggered_at
    if moment is None or method_of(narrow.first) != ACKNOWLEDGED:
        checks.skip(rules.FILTER_WITH_CONTROL, "the subscription was not acknowledged")
    elif not any(take.carried_after(TOOLS_CHANGED, moment) for take in wide if take is not None):
        checks.skip(rules.FILTER_WITH_CONTROL, f"no other subscription was told of a change that {CHANGE_TOOLS} made")
    else:
        leaked = narrow.carried(TOOLS_CHANGED)
        checks.decide(
            rules.FILTER_WITH_CONTROL,
            leaked is None,
            expected=f"{TOOLS_CHANGED} only on the subscriptions that asked for it",
            got=leaked,
        )


def decide_change(checks: Checks, requirement: Requirement, capability: str, told: str, take: Take | None) -> None:
    """Look for the change that the trigger made; `take` is none where the server does not declare that it tells."""
    if take is None:
        note = f"the server does not declare {capability}.listChanged"
        checks.skip(requirement, note, details={"note": note})
        return
    if take.triggered is not None and take.triggered.has_code(METHOD_NOT_FOUND):
        checks.untestable(requirement, "the tool that makes the change is not there")
        return
    frame = take.carried(told)
    checks.decide(
        requirement,
        frame is not None,
        expected=f"{told} on the subscription",
        got=take.messages or _silence(take),
        details=None if frame is None else {"changeFrame": frame},
    )
