"""Tools that return each kind of content, and one that fails.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result
"""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject, dumps
from pytest_mcp_conformance.reference.server import content
from pytest_mcp_conformance.reference.server.calls import Call, ToolFailure
from pytest_mcp_conformance.reference.server.tools.tool import tool


@tool("test_simple_text", "Returns one text.")
async def simple_text(_call: Call, _arguments: JsonObject) -> JsonObject:
    """Return a text block."""
    return content.tool_result(content.text("This is a simple text response for testing."))


@tool("test_image_content", "Returns one image.")
async def image_content(_call: Call, _arguments: JsonObject) -> JsonObject:
    """Return an image block."""
    return content.tool_result(content.image())


@tool("test_audio_content", "Returns one sound.")
async def audio_content(_call: Call, _arguments: JsonObject) -> JsonObject:
    """Return an audio block."""
    return content.tool_result(content.audio())


@tool("test_embedded_resource", "Returns one resource.")
async def embedded_resource(_call: Call, _arguments: JsonObject) -> JsonObject:
    """Return an embedded resource."""
    return content.tool_result(
        content.embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    )


@tool("test_multiple_content_types", "Returns a text, an image and a resource.")
async def multiple_content_types(_call: Call, _arguments: JsonObject) -> JsonObject:
    """Return three kinds of content at once."""
    data = dumps({"test": "data", "value": 123})
    return content.tool_result(
        content.text("Multiple content types test:"),
        content.image(),
        content.embedded("test://mixed-content-resource", "application/json", data),
    )


@tool("test_error_handling", "Fails, always.")
async def error_handling(_call: Call, _arguments: JsonObject) -> JsonObject:
    """Fail in a way that the model can read."""
    raise ToolFailure("This tool intentionally returns an error for testing")


TOOLS = (simple_text, image_content, audio_content, embedded_resource, multiple_content_types, error_handling)
