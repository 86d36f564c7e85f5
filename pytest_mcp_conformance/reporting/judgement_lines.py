"""What baseline and requirement sets make of a run, as lines of its summary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_mcp_conformance.judgement import Judgement, Score, Verdict
from pytest_mcp_conformance.judging import Rules
from pytest_mcp_conformance.model import Ending, Leg, Outcome
from pytest_mcp_conformance.reporting.judgement_text import listed_text
from pytest_mcp_conformance.reporting.run_record import percent
from pytest_mcp_conformance.requirement_sets import LEGS, RequirementSet


@dataclass(frozen=True, kw_only=True)
class Judged:
    """An outcome with its judgement."""

    outcome: Outcome
    judgement: Judgement

    @property
    def name(self) -> str:
        """The item: `tools-list@2025-11-25`."""
        return self.outcome.id


def judgement_lines(judged: Sequence[Judged], rules: Rules, *, leg: Leg) -> Iterable[str]:
    """Give the lines of the summary; none where nothing but the checks judged.

    :param leg: the leg that ran.
    """
    if rules.baseline is not None:
        yield from baseline_lines(judged, rules.baseline.path)
    for requirements in rules.sets.values():
        yield from set_summary(requirements, judged, leg=leg)


def baseline_lines(judged: Sequence[Judged], path: str) -> Iterable[str]:
    """Give what a baseline expected, what is out of date in it, and what it does not list."""
    expected = [each for one in judged for each in one.judgement.expected]
    stale = [(one, each) for one in judged for each in one.judgement.stale]
    unexpected = [(one, name) for one in judged for name in one.judgement.unexpected]
    flaky = [(one, each, True) for one in judged for each in one.judgement.flaky]
    flaky += [(one, each, False) for one in judged for each in one.judgement.flaky_passed]
    told = f"{len(expected)} expected, {len(stale)} stale, {len(unexpected)} unexpected"
    failed = sum(has_failed for *_, has_failed in flaky)
    told += f", {len(flaky)} flaky of which {failed} failed" if flaky else ""
    yield f"expected failures, {path}: {told}"
    for one, each in stale:
        elsewhere = [other.outcome.revision.value for other in judged if each in other.judgement.expected]
        todo = f"it does at {', '.join(elsewhere)}, so move" if elsewhere else "remove"
        to = f" to {' and '.join(f'{one.outcome.leg}@{revision}' for revision in elsewhere)}" if elsewhere else ""
        yield f"  stale: {each.name} does not fail at {one.outcome.revision.value}; {todo} {each.place}{to}"
    for one, name in unexpected:
        yield f"  unexpected: {name} at {one.outcome.revision.value}"
    for one, each, has_failed in flaky:
        yield f"  flaky, {'failed' if has_failed else 'passed'} at {one.outcome.revision.value}: {listed_text(each)}"


def set_summary(requirements: RequirementSet, judged: Sequence[Judged], *, leg: Leg) -> Iterable[str]:
    """Give how far the implementation meets one set: scored, not scored, not measured, each apart."""
    here = [each for each in judged if each.outcome.revision is requirements.revision]
    scored = [each for each in here if each.judgement.score is Score.SCORED]
    measured = [each for each in scored if each.judgement.meets_set is not None]
    missed = [each for each in measured if not each.judgement.meets_set]
    names = requirements.scored.get(leg, ())
    met = len(measured) - len(missed)
    rate = f" ({percent(met, len(measured))})" if measured else ""
    yield (
        f"requirements {requirements.revision.value}, {leg.value}: {met} of {len(measured)} scored scenarios met{rate};"
        f" the set has {len(names)}"
    )
    for each in missed:
        excused = "" if each.judgement.verdict in (Verdict.FAILED, Verdict.STALE) else ", although it is expected"
        yield f"  not met: {each.outcome.scenario}{excused}"
    yield from _not_scored([each for each in here if each.judgement.score not in (None, Score.SCORED)])
    unmeasured = sorted(set(names) - {each.outcome.scenario for each in measured})
    if unmeasured:
        yield f"  not measured: {', '.join(unmeasured)}"
    for other in LEGS:
        number = len(requirements.scored.get(other, ()))
        if other is not leg and number:
            yield f"  not measured: the {other.value} leg, {number} scored scenarios"


def _not_scored(others: Sequence[Judged]) -> Iterable[str]:
    if not others:
        return
    ran = [each for each in others if each.outcome.ending not in (Ending.COULD_NOT_RUN, Ending.HARNESS_ERROR)]
    failed = [each for each in ran if each.judgement.verdict is Verdict.NOT_SCORED]
    unmeasured = f", {len(others) - len(ran)} not measured" if len(ran) < len(others) else ""
    yield f"  not scored: {len(ran)} ran, {len(failed)} of them failed{unmeasured}"
    for each in others:
        mark = {Verdict.NOT_SCORED: "✗", Verdict.PASSED: "✓"}.get(each.judgement.verdict, "-") if each in ran else "-"
        yield f"    {mark} {each.outcome.scenario} ({each.judgement.score})"
