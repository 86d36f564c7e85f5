"""The end of a run on the controller: the exit code where pytest's own would look green, and the words for it.

Exit codes are pytest's, and nearly always pytest's own decision. Only a run in which no scenario was judged, which to pytest
is a good one if everything was skipped, ends as one that ran nothing (5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_mcp_conformance.collection import left_out_of
from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.fixtures import NO_TARGET
from pytest_mcp_conformance.judgement import Score
from pytest_mcp_conformance.judging import Rules
from pytest_mcp_conformance.model import Ending, Leg, Revision
from pytest_mcp_conformance.options import Options
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.reporting.judgement_lines import judgement_lines
from pytest_mcp_conformance.reporting.run_files import RunFiles
from pytest_mcp_conformance.reporting.run_record import MEASURED
from pytest_mcp_conformance.reporting.terminal import Report
from pytest_mcp_conformance.suite_id import is_item

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

    from pytest_mcp_conformance.baseline_update import Changes

BROKEN_OFF = (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR)


class Gate:
    """Watches which items of the suite ended how, and has the last word.

    :param report: takes the outcomes in; it is told of each report before the end of the run.
    :param files: knows what was collected.
    """

    def __init__(self, leg: Leg, options: Options, rules: Rules, report: Report, files: RunFiles) -> None:
        self._leg = leg
        self._options = options
        self._rules = rules
        self._report = report
        self._files = files
        self._items: set[str] = set()
        self._told: list[str] = []
        self._went_wrong = False
        self._has_no_target = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note that an item of the suite was there."""
        if is_item(report.nodeid):
            self._items.add(report.nodeid)

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Learn why a run is interrupted. Under pytest-xdist this is how a worker's own end of the session arrives."""
        self._has_no_target = NO_TARGET in str(excinfo.value)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Rewrite the expected failures where that was asked for, and see that nothing looks green that is not."""
        if self._options.update_expected_failures:
            self._update(session)
        if session.exitstatus == pytest.ExitCode.INTERRUPTED and self._has_no_target:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED  # as without workers
        if session.exitstatus == pytest.ExitCode.OK and self._items:
            empty = self._why_nothing_is_said()
            if empty:
                self._told.append(f"{empty} This run says nothing about conformance (exit code 5).")
                session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED
            elif lost := self._unreported():
                self._told.append(f"Not reported, so that the run is not complete (exit code 1): {', '.join(lost)}.")
                session.exitstatus = pytest.ExitCode.TESTS_FAILED
            elif self._went_wrong:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Tell what baseline and requirement sets make of the run."""
        judged = self._report.judged
        for line in left_out_of(self._leg, self._options) if judged else ():
            terminalreporter.write_line(line, yellow=True)
        for line in judgement_lines(judged, self._rules, leg=self._leg) if judged else ():
            terminalreporter.write_line(line)
        for line in self._told:
            terminalreporter.write_line(line, yellow=True)

    def _unreported(self) -> list[str]:
        """Return the items that were collected and never reported, sorted; a worker that breaks down may lose some."""
        return sorted(nodeid for nodeid in self._files.collected - self._items if is_item(nodeid))

    def _why_nothing_is_said(self) -> str:
        judged = [each for each in self._report.judged if each.outcome.ending in MEASURED]
        if not judged:
            if any(each.outcome.ending is Ending.COULD_NOT_RUN for each in self._report.judged):
                return "No scenario was judged: what was to be tested never came to it, although that is expected."
            return f"No scenario was judged: all of {len(self._items)} were skipped."
        if not any(each.outcome.checks for each in judged):
            return "No check was decided."
        if self._rules.sets and not any(each.judgement.score is Score.SCORED for each in judged):
            return "No scenario ran that the requirement sets score."
        return ""

    def _update(self, session: pytest.Session) -> None:
        baseline = self._rules.baseline
        if baseline is None or not self._report.judged:
            return
        if session.exitstatus in BROKEN_OFF or self._unreported():  # -x and --maxfail end like a failure
            self._told.append(f"{baseline.path} was left as it is: the run was broken off.")
            return
        from pytest_mcp_conformance.baseline_update import Ran, update_file  # loads YAML

        ran = [
            Ran(outcome=each.outcome, counting=self._rules.counting(each.judgement.score))
            for each in self._report.judged
            if each.judgement.baseline
        ]
        try:
            self._told += _update_lines(update_file(baseline, ran, _applies), baseline.path)
        except Misuse as error:
            self._told.append(str(error))
            self._went_wrong = True


def _applies(leg: Leg, scenario: str, revision: Revision) -> bool:
    return scenario in scenarios(leg) and scenarios(leg)[scenario].applies_at(revision)


def _update_lines(changes: Changes, path: str) -> list[str]:
    lines = [f"  kept: {told}" for told in changes.kept]
    if not (changes.add or changes.remove or changes.created):
        return [f"{path} needs no change.", *lines]
    done = "written" if changes.created else "rewritten"
    return [
        f"{path} was {done}: {len(changes.add)} added, {len(changes.remove)} removed. The next run is judged by it.",
        *(f"  + {each.name} under {each.section.name}" for each in changes.add),
        *(f"  - {entry.name}, which was line {entry.line}" for entry in changes.remove),
        *lines,
    ]
