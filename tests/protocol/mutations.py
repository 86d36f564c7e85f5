"""Values that fit a definition of a schema, and the same with one thing changed.

Everything is drawn from the generator that is given, so that a seed names the values.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_mcp_conformance.json_values import JsonValue

TEXTS = ("", "text", "2.0", "\u00e9", "\ud800", "a\nb", "x" * 80)
URIS = ("file:///a%20b", "https://example.com:80/a?b#c", "urn:x:y", "test://[::1]/a", "TEST:a")
URI_TEMPLATES = ("file:///{path}", "test://a/{+b,c*}{?d:3}", "plain", "")
INTEGERS = (0, 1, -1, 5, 100, 2**53, 2.0, -32020)
NUMBERS = (*INTEGERS, 0.5, 1.5, -0.25)
ANYTHING: tuple[JsonValue, ...] = (
    None, True, False, 0, 1, -1, 2, 1.0, 0.5, 1.5, 1e300, -32603, 2**70, "", "2.0", "x", "a b", "x:y", "{", "object", "string",
    [], [None], [0.5], ["x"], [{}], {}, {"x": None}, {"x": 1.5}, {"x": {}}, {"type": "object"}, {"type": "text", "text": "x"},
)  # fmt: skip
ONE_OF_EACH: tuple[JsonValue, ...] = (None, True, 0, 2.0, 0.5, 1.5, -1, "", "x", "a b", [], ["x"], [0], {}, {"x": 0.5})
DEPTH = 6  # levels below which optional members and elements of lists are left out


@dataclass(frozen=True)
class Generator:
    """Draws values that fit the definitions of a schema."""

    definitions: dict[str, dict[str, Any]]
    random: Random

    def fitting(self, definition: str, *, full: bool = False) -> JsonValue:
        """Return a value that fits `definition`.

        :param full: with every optional member that the definition itself describes, and none that those it refers to do.
        """
        return self._draw(self.definitions[definition], 0, optional=1.0 if full else None)

    def _draw(self, schema: Any, depth: int, *, optional: float | None) -> JsonValue:
        """Return a value that fits `schema`.

        :param optional: the chance of each optional member; None draws one for every object.
        """

        def inner(part: Any) -> JsonValue:
            return self._draw(part, depth + 1, optional=optional)

        if schema is True:
            schema = {}
        if "$ref" in schema:
            target = self.definitions[schema["$ref"].rpartition("/")[2]]
            return self._draw(target, depth + 1, optional=None if optional is None else 0.0)
        if "anyOf" in schema:
            return inner(self.random.choice(schema["anyOf"]) if depth < DEPTH else schema["anyOf"][-1])
        if "allOf" in schema:
            merged: dict[str, JsonValue] = {}
            for part in schema["allOf"]:
                value = inner(self.definitions[part["$ref"].rpartition("/")[2]] if "$ref" in part else part)
                assert isinstance(value, dict)
                merged |= value
            return merged
        if "const" in schema:
            constant: JsonValue = schema["const"]
            return constant
        if "enum" in schema:
            choice: JsonValue = self.random.choice(schema["enum"])
            return choice
        return self._draw_of_type(schema, depth, optional=optional)

    def _draw_of_type(self, schema: Any, depth: int, *, optional: float | None) -> JsonValue:  # noqa: PLR0911 -- one a type
        kind = schema.get("type")
        match self.random.choice(kind) if isinstance(kind, list) else kind:
            case "object":
                return self._draw_object(schema, depth, optional=optional)
            case "array":
                lengths = (0, 1, 1, 2, schema.get("maxItems", 3)) if optional is None else (1,)
                length = self.random.choice(lengths) if depth < DEPTH else 0
                return [self._draw(schema.get("items", True), depth + 1, optional=optional) for _ in range(length)]
            case "string":
                texts = {"uri": URIS, "uri-template": URI_TEMPLATES}.get(schema.get("format"), TEXTS)
                return self.random.choice(texts)
            case "integer" | "number" as number:
                least, most = schema.get("minimum", -(2**70)), schema.get("maximum", 2**70)
                drawn = INTEGERS if number == "integer" else NUMBERS
                return self.random.choice([value for value in drawn if least <= value <= most])
            case "boolean":
                return self.random.choice((True, False))
            case "null":
                return None
            case None:
                return copy.deepcopy(self.random.choice(ANYTHING))
            case other:
                raise NotImplementedError(other)

    def _draw_object(self, schema: Any, depth: int, *, optional: float | None) -> JsonValue:
        chance = self.random.choice((0.0, 0.5, 1.0)) if optional is None else optional
        if depth >= DEPTH:
            chance = 0.0
        required = schema.get("required", ())
        value: dict[str, JsonValue] = {
            name: self._draw(part, depth + 1, optional=optional)
            for name, part in schema.get("properties", {}).items()
            if name in required or self.random.random() < chance
        }
        unknown = 0 if chance == 0.0 else self.random.choice((1, 1, 2))
        for name in self.random.sample(("extra", "x-y", "", "~/", "\udfff"), unknown):
            value.setdefault(name, self._draw(schema.get("additionalProperties", True), depth + 1, optional=optional))
        return value


def each_change(value: JsonValue, *, depth: int) -> Iterator[JsonValue]:
    """Yield `value` with one thing changed, for every place down to `depth` and every kind of value.

    What is unchanged is shared between the values.
    """
    yield from ONE_OF_EACH
    if not depth or not isinstance(value, dict | list):
        return
    for key, part in list(value.items() if isinstance(value, dict) else enumerate(value)):
        without: Any = copy.copy(value)
        del without[key]
        yield without
        for changed in each_change(part, depth=depth - 1):
            with_it: Any = copy.copy(value)
            with_it[key] = changed
            yield with_it


def mutated(value: JsonValue, random: Random) -> JsonValue:
    """Return `value` with one thing changed, at any place in it."""
    holder: list[Any] = [copy.deepcopy(value)]
    container, key = _at(holder, random.choice(list(_paths(value, DEPTH * 2))))
    random.choice(CHANGES)(container, key, random)
    changed: JsonValue = holder[0]
    return changed


def _paths(value: JsonValue, depth: int) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of every value in `value`, itself included."""
    yield ()
    if depth and isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from ((key, *path) for path in _paths(part, depth - 1))


def _at(holder: list[Any], path: tuple[str | int, ...]) -> tuple[Any, Any]:
    """Return what contains the value at `path` of the held value, and its key there."""
    container: Any = holder
    key: str | int = 0
    for step in path:
        container, key = container[key], step
    return container, key


def _replace(container: Any, key: Any, random: Random) -> None:
    container[key] = copy.deepcopy(random.choice(ANYTHING))


def _add(container: Any, key: Any, random: Random) -> None:
    """Add a member or an element."""
    into = container[key]
    extra = copy.deepcopy(random.choice(ANYTHING))
    if isinstance(into, dict):
        into[random.choice(("extra", "_meta", "type", "id", "jsonrpc", "error", "result", "mode", "default"))] = extra
    elif isinstance(into, list):
        into.append(extra)
    else:
        container[key] = [into, extra]


def _vary(container: Any, key: Any, random: Random) -> None:
    """Change the value into one that is near it."""
    value = container[key]
    match value:
        case bool():
            container[key] = random.choice((int(value), float(value), not value, str(value).lower()))
        case int() | float():
            near = (-value, value + 1, value - 1, value + 0.5, float(value), bool(value), str(value), 1.0, 1.1)
            container[key] = random.choice(near)
        case str():
            near_text = (value[1:], value.upper(), "{" + value, ":" + value, *(value + end for end in "x %"), [value])
            container[key] = random.choice(near_text)
        case list():
            container[key] = random.choice((value * 101, value[1:], value[::-1], {"0": value}, [value]))
        case dict():
            without_one = dict(random.sample(list(value.items()), max(0, len(value) - 1)))
            container[key] = random.choice((without_one, without_one, list(value.values()), [value], {"x": value}))
        case _:
            container[key] = random.choice((False, 0, "", "null", {}))


CHANGES = (_replace, _add, _vary, _vary)
