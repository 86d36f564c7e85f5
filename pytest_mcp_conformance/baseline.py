"""The rules of expected failures, over values: which entries bear on a run, and what its checks make of them.

The file is read in `baseline_file.py`, and rewritten from a run in `baseline_update.py`. Source of the rules: the published
suite (0.2.0-alpha.12), whose format this is; sections by revision, `flaky`, reasons and links are ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pytest_mcp_conformance.model import Check, Leg, Revision, Status
from pytest_mcp_conformance.verdict import Counting, collapsed

FAILED = frozenset({Status.FAILURE, Status.WARNING})  # on every leg, wherever a baseline judges


@dataclass(frozen=True, kw_only=True)
class Section:
    """Where an entry stands, and so which runs it is about: a leg and a revision, or all of them where none is named."""

    leg: Leg | None = None
    revision: Revision | None = None
    flaky: bool = False

    @property
    def name(self) -> str:
        """The section as its key names it: `server`, `server@2026-07-28`."""
        name = self.leg.value if self.leg else "flaky"
        return f"{name}@{self.revision.value}" if self.revision else name

    def covers(self, leg: Leg, revision: Revision) -> bool:
        """Tell whether an entry of this section is about a run of `leg` at `revision`."""
        return self.leg in (None, leg) and self.revision in (None, revision)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One expected failure: a scenario, or one check of it. With `section.flaky` it may fail or not.

    :ivar line: where it stands in its file, from 1.
    """

    scenario: str
    check: str | None = None
    section: Section
    line: int
    reason: str | None = None
    link: str | None = None

    @property
    def name(self) -> str:
        """The entry as it is written: `tools-list`, or `tools-list:tools-name-format`."""
        return self.scenario if self.check is None else f"{self.scenario}:{self.check}"


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """The entries of one file, in its order.

    :ivar path: the file as it was named.
    :ivar text: what stands in it.
    """

    path: str
    text: str = field(default="", repr=False)
    entries: tuple[Entry, ...] = ()

    def entries_for(self, scenario: str, leg: Leg, revision: Revision) -> tuple[Entry, ...]:
        """Return what is listed for one run."""
        return tuple(
            entry for entry in self.entries if entry.scenario == scenario and entry.section.covers(leg, revision)
        )


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """What the entries for one run and its checks make of each other.

    :ivar expected: entries whose check failed.
    :ivar stale: entries whose check did not.
    :ivar flaky: entries that may fail, and did.
    :ivar flaky_passed: entries that may fail, and did not.
    :ivar unexpected: what failed unlisted: the scenario, or where checks of it are listed, `scenario:check` each.
    """

    expected: tuple[Entry, ...] = ()
    stale: tuple[Entry, ...] = ()
    flaky: tuple[Entry, ...] = ()
    flaky_passed: tuple[Entry, ...] = ()
    unexpected: tuple[str, ...] = ()


def evaluate(scenario: str, checks: Iterable[Check], entries: Sequence[Entry], counting: Counting) -> Evaluation:
    """Judge the checks of a scenario that ran by the entries for it.

    Checks that do not count are left out, so an entry that names one is neither used nor stale. An id that occurs several
    times is judged by its most severe occurrence.
    """
    statuses = counted_statuses(checks, counting)
    failed = [name for name, status in statuses.items() if status in FAILED]
    if any(entry.check is None for entry in entries):
        hit = [bool(failed)] * len(entries)
        missed = [not failed] * len(entries)
        unlisted: list[str] = []
    else:
        hit = [entry.check in failed for entry in entries]
        # What was skipped or never reached says nothing about the entry.
        missed = [entry.section.flaky or statuses.get(entry.check or "") is Status.SUCCESS for entry in entries]
        listed = {entry.check for entry in entries}
        unlisted = [f"{scenario}:{name}" for name in failed if name not in listed]
    if failed and not entries:
        unlisted = [scenario]

    def those(which: Sequence[bool], *, flaky: bool) -> tuple[Entry, ...]:
        return tuple(
            entry for entry, is_one in zip(entries, which, strict=True) if is_one and entry.section.flaky is flaky
        )

    flaky = those(hit, flaky=True)
    return Evaluation(
        expected=those(hit, flaky=False),
        stale=those(missed, flaky=False),
        flaky=flaky,
        flaky_passed=tuple(entry for entry in those(missed, flaky=True) if entry not in flaky),
        unexpected=tuple(unlisted),
    )


def counted_statuses(checks: Iterable[Check], counting: Counting) -> dict[str, Status]:
    """Return one status per check id that counts, the most severe of its occurrences."""
    counted = [check for check in checks if counting.additions or not check.addition]
    return {name: check.status for name, check in collapsed(counted).items()}
