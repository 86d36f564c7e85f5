"""What is wrong with a value by a schema, in words of bounded length: the errors of `jsonschema-rs`, told anew.

The library's own texts repeat the refused value whole, and name every alternative that did not fit. The value comes from a
peer: here it is shown short, and of several alternatives the one that it was meant to be is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pytest_mcp_conformance.json_values import JsonValue, as_object, shown
from pytest_mcp_conformance.protocol.library_reading import without_mark
from pytest_mcp_conformance.protocol.schema_formats import FORMATS

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

CHARACTERS_SHOWN = 60  # of a text or a member's name
STEPS_SHOWN = 12  # of a pointer: its end
BITS_SHOWN = 256  # of an integer; Python refuses to write very long ones

Place: TypeAlias = tuple[str | int, ...]  # the names and indexes that lead to a value


class Violation(NamedTuple):
    """One thing that is wrong, and where."""

    place: Place
    reason: str

    def within(self, outer: Place) -> str:
        """Write pointer and reason, in ASCII, to stand behind the name of a definition whose value is at `outer`."""
        pointer = pointer_to(outer + self.place)
        return f"{' ' if pointer else ''}{pointer}: {self.reason}"


def told(errors: Iterable[ValidationError], value: JsonValue) -> tuple[Violation, ...]:
    """Return what `errors` say about `value`, each thing once."""
    # A union says twice that something is no object: by its own `type` and by each of its alternatives.
    return tuple(dict.fromkeys(violation for error in errors for violation in _told_of_one(error, value)))


def _told_of_one(error: ValidationError, value: JsonValue) -> tuple[Violation, ...]:
    place = tuple(error.instance_path)
    keyword, operand = error.kind.name, error.kind.value
    if keyword == "anyOf":
        return _told_of_alternatives(operand, place, value)
    return (Violation(place, REASONS[keyword](operand, _at(place, value))),)


def _at(place: Place, value: JsonValue) -> JsonValue:
    part: Any = value
    for step in place:
        part = part[step]
    found: JsonValue = part
    return found


# -- alternatives -----------------------------------------------------------------------------------------------------


def _told_of_alternatives(
    alternatives: Sequence[Sequence[ValidationError]], place: Place, value: JsonValue
) -> tuple[Violation, ...]:
    """Return what is wrong with the value at `place` by the alternative that it was meant to be, if that can be told.

    Its type tells alternatives apart, and so does a constant (`"type": "image"`). Among those whose constants are right, or
    missing, the value is taken for the one that it breaks in the fewest places.
    """
    admitted = [_admitted_types(errors, place) for errors in alternatives]
    of_its_type = [errors for errors, types in zip(alternatives, admitted, strict=True) if not types]
    if not of_its_type:
        return (Violation(place, _type([name for types in admitted for name in types], _at(place, value))),)
    candidates = [told(errors, value) for errors in of_its_type if not _breaks_a_constant(errors)]
    fewest = min(map(len, candidates), default=0)
    closest = [violations for violations in candidates if len(violations) == fewest]
    return closest[0] if len(closest) == 1 else (Violation(place, _any_of(alternatives, _at(place, value))),)


def _admitted_types(errors: Sequence[ValidationError], place: Place) -> list[str]:
    """Return the types that an alternative admits at `place`, if another was found there."""
    return [
        name
        for error in errors
        if error.kind.name == "type" and len(error.instance_path) == len(place)
        for name in error.kind.value
    ]


def _breaks_a_constant(errors: Sequence[ValidationError]) -> bool:
    return any(error.kind.name == "const" for error in errors)


# -- reasons ----------------------------------------------------------------------------------------------------------

_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "object": "an object",
        "array": "an array",
        "string": "a string",
        "boolean": "a boolean",
        "null": "null",
        "integer": "an integer",
        "number": "a number",
    }
)


def _type(names: Sequence[str], value: JsonValue) -> str:
    return _expected(" or ".join(words for name, words in _TYPES.items() if name in names), value)


def _const(constant: JsonValue, value: JsonValue) -> str:
    return _expected(seen(constant), value)


def _enum(choices: Sequence[JsonValue], value: JsonValue) -> str:
    return _expected("one of " + ", ".join(map(seen, choices)), value)


def _format(name: str, value: JsonValue) -> str:
    return _expected(FORMATS[name].words, value)


def _minimum(least: float, value: JsonValue) -> str:
    return _expected(f"at least {least}", value)


def _maximum(most: float, value: JsonValue) -> str:
    return _expected(f"at most {most}", value)


def _max_items(most: int, value: Any) -> str:
    return f"expected at most {most} elements, got {len(value)}"


def _required(name: str, _: JsonValue) -> str:
    return f"lacks the member {seen(name)}"


def _any_of(alternatives: Sequence[object], value: JsonValue) -> str:
    told_type = as_object(value).get("type")
    return f"fits none of {len(alternatives)} alternatives, got {seen(value)}" + (
        f" of type {seen(told_type)}" if told_type is not None else ""
    )


def _expected(words: str, value: JsonValue) -> str:
    return f"expected {words}, got {seen(value)}"


# Of each keyword that MCP's schemas assert something by: its operand and the refused value in, the reason out.
REASONS: Mapping[str, Callable[[Any, JsonValue], str]] = MappingProxyType(
    {
        "type": _type,
        "const": _const,
        "enum": _enum,
        "format": _format,
        "minimum": _minimum,
        "maximum": _maximum,
        "maxItems": _max_items,
        "required": _required,
        "anyOf": _any_of,
    }
)


# -- words ------------------------------------------------------------------------------------------------------------


def seen(value: JsonValue) -> str:
    """Return the words for a value that was found where another belongs: a container by its kind, anything else itself."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    if isinstance(value, int) and value.bit_length() > BITS_SHOWN:
        return f"an integer of {value.bit_length()} bits"
    return shown(value, limit=CHARACTERS_SHOWN)


def pointer_to(place: Place) -> str:
    """Return the JSON pointer to `place` in ASCII; of a long one the end, of a long name the start.

    Source: RFC 6901.
    """
    return ("..." if len(place) > STEPS_SHOWN else "") + "".join(f"/{_step(step)}" for step in place[-STEPS_SHOWN:])


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return str(step)
    name = without_mark(step)
    start = name[:CHARACTERS_SHOWN].replace("~", "~0").replace("/", "~1")
    return shown(start)[1:-1] + ("..." if len(name) > CHARACTERS_SHOWN else "")
