"""The report of a run: results on disk as outcomes come in, and a summary in the terminal at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_mcp_conformance.collection import PLAN
from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.judgement import JUDGEMENT_ATTRIBUTE, Verdict, unpacked_judgement
from pytest_mcp_conformance.model import Ending, Outcome, Revision, Status
from pytest_mcp_conformance.options import Options
from pytest_mcp_conformance.outcome_json import unpacked
from pytest_mcp_conformance.reporting.failure_text import check_lines, status_lines, warnings_of
from pytest_mcp_conformance.reporting.judgement_lines import Judged
from pytest_mcp_conformance.reporting.results import write_results
from pytest_mcp_conformance.reporting.run_files import RunFiles

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

OUTCOME_ATTRIBUTE = "mcp_outcome"  # of a test report: the packed outcome


class Report:
    """Takes in outcomes and their judgements on the controller, in the order in which pytest reports them."""

    def __init__(self, config: pytest.Config, options: Options, files: RunFiles) -> None:
        self._last: dict[tuple[str, Revision], Judged] = {}
        self.written: list[Path] = []
        self._files = files
        self._config = config
        self._several_revisions = len({planned.revision for planned in config.stash[PLAN]}) > 1
        writes = options.results_dir is not None and not config.getoption("collectonly")
        self._folder = _made(str(options.results_dir)) if writes else None
        self._unwritable: str | None = None
        self._verbose = config.get_verbosity() > 0

    @property
    def judged(self) -> list[Judged]:
        """What was reported, each scenario at each revision once, sorted: of one that another plugin ran again, the last run.

        Workers of pytest-xdist report in an order of their own, another in every run.
        """
        return [self._last[name] for name in sorted(self._last)]

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the outcome off a report, write its files, and show its checks where that was asked for."""
        text: str | None = getattr(report, OUTCOME_ATTRIBUTE, None)
        if text is None:
            return
        outcome, judgement = unpacked(text), unpacked_judgement(getattr(report, JUDGEMENT_ATTRIBUTE))
        self._files.take(outcome, judgement, self._write(outcome))
        light = replace(outcome, transcript=(), client=None)  # a run has many, and a transcript may be large
        self._last[outcome.scenario, outcome.revision] = Judged(outcome=light, judgement=judgement)
        terminal = self._terminal()
        if self._verbose and terminal is not None:
            terminal.ensure_newline()
            for line in status_lines(outcome):
                terminal.write_line(line)

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Sum the run up."""
        if not self._last:
            return
        terminalreporter.write_sep("=", "MCP conformance")
        for line in summary_lines(self.judged):
            terminalreporter.write_line(line)
        if self._unwritable:
            terminalreporter.write_line(f"results could not be written: {self._unwritable}", red=True)
        elif self.written:
            terminalreporter.write_line(f"results: {self._folder}")

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the run where results that were asked for could not be written."""
        if self._unwritable and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _write(self, outcome: Outcome) -> Path | None:
        if self._folder is None or self._unwritable:
            return None
        try:
            self.written.append(write_results(self._folder, outcome, several_revisions=self._several_revisions))
        except OSError as error:
            self._unwritable = f"--mcp-results-dir {self._folder}: {error.strerror or error}"
            return None
        return self.written[-1]

    def _terminal(self) -> TerminalReporter | None:
        found: TerminalReporter | None = self._config.pluginmanager.get_plugin("terminalreporter")
        return found


def _made(folder: str) -> Path:
    """Make the folder of results, now: that it cannot be made must not be learned after the run.

    :raises Misuse: it cannot be made.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Misuse(
            f"--mcp-results-dir {folder}: {error.strerror or error}. Give a folder that can be made."
        ) from error
    return Path(folder)


def summary_lines(judged: Sequence[Judged]) -> Iterable[str]:
    """Give the lines of the summary: what passed with remarks, then the counts."""
    for each in judged:
        outcome = each.outcome
        if each.judgement.verdict is not Verdict.PASSED:
            continue
        remarks = warnings_of(outcome)
        if remarks:
            yield f"{each.name} passed, with remarks:"
            for check in remarks:
                yield from check_lines(check)
        if outcome.beside_others not in (None, outcome.ending):
            endings = f"{outcome.beside_others.value} beside others, {outcome.ending.value} alone"
            yield f"{each.name} {endings}"
    ended = Counter(each.outcome.ending for each in judged)
    told = ", ".join(f"{ended[ending]} {ending.value}" for ending in Ending if ended[ending])
    statuses = Counter(check.status for each in judged for check in each.outcome.checks)
    checks = ", ".join(f"{statuses[status]} {status.value}" for status in Status if statuses[status])
    yield f"{counted(len(judged), 'scenario')}: {told}"
    yield f"checks: {checks}" if checks else "no check was decided"


def counted(number: int, noun: str) -> str:
    """Return `1 scenario`, `2 scenarios`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
