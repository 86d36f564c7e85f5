"""What can change while the server runs, and who wants to hear of it.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list


@dataclass(frozen=True, kw_only=True)
class Change:
    """Something that changed: the notification that says so, and the filter member by which it is asked for.

    :ivar of: the resource or task that changed, where it is not a whole list.
    """

    method: str
    asked_by: str
    of: str | None = None
    params: JsonObject = field(default_factory=dict)


TOOLS_CHANGED = Change(method="notifications/tools/list_changed", asked_by="toolsListChanged")
PROMPTS_CHANGED = Change(method="notifications/prompts/list_changed", asked_by="promptsListChanged")
RESOURCES_CHANGED = Change(method="notifications/resources/list_changed", asked_by="resourcesListChanged")
LIST_CHANGES = (TOOLS_CHANGED, PROMPTS_CHANGED, RESOURCES_CHANGED)
RESOURCES = "resourceSubscriptions"
TASK_IDS = "taskIds"


def resource_updated(uri: str) -> Change:
    """Return the change of the resource at `uri`."""
    return Change(method="notifications/resources/updated", asked_by=RESOURCES, of=uri, params={"uri": uri})


def task_changed(details: JsonObject) -> Change:
    """Return the change of a task, with everything there is to say about it."""
    id_ = details["taskId"]
    return Change(method="notifications/tasks", asked_by=TASK_IDS, of=str(id_), params=details)


def understood(asked: JsonObject, *, is_task: Callable[[str], bool]) -> JsonObject:
    """Return the part of a notification filter that this server honours.

    MUST leave out what is not supported: 2026-07-28, basic/patterns/subscriptions#acknowledgment
    """
    honoured: JsonObject = {change.asked_by: True for change in LIST_CHANGES if asked.get(change.asked_by) is True}
    uris: list[JsonValue] = [uri for uri in as_list(asked.get(RESOURCES)) if isinstance(uri, str)]
    if uris:
        honoured[RESOURCES] = uris
    ids: list[JsonValue] = [id_ for id_ in as_list(asked.get(TASK_IDS)) if isinstance(id_, str) and is_task(id_)]
    if ids:
        honoured[TASK_IDS] = ids
    return honoured


def wants(honoured: JsonObject, change: Change) -> bool:
    """Tell whether a filter asks for `change`.

    MUST NOT send what was not asked for: 2026-07-28, basic/patterns/subscriptions#opening-a-stream
    """
    if change.of is None:
        return honoured.get(change.asked_by) is True
    asked = as_list(honoured.get(change.asked_by))
    if change.asked_by != RESOURCES:
        return change.of in asked
    return any(isinstance(uri, str) and covers(uri, change.of) for uri in asked)


def covers(subscribed: str, changed: str) -> bool:
    """Tell whether `changed` is the subscribed resource or one below it."""
    return changed == subscribed or changed.startswith(subscribed.removesuffix("/") + "/")
