"""Tasks: what a task looks like, rule by rule."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.scenarios.server.tasks.capabilities import lists_extension, names_extension
from pytest_mcp_conformance.scenarios.server.tasks.lifecycle import creation_faults
from pytest_mcp_conformance.scenarios.server.tasks.members import is_duration
from pytest_mcp_conformance.scenarios.server.tasks.notifications import ends, notification_faults
from pytest_mcp_conformance.scenarios.server.tasks.shape import (
    is_time,
    reused_keys,
    state_faults,
    task_faults,
    told_otherwise,
)
from pytest_mcp_conformance.scenarios.server.tasks.task import acknowledges

TASK: JsonObject = {
    "taskId": "one",
    "status": "working",
    "createdAt": "2026-01-01T00:00:00Z",
    "lastUpdatedAt": "2026-01-01T00:00:01.5+01:00",
    "ttlMs": 60000,
}
NAME: JsonObject = {"method": "elicitation/create", "params": {"message": "Your name?"}}
AGE: JsonObject = {"method": "elicitation/create", "params": {"message": "Your age?"}}
EXTENSION = "io.modelcontextprotocol/tasks"


def without(task: JsonObject, *names: str) -> JsonObject:
    return {name: member for name, member in task.items() if name not in names}


@pytest.mark.parametrize(
    "value",
    ["2026-01-01T00:00:00", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.123+02:00", "9999-99-99T99:99:99 or so"],
)
def test_what_begins_as_a_time_of_iso_8601_is_one(value: str) -> None:
    assert is_time(value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        1767225600,
        "",
        "2026-01-01",
        "2026-01-01 00:00:00",
        " 2026-01-01T00:00:00",
        "٢٠٢٦-01-01T00:00:00",
        ["2026-01-01T00:00:00Z"],
    ],
)
def test_anything_else_is_no_time(value: JsonValue) -> None:
    assert not is_time(value)


@pytest.mark.parametrize(
    "task",
    [
        TASK,
        {**TASK, "ttlMs": None},
        {**TASK, "ttlMs": 0},
        {**TASK, "ttlMs": 1000.0, "pollIntervalMs": 5, "statusMessage": ""},
        {**TASK, "more": "members"},
        *({**TASK, "status": status} for status in ("input_required", "completed", "cancelled", "failed")),
    ],
)
def test_a_task_with_all_its_members_has_no_fault(task: JsonObject) -> None:
    assert task_faults(task) == []


@pytest.mark.parametrize(
    ("task", "faults"),
    [
        (without(TASK, "taskId"), ["taskId is no text"]),
        ({**TASK, "taskId": 5}, ["taskId is no text"]),
        ({**TASK, "status": "queued"}, ["status is none of working, input_required, completed, cancelled, failed"]),
        ({**TASK, "status": ["working"]}, ["status is none of working, input_required, completed, cancelled, failed"]),
        (without(TASK, "createdAt"), ["createdAt is no time"]),
        ({**TASK, "lastUpdatedAt": "now"}, ["lastUpdatedAt is no time"]),
        (without(TASK, "ttlMs"), ["ttlMs is neither null nor an integer"]),
        ({**TASK, "ttlMs": True}, ["ttlMs is neither null nor an integer"]),
        ({**TASK, "ttlMs": 0.5}, ["ttlMs is neither null nor an integer"]),
        ({**TASK, "pollIntervalMs": None}, ["pollIntervalMs is no integer"]),
        ({**TASK, "pollIntervalMs": "200"}, ["pollIntervalMs is no integer"]),
        ({**TASK, "statusMessage": None}, ["statusMessage is no text"]),
    ],
)
def test_a_task_has_a_fault(task: JsonObject, faults: list[str]) -> None:
    assert task_faults(task) == faults


@pytest.mark.parametrize(
    ("status", "member"), [("completed", "result"), ("failed", "error"), ("input_required", "inputRequests")]
)
def test_a_status_demands_its_member(status: str, member: str) -> None:
    task: JsonObject = {**TASK, "status": status}
    assert state_faults(task | {member: {}}) == []
    others: tuple[JsonValue, ...] = (None, "text", [])
    for value in others:
        assert state_faults(task | {member: value}) == [f"{member} is no object, where status is {status}"]
    assert state_faults(task) == [f"{member} is no object, where status is {status}"]


def test_a_task_that_works_or_was_cancelled_needs_no_more() -> None:
    assert [state_faults({**TASK, "status": status}) for status in ("working", "cancelled")] == [[], []]


@pytest.mark.parametrize(
    ("states", "reused"),
    [
        ([], []),
        ([{"inputRequests": {"a": NAME}}, {}, {"inputRequests": {"a": NAME}}], []),
        ([{"inputRequests": {"a": NAME}}, {"inputRequests": {"b": AGE}}], []),
        ([{"inputRequests": {"a": NAME}}, {"inputRequests": {"a": AGE, "b": NAME}}], ["a"]),
        ([{"inputRequests": {"a": NAME}}, {}, {"inputRequests": {"a": AGE}}, {"inputRequests": {"a": NAME}}], ["a"]),
        ([{"inputRequests": None}, {"inputRequests": []}, {"inputRequests": {"a": None}}], []),
    ],
)
def test_a_key_is_reused_where_it_stands_for_two_requests(states: list[JsonObject], reused: list[str]) -> None:
    assert reused_keys(states) == reused


@pytest.mark.parametrize("result", [{"resultType": "complete"}, {"resultType": "complete", "_meta": {}, "more": 1}])
def test_an_empty_result_acknowledges(result: JsonObject) -> None:
    assert acknowledges(result)


@pytest.mark.parametrize(
    "result",
    [
        {},
        {"resultType": "task"},
        *({"resultType": "complete", name: None} for name in ("taskId", "status", "result", "error", "inputRequests")),
    ],
)
def test_a_result_that_tells_of_the_task_does_not(result: JsonObject) -> None:
    assert not acknowledges(result)


def test_a_new_task_has_no_fault() -> None:
    assert creation_faults({"resultType": "task", **TASK}) == []


@pytest.mark.parametrize(
    ("created", "faults"),
    [
        ({"resultType": "complete", **TASK}, ["resultType is not task"]),
        ({"resultType": "task", **TASK, "task": {}}, ["task is a member of its own"]),
        ({"resultType": "task", **TASK, "result": None}, ["result is there"]),
        ({"resultType": "task", **TASK, "status": ""}, ["status is missing"]),
        (
            {"resultType": "task"},
            ["taskId is missing", "status is missing", "createdAt is no time", "lastUpdatedAt is no time"],
        ),
    ],
)
def test_a_new_task_has_a_fault(created: JsonObject, faults: list[str]) -> None:
    assert creation_faults(created) == faults


@pytest.mark.parametrize(
    ("value", "holds"),
    [(1, True), (5.0, True), (0, False), (-1, False), (0.5, False), (True, False), (None, False), ("1", False)],
)
def test_a_duration_is_a_positive_integer(value: JsonValue, *, holds: bool) -> None:
    assert is_duration(value) is holds


@pytest.mark.parametrize(
    ("data", "listed", "named"),
    [
        (None, False, False),
        ([], False, False),
        ({"requiredCapabilities": {}}, False, False),
        ({"requiredCapabilities": {"extensions": [EXTENSION]}}, False, False),
        ({"requiredCapabilities": {"extensions": {EXTENSION: None}}}, True, False),
        ({"requiredCapabilities": {"extensions": {EXTENSION: {}}}}, True, True),
    ],
)
def test_data_name_the_extension(data: JsonValue, *, listed: bool, named: bool) -> None:
    assert (lists_extension(data), names_extension(data)) == (listed, named)


DONE: JsonObject = {**TASK, "status": "completed", "result": {"content": []}}


@pytest.mark.parametrize(
    ("params", "faults"),
    [
        (TASK, []),
        (DONE, []),
        ({**DONE, "_meta": {"io.modelcontextprotocol/subscriptionId": 1}}, []),
        ({**TASK, "taskId": "two"}, ["it is of another task"]),
        ({**DONE, "result": {"content": [{}]}}, ["result differs from that of tasks/get"]),
        (
            {**without(DONE, "result")},
            ["result is no object, where status is completed", "result differs from that of tasks/get"],
        ),
        ({**without(DONE, "ttlMs")}, ["ttlMs is neither null nor an integer", "ttlMs differs from that of tasks/get"]),
    ],
)
def test_a_notification_tells_what_could_be_asked(params: JsonObject, faults: list[str]) -> None:
    assert notification_faults(params, "one", {"resultType": "complete", **DONE}) == faults


def test_a_notification_need_not_repeat_what_is_of_the_result() -> None:
    assert told_otherwise(DONE, {"resultType": "complete", "_meta": {"more": 1}, **DONE}) == []


def told(status: str) -> JsonObject:
    return {"jsonrpc": "2.0", "method": "notifications/tasks", "params": {**TASK, "status": status}}


@pytest.mark.parametrize(
    ("last", "over"),
    [
        ({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged"}, False),
        ({"jsonrpc": "2.0", "method": "notifications/message"}, False),
        (told("working"), False),
        (told("input_required"), False),
        (told("completed"), True),
        (told("failed"), True),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, True),
        (None, True),
    ],
)
def test_a_subscription_is_over_with_its_task_or_its_request(last: JsonValue, *, over: bool) -> None:
    assert ends([last]) is over
