"""Whatever a server answers, it is the server's fault."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.json_values import JsonValue
from pytest_mcp_conformance.model import Leg, Revision
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.scenarios.server import sse_polling, sse_streams
from tests.scenarios.server.miniature import Reply, Streamed, events
from tests.scenarios.server.odd_replies import Odd, statuses_of

FAMILIES = frozenset(
    {
        "caching",
        "completion",
        "dns_rebinding",
        "elicitation",
        "json_schema",
        "lifecycle",
        "logging",
        "ping",
        "progress",
        "prompts",
        "resources",
        "sampling",
        "sse_polling",
        "sse_streams",
        "tools",
        "tools_calls",
        "unknown_resources",
    }
)
FAMILY_MODULES = frozenset(f"pytest_mcp_conformance.scenarios.server.{family}" for family in FAMILIES)
METHODS = (
    "completion/complete",
    "logging/setLevel",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "server/discover",
    "tools/call",
    "tools/list",
)
MEMBERS = (
    "cacheScope",
    "completion",
    "content",
    "contents",
    "inputSchema",
    "isError",
    "messages",
    "prompts",
    "resources",
    "tools",
    "ttlMs",
)
VALUES: tuple[JsonValue, ...] = (None, True, 0, -1.5, "", "text", [], [None], [[]], ["text"], [{}], {}, {"0": {}})
TYPED: JsonValue = [{"type": kind, kind: None} for kind in ("text", "image", "audio", "resource")]


def odd_results() -> list[Reply]:
    """Return results of every shape: values alone, and objects whose every member is such a value."""
    alone: list[Reply] = [*VALUES]
    inside: list[Reply] = [dict.fromkeys(MEMBERS, value) for value in VALUES]
    streamed: list[Reply] = [
        Streamed(before=VALUES, result={}),
        events("id: 1", "retry: 1", "data: null", "", "data: [1]", "", 'data: {"id": 1, "result": [null]}', ""),
    ]
    return [*alone, *inside, dict.fromkeys(MEMBERS, TYPED), *streamed]


@pytest.mark.parametrize(
    "name", [name for name, scenario in scenarios(Leg.SERVER).items() if scenario.module in FAMILY_MODULES]
)
async def test_no_answer_of_a_server_is_a_fault_of_ours(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse_polling, "GET_STREAM_SECONDS", 0.05)
    monkeypatch.setattr(sse_streams, "FIRST_EVENT_SECONDS", 0.05)
    revision = max(revision for revision in Revision if scenarios(Leg.SERVER)[name].applies_at(revision))
    for result in odd_results():
        odd = Odd(
            fact=repr(result),
            scenario=name,
            revision=revision,
            replies=dict.fromkeys(METHODS, result),
            statuses={},
        )
        assert await statuses_of(odd), odd
