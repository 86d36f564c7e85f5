"""What a task looks like, by the types of the extension: pure rules.

Specification: https://modelcontextprotocol.io/seps/2663-tasks-extension#tasks
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, is_integer, same

STATUSES = ("working", "input_required", "completed", "cancelled", "failed")
REQUIRED_BY_STATUS = {"input_required": "inputRequests", "completed": "result", "failed": "error"}

# A prefix is enough: SEP-2663 says ISO 8601 and leaves open what follows the seconds.
TIMESTAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}")


def is_time(value: JsonValue) -> bool:
    """Tell whether `value` is a text that begins as a time of ISO 8601."""
    return isinstance(value, str) and TIMESTAMP.match(value) is not None


def task_faults(task: JsonObject) -> list[str]:
    """Return what is wrong with the members that every task has."""
    faults = [] if isinstance(task.get("taskId"), str) else ["taskId is no text"]
    if task.get("status") not in STATUSES:
        faults.append(f"status is none of {', '.join(STATUSES)}")
    faults += [f"{name} is no time" for name in ("createdAt", "lastUpdatedAt") if not is_time(task.get(name))]
    if "ttlMs" not in task or not (task["ttlMs"] is None or is_integer(task["ttlMs"])):
        faults.append("ttlMs is neither null nor an integer")
    if not is_integer(task.get("pollIntervalMs", 0)):
        faults.append("pollIntervalMs is no integer")
    if not isinstance(task.get("statusMessage", ""), str):
        faults.append("statusMessage is no text")
    return faults


def state_faults(task: JsonObject) -> list[str]:
    """Return what is wrong with a task as tasks/get shows it: also with what its status demands.

    MUST hold all outstanding requests, the result, or the error: SEP-2663, task polling
    """
    status = task.get("status")
    member = REQUIRED_BY_STATUS.get(status) if isinstance(status, str) else None
    missing = member is not None and not isinstance(task.get(member), dict)
    return [*task_faults(task), *([f"{member} is no object, where status is {status}"] if missing else [])]


def reused_keys(states: Sequence[JsonObject]) -> list[str]:
    """Return the keys under which a task asked two different things, as `states` show it.

    MUST NOT refer to two distinct requests over the life of a task: SEP-2663, task update requests
    """
    first: dict[str, JsonValue] = {}
    reused: dict[str, None] = {}
    for state in states:
        for key, request in as_object(state.get("inputRequests")).items():
            if not same(first.setdefault(key, request), request):
                reused[key] = None
    return [*reused]


def told_otherwise(notification: JsonObject, state: JsonObject) -> list[str]:
    """Return the members in which a notification differs from the same state as tasks/get shows it.

    MUST be what tasks/get would have returned: SEP-2663, task status notifications
    """
    names = ("taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs", "result", "error")
    return [name for name in names if not same(notification.get(name), state.get(name))]
