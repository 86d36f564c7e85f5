"""The tools of a server by name: each one an async function with a description and the JSON schema of its arguments."""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import mcp_types as types
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from mcp.server.context import ServerRequestContext

Context = ServerRequestContext[Any, Any]
JsonSchema = dict[str, Any]
Params = types.CallToolRequestParams
ToolResult = types.CallToolResult | types.InputRequiredResult
ToolFunction = Callable[[Context, Params], Awaitable[ToolResult]]

NO_ARGUMENTS: JsonSchema = {"type": "object", "properties": {}}


@dataclass(frozen=True, kw_only=True)
class ListedTool:
    """What tools/list tells about a tool, and the function that tools/call runs."""

    listing: types.Tool
    run: ToolFunction

    async def call(self, context: Context, params: Params) -> ToolResult:
        """Run the tool, or report arguments that its schema does not allow."""
        # MUST validate all tool inputs, and report what is wrong as a tool result that the model can read:
        # 2025-11-25, server/tools#security-considerations and #error-handling
        fault = best_match(Draft202012Validator(self.listing.input_schema).iter_errors(params.arguments or {}))
        if fault is not None:
            return failure(f"Invalid arguments for {params.name}: {fault.message}")
        return await self.run(context, params)


@dataclass(frozen=True, kw_only=True)
class Toolbox:
    """Tools in the order of their definition, which is the order of tools/list."""

    by_name: dict[str, ListedTool] = field(default_factory=dict)

    def tool(self, name: str, *, arguments: JsonSchema = NO_ARGUMENTS) -> Callable[[ToolFunction], ToolFunction]:
        """Add the decorated function as the tool `name`; its docstring is what clients read about it."""

        def add(function: ToolFunction) -> ToolFunction:
            # A plain dict: the schema reaches the client as it is written, every keyword of it.
            listing = types.Tool(name=name, description=inspect.getdoc(function), input_schema=arguments)
            self.by_name[name] = ListedTool(listing=listing, run=function)
            return function

        return add


def text(words: str) -> types.CallToolResult:
    """Return the result of a tool that answers with one text."""
    return types.CallToolResult(content=[types.TextContent(text=words)])


def failure(words: str) -> types.CallToolResult:
    """Return the result of a tool that failed: a result, not a JSON-RPC error."""
    return types.CallToolResult(content=[types.TextContent(text=words)], is_error=True)


def declared_by_client(context: Context) -> set[str]:
    """Name the capabilities that the client declared, at the handshake or in this request's `_meta`."""
    capabilities = context.session.client_capabilities
    return set(capabilities.model_dump(exclude_none=True)) if capabilities else set()
