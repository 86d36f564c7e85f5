"""Requests that stand alone: servers that are odd at one place, and the checks that say so."""

from __future__ import annotations

import json

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.scenarios.server import stateless_listening
from tests.scenarios.server.odd_reference import (
    Asked,
    Odd,
    Oddity,
    all_of,
    error,
    events,
    reply,
    result,
    text,
    to,
    unlike_the_reference,
)

SCENARIO = "server-stateless"
DISCOVERED: JsonObject = {
    "resultType": "complete",
    "supportedVersions": [*Revision],
    "capabilities": {"tools": {"listChanged": True}, "prompts": {"listChanged": True}},
    "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "odd", "version": "1"}},
    "ttlMs": 0,
    "cacheScope": "private",
}
DONE: JsonObject = {"resultType": "complete", "content": [{"type": "text", "text": "done"}]}

DISCOVER, CALL, LISTEN = "server/discover", "tools/call", "subscriptions/listen"
STREAMING, LOGGING, NEEDS_SAMPLING = "test_streaming_elicitation", "test_logging_tool", "test_missing_capability"
CHANGE_TOOLS, CHANGE_PROMPTS = "test_trigger_tool_change", "test_trigger_prompt_change"
SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId"
TOOLS_CHANGED, PROMPTS_CHANGED = "notifications/tools/list_changed", "notifications/prompts/list_changed"

NO_META = "sep-2575-request-meta-invalid-missing-meta"
NO_VERSION = "sep-2575-request-meta-invalid-missing-protocol-version"
META_400 = "sep-2575-http-server-meta-invalid-400"
ANONYMOUS = "sep-2575-request-meta-client-info-optional"
DISCOVERS = "sep-2575-server-implements-discover"
IDENTIFIES = "sep-2575-server-identifies-in-result-meta"
PROMPTS_DECLARED = "sep-2575-server-declares-prompts-in-discover"
CAPABILITIES_MATCH = "sep-2575-discover-capabilities-match-handlers"
VERSION_ERROR = "sep-2575-server-unsupported-version-error"
VERSION_400 = "sep-2575-http-server-unsupported-version-400"
MISMATCH_400 = "sep-2575-http-server-header-mismatch-400"
UNDECLARED = "sep-2575-server-rejects-undeclared-capability"
UNDECLARED_400 = "sep-2575-missing-capability-http-400"
UNKNOWN_404 = "sep-2575-http-server-method-not-found-404"
ON_STREAM = "sep-2575-http-server-no-independent-requests-on-stream"
NO_LOG = "sep-2575-server-no-log-without-loglevel"
ACKNOWLEDGES = "sep-2575-server-sends-subscription-ack"
TAGS = "sep-2575-server-tags-subscription-id"
FILTERS = "sep-2575-server-honors-notification-filter"
TELLS_PROMPTS = "sep-2575-server-sends-prompts-list-changed-on-subscription"
TELLS_TOOLS = "sep-2575-server-sends-tools-list-changed-on-subscription"
ERROR_ID = "sep-2575-http-server-error-jsonrpc-id"

X_ANONYMOUS = "x-anonymous-client-gets-result"
X_VERSION = "x-discover-lists-version-in-use"
X_VERSION_CODE = "x-unsupported-version-code"
X_STREAM_TYPE = "x-several-messages-are-an-event-stream"
X_SUBSCRIPTION_ID = "x-subscription-id-is-request-id"
X_CONTROL = "x-notification-filter-against-control"
X_ERROR_ID = "x-every-error-carries-request-id"

BETWEEN_SECONDS = 0.2
CHANGE_SECONDS = 0.6  # of the scenario's windows here, long enough for a server on the same machine

FAILS, WARNS, SKIPS = "FAILURE", "WARNING", "SKIPPED"


def discovering(**members: JsonValue) -> Oddity:
    """Return the oddity of a server that discovers itself with other members; null ones are left out."""

    def answer(asked: Asked) -> Odd:
        found: JsonObject = {name: value for name, value in {**DISCOVERED, **members}.items() if value is not None}
        return reply(result(asked, found))

    return to(DISCOVER, answer, id=201)


def note(method: str, asked: Asked, **meta: JsonValue) -> JsonObject:
    """Return a notification on the subscription of a request."""
    carried: JsonObject = {SUBSCRIPTION_ID: asked.message.get("id"), **meta}
    return {"jsonrpc": "2.0", "method": method, "params": {"_meta": carried}}


def acknowledgment(asked: Asked, **meta: JsonValue) -> JsonObject:
    """Return the acknowledgment of a subscription."""
    message = note("notifications/subscriptions/acknowledged", asked, **meta)
    return {**message, "params": {**as_object(message["params"]), "notifications": asked.params.get("notifications")}}


def told(asked: Asked) -> str:
    """Return the notification that a subscription asks for."""
    return TOOLS_CHANGED if "toolsListChanged" in as_object(asked.params.get("notifications")) else PROMPTS_CHANGED


def subscribed(asked: Asked, **meta: JsonValue) -> tuple[JsonObject, JsonObject]:
    """Return what a subscription should carry: the acknowledgment, and the change asked for."""
    return acknowledgment(asked, **meta), note(told(asked), asked, **meta)


def subscription(*messages: JsonValue) -> Odd:
    """Return a stream whose messages come far enough apart that all triggers were called before the second one."""
    return events(*messages, seconds=BETWEEN_SECONDS)


def json_lines(*messages: JsonValue) -> Odd:
    """Return messages one a line, which is neither JSON nor an event stream."""
    return Odd(parts=tuple(f"{json.dumps(each)}\n".encode() for each in messages), seconds=BETWEEN_SECONDS)


PROGRESS: JsonObject = {
    "jsonrpc": "2.0",
    "method": "notifications/progress",
    "params": {"progressToken": 1, "progress": 1},
}
LOG: JsonObject = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}
ASKING: JsonObject = {"jsonrpc": "2.0", "id": 7, "method": "roots/list"}

ALL_SUBSCRIPTIONS_FAIL = {ACKNOWLEDGES: FAILS, TAGS: FAILS, FILTERS: FAILS, TELLS_PROMPTS: WARNS, TELLS_TOOLS: WARNS}
NOTHING_SUBSCRIBED = {X_SUBSCRIPTION_ID: SKIPS, X_CONTROL: SKIPS, X_STREAM_TYPE: SKIPS}

SINGLE_REQUESTS: dict[str, tuple[Oddity, dict[str, str]]] = {
    # What every request carries
    "no JSON with the right status": (
        to(DISCOVER, lambda _: text("no", status=400), id=101),
        {NO_META: FAILS},
    ),
    "the right error with HTTP 200": (
        to(DISCOVER, lambda asked: reply(error(asked, -32602)), id=102),
        {META_400: FAILS},
    ),
    "the code as a text": (
        to(DISCOVER, lambda asked: reply(error(asked, "-32602"), status=400), id=101),
        {NO_META: FAILS},
    ),
    "the error in an array": (
        to(DISCOVER, lambda asked: reply([error(asked, -32602)], status=400), id=101),
        {NO_META: FAILS},
    ),
    "the error without an id": (
        to(DISCOVER, lambda asked: reply({"error": error(asked, -32602)["error"]}, status=400), id=102),
        {ERROR_ID: FAILS, X_ERROR_ID: FAILS},
    ),
    "the error with the id as a text": (
        to(DISCOVER, lambda asked: reply(error(asked, -32602, id="101"), status=400), id=101),
        {ERROR_ID: FAILS, X_ERROR_ID: FAILS},
    ),
    "the error on an event stream": (
        to(DISCOVER, lambda asked: events(error(asked, -32602), status=400), id=101),
        {},
    ),
    "the error of another id on an event stream": (
        to(DISCOVER, lambda asked: events(error(asked, -32602, id=9), status=400), id=101),
        {ERROR_ID: FAILS, X_ERROR_ID: FAILS},
    ),
    "the connection cut for a request without a version": (
        to(DISCOVER, lambda _: Odd(cut=True), id=102),
        {NO_VERSION: FAILS, META_400: FAILS},
    ),
    "no JSON for a client without a name": (to(DISCOVER, lambda _: text("hello"), id=105), {X_ANONYMOUS: FAILS}),
    "HTTP 201 for a client without a name": (
        to(DISCOVER, lambda asked: reply(result(asked, DISCOVERED), status=201), id=105),
        {ANONYMOUS: FAILS},
    ),
    # Discovery
    "supported versions that are none": (
        discovering(supportedVersions=[]),
        {VERSION_ERROR: FAILS, X_VERSION: FAILS},
    ),
    "supported versions that are no list": (
        discovering(supportedVersions={}),
        {VERSION_ERROR: FAILS, X_VERSION: FAILS},
    ),
    "a server without a version": (
        discovering(_meta={"io.modelcontextprotocol/serverInfo": {"name": "odd", "version": ""}}),
        {IDENTIFIES: WARNS},
    ),
    "a server that names itself where drafts did": (
        discovering(_meta=None, serverInfo={"name": "odd", "version": "1"}),
        {IDENTIFIES: WARNS},
    ),
    "prompts that are not declared and not refused": (
        all_of(
            discovering(capabilities={"tools": {"listChanged": True}}),
            to("prompts/list", lambda asked: reply(error(asked, -32602))),
        ),
        {PROMPTS_DECLARED: FAILS, TELLS_PROMPTS: SKIPS},
    ),
    "prompts that are not declared and refused": (
        all_of(
            discovering(capabilities={"tools": {"listChanged": True}}),
            to("prompts/list", lambda asked: reply(error(asked, -32601), status=404)),
        ),
        {TELLS_PROMPTS: SKIPS},
    ),
    "an empty capability, which is a declared one": (
        discovering(capabilities={"tools": {}, "prompts": {}}),
        {TELLS_PROMPTS: SKIPS, TELLS_TOOLS: SKIPS},
    ),
    "tools that are not declared and listed": (
        discovering(capabilities={"prompts": {"listChanged": True}}),
        {CAPABILITIES_MATCH: FAILS, TELLS_TOOLS: SKIPS},
    ),
    "tools that are not declared and refused": (
        all_of(
            discovering(capabilities={"prompts": {"listChanged": True}}),
            to("tools/list", lambda asked: reply(error(asked, -32601), status=404)),
        ),
        {TELLS_TOOLS: SKIPS},
    ),
    # Versions
    "an error that supports a version unknown to discovery": (
        to(
            DISCOVER,
            lambda asked: reply(
                error(asked, -32022, {"supported": ["2026-07-28", "2099-01-01"], "requested": "v999.0.0"}), status=400
            ),
            id=301,
        ),
        {VERSION_ERROR: FAILS},
    ),
    "an error that supports nothing": (
        to(
            DISCOVER,
            lambda asked: reply(error(asked, -32022, {"supported": [], "requested": "v999.0.0"}), status=400),
            id=301,
        ),
        {VERSION_ERROR: FAILS},
    ),
    "an error that says all, under another code": (
        to(
            DISCOVER,
            lambda asked: reply(
                error(asked, -32000, {"supported": ["2026-07-28"], "requested": "v999.0.0"}), status=400
            ),
            id=301,
        ),
        {X_VERSION_CODE: FAILS},
    ),
    "a version refused by HTML": (
        to(DISCOVER, lambda _: text("no", status=400), id=301),
        {VERSION_ERROR: FAILS, X_VERSION_CODE: FAILS},
    ),
    "two versions, and the unsupported one refused": (
        to(
            DISCOVER,
            lambda asked: reply(
                error(asked, -32022, {"supported": ["2026-07-28"], "requested": "v999.0.0"}), status=400
            ),
            id=302,
        ),
        {MISMATCH_400: FAILS},
    ),
    # Capabilities of the client
    "missing capabilities as a list of names": (
        to(
            CALL,
            lambda asked: reply(error(asked, -32021, {"requiredCapabilities": ["sampling"]}), status=400),
            name=NEEDS_SAMPLING,
        ),
        {UNDECLARED: FAILS},
    ),
    "missing capabilities with a list": (
        to(
            CALL,
            lambda asked: reply(error(asked, -32021, {"requiredCapabilities": {"sampling": []}}), status=400),
            name=NEEDS_SAMPLING,
        ),
        {UNDECLARED: FAILS},
    ),
    "a tool executed without its capability": (
        to(CALL, lambda asked: reply(result(asked, DONE)), name=NEEDS_SAMPLING),
        {UNDECLARED: FAILS, UNDECLARED_400: FAILS},
    ),
    "a tool refused for another reason": (
        to(CALL, lambda asked: reply(error(asked, -32602)), name=NEEDS_SAMPLING),
        {UNDECLARED: FAILS, UNDECLARED_400: FAILS},
    ),
    "a tool refused by HTML": (
        to(CALL, lambda _: text("no", status=400), name=NEEDS_SAMPLING),
        {UNDECLARED: FAILS, UNDECLARED_400: FAILS},
    ),
    # Methods
    "a removed method with the right code and HTTP 400": (
        to("ping", lambda asked: reply(error(asked, -32601), status=400)),
        {f"{UNKNOWN_404}-ping": FAILS},
    ),
    "a removed method that is still served": (
        to("ping", lambda asked: reply(result(asked, {}))),
        {f"{UNKNOWN_404}-ping": FAILS},
    ),
    "an unknown method with 404 and no JSON": (
        to("unknown/method", lambda _: text("no", status=404)),
        {UNKNOWN_404: FAILS},
    ),
    "an unknown method refused under another id, which the published check does not see": (
        to("unknown/method", lambda asked: reply(error(asked, -32601, id="x"), status=404)),
        {X_ERROR_ID: FAILS},
    ),
}

STREAMS: dict[str, tuple[Oddity, dict[str, str]]] = {
    # The stream of a request
    "a request among the notifications": (
        to(CALL, lambda asked: events(PROGRESS, ASKING, result(asked, DONE)), name=STREAMING),
        {ON_STREAM: FAILS},
    ),
    "a notification of another vendor": (
        to(CALL, lambda asked: events({"jsonrpc": "2.0", "method": "vendor/x"}, result(asked, DONE)), name=STREAMING),
        {},
    ),
    "a request that is named as a notification": (
        to(CALL, lambda asked: events({**PROGRESS, "id": "server-1"}, result(asked, DONE)), name=STREAMING),
        {ON_STREAM: FAILS},
    ),
    "a method that is no text": (
        to(CALL, lambda asked: events({"jsonrpc": "2.0", "method": 5}, result(asked, DONE)), name=STREAMING),
        {ON_STREAM: FAILS},
    ),
    "null among the messages": (
        to(CALL, lambda asked: events(None, result(asked, DONE)), name=STREAMING),
        {ON_STREAM: FAILS},
    ),
    "a stream without messages": (to(CALL, lambda _: events(), name=STREAMING), {ON_STREAM: FAILS}),
    "a call that is refused": (
        to(CALL, lambda asked: reply(error(asked, -32602)), name=STREAMING),
        {ON_STREAM: FAILS},
    ),
    "a single JSON answer": (to(CALL, lambda asked: reply(result(asked, DONE)), name=STREAMING), {}),
    "an answer after the time": (
        to(CALL, lambda asked: events(LOG, result(asked, DONE), seconds=2), name=LOGGING),
        {NO_LOG: FAILS},
    ),
    "a log message": (to(CALL, lambda asked: events(LOG, result(asked, DONE)), name=LOGGING), {NO_LOG: FAILS}),
    "a stream of JSON lines, which is no event stream": (
        to(
            CALL,
            lambda asked: json_lines(PROGRESS, result(asked, DONE)),
            name=STREAMING,
        ),
        {X_STREAM_TYPE: FAILS},
    ),
    # Subscriptions
    "a subscription of JSON lines, which is no event stream": (
        to(LISTEN, lambda asked: json_lines(*subscribed(asked))),
        {X_STREAM_TYPE: FAILS},
    ),
    "a subscription whose id is the text of a number": (
        to(LISTEN, lambda asked: subscription(*subscribed(asked, **{SUBSCRIPTION_ID: str(asked.message["id"])}))),
        {X_SUBSCRIPTION_ID: FAILS},
    ),
    "a subscription whose id is empty": (
        to(LISTEN, lambda asked: subscription(*subscribed(asked, **{SUBSCRIPTION_ID: ""}))),
        {TAGS: FAILS, X_SUBSCRIPTION_ID: SKIPS},
    ),
    "a subscription that begins with the change": (
        to(LISTEN, lambda asked: subscription(*reversed(subscribed(asked)))),
        {ACKNOWLEDGES: FAILS, X_CONTROL: SKIPS},
    ),
    "a subscription that carries nothing": (
        to(LISTEN, lambda _: events()),
        {**ALL_SUBSCRIPTIONS_FAIL, **NOTHING_SUBSCRIBED},
    ),
    "a subscription answered by a result": (
        to(LISTEN, lambda asked: reply(result(asked, {"resultType": "complete"}))),
        {
            ACKNOWLEDGES: FAILS,
            TAGS: FAILS,
            TELLS_PROMPTS: WARNS,
            TELLS_TOOLS: WARNS,
            **NOTHING_SUBSCRIBED,
            X_STREAM_TYPE: FAILS,
        },
    ),
    "subscriptions that do not exist although changes are declared": (
        to(LISTEN, lambda asked: reply(error(asked, -32601), status=404)),
        {**ALL_SUBSCRIPTIONS_FAIL, **NOTHING_SUBSCRIBED},
    ),
    "subscriptions that do not exist where nothing changes": (
        all_of(
            discovering(capabilities={"tools": {}, "prompts": {}}),
            to(LISTEN, lambda asked: reply(error(asked, -32601), status=404)),
        ),
        {
            ACKNOWLEDGES: SKIPS,
            TAGS: SKIPS,
            FILTERS: SKIPS,
            TELLS_PROMPTS: SKIPS,
            TELLS_TOOLS: SKIPS,
            **NOTHING_SUBSCRIBED,
        },
    ),
    "subscriptions that do not exist where discovery fails": (
        all_of(
            to(DISCOVER, lambda asked: reply(error(asked, -32603), status=500), id=201),
            to(LISTEN, lambda asked: reply(error(asked, -32601), status=404)),
        ),
        {
            DISCOVERS: FAILS,
            IDENTIFIES: WARNS,
            PROMPTS_DECLARED: FAILS,
            CAPABILITIES_MATCH: FAILS,
            VERSION_ERROR: FAILS,
            X_VERSION: FAILS,
            ACKNOWLEDGES: FAILS,
            TAGS: FAILS,
            FILTERS: FAILS,
            TELLS_PROMPTS: SKIPS,
            TELLS_TOOLS: SKIPS,
            **NOTHING_SUBSCRIBED,
        },
    ),
    "subscriptions refused by another code": (
        to(LISTEN, lambda asked: reply(error(asked, -32602), status=400)),
        {ACKNOWLEDGES: FAILS, TAGS: FAILS, TELLS_PROMPTS: WARNS, TELLS_TOOLS: WARNS, **NOTHING_SUBSCRIBED},
    ),
    "no tool that changes tools, so that the filter holds nothing back": (
        to(CALL, lambda asked: reply(error(asked, -32602)), name=CHANGE_TOOLS),
        {TELLS_TOOLS: WARNS, X_CONTROL: SKIPS},
    ),
    "a change that reaches those who did not ask for it": (
        to(
            LISTEN,
            lambda asked: subscription(acknowledgment(asked), note(TOOLS_CHANGED, asked), note(PROMPTS_CHANGED, asked)),
        ),
        {FILTERS: FAILS, X_CONTROL: FAILS},
    ),
}


@pytest.fixture(autouse=True)
def _shorter_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stateless_listening, "CHANGE_SECONDS", CHANGE_SECONDS)
    monkeypatch.setattr(stateless_listening, "ACKNOWLEDGMENT_SECONDS", CHANGE_SECONDS)


@pytest.mark.parametrize("fact", SINGLE_REQUESTS)
def test_a_single_request_decides(fact: str) -> None:
    oddity, unlike = SINGLE_REQUESTS[fact]
    assert unlike_the_reference(SCENARIO, oddity) == unlike


@pytest.mark.parametrize("fact", STREAMS)
def test_a_stream_decides(fact: str) -> None:
    oddity, unlike = STREAMS[fact]
    assert unlike_the_reference(SCENARIO, oddity) == unlike
