"""Headers that repeat the body: which tools may ask for them, and how values are written."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.reference.client.annotations import objection
from pytest_mcp_conformance.reference.client.headers import encoded, param_headers, standard_headers

NONE: frozenset[str] = frozenset()

ENCODED = {
    "us-west1": "us-west1",
    "us west 1": "us west 1",
    "": "",
    "Hello, 世界": "=?base64?SGVsbG8sIOS4lueVjA==?=",
    " padded ": "=?base64?IHBhZGRlZCA=?=",
    " us-west1": "=?base64?IHVzLXdlc3Qx?=",
    "us-west1 ": "=?base64?dXMtd2VzdDEg?=",
    "line1\nline2": "=?base64?bGluZTEKbGluZTI=?=",
    "line1\r\nline2": "=?base64?bGluZTENCmxpbmUy?=",
    "\tindented": "=?base64?CWluZGVudGVk?=",
    "a\tb": "=?base64?YQli?=",
    "=?base64?literal?=": "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=",
    "=?base64?open": "=?base64?open",
}


@pytest.mark.parametrize(("value", "header"), ENCODED.items())
def test_a_text_is_written_plainly_where_it_can_be(value: str, header: str) -> None:
    assert encoded(value, NONE) == header


def tool(properties: JsonObject, **more: Any) -> JsonObject:
    return {"name": "t", "inputSchema": {"type": "object", "properties": properties, **more}}


def annotated(header: Any, kind: Any = "string") -> JsonObject:
    return {"type": kind, "x-mcp-header": header}


VALID: dict[str, JsonObject] = {
    "a text": tool({"a": annotated("Region")}),
    "an integer": tool({"a": annotated("Region", "integer")}),
    "true or false": tool({"a": annotated("Region", "boolean")}),
    "a text or null": tool({"a": annotated("Region", ["string", "null"])}),
    "any characters of a token": tool({"a": annotated("!#$%&'*+-.^_`|~09azAZ")}),
    "nested": tool({"a": {"type": "object", "properties": {"b": annotated("Region")}}}),
    "properties of these names": tool({"properties": {"type": "object", "properties": {"items": annotated("Region")}}}),
    "an argument of this name": tool({"x-mcp-header": {"type": "string"}}),
    "none": tool({"a": {"type": "number"}}),
}
INVALID: dict[str, JsonObject] = {
    "empty": tool({"a": annotated("")}),
    "no text": tool({"a": annotated(7)}),
    "a blank": tool({"a": annotated("My Region")}),
    "a colon": tool({"a": annotated("Region:Primary")}),
    "no ASCII": tool({"a": annotated("Région")}),
    "a tab": tool({"a": annotated("Region\t1")}),
    "a line": tool({"a": annotated("Region\r\nX: y")}),
    "a line at the end": tool({"a": annotated("Region\n")}),
    "a number": tool({"a": annotated("Region", "number")}),
    "an object": tool({"a": annotated("Region", "object")}),
    "an array": tool({"a": annotated("Region", "array")}),
    "null": tool({"a": annotated("Region", "null")}),
    "no type": tool({"a": {"x-mcp-header": "Region"}}),
    "a text or a number": tool({"a": annotated("Region", ["string", "number"])}),
    "twice": tool({"a": annotated("Region"), "b": annotated("Region")}),
    "twice but for the case": tool({"a": annotated("Region"), "b": annotated("REGION")}),
    "twice, once nested": tool({"a": annotated("Region"), "b": {"properties": {"c": annotated("region")}}}),
    "on the schema itself": {"name": "t", "inputSchema": annotated("Region")},
    "below items": tool({"a": {"type": "array", "items": annotated("Region")}}),
    "below items and properties": tool({"a": {"items": {"properties": {"b": annotated("Region")}}}}),
    "below anyOf": tool({"a": {"anyOf": [annotated("Region")]}}),
    "below allOf of the root": tool({}, allOf=[{"properties": {"a": annotated("Region")}}]),
    "below if": tool({}, **{"if": {"properties": {"a": annotated("Region")}}}),
    "below not": tool({"a": {"not": annotated("Region")}}),
    "behind a reference": tool({"a": {"$ref": "#/$defs/r"}}, **{"$defs": {"r": annotated("Region")}}),
}


@pytest.mark.parametrize("name", VALID)
def test_a_valid_annotation_is_taken(name: str) -> None:
    assert objection(VALID[name], NONE) is None


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_annotation_is_objected_to(name: str) -> None:
    assert (objection(INVALID[name], NONE) or "").startswith("x-mcp-header ")


def test_arguments_go_into_the_headers_that_their_tool_names() -> None:
    nested: JsonObject = {"type": "object", "properties": {"deep": annotated("Deep", "integer")}}
    given = tool({"r": annotated("Region"), "b": annotated("Flag", "boolean"), "n": nested, "q": {"type": "string"}})
    arguments: JsonObject = {"r": "eu", "b": False, "n": {"deep": 42.0}, "q": "not this"}
    assert param_headers(given, arguments, NONE) == {
        "Mcp-Param-Region": "eu",
        "Mcp-Param-Flag": "false",
        "Mcp-Param-Deep": "42",
    }


@pytest.mark.parametrize("arguments", [{}, {"r": None}, {"n": None}, {"n": "no object"}, {"n": {}}])
def test_what_is_absent_or_null_has_no_header(arguments: JsonObject) -> None:
    nested: JsonObject = {"type": "object", "properties": {"deep": annotated("Deep")}}
    assert param_headers(tool({"r": annotated("Region"), "n": nested}), arguments, NONE) == {}


@pytest.mark.parametrize(
    ("method", "params", "name"),
    [
        ("tools/call", {"name": "weather", "uri": "x:y"}, "weather"),
        ("prompts/get", {"name": "größe"}, "=?base64?Z3LDtsOfZQ==?="),
        ("resources/read", {"uri": "file:///a%20b", "name": "x"}, "file:///a%20b"),
        ("tools/list", {"name": "x"}, None),
    ],
)
def test_the_standard_headers_name_method_and_target(method: str, params: JsonObject, name: str | None) -> None:
    headers = standard_headers(method, params, Revision.V2026_07_28, NONE)
    expected = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
    assert headers == (expected if name is None else expected | {"Mcp-Name": name})
