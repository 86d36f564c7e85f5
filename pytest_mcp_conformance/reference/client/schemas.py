"""JSON Schemas as far as the client needs to know them: where their subschemas are, and what a reference points at.

Source: JSON Schema 2020-12 core, 10 and 11.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object

Path: TypeAlias = tuple[str, ...]

MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
SINGLE = (
    *("items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else"),
    *("unevaluatedItems", "unevaluatedProperties", "contentSchema"),
)
REFERENCES = ("$ref", "$dynamicRef")


def subschemas(schema: JsonValue, path: Path = ()) -> Iterator[tuple[Path, JsonObject]]:
    """Yield `schema` and everything below it that is a schema, each with the keys that lead to it."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for keyword in MAPS:
        for name, each in as_object(schema.get(keyword)).items():
            yield from subschemas(each, (*path, keyword, name))
    for keyword in LISTS:
        for index, each in enumerate(as_list(schema.get(keyword))):
            yield from subschemas(each, (*path, keyword, str(index)))
    for keyword in SINGLE:
        yield from subschemas(schema.get(keyword), (*path, keyword))


def external_references(schema: JsonValue) -> list[str]:
    """Return what the schema refers to outside itself."""
    references = [each.get(keyword) for _, each in subschemas(schema) for keyword in REFERENCES]
    return [each for each in references if isinstance(each, str) and not each.startswith("#")]


def resolved(reference: JsonValue, root: JsonObject) -> JsonObject | None:
    """Return the schema that a reference within `root` points at, or nothing."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    fragment = reference[1:]
    if fragment and not fragment.startswith("/"):
        anchored = (
            each for _, each in subschemas(root) if fragment in (each.get("$anchor"), each.get("$dynamicAnchor"))
        )
        return next(anchored, None)
    target: JsonValue = root
    for step in fragment.split("/")[1:]:
        target = as_object(target).get(step.replace("~1", "/").replace("~0", "~"))
    return target if isinstance(target, dict) else None
