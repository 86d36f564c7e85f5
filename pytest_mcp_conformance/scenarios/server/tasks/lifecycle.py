"""The life of a task: created, asked about, ended in each possible way, cancelled.

Specification: https://modelcontextprotocol.io/seps/2663-tasks-extension#tasks
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks, lacking
from pytest_mcp_conformance.json_values import JsonObject, as_list, as_object, is_number, shown, truthy
from pytest_mcp_conformance.model import TASKS_EXTENSION, Needs
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.tasks.declaring import (
    CAN_BE_ASKED,
    FAILING_JOB,
    GREET,
    PROTOCOL_ERROR_JOB,
    ROUND_TRIPS,
    SLOW_COMPUTE,
    TASKS,
    bootstrap,
    published,
)
from pytest_mcp_conformance.scenarios.server.tasks.parts import connected, failing, in_parts
from pytest_mcp_conformance.scenarios.server.tasks.shape import is_time
from pytest_mcp_conformance.scenarios.server.tasks.task import COMPLETED, FAILED, TASK, Task, acknowledges, call, start

BOOTSTRAP = bootstrap("tasks-lifecycle-bootstrap", "TasksLifecycleBootstrap")
SYNCHRONOUS = published(
    "tasks-sync-tool-call",
    "TasksSyncToolCall",
    "A tool that is at its end at once returns its result and no task, also to a client that could take one.",
    TASKS,
    ROUND_TRIPS,
)
CREATED = published(
    "sep-2663-result-type-task-on-create",
    "TasksServerTaskCreation",
    "A call that becomes a task returns its id, status and times under the result type task, and no outcome.",
    TASKS,
    ROUND_TRIPS,
)
SHOWN = published(
    "sep-2663-tasks-get-status-working",
    "TasksGetDuringWorking",
    "tasks/get tells of a task that was just created.",
)
COMPLETES = published(
    "sep-2663-tasks-get-status-completed",
    "TasksGetTerminalInlinedResult",
    "A task whose call succeeded ends as completed and holds the result of the call.",
)
TOOL_ERROR = published(
    "sep-2663-tool-error-uses-completed-status",
    "TasksToolErrorCompletedIsError",
    "A task whose tool failed ends as completed, too, with a result that says isError.",
)
CALL_ERROR = published(
    "sep-2663-tasks-get-status-failed",
    "TasksProtocolErrorFailedShape",
    "A task that ran into a JSON-RPC error ends as failed and holds the error instead of a result.",
)
CANCELLED = published(
    "sep-2663-cancel-ack-empty-result",
    "TasksCancelEmptyAck",
    "tasks/cancel is acknowledged with an empty result, and the task comes to an end.",
)
CANCELLED_LATE = published(
    "tasks-cancel-terminal-idempotent-ack",
    "TasksCancelTerminalIdempotentAck",
    "tasks/cancel of a task that is over is acknowledged with an empty result.",
)
NO_TASK = "the call returned no task"


@server_scenario(
    name="tasks-lifecycle",
    extension=TASKS_EXTENSION,
    pending=True,
    purpose="A tool call becomes a task, is asked about until it has ended, and can be cancelled.",
    decides=(
        SYNCHRONOUS,
        CREATED,
        SHOWN,
        COMPLETES,
        TOOL_ERROR,
        CALL_ERROR,
        CANCELLED,
        CANCELLED_LATE,
        BOOTSTRAP,
    ),
    charged=BOOTSTRAP,
    needs=Needs(tools=(GREET, SLOW_COMPUTE, FAILING_JOB, PROTOCOL_ERROR_JOB), methods=("tasks/get, tasks/cancel",)),
)
async def lifecycle(peer: Peer, checks: Checks) -> None:
    client = await connected(peer, checks, BOOTSTRAP, CAN_BE_ASKED)
    if client is not None:
        await in_parts(client, checks, synchronous, completed, failed_tool, failed_call, cancelled, cancelled_too_late)


async def synchronous(client: Peer, checks: Checks) -> None:
    """Call a tool that has nothing to wait for."""
    expected = "a result with content that is no task"
    with failing(checks, SYNCHRONOUS, expected=expected):
        result = (await call(client, GREET.name, {"name": "World"})).created
        content = result.get("content")
        checks.decide(
            SYNCHRONOUS,
            is_no_task(result) and bool(as_list(content)),
            expected=expected,
            got=result,
            details={
                "resultType": result.get("resultType"),
                "hasTaskId": truthy(result.get("taskId")),
                "contentLength": len(as_list(content)),
            },
        )


def is_no_task(result: JsonObject) -> bool:
    """Tell whether the result of a call is the tool's own. MUST be told by the result type: SEP-2663, polymorphic results."""
    return result.get("resultType") != TASK and not truthy(result.get("taskId"))


async def completed(client: Peer, checks: Checks) -> None:
    """Create a task, ask about it at once, and wait for its end."""
    task: Task | None = None
    with failing(checks, CREATED, expected="a task"):
        task = await call(client, SLOW_COMPUTE.name, {"seconds": 2, "label": "lifecycle-create"})
        created = task.created
        checks.decide(
            CREATED,
            not creation_faults(created),
            expected="a task with id, status, createdAt and lastUpdatedAt, and without outcome",
            got={"wrong": [*creation_faults(created)], "result": created},
            details={name: created.get(name) for name in ("resultType", "taskId", "status")},
        )
    if task is None or not task.exists:
        for requirement in (SHOWN, COMPLETES):
            checks.untestable(requirement, NO_TASK)
        return

    with failing(checks, SHOWN, expected="the task"):
        current = await task.get()
        checks.decide(
            SHOWN,
            task.is_told_by(current) and truthy(current.get("status")),
            expected=f"the task {shown(task.id)} and its status",
            got=current,
            details={"status": current.get("status")},
        )
    with failing(checks, COMPLETES, expected="the completed task"):
        end = await task.until_end()
        result = end.get("result")
        content = as_object(result).get("content")
        checks.decide(
            COMPLETES,
            end.get("status") == COMPLETED and bool(as_list(content)),
            expected="status completed and a result with content",
            got=end,
            details={
                "status": end.get("status"),
                "hasResult": truthy(result),
                "contentLength": len(as_list(content)),
            },
        )


def creation_faults(created: JsonObject) -> list[str]:
    """Return what is wrong with the result of a call that became a task: SEP-2663, task creation."""
    faults = [f"{name} is missing" for name in lacking(created, "taskId", "status")]
    if created.get("resultType") != TASK:
        faults.append("resultType is not task")
    if truthy(created.get("task")):
        faults.append("task is a member of its own")
    faults += [f"{name} is there" for name in ("result", "error", "inputRequests") if name in created]
    faults += [f"{name} is no time" for name in ("createdAt", "lastUpdatedAt") if not is_time(created.get(name))]
    return faults


async def failed_tool(client: Peer, checks: Checks) -> None:
    """Wait for a tool that fails. MUST NOT be failed for it: SEP-2663, task execution errors."""
    expected = "status completed and a result with isError true"
    with failing(checks, TOOL_ERROR, expected=expected):
        end = await (await start(client, FAILING_JOB.name)).until_end()
        holds = end.get("status") == COMPLETED and as_object(end.get("result")).get("isError") is True
        checks.decide(TOOL_ERROR, holds, expected=expected, got=end)


async def failed_call(client: Peer, checks: Checks) -> None:
    """Wait for a call that breaks down. MUST hold the JSON-RPC error: SEP-2663, task execution errors."""
    expected = "status failed and an error with code and message, without a result"
    with failing(checks, CALL_ERROR, expected=expected):
        end = await (await start(client, PROTOCOL_ERROR_JOB.name)).until_end()
        error = as_object(end.get("error"))
        complete = is_number(error.get("code")) and isinstance(error.get("message"), str)
        holds = end.get("status") == FAILED and complete and not truthy(end.get("result"))
        checks.decide(CALL_ERROR, holds, expected=expected, got=end)


async def cancelled(client: Peer, checks: Checks) -> None:
    """Cancel a task that has just begun."""
    expected = "an empty acknowledgement, and then the end of the task"
    with failing(checks, CANCELLED, expected=expected):
        task = await start(client, SLOW_COMPUTE.name, {"seconds": 60, "label": "lifecycle-cancel"})
        acknowledged = await task.cancel()
        end = await task.until_end()
        checks.decide(
            CANCELLED,
            acknowledges(acknowledged),
            expected=expected,
            got=acknowledged,
            details={"cancelAck": acknowledged, "statusAfterCancel": end.get("status")},
        )


async def cancelled_too_late(client: Peer, checks: Checks) -> None:
    """Cancel a task that is over."""
    expected = "an empty acknowledgement"
    with failing(checks, CANCELLED_LATE, expected=expected):
        task = await start(client, SLOW_COMPUTE.name, {"seconds": 1, "label": "lifecycle-cancel-terminal"})
        await task.until_end()
        acknowledged = await task.cancel()
        checks.decide(
            CANCELLED_LATE,
            acknowledges(acknowledged),
            expected=expected,
            got=acknowledged,
            details={"cancelAck": acknowledged},
        )
