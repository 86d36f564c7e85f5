"""The methods of the tasks extension.

Specification: https://modelcontextprotocol.io/seps/2663-tasks-extension
"""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.reference.server.calls import Call, Handler
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.tasks import NEEDED, Task
from pytest_mcp_conformance.serving.incoming import text
from pytest_mcp_conformance.serving.refusals import invalid_params


def _task(call: Call) -> Task:
    # MUST refuse clients that do not declare the extension: SEP-2663, error handling
    if Fault.TASKS_UNGATED not in call.world.faults:
        call.require(NEEDED)
    return call.world.tasks.get(text(call.params, "taskId"))


async def get_task(call: Call) -> JsonObject:
    """Answer tasks/get."""
    return _task(call).details()


async def update_task(call: Call) -> JsonObject:
    """Answer tasks/update. MUST be an empty acknowledgement: SEP-2663, task update requests."""
    task = _task(call)
    responses = call.params.get("inputResponses")
    if not isinstance(responses, dict):
        raise invalid_params("inputResponses is an object")
    task.answer(responses)
    return {}


async def cancel_task(call: Call) -> JsonObject:
    """Answer tasks/cancel. MUST be an empty acknowledgement: SEP-2663, task cancellation."""
    task = _task(call)
    if task.status.terminal and Fault.CANCEL_OF_FINISHED_REFUSED in call.world.faults:
        raise invalid_params("The task is over")
    shown = not task.status.terminal and Fault.CANCEL_SHOWS_TASK in call.world.faults
    task.cancel()
    return task.summary() if shown else {}


TASK_METHODS: Mapping[str, Handler] = {
    "tasks/get": get_task,
    "tasks/update": update_task,
    "tasks/cancel": cancel_task,
}
