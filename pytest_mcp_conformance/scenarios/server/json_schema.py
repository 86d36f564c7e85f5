"""JSON Schema 2020-12 in a tool's input schema: what the keywords of the dialect look like after tools/list.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, shown, truthy
from pytest_mcp_conformance.model import Level, Needs, Requirement, Revision, SpecRef, Tool
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.tools import list_tools, names_of

if TYPE_CHECKING:  # the client leg reads this module, too, and does without the HTTP client
    from pytest_mcp_conformance.peer import Peer

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TOOL = Tool(
    name="json_schema_2020_12_tool",
    input_schema={
        "$schema": DIALECT,
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
    },
    returns="anything: it is listed and not called",
)

SEP_1613 = (SpecRef(id="SEP-1613", url="https://github.com/modelcontextprotocol/specification/pull/655"),)
SEP_2106 = (SpecRef(id="SEP-2106", url="https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2106"),)
BINDING_FROM = Revision.V2026_07_28  # the revision from which on SEP-2106 is a requirement

TOOL_FOUND = Requirement(
    id="json-schema-2020-12-tool-found",
    name="JsonSchema2020_12ToolFound",
    level=Level.MUST,
    text=f"tools/list has the tool {TOOL.name}.",
    spec=SEP_1613,
)
SCHEMA_KEPT = Requirement(
    id="json-schema-2020-12-$schema",
    name="JsonSchema2020_12$Schema",
    level=Level.MUST,
    text="The input schema keeps $schema.",
    spec=SEP_1613,
)
DEFS_KEPT = Requirement(
    id="json-schema-2020-12-$defs",
    name="JsonSchema2020_12$Defs",
    level=Level.MUST,
    text="The input schema keeps $defs with its definition.",
    spec=SEP_1613,
)
ADDITIONAL_PROPERTIES_KEPT = Requirement(
    id="json-schema-2020-12-additionalProperties",
    name="JsonSchema2020_12AdditionalProperties",
    level=Level.MUST,
    text="The input schema keeps additionalProperties.",
    spec=SEP_1613,
)
COMPOSITION_KEPT = Requirement(
    id="sep-2106-composition-keywords-preserved",
    name="JsonSchema2020_12CompositionKeywords",
    level=Level.MUST,
    text="The input schema keeps allOf and the anyOf inside it.",
    spec=SEP_2106,
)
CONDITIONAL_KEPT = Requirement(
    id="sep-2106-conditional-keywords-preserved",
    name="JsonSchema2020_12ConditionalKeywords",
    level=Level.MUST,
    text="The input schema keeps if, then and else.",
    spec=SEP_2106,
)
ANCHOR_KEPT = Requirement(
    id="sep-2106-anchor-keyword-preserved",
    name="JsonSchema2020_12AnchorKeyword",
    level=Level.MUST,
    text="The definition in the input schema keeps its $anchor.",
    spec=SEP_2106,
)
BREAKDOWN = Requirement(
    id="json-schema-2020-12-error",
    name="JsonSchema2020_12Error",
    level=Level.MUST,
    text="tools/list is answered with tools whose input schema can be looked at.",
    spec=SEP_1613,
    exceptional=True,
)


@server_scenario(
    name="json-schema-2020-12",
    introduced_in="2025-11-25",
    pending=True,
    purpose="JSON Schema 2020-12 keywords of a tool's input schema survive tools/list.",
    decides=(
        TOOL_FOUND,
        SCHEMA_KEPT,
        DEFS_KEPT,
        ADDITIONAL_PROPERTIES_KEPT,
        COMPOSITION_KEPT,
        CONDITIONAL_KEPT,
        ANCHOR_KEPT,
        BREAKDOWN,
    ),
    charged=BREAKDOWN,
    needs=Needs(tools=(TOOL,), capabilities=("tools",)),
)
async def json_schema(peer: Peer, checks: Checks) -> None:
    listed = await list_tools(peer)
    tool = next((as_object(tool) for tool in as_list(listed) if as_object(tool).get("name") == TOOL.name), None)
    checks.decide(
        TOOL_FOUND,
        tool is not None,
        expected=f"a tool named {TOOL.name}",
        got=names_of(listed),
        details={"toolFound": tool is not None, "availableTools": names_of(listed)},
    )
    if tool is None:
        return
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict):
        raise Nonconforming("the input schema is no object", "an inputSchema", shown(tool))
    decide_schema_keyword(schema, checks)
    decide_definitions(schema, checks)
    decide_additional_properties(schema, checks)
    decide_composition(schema, peer.revision, checks)
    decide_condition(schema, peer.revision, checks)
    decide_anchor(schema, peer.revision, checks)


def decide_schema_keyword(schema: JsonObject, checks: Checks) -> None:
    """Decide whether the dialect is still named."""
    checks.decide(
        SCHEMA_KEPT,
        schema.get("$schema") == DIALECT,
        expected=f"$schema to be {DIALECT}",
        got=schema,
        details={"hasSchema": "$schema" in schema, "schemaValue": schema.get("$schema"), "expected": DIALECT},
    )


def decide_definitions(schema: JsonObject, checks: Checks) -> None:
    """Decide whether the definition is still there.

    :raises Nonconforming: $defs is nothing that could hold definitions.
    """
    definitions = schema.get("$defs")
    if truthy(definitions) and not isinstance(definitions, dict):
        raise Nonconforming("$defs of the input schema is no object", "an object of definitions", shown(definitions))
    checks.decide(
        DEFS_KEPT,
        "address" in as_object(definitions),
        expected="$defs with the member address",
        got=schema,
        details={
            "hasDefs": truthy(definitions),
            "defsKeys": [*as_object(definitions)],
            "defsValue": definitions,
        },
    )


def decide_additional_properties(schema: JsonObject, checks: Checks) -> None:
    """Decide whether further properties are still forbidden."""
    value = schema.get("additionalProperties")
    checks.decide(
        ADDITIONAL_PROPERTIES_KEPT,
        value is False,
        expected="additionalProperties to be false",
        got=schema,
        details={
            "hasAdditionalProps": "additionalProperties" in schema,
            "additionalPropsValue": value,
            "expected": False,
        },
    )


def decide_composition(schema: JsonObject, revision: Revision, checks: Checks) -> None:
    """Decide whether the composition is still there."""
    all_of = as_list(schema.get("allOf"))
    nested = any(isinstance(as_object(part).get("anyOf"), list) for part in all_of)
    decide_from_binding(
        checks,
        COMPOSITION_KEPT,
        revision,
        nested,
        expected="allOf with an anyOf inside it",
        got=schema,
        details={"hasAllOf": bool(all_of), "hasNestedAnyOf": nested, "targetProtocolVersion": revision.value},
    )


def decide_condition(schema: JsonObject, revision: Revision, checks: Checks) -> None:
    """Decide whether the condition is still there."""
    has = {keyword: keyword in schema for keyword in ("if", "then", "else")}
    decide_from_binding(
        checks,
        CONDITIONAL_KEPT,
        revision,
        all(has.values()),
        expected="if, then and else",
        got=schema,
        details={
            "hasIf": has["if"],
            "hasThen": has["then"],
            "hasElse": has["else"],
            "targetProtocolVersion": revision.value,
        },
    )


def decide_anchor(schema: JsonObject, revision: Revision, checks: Checks) -> None:
    """Decide whether the definition can still be reached by its anchor."""
    address = as_object(as_object(schema.get("$defs")).get("address"))
    decide_from_binding(
        checks,
        ANCHOR_KEPT,
        revision,
        "$anchor" in address,
        expected="$anchor in the definition address",
        got=schema,
        details={"hasAnchor": "$anchor" in address, "anchorValue": address.get("$anchor")},
    )


def decide_from_binding(
    checks: Checks,
    requirement: Requirement,
    revision: Revision,
    holds: bool,  # noqa: FBT001 -- the decision itself
    *,
    expected: str,
    got: JsonValue,
    details: JsonObject,
) -> None:
    """Decide a rule of SEP-2106; where it does not bind yet, a broken one is skipped."""
    if holds or revision >= BINDING_FROM:
        checks.decide(requirement, holds, expected=expected, got=got, details=details)
    else:
        checks.skip(requirement, f"{expected} is required from {BINDING_FROM.value} on", details=details)
