"""Everything that one running reference server knows: nothing of it is global."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.reference.server.changes import PROMPTS_CHANGED, TOOLS_CHANGED, Change, task_changed
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.listeners import Listener
from pytest_mcp_conformance.reference.server.sealing import Sealer
from pytest_mcp_conformance.reference.server.sessions import Sessions
from pytest_mcp_conformance.reference.server.tasks import Task, Tasks

SERVER_NAME = "mcp-reference-server"
INSTRUCTIONS = "A server for testing: its tools are named after what they show."

KEPT = {TOOLS_CHANGED.method: Fault.TOOL_CHANGES_KEPT, PROMPTS_CHANGED.method: Fault.PROMPT_CHANGES_KEPT}


class World:
    """The state of one server.

    :param page_size: entries of one page of a list.
    :param clock: seconds since some fixed moment, for whatever expires.
    """

    def __init__(self, faults: frozenset[Fault], *, page_size: int, clock: Callable[[], float]) -> None:
        self.faults = faults
        self.page_size = page_size
        self.sessions = Sessions(faults)
        self.listeners: set[Listener] = set()
        self.sealer = Sealer(clock, faults)
        self.tasks = Tasks(clock=clock, changed=self._task_changed, faults=faults)
        self.counters: Counter[str] = Counter(tool_changes=0, prompt_changes=0, resource_changes=0)

    def publish(self, change: Change) -> None:
        """Tell everybody who wants to hear it that something changed."""
        if KEPT.get(change.method) in self.faults:
            return
        for listener in list(self.listeners):
            listener.tell(change)
        for session in self.sessions:
            session.tell(change)

    def _task_changed(self, task: Task) -> None:
        told = task.details()
        if Fault.TASK_TOLD_WITHOUT_RESULT in self.faults:
            told.pop("result", None)
        self.publish(task_changed(told))

    def close(self) -> None:
        """End every session and every open stream."""
        for listener in list(self.listeners):
            listener.stop()
        self.tasks.close()
        self.sessions.close()


def identity(version: str) -> JsonObject:
    """Return who this server is."""
    return {"name": SERVER_NAME, "title": "MCP reference server", "version": version}
