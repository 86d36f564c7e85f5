"""Tools that work alike at every revision: each kind of content, a failure, progress, log messages, a rich schema."""

import json

import anyio
import mcp_types as types
from media import PNG, WAV
from toolbox import Context, Params, Toolbox, ToolResult, failure, text

TOOLS = Toolbox()
PAUSE = 0.05  # seconds between two notifications of a tool, so that they travel one by one


@TOOLS.tool("test_simple_text")
async def simple_text(_context: Context, _params: Params) -> ToolResult:
    """Return one text."""
    return text("This is a simple text response for testing.")


@TOOLS.tool("test_image_content")
async def image_content(_context: Context, _params: Params) -> ToolResult:
    """Return one image."""
    return types.CallToolResult(content=[types.ImageContent(data=PNG, mime_type="image/png")])


@TOOLS.tool("test_audio_content")
async def audio_content(_context: Context, _params: Params) -> ToolResult:
    """Return one recording."""
    return types.CallToolResult(content=[types.AudioContent(data=WAV, mime_type="audio/wav")])


@TOOLS.tool("test_embedded_resource")
async def embedded_resource(_context: Context, _params: Params) -> ToolResult:
    """Return a resource inside the result."""
    resource = types.TextResourceContents(
        uri="test://embedded-resource", mime_type="text/plain", text="This is an embedded resource content."
    )
    return types.CallToolResult(content=[types.EmbeddedResource(resource=resource)])


@TOOLS.tool("test_multiple_content_types")
async def multiple_content_types(_context: Context, _params: Params) -> ToolResult:
    """Return a text, an image and a resource."""
    resource = types.TextResourceContents(
        uri="test://mixed-content-resource",
        mime_type="application/json",
        text=json.dumps({"test": "data", "value": 123}),
    )
    return types.CallToolResult(
        content=[
            types.TextContent(text="Multiple content types test:"),
            types.ImageContent(data=PNG, mime_type="image/png"),
            types.EmbeddedResource(resource=resource),
        ]
    )


@TOOLS.tool("test_error_handling")
async def error_handling(_context: Context, _params: Params) -> ToolResult:
    """Fail, and say so in its result."""
    return failure("This tool intentionally returns an error for testing")


@TOOLS.tool("test_tool_with_progress")
async def tool_with_progress(context: Context, _params: Params) -> ToolResult:
    """Report progress three times, if the request has a progress token."""
    for progress in (0, 50, 100):
        await context.session.report_progress(progress, total=100)
        await anyio.sleep(PAUSE)
    return text("Progress was reported.")


JSON_SCHEMA_2020_12 = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


@TOOLS.tool("json_schema_2020_12_tool", arguments=JSON_SCHEMA_2020_12)
async def json_schema_2020_12_tool(_context: Context, params: Params) -> ToolResult:
    """Take arguments whose schema needs JSON Schema 2020-12."""
    return text(json.dumps(params.arguments))
