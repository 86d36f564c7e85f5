"""The text of one outcome for its reader: what failed, expected and got, where it is written, how to run it again."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_mcp_conformance.model import Check, Ending, Outcome, Status
from pytest_mcp_conformance.verdict import collapsed

MARKS = {Status.FAILURE: "✗", Status.WARNING: "!", Status.SUCCESS: "✓", Status.SKIPPED: "-", Status.INFO: "i"}


def failure_text(outcome: Outcome, *, again: str, strict: bool) -> str:
    """Return the message of a failed scenario.

    :param again: the command line that runs it again.
    :param strict: warnings and additions fail, too.
    """
    counted = [check for check in outcome.checks if check.status is not Status.INFO]
    bad = [check for check in counted if fails(check, strict=strict)]
    lines = [f"{len(bad)} of {len(counted)} checks failed"]
    lines += [line for check in bad for line in check_lines(check)]
    others = [check for check in counted if check.status is Status.WARNING and check not in bad]
    if others:
        lines += ["warnings, which fail only under --mcp-strict:"]
        lines += [line for check in others for line in check_lines(check)]
    if outcome.unreached:
        lines.append(f"  not reached: {', '.join(outcome.unreached)}")
    if outcome.beside_others:
        lines.append(f"  run twice: {outcome.beside_others.value} beside other scenarios, {outcome.ending.value} alone")
    lines.append(f"again: {again}")
    return "\n".join(lines)


def could_not_run_text(outcome: Outcome, *, again: str) -> str:
    """Return the message of a scenario that could not run: nothing is said about conformance."""
    return f"could not run: {outcome.reason}\nNothing is said about conformance.\nagain: {again}"


def harness_error_text(outcome: Outcome) -> str:
    """Return the message of a fault of our own, with its traceback."""
    return f"harness error: a fault of pytest-mcp-conformance, not of the implementation under test\n{outcome.reason}"


def check_lines(check: Check) -> Iterable[str]:
    """Give the lines that tell one check that is not a success."""
    places = ", ".join(reference.id for reference in check.spec)
    tag = f"[{check.level.value}{f', {places}' if places else ''}{', addition' if check.addition else ''}]"
    yield f"  {check.id}: {check.message or check.description}   {tag}"
    if check.spec:
        yield f"      {check.spec[0].url}"


def status_lines(outcome: Outcome) -> Iterable[str]:
    """Give one line a check, for verbose output."""
    for check in outcome.checks:
        reason = f"  {check.message}" if check.message else ""
        yield f"    {MARKS[check.status]} {check.status.value:<7} {check.id}{reason}"
    for name in outcome.unreached:
        yield f"    ? not reached {name}"


def fails(check: Check, *, strict: bool) -> bool:
    """Tell whether a check fails its scenario: a FAILURE does, and under `strict` a WARNING and an addition, too."""
    if check.addition and not strict:
        return False
    return check.status is Status.FAILURE or (strict and check.status is Status.WARNING)


def warnings_of(outcome: Outcome) -> list[Check]:
    """Return the checks of a good outcome that are worth reading: warnings and failed additions."""
    if outcome.ending not in (Ending.PASSED, Ending.WARNED):
        return []
    found = collapsed(outcome.checks).values()
    return [check for check in found if check.status in (Status.WARNING, Status.FAILURE)]
