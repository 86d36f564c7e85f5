"""Completion of the arguments of prompts and resource templates.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion
"""

from __future__ import annotations

from collections.abc import Sequence

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.reference.server.calls import Call
from pytest_mcp_conformance.reference.server.prompts import prompt_named
from pytest_mcp_conformance.reference.server.resources import TEMPLATE, TEMPLATE_IDS
from pytest_mcp_conformance.serving.incoming import optional_object, text
from pytest_mcp_conformance.serving.refusals import invalid_params

MAX_VALUES = 100  # MUST NOT be more: 2025-11-25, schema, CompleteResult


async def complete(call: Call) -> JsonObject:
    """Answer completion/complete: the proposals that begin as the user began."""
    argument = optional_object(call.params, "argument")
    name, begun = text(argument, "name"), text(argument, "value")
    found: list[JsonValue] = [value for value in _proposals(call.params, name) if value.startswith(begun)]
    shown = found[:MAX_VALUES]
    return {"completion": {"values": shown, "total": len(found), "hasMore": len(shown) < len(found)}}


def _proposals(params: JsonObject, argument: str) -> Sequence[str]:
    ref = optional_object(params, "ref")
    match ref.get("type"):
        case "ref/prompt":
            arguments = {known.name: known.proposals for known in prompt_named(text(ref, "name")).arguments}
        case "ref/resource":
            if text(ref, "uri") != TEMPLATE:
                raise invalid_params(f"Unknown resource template: {ref['uri']}")
            arguments = {"id": TEMPLATE_IDS}
        case _:
            raise invalid_params("ref.type is ref/prompt or ref/resource")
    if argument not in arguments:
        raise invalid_params(f"Unknown argument: {argument}")
    return arguments[argument]
