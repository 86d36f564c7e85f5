"""Under pytest-xdist a run says the same, however its items are dealt out and wherever its workers run."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.conftest import REFERENCE, Run, broken_by
from tests.plugin.test_run_reports import FILES, run_json, timeless

RUN = (
    broken_by("tool-without-description"),
    "--mcp-scenario=tools-list,prompts-list,ping",
    "--mcp-spec-version=2025-11-25,2026-07-28",
    "--mcp-expected-failures=base.yml",
    *FILES,
)
BASELINE = "server@2026-07-28:\n  - tools-list:tools-list\n  - prompts-list\n"


def told(folder: Path) -> Any:
    """Return what a run wrote, but for times, ports and the like; then take it away."""
    read = timeless(run_json(folder))
    checks = {}
    for path in sorted((folder / "out").glob("server-*/checks.json")):
        name = re.sub(r"-\d{4}-\d\d-\d\dT[\d-]+Z$", "", path.parent.name)
        checks[name] = sorted((check["id"], check["status"]) for check in json.loads(path.read_text()))
        assert path.with_name("wire.jsonl").stat().st_size > 0
    # In company a failure is confirmed alone, and the summary says so; a worker runs one scenario at a time.
    summary = re.sub(r"\d+(\.\d+)? m?s\b|127\.0\.0\.1:\d+", "", (folder / "summary.md").read_text())
    for path in sorted((folder / "out").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    return read, checks, summary


def test_every_way_to_deal_items_out_gives_the_same_verdicts_and_files(run: Run, pytester: pytest.Pytester) -> None:
    (pytester.path / "base.yml").write_text(BASELINE)
    alone = run(*RUN, "-n", "0", "--mcp-concurrency=1")
    outcomes = alone.parseoutcomes()
    assert outcomes == {"passed": 2, "failed": 2, "xfailed": 1}
    expected = told(pytester.path)
    assert len(expected[1]) == 5
    for mode in ("load", "loadscope", "loadfile", "worksteal"):
        dealt = run(*RUN, "-n", "2", "--dist", mode)
        assert (dealt.parseoutcomes(), dealt.ret) == (outcomes, alone.ret), mode
        assert told(pytester.path) == expected, mode


def test_a_worker_needs_neither_the_folder_of_the_run_nor_its_files(run: Run, pytester: pytest.Pytester) -> None:
    """The target, the selection and the strictness stand in an ini file that the workers do not see."""
    (pytester.path / "base.yml").write_text("server:\n  - tools-list\n")
    pytester.makeini(
        f"[pytest]\nmcp_server_cmd = pwd >> {pytester.path}/started; exec {REFERENCE} --fault tool-without-description\n"
        "mcp_scenario =\n  tools-list\n  ping\n  prompts-list\nmcp_expected_failures = base.yml\nmcp_strict = true\n"
    )
    elsewhere = pytester.mkdir("elsewhere")
    run("mcp/server", "-n", "0", "--mcp-concurrency=1", *FILES).assert_outcomes(passed=2, xfailed=1)
    expected = told(pytester.path)
    (pytester.path / "started").unlink()
    gateways = f"2*popen//chdir={elsewhere}//python={sys.executable}"
    run("mcp/server", "-d", "--tx", gateways, *FILES).assert_outcomes(passed=2, xfailed=1)
    assert told(pytester.path) == expected
    assert (pytester.path / "started").read_text().split() == [str(elsewhere)] * 2
    assert not {"out", "summary.md", "page.html", "base.yml"} & {path.name for path in elsewhere.iterdir()}
    named = run("mcp/server::test_server[ping]", "-d", "--tx", gateways, "-v")
    named.assert_outcomes(passed=1)
    named.stdout.fnmatch_lines(["*PASSED mcp/server::test_server[[]ping@2025-11-25[]]*"])
