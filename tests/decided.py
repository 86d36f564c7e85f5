"""Checks and outcomes as tests of rules need them: a few words each."""

from __future__ import annotations

from pytest_mcp_conformance.model import Check, Ending, Leg, Level, Outcome, Revision, Status
from pytest_mcp_conformance.verdict import ending_of

LETTERS = {
    "F": Status.FAILURE,
    "W": Status.WARNING,
    "S": Status.SUCCESS,
    "-": Status.SKIPPED,
    "I": Status.INFO,
}


def decided(text: str) -> tuple[Check, ...]:
    """Return checks as written: `a:F b:S +c:W`, each an id and the first letter of its status, additions behind a plus."""
    return tuple(_check(word) for word in text.split())


def ended(
    text: str,
    *,
    scenario: str = "tools",
    revision: str = "2025-11-25",
    ending: Ending | None = None,
    leg: Leg = Leg.SERVER,
    reason: str | None = None,
) -> Outcome:
    """Return the outcome of a run with these checks."""
    checks = decided(text)
    return Outcome(
        scenario=scenario,
        leg=leg,
        revision=Revision(revision),
        ending=ending or ending_of(checks),
        checks=checks,
        reason=reason,
    )


def _check(word: str) -> Check:
    name, _, letter = word.removeprefix("+").partition(":")
    return Check(
        id=name,
        name=name,
        description="It holds.",
        status=LETTERS[letter],
        level=Level.MUST,
        timestamp="2026-07-28T00:00:00.000Z",
        spec=(),
        addition=word.startswith("+"),
    )
