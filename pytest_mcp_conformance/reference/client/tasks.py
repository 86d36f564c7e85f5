"""What the client does with a server once the conversation is open.

By default it uses everything that the server's capabilities offer. Some scenarios ask for something else, in words; here
they are, by name.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object
from pytest_mcp_conformance.reference.client.client import Client
from pytest_mcp_conformance.reference.client.failing import ClientFailure, RequestRefused
from pytest_mcp_conformance.reference.client.made_up import arguments_for
from pytest_mcp_conformance.reference.client.skills import list_skills, load_skill
from pytest_mcp_conformance.reference.client.told import Told

Task: TypeAlias = Callable[[Client, Told], Awaitable[None]]

DESCRIBED_TOOL, ECHO_TOOL = "json_schema_2020_12_tool", "json_schema_echo"


async def use_everything(client: Client, told: Told) -> None:
    """List what there is and use it; with `toolCalls` in the context, make these calls and no others."""
    if client.offers("tools"):
        await use_tools(client, told)
    if client.offers("resources"):
        await use_resources(client)
    if client.offers("prompts"):
        await use_prompts(client)


async def use_tools(client: Client, told: Told) -> None:
    """Call every tool that can be used, or what the context says."""
    tools = await client.tools()
    calls: list[tuple[JsonValue, JsonObject]] = [(tool.get("name"), _arguments(client, tool)) for tool in tools]
    if "toolCalls" in told.context:
        wanted = [as_object(each) for each in as_list(told.context["toolCalls"])]
        calls = [(each.get("name"), as_object(each.get("arguments"))) for each in wanted]
    for name, arguments in calls:
        if isinstance(name, str):
            await _tried(client, client.call(name, arguments))


async def use_resources(client: Client) -> None:
    """Read every resource."""
    for resource in await client.listed("resources/list", "resources"):
        uri = resource.get("uri")
        if isinstance(uri, str):
            await _tried(client, client.read(uri))
    # Templates are optional also where resources are declared.
    await _tried(client, client.listed("resources/templates/list", "resourceTemplates"))


async def use_prompts(client: Client) -> None:
    """Get every prompt."""
    for prompt in await client.listed("prompts/list", "prompts"):
        name, described = prompt.get("name"), [as_object(each) for each in as_list(prompt.get("arguments"))]
        needed: JsonObject = {str(each.get("name")): "text" for each in described if each.get("required") is True}
        if isinstance(name, str):
            await _tried(client, client.prompt(name, needed))


async def echo_schema(client: Client, _told: Told) -> None:
    """Send the schema of one tool, as this client has it, to another."""
    tools = {tool.get("name"): tool for tool in await client.tools()}
    if DESCRIBED_TOOL not in tools:
        raise ClientFailure(f"there is no tool {DESCRIBED_TOOL}")
    await client.call(ECHO_TOOL, {"schema": tools[DESCRIBED_TOOL].get("inputSchema")})


async def see_skills(client: Client, _told: Told) -> None:
    """List the skills and use none."""
    await list_skills(client)


async def use_skills(client: Client, _told: Told) -> None:
    """Load every skill."""
    for entry in await list_skills(client):
        await load_skill(client, entry)


TASKS: dict[str, Task] = {
    "json-schema-2020-12-preservation": echo_schema,
    "sep-2640-client-no-prefetch": see_skills,
    "sep-2640-client-verify-digest": use_skills,
    "sep-2640-client-verify-size": use_skills,
    "sep-2640-client-verify-frontmatter": use_skills,
}


def task_of(told: Told) -> Task:
    """Return what to do in a scenario."""
    return TASKS.get(told.scenario, use_everything)


def _arguments(client: Client, tool: JsonObject) -> JsonObject:
    schema = as_object(tool.get("inputSchema"))
    return arguments_for(schema, schema, client.faults)


async def _tried(client: Client, asked: Awaitable[object]) -> None:
    """Wait for one of many requests; that it is refused is no reason to stop, but worth a line."""
    try:
        await asked
    except RequestRefused as refused:
        client.note(str(refused))
