"""What a run changes in a file of expected failures: which entries go, which come, and into which section.

Entries of scenarios that did not run stay, and so do flaky ones. The text itself is edited in `baseline_text.py`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from pytest_mcp_conformance.baseline import FAILED, Baseline, Entry, Evaluation, Section, counted_statuses, evaluate
from pytest_mcp_conformance.baseline_file import sections_in, text_of
from pytest_mcp_conformance.baseline_text import Addition, rewritten
from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.model import Leg, Outcome, Revision
from pytest_mcp_conformance.verdict import Counting

Applies: TypeAlias = Callable[[Leg, str, Revision], bool]  # whether a scenario can run at a revision


@dataclass(frozen=True, kw_only=True)
class Ran:
    """A scenario that the baseline judged, and which of its checks count."""

    outcome: Outcome
    counting: Counting


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What a run asks for.

    :ivar created: they made the file: there was none before.
    :ivar kept: entries that look out of date in this run, and why they stay, as sentences.
    """

    remove: tuple[Entry, ...] = ()
    add: tuple[Addition, ...] = ()
    kept: tuple[str, ...] = ()
    created: bool = False


def update_file(baseline: Baseline, ran: Sequence[Ran], applies: Applies) -> Changes:
    """Rewrite the file of `baseline` from a run, at once or not at all, and return what changed.

    :raises Misuse: the file has changed since it was read, is written in a way that cannot be edited, or cannot be written.
    """
    file = Path(baseline.path)
    created = not file.exists()
    now = "" if created else text_of(file)
    if now != baseline.text:
        raise Misuse(f"{baseline.path} was left as it is: it has changed while the run went on.")
    changes = changes_of(baseline, ran, applies)
    if changes.remove or changes.add or created:
        text = rewritten(baseline, changes.remove, changes.add)
        try:
            _replace(file.resolve(), text)
        except OSError as error:
            raise Misuse(f"{baseline.path} could not be written: {error.strerror or error}.") from error
        return replace(changes, created=created)
    return changes


def changes_of(baseline: Baseline, ran: Sequence[Ran], applies: Applies) -> Changes:
    """Return what has to change for a run like this one to be as expected."""
    runs = [_Run.of(each, baseline) for each in ran]
    found = _Changing(baseline, runs, applies)
    for entry in dict.fromkeys(entry for run in runs for entry in run.evaluation.stale):
        found.drop(entry)
    for scenario, leg in dict.fromkeys((run.scenario, run.leg) for run in runs):
        found.expect([run for run in runs if (run.scenario, run.leg) == (scenario, leg)])
    return Changes(remove=tuple(found.remove), add=tuple(dict.fromkeys(found.add)), kept=tuple(found.kept))


@dataclass(frozen=True, kw_only=True)
class _Run:
    """One run beside what the baseline makes of it. `unlisted` are the ids of checks that failed unexpectedly."""

    scenario: str
    leg: Leg
    revision: Revision
    evaluation: Evaluation
    unlisted: tuple[str, ...]

    @classmethod
    def of(cls, ran: Ran, baseline: Baseline) -> _Run:
        outcome = ran.outcome
        entries = baseline.entries_for(outcome.scenario, outcome.leg, outcome.revision)
        evaluation = evaluate(outcome.scenario, outcome.checks, entries, ran.counting)
        statuses = counted_statuses(outcome.checks, ran.counting)
        listed = {entry.check for entry in entries}
        unlisted = [name for name, status in statuses.items() if status in FAILED and name not in listed]
        return cls(
            scenario=outcome.scenario,
            leg=outcome.leg,
            revision=outcome.revision,
            evaluation=evaluation,
            unlisted=tuple(unlisted) if evaluation.unexpected else (),
        )


class _Changing:
    """Collects the changes of one run."""

    def __init__(self, baseline: Baseline, runs: Sequence[_Run], applies: Applies) -> None:
        self.remove: list[Entry] = []
        self.add: list[Addition] = []
        self.kept: list[str] = []
        self._baseline = baseline
        self._runs = runs
        self._applies = applies
        self._sections = sections_in(baseline.text)

    def drop(self, entry: Entry) -> None:
        """Remove an entry that is stale in some run; where it still holds at another revision, it moves there."""
        runs = [
            run for run in self._runs if run.scenario == entry.scenario and entry.section.covers(run.leg, run.revision)
        ]
        elsewhere = self._unrun_revisions(entry, runs)
        if elsewhere:
            self.kept.append(
                f"{entry.name}, line {entry.line}: it is for {', '.join(elsewhere)} as well, where this run did not go."
            )
            return
        self.remove.append(entry)
        for run in runs:
            if entry not in run.evaluation.stale:
                section = replace(entry.section, leg=run.leg, revision=run.revision)
                self.add.append(Addition(section=section, name=entry.name, moved=entry))

    def _unrun_revisions(self, entry: Entry, runs: Iterable[_Run]) -> list[Revision]:
        """Return the revisions that a file for several names, at which the entry holds and the scenario did not run."""
        if entry.section.revision is not None:
            return []
        legs = {run.leg for run in runs}
        named = {each.revision for each in self._sections if each.revision is not None and each.leg in {None, *legs}}
        possible = {each for each in named for leg in legs if self._applies(leg, entry.scenario, each)}
        return sorted(possible - {run.revision for run in runs})

    def expect(self, runs: Sequence[_Run]) -> None:
        """List what failed unexpectedly in the runs of one scenario."""
        for name in dict.fromkeys(name for run in runs for name in run.unlisted):
            failing = [run for run in runs if name in run.unlisted]
            for section in self._sections_for(failing, everywhere=len(failing) == len(runs)):
                self.add.append(Addition(section=section, name=f"{failing[0].scenario}:{name}"))

    def _sections_for(self, failing: Sequence[_Run], *, everywhere: bool) -> Iterable[Section]:
        """Return the section of the leg where the check failed at every revision that ran, else those of the revisions.

        A section of the revision that is already there is the right one, and no entry may contradict one of another section.
        """
        leg = failing[0].leg
        own = [Section(leg=leg, revision=run.revision) for run in failing]
        others = [entry for entry in self._baseline.entries if entry.scenario == failing[0].scenario]
        apart = any(entry.section.revision is not None and entry not in self.remove for entry in others)
        if everywhere and not apart and not any(section in self._sections for section in own):
            return [Section(leg=leg)]
        return own


def _replace(file: Path, text: str) -> None:
    """Write a file so that a reader finds the old text or the new one, never a part."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        if file.exists():
            shutil.copymode(file, temporary)
        else:
            Path(temporary).chmod(0o644)
        Path(temporary).replace(file)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise
