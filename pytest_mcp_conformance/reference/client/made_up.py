"""Values made up from a JSON Schema: the arguments of a tool that nobody gave, and the fields of a form.

They are plain and valid for ordinary schemas. Where a schema is too clever for them a server says so, and that is its right.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, is_number
from pytest_mcp_conformance.reference.client.faults import Fault, Faults
from pytest_mcp_conformance.reference.client.schemas import resolved

MAX_DEPTH = 12  # of schemas that contain themselves
LONGEST, LARGEST, MOST = (
    10_000,
    2**53,
    100,
)  # characters of a text, number, entries of an array: whatever a schema wants
TEXTS = {
    "email": "someone@example.com",
    "uri": "https://example.com/",
    "date": "2026-07-28",
    "date-time": "2026-07-28T12:00:00Z",
}


def value_for(schema: JsonValue, root: JsonObject, faults: Faults = frozenset(), *, depth: int = 0) -> JsonValue:
    """Return a value for `schema`, which stands in `root`."""
    if not isinstance(schema, dict) or depth > MAX_DEPTH:
        return "text"
    target = resolved(schema.get("$ref"), root)
    if target is not None:
        return value_for(target, root, faults, depth=depth + 1)
    for keyword in ("const", "default"):
        if keyword in schema:
            return schema[keyword]
    for keyword in ("enum", "examples"):
        if as_list(schema.get(keyword)):
            return as_list(schema[keyword])[0]
    for keyword in ("oneOf", "anyOf"):
        alternatives = as_list(schema.get(keyword))
        if alternatives:
            rest = {name: value for name, value in schema.items() if name != keyword}
            return value_for(rest | as_object(alternatives[0]), root, faults, depth=depth + 1)
    return _of_type(schema, root, faults, depth)


def arguments_for(schema: JsonObject, root: JsonObject, faults: Faults = frozenset(), *, depth: int = 0) -> JsonObject:
    """Return an object that has what `schema` requires and nothing else."""
    properties = as_object(schema.get("properties"))
    return {
        name: value_for(properties.get(name), root, faults, depth=depth + 1) for name in _required(schema, depth=depth)
    }


def _required(schema: JsonObject, *, depth: int) -> list[str]:
    names = [name for name in as_list(schema.get("required")) if isinstance(name, str)]
    alternatives = [as_list(schema.get(keyword))[:1] for keyword in ("anyOf", "oneOf")]
    for each in [*as_list(schema.get("allOf")), *(one for some in alternatives for one in some)]:
        if depth <= MAX_DEPTH:
            names += _required(as_object(each), depth=depth + 1)
    return names


def _of_type(schema: JsonObject, root: JsonObject, faults: Faults, depth: int) -> JsonValue:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((each for each in kind if each != "null"), "null")
    makers: dict[str, Callable[[], JsonValue]] = {
        "string": lambda: _text(schema),
        "integer": lambda: _number(schema, faults),
        "number": lambda: _number(schema, faults),
        "boolean": lambda: True,
        "null": lambda: None,
        "array": lambda: _items(schema, root, faults, depth),
        "object": lambda: arguments_for(schema, root, faults, depth=depth),
    }
    if not isinstance(kind, str):
        kind = "object" if "properties" in schema else "string"
    return makers[kind]() if kind in makers else "text"


def _text(schema: JsonObject) -> str:
    text = TEXTS.get(str(schema.get("format")), "text")
    least, most = schema.get("minLength"), schema.get("maxLength")
    if is_number(least):
        text = text.ljust(_count(least, LONGEST), "x")
    return text[: _count(most, LONGEST)] if is_number(most) else text


def _number(schema: JsonObject, faults: Faults) -> JsonValue:
    if Fault.NUMBERS_AS_TEXT in faults:
        return "1"
    least, most = schema.get("minimum"), schema.get("maximum")
    if is_number(least) and 1 < least < LARGEST:
        return math.ceil(least)
    return math.floor(most) if is_number(most) and -LARGEST < most < 1 else 1


def _items(schema: JsonObject, root: JsonObject, faults: Faults, depth: int) -> JsonValue:
    least = schema.get("minItems")
    count = _count(least, MOST) if is_number(least) else 0
    return [value_for(schema.get("items"), root, faults, depth=depth + 1) for _ in range(count)]


def _count(bound: float, most: int) -> int:
    return int(max(0, min(bound, most)))
