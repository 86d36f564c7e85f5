"""The recorder of one run's decisions. Scenarios write to it; the verdict is read from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, shown, truthy
from pytest_mcp_conformance.model import Check, Level, Requirement, Status

if TYPE_CHECKING:
    from pytest_mcp_conformance.protocol.json_rpc import Answer

UNTESTABLE = "Not testable: "  # published prefix of a failure that lacks its precondition

SEVERITY = {Level.MUST: Status.FAILURE, Level.SHOULD: Status.WARNING, Level.MAY: Status.INFO}

Details: TypeAlias = "Mapping[str, JsonValue]"


def utc_now() -> str:
    """Return the time as ISO 8601 in UTC with milliseconds, as published results write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Checks:
    """Collects checks in the order in which they fall.

    `expected` and `got` are what a reader compares: a phrase for what should be, the value that came. `got` may be any
    JSON value and is shortened; a text is shown as JSON, too, so that nothing of a peer reaches a terminal raw.

    :param entry: returns the number of the last transcript entry, to tie a decision to its traffic; where it fell later, the
        decision itself names the entry.
    :param now: returns the timestamp of a check.
    """

    def __init__(self, *, entry: Callable[[], int | None] = lambda: None, now: Callable[[], str] = utc_now) -> None:
        self.recorded: list[Check] = []
        self._entry = entry
        self._now = now

    def apart(self) -> Checks:
        """Return an empty recorder of the same run, for work beside other work: what it collects is added in order later."""
        return Checks(entry=self._entry, now=self._now)

    def decide(
        self,
        requirement: Requirement,
        holds: bool,  # noqa: FBT001 -- the decision itself
        *,
        expected: str,
        got: object = None,
        details: Details | None = None,
        entry: int | None = None,
    ) -> bool:
        """Record whether `requirement` holds; where it does not, its level sets the severity. Return `holds`."""
        if holds:
            self.succeed(requirement, details=details)
        else:
            self._broken(
                requirement, SEVERITY[requirement.level], expected=expected, got=got, details=details, entry=entry
            )
        return holds

    def fail(
        self,
        requirement: Requirement,
        *,
        expected: str,
        got: object = None,
        details: Details | None = None,
        entry: int | None = None,
    ) -> None:
        """Record a FAILURE whatever the level says: for the few published checks whose severity is not their keyword's."""
        self._broken(requirement, Status.FAILURE, expected=expected, got=got, details=details, entry=entry)

    def warn(
        self,
        requirement: Requirement,
        *,
        expected: str,
        got: object = None,
        details: Details | None = None,
        entry: int | None = None,
    ) -> None:
        """Record a WARNING whatever the level says: for the few published checks whose severity is not their keyword's."""
        self._broken(requirement, Status.WARNING, expected=expected, got=got, details=details, entry=entry)

    def succeed(self, requirement: Requirement, *, details: Details | None = None) -> None:
        """Record a SUCCESS."""
        self._record(requirement, Status.SUCCESS, details=details)

    def inform(self, requirement: Requirement, message: str | None = None, *, details: Details | None = None) -> None:
        """Record an INFO: worth reading, neither pass nor fail."""
        self._record(requirement, Status.INFO, message=message, details=details)

    def skip(self, requirement: Requirement, reason: str, *, details: Details | None = None) -> None:
        """Record that the requirement does not apply to this implementation, and why."""
        self._record(requirement, Status.SKIPPED, message=reason, details=details)

    def untestable(
        self, requirement: Requirement, reason: str, *, severity: Status | None = None, details: Details | None = None
    ) -> None:
        """Record that a precondition is missing, with the severity of a broken requirement: silence is no pass."""
        self._record(
            requirement,
            severity or SEVERITY[requirement.level],
            message=f"{UNTESTABLE}{reason}",
            details={"untestable": True, "reason": reason, **(details or {})},
        )

    def decide_error(
        self, requirement: Requirement, answer: Answer, *, codes: tuple[int, ...], details: Details | None = None
    ) -> bool:
        """Record whether `answer` is a JSON-RPC error with one of `codes`."""
        wanted = " or ".join(map(str, codes))
        holds = answer.error is not None and answer.error.code in codes
        return self.decide(requirement, holds, expected=f"error {wanted}", got=answer.shown(), details=details)

    def _broken(
        self,
        requirement: Requirement,
        status: Status,
        *,
        expected: str,
        got: object,
        details: Details | None,
        entry: int | None,
    ) -> None:
        text = shown(got)
        self._record(
            requirement,
            status,
            message=f"expected {expected}, got {text}",
            expected=expected,
            got=text,
            details=details,
            entry=entry,
        )

    def _record(
        self,
        requirement: Requirement,
        status: Status,
        *,
        message: str | None = None,
        expected: str | None = None,
        got: str | None = None,
        details: Details | None = None,
        entry: int | None = None,
    ) -> None:
        self.recorded.append(
            Check(
                id=requirement.id,
                name=requirement.name,
                description=requirement.text,
                status=status,
                level=requirement.level,
                timestamp=self._now(),
                spec=requirement.spec,
                message=message,
                expected=expected,
                got=got,
                details=dict(details) if details is not None else None,
                entry=self._entry() if entry is None else entry,
                addition=requirement.addition,
            )
        )


def lacking(value: JsonValue, *members: str) -> list[str]:
    """Return which of `members` the object `value` does not have, in the sense of `truthy`."""
    return [member for member in members if not truthy(as_object(value).get(member))]


def first_of_type(content: JsonValue, kind: str) -> JsonObject | None:
    """Return the first entry of a content list whose `type` is `kind`."""
    entries = content if isinstance(content, list) else []
    return next((entry for entry in entries if isinstance(entry, dict) and entry.get("type") == kind), None)
