"""A call from inside a task: it asks through the task, and has no stream to speak on."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import TASKS_EXTENSION
from pytest_mcp_conformance.reference.server import content
from pytest_mcp_conformance.reference.server.calls import Call, ToolFailure, Work
from pytest_mcp_conformance.reference.server.input_requests import InputRequest, declares, needed_capability
from pytest_mcp_conformance.reference.server.tasks import Task
from pytest_mcp_conformance.serving.refusals import Refusal, missing_capability


class TaskCall(Call):
    """The request that created a task, as the task's work sees it."""

    def __init__(self, call: Call, task: Task) -> None:
        super().__init__(
            call.world, call.request, call.exchange, revision=call.revision, capabilities=call.capabilities
        )
        self._task = task

    async def ask(self, requests: Mapping[str, InputRequest], *, sealed: bool = False) -> Mapping[str, JsonObject]:
        """Ask through the task; the answers come with tasks/update."""
        del sealed
        for request in requests.values():
            self.require(needed_capability(request))
        return await self._task.ask(requests)

    def require(self, needed: JsonObject) -> None:
        """Go on only if the request that created the task declared `needed`."""
        if not declares(self.capabilities, needed):
            raise missing_capability(needed)

    async def in_background(self, work: Work) -> JsonObject:
        """Run `work`: this is the background."""
        return await work(self)

    def send(self, method: str, params: JsonObject) -> None:
        """Send nothing. MUST NOT send progress and log messages for tasks: SEP-2663, task status notifications."""

    def log_threshold(self) -> str | None:
        """Return none: there is no stream for log messages."""
        return None

    def check_mirrored_arguments(self, schema: JsonObject, arguments: JsonObject) -> None:
        """Do nothing: that was done before the task was created."""

    def close_connection(self) -> None:
        """Do nothing: there is no connection."""

    def finish(self, result: JsonObject) -> JsonObject:
        """Return `result` with its type.

        MUST have the structure of the request's own result: SEP-2663, task status
        """
        return {"resultType": "complete"} | result

    def status_of(self, refusal: Refusal) -> int:
        """Return 200: an error inside a task travels in the task."""
        return refusal.status or 200


def begin(call: Call, work: Work) -> JsonObject:
    """Make a task of `work` and return the result that says so.

    MUST be told by the result type: SEP-2663, polymorphic results
    """
    task = call.world.tasks.create()
    inside = TaskCall(call, task)

    async def run() -> JsonObject:
        try:
            return inside.finish(await work(inside))
        except ToolFailure as failure:
            return inside.finish(content.tool_error(str(failure)))

    created = task.summary()
    task.start(run)
    return {"resultType": "task"} | created


def declared(capabilities: JsonObject) -> bool:
    """Tell whether a client can take a task for an answer."""
    return declares(capabilities, {"extensions": {TASKS_EXTENSION: {}}})
