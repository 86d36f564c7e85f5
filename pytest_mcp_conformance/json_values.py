"""JSON as it travels: strict reading, safe writing, and the two notions that verdicts rest on: presence and equality.

A peer may send anything. Reading refuses what RFC 8259 refuses (`NaN`, invalid UTF-8, text after the value) and answers
with one exception type; writing never fails, whatever was read.
"""

from __future__ import annotations

import json
import math
from typing import TypeAlias, TypeGuard

JsonValue: TypeAlias = "None | bool | int | float | str | list[JsonValue] | dict[str, JsonValue]"
JsonObject: TypeAlias = "dict[str, JsonValue]"

SHOWN_CHARACTERS = 300  # of a value in a message: enough to recognise it, short enough for one terminal line or two


class NotJson(ValueError):
    """The text is not one JSON value; the message says why, in words for the reader of a report."""


def loads(text: bytes | str) -> JsonValue:
    """Read one JSON value.

    :raises NotJson: invalid UTF-8, invalid JSON, or nesting deeper than the reader can follow.

    Source: RFC 8259; MCP messages MUST be UTF-8 (2025-11-25, basic/transports).
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        value: JsonValue = json.loads(text, parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise NotJson(f"not valid UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise NotJson("nested too deeply to be read") from error
    except ValueError as error:
        raise NotJson(f"not JSON: {error}") from error
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


def dumps(value: object, *, indent: int | None = None) -> str:
    """Write `value` as ASCII JSON. What JSON cannot say (an infinite number read from `1e999`) becomes its `repr`."""
    try:
        return json.dumps(value, indent=indent, default=repr, allow_nan=False)
    except (ValueError, RecursionError):
        return json.dumps(_writable(value, depth=0), indent=indent, default=repr)


DEPTH_WRITTEN = 100  # levels; below them a value is cut, so that writing cannot exhaust the stack


def _writable(value: object, *, depth: int) -> object:
    if depth > DEPTH_WRITTEN:
        return "… nested deeper"
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if isinstance(value, dict):
        return {str(key): _writable(member, depth=depth + 1) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(entry, depth=depth + 1) for entry in value]
    return value


class Shown(str):
    """A text that is safe to show: our own words, or a peer's value behind `shown`."""

    __slots__ = ()


def shown(value: object, *, limit: int = SHOWN_CHARACTERS) -> Shown:
    """Return `value` as one line of ASCII JSON for a message; of a long one the start and the length remain."""
    if isinstance(value, Shown):
        return value
    text = dumps(value)
    return Shown(text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)")


def truthy(value: JsonValue) -> bool:
    """Tell whether `value` counts as present: everything but null, false, 0 and the empty string.

    Empty lists and objects are present. This is the notion of the published checks («truthy» in the catalogue), and it
    differs from Python's own.
    """
    return isinstance(value, list | dict) or bool(value)


def same(left: JsonValue, right: JsonValue) -> bool:
    """Tell whether two JSON values are equal: 1 equals 1.0, and true equals no number.

    Source: the JSON data model (JSON Schema 2020-12 core, 4.2.2).
    """
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return left == right


def is_number(value: JsonValue) -> TypeGuard[int | float]:
    """Tell whether `value` is a JSON number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_integer(value: JsonValue) -> TypeGuard[int | float]:
    """Tell whether `value` is a number without a fraction; 5.0 is one."""
    return is_number(value) and (isinstance(value, int) or value.is_integer())


def as_object(value: JsonValue) -> JsonObject:
    """Return `value` if it is an object, else an empty one: for reading a member of what may be anything."""
    return value if isinstance(value, dict) else {}


def as_list(value: JsonValue) -> list[JsonValue]:
    """Return `value` if it is an array, else an empty one: for walking what may be anything."""
    return value if isinstance(value, list) else []
