"""Streams of events: polling and several at once, with odd events and odd ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.sse import Event
from pytest_mcp_conformance.scenarios.server import sse_polling, sse_streams
from pytest_mcp_conformance.scenarios.server.sse_polling import is_result, primes
from tests.scenarios.server.miniature import Http, Refusal, Replies, Reply, Turns, events, message_event
from tests.scenarios.server.odd_replies import Odd, outcome_of, statuses_of


@pytest.mark.parametrize("data", ["", " ", "\n", "{}"])
def test_an_event_primes_with_empty_data(data: str) -> None:
    assert primes(Event(data=data))


@pytest.mark.parametrize("data", ["[]", "null", '""', "{ }", "{}x", "0"])
def test_an_event_with_data_does_not_prime(data: str) -> None:
    assert not primes(Event(data=data))


@pytest.mark.parametrize(
    ("message", "holds"),
    [
        ({"id": 1, "result": {}}, True),
        ({"id": 1.0, "result": []}, True),
        ({"id": 1, "result": {"isError": True}}, True),
        ({"id": 1, "result": None}, False),
        ({"id": 1, "result": 0}, False),
        ({"id": 1, "error": {"code": 1}}, False),
        ({"id": "1", "result": {}}, False),
        ({"id": True, "result": {}}, False),
        ({"result": {}}, False),
        (None, False),
        ([], False),
    ],
)
def test_the_result_of_the_call_has_its_id_and_a_result(message: JsonValue, *, holds: bool) -> None:
    assert is_result(message) is holds


PRIMING, RETRY, RESUME = (f"server-sse-{what}" for what in ("priming-event", "retry-field", "disconnect-resume"))
SESSION, TOOL, POST, TYPE, BODY, ERROR = (
    f"server-sse-{what}"
    for what in (
        "polling-session",
        "test-reconnection-tool",
        "post-request",
        "content-type",
        "polling-stream",
        "polling-error",
    )
)
LOG = {"outgoing-request": "INFO", "incoming-response": "INFO"}
CLOSED = {"stream-closed": "INFO"}
EVENT = "incoming-sse-event"

DONE: JsonObject = {"content": [{"type": "text", "text": "done"}]}
RESULT = message_event(json_rpc.result(1, DONE))
FAILED = message_event(json_rpc.result(1, {**DONE, "isError": True}))
OTHER = message_event(json_rpc.result(2, DONE))
REFUSED = message_event(json_rpc.error(1, -32602, "unknown tool"))
PRIMER = ("id: 1", "retry: 1", "data:", "")


def polling(
    fact: str, call: Reply, statuses: dict[str, str], *, get: Reply = None, session: str | None = "session-1"
) -> Odd:
    replies: Replies = {"tools/call": call} | ({} if get is None else {"GET": get})
    return Odd(
        fact=fact,
        scenario="server-sse-polling",
        revision="2025-11-25",
        replies=replies,
        session=session,
        statuses=statuses,
    )


def once(**more: str) -> dict[str, str]:
    """Return the statuses of a run that ends with the POST."""
    return LOG | {name.replace("_", "-"): status for name, status in more.items()}


def on_post(events_: str | None, priming: str, retry: str, resume: str = "INFO") -> dict[str, str]:
    """Return the statuses of a run without a GET."""
    seen = {EVENT: events_} if events_ else {}
    return LOG | seen | CLOSED | {PRIMING: priming, RETRY: retry, RESUME: resume}


def on_get(events_: str, resume: str | None, *, priming: str = "SUCCESS", retry: str = "SUCCESS") -> dict[str, str]:
    """Return the statuses of a run with a GET; without `resume` it broke off."""
    twice = dict.fromkeys(LOG, "INFO,INFO")
    end = {RESUME: resume} if resume else {ERROR: "FAILURE"}
    return twice | {EVENT: events_} | CLOSED | {PRIMING: priming, RETRY: retry} | end


POLLS = [
    polling("an early end and a resumption", events(*PRIMER), on_get("INFO,INFO", "SUCCESS"), get=events(*RESULT)),
    polling(
        "another message before the result",
        events(*PRIMER),
        on_get("INFO,INFO,INFO", "SUCCESS"),
        get=events(*OTHER, *RESULT),
    ),
    polling("a resumed stream without the result", events(*PRIMER), on_get("INFO,INFO", "WARNING"), get=events(*OTHER)),
    polling(
        "a failed call on the resumed stream", events(*PRIMER), on_get("INFO,INFO", "SUCCESS"), get=events(*FAILED)
    ),
    polling("an empty resumed stream", events(*PRIMER), on_get("INFO", "WARNING"), get=events()),
    polling("JSON in answer to the GET", events(*PRIMER), on_get("INFO", "WARNING"), get=Http(body=b"{}")),
    polling("no GET", events(*PRIMER), on_get("INFO", "INFO"), get=Http(status=405)),
    polling("a refused GET", events(*PRIMER), on_get("INFO", "WARNING"), get=Http(status=400)),
    polling("a GET without a body", events(*PRIMER), on_get("INFO", "WARNING"), get=Http(status=204)),
    polling("a GET that breaks off", events(*PRIMER), on_get("INFO", None), get=events("data: x", broken=True)),
    polling("the result at once", events(*RESULT), on_post("INFO", "WARNING", "WARNING")),
    polling("primed, and the result", events(*PRIMER, *RESULT), on_post("INFO,INFO", "SUCCESS", "SUCCESS")),
    polling("a result with an id", events("id: 2", *RESULT), on_post("INFO,INFO", "WARNING", "WARNING")),
    polling("a failed call", events(*FAILED), on_post("FAILURE", "WARNING", "WARNING")),
    polling("primed late", events("data: {}", "", *PRIMER, *RESULT), on_post("INFO,INFO", "WARNING", "SUCCESS")),
    polling("primed with braces", events("id: 1", "data: {}", "", *RESULT), on_post("INFO,INFO", "SUCCESS", "WARNING")),
    polling("primed without an id", events("data:", "", *RESULT), on_post("INFO", "WARNING", "WARNING")),
    polling("a first event with data", events("id: 1", *OTHER, *RESULT), on_post("INFO,INFO", "WARNING", "WARNING")),
    polling("an id without data", events("id: 1", "retry: 1", "", *RESULT), on_post("INFO", "WARNING", "SUCCESS")),
    polling(
        "a retry that is no number",
        events("retry: soon", "id: 1", "data:", "", *RESULT),
        on_post("INFO,INFO", "SUCCESS", "WARNING"),
    ),
    polling("an end without any event", events(), on_post(None, "WARNING", "WARNING")),
    polling("an end without an id", events("data:", ""), on_post(None, "WARNING", "WARNING")),
    polling("an event cut off", events("id: 1", "data: {}"), on_post(None, "WARNING", "WARNING")),
    polling(
        "a refusal on the stream",
        events(*PRIMER, *REFUSED),
        on_get("INFO", "INFO"),
        get=Http(status=405),
    ),
    polling("null on the stream", events("data: null", "", *RESULT), on_post("INFO", "WARNING", "WARNING")),
    polling("a stream that breaks off", events(*PRIMER, broken=True), LOG | {EVENT: "INFO", ERROR: "FAILURE"}),
    polling("the call is a bad request", Http(status=400), once(**{TOOL: "WARNING"})),
    polling("the call is not found", Http(status=404), once(**{TOOL: "WARNING"})),
    polling("the call with 500", Http(status=500), once(**{POST: "FAILURE"})),
    polling("the call with 403", Http(status=403), once(**{POST: "FAILURE"})),
    polling("JSON in answer to the call", DONE, once(**{TYPE: "INFO"})),
    polling("a refusal in JSON", Refusal(code=-32602), once(**{TYPE: "INFO"})),
    polling(
        "a stream that has no body",
        Http(status=204, headers={"Content-Type": "text/event-stream"}),
        once(**{BODY: "FAILURE"}),
    ),
    polling("no HTTP in answer to the call", Http(status=0), {"outgoing-request": "INFO", ERROR: "FAILURE"}),
    polling(
        "no session",
        events(*PRIMER),
        {SESSION: "WARNING"} | on_post("INFO", "SUCCESS", "SUCCESS"),
        session=None,
    ),
    Odd(
        fact="no connection",
        scenario="server-sse-polling",
        revision="2025-11-25",
        replies={"initialize": Refusal(code=-32603)},
        statuses={ERROR: "FAILURE"},
    ),
]

ACCEPTED, FUNCTIONAL = "server-accepts-multiple-post-streams", "server-sse-streams-functional"
MULTIPLE_SESSION, MULTIPLE_ERROR = "server-sse-multiple-streams-session", "server-sse-multiple-streams-error"
LISTED: JsonObject = {"tools": [], "resultType": "complete", "ttlMs": 0, "cacheScope": "public"}
BROKEN = events(broken=True)
STREAM = {"Content-Type": "text/event-stream"}


def together(fact: str, reply: Reply, accepted: str, functional: str) -> list[Odd]:
    return [
        Odd(
            fact=fact,
            scenario="server-sse-multiple-streams",
            revision=revision,
            replies={"tools/list": reply},
            statuses={ACCEPTED: accepted, FUNCTIONAL: functional},
        )
        for revision in ("2025-11-25", "2026-07-28")
    ]


def apart(fact: str, replies: Replies, statuses: dict[str, str], session: str | None = "session-1") -> Odd:
    return Odd(
        fact=fact,
        scenario="server-sse-multiple-streams",
        revision="2025-11-25",
        replies=replies,
        session=session,
        statuses=statuses,
    )


TOGETHER = [
    *together("JSON each time", LISTED, "SUCCESS", "INFO"),
    *together("a refusal in JSON each time", Refusal(code=-32603), "SUCCESS", "INFO"),
    *together("a stream each time", events(*message_event(json_rpc.result(1000, LISTED))), "SUCCESS", "SUCCESS"),
    *together("an empty stream each time", events(), "SUCCESS", "SUCCESS"),
    *together("a stream of nonsense each time", events("data: nonsense", ""), "SUCCESS", "SUCCESS"),
    *together("a broken stream each time", BROKEN, "SUCCESS", "FAILURE"),
    *together("one broken stream", Turns(replies=(BROKEN, events())), "SUCCESS", "WARNING"),
    *together("one stream with 500", Turns(replies=(Http(status=500, headers=STREAM), events())), "FAILURE", "WARNING"),
    *together("streams without a body", Http(status=204, headers=STREAM), "SUCCESS", "FAILURE"),
    *together("one refusal by HTTP", Turns(replies=(Http(status=503), LISTED)), "FAILURE", "INFO"),
    *together("JSON and a stream", Turns(replies=(LISTED, events())), "SUCCESS", "SUCCESS"),
    apart("no session", {"tools/list": LISTED}, {MULTIPLE_SESSION: "WARNING"}, session=None),
    apart("no connection", {"initialize": Refusal(code=-32603)}, {MULTIPLE_ERROR: "FAILURE"}),
    apart(
        "one request without HTTP in answer",
        {"tools/list": Turns(replies=(LISTED, Http(status=0)))},
        {MULTIPLE_ERROR: "FAILURE"},
    ),
    Odd(
        fact="no request with HTTP in answer",
        scenario="server-sse-multiple-streams",
        revision="2026-07-28",
        replies={"tools/list": Http(status=0)},
        statuses={MULTIPLE_ERROR: "FAILURE"},
    ),
]


@pytest.mark.parametrize("odd", [*POLLS, *TOGETHER], ids=str)
async def test_an_odd_reply_gets_exactly_its_statuses(odd: Odd) -> None:
    assert await statuses_of(odd) == odd.statuses


async def test_a_stream_that_stays_open_counts_as_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse_polling, "POST_STREAM_SECONDS", 0.05)
    odd = polling("an open stream", events(*PRIMER, open=True), on_get("INFO,INFO", "SUCCESS"), get=events(*RESULT))
    assert await statuses_of(odd) == odd.statuses


async def test_a_resumed_stream_that_stays_silent_warns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse_polling, "GET_STREAM_SECONDS", 0.05)
    odd = polling("silence", events(*PRIMER), on_get("INFO", "WARNING"), get=events(open=True))
    assert await statuses_of(odd) == odd.statuses


async def test_silent_streams_are_functional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse_streams, "FIRST_EVENT_SECONDS", 0.05)
    for odd in together("silence", events(open=True), "SUCCESS", "SUCCESS"):
        assert await statuses_of(odd) == odd.statuses


async def test_the_client_waits_for_the_retry_time_before_it_comes_back() -> None:
    odd = polling("100 ms", events("id: 7", "retry: 100", "data:", ""), {}, get=events(*RESULT))
    entries = [entry for entry in (await outcome_of(odd)).transcript if isinstance(entry, dict)]
    ended = max(entry["ms"] for entry in entries if entry["kind"] == "event" and entry.get("id") == "7")  # type: ignore[type-var]
    [back] = [entry for entry in entries if entry.get("method") == "GET" and "Last-Event-ID" in str(entry["headers"])]
    assert back["ms"] - ended >= 100  # type: ignore[operator]
    assert back["headers"]["Last-Event-ID"] == "7"  # type: ignore[index,call-overload]


async def test_a_long_retry_time_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse_polling, "LONGEST_WAIT_SECONDS", 0.01)
    odd = polling(
        "an hour", events("id: 1", "retry: 3600000", "data:", ""), on_get("INFO,INFO", "SUCCESS"), get=events(*RESULT)
    )
    assert await statuses_of(odd) == odd.statuses


@pytest.mark.parametrize(("speaks", "status"), [("2025-03-26", "SUCCESS"), ("2025-06-18", "FAILURE")])
async def test_what_comes_on_a_stream_is_judged_by_the_negotiated_revision(speaks: str, status: str) -> None:
    """Batches are messages of 2025-03-26 alone."""
    batch = events(*message_event([json_rpc.notification("notifications/tools/list_changed")]))
    odd = apart("a batch", {"tools/list": batch}, {})
    outcome = await outcome_of(replace(odd, speaks=speaks))
    assert {check.id: check.status for check in outcome.checks}["wire-schema-valid"] == status
