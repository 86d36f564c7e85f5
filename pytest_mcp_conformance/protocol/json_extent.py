"""How deep and how large a JSON value is, and the beginning of one that is too large to be looked through."""

from __future__ import annotations

from typing import NamedTuple

from pytest_mcp_conformance.json_values import MAX_DEPTH, JsonValue

CONTAINERS = (list, dict)  # as a tuple: every value of every message is asked, and a union takes twice the time


class Extent(NamedTuple):
    """In how many levels containers are nested, and how many values there are."""

    levels: int
    values: int


def extent(value: JsonValue) -> Extent:
    """Measure `value` level by level, not by recursion, and no further than one level below `MAX_DEPTH`."""
    levels, values = 0, 1
    containers = [value] if isinstance(value, CONTAINERS) else []
    while containers and levels <= MAX_DEPTH:
        levels += 1
        inside = [
            part
            for container in containers
            for part in (container.values() if isinstance(container, dict) else container)
        ]
        values += len(inside)
        containers = [part for part in inside if isinstance(part, CONTAINERS)]
    return Extent(levels, values)


def beginning(value: JsonValue, *, elements: int) -> JsonValue:
    """Return a copy of `value` with only the first `elements` of every array."""
    if isinstance(value, list):
        return [beginning(part, elements=elements) for part in value[:elements]]
    if isinstance(value, dict):
        return {name: beginning(part, elements=elements) for name, part in value.items()}
    return value
