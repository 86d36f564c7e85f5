"""The hooks of a run that has something to test."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from pytest_mcp_conformance import suite_fixtures
from pytest_mcp_conformance.collection import (
    LEG,
    PLAN,
    SUITE_FILES,
    SuiteModule,
    chosen_leg,
    collected_arguments,
    named_items,
    planned_items,
)
from pytest_mcp_conformance.contributed import take_in
from pytest_mcp_conformance.expectations import RULES, WORKER_INPUT, read_rules
from pytest_mcp_conformance.fixtures import NO_TARGET, OPTIONS, UNREADY, WORKER_OPTIONS
from pytest_mcp_conformance.gate import Gate
from pytest_mcp_conformance.judgement import JUDGEMENT_ATTRIBUTE, Verdict, packed_judgement
from pytest_mcp_conformance.options import Options
from pytest_mcp_conformance.outcome_json import packed
from pytest_mcp_conformance.reporting.failure_text import headline
from pytest_mcp_conformance.reporting.run_files import RunFiles
from pytest_mcp_conformance.reporting.terminal import OUTCOME_ATTRIBUTE, Report
from pytest_mcp_conformance.suite_id import SUITES, is_item
from pytest_mcp_conformance.targets import checked_options
from pytest_mcp_conformance.worker_options import packed_options


def begin(config: pytest.Config, options: Options) -> None:
    """Make the plan, and register what watches the run.

    :raises Misuse: a scenario, suite, revision, URL or file that cannot be used.
    """
    take_in(config)
    options = config.stash[OPTIONS] = checked_options(options)
    rules = read_rules(options, getattr(config, "workerinput", {}))
    config.stash[RULES] = rules
    leg = config.stash[LEG] = chosen_leg(options, config.args)
    config.stash[PLAN] = planned_items(leg, options, named_items(config.args), rules.sets.values())
    config.pluginmanager.register(suite_fixtures, "mcp-conformance-suite-fixtures")
    config.pluginmanager.register(Hooks(), "mcp-conformance-hooks")
    if not hasattr(config, "workerinput"):  # the controller alone writes files and summaries
        files = RunFiles(config, options)
        config.pluginmanager.register(files, "mcp-conformance-files")
        report = Report(config, options, files)
        config.pluginmanager.register(Gate(leg, options, rules, report, files), "mcp-conformance-gate")
        config.pluginmanager.register(report, "mcp-conformance-report")


def summarize(report: pytest.TestReport, line: str) -> None:
    """Have pytest show `line` in its short summary, and as the message in JUnit XML.

    It would show the whole text of the failure there a second time: in CI, and with -vv, uncut.
    """
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        crash.message = line


class Hooks:
    """What every process of the run does: collect, and hand outcomes over on the reports of the items."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Put the suite where pytest collects it."""
        config = session.config
        planned = config.stash[PLAN]
        typed = config.args_source is pytest.Config.ArgsSource.ARGS
        keep = typed or not config.stash[OPTIONS].target_named
        config.args = collected_arguments(config.stash[LEG], config.args, keep=keep, planned=planned)

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makemodule(self, module_path: Path, parent: pytest.Collector) -> SuiteModule | None:
        """Give a suite its short node id."""
        leg = SUITE_FILES.get(module_path)
        if leg is None:
            return None
        module: SuiteModule = SuiteModule.from_parent(parent, path=module_path, nodeid=SUITES[leg])
        return module

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make one item of each planned scenario."""
        if Path(str(metafunc.module.__file__)) in SUITE_FILES:
            planned = metafunc.config.stash[PLAN]
            metafunc.parametrize("planned", [*planned], ids=[each.id for each in planned])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Let the outcome ride on the report that ends the item."""
        report = yield
        if UNREADY in item.session.stash and is_item(item.nodeid):
            item.session.shouldfail = NO_TARGET  # every further item would say the same
        outcome = item.stash.get(suite_fixtures.OUTCOME, None)
        if outcome is not None and (call.when == "call" or (call.when == "setup" and not report.passed)):
            setattr(report, OUTCOME_ATTRIBUTE, packed(outcome))  # an extra attribute travels with the report
            judgement = item.stash[suite_fixtures.JUDGEMENT]
            setattr(report, JUDGEMENT_ATTRIBUTE, packed_judgement(judgement))
            if judgement.verdict is Verdict.NOT_SCORED and report.failed and call.excinfo is not None:
                # Under --runxfail pytest lets an xfail fail; but nothing hides this failure, the set did not ask for it.
                report.outcome, report.wasxfail = "skipped", str(call.excinfo.value)
            if report.failed:
                counting = item.config.stash[RULES].counting(judgement.score)
                summarize(report, headline(outcome, judgement, counting=counting))
        return report

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Give a worker of pytest-xdist what was read here: neither files nor variables need be where it runs."""
        node.workerinput[WORKER_OPTIONS] = packed_options(node.config.stash[OPTIONS])
        baseline = node.config.stash[RULES].baseline
        if baseline is not None:
            node.workerinput[WORKER_INPUT] = baseline.text
