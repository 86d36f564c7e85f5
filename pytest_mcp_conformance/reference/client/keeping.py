"""A tool's definition as the client keeps it: whole."""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.reference.client.faults import Fault, Faults

LOST = {
    Fault.DIALECT_DROPPED: ("$schema",),
    Fault.DEFINITIONS_DROPPED: ("$defs",),
    Fault.CLOSING_DROPPED: ("additionalProperties",),
    Fault.COMPOSITION_DROPPED: ("allOf", "anyOf", "oneOf"),
    Fault.CONDITIONS_DROPPED: ("if", "then", "else"),
    Fault.ANCHORS_DROPPED: ("$anchor",),
}


def kept(tool: JsonObject, faults: Faults) -> JsonObject:
    """Return what the client knows of a tool: everything, also keywords that mean nothing to it."""
    lost = {keyword for fault, keywords in LOST.items() if fault in faults for keyword in keywords}
    if not lost or "inputSchema" not in tool:
        return tool
    return {**tool, "inputSchema": _without(tool["inputSchema"], lost)}


def _without(value: JsonValue, lost: set[str]) -> JsonValue:
    if isinstance(value, list):
        return [_without(each, lost) for each in value]
    if isinstance(value, dict):
        return {name: _without(each, lost) for name, each in value.items() if name not in lost}
    return value
