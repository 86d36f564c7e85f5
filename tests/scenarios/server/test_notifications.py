"""Logging and progress: what a tool sends before its result, in odd forms."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.scenarios.server.progress import TOKEN
from tests.scenarios.server.miniature import Refusal, Replies, Reply, Streamed
from tests.scenarios.server.odd_replies import Odd, statuses_of

DONE: JsonObject = {"content": [{"type": "text", "text": "done"}], "resultType": "complete"}
LOGGING, PROGRESS = "tools-call-with-logging", "tools-call-with-progress"
INCREASES = "x-progress-increases"


def log(**params: JsonValue) -> JsonValue:
    return {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "step", **params}}


def logging(fact: str, call: Reply, status: str, *, level: Reply = None) -> list[Odd]:
    replies: Replies = {"logging/setLevel": {} if level is None else level, "tools/call": call}
    return [
        Odd(fact=fact, scenario=LOGGING, revision=revision, replies=replies, statuses={LOGGING: status})
        for revision in ("2025-06-18", "2025-11-25")
    ]


def report(progress: JsonValue, **params: JsonValue) -> JsonValue:
    told: JsonObject = {"progressToken": TOKEN, "progress": progress, **params}
    return {"jsonrpc": "2.0", "method": "notifications/progress", "params": told}


def progress(
    fact: str, reports: list[JsonValue], status: str, increases: str | None = "SUCCESS", result: JsonValue = DONE
) -> list[Odd]:
    """Return the servers that report so; with none as `increases`, the conversation breaks down before that is decided."""
    replies: Replies = {"tools/call": Streamed(before=tuple(reports), result=result)}
    statuses = {PROGRESS: status} | ({} if increases is None else {INCREASES: increases})
    return [
        Odd(fact=fact, scenario=PROGRESS, revision=revision, replies=replies, statuses=statuses)
        for revision in ("2025-11-25", "2026-07-28")
    ]


STEPS = (log(), log(), log())
LOGS = [
    *logging("three messages", Streamed(before=STEPS, result=DONE), "SUCCESS"),
    *logging("messages of other levels", Streamed(before=(log(level="debug"),) * 4, result=DONE), "SUCCESS"),
    *logging("data that is null", Streamed(before=(log(data=None),) * 3, result=DONE), "SUCCESS"),
    *logging("two messages", Streamed(before=STEPS[:2], result=DONE), "FAILURE"),
    *logging("an unknown level among three", Streamed(before=(*STEPS[:2], log(level="loud")), result=DONE), "FAILURE"),
    *logging("a logger that is no text", Streamed(before=(*STEPS[:2], log(logger=1)), result=DONE), "FAILURE"),
    *logging("no messages", DONE, "FAILURE"),
    *logging("a malformed result", Streamed(before=STEPS, result={"content": [{"type": "text"}]}), "FAILURE"),
    *logging("a result without content", Streamed(before=STEPS, result={}), "SUCCESS"),
    *logging("null as content", Streamed(before=STEPS, result={"content": None}), "FAILURE"),
    *logging("_meta in the answer to the level", Streamed(before=STEPS, result=DONE), "SUCCESS", level={"_meta": {}}),
    *logging(
        "a member in the answer to the level", Streamed(before=STEPS, result=DONE), "FAILURE", level={"level": "debug"}
    ),
    *logging("the level refused", Streamed(before=STEPS, result=DONE), "FAILURE", level=Refusal(code=-32601)),
]
REPORTS = [
    *progress("0, 50, 100", [report(0), report(50), report(100)], "SUCCESS"),
    *progress("fractions and totals", [report(0.1, total=1), report(0.5), report(1)], "SUCCESS"),
    *progress("the same three times", [report(50)] * 3, "SUCCESS", "FAILURE"),
    *progress("a decrease", [report(0), report(50), report(49)], "FAILURE", "FAILURE"),
    *progress("a decrease after the third", [report(0), report(50), report(100), report(1)], "SUCCESS", "FAILURE"),
    *progress("a standstill after the third", [report(0), report(1), report(2), report(2)], "SUCCESS", "FAILURE"),
    *progress("two reports", [report(0), report(50)], "FAILURE"),
    *progress("one report", [report(0)], "FAILURE", "SKIPPED"),
    *progress("no report", [], "FAILURE", "SKIPPED"),
    *progress("reports for another token", [report(0), report(50), report(100, progressToken="other")], "FAILURE"),
    *progress("a decrease for another token", [report(0), report(50), report(1, progressToken="other")], "FAILURE"),
    *progress("reports without progress", [report(0), report(50), report(None)], "FAILURE"),
    *progress("progress as text", [report("1"), report("2"), report("3")], "FAILURE", "SKIPPED"),
    *progress("no params", [report(0), report(50), {"jsonrpc": "2.0", "method": "notifications/progress"}], "FAILURE"),
    *progress("null as a message", [report(0), None, report(50), report(100)], "SUCCESS"),
    *progress("a result without content", [report(0), report(50), report(100)], "SUCCESS", result={}),
    *progress("null as result", [report(0), report(50), report(100)], "FAILURE", None, result=None),
]

ASKED: JsonValue = {"jsonrpc": "2.0", "id": "ours", "method": "roots/list"}
REQUESTS = [
    # MUST NOT send requests on the stream of an answer: 2026-07-28, basic/transports/streamable-http#receiving-messages
    *progress("a request of the server among them", [report(0), report(50), ASKED, report(100)], "FAILURE", None)[1:],
    *progress("a request of the server among them", [report(0), report(50), ASKED, report(100)], "SUCCESS")[:1],
]


LINK: JsonObject = {"content": [{"type": "resource_link", "uri": "test://it", "name": "it"}]}


@pytest.mark.parametrize(("speaks", "status"), [("2025-03-26", "FAILURE"), ("2025-06-18", "SUCCESS")])
async def test_a_result_is_judged_by_the_negotiated_revision(speaks: str, status: str) -> None:
    """Links are content from 2025-06-18 on."""
    for odd in logging("a link", Streamed(before=STEPS, result=LINK), status):
        assert await statuses_of(replace(odd, speaks=speaks)) == {LOGGING: status}


@pytest.mark.parametrize("odd", [*LOGS, *REPORTS, *REQUESTS], ids=str)
async def test_an_odd_reply_gets_exactly_its_statuses(odd: Odd) -> None:
    assert await statuses_of(odd) == odd.statuses
