"""The keywords that MCP's schemas use, each as a function that turns its operand into a check.

A check is built once and then applied to many values. Any keyword but these is refused when a schema is
built, so that none is passed over in silence.

Source: JSON Schema draft-07 and 2020-12, which do not differ in what these keywords assert.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Protocol, TypeAlias

from pytest_mcp_conformance.json_values import JsonValue, as_list, as_object, same
from pytest_mcp_conformance.protocol.schema_findings import Check, Findings, Place, seen, walk
from pytest_mcp_conformance.protocol.schema_formats import FORMATS


class Surroundings(Protocol):
    """What a keyword may ask of the schema that it stands in."""

    @property
    def schema(self) -> JsonValue:
        """The schema itself."""

    def check(self, schema: JsonValue) -> Check | None:
        """Build the check of a schema inside this one; None if it accepts everything."""

    def definition(self, reference: JsonValue) -> Check | None:
        """Return the check of the definition that a `$ref` names."""

    def types(self, schema: JsonValue) -> frozenset[str]:
        """Return the JSON types that `schema` admits by `type`, its own or that of what it refers to."""


Keyword: TypeAlias = Callable[[JsonValue, Surroundings], Check | None]


def together(checks: Iterable[Check | None]) -> Check | None:
    """Return one check that applies all of `checks`."""
    present = tuple(check for check in checks if check is not None)
    if len(present) < 2:
        return present[0] if present else None

    def all_of_them(value: JsonValue, place: Place, findings: Findings) -> None:
        for check in present:
            check(value, place, findings)

    return all_of_them


# -- what a value is --------------------------------------------------------------------------------------------------


def _is_integer(value: JsonValue) -> bool:
    # 1.0 is an integer. So is what 1e999 is read as: no number of that size has a fraction.
    if isinstance(value, float):
        return value.is_integer() or math.isinf(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: Mapping[str, tuple[Callable[[JsonValue], bool], str]] = MappingProxyType(
    {
        "object": (lambda value: isinstance(value, dict), "an object"),
        "array": (lambda value: isinstance(value, list), "an array"),
        "string": (lambda value: isinstance(value, str), "a string"),
        "boolean": (lambda value: isinstance(value, bool), "a boolean"),
        "null": (lambda value: value is None, "null"),
        "integer": (_is_integer, "an integer"),
        "number": (_is_number, "a number"),
    }
)


def is_of(types: Iterable[str]) -> Callable[[JsonValue], bool]:
    """Return the predicate of a set of JSON types."""
    predicates = tuple(_TYPES[name][0] for name in types)
    if len(predicates) == 1:
        return predicates[0]
    return lambda value: any(predicate(value) for predicate in predicates)


def _type(operand: JsonValue, _: Surroundings) -> Check:
    names = [str(name) for name in (operand if isinstance(operand, list) else [operand])]
    right = is_of(names)
    reason = partial(_expected, " or ".join(_TYPES[name][1] for name in names))

    def check(value: JsonValue, place: Place, findings: Findings) -> None:
        if not right(value):
            findings.add(place, value, reason)

    return check


def _const(operand: JsonValue, _: Surroundings) -> Check:
    reason = partial(_expected, seen(operand))

    def check(value: JsonValue, place: Place, findings: Findings) -> None:
        if not same(value, operand):
            findings.add(place, value, reason, wrong_constant=True)

    return check


def _enum(operand: JsonValue, _: Surroundings) -> Check:
    choices = as_list(operand)
    reason = partial(_expected, "one of " + ", ".join(seen(choice) for choice in choices))

    def check(value: JsonValue, place: Place, findings: Findings) -> None:
        if not any(same(value, choice) for choice in choices):
            findings.add(place, value, reason)

    return check


def _format(operand: JsonValue, _: Surroundings) -> Check | None:
    asserted = FORMATS[str(operand)]
    if asserted is None:
        return None
    right, words = asserted
    reason = partial(_expected, words)

    def check(value: JsonValue, place: Place, findings: Findings) -> None:
        if isinstance(value, str) and not right(value):
            findings.add(place, value, reason)

    return check


def _bound(operand: JsonValue, *, beyond: Callable[[float, float], bool], words: str) -> Check:
    if not isinstance(operand, int | float):
        raise NotImplementedError(f"no bound of a number: {seen(operand)}")
    reason = partial(_expected, f"{words} {operand}")

    def check(value: JsonValue, place: Place, findings: Findings) -> None:
        if isinstance(value, int | float) and not isinstance(value, bool) and beyond(value, operand):
            findings.add(place, value, reason)

    return check


def _minimum(operand: JsonValue, _: Surroundings) -> Check:
    return _bound(operand, beyond=lambda value, bound: value < bound, words="at least")


def _maximum(operand: JsonValue, _: Surroundings) -> Check:
    return _bound(operand, beyond=lambda value, bound: value > bound, words="at most")


# -- what is in a value -----------------------------------------------------------------------------------------------


def _required(operand: JsonValue, _: Surroundings) -> Check:
    names = tuple((str(name), partial(_lacks, str(name))) for name in as_list(operand))

    def check(value: JsonValue, place: Place, findings: Findings) -> None:
        if isinstance(value, dict):
            for name, reason in names:
                if name not in value:
                    findings.add(place, value, reason)

    return check


def _properties(operand: JsonValue, surroundings: Surroundings) -> Check | None:
    built = ((name, surroundings.check(schema)) for name, schema in as_object(operand).items())
    members = tuple((name, member) for name, member in built if member is not None)
    if not members:
        return None

    def check(value: JsonValue, place: Place, findings: Findings) -> None:
        if isinstance(value, dict):
            for name, member in members:
                if name in value:
                    member(value[name], (place, name), findings)

    return check


def _additional_properties(operand: JsonValue, surroundings: Surroundings) -> Check | None:
    member = surroundings.check(operand)
    if member is None:
        return None
    named = frozenset(as_object(as_object(surroundings.schema).get("properties")))

    def check(value: JsonValue, place: Place, findings: Findings) -> None:
        if isinstance(value, dict):
            for name, part in value.items():
                if name not in named:
                    member(part, (place, name), findings)

    return check


def _items(operand: JsonValue, surroundings: Surroundings) -> Check | None:
    element = surroundings.check(operand)
    if element is None:
        return None

    def check(value: JsonValue, place: Place, findings: Findings) -> None:
        if isinstance(value, list):
            for index, part in enumerate(value):
                element(part, (place, index), findings)

    return check


def _max_items(operand: JsonValue, _: Surroundings) -> Check:
    if not isinstance(operand, int):
        raise NotImplementedError(f"no number of elements: {seen(operand)}")
    most = operand

    def check(value: JsonValue, place: Place, findings: Findings) -> None:
        if isinstance(value, list) and len(value) > most:
            findings.add(place, value, lambda _: f"expected at most {most} elements, got {len(value)}")

    return check


# -- what else judges it ----------------------------------------------------------------------------------------------


def _ref(operand: JsonValue, surroundings: Surroundings) -> Check | None:
    return surroundings.definition(operand)


def _all_of(operand: JsonValue, surroundings: Surroundings) -> Check | None:
    return together(surroundings.check(schema) for schema in as_list(operand))


def _any_of(operand: JsonValue, surroundings: Surroundings) -> Check | None:
    schemas = as_list(operand)
    checks = [surroundings.check(schema) for schema in schemas]
    alternatives = [check for check in checks if check is not None]
    if len(alternatives) < len(checks):
        return None  # one of them accepts everything
    types = [surroundings.types(schema) for schema in schemas]
    if _disjoint(types):
        return _by_type(
            [(is_of(names), check) for names, check in zip(types, alternatives, strict=True)], _words(types)
        )
    own = surroundings.types(surroundings.schema)
    return _first_that_fits(alternatives, candidate=is_of(own) if own else lambda _: True)


def _disjoint(types: list[frozenset[str]]) -> bool:
    """Tell whether a value's type alone says which alternative it can be."""
    # Every integer is a number: the two do not tell alternatives apart.
    named = [name.replace("integer", "number") for names in types for name in names]
    return all(types) and len(named) == len(set(named))


def _by_type(alternatives: list[tuple[Callable[[JsonValue], bool], Check]], words: str) -> Check:
    """Return the check that leaves a value to the only alternative that its type admits.

    Nothing is tried and discarded here. That is what lets a recursive definition be walked to any depth, and a violation be
    named where it is.
    """
    reason = partial(_expected, words)

    def check(value: JsonValue, place: Place, findings: Findings) -> None:
        for right, alternative in alternatives:
            if right(value):
                alternative(value, place, findings)
                return
        findings.add(place, value, reason)

    return check


def _first_that_fits(alternatives: list[Check], *, candidate: Callable[[JsonValue], bool]) -> Check:
    def check(value: JsonValue, place: Place, findings: Findings) -> None:
        if not candidate(value):
            return  # the `type` beside the alternatives says so already
        tried = []
        for alternative in alternatives:
            attempt = walk(alternative, value, place)
            if not attempt.count:
                return
            tried.append(attempt)
        meant = _the_one_meant(tried)
        if meant is None:
            findings.add(place, value, partial(_fits_none, len(alternatives)))
        else:
            findings.take_over(meant)

    return check


def _the_one_meant(tried: list[Findings]) -> Findings | None:
    """Return what was found by the alternative that the value was meant to be, if that can be told.

    A constant tells alternatives apart (`"type": "image"`). Among those whose constants are right, or missing, the value is
    taken for the one that it breaks in the fewest places.
    """
    candidates = [attempt for attempt in tried if not any(violation.wrong_constant for violation in attempt.kept)]
    fewest = min((attempt.count for attempt in candidates), default=0)
    closest = [attempt for attempt in candidates if attempt.count == fewest]
    return closest[0] if len(closest) == 1 else None


# -- in words ---------------------------------------------------------------------------------------------------------


def _words(types: list[frozenset[str]]) -> str:
    return " or ".join(words for name, (_, words) in _TYPES.items() if any(name in names for names in types))


def _expected(words: str, value: JsonValue) -> str:
    return f"expected {words}, got {seen(value)}"


def _lacks(name: str, _: JsonValue) -> str:
    return f"lacks the member {seen(name)}"


def _fits_none(number: int, value: JsonValue) -> str:
    told = as_object(value).get("type")
    return f"fits none of {number} alternatives, got {seen(value)}" + (
        f" of type {seen(told)}" if told is not None else ""
    )


KEYWORDS: Mapping[str, Keyword] = MappingProxyType(
    {
        "type": _type,
        "const": _const,
        "enum": _enum,
        "format": _format,
        "minimum": _minimum,
        "maximum": _maximum,
        "required": _required,
        "properties": _properties,
        "additionalProperties": _additional_properties,
        "items": _items,
        "maxItems": _max_items,
        "$ref": _ref,
        "allOf": _all_of,
        "anyOf": _any_of,
    }
)
