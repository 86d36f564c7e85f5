"""What the properties of an elicitation form have to be: rules over one property's schema, as it came.

Each returns what is missing, as a phrase that goes on «the property with …», or nothing where the rule holds.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#requested-schema
"""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonValue, as_list, as_object, same, truthy


def default_fault(schema: JsonValue, kind: str, default: JsonValue, *, one_of_enum: bool = False) -> str | None:
    """Judge a property that has to be of type `kind` with the default `default`, a value of its enum if it is one."""
    form = as_object(schema)
    if form.get("type") != kind:
        return f"the type {kind}"
    if one_of_enum and not isinstance(form.get("enum"), list):
        return "an enum"
    if "default" not in form or not same(form["default"], default):
        return f"the default {default!r}" if isinstance(default, str) else f"the default {str(default).lower()}"
    if one_of_enum and not any(same(default, value) for value in as_list(form["enum"])):
        return "an enum that has the default among its values"
    return None


def untitled_single_fault(schema: JsonValue) -> str | None:
    """Judge one choice without titles: a string with `enum` and nothing that titles it."""
    form = as_object(schema)
    if form.get("type") != "string":
        return "the type string"
    if not isinstance(form.get("enum"), list):
        return "an enum"
    return _free_of(form.get("oneOf"), "oneOf") or _free_of(form.get("enumNames"), "enumNames")


def titled_single_fault(schema: JsonValue) -> str | None:
    """Judge one choice with titles: a string with `oneOf` and no `enum`."""
    form = as_object(schema)
    if form.get("type") != "string":
        return "the type string"
    if not titled(form.get("oneOf")):
        return "a oneOf of const and title"
    return _free_of(form.get("enum"), "enum")


def legacy_enum_fault(schema: JsonValue) -> str | None:
    """Judge one choice with titles in the form of 2025-06-18: a string with `enum` and as many `enumNames`."""
    form = as_object(schema)
    if form.get("type") != "string":
        return "the type string"
    values, names = form.get("enum"), form.get("enumNames")
    if not isinstance(values, list):
        return "an enum"
    if not isinstance(names, list) or len(names) != len(values):
        return "as many enumNames as values in enum"
    return None


def untitled_multi_fault(schema: JsonValue) -> str | None:
    """Judge several choices without titles: an array of strings with `enum`."""
    form = as_object(schema)
    items = as_object(form.get("items"))
    if form.get("type") != "array":
        return "the type array"
    if items.get("type") != "string":
        return "items of the type string"
    if not isinstance(items.get("enum"), list):
        return "items with an enum"
    return _free_of(items.get("anyOf"), "anyOf in its items")


def titled_multi_fault(schema: JsonValue) -> str | None:
    """Judge several choices with titles: an array whose items have `anyOf` and no `enum`."""
    form = as_object(schema)
    items = as_object(form.get("items"))
    if form.get("type") != "array":
        return "the type array"
    if not titled(items.get("anyOf")):
        return "items with an anyOf of const and title"
    return _free_of(items.get("enum"), "enum in its items")


def titled(options: JsonValue) -> bool:
    """Tell whether `options` is an array of choices with a title: each has a const and a title, both strings."""
    return isinstance(options, list) and all(
        isinstance(as_object(option).get(member), str) for option in options for member in ("const", "title")
    )


def _free_of(value: JsonValue, member: str) -> str | None:
    return f"no {member}" if truthy(value) else None
