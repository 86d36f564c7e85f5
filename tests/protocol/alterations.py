"""Schemas that differ from a given one in a single place: what a slip of the pen would make of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

JSON_TYPES = ("object", "array", "string", "boolean", "null", "integer", "number")


def altered(schema: Any) -> Iterator[tuple[str, Any]]:
    """Yield a description and the schema for every single alteration, inside nested schemas too."""
    if not isinstance(schema, dict):
        return
    for keyword, operand in schema.items():
        yield f"without {keyword}", {other: schema[other] for other in schema if other != keyword}
        for what, replacement in _operands(keyword, operand):
            yield f"{keyword} {what}", {**schema, keyword: replacement}
    for name in schema.get("properties", ()):
        if name in schema.get("required", ()):
            continue
        yield f"{name} required", {**schema, "required": [*schema.get("required", ()), name]}


def _operands(keyword: str, operand: Any) -> Iterator[tuple[str, Any]]:  # noqa: C901, PLR0912 -- one case a keyword
    match keyword:
        case "required":
            yield from _without_each(operand)
        case "enum":
            yield from _without_each(operand)
            yield "with x", [*operand, "x"]
        case "const":
            yield "x", "x"
        case "type":
            yield from _types(operand if isinstance(operand, list) else [operand])
        case "minimum" | "maximum" | "maxItems":
            yield "one more", operand + 1
            yield "one less", operand - 1
        case "properties":
            for name, member in operand.items():
                for what, replacement in [("free", True), *altered(member)]:
                    if replacement != member:
                        yield f"{name} {what}", {**operand, name: replacement}
        case "items" | "additionalProperties":
            yield from altered(operand)
        case "anyOf" | "allOf":
            yield from _without_each(operand)
            for index, part in enumerate(operand):
                for what, replacement in altered(part):
                    yield f"{index} {what}", [*operand[:index], replacement, *operand[index + 1 :]]


def _without_each(operand: list[Any]) -> Iterator[tuple[str, Any]]:
    for index, entry in enumerate(operand):
        yield f"without {entry}", operand[:index] + operand[index + 1 :]


def _types(names: list[str]) -> Iterator[tuple[str, Any]]:
    for name in JSON_TYPES:
        if name in names and len(names) > 1:
            yield f"without {name}", [other for other in names if other != name]
        if name not in names and not (name == "integer" and "number" in names):
            yield f"or {name}", [*names, name]
