"""Spoiled answers of the tasks extension."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.json_values import JsonValue
from pytest_mcp_conformance.model import TASKS_EXTENSION
from pytest_mcp_conformance.protocol.json_rpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MISSING_CAPABILITY,
)
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.spoiled.spoiling import Spoiled, Step


def _created(*at: Step, to: JsonValue = None, removed: bool = False) -> tuple[Spoiled, ...]:
    """Deform the answer that tells of a new task."""
    return (Spoiled(method="tools/call", has="pollIntervalMs", at=("result", *at), to=to, removed=removed),)


def _answer(method: str, *at: Step, to: JsonValue = None, removed: bool = False) -> tuple[Spoiled, ...]:
    """Deform the result of a method."""
    return (Spoiled(method=method, at=("result", *at), to=to, removed=removed),)


def _code(method: str, name: str, code: int, other: int) -> tuple[Spoiled, ...]:
    """Refuse with another code."""
    return (Spoiled(method=method, name=name, code=code, at=("error", "code"), to=other),)


SPOILED: Mapping[Fault, tuple[Spoiled, ...]] = {
    Fault.TASKS_UNADVERTISED: _answer("server/discover", "capabilities", "extensions", TASKS_EXTENSION, removed=True),
    Fault.GREETING_OTHER: (Spoiled(method="tools/call", name="greet", at=("result", "content", 0, "text"), to="Hi!"),),
    Fault.TASKS_GATE_NAMES_NOTHING: (
        Spoiled(method="tasks/get", code=MISSING_CAPABILITY, at=("error", "data", "requiredCapabilities"), to={}),
    ),
    Fault.TASK_WITHOUT_UPDATE_TIME: _answer("tasks/get", "lastUpdatedAt", removed=True),
    Fault.TASK_CREATED_LONG_AGO: _created("createdAt", to="a moment ago"),
    Fault.TASK_WITHOUT_ID: _created("taskId", removed=True),
    Fault.JOB_WITHOUT_ID: (Spoiled(method="tools/call", name="failing_job", at=("result", "taskId"), removed=True),),
    Fault.TASK_WITH_OLD_TTL: _created("ttl", to=60_000),
    Fault.TASK_CREATED_WITH_STATE: _created("requestState", to="opaque"),
    Fault.TASK_SHOWN_WITH_STATE: _answer("tasks/get", "requestState", to="opaque"),
    Fault.TASK_UNDER_ANOTHER_ID: _answer("tasks/get", "taskId", to="another-task"),
    Fault.TASK_RESULT_EMPTY: _answer("tasks/get", "result", "content", to=[]),
    Fault.TASK_RESULT_WITH_RELATED_TASK: _answer(
        "tasks/get", "result", "_meta", to={"io.modelcontextprotocol/related-task": {"taskId": "the-same"}}
    ),
    Fault.TASK_ERROR_WITHOUT_MESSAGE: _answer("tasks/get", "error", "message", removed=True),
    Fault.UNKNOWN_TASK_OTHER_CODE: _code("tasks/get", "*", INVALID_PARAMS, INTERNAL_ERROR),
    Fault.UPDATE_SHOWS_TASK: _answer("tasks/update", "taskId", to="this-task"),
    Fault.UPDATE_OF_TYPE_TASK: _answer("tasks/update", "resultType", to="task"),
    Fault.ASKED_WITHOUT_METHOD: _answer("tasks/get", "inputRequests", "confirm", "method", removed=True),
    Fault.TASKS_RESULT_KNOWN: _code("tasks/result", "*", METHOD_NOT_FOUND, INVALID_PARAMS),
    Fault.TASKS_LIST_KNOWN: _code("tasks/list", "*", METHOD_NOT_FOUND, INVALID_PARAMS),
    Fault.JOB_REFUSED_WITH_OTHER_CODE: _code("tools/call", "failing_job", MISSING_CAPABILITY, INVALID_PARAMS),
    Fault.JOB_REFUSED_WITHOUT_DATA: (
        Spoiled(method="tools/call", name="failing_job", code=MISSING_CAPABILITY, at=("error", "data"), removed=True),
    ),
    Fault.JOB_REFUSED_WITHOUT_EXTENSION: (
        Spoiled(
            method="tools/call",
            name="failing_job",
            code=MISSING_CAPABILITY,
            at=("error", "data", "requiredCapabilities"),
            to={},
        ),
    ),
}
