"""Tasks: calls that go on after they were answered, and are asked about later.

Specification: https://modelcontextprotocol.io/seps/2663-tasks-extension
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum

from pytest_mcp_conformance.json_values import JsonObject, as_object
from pytest_mcp_conformance.model import TASKS_EXTENSION
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.input_requests import InputRequest, elicit, why_unusable
from pytest_mcp_conformance.serving.refusals import Refusal, invalid_params

NEEDED: JsonObject = {"extensions": {TASKS_EXTENSION: {}}}
TTL_MS = 600_000  # from creation; long enough to come back from a meal
POLL_INTERVAL_MS = 200
TASKS_KEPT = 256  # the oldest make room


class TaskStatus(StrEnum):
    """Where a task stands."""

    WORKING = "working"
    INPUT_REQUIRED = "input_required"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def terminal(self) -> bool:
        """Whether nothing can happen any more."""
        return self in (TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.CANCELLED)


class Task:
    """One task. Every change of it is told to `changed`."""

    def __init__(
        self, *, clock: Callable[[], float], changed: Callable[[Task], None], faults: frozenset[Fault]
    ) -> None:
        self.id = secrets.token_urlsafe(18)
        self.status = TaskStatus.WORKING
        self.created = self._updated = clock()
        self._clock = clock
        self._changed = changed
        self._faults = faults
        self._outcome: JsonObject = {}
        self._asked: dict[str, InputRequest] = {}
        self._answers: dict[str, JsonObject] = {}
        self._answered = asyncio.Event()
        self._work: asyncio.Task[None] | None = None

    def start(self, work: Callable[[], Awaitable[JsonObject]]) -> None:
        """Begin `work`; its result becomes the result of the task."""
        self._work = asyncio.create_task(self._run(work))
        self._work.add_done_callback(lambda ended: self._move(TaskStatus.CANCELLED) if ended.cancelled() else None)

    async def _run(self, work: Callable[[], Awaitable[JsonObject]]) -> None:
        try:
            result = await work()
        except Refusal as refusal:
            # MUST be failed with the error for a JSON-RPC error, and for nothing else: SEP-2663, task status
            self._move(TaskStatus.FAILED, error=_error(refusal))
        except Exception:  # noqa: BLE001 -- the client hears of it, in words that give nothing away
            self._move(TaskStatus.FAILED, error=_error(Refusal(json_rpc.INTERNAL_ERROR, "Internal error")))
        else:
            failed = result.get("isError") is True and Fault.TASK_FAILS_WITH_TOOL in self._faults
            if failed:
                self._move(TaskStatus.FAILED, error=_error(Refusal(json_rpc.INTERNAL_ERROR, "The tool failed")))
            else:
                self._move(TaskStatus.COMPLETED, result=result)

    def _move(self, status: TaskStatus, **outcome: JsonObject) -> None:
        self.status, self._updated = status, self._clock()
        self._outcome = dict(outcome)
        self._changed(self)

    async def ask(self, requests: Mapping[str, InputRequest]) -> Mapping[str, JsonObject]:
        """Wait until the client has answered all `requests`, one by one or together.

        MUST NOT use a key twice: SEP-2663, task update requests
        """
        self._asked = dict(requests)
        self._move(TaskStatus.INPUT_REQUIRED)
        while requests.keys() - self._answers.keys():
            self._answered.clear()
            await self._answered.wait()
        self._asked = {}
        self._move(TaskStatus.WORKING)
        return {key: self._answers[key] for key in requests}

    def answer(self, responses: JsonObject) -> None:
        """Take the client's answers. SHOULD ignore keys that are not outstanding: SEP-2663, task update requests.

        :raises Refusal: an answer is malformed; none of them is taken then.
        """
        taken = {key: as_object(response) for key, response in responses.items() if key in self._outstanding()}
        for key in taken:
            problem = why_unusable(self._asked[key], responses[key])
            if problem is not None:
                raise invalid_params(f"inputResponses.{key}: {problem}")
        self._answers |= taken
        self._answered.set()

    def _outstanding(self) -> dict[str, InputRequest]:
        return {key: request for key, request in self._asked.items() if key not in self._answers}

    def cancel(self) -> None:
        """Stop the work; a finished task stays as it is."""
        if self._work is not None:
            self._work.cancel()

    def summary(self) -> JsonObject:
        """Return what is told when the task is created."""
        return {
            "taskId": self.id,
            "status": self.status,
            "createdAt": _timestamp(self.created),
            "lastUpdatedAt": _timestamp(self._updated),
            "ttlMs": TTL_MS,
            "pollIntervalMs": POLL_INTERVAL_MS,
        }

    def details(self) -> JsonObject:
        """Return everything about the task as it stands: what is asked, what came out.

        MUST hold all outstanding requests, the result or the error, by status: SEP-2663, task polling
        """
        asked = self._asked if Fault.ANSWERED_STAYS_ASKED in self._faults else self._outstanding()
        inputs: JsonObject = {key: request.as_json() for key, request in asked.items()}
        if self._answers and Fault.ASKED_IN_OTHER_WORDS in self._faults:
            inputs = {key: elicit("And now?", {}).as_json() for key in inputs}
        waiting: JsonObject = {"inputRequests": inputs} if self.status is TaskStatus.INPUT_REQUIRED else {}
        return self.summary() | waiting | self._outcome


def _error(refusal: Refusal) -> JsonObject:
    return as_object(refusal.as_error(None)["error"])


def _timestamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Tasks:
    """The tasks of one server."""

    def __init__(
        self, *, clock: Callable[[], float], changed: Callable[[Task], None], faults: frozenset[Fault]
    ) -> None:
        self._clock = clock
        self._changed = changed
        self._faults = faults
        self._tasks: dict[str, Task] = {}

    def create(self) -> Task:
        """Return a new task, which can be found from now on.

        MUST be there before it is told of: SEP-2663, task creation
        """
        task = Task(clock=self._clock, changed=self._changed, faults=self._faults)
        self._tasks[task.id] = task
        while len(self._tasks) > TASKS_KEPT:
            self._forget(next(iter(self._tasks.values())))
        return task

    def find(self, id_: str) -> Task | None:
        """Return the task `id_`, or nothing if there is none, or no longer."""
        for task in list(self._tasks.values()):
            if self._clock() >= task.created + TTL_MS / 1000:
                self._forget(task)
        return self._tasks.get(id_)

    def get(self, id_: str) -> Task:
        """Return the task `id_`.

        :raises Refusal: there is none. MUST be -32602: SEP-2663, error handling.
        """
        task = self.find(id_)
        if task is None:
            raise invalid_params("Task not found")
        if task.status.terminal and Fault.TASK_FORGOTTEN_ONCE_READ in self._faults:
            self._forget(task)
        return task

    def _forget(self, task: Task) -> None:
        self._tasks.pop(task.id, None)
        task.cancel()

    def close(self) -> None:
        """Stop all work."""
        for task in list(self._tasks.values()):
            self._forget(task)
