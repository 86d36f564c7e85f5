"""Notifications of tasks: what a subscription to a task brings, and what it must not.

Specification: https://modelcontextprotocol.io/seps/2663-tasks-extension#task-status-notifications
"""

from __future__ import annotations

from collections.abc import Sequence

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, same, shown
from pytest_mcp_conformance.model import TASKS_EXTENSION, Level, Needs
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.peer.listening import Heard, hear
from pytest_mcp_conformance.protocol.json_rpc import METHOD_NOT_FOUND, MISSING_CAPABILITY, RpcError
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.stateless_listening import ACKNOWLEDGED, LISTEN, LOG_MESSAGE
from pytest_mcp_conformance.scenarios.server.stateless_streams import has, method_of
from pytest_mcp_conformance.scenarios.server.tasks.capabilities import NAMED, names_extension
from pytest_mcp_conformance.scenarios.server.tasks.declaring import EXTENSION, SLOW_COMPUTE, own, published
from pytest_mcp_conformance.scenarios.server.tasks.lifecycle import NO_TASK
from pytest_mcp_conformance.scenarios.server.tasks.parts import failing, in_parts
from pytest_mcp_conformance.scenarios.server.tasks.shape import state_faults, told_otherwise
from pytest_mcp_conformance.scenarios.server.tasks.task import ENDED, Task, call

STATUS_NOTIFICATIONS = published(
    "tasks-status-notifications",
    "TasksStatusNotificationsScenario",
    "Reserved by the published suite for notifications of tasks; it decides nothing.",
    level=Level.MAY,
)
UNDECLARED_REFUSED = own(
    "listen-undeclared-refused",
    "ListenUndeclaredRefused",
    f"{LISTEN} for tasks is refused with {MISSING_CAPABILITY} to a client without the extension, which is named.",
    place="task-status-notifications",
)
TOLD_COMPLETELY = own(
    "notification-complete",
    "NotificationComplete",
    "A subscription to a task brings notifications/tasks with the whole task, as tasks/get tells it.",
    place="task-status-notifications",
)
NOTHING_ELSE_TOLD = own(
    "no-progress-or-log-for-task",
    "NoProgressOrLogForTask",
    "A subscription to a task brings no progress and no log messages.",
    place="task-status-notifications",
)

TASK_TOLD = "notifications/tasks"
UNTOLD = (LOG_MESSAGE, "notifications/progress")
UNKNOWN_TASK = "listen-gate-test"
REFUSAL_SECONDS = 2.0  # for the first message of a subscription
END_SECONDS = 4.0  # for hearing of the end of a task that takes one second
NOT_OFFERED = f"the server does not know {LISTEN}"


@server_scenario(
    name="tasks-status-notifications",
    extension=TASKS_EXTENSION,
    pending=True,
    purpose="A client that subscribes to a task hears of its changes, completely, and of nothing else.",
    decides=(STATUS_NOTIFICATIONS, UNDECLARED_REFUSED, TOLD_COMPLETELY, NOTHING_ELSE_TOLD),
    needs=Needs(tools=(SLOW_COMPUTE,), methods=("subscriptions/listen, or -32601 for it",)),
)
async def status_notifications(peer: Peer, checks: Checks) -> None:
    checks.skip(STATUS_NOTIFICATIONS, "Skipped: the published suite decides nothing here")
    if not peer.revision.stateless:
        for requirement in (UNDECLARED_REFUSED, TOLD_COMPLETELY, NOTHING_ELSE_TOLD):
            checks.skip(requirement, f"{LISTEN} is not a method of {peer.revision}")
        return
    await in_parts(peer, checks, undeclared, told)


def wants(task_id: JsonValue) -> JsonObject:
    """Return the params of a subscription to a task."""
    return {"notifications": {"taskIds": [task_id]}}


async def listen(client: Peer, task_id: JsonValue, *, within: float, alone: bool) -> Heard:
    """Subscribe to a task and listen until its end, or with `alone` to the first message alone."""
    params = wants(task_id)
    return await hear(
        client,
        client.message(LISTEN, params, id=f"listen-to-{'nothing' if alone else 'a-task'}"),
        headers=client.headers(LISTEN, params),
        within=within,
        enough=has(1) if alone else ends,
    )


def ends(messages: Sequence[JsonValue]) -> bool:
    """Tell whether the newest message ends the task, or the subscription."""
    last = as_object(messages[-1])
    return method_of(last) != ACKNOWLEDGED and (
        "method" not in last or (method_of(last) == TASK_TOLD and _params(last).get("status") in ENDED)
    )


def _params(message: JsonValue) -> JsonObject:
    return as_object(as_object(message).get("params"))


def refusal(heard: Heard) -> RpcError | None:
    """Return the error that a subscription was refused with."""
    return RpcError.read(as_object(heard.messages[0]).get("error")) if heard.messages else None


async def undeclared(peer: Peer, checks: Checks) -> None:
    """Subscribe without saying that tasks are understood. MUST be refused: SEP-2663, protocol errors."""
    heard = await listen(peer.another(capabilities={}), UNKNOWN_TASK, within=REFUSAL_SECONDS, alone=True)
    error = refusal(heard)
    if error is not None and error.code == METHOD_NOT_FOUND:
        checks.skip(UNDECLARED_REFUSED, NOT_OFFERED)
        return
    checks.decide(
        UNDECLARED_REFUSED,
        error is not None and error.code == MISSING_CAPABILITY and names_extension(error.data),
        expected=f"error {MISSING_CAPABILITY}, {NAMED}",
        got=heard.messages or "no message",
    )


async def told(peer: Peer, checks: Checks) -> None:
    """Subscribe to a task, and compare what is told with what can be asked."""
    client = peer.another(capabilities=EXTENSION)
    with failing(checks, TOLD_COMPLETELY, NOTHING_ELSE_TOLD, expected="a task and its end"):
        task = await call(client, SLOW_COMPUTE.name, {"seconds": 1, "label": "status-notifications"})
        if not task.exists:
            for requirement in (TOLD_COMPLETELY, NOTHING_ELSE_TOLD):
                checks.untestable(requirement, NO_TASK)
            return
        heard = await listen(client, task.id, within=END_SECONDS, alone=False)
        decide_told(checks, task, heard.messages, await task.until_end())


def decide_told(checks: Checks, task: Task, messages: Sequence[JsonValue], state: JsonObject) -> None:
    """Decide by what a subscription brought; `state` is the task at its end.

    Notifications are the server's choice: it names in its acknowledgement the tasks of which it will tell.
    """
    acknowledged = next((_params(each) for each in messages if method_of(each) == ACKNOWLEDGED), {})
    agreed = as_list(as_object(acknowledged.get("notifications")).get("taskIds"))
    if not any(same(each, task.id) for each in agreed):
        for requirement in (TOLD_COMPLETELY, NOTHING_ELSE_TOLD):
            checks.skip(requirement, "the server does not agree to tell of the task")
        return
    notified = [_params(each) for each in messages if method_of(each) == TASK_TOLD]
    faults: dict[str, JsonValue] = {
        fault: params for params in notified for fault in notification_faults(params, task.id, state)
    }
    checks.decide(
        TOLD_COMPLETELY,
        bool(notified) and not faults,
        expected=f"{TASK_TOLD} with the whole task {shown(task.id)}",
        got=faults or messages,
    )
    wrong: list[JsonValue] = [each for each in messages if method_of(each) in UNTOLD]
    # MUST NOT be sent on the stream for a task: SEP-2663, task status notifications
    checks.decide(NOTHING_ELSE_TOLD, not wrong, expected=f"no {' and no '.join(UNTOLD)}", got=wrong)


def notification_faults(params: JsonObject, task_id: JsonValue, end: JsonObject) -> list[str]:
    """Return what is wrong with what a notification tells; that of the end is compared with the task at its `end`."""
    faults = state_faults(params)
    if not same(params.get("taskId"), task_id):
        faults.append("it is of another task")
    if params.get("status") in ENDED:
        faults += [f"{name} differs from that of tasks/get" for name in told_otherwise(params, end)]
    return faults
