"""Tasks: servers that are odd at one place, and the checks that say so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.model import Leg, Revision, Status
from pytest_mcp_conformance.peer import Peer, open_peer
from pytest_mcp_conformance.protocol.http import Http
from pytest_mcp_conformance.protocol.recorder import Recorder
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.scenarios.server.tasks import input as input_for_tasks
from pytest_mcp_conformance.scenarios.server.tasks import notifications, task
from pytest_mcp_conformance.scenarios.server.tasks.declaring import published
from pytest_mcp_conformance.scenarios.server.tasks.parts import failing, in_parts
from tests.scenarios.server.miniature import Reply, Streamed
from tests.scenarios.server.odd_reference import (
    Asked,
    Odd,
    Oddity,
    all_of,
    error,
    events,
    outcome,
    reply,
    result,
    text,
    to,
    unlike_the_reference,
)
from tests.scenarios.server.odd_replies import Odd as OddServer
from tests.scenarios.server.odd_replies import statuses_of

LIFECYCLE, FIELDS, STATE = "tasks-lifecycle", "tasks-wire-fields", "tasks-request-state-removal"
INPUT, COMPOSITION = "tasks-mrtr-input", "tasks-mrtr-composition"
HEADERS, DISPATCH = "tasks-request-headers", "tasks-dispatch-and-envelope"
CAPABILITIES, REQUIRED = "tasks-capability-negotiation", "tasks-required-task-error"
NOTIFICATIONS = "tasks-status-notifications"

CALL, GET, UPDATE, CANCEL = "tools/call", "tasks/get", "tasks/update", "tasks/cancel"
LISTEN, DISCOVER = "subscriptions/listen", "server/discover"
EXTENSION = "io.modelcontextprotocol/tasks"
FAILS, SKIPS, ABSENT = "FAILURE", "SKIPPED", "ABSENT"

SHAPE, KEPT, KEPT_FOR_TTL = "x-tasks-task-shape", "tasks-no-early-ttl-expiry", "x-tasks-kept-for-its-ttl"
TOLD, NOTHING_ELSE = "x-tasks-notification-complete", "x-tasks-no-progress-or-log-for-task"
UNDECLARED = "x-tasks-listen-undeclared-refused"
RESERVED = {"tasks-status-notifications": SKIPS}

TIMES: JsonObject = {"createdAt": "2026-01-01T00:00:00Z", "lastUpdatedAt": "2026-01-01T00:00:00Z", "ttlMs": None}
CREATED: JsonObject = {"resultType": "task", "taskId": "one", "status": "working", **TIMES}
WORKING: JsonObject = {**CREATED, "resultType": "complete"}
DONE: JsonObject = {**WORKING, "status": "completed", "result": {"content": [{"type": "text", "text": "done"}]}}
ACKNOWLEDGED: JsonObject = {"resultType": "complete"}
EMPTY: JsonObject = {"resultType": "complete", "content": []}
NAMED: JsonObject = {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}


def returns(value: JsonValue) -> Callable[[Asked], Odd]:
    return lambda asked: reply(result(asked, value))


def refuses(code: int, data: JsonValue = None) -> Callable[[Asked], Odd]:
    return lambda asked: reply(error(asked, code, data))


def tool(name: str, value: JsonValue) -> Oddity:
    return to(CALL, returns(value), name=name)


def asking(**requests: JsonValue) -> JsonObject:
    return {**WORKING, "status": "input_required", "inputRequests": requests}


@pytest.fixture(autouse=True)
def _short_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers on the same machine take milliseconds; what never comes is awaited no longer than it takes to see that."""
    monkeypatch.setattr(task, "ASKING_SECONDS", 0.5)
    monkeypatch.setattr(input_for_tasks, "PAIR_SECONDS", 0.5)
    monkeypatch.setattr(notifications, "REFUSAL_SECONDS", 0.5)
    monkeypatch.setattr(notifications, "END_SECONDS", 1.5)


def slow_task(state: JsonValue, created: JsonObject = CREATED) -> Oddity:
    """Make the slow tool a task that is told as `state`, whenever it is asked about."""
    return all_of(tool("slow_compute", created), to(GET, returns(state)), to(CANCEL, returns(ACKNOWLEDGED)))


ODD: list[tuple[str, str, Oddity, dict[str, str]]] = [
    (
        "the call is refused",
        LIFECYCLE,
        to(CALL, refuses(-32603), name="slow_compute"),
        {
            "sep-2663-result-type-task-on-create": FAILS,
            "sep-2663-tasks-get-status-working": FAILS,
            "sep-2663-tasks-get-status-completed": FAILS,
            "sep-2663-cancel-ack-empty-result": FAILS,
            "tasks-cancel-terminal-idempotent-ack": FAILS,
        },
    ),
    (
        "the acknowledgement is null",
        LIFECYCLE,
        to(CANCEL, returns(None)),
        {"sep-2663-cancel-ack-empty-result": FAILS, "tasks-cancel-terminal-idempotent-ack": FAILS},
    ),
    (
        "a task of its own in the result",
        LIFECYCLE,
        slow_task(DONE, {**CREATED, "task": {}}),
        {
            "sep-2663-result-type-task-on-create": FAILS,
            "sep-2663-tool-error-uses-completed-status": FAILS,
            "sep-2663-tasks-get-status-failed": FAILS,
        },
    ),
    (
        "a job that is no task",
        LIFECYCLE,
        tool("failing_job", {"status": "completed", "result": {"isError": True}}),
        {"sep-2663-tool-error-uses-completed-status": FAILS},
    ),
    (
        "a failed task with a result",
        LIFECYCLE,
        all_of(
            tool("protocol_error_job", {**CREATED, "taskId": "gone"}),
            lambda asked: (
                reply(result(asked, {**DONE, "status": "failed", "error": {"code": 1, "message": ""}}))
                if asked.method == GET and asked.params.get("taskId") == "gone"
                else None
            ),
        ),
        {"sep-2663-tasks-get-status-failed": FAILS},
    ),
    ("the discovery is refused", CAPABILITIES, to(DISCOVER, refuses(-32601)), {"tasks-extension-advertised": FAILS}),
    (
        "the old capability beside the extension",
        CAPABILITIES,
        to(DISCOVER, returns({"capabilities": {"tasks": {}, "extensions": {EXTENSION: {}}}})),
        {"tasks-extension-advertised": FAILS},
    ),
    (
        "the methods are not known",
        CAPABILITIES,
        to(UPDATE, refuses(-32601)),
        {"sep-2663-tasks-methods-non-declaring": FAILS, "x-tasks-refusal-names-extension": FAILS},
    ),
    (
        "a list as what is required",
        CAPABILITIES,
        to(GET, refuses(-32021, {"requiredCapabilities": {"extensions": [EXTENSION]}})),
        {"x-tasks-refusal-names-extension": FAILS},
    ),
    (
        "a task beside the content",
        CAPABILITIES,
        tool("slow_compute", {**EMPTY, "taskId": "one"}),
        {"sep-2663-server-rejects-undeclared-client": FAILS, "tasks-per-request-meta-opt-in": FAILS},
    ),
    ("no data in the error", REQUIRED, to(CALL, refuses(-32021)), {"x-tasks-refused-call-names-extension": FAILS}),
    (
        "null for the extension",
        REQUIRED,
        to(CALL, refuses(-32021, {"requiredCapabilities": {"extensions": {EXTENSION: None}}})),
        {"x-tasks-refused-call-names-extension": FAILS},
    ),
    (
        "a text as data",
        REQUIRED,
        to(CALL, refuses(-32021, "tasks")),
        {"sep-2663-server-returns-missing-capability-data-shape": FAILS, "x-tasks-refused-call-names-extension": FAILS},
    ),
    (
        "an error of HTTP",
        REQUIRED,
        to(CALL, lambda _: text("no", status=500)),
        {
            "sep-2663-server-returns-missing-capability-when-required": FAILS,
            "sep-2663-server-returns-missing-capability-data-shape": ABSENT,
            "x-tasks-refused-call-names-extension": FAILS,
        },
    ),
    (
        "no task at all",
        FIELDS,
        tool("slow_compute", EMPTY),
        {
            "tasks-wire-field-renames": FAILS,
            KEPT: FAILS,
            KEPT_FOR_TTL: FAILS,
            SHAPE: FAILS,
            "tasks-no-related-task-meta-on-inlined-result": FAILS,
        },
    ),
    (
        "kept no longer than promised",
        FIELDS,
        all_of(
            tool("slow_compute", {**CREATED, "ttlMs": 300}),
            to(GET, returns({**DONE, "ttlMs": 300}), turn=0),
            to(GET, returns({**DONE, "ttlMs": 300}), turn=1),
            to(GET, refuses(-32602)),
        ),
        {KEPT: FAILS, KEPT_FOR_TTL: SKIPS},
    ),
    (
        "gone although kept for ever",
        FIELDS,
        all_of(
            tool("slow_compute", CREATED),
            to(GET, returns(DONE), turn=0),
            to(GET, returns(DONE), turn=1),
            to(GET, refuses(-32602)),
        ),
        {"tasks-wire-field-renames": "SUCCESS", KEPT: FAILS, KEPT_FOR_TTL: FAILS},
    ),
    (
        "a time to live of nothing",
        FIELDS,
        slow_task(DONE, {**CREATED, "ttlMs": 0}),
        {"tasks-wire-field-renames": FAILS},
    ),
    (
        "an interval that is null",
        FIELDS,
        slow_task(DONE, {**CREATED, "pollIntervalMs": None}),
        {"tasks-wire-field-renames": FAILS, SHAPE: FAILS},
    ),
    (
        "an unknown status on the way",
        FIELDS,
        all_of(
            tool("slow_compute", CREATED),
            to(GET, returns({**WORKING, "status": "queued"}), turn=0),
            to(GET, returns({**WORKING, "status": "queued"}), turn=1),
            to(GET, returns(DONE)),
        ),
        {SHAPE: FAILS},
    ),
    (
        "the call is refused",
        STATE,
        to(CALL, refuses(-32603)),
        {
            "tasks-request-state-removal-setup": FAILS,
            "tasks-create-result-no-request-state": ABSENT,
            "tasks-get-detailed-no-request-state": ABSENT,
        },
    ),
    (
        "a state that is null",
        STATE,
        slow_task({**WORKING, "requestState": None}),
        {"tasks-get-detailed-no-request-state": FAILS},
    ),
    ("a result that is a list", STATE, slow_task([]), {"tasks-get-detailed-no-request-state": FAILS}),
    (
        "never asks",
        INPUT,
        all_of(tool("confirm_delete", CREATED), tool("multi_input", CREATED), to(GET, returns(WORKING))),
        {
            "sep-2663-tasks-get-status-input-required": FAILS,
            "tasks-mrtr-tasks-update-resumes": FAILS,
            "x-tasks-update-resumes-asked-task": FAILS,
            "tasks-mrtr-partial-fulfillment": FAILS,
            "x-tasks-input-keys-unique": FAILS,
        },
    ),
    (
        "is over before it asks",
        INPUT,
        all_of(
            tool("confirm_delete", CREATED),
            to(UPDATE, returns(ACKNOWLEDGED)),
            tool("multi_input", EMPTY),
            to(GET, returns(DONE)),
        ),
        {
            "sep-2663-tasks-get-status-input-required": FAILS,
            "x-tasks-update-resumes-asked-task": FAILS,
            "tasks-mrtr-partial-fulfillment": FAILS,
            "x-tasks-input-keys-unique": FAILS,
        },
    ),
    (
        "asks with a list",
        INPUT,
        all_of(
            tool("confirm_delete", CREATED),
            tool("multi_input", EMPTY),
            to(GET, returns({**asking(), "inputRequests": [{"method": "elicitation/create"}]})),
            to(UPDATE, refuses(-32602)),
        ),
        {
            "sep-2663-tasks-get-status-input-required": FAILS,
            "tasks-mrtr-tasks-update-resumes": FAILS,
            "x-tasks-update-resumes-asked-task": FAILS,
            "tasks-mrtr-partial-fulfillment": FAILS,
            "x-tasks-input-keys-unique": FAILS,
        },
    ),
    (
        "the update is refused",
        INPUT,
        to(UPDATE, refuses(-32603)),
        {
            "tasks-mrtr-tasks-update-resumes": FAILS,
            "x-tasks-update-resumes-asked-task": FAILS,
            "tasks-mrtr-partial-fulfillment": FAILS,
        },
    ),
    (
        "the discovery of the greeting is another",
        HEADERS,
        tool("greet", {**EMPTY, "content": [None]}),
        {"tasks-headers-tolerate-mcp-method-on-tools-call": FAILS, "tasks-headers-reject-mismatched-method": FAILS},
    ),
    (
        "no task to ask about",
        HEADERS,
        tool("slow_compute", EMPTY),
        {
            "sep-2663-routing-headers-accepted-on-tasks-get": FAILS,
            "sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get": FAILS,
            "x-tasks-mismatched-name-refused": FAILS,
        },
    ),
    (
        "refused with HTTP 200",
        HEADERS,
        lambda asked: (
            reply(error(asked, -32020))
            if asked.method == CANCEL and str(asked.headers.get("mcp-name")).startswith("sep-2663-wrong")
            else None
        ),
        {"x-tasks-mismatched-name-refused": FAILS},
    ),
    (
        "never makes tasks",
        DISPATCH,
        all_of(tool("slow_compute", EMPTY), tool("confirm_delete", EMPTY)),
        {"x-tasks-every-method-result-type-complete": FAILS, "sep-2663-durable-create-strong-consistency": FAILS},
    ),
    (
        "no type on tasks/get",
        DISPATCH,
        slow_task({**DONE, "resultType": None}),
        {
            "tasks-result-type-complete-on-non-task-responses": FAILS,
            "x-tasks-every-method-result-type-complete": FAILS,
            "sep-2663-tasks-get-invalid-task-id-32602": FAILS,
        },
    ),
    (
        "the old method is there",
        DISPATCH,
        to("tasks/result", returns({})),
        {"sep-2663-tasks-result-removed-method-not-found": FAILS},
    ),
    (
        "an unknown task is told of",
        DISPATCH,
        to(GET, returns({**DONE, "taskId": "any"})),
        {"sep-2663-durable-create-strong-consistency": FAILS, "sep-2663-tasks-get-invalid-task-id-32602": FAILS},
    ),
]


@pytest.mark.parametrize(
    ("scenario", "oddity", "statuses"), [each[1:] for each in ODD], ids=[f"{each[1]}: {each[0]}" for each in ODD]
)
def test_an_odd_server_gets_exactly_its_statuses(scenario: str, oddity: Oddity, statuses: dict[str, str]) -> None:
    expected = {name: status for name, status in statuses.items() if status != "SUCCESS"}
    assert unlike_the_reference(scenario, oddity) == expected


FIRST: JsonObject = {"resultType": "input_required", "inputRequests": {"name": {"method": "elicitation/create"}}}


def composed(first: JsonObject = FIRST, second: JsonObject = CREATED, text_: JsonValue = "Alice") -> Oddity:
    """Answer the tool in two rounds; the task ends with a text."""
    end: JsonObject = {**DONE, "result": {"content": [{"type": "text", "text": text_}]}}
    return all_of(
        lambda asked: (
            reply(result(asked, second if "inputResponses" in asked.params else first))
            if asked.method == CALL
            else None
        ),
        to(GET, returns(end)),
    )


@pytest.mark.parametrize(
    "oddity",
    [
        pytest.param(composed(), id="no state"),
        pytest.param(composed(text_="for Alice."), id="more words"),
        pytest.param(composed({**FIRST, "requestState": "s"}), id="a state"),
    ],
)
def test_input_before_the_task_is_asked_in_rounds(oddity: Oddity) -> None:
    assert unlike_the_reference(COMPOSITION, oddity) == {}


@pytest.mark.parametrize(
    "oddity",
    [
        pytest.param(composed({**FIRST, "taskId": None}), id="a task in the first round"),
        pytest.param(composed({**FIRST, "resultType": "complete"}), id="another type in the first round"),
        pytest.param(composed({**FIRST, "inputRequests": {}}), id="nothing asked"),
        pytest.param(composed({**FIRST, "inputRequests": []}), id="a list of nothing asked"),
        pytest.param(composed(CREATED), id="a task at once"),
        pytest.param(composed(second={**CREATED, "requestState": None}), id="a task with state"),
        pytest.param(composed(second={**CREATED, "inputRequests": {}}), id="a task with requests"),
        pytest.param(composed(second={**CREATED, "taskId": ""}), id="a task without id"),
        pytest.param(composed(second=EMPTY), id="no task"),
        pytest.param(composed(text_="alice"), id="another name"),
        pytest.param(composed(text_=["Alice"]), id="a list of names"),
        pytest.param(to(CALL, refuses(-32602)), id="refused"),
    ],
)
def test_input_before_the_task_that_is_not_asked_so_fails(oddity: Oddity) -> None:
    assert unlike_the_reference(COMPOSITION, oddity) == {"sep-2663-mrtr-synchronous-before-task-creation": FAILS}


def told(method: str, **params: JsonValue) -> JsonObject:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def agreed(*ids: JsonValue) -> JsonObject:
    return told("notifications/subscriptions/acknowledged", notifications={"taskIds": [*ids]})


def subscribed(*messages: JsonObject) -> Oddity:
    """Send these messages to whoever subscribes to the one task, which is over."""
    return all_of(
        tool("slow_compute", CREATED),
        to(GET, returns(DONE)),
        lambda asked: events(*messages) if asked.method == LISTEN and "one" in str(asked.params) else None,
    )


END = told("notifications/tasks", **{name: value for name, value in DONE.items() if name != "resultType"})


@pytest.mark.parametrize(
    ("oddity", "statuses"),
    [
        pytest.param(subscribed(agreed("one"), END), {}, id="its end"),
        pytest.param(
            subscribed(agreed("one"), told("notifications/tasks", **WORKING), END), {}, id="its work and its end"
        ),
        pytest.param(subscribed(agreed(), END), {TOLD: SKIPS, NOTHING_ELSE: SKIPS}, id="nothing agreed"),
        pytest.param(subscribed(agreed("two")), {TOLD: SKIPS, NOTHING_ELSE: SKIPS}, id="another task agreed"),
        pytest.param(
            subscribed(told("notifications/tasks")), {TOLD: SKIPS, NOTHING_ELSE: SKIPS}, id="no acknowledgement"
        ),
        pytest.param(subscribed(agreed("one")), {TOLD: FAILS}, id="nothing told"),
        pytest.param(
            subscribed(agreed("one"), told("notifications/tasks", **{**DONE, "taskId": "two"})),
            {TOLD: FAILS},
            id="another task told",
        ),
        pytest.param(
            subscribed(agreed("one"), told("notifications/tasks", taskId="one", status="completed")),
            {TOLD: FAILS},
            id="an incomplete task told",
        ),
        pytest.param(
            subscribed(agreed("one"), told("notifications/progress", progress=1), END),
            {NOTHING_ELSE: FAILS},
            id="progress told",
        ),
        pytest.param(
            to(LISTEN, returns({})), {UNDECLARED: FAILS, TOLD: SKIPS, NOTHING_ELSE: SKIPS}, id="a result at once"
        ),
        pytest.param(
            to(LISTEN, refuses(-32021, NAMED)), {TOLD: SKIPS, NOTHING_ELSE: SKIPS}, id="the extension refused, too"
        ),
        pytest.param(
            to(LISTEN, refuses(-32021)),
            {UNDECLARED: FAILS, TOLD: SKIPS, NOTHING_ELSE: SKIPS},
            id="refused without data",
        ),
        pytest.param(tool("slow_compute", EMPTY), {TOLD: FAILS, NOTHING_ELSE: FAILS}, id="no task"),
        pytest.param(tool("slow_compute", None), {TOLD: FAILS, NOTHING_ELSE: FAILS}, id="no result"),
    ],
)
def test_a_subscription_gets_its_statuses(oddity: Oddity, statuses: dict[str, str]) -> None:
    assert unlike_the_reference(NOTIFICATIONS, oddity) == RESERVED | statuses


async def test_a_server_without_subscriptions_is_not_judged_by_them() -> None:
    odd = OddServer(
        fact="subscriptions/listen is unknown",
        scenario=NOTIFICATIONS,
        revision="2026-07-28",
        replies={CALL: CREATED, GET: DONE},
        statuses={**RESERVED, UNDECLARED: SKIPS, TOLD: SKIPS, NOTHING_ELSE: SKIPS},
    )
    assert await statuses_of(odd) == odd.statuses


def test_a_task_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task, "END_SECONDS", 0.5)
    checks = outcome(LIFECYCLE, slow_task(WORKING)).checks
    told_why = {check.id: check.message for check in checks if check.status is Status.FAILURE}
    expected = 'expected status completed or failed or cancelled within 0.5 s, got status "working"'
    assert told_why["sep-2663-tasks-get-status-completed"] == expected
    assert told_why["sep-2663-cancel-ack-empty-result"] == expected


def test_checks_are_recorded_in_the_order_of_the_parts() -> None:
    names = [check.id for check in outcome(LIFECYCLE, lambda _: None).checks]
    declared = [each.id for each in scenarios(Leg.SERVER)[LIFECYCLE].decides if not each.exceptional]
    assert names == [*declared, "x-response-content-type", "wire-schema-valid"]


ONE, TWO = published("one", "One", "One."), published("two", "Two", "Two.")


async def test_parts_run_at_the_same_time_and_are_recorded_in_order() -> None:
    met = asyncio.Event()

    async def first(_: Peer, checks: Checks) -> None:
        await asyncio.wait_for(met.wait(), 1)
        checks.succeed(ONE)

    async def second(_: Peer, checks: Checks) -> None:
        checks.succeed(TWO)
        met.set()

    checks = Checks()
    await in_parts(await nobody(), checks, first, second)
    assert [check.id for check in checks.recorded] == ["one", "two"]


async def test_what_was_decided_before_a_part_breaks_off_stays() -> None:
    async def first(_: Peer, checks: Checks) -> None:
        checks.succeed(ONE)
        await asyncio.sleep(0)
        raise LookupError

    checks = Checks()
    with pytest.raises(LookupError):
        await in_parts(await nobody(), checks, first)
    assert [check.id for check in checks.recorded] == ["one"]


async def nobody() -> Peer:
    return open_peer(Http(Recorder(revision=Revision.V2026_07_28)), "http://127.0.0.1:9/mcp", Revision.V2026_07_28)


def test_a_broken_conversation_fails_what_depends_on_it() -> None:
    checks = Checks()
    with failing(checks, ONE, TWO, expected="a task"):
        raise Nonconforming("nothing came", got="silence")
    assert [(check.id, check.status.value, check.expected) for check in checks.recorded] == [
        ("one", FAILS, "a task"),
        ("two", FAILS, "a task"),
    ]


METHODS = (CALL, GET, UPDATE, CANCEL, LISTEN, DISCOVER, "tasks/result", "tasks/list")
VALUES: tuple[JsonValue, ...] = (None, True, 0, -1.5, "", "text", [], [None], ["text"], [{}], {}, {"0": {}})
MEMBERS = (
    "capabilities",
    "content",
    "createdAt",
    "error",
    "inputRequests",
    "lastUpdatedAt",
    "result",
    "resultType",
    "status",
    "task",
    "taskId",
    "ttlMs",
)
INSIDE: list[JsonObject] = [dict.fromkeys(MEMBERS, value) for value in VALUES]
IN_TASKS: list[JsonObject] = [
    {**DONE, "resultType": "task", name: value} for name in ("result", "inputRequests") for value in VALUES
]
JUNK: list[Reply] = [*VALUES, *INSIDE, *IN_TASKS, Streamed(before=VALUES, result={})]


@pytest.mark.parametrize("name", [name for name in scenarios(Leg.SERVER) if name.startswith("tasks-")])
async def test_no_answer_of_a_server_is_a_fault_of_ours(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, constant in ((task, "END_SECONDS"), (task, "ASKING_SECONDS"), (input_for_tasks, "PAIR_SECONDS")):
        monkeypatch.setattr(module, constant, 0.05)
    for junk in JUNK:
        odd = OddServer(
            fact=repr(junk), scenario=name, revision="2026-07-28", replies=dict.fromkeys(METHODS, junk), statuses={}
        )
        assert await statuses_of(odd), odd
