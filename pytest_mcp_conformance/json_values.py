"""JSON as it travels: strict reading, safe writing, and the two notions that verdicts rest on: presence and equality.

A peer may send anything. Reading refuses what RFC 8259 refuses (`NaN`, invalid UTF-8, text after the value) and what is
larger or deeper than any message, and answers with one exception type; writing never fails, whatever was read.
"""

from __future__ import annotations

import json
import math
import re
from typing import TypeAlias, TypeGuard

JsonValue: TypeAlias = "None | bool | int | float | str | list[JsonValue] | dict[str, JsonValue]"
JsonObject: TypeAlias = "dict[str, JsonValue]"

SHOWN_CHARACTERS = 300  # of a value in a message: enough to recognise it, short enough for one terminal line or two
MAX_DEPTH = 200  # levels: far more than a message has, far fewer than exhaust the stack of what walks by recursion
MAX_VALUES = 100_000  # in one text: far more than a message has, few enough to be judged in a fraction of a second
FLOAT_DIGITS = 400  # of an integer; with more it is larger than any float, and Python is slow or refuses to read it

# A string, also one that does not end. Possessive, so that no text makes it slow.
STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)


class NotJson(ValueError):
    """The text is not one JSON value; the message says why, in words for the reader of a report."""


def loads(text: bytes | str) -> JsonValue:
    """Read one JSON value.

    A number too large for a float becomes infinite, as in most implementations of JSON.

    :raises NotJson: invalid UTF-8, invalid JSON, more than `MAX_DEPTH` levels or more than `MAX_VALUES` values.

    Source: RFC 8259, 9 allows the limits; MCP messages MUST be UTF-8 (2025-11-25, basic/transports).
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        if text.startswith("\ufeff"):
            raise NotJson("not JSON: it begins with a byte order mark")
        if _has_more_values(text, MAX_VALUES):
            raise NotJson(f"larger than can be read: more than {MAX_VALUES} values")
        value: JsonValue = json.loads(text, parse_constant=_refuse_constant, parse_int=_integer)
    except UnicodeDecodeError as error:
        raise NotJson(f"not valid UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise NotJson(TOO_DEEP) from error
    except json.JSONDecodeError as error:
        raise NotJson(f"not JSON: {error}") from error
    if text.count("[") + text.count("{") > MAX_DEPTH and _is_deeper(value, MAX_DEPTH):
        raise NotJson(TOO_DEEP)
    return value


TOO_DEEP = f"nested too deeply to be read: more than {MAX_DEPTH} levels"


def _refuse_constant(name: str) -> None:
    raise NotJson(f"not JSON: {name} is no JSON value")


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= FLOAT_DIGITS else float(digits)


def _has_more_values(text: str, number: int) -> bool:
    """Tell whether a JSON text has more than `number` values, without building them."""
    if _first_values(text) + text.count(",") < number:  # true of any message, and told at once
        return False
    text = STRING.sub("0", text)
    return _first_values(text) - text.count("[]") - text.count("{}") + text.count(",") >= number


def _first_values(text: str) -> int:
    """Return the number of brackets. Every value but the outermost is the first behind one, or stands behind a comma."""
    return text.count("[") + text.count("{")


def _is_deeper(value: JsonValue, levels: int) -> bool:
    """Tell whether containers are nested in more than `levels` levels; walks level by level, not by recursion."""
    containers: list[list[JsonValue] | dict[str, JsonValue]] = [value] if isinstance(value, list | dict) else []
    for _ in range(levels):
        containers = [
            child
            for container in containers
            for child in (container.values() if isinstance(container, dict) else container)
            if isinstance(child, list | dict)
        ]
    return bool(containers)


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

    Empty lists and objects are present. This is the notion of the published checks, and it
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
