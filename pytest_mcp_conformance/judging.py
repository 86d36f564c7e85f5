"""From an outcome to its judgement: what baseline, requirement sets and `--mcp-strict` make of it. Pure rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pytest_mcp_conformance.baseline import Baseline, Entry, Evaluation, evaluate
from pytest_mcp_conformance.judgement import Judgement, Listed, Score, Verdict
from pytest_mcp_conformance.model import Ending, Leg, Outcome, Revision, Status
from pytest_mcp_conformance.requirement_sets import RequirementSet
from pytest_mcp_conformance.verdict import Counting, fails


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What a run is judged by. With requirement sets, the one of an outcome's revision is meant for it."""

    baseline: Baseline | None = None
    sets: Mapping[Revision, RequirementSet] = field(default_factory=dict)
    strict: bool = False

    def score(self, leg: Leg, scenario: str, revision: Revision) -> Score | None:
        """Tell whether the requirement set of the revision counts the scenario; none where there is no such set."""
        requirements = self.sets.get(revision)
        return requirements.score(leg, scenario) if requirements else None

    def counting(self, score: Score | None) -> Counting:
        """Return which checks fail a scenario of this score."""
        if score not in (None, Score.SCORED):
            return Counting()
        return Counting(warnings=self.strict or self.baseline is not None, additions=self.strict and not self.sets)


def judge(outcome: Outcome, rules: Rules) -> Judgement:
    """Judge one outcome.

    A baseline judges what a requirement set scores, and without a set everything. What could not run, and a fault of ours, is
    excused by nothing and makes no entry stale. Only a client that fails before it connects, as one that does not know the
    scenario, may be expected to by an entry for the whole scenario, and decides nothing where the scenario is not scored.
    """
    score = rules.score(outcome.leg, outcome.scenario, outcome.revision)
    counting = rules.counting(score)
    if outcome.ending in (Ending.COULD_NOT_RUN, Ending.HARNESS_ERROR):
        if score not in (None, Score.SCORED) and _failed_before_connecting(outcome):
            return Judgement(verdict=Verdict.NOT_SCORED, score=score)
        excused = _excused_to_run(outcome, rules.baseline) if score in (None, Score.SCORED) else ()
        return Judgement(
            verdict=Verdict.EXPECTED if excused else Verdict.NONE,
            baseline=bool(excused),
            expected=excused,
            score=score,
            meets_set=None if score is None or not excused else False,
        )
    failed = any(fails(check, counting) for check in outcome.checks)
    if score not in (None, Score.SCORED):
        return Judgement(verdict=Verdict.NOT_SCORED if failed else Verdict.PASSED, score=score)
    meets_set = (
        None
        if score is None
        else not any(check.status is Status.FAILURE and not check.addition for check in outcome.checks)
    )
    if outcome.ending is Ending.NOT_APPLICABLE and not _is_stale(outcome, rules.baseline, counting):
        return Judgement(verdict=Verdict.NOT_APPLICABLE, score=score, meets_set=meets_set)
    if rules.baseline is None:
        return Judgement(verdict=Verdict.FAILED if failed else Verdict.PASSED, score=score, meets_set=meets_set)
    return _by_baseline(outcome, rules.baseline, counting, score=score, meets_set=meets_set)


def _is_stale(outcome: Outcome, baseline: Baseline | None, counting: Counting) -> bool:
    """Tell whether a baseline lists a scenario that does not even apply."""
    if baseline is None:
        return False
    return _by_baseline(outcome, baseline, counting, score=None, meets_set=None).verdict is Verdict.STALE


def _excused_to_run(outcome: Outcome, baseline: Baseline | None) -> tuple[Listed, ...]:
    """Return the entries that list the whole scenario of a client that failed before it connected."""
    if baseline is None or not _failed_before_connecting(outcome):
        return ()
    entries = baseline.entries_for(outcome.scenario, outcome.leg, outcome.revision)
    return _listed(baseline, [entry for entry in entries if entry.check is None])


def _failed_before_connecting(outcome: Outcome) -> bool:
    return outcome.client is not None and outcome.ending is Ending.COULD_NOT_RUN


def _listed(baseline: Baseline, entries: Iterable[Entry]) -> tuple[Listed, ...]:
    return tuple(
        Listed(name=entry.name, place=f"{baseline.path}, line {entry.line}", reason=entry.reason, link=entry.link)
        for entry in entries
    )


def _by_baseline(
    outcome: Outcome, baseline: Baseline, counting: Counting, *, score: Score | None, meets_set: bool | None
) -> Judgement:
    entries = baseline.entries_for(outcome.scenario, outcome.leg, outcome.revision)
    found = evaluate(outcome.scenario, outcome.checks, entries, counting)
    return Judgement(
        verdict=_verdict(found),
        baseline=True,
        expected=_listed(baseline, found.expected),
        flaky=_listed(baseline, found.flaky),
        flaky_passed=_listed(baseline, found.flaky_passed),
        stale=_listed(baseline, found.stale),
        unexpected=found.unexpected,
        score=score,
        meets_set=meets_set,
    )


def _verdict(found: Evaluation) -> Verdict:
    if found.unexpected:
        return Verdict.FAILED
    if found.stale:
        return Verdict.STALE
    if found.expected:
        return Verdict.EXPECTED
    return Verdict.FLAKY if found.flaky else Verdict.PASSED
