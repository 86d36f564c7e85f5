"""The methods that only the stateless wire has, and all that it has together."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.model import SKILLS_EXTENSION, TASKS_EXTENSION
from pytest_mcp_conformance.reference.server import tasks
from pytest_mcp_conformance.reference.server.calls import Call, Handler
from pytest_mcp_conformance.reference.server.changes import TASK_IDS, understood
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.features import FEATURES
from pytest_mcp_conformance.reference.server.listeners import Listener
from pytest_mcp_conformance.reference.server.revisions import SUPPORTED
from pytest_mcp_conformance.reference.server.skills import SKILL_METHODS
from pytest_mcp_conformance.reference.server.task_methods import TASK_METHODS
from pytest_mcp_conformance.reference.server.world import INSTRUCTIONS
from pytest_mcp_conformance.serving.refusals import (
    invalid_params,
)

CAPABILITIES: JsonObject = {
    "tools": {"listChanged": True},
    "prompts": {"listChanged": True},
    "resources": {"subscribe": True, "listChanged": True},
    "completions": {},
    "logging": {},
    "extensions": {TASKS_EXTENSION: {}, SKILLS_EXTENSION: {"directoryRead": True}},
}

# 2026-07-28, changelog#major-changes
REMOVED = frozenset({"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"})


async def discover(_call: Call) -> JsonObject:
    """Answer server/discover. MUST be implemented: 2026-07-28, server/discover."""
    versions: list[JsonValue] = [*SUPPORTED]
    return {"supportedVersions": versions, "capabilities": CAPABILITIES, "instructions": INSTRUCTIONS}


async def listen(call: Call) -> JsonObject:
    """Answer subscriptions/listen: send changes until one side has had enough."""
    asked = call.params.get("notifications")
    if not isinstance(asked, dict):
        raise invalid_params("notifications is an object")
    # MUST refuse clients that want to hear of tasks and cannot have any: SEP-2663, task status notifications
    if TASK_IDS in asked and Fault.TASKS_TOLD_UNGATED not in call.world.faults:
        call.require(tasks.NEEDED)
    honoured = understood(asked, is_task=lambda id_: call.world.tasks.find(id_) is not None)
    listener = Listener(call.exchange, call.request.id, honoured, call.world.faults)
    listener.acknowledge()
    call.world.listeners.add(listener)
    try:
        await listener.stopped()
    finally:
        call.world.listeners.discard(listener)
    # SHOULD be answered when the server ends it: 2026-07-28, basic/patterns/subscriptions#graceful-closure
    return {"_meta": listener.meta}


METHODS: Mapping[str, Handler] = {
    "server/discover": discover,
    "subscriptions/listen": listen,
    **FEATURES,
    **TASK_METHODS,
    **SKILL_METHODS,
}
