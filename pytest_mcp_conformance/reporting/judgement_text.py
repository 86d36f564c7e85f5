"""What a baseline makes of an outcome, in words for its reader."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_mcp_conformance.judgement import Judgement, Listed
from pytest_mcp_conformance.model import Ending, Outcome, Status


def excused_reason(outcome: Outcome, judgement: Judgement) -> str:
    """Return the reason of an xfail: which entries excuse it, where they stand, and what is written beside them."""
    told = [f"expected failure {listed_text(each)}" for each in judgement.expected]
    told += [f"flaky {listed_text(each)}" for each in judgement.flaky]
    if outcome.ending is Ending.COULD_NOT_RUN:
        told.append(f"could not run: {first_line(outcome.reason)}")
    return "; ".join(told)


def not_scored_reason(outcome: Outcome, judgement: Judgement) -> str:
    """Return the reason of an xfail of a scenario that its requirement set does not count."""
    if outcome.ending is Ending.COULD_NOT_RUN:
        return f"not scored ({judgement.score}): could not run: {first_line(outcome.reason)}"
    failed = dict.fromkeys(
        check.id for check in outcome.checks if check.status is Status.FAILURE and not check.addition
    )
    return f"not scored ({judgement.score}): {', '.join(failed)} failed"


def first_line(text: str | None) -> str:
    """Return the first line of a reason, which may be a page."""
    return next(iter((text or "").strip().splitlines()), "")


def excused_checks(judgement: Judgement) -> set[str]:
    """Return the ids of the failed checks that entries excuse one by one."""
    return {each.name.partition(":")[2] for each in (*judgement.expected, *judgement.flaky)} - {""}


def stale_lines(judgement: Judgement) -> Iterable[str]:
    """Give the lines that tell entries which are out of date, and what to do with each."""
    for each in judgement.stale:
        yield f"{each.name} is expected to fail and does not fail any more. Remove {each.place}."


def listed_lines(judgement: Judgement) -> Iterable[str]:
    """Give the lines that tell the entries which excuse a failed check."""
    for each in judgement.expected:
        yield f"expected: {listed_text(each)}"
    for each in judgement.flaky:
        yield f"flaky: {listed_text(each)}"


def listed_text(listed: Listed) -> str:
    """Return an entry in one line: name, place, reason and link."""
    behind = " ".join(filter(None, [listed.reason, listed.link]))
    return f"{listed.name} ({listed.place}){f': {behind}' if behind else ''}"
