"""The methods that both wires have: listing, calling, reading, getting, completing."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.reference.server import content, resources, skills
from pytest_mcp_conformance.reference.server.calls import Call, Handler, ToolFailure
from pytest_mcp_conformance.reference.server.completions import complete
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.pagination import page
from pytest_mcp_conformance.reference.server.prompts import PROMPTS, prompt_named
from pytest_mcp_conformance.reference.server.tools import tools_at
from pytest_mcp_conformance.serving.incoming import optional_object, text
from pytest_mcp_conformance.serving.refusals import RESOURCE_NOT_FOUND, Refusal, invalid_params


async def list_tools(call: Call) -> JsonObject:
    """Answer tools/list."""
    entries = [tool.definition(call.revision, call.world.counters) for tool in tools_at(call.revision).values()]
    if Fault.TOOLS_IN_ANY_ORDER in call.world.faults:
        call.world.counters["listings"] += 1
        turn = call.world.counters["listings"] % len(entries)
        entries = entries[turn:] + entries[:turn]
    return page("tools", entries, call.params, size=call.world.page_size)


async def call_tool(call: Call) -> JsonObject:
    """Answer tools/call.

    SHOULD report a failing tool in its result, an unknown one as a protocol error: 2025-11-25,
    server/tools#error-handling
    """
    name = text(call.params, "name")
    tool = tools_at(call.revision).get(name)
    if tool is None:
        raise invalid_params(f"Unknown tool: {name}")
    arguments = optional_object(call.params, "arguments")
    call.check_mirrored_arguments(tool.schema, arguments)
    problem = tool.why_unusable(arguments)
    if problem is not None and call.revision < Revision.V2025_11_25:
        raise invalid_params(f"Invalid arguments: {problem}")
    if problem is not None:
        # SHOULD be a tool error, for the model to correct: 2025-11-25, server/tools#error-handling
        return content.tool_error(f"Invalid arguments: {problem}")
    try:
        return await tool.run(call, arguments)
    except ToolFailure as failure:
        return content.tool_error(str(failure))


async def list_resources(call: Call) -> JsonObject:
    """Answer resources/list."""
    entries = [resource.definition(call.revision) for resource in resources.RESOURCES]
    if call.revision >= skills.SINCE:
        entries += [skill.listed() for skill in skills.SKILLS]
    return page("resources", entries, call.params, size=call.world.page_size)


async def list_templates(call: Call) -> JsonObject:
    """Answer resources/templates/list."""
    entries = [resources.template_definition(call.revision)]
    return page("resourceTemplates", entries, call.params, size=call.world.page_size)


async def read_resource(call: Call) -> JsonObject:
    """Answer resources/read.

    MUST refuse an unknown resource, MUST NOT return empty contents for it: 2026-07-28, server/resources#error-handling
    """
    uri = text(call.params, "uri")
    contents = resources.read(uri, call.world.counters)
    if contents is None and call.revision >= skills.SINCE:
        contents = skills.read_file(uri)
    if contents is None and Fault.MISSING_RESOURCE_EMPTY in call.world.faults:
        return {"contents": []}
    if contents is None:
        old = not call.revision.stateless or Fault.MISSING_RESOURCE_OLD_CODE in call.world.faults
        code = RESOURCE_NOT_FOUND if old else json_rpc.INVALID_PARAMS
        raise Refusal(code, "Resource not found", {"uri": uri})
    return {"contents": [contents]}


async def list_prompts(call: Call) -> JsonObject:
    """Answer prompts/list."""
    entries = [prompt.definition(call.revision, call.world.counters) for prompt in PROMPTS]
    return page("prompts", entries, call.params, size=call.world.page_size)


async def get_prompt(call: Call) -> JsonObject:
    """Answer prompts/get."""
    return await prompt_named(text(call.params, "name")).get(call)


FEATURES: Mapping[str, Handler] = {
    "tools/list": list_tools,
    "tools/call": call_tool,
    "resources/list": list_resources,
    "resources/templates/list": list_templates,
    "resources/read": read_resource,
    "prompts/list": list_prompts,
    "prompts/get": get_prompt,
    "completion/complete": complete,
}
