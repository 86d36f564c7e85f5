"""What of a request stands in its HTTP headers, too: method, name, and the arguments that a tool's schema marks."""

import contextlib
from typing import Any

import mcp_types as types
from connection import Run, Task, connected
from mcp import MCPError

EXAMPLES: dict[str, Any] = {
    "string": "us-west1",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "object": {},
    "array": [],
}


async def use_everything(run: Run) -> None:
    """List and use tools, resources and prompts."""
    async with connected(run) as client:
        for tool in (await client.list_tools()).tools:
            await client.call_tool(tool.name, {})
        for resource in (await client.list_resources()).resources:
            await client.read_resource(resource.uri)
        for prompt in (await client.list_prompts()).prompts:
            await client.get_prompt(prompt.name)


async def make_the_calls(run: Run) -> None:
    """List the tools, then make the calls that the context prescribes."""
    async with connected(run) as client:
        await client.list_tools()
        for call in run.context["toolCalls"]:
            await client.call_tool(call["name"], call["arguments"])


def example_arguments(tool: types.Tool) -> dict[str, Any]:
    """Return arguments for all properties of the tool's schema."""
    return {name: EXAMPLES.get(field["type"]) for name, field in tool.input_schema["properties"].items()}


async def call_what_is_left(run: Run) -> None:
    """Call each tool that the SDK still offers."""
    async with connected(run) as client:
        for tool in (await client.list_tools()).tools:
            with contextlib.suppress(MCPError):
                await client.call_tool(tool.name, example_arguments(tool))


TASKS: dict[str, Task] = {
    "http-standard-headers": use_everything,
    "http-custom-headers": make_the_calls,
    "http-invalid-tool-headers": call_what_is_left,
}
