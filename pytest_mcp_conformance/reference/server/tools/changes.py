"""Tools that change what the server has, so that clients hear of it.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/server/tools#list-changed-notification
"""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.reference.server import content
from pytest_mcp_conformance.reference.server.calls import Call
from pytest_mcp_conformance.reference.server.changes import PROMPTS_CHANGED, TOOLS_CHANGED, resource_updated
from pytest_mcp_conformance.reference.server.resources import WATCHED
from pytest_mcp_conformance.reference.server.tools.tool import arguments_of, tool


@tool("test_trigger_tool_change", "Changes this description, which has changed {tool_changes} time(s).")
async def tool_change(call: Call, _arguments: JsonObject) -> JsonObject:
    """Change the list of tools."""
    call.world.counters["tool_changes"] += 1
    call.world.publish(TOOLS_CHANGED)
    return content.tool_result(content.text("Mutation triggered"))


@tool("test_trigger_prompt_change", "Changes the description of a prompt.")
async def prompt_change(call: Call, _arguments: JsonObject) -> JsonObject:
    """Change the list of prompts."""
    call.world.counters["prompt_changes"] += 1
    call.world.publish(PROMPTS_CHANGED)
    return content.tool_result(content.text("Mutation triggered"))


@tool("test_touch_resource", "Changes the content of a resource.", arguments_of(uri={"type": "string"}))
async def touch(call: Call, arguments: JsonObject) -> JsonObject:
    """Change a resource, the watched one unless another is named."""
    uri = str(arguments.get("uri", WATCHED))
    call.world.counters["resource_changes"] += 1
    call.world.publish(resource_updated(uri))
    return content.tool_result(content.text(f"Touched {uri}"))


TOOLS = (tool_change, prompt_change, touch)
