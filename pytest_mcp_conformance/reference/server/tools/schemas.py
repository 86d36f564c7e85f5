"""Tools whose input schemas go to the limits of what a schema may say.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool
"""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject, dumps
from pytest_mcp_conformance.reference.server import content
from pytest_mcp_conformance.reference.server.calls import Call
from pytest_mcp_conformance.reference.server.tools.tool import arguments_of, tool

RICH_SCHEMA: JsonObject = {
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

MIRRORED = arguments_of(
    count={"type": "integer", "x-mcp-header": "Count"},
    dryRun={"type": "boolean", "x-mcp-header": "Dry-Run"},
    region={"type": "string", "x-mcp-header": "Region"},
)


@tool("json_schema_2020_12_tool", "Takes a contact, described with many keywords of JSON Schema.", RICH_SCHEMA)
async def contact(_call: Call, arguments: JsonObject) -> JsonObject:
    """Repeat the contact."""
    return content.tool_result(content.text(f"Contact: {dumps(arguments)}"))


@tool("execute", "Takes arguments that are mirrored into HTTP headers.", MIRRORED)
async def execute(_call: Call, arguments: JsonObject) -> JsonObject:
    """Repeat the arguments."""
    return content.tool_result(content.text(f"Executed: {dumps(arguments)}"))


TOOLS = (contact, execute)
