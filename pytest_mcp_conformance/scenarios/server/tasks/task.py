"""A tool call that may become a task, and what a client does with the task.

Specification: https://modelcontextprotocol.io/seps/2663-tasks-extension
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown, same, shown, truthy
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.peer.api import Headers

# The published suite asks as often and waits as long. Where the limit is over, the check fails.
POLL_SECONDS = 0.2
END_SECONDS = 10.0
ASKING_SECONDS = 5.0

TASK = "task"
COMPLETE = "complete"
INPUT_REQUIRED = "input_required"
COMPLETED, FAILED, CANCELLED = "completed", "failed", "cancelled"
ENDED = (COMPLETED, FAILED, CANCELLED)

# What the acknowledgement of tasks/update and tasks/cancel must not tell: the task, its state, or what came out.
NOT_ACKNOWLEDGED = frozenset({"taskId", "status", "result", "error", "inputRequests"})


@dataclass
class Task:
    """What a tool call was answered with, which is a task if it `exists`.

    :ivar created: the result of the call.
    :ivar seen: every answer of tasks/get, in order.
    """

    peer: Peer
    created: JsonObject
    seen: list[JsonObject] = field(default_factory=list)

    @property
    def id(self) -> JsonValue:
        """The id, whatever the server takes for one."""
        return self.created.get("taskId")

    @property
    def exists(self) -> bool:
        """Whether there is a task that can be asked about."""
        return truthy(self.id)

    def is_told_by(self, state: JsonObject) -> bool:
        """Tell whether an answer of tasks/get is of this task. Containers are no ids, also where they are equal."""
        return not isinstance(self.id, dict | list) and same(state.get("taskId"), self.id)

    async def get(self, *, headers: Headers | None = None) -> JsonObject:
        """Ask for the task as it stands.

        :raises Nonconforming: no result came.
        """
        self.seen.append(await self.peer.request("tasks/get", {"taskId": self.id}, headers=headers, from_peer=True))
        return self.seen[-1]

    async def until_end(self) -> JsonObject:
        """Ask again and again, and return the task as it is when it has ended.

        :raises Nonconforming: no result came, or no end in time.
        """
        return await self._until(ENDED, within=END_SECONDS)

    async def until_asking(self) -> JsonObject:
        """Ask again and again, and return the task as it is when it asks for input, or has ended.

        :raises Nonconforming: no result came, or neither was so in time.
        """
        return await self._until((INPUT_REQUIRED, *ENDED), within=ASKING_SECONDS)

    async def _until(self, wanted: tuple[str, ...], *, within: float) -> JsonObject:
        started = time.monotonic()
        while time.monotonic() - started < within:
            task = await self.get()
            if task.get("status") in wanted:
                return task
            await asyncio.sleep(POLL_SECONDS)
        last = self.seen[-1].get("status") if self.seen else None
        expected = f"status {' or '.join(wanted)} within {within:g} s"
        raise Nonconforming("the task goes on", expected, Shown(f"status {shown(last)}"))

    async def update(self, responses: Mapping[str, JsonValue]) -> JsonObject:
        """Answer what the task asks, and return the acknowledgement.

        :raises Nonconforming: no result came.
        """
        return await self.peer.request(
            "tasks/update", {"taskId": self.id, "inputResponses": dict(responses)}, from_peer=True
        )

    async def cancel(self) -> JsonObject:
        """Ask to cancel the task, and return the acknowledgement.

        :raises Nonconforming: no result came.
        """
        return await self.peer.request("tasks/cancel", {"taskId": self.id}, from_peer=True)

    async def dismiss(self) -> None:
        """Let the server stop work that nobody waits for; whether it does decides nothing."""
        if self.exists:
            with suppress(Nonconforming):
                await self.cancel()


async def call(
    peer: Peer,
    tool: str,
    arguments: JsonObject | None = None,
    *,
    params: JsonObject | None = None,
    headers: Headers | None = None,
) -> Task:
    """Call `tool`; `params` are members beside name and arguments.

    :raises Nonconforming: no result came.
    """
    given: JsonObject = {"name": tool, "arguments": arguments or {}, **(params or {})}
    return Task(peer, await peer.request("tools/call", given, headers=headers, from_peer=params is not None))


async def start(peer: Peer, tool: str, arguments: JsonObject | None = None) -> Task:
    """Call `tool`, which has to become a task.

    :raises Nonconforming: it does not.
    """
    task = await call(peer, tool, arguments)
    if not task.exists:
        raise Nonconforming("the call returned no task", f"{tool} as a task", shown(task.created))
    return task


def acknowledges(result: JsonObject) -> bool:
    """Tell whether `result` acknowledges an update or a cancellation.

    MUST be empty, MUST have the type complete: SEP-2663, task update requests and task cancellation
    """
    return result.get("resultType") == COMPLETE and not NOT_ACKNOWLEDGED & result.keys()
