"""Input for tasks: what a task asks while it runs, and what is asked before there is one.

Specification: https://modelcontextprotocol.io/seps/2663-tasks-extension#task-update-requests
"""

from __future__ import annotations

import asyncio
import time

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, shown, truthy
from pytest_mcp_conformance.model import TASKS_EXTENSION, Level, Needs
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.input_required.rounds import form
from pytest_mcp_conformance.scenarios.server.tasks.declaring import (
    CAN_BE_ASKED,
    CONFIRM_DELETE,
    EXTENSION,
    MULTI_INPUT,
    ROUND_TRIPS,
    TASKS,
    TOOL_WITH_TASK,
    bootstrap,
    own,
    published,
)
from pytest_mcp_conformance.scenarios.server.tasks.parts import connected, failing, in_parts
from pytest_mcp_conformance.scenarios.server.tasks.shape import reused_keys
from pytest_mcp_conformance.scenarios.server.tasks.task import (
    COMPLETE,
    COMPLETED,
    INPUT_REQUIRED,
    TASK,
    Task,
    acknowledges,
    call,
    start,
)

BOOTSTRAP = bootstrap("tasks-mrtr-input-bootstrap", "TasksMrtrInputBootstrap")
ASKS = published(
    "sep-2663-tasks-get-status-input-required",
    "TasksMRTRInputRequestsOnTasksGet",
    "A task that waits for input has the status input_required and holds its requests.",
    ROUND_TRIPS,
    TASKS,
)
RESUMES = published(
    "tasks-mrtr-tasks-update-resumes",
    "TasksMRTRTasksUpdateResumes",
    "tasks/update is acknowledged with an empty result, and the task goes on to its end with the answers.",
    ROUND_TRIPS,
    TASKS,
)
IN_PORTIONS = published(
    "tasks-mrtr-partial-fulfillment",
    "TasksMRTRPartialFulfillment",
    "A task that asked two things and got one answer goes on asking for the other.",
    ROUND_TRIPS,
    TASKS,
)
RESUMES_ASKED = own(
    "update-resumes-asked-task",
    "UpdateResumesAskedTask",
    "A task that asked something goes on to its end when everything is answered.",
    place="task-update-requests",
)
KEYS_UNIQUE = own(
    "input-keys-unique",
    "InputKeysUnique",
    "A task never asks two different things under one key.",
    place="task-update-requests",
)
BEFORE_TASK = published(
    "sep-2663-mrtr-synchronous-before-task-creation",
    "Sep2663MrtrSynchronousBeforeTaskCreation",
    "What a tool asks before it becomes a task is asked in answer to the call; the task then works with what was given.",
    ROUND_TRIPS,
    TASKS,
    level=Level.SHOULD,
)

PAIR = 2  # requests that are pending at the same time
PAIR_SECONDS, PAIR_POLL_SECONDS = 5.0, 0.1  # as published: how long and how often to look for both
CONFIRMED = form(confirm=True)


@server_scenario(
    name="tasks-mrtr-input",
    extension=TASKS_EXTENSION,
    pending=True,
    purpose="A task asks for input, takes the answers together or one by one, and goes on.",
    decides=(ASKS, RESUMES, IN_PORTIONS, BOOTSTRAP, RESUMES_ASKED, KEYS_UNIQUE),
    charged=BOOTSTRAP,
    needs=Needs(tools=(CONFIRM_DELETE, MULTI_INPUT), methods=("tasks/get, tasks/update, tasks/cancel",)),
)
async def mrtr_input(peer: Peer, checks: Checks) -> None:
    client = await connected(peer, checks, BOOTSTRAP, CAN_BE_ASKED)
    if client is not None:
        await in_parts(client, checks, asks, resumes, in_portions)


async def asks(client: Peer, checks: Checks) -> None:
    """Wait until a task asks. MUST hold all outstanding requests: SEP-2663, task polling."""
    expected = "status input_required and inputRequests with a method"
    with failing(checks, ASKS, expected=expected):
        task = await start(client, CONFIRM_DELETE.name, {"filename": "mrtr-input.txt"})
        waiting = await task.until_asking()
        first = next(iter(asked_by(waiting).values()), None)
        checks.decide(
            ASKS,
            waiting.get("status") == INPUT_REQUIRED and truthy(as_object(first).get("method")),
            expected=expected,
            got=waiting,
        )
        await task.dismiss()


def asked_by(task: JsonObject) -> JsonObject:
    """Return the requests of a task by their keys."""
    return as_object(task.get("inputRequests"))


async def resumes(client: Peer, checks: Checks) -> None:
    """Answer everything that a task asks, and wait for its end."""
    expected = "an empty acknowledgement, and then status completed"
    with failing(checks, RESUMES, RESUMES_ASKED, expected=expected):
        task = await start(client, CONFIRM_DELETE.name, {"filename": "mrtr-resume.txt"})
        waiting = await task.until_asking()
        asked = asked_by(waiting)
        acknowledged = await task.update(dict.fromkeys(asked, CONFIRMED))
        end = await task.until_end()
        went_on = acknowledges(acknowledged) and end.get("status") == COMPLETED
        checks.decide(RESUMES, went_on, expected=expected, got={"acknowledged": acknowledged, "task": end})
        # The published check passes a task that never asked and ended by itself: nothing was resumed there.
        checks.decide(
            RESUMES_ASKED,
            went_on and waiting.get("status") == INPUT_REQUIRED and bool(asked),
            expected=f"a request for input, {expected}",
            got={"before": waiting, "acknowledged": acknowledged, "task": end},
        )


async def in_portions(client: Peer, checks: Checks) -> None:
    """Answer the first of two requests, look, and answer the second."""
    task: Task | None = None
    with failing(checks, IN_PORTIONS, expected="a task that asks two things at once"):
        task = await start(client, MULTI_INPUT.name)
        await answer_in_portions(task, checks)
    if task is None or not any(asked_by(each) for each in task.seen):
        checks.untestable(KEYS_UNIQUE, "no task asked anything")
    else:
        reused: list[JsonValue] = [*reused_keys(task.seen)]
        checks.decide(KEYS_UNIQUE, not reused, expected="one request a key, as long as the task lives", got=reused)


async def answer_in_portions(task: Task, checks: Checks) -> None:
    """Hold the conversation about two requests.

    :raises Nonconforming: no result came, or no end.
    """
    waiting = await asking_for_two(task)
    if not asks_for_two(waiting):
        checks.fail(IN_PORTIONS, expected="status input_required with two inputRequests", got=waiting)
        return
    first, second, *_ = asked_by(waiting)
    acknowledged = await task.update({first: form(name="partial-1", confirm=True)})
    between = await task.get()
    await task.update({second: form(name="partial-2", confirm=True)})
    end = await task.until_end()
    # MAY take one answer at a time; stays input_required until the rest has come: SEP-2663, task update requests
    checks.decide(
        IN_PORTIONS,
        acknowledged.get("resultType") == COMPLETE
        and between.get("status") == INPUT_REQUIRED
        and second in asked_by(between)
        and first not in asked_by(between)
        and end.get("status") == COMPLETED,
        expected=f"an acknowledgement, then a task that asks {shown(second)} alone, and in the end status completed",
        got={"acknowledged": acknowledged, "after the first answer": between, "after the second": end},
    )


def asks_for_two(task: JsonObject) -> bool:
    """Tell whether a task has two requests at the same time."""
    return task.get("status") == INPUT_REQUIRED and len(asked_by(task)) >= PAIR


async def asking_for_two(task: Task) -> JsonObject:
    """Return the task as soon as it asks two things, or as it is when the time for it is over.

    :raises Nonconforming: no result came.
    """
    started = time.monotonic()
    current = await task.get()
    while not asks_for_two(current) and time.monotonic() - started < PAIR_SECONDS:
        await asyncio.sleep(PAIR_POLL_SECONDS)
        current = await task.get()
    return current


@server_scenario(
    name="tasks-mrtr-composition",
    extension=TASKS_EXTENSION,
    pending=True,
    purpose="A tool asks in answer to the call, and becomes a task once it has what it needs.",
    decides=(BEFORE_TASK,),
    needs=Needs(tools=(TOOL_WITH_TASK,), methods=("tasks/get",)),
)
async def mrtr_composition(peer: Peer, checks: Checks) -> None:
    client = peer.another(capabilities={"elicitation": {}, **EXTENSION})
    expected = "a request for input, then a task, and in the end a text with the name that was given"
    try:
        faults = await rounds_before_task(client)
    except Nonconforming as error:
        checks.fail(BEFORE_TASK, expected=error.expected or expected, got=error.got or error.message)
        return
    # SHOULD resolve all rounds before there is a task: SEP-2663, task creation. The published check fails where it is broken.
    if faults:
        checks.fail(BEFORE_TASK, expected=expected, got=faults)
    else:
        checks.succeed(BEFORE_TASK)


async def rounds_before_task(client: Peer) -> list[str]:
    """Answer the tool, wait for the end of its task, and return what was not as it should be.

    :raises Nonconforming: no result came, or no end.
    """
    first = (await call(client, TOOL_WITH_TASK.name)).created
    asked = asked_by(first)
    faults = []
    if first.get("resultType") != INPUT_REQUIRED or not asked:
        faults.append("the call was not answered with a request for input")
    if "taskId" in first:
        faults.append("there was a task before the input was given")
    if not asked:
        return faults
    given: JsonObject = {"inputResponses": {next(iter(asked)): form(name="Alice")}}
    if "requestState" in first:
        given["requestState"] = first["requestState"]
    task = await call(client, TOOL_WITH_TASK.name, params=given)
    if task.created.get("resultType") != TASK or not task.exists:
        faults.append("the retry with the input was not answered with a task")
    faults += [f"the new task has {name}" for name in ("requestState", "inputRequests") if name in task.created]
    if not task.exists:
        return faults
    end = await task.until_end()
    content = as_list(as_object(end.get("result")).get("content"))
    text = as_object(content[0]).get("text") if content else None
    if end.get("status") != COMPLETED:
        faults.append("the task did not complete")
    if not (isinstance(text, str) and "Alice" in text):
        faults.append("the first text of the result does not have the name that was given")
    return faults
