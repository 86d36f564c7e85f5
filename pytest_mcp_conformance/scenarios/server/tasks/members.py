"""The members of a task: which there are, of which type, and which there are no longer.

Specification: https://modelcontextprotocol.io/seps/2663-tasks-extension#tasks
"""

from __future__ import annotations

import asyncio
import time

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import (
    JsonObject,
    JsonValue,
    Shown,
    as_object,
    is_integer,
    shown,
    truthy,
)
from pytest_mcp_conformance.model import TASKS_EXTENSION, Needs
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.tasks.declaring import (
    EXTENSION,
    SLOW_COMPUTE,
    bootstrap,
    own,
    published,
)
from pytest_mcp_conformance.scenarios.server.tasks.lifecycle import NO_TASK
from pytest_mcp_conformance.scenarios.server.tasks.parts import connected, failing, in_parts
from pytest_mcp_conformance.scenarios.server.tasks.shape import state_faults, task_faults
from pytest_mcp_conformance.scenarios.server.tasks.task import Task, call

FIELDS_BOOTSTRAP = bootstrap("tasks-wire-fields-bootstrap", "TasksWireFieldsBootstrap")
NAMES = published(
    "tasks-wire-field-renames",
    "TasksWireFieldRenames",
    "A new task has ttlMs and may have pollIntervalMs, in whole milliseconds, and neither ttl nor pollInterval.",
)
KEPT = published(
    "tasks-no-early-ttl-expiry",
    "TasksNoEarlyTtlExpiry",
    "A task can be asked about half a second after its end.",
)
NO_RELATED_TASK = published(
    "tasks-no-related-task-meta-on-inlined-result",
    "TasksNoRelatedTaskMetaOnInlinedResult",
    "The result inside a task does not name the task once more in its _meta.",
)
KEPT_FOR_TTL = own(
    "kept-for-its-ttl",
    "KeptForItsTtl",
    "A task can be asked about half a second after its end, unless its ttlMs is over by then.",
    place="tasks",
)
COMPLETE_SHAPE = own(
    "task-shape",
    "TaskShape",
    "A task has all its members, of their types, whenever it is asked about, and what its status demands.",
    place="task-status",
)
STATE_BOOTSTRAP = bootstrap("tasks-request-state-bootstrap", "TasksRequestStateBootstrap")
STATE_SETUP = published(
    "tasks-request-state-removal-setup",
    "TasksRequestStateRemovalSetup",
    "A call of the slow tool returns a task.",
    exceptional=True,
)
CREATED_STATELESS = published(
    "tasks-create-result-no-request-state",
    "TasksCreateResultNoRequestState",
    "A new task has no requestState.",
)
SHOWN_STATELESS = published(
    "tasks-get-detailed-no-request-state",
    "TasksGetDetailedNoRequestState",
    "A task that is asked about has no requestState.",
)

AFTER_END_SECONDS = 0.5  # as published: between the end of a task and the question whether it is still there
RELATED_TASK = "io.modelcontextprotocol/related-task"  # of 2025-11-25


@server_scenario(
    name="tasks-wire-fields",
    extension=TASKS_EXTENSION,
    pending=True,
    purpose="A task carries its durations in whole milliseconds under their names, and stays after its end.",
    decides=(NAMES, KEPT, NO_RELATED_TASK, FIELDS_BOOTSTRAP, KEPT_FOR_TTL, COMPLETE_SHAPE),
    charged=FIELDS_BOOTSTRAP,
    needs=Needs(tools=(SLOW_COMPUTE,), methods=("tasks/get",)),
)
async def wire_fields(peer: Peer, checks: Checks) -> None:
    client = await connected(peer, checks, FIELDS_BOOTSTRAP, EXTENSION)
    if client is not None:
        await in_parts(client, checks, kept_after_end, without_related_task)


async def kept_after_end(client: Peer, checks: Checks) -> None:
    """Create a task, wait for its end, and ask about it once more."""
    task: Task | None = None
    asked_at = time.monotonic()
    with failing(checks, NAMES, expected="a task"):
        task = await call(client, SLOW_COMPUTE.name, {"seconds": 1, "label": "wire-fields"})
        decide_names(checks, task.created)
    if task is None or not task.exists:
        for requirement in (KEPT, KEPT_FOR_TTL, COMPLETE_SHAPE):
            checks.untestable(requirement, NO_TASK)
        return
    found = await after_end(task)
    there = isinstance(found, dict) and task.is_told_by(found)
    checks.decide(KEPT, there, expected=f"the task {shown(task.id)} after its end", got=found)
    decide_kept(checks, task, found, there=there, age=time.monotonic() - asked_at)
    decide_shapes(checks, task)


async def after_end(task: Task) -> JsonObject | Shown:
    """Return the task as it is told half a second after its end, or what came instead."""
    try:
        await task.until_end()
        await asyncio.sleep(AFTER_END_SECONDS)
        return await task.get()
    except Nonconforming as error:
        return Shown(error.got or error.message)


def decide_names(checks: Checks, created: JsonObject) -> None:
    """Look at the durations of a new task. In whole milliseconds: SEP-2663, tasks."""
    checks.decide(
        NAMES,
        "ttlMs" in created
        and (created["ttlMs"] is None or is_duration(created["ttlMs"]))
        and ("pollIntervalMs" not in created or is_duration(created["pollIntervalMs"]))
        and "ttl" not in created
        and "pollInterval" not in created,
        expected="ttlMs (null or a positive integer), pollIntervalMs (if any, a positive integer), no ttl, no pollInterval",
        got=created,
        details={
            "ttlMs": created.get("ttlMs"),
            "pollIntervalMs": created.get("pollIntervalMs"),
            "hasLegacyTtl": "ttl" in created,
            "hasLegacyPollInterval": "pollInterval" in created,
        },
    )


def is_duration(value: JsonValue) -> bool:
    """Tell whether `value` is a positive number of whole milliseconds."""
    return is_integer(value) and value > 0


def decide_kept(checks: Checks, task: Task, found: JsonObject | Shown, *, there: bool, age: float) -> None:
    """Decide whether the task went before its time. MAY be discarded after ttlMs from creation: SEP-2663, tasks.

    :param age: seconds from before its creation to after the last question.
    """
    last = next((each for each in reversed(task.seen) if task.is_told_by(each)), task.created)
    ttl = last.get("ttlMs")
    if not there and is_integer(ttl) and ttl < age * 1000:
        checks.skip(KEPT_FOR_TTL, f"its ttlMs of {shown(ttl)} was over when it was asked about")
    else:
        checks.decide(KEPT_FOR_TTL, there, expected=f"the task, whose ttlMs is {shown(ttl)}", got=found)


def decide_shapes(checks: Checks, task: Task) -> None:
    """Look at the task as it was created, and as it was each time it was asked about."""
    faults: dict[str, JsonValue] = {}
    for faulty, seen in [
        (task_faults(task.created), task.created),
        *((state_faults(each), each) for each in task.seen),
    ]:
        faults |= dict.fromkeys(faulty, seen)
    checks.decide(
        COMPLETE_SHAPE,
        not faults,
        expected="taskId, status, createdAt, lastUpdatedAt, ttlMs, and result, error or inputRequests by status",
        got=faults,
    )


async def without_related_task(client: Peer, checks: Checks) -> None:
    """Look into the _meta of the result inside a task."""
    task: Task | None = None
    with failing(checks, NO_RELATED_TASK, expected="a task"):
        task = await call(client, SLOW_COMPUTE.name, {"seconds": 1, "label": "wire-fields-meta"})
        if not task.exists:
            checks.untestable(NO_RELATED_TASK, NO_TASK)
            return
        end = await task.until_end()
        meta = as_object(end.get("result")).get("_meta")
        related = truthy(as_object(meta).get(RELATED_TASK))
        checks.decide(
            NO_RELATED_TASK,
            not related,
            expected=f"a result without {RELATED_TASK} in _meta",
            got=meta,
            details={"hasMeta": truthy(meta), "hasRelatedTask": related},
        )


@server_scenario(
    name="tasks-request-state-removal",
    extension=TASKS_EXTENSION,
    pending=True,
    purpose="requestState belongs to requests that ask for input, not to tasks.",
    decides=(CREATED_STATELESS, SHOWN_STATELESS, STATE_BOOTSTRAP, STATE_SETUP),
    charged=STATE_BOOTSTRAP,
    needs=Needs(tools=(SLOW_COMPUTE,), methods=("tasks/get, tasks/cancel",)),
)
async def request_state_removal(peer: Peer, checks: Checks) -> None:
    client = await connected(peer, checks, STATE_BOOTSTRAP, EXTENSION)
    if client is None:
        return
    with failing(checks, STATE_SETUP, expected="a task"):
        task = await call(client, SLOW_COMPUTE.name, {"seconds": 60, "label": "request-state-removal"})
        if not task.exists:
            checks.fail(STATE_SETUP, expected="a task", got=task.created)
            return
        await without_state(task, checks)


async def without_state(task: Task, checks: Checks) -> None:
    """Look for the state on the task, as it was created and as it is now."""
    expected = "a task without requestState"
    checks.decide(CREATED_STATELESS, "requestState" not in task.created, expected=expected, got=task.created)
    with failing(checks, SHOWN_STATELESS, expected=expected):
        current = await task.get()
        checks.decide(
            SHOWN_STATELESS,
            "requestState" not in current,
            expected=expected,
            got=current,
            details={"observedStatus": current.get("status")},
        )
    await task.dismiss()
