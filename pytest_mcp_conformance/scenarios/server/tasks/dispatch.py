"""Methods and envelopes: what is no longer there, what is ignored, and by which type each result says what it is.

Specification: https://modelcontextprotocol.io/seps/2663-tasks-extension#polymorphic-results and #backward-compatibility
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, shown
from pytest_mcp_conformance.model import TASKS_EXTENSION, Level, Needs
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.protocol.json_rpc import INVALID_PARAMS, METHOD_NOT_FOUND
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.tasks.declaring import (
    CAN_BE_ASKED,
    CONFIRM_DELETE,
    FAILING_JOB,
    GREET,
    ROUND_TRIPS,
    SLOW_COMPUTE,
    TASKS,
    bootstrap,
    own,
    published,
)
from pytest_mcp_conformance.scenarios.server.tasks.lifecycle import is_no_task
from pytest_mcp_conformance.scenarios.server.tasks.parts import connected, failing, in_parts
from pytest_mcp_conformance.scenarios.server.tasks.task import (
    COMPLETE,
    TASK,
    call,
    start,
)
from pytest_mcp_conformance.side_by_side import side_by_side

BOOTSTRAP = bootstrap("tasks-dispatch-bootstrap", "TasksDispatchBootstrap")
RESULT_REMOVED = published(
    "sep-2663-tasks-result-removed-method-not-found",
    "TasksRemovedTasksResult",
    f"tasks/result is refused with {METHOD_NOT_FOUND}.",
)
LIST_REMOVED = published(
    "tasks-removed-tasks-list", "TasksRemovedTasksList", f"tasks/list is refused with {METHOD_NOT_FOUND}."
)
UNASKED = published(
    "tasks-server-directed-creation-no-hint",
    "TasksServerDirectedCreationNoHint",
    "The server makes a task of a call without being asked for one.",
)
HINT_IGNORED = published(
    "sep-2663-legacy-task-param-ignored",
    "TasksLegacyTaskParamIgnored",
    "The parameter task of 2025-11-25 makes no difference.",
)
INSTANT = published(
    "tasks-immediate-result-shortcut",
    "TasksImmediateResultShortcut",
    "A call that takes no time returns a task or its result.",
    level=Level.MAY,
)
TYPES = published(
    "tasks-result-type-complete-on-non-task-responses",
    "TasksResultTypeCompleteOnNonTaskResponses",
    "Every result but that of a call that became a task has the type complete.",
    TASKS,
    ROUND_TRIPS,
)
CONSISTENT = published(
    "sep-2663-durable-create-strong-consistency",
    "TasksStrongConsistencyImmediateGet",
    "A task can be asked about as soon as it is told of.",
)
UNKNOWN_REFUSED = published(
    "sep-2663-tasks-get-invalid-task-id-32602",
    "TasksGetUnknownTaskIdRejected",
    f"tasks/get of a task that is not there is refused with {INVALID_PARAMS}.",
)
EVERY_TYPE = own(
    "every-method-result-type-complete",
    "EveryMethodResultTypeComplete",
    "tasks/get, tasks/update and tasks/cancel of a task were all answered, with results of the type complete.",
    place="polymorphic-results",
)

OLD_PROBE = "tasks-conformance-isolation-probe"
NO_SUCH_TASK = "tasks-conformance-nonexistent-12345"
OLD_HINT: JsonObject = {"ttl": 60000, "pollInterval": 100}
METHODS = ("tasks/get", "tasks/update", "tasks/cancel")


@server_scenario(
    name="tasks-dispatch-and-envelope",
    extension=TASKS_EXTENSION,
    pending=True,
    purpose="Old methods and parameters are gone, results say what they are, and a task is there once it is told of.",
    decides=(
        RESULT_REMOVED,
        LIST_REMOVED,
        UNASKED,
        HINT_IGNORED,
        INSTANT,
        TYPES,
        CONSISTENT,
        UNKNOWN_REFUSED,
        BOOTSTRAP,
        EVERY_TYPE,
    ),
    charged=BOOTSTRAP,
    needs=Needs(
        tools=(GREET, SLOW_COMPUTE, CONFIRM_DELETE, FAILING_JOB),
        methods=("tasks/get, tasks/update, tasks/cancel; -32601 for tasks/result and tasks/list",),
    ),
)
async def dispatch_and_envelope(peer: Peer, checks: Checks) -> None:
    client = await connected(peer, checks, BOOTSTRAP, CAN_BE_ASKED)
    if client is not None:
        await in_parts(
            client,
            checks,
            removed_methods,
            unasked,
            hint_ignored,
            instant,
            result_types,
            consistent,
            unknown_task,
        )


async def removed_methods(client: Peer, checks: Checks) -> None:
    """Send the methods that 2025-11-25 had. MUST be -32601: SEP-2663, backward compatibility."""
    old = await client.ask("tasks/result", {"taskId": OLD_PROBE})
    checks.decide_error(RESULT_REMOVED, old, codes=(METHOD_NOT_FOUND,))
    checks.decide_error(LIST_REMOVED, await client.ask("tasks/list"), codes=(METHOD_NOT_FOUND,))


async def unasked(client: Peer, checks: Checks) -> None:
    """Call a tool that works only as a task, and say nothing about that."""
    expected = "a result of type task with a taskId"
    with failing(checks, UNASKED, expected=expected):
        task = await call(client, FAILING_JOB.name)
        holds = task.created.get("resultType") == TASK and task.exists
        checks.decide(UNASKED, holds, expected=expected, got=task.created)


async def hint_ignored(client: Peer, checks: Checks) -> None:
    """Ask for a task as 2025-11-25 did. MUST be ignored: SEP-2663, backward compatibility."""
    expected = "a result with content that is no task"
    with failing(checks, HINT_IGNORED, expected=expected):
        result = (await call(client, GREET.name, {"name": "legacy-hint"}, params={"task": OLD_HINT})).created
        holds = is_no_task(result) and bool(as_list(result.get("content")))
        checks.decide(HINT_IGNORED, holds, expected=expected, got=result)


async def instant(client: Peer, checks: Checks) -> None:
    """Call a tool that could be a task and needs no time. The server decides: SEP-2663, capability negotiation."""
    expected = "a task with an id, or a result with content"
    with failing(checks, INSTANT, expected=expected):
        task = await call(client, SLOW_COMPUTE.name, {"seconds": 0, "label": "instant"})
        type_ = task.created.get("resultType")
        holds = task.exists if type_ == TASK else isinstance(task.created.get("content"), list)
        details: JsonObject = {"resultType": type_}
        if holds:
            checks.succeed(INSTANT, details=details)
        else:  # as published, although a server may do what it likes
            checks.fail(INSTANT, expected=expected, got=task.created, details=details)


async def result_types(client: Peer, checks: Checks) -> None:
    """Look at the type of every result that is no new task.

    MUST be complete on tasks/get, tasks/update and tasks/cancel: SEP-2663, polymorphic results
    """
    expected = f"resultType {COMPLETE} on each of them"
    with failing(checks, TYPES, EVERY_TYPE, expected=expected):
        types: dict[str, JsonValue] = {}
        for results in await side_by_side(_greeted(client), _finished(client), _cancelled(client), _updated(client)):
            types |= {method: result.get("resultType") for method, result in results.items()}
        wrong = {method: type_ for method, type_ in types.items() if type_ != COMPLETE}
        checks.decide(TYPES, not wrong, expected=expected, got=wrong)
        # A server that makes no tasks was asked nothing: the published check passes it.
        missing: list[JsonValue] = [method for method in METHODS if method not in types]
        if missing:
            checks.untestable(EVERY_TYPE, f"no task was there for {shown(missing)}")
        else:
            checks.decide(EVERY_TYPE, not wrong, expected=expected, got=wrong)


async def _greeted(client: Peer) -> dict[str, JsonObject]:
    return {"tools/call": (await call(client, GREET.name, {"name": "rt"})).created}


async def _finished(client: Peer) -> dict[str, JsonObject]:
    task = await call(client, SLOW_COMPUTE.name, {"seconds": 0, "label": "rt-get"})
    if not task.exists:
        return {}
    await task.until_end()
    return {"tasks/get": await task.get()}


async def _cancelled(client: Peer) -> dict[str, JsonObject]:
    task = await call(client, SLOW_COMPUTE.name, {"seconds": 60, "label": "rt-cancel"})
    return {"tasks/cancel": await task.cancel()} if task.exists else {}


async def _updated(client: Peer) -> dict[str, JsonObject]:
    task = await call(client, CONFIRM_DELETE.name, {"filename": "rt.txt"})
    if not task.exists:
        return {}
    await task.until_asking()
    # SHOULD ignore keys that are not outstanding: SEP-2663, task update requests
    updated = await task.update({"unknown-key": {"ignored": True}})
    await task.dismiss()
    return {"tasks/update": updated}


async def consistent(client: Peer, checks: Checks) -> None:
    """Ask about a task at once. MUST be there before it is told of: SEP-2663, task creation."""
    with failing(checks, CONSISTENT, expected="the task"):
        task = await start(client, SLOW_COMPUTE.name, {"seconds": 60, "label": "consistency"})
        current = await task.get()
        checks.decide(CONSISTENT, task.is_told_by(current), expected=f"the task {shown(task.id)}", got=current)
        await task.dismiss()


async def unknown_task(client: Peer, checks: Checks) -> None:
    """Ask about a task that never was. MUST be -32602: SEP-2663, protocol errors."""
    answer = await client.ask("tasks/get", {"taskId": NO_SUCH_TASK})
    checks.decide_error(UNKNOWN_REFUSED, answer, codes=(INVALID_PARAMS,))
