"""What the reports of a whole run are made of: values, and the counts that all of them show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.judgement import Judgement, Score, Verdict
from pytest_mcp_conformance.model import Ending, Leg, Outcome, Revision
from pytest_mcp_conformance.reporting.decisions import Decision
from pytest_mcp_conformance.verdict import Counting, fails

MEASURED = frozenset({Ending.PASSED, Ending.WARNED, Ending.FAILED})  # something was said about conformance
UNMEASURED = frozenset({Ending.COULD_NOT_RUN, Ending.HARNESS_ERROR})


@dataclass(frozen=True, kw_only=True)
class Result:
    """One scenario at one revision, as it was reported.

    :ivar again: the command line that runs it again.
    :ivar purpose: of the scenario, one sentence.
    :ivar task: what the scenario asks a client to do; empty on the other legs.
    :ivar written: the end of what a client wrote whose end is worth reading; empty otherwise.
    :ivar outcome: without its transcript, and without the details of its checks.
    :ivar decisions: the exchanges that decided what failed or warned.
    :ivar transcript: the entries as JSON for the page; none where no page was asked for.
    :ivar folder: where its files are, relative to the results folder, with slashes; none where none were asked for.
    """

    outcome: Outcome
    judgement: Judgement
    again: str
    purpose: str = ""
    task: str = ""
    written: str = ""
    decisions: tuple[Decision, ...] = ()
    transcript: str | None = None
    folder: str | None = None

    @property
    def id(self) -> str:
        """The scenario and its revision: `tools-list@2025-11-25`."""
        return self.outcome.id

    @property
    def scored(self) -> bool:
        """Whether it counts for the pass rate: a requirement set may leave it out."""
        return self.judgement.score in (None, Score.SCORED)

    @property
    def measured(self) -> bool:
        """Whether it is in the pass rate. A requirement set counts what does not apply as met, for nothing of it failed."""
        return self.judgement.meets_set is not None or self.outcome.ending in MEASURED

    def passes(self, *, strict: bool) -> bool:
        """Tell whether the implementation passes, whatever a baseline excuses."""
        if self.judgement.meets_set is not None:
            return self.judgement.meets_set
        counting = Counting(warnings=strict, additions=strict)
        return self.outcome.ending in MEASURED and not any(fails(check, counting) for check in self.outcome.checks)


@dataclass(frozen=True, kw_only=True)
class Unmeasured:
    """A scenario that the run was to measure and did not. `reason` is one line or several."""

    scenario: str
    revision: Revision
    reason: str


@dataclass(frozen=True, kw_only=True)
class UnmeasuredLeg:
    """A leg that a requirement set scores and this run is not about: so many scenarios stay unmeasured."""

    leg: Leg
    revision: Revision
    scenarios: int


@dataclass(frozen=True, kw_only=True)
class Target:
    """What was under test, without its credentials."""

    leg: Leg = Leg.SERVER
    kind: Literal["url", "command", "reference", "fixture"]
    url: str | None = None
    command: str | None = None

    @property
    def description(self) -> str:
        """A noun phrase."""
        if self.command is not None:
            return f"the {self.noun} started by: {self.command}"
        if self.url is not None:
            return f"the {self.noun} at {self.url}"
        return (
            f"the reference {self.noun}" if self.kind == "reference" else f"a {self.noun} of the project's own fixtures"
        )

    @property
    def noun(self) -> str:
        """What it is in one word, or two."""
        return "authorization server" if self.leg is Leg.AUTHORIZATION else self.leg.value


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """A whole run.

    :ivar versions: of tool, python and pytest.
    :ivar options: what was asked for: everything that is no credential.
    :ivar workers: of pytest-xdist; 0 without it.
    :ivar results: sorted by scenario and revision.
    :ivar unreported: what was collected and never reported.
    :ivar in_sets: how many scenarios of this leg the requirement sets of the run score.
    :ivar unmeasured_legs: what else these sets score.
    :ivar exit_code: pytest's.
    """

    versions: dict[str, str]
    target: Target
    options: JsonObject
    strict: bool
    started: datetime
    seconds: float
    workers: int
    results: tuple[Result, ...]
    unreported: tuple[Unmeasured, ...]
    exit_code: int
    in_sets: Mapping[Revision, int] = field(default_factory=dict)
    unmeasured_legs: tuple[UnmeasuredLeg, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether everything that was collected was reported."""
        return not self.unreported

    @property
    def unmeasured(self) -> tuple[Unmeasured, ...]:
        """What nothing can be said about, and why, sorted."""
        told = [
            Unmeasured(
                scenario=each.outcome.scenario,
                revision=each.outcome.revision,
                reason=f"{each.outcome.ending.value}: {each.outcome.reason}",
            )
            for each in self.results
            if each.outcome.ending in UNMEASURED
        ]
        return tuple(sorted([*told, *self.unreported], key=lambda each: (each.scenario, each.revision)))

    @property
    def revisions(self) -> tuple[Revision, ...]:
        """The revisions of the run, sorted."""
        return tuple(
            sorted({each.outcome.revision for each in self.results} | {each.revision for each in self.unreported})
        )

    def rates(self) -> tuple[Rate, ...]:
        """Return the pass rate of each revision, sorted."""
        return tuple(
            rate_of(
                revision,
                [each for each in self.results if each.outcome.revision == revision],
                unreported=sum(each.revision == revision for each in self.unreported),
                in_set=self.in_sets.get(revision),
                strict=self.strict,
            )
            for revision in self.revisions
        )


@dataclass(frozen=True, kw_only=True)
class Rate:
    """How many of the measured scenarios of one revision pass. Those that a requirement set does not score are left out.

    :ivar excused: that fail, and a baseline expects it.
    :ivar unmeasured: that count and could not be measured.
    :ivar not_scored: that a requirement set leaves out of the rate.
    :ivar in_set: how many scenarios a requirement set scores; fewer may have run.
    """

    revision: Revision
    passed: int
    warned: int
    failed: int
    excused: int
    not_applicable: int
    unmeasured: int
    not_scored: int
    in_set: int | None = None

    @property
    def measured(self) -> int:
        """The number of scenarios that the rate is of."""
        return self.passed + self.failed

    @property
    def share(self) -> float | None:
        """The rate, from 0 to 1; none where nothing was measured."""
        return self.passed / self.measured if self.measured else None

    @property
    def percent(self) -> str:
        """The rate for a reader. Only a full one is written as 100 %."""
        return percent(self.passed, self.measured) if self.measured else "none measured"


def percent(part: int, whole: int) -> str:
    """Return a rate that is 100 % only when nothing is missing."""
    rounded = round(100 * part / whole, 1)
    return f"{rounded if part == whole else min(rounded, 99.9):g} %"


def rate_of(
    revision: Revision, results: Sequence[Result], *, unreported: int, in_set: int | None, strict: bool
) -> Rate:
    """Count the results of one revision."""
    counted = [each for each in results if each.scored]
    measured = [each for each in counted if each.measured]
    passed = [each for each in measured if each.passes(strict=strict)]
    failed = [each for each in measured if not each.passes(strict=strict)]
    return Rate(
        revision=revision,
        passed=len(passed),
        warned=sum(each.outcome.ending is Ending.WARNED for each in passed),
        failed=len(failed),
        excused=sum(is_excused(each) for each in failed),
        not_applicable=sum(each.outcome.ending is Ending.NOT_APPLICABLE for each in counted if not each.measured),
        unmeasured=sum(each.outcome.ending in UNMEASURED for each in counted if not each.measured) + unreported,
        not_scored=len(results) - len(counted),
        in_set=in_set,
    )


def is_excused(result: Result) -> bool:
    """Tell whether a baseline excuses all that failed."""
    return result.judgement.verdict in (Verdict.EXPECTED, Verdict.FLAKY)


def counted_by_name(values: Iterable[str]) -> JsonObject:
    """Count values by their text, sorted."""
    return dict(sorted(Counter(values).items()))
