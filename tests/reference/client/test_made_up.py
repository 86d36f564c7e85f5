"""Values made up from schemas are valid for them."""

from __future__ import annotations

import jsonschema
import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.reference.client.faults import Fault
from pytest_mcp_conformance.reference.client.forms import filled_in
from pytest_mcp_conformance.reference.client.made_up import arguments_for, value_for
from pytest_mcp_conformance.reference.client.schemas import external_references

SCHEMAS: list[JsonObject] = [
    {"type": "string"},
    {"type": "string", "minLength": 20},
    {"type": "string", "maxLength": 2},
    {"type": "string", "enum": ["b", "a"]},
    {"type": "string", "format": "email"},
    {"type": "integer", "minimum": 5},
    {"type": "integer", "minimum": 5.5},
    {"type": "integer", "maximum": -3},
    {"type": "number", "default": 95.5},
    {"type": "boolean", "default": False},
    {"type": ["null", "string"]},
    {"type": "null"},
    {"const": {"a": [1]}},
    {"oneOf": [{"const": "x", "title": "X"}, {"const": "y"}]},
    {"type": "array", "items": {"type": "integer"}, "minItems": 3},
    {"type": "object", "properties": {"a": {"type": "integer"}, "b": {}}, "required": ["a"]},
    {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"$ref": "#/$defs/n"}},
        "$defs": {"n": {"type": "integer"}},
    },
    {"required": ["a"], "properties": {"a": {"$ref": "#here"}}, "$defs": {"n": {"$anchor": "here", "type": "boolean"}}},
    {"properties": {"p": {"type": "integer"}}, "type": "object", "allOf": [{"anyOf": [{"required": ["p"]}]}]},
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_a_made_up_value_is_valid(schema: JsonObject) -> None:
    jsonschema.Draft202012Validator(schema).validate(value_for(schema, schema))


@pytest.mark.parametrize(
    "junk", [None, 7, [], {"type": 7}, {"type": []}, {"$ref": "#/nowhere"}, {"$ref": 7}, {"enum": {}}]
)
def test_a_schema_that_is_none_ends_in_some_value(junk: JsonValue) -> None:
    value_for(junk, {})
    assert set(arguments_for({"required": ["a", 7], "properties": {"a": junk}}, {})) == {"a"}


@pytest.mark.parametrize("bound", [1e999, -1e999, 10**400, -1])
def test_bounds_beyond_reason_end_in_some_value(bound: float) -> None:
    for kind in ("string", "integer", "array"):
        schema: JsonObject = {"type": kind, "minLength": bound, "maxLength": bound, "minimum": bound, "minItems": bound}
        assert value_for(schema, schema) is not None


def test_a_schema_that_contains_itself_ends() -> None:
    schema: JsonObject = {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#"}}}
    assert list(arguments_for(schema, schema)) == ["a"]


def test_references_within_a_schema_are_not_outside() -> None:
    schema: JsonObject = {
        "properties": {"a": {"$ref": "#/$defs/b"}, "$ref": {"type": "string"}},
        "$defs": {"b": {"items": {"$ref": "https://example.com/b.json"}}, "c": {"$dynamicRef": "other.json#c"}},
        "default": {"$ref": "https://example.com/data-and-no-schema"},
    }
    assert external_references(schema) == ["https://example.com/b.json", "other.json#c"]


def test_a_form_is_filled_in_with_defaults_and_else_with_what_fits() -> None:
    fields: JsonObject = {
        "name": {"type": "string", "default": "John Doe"},
        "verified": {"type": "boolean", "default": False},
        "status": {"type": "string", "enum": ["a", "b"]},
        "plan": {"type": "string", "oneOf": [{"const": "free", "title": "Free"}]},
        "tags": {"type": "array", "items": {"type": "string", "enum": ["x"]}, "minItems": 1},
    }
    assert filled_in({"requestedSchema": {"type": "object", "properties": fields}}, frozenset()) == {
        "action": "accept",
        "content": {"name": "John Doe", "verified": False, "status": "a", "plan": "free", "tags": ["x"]},
    }


def test_a_form_can_be_declined() -> None:
    assert filled_in({"requestedSchema": {}}, {Fault.FORM_DECLINED}) == {"action": "decline"}
