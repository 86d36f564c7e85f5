"""Forms: the answer to elicitation/create, with the defaults of the schema where there are any.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
"""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object
from pytest_mcp_conformance.reference.client.faults import Fault, Faults
from pytest_mcp_conformance.reference.client.made_up import value_for

KIND_WITHOUT = {
    Fault.FORM_WITHOUT_TEXTS: "string",
    Fault.FORM_WITHOUT_INTEGERS: "integer",
    Fault.FORM_WITHOUT_NUMBERS: "number",
    Fault.FORM_WITHOUT_CHOICES: "choice",
    Fault.FORM_WITHOUT_BOOLEANS: "boolean",
}


def filled_in(params: JsonObject, faults: Faults) -> JsonObject:
    """Return the result of elicitation/create: somebody accepts the form as it is, and fills in what is empty."""
    if Fault.FORM_DECLINED in faults:
        return {"action": "decline"}
    schema = as_object(params.get("requestedSchema"))
    left_out = {kind for fault, kind in KIND_WITHOUT.items() if fault in faults}
    # SHOULD pre-populate fields with their defaults: 2025-11-25, client/elicitation#requested-schema
    content: JsonObject = {
        name: value_for(field, schema)
        for name, field in as_object(schema.get("properties")).items()
        if _kind(field) not in left_out
    }
    if Fault.FORM_WITH_NULL in faults:
        content["nothing"] = None
    return {"action": "accept", "content": content}


def _kind(field: JsonValue) -> JsonValue:
    described = as_object(field)
    return "choice" if "enum" in described or "oneOf" in described else described.get("type")
