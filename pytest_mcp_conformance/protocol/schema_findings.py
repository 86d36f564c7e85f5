"""What judging a value by a schema finds: a few violations and the number of the others, in words of bounded length.

The value comes from a peer. Nothing here writes a container out, and nothing walks it by recursion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from pytest_mcp_conformance.json_values import JsonValue, shown

VIOLATIONS_KEPT = 6  # of one value; of the others only the number
CHARACTERS_SHOWN = 60  # of a text or a member's name
STEPS_SHOWN = 12  # of a pointer: its end
BITS_SHOWN = 256  # of an integer; Python refuses to write very long ones

# Where a value is: the place of what contains it, and the name or index there. None is the value that was asked about.
Place: TypeAlias = "tuple[Place, str | int] | None"
Reason: TypeAlias = Callable[[JsonValue], str]
Check: TypeAlias = Callable[[JsonValue, Place, "Findings"], None]


class Violation(NamedTuple):
    """One thing that is wrong, kept unwritten: most are found in alternatives that are then passed over."""

    place: Place
    value: JsonValue
    reason: Reason
    wrong_constant: bool

    def __str__(self) -> str:
        """Write the violation as pointer and reason, in ASCII, to stand behind the name of a definition."""
        pointer = pointer_to(self.place)
        return f"{' ' if pointer else ''}{pointer}: {self.reason(self.value)}"


class Findings:
    """What one walk found: the first violations, their number, and what is still to be walked."""

    __slots__ = ("count", "depth", "kept", "postponed")

    def __init__(self) -> None:
        self.kept: list[Violation] = []
        self.count = 0
        self.depth = 0  # levels of a recursive definition that are on the stack
        self.postponed: list[tuple[Check, JsonValue, Place]] = []

    def add(self, place: Place, value: JsonValue, reason: Reason, *, wrong_constant: bool = False) -> None:
        if self.count < VIOLATIONS_KEPT:
            self.kept.append(Violation(place, value, reason, wrong_constant))
        self.count += 1

    def take_over(self, other: Findings) -> None:
        self.kept.extend(other.kept[: max(0, VIOLATIONS_KEPT - self.count)])
        self.count += other.count


def walk(check: Check, value: JsonValue, place: Place) -> Findings:
    """Apply `check` to `value` and then whatever it postponed."""
    findings = Findings()
    check(value, place, findings)
    while findings.postponed:
        postponed, part, its_place = findings.postponed.pop()
        postponed(part, its_place, findings)
    return findings


def pointer_to(place: Place) -> str:
    """Return the JSON pointer to `place` in ASCII; of a long one the end, of a long name the start.

    Source: RFC 6901.
    """
    steps: list[str] = []
    while place is not None:
        place, step = place
        if len(steps) == STEPS_SHOWN:
            return "..." + "".join(reversed(steps))
        steps.append(f"/{_step(step)}")
    return "".join(reversed(steps))


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return str(step)
    name = step[:CHARACTERS_SHOWN].replace("~", "~0").replace("/", "~1")
    return shown(name)[1:-1] + ("..." if len(step) > CHARACTERS_SHOWN else "")


def seen(value: JsonValue) -> str:
    """Return the words for a value that was found where another belongs: a container by its kind, anything else itself."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    if isinstance(value, int) and value.bit_length() > BITS_SHOWN:
        return f"an integer of {value.bit_length()} bits"
    return shown(value, limit=CHARACTERS_SHOWN)
