"""The files about a whole run, written on the controller when it ends, also where it was broken off."""

from __future__ import annotations

import os
import platform
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from pytest_mcp_conformance import __version__
from pytest_mcp_conformance.collection import LEG, PLAN
from pytest_mcp_conformance.declared_options import DECLARED
from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.expectations import RULES
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, dumps
from pytest_mcp_conformance.judgement import Judgement
from pytest_mcp_conformance.model import Leg, Outcome
from pytest_mcp_conformance.options import Options
from pytest_mcp_conformance.protocol.recorder import REDACTED
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.reporting.decisions import decisions_of
from pytest_mcp_conformance.reporting.failure_text import ended_oddly, output_lines
from pytest_mcp_conformance.reporting.run_json import run_as_json
from pytest_mcp_conformance.reporting.run_record import Result, RunRecord, Target, Unmeasured, UnmeasuredLeg
from pytest_mcp_conformance.reporting.transcript_json import transcript_json
from pytest_mcp_conformance.reporting.written import write_whole
from pytest_mcp_conformance.requirement_sets import LEGS
from pytest_mcp_conformance.selection import Planned
from pytest_mcp_conformance.settling import again_line
from pytest_mcp_conformance.suite_id import is_item, item_id

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

RESULTS = "--mcp-results-dir"
JOB_SUMMARY = "GITHUB_STEP_SUMMARY"  # GitHub names in it the file that is shown on the page of a job
REASON_CHARACTERS = 1_000  # of why something was not reported: an error text may be a page
UNTOLD = frozenset(
    {
        "headers",
        "list",
        "target_named",
        "selects",
        *(option.member for option in DECLARED if option.targets or option.secret),
    }
)


class RunFiles:
    """Collects what was reported and writes it: `run.json`, the summary, the page."""

    def __init__(self, config: pytest.Config, options: Options) -> None:
        self.written: list[str] = []
        self.remarks: list[str] = []
        self.unwritable: list[str] = []
        self._config = config
        self._options = options
        self._started = datetime.now(UTC)
        self._clock = time.monotonic()
        self._results: dict[Planned, Result] = {}
        self.collected: set[str] = set()  # node ids
        self._died: dict[str, str] = {}

    def take(self, outcome: Outcome, judgement: Judgement, folder: Path | None) -> None:
        """Keep what was reported of one scenario; of one that ran several times, the last."""
        planned = Planned(scenario=outcome.scenario, revision=outcome.revision)
        scenario = scenarios(outcome.leg).get(outcome.scenario)
        root = self._options.results_dir
        self._results[planned] = Result(
            outcome=_lightened(outcome),
            judgement=judgement,
            again=_blotted(again_line(outcome.leg, self._options, planned), self._options),
            purpose=scenario.purpose if scenario else "",
            task=scenario.task if scenario else "",
            written=dedent("\n".join(output_lines(outcome))) if ended_oddly(outcome) else "",
            decisions=decisions_of(outcome, secret_headers=self._options.headers),
            transcript=transcript_json(outcome.transcript) if self._options.html is not None else None,
            folder=folder.relative_to(root).as_posix() if folder is not None and root is not None else None,
        )

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Learn what is going to run in this process, and have the template of the page ready when it has run."""
        self.collected.update(item.nodeid for item in session.items)
        if self._options.html is not None and not session.config.option.collectonly:
            threading.Thread(target=_load_page, name="mcp-page-template", daemon=True).start()

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """Learn what is going to run on workers: each of them collects everything."""
        self.collected.update(ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Learn why an item ends without an outcome: there was no target, or its worker died."""
        if report.failed and is_item(report.nodeid):
            self._died[report.nodeid] = str(report.longrepr)[:REASON_CHARACTERS].strip()

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None]:
        """Write the files when all others have had their say on the exit code, and before the terminal sums up."""
        yield
        if session.config.option.collectonly or not (self.collected or self._results):
            return
        run = self.record(exit_code=int(session.exitstatus))
        self._write_all(run)
        if self.unwritable and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Tell which files there are, and which could not be written."""
        for line in self.unwritable:
            terminalreporter.write_line(f"could not be written: {line}", red=True)
        for line in self.remarks:
            terminalreporter.write_line(line, yellow=True)
        for line in self.written:
            terminalreporter.write_line(line)

    def record(self, *, exit_code: int) -> RunRecord:
        """Return the run so far."""
        options, leg = self._options, self._config.stash[LEG]
        unreported = [
            Unmeasured(scenario=planned.scenario, revision=planned.revision, reason=self._why_unreported(nodeid))
            for planned in self._config.stash[PLAN]
            if (nodeid := item_id(leg, planned.id)) in self.collected and planned not in self._results
        ]
        sets = self._config.stash[RULES].sets.values()
        workers = getattr(self._config.option, "tx", None) or []
        return RunRecord(
            versions={"version": __version__, "python": platform.python_version(), "pytest": pytest.__version__},
            target=target_of(leg, options),
            options=told_options(options),
            strict=options.strict,
            started=self._started,
            seconds=time.monotonic() - self._clock,
            workers=len(workers),
            results=tuple(self._results[planned] for planned in sorted(self._results)),
            unreported=tuple(unreported),
            exit_code=exit_code,
            in_sets={each.revision: len(each.scored.get(leg, ())) for each in sets},
            unmeasured_legs=tuple(
                UnmeasuredLeg(leg=other, revision=each.revision, scenarios=len(each.scored[other]))
                for each in sets
                for other in LEGS
                if other is not leg and each.scored.get(other)
            ),
        )

    def _why_unreported(self, nodeid: str) -> str:
        return self._died.get(nodeid) or "the run ended before it"

    def _write_all(self, run: RunRecord) -> None:
        options = self._options
        if options.results_dir is not None:
            self._write(
                RESULTS, Path(options.results_dir, "run.json"), lambda: f"{dumps(run_as_json(run), indent=2)}\n"
            )
        if options.html is not None:
            from pytest_mcp_conformance.reporting.page import page  # loads Jinja

            self._write("--mcp-html", Path(options.html), lambda: page(run))
        job_summary = os.environ.get(JOB_SUMMARY)
        if options.summary is None and not job_summary:
            return
        from pytest_mcp_conformance.reporting.markdown_summary import markdown_summary

        text = markdown_summary(run)
        if options.summary is not None:
            self._write("--mcp-summary", Path(options.summary), lambda: text)
        if job_summary:
            self._append(Path(job_summary), text)

    def _write(self, option: str, path: Path, content: Callable[[], str]) -> None:
        try:
            write_whole(path, content())
        except OSError as error:
            self.unwritable.append(f"{option} {path}: {error.strerror or error}")
        else:
            if option != RESULTS:  # the folder is told as a whole
                self.written.append(f"{option.removeprefix('--mcp-')}: {path}")

    def _append(self, path: Path, text: str) -> None:
        """Add to the job summary. Nobody asked for it on the command line, so that it cannot be written fails nothing."""
        try:
            with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(f"{text}\n")
        except OSError as error:
            self.remarks.append(f"the job summary could not be written: {path}: {error.strerror or error}")


def _load_page() -> None:
    """Load the template while the scenarios run: they mostly wait."""
    from pytest_mcp_conformance.reporting.page import template  # loads Jinja

    template()


def _lightened(outcome: Outcome) -> Outcome:
    """Leave out what the scenario's own files have and the reports of the whole run do not: a run may have many."""
    return replace(
        outcome,
        transcript=(),
        checks=tuple(replace(check, details=None) for check in outcome.checks),
        client=replace(outcome.client, stdout=b"", stderr=b"") if outcome.client else None,
    )


def target_of(leg: Leg, options: Options) -> Target:
    """Return what is tested, with every credential blotted out that is known as one."""
    given = (options.server_url, options.server_cmd or options.client_cmd)
    url, command = (None if text is None else _blotted(text, options) for text in given)
    if command is not None:
        return Target(leg=leg, kind="command", command=command, url=url)
    if url is not None:
        return Target(leg=leg, kind="url", url=url)
    if options.authorization_url or options.authorization:
        return Target(leg=leg, kind="url", url=_issuer(options))
    reference = options.server_reference or options.client_reference or options.authorization_reference
    return Target(leg=leg, kind="reference" if reference else "fixture")


def _issuer(options: Options) -> str | None:
    """Return the issuer under test, which a settings file may name."""
    from pytest_mcp_conformance.targets.authorization import settings_of  # loads what only this leg needs

    try:
        return settings_of(options).url
    except Misuse:  # the file went away during the run
        return options.authorization_url or options.authorization


def told_options(options: Options) -> JsonObject:
    """Return the options as JSON; of headers the names alone."""
    told: JsonObject = {}
    for field in fields(options):
        if field.name not in UNTOLD:
            value: JsonValue = getattr(options, field.name)
            told[field.name] = [*value] if isinstance(value, tuple) else value
    names: list[JsonValue] = [*sorted(options.headers)]
    return {**told, "headers": names}


def _blotted(text: str, options: Options) -> str:
    """Return a text of the command line without what is known to be a credential."""
    if not options.headers:
        return text
    from pytest_mcp_conformance.running import secrets_of  # loads the HTTP client

    for secret in secrets_of(options.headers):
        text = text.replace(secret, REDACTED)
    return text
