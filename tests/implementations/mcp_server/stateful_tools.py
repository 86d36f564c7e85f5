"""Tools of the revisions with sessions: while they run they ask the client, log to it, and let it reconnect."""

import json

import anyio
import mcp_types as types
from logging_level import log
from toolbox import Context, JsonSchema, Params, Toolbox, ToolResult, declared_by_client, failure, text
from tools import PAUSE

STATEFUL_TOOLS = Toolbox()


@STATEFUL_TOOLS.tool("test_tool_with_logging")
async def tool_with_logging(context: Context, _params: Params) -> ToolResult:
    """Log three messages while it runs."""
    for step in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await log(context, "info", step)
        await anyio.sleep(PAUSE)
    return text("Three messages were logged.")


@STATEFUL_TOOLS.tool(
    "test_sampling", arguments={"type": "object", "properties": {"prompt": {"type": "string"}}, "required": ["prompt"]}
)
async def sampling(context: Context, params: Params) -> ToolResult:
    """Have the client's model answer a prompt."""
    if "sampling" not in declared_by_client(context):
        return failure("This tool needs a client with the sampling capability.")
    prompt = types.TextContent(text=(params.arguments or {})["prompt"])
    answer = await context.session.create_message(
        [types.SamplingMessage(role="user", content=prompt)], max_tokens=100, related_request_id=context.request_id
    )
    words = answer.content.text if isinstance(answer.content, types.TextContent) else answer.content.type
    return text(f"LLM response: {words}")


async def elicit(context: Context, message: str, form: JsonSchema) -> ToolResult:
    """Ask the user, through the client, and tell in the result what came back."""
    if "elicitation" not in declared_by_client(context):
        return failure("This tool needs a client with the elicitation capability.")
    answer = await context.session.elicit_form(message, form, related_request_id=context.request_id)
    return text(f"Elicitation completed: action={answer.action}, content={json.dumps(answer.content)}")


@STATEFUL_TOOLS.tool(
    "test_elicitation",
    arguments={"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]},
)
async def elicitation(context: Context, params: Params) -> ToolResult:
    """Ask the user for a name and an address."""
    form = {
        "type": "object",
        "properties": {"username": {"type": "string"}, "email": {"type": "string"}},
        "required": ["username", "email"],
    }
    return await elicit(context, (params.arguments or {})["message"], form)


@STATEFUL_TOOLS.tool("test_elicitation_sep1034_defaults")
async def elicitation_sep1034_defaults(context: Context, _params: Params) -> ToolResult:
    """Ask the user with a form that suggests a value of each primitive type."""
    suggested = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await elicit(context, "Check these values.", {"type": "object", "properties": suggested})


@STATEFUL_TOOLS.tool("test_elicitation_sep1330_enums")
async def elicitation_sep1330_enums(context: Context, _params: Params) -> ToolResult:
    """Ask the user with a form that has each kind of choice."""
    options = ["option1", "option2", "option3"]
    titled = [{"const": f"value{number}", "title": f"Value {number}"} for number in (1, 2, 3)]
    choices = {
        "untitledSingle": {"type": "string", "enum": options},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return await elicit(context, "Choose.", {"type": "object", "properties": choices})


@STATEFUL_TOOLS.tool("test_reconnection")
async def reconnection(context: Context, _params: Params) -> ToolResult:
    """End the event stream at once, and answer when the client has come back."""
    # MAY end the connection after an event with an id: 2025-11-25, basic/transports#sending-messages-to-the-server.
    # The transport sends one first thing; the pause lets it leave.
    await anyio.sleep(PAUSE)
    if context.close_sse_stream is not None:  # absent where the client could not resume: before 2025-11-25
        await context.close_sse_stream()
    await anyio.sleep(2 * PAUSE)
    return text("The result was delivered after a reconnection.")
