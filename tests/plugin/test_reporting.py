"""What a reader sees: failures, warnings, files, at any number of workers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.plugin.conftest import Run, Scripted, broken_by

WORKERS = pytest.mark.parametrize("workers", ["0", "2"])


@WORKERS
def test_a_failing_scenario_tells_what_where_and_how_again(run: Run, workers: str) -> None:
    result = run(broken_by("tool-without-description"), "--mcp-scenario=tools-list,ping", "-n", workers)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "1 of 4 checks failed",
            "  tools-list: expected an array of tools*, got *   [[]MUST, MCP-Tools-List[]]",
            "      https://modelcontextprotocol.io/specification/*",
            "again: pytest *--mcp-server-cmd=*mcp/server::test_server[[]tools-list@2025-11-25[]]*",
            "*2 scenarios: 1 passed, 1 failed",
        ]
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED


SUMMARY = re.compile("=+ short test summary info =+\n(.*)", re.DOTALL)


@WORKERS
@pytest.mark.parametrize("place", [{"CI": "true"}, {"COLUMNS": "200"}])
def test_the_short_summary_names_what_failed_in_one_line_also_in_ci(
    run: Run, scripted: Scripted, monkeypatch: pytest.MonkeyPatch, place: dict[str, str], workers: str
) -> None:
    """There pytest shows messages uncut: everything that stands under FAILURES would stand there a second time."""
    for name, value in place.items():
        monkeypatch.setenv(name, value)
    scripted({"ping": "b:F a:F a:S c:S", "tools-list": "could not run", "prompts-list": "harness error"})
    result = run("--mcp-server-reference", "--mcp-scenario=ping,tools-list,prompts-list,caching", "-n", workers)
    told = SUMMARY.search(result.stdout.str())
    assert told is not None
    *lines, counts = told[1].splitlines()
    assert sorted(lines) == [
        "ERROR mcp/server::test_server[prompts-list@2025-11-25] - harness error: why",
        "ERROR mcp/server::test_server[tools-list@2025-11-25] - could not run: why",
        "FAILED mcp/server::test_server[ping@2025-11-25] - b, a",
    ]
    assert "1 failed, 1 passed, 2 errors" in counts


def test_the_short_summary_tells_a_stale_entry(
    run: Run, scripted: Scripted, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    scripted({"ping": "ping:S wire-schema-valid:F"})
    (pytester.path / "base.yml").write_text("server: [ping:ping, ping:wire-schema-valid]\n")
    result = run("--mcp-server-reference", "--mcp-scenario=ping", "--mcp-expected-failures=base.yml")
    line = "ping:ping is expected to fail and does not fail any more. Remove base.yml, line 1."
    result.stdout.fnmatch_lines([f"FAILED *[[]ping@2025-11-25[]] - {line}"])


@WORKERS
def test_remarks_stand_in_one_order_whoever_is_first(
    run: Run, scripted: Scripted, pytester: pytest.Pytester, workers: str
) -> None:
    """Workers report as they get ready; here the first scenario of each is the last to be there."""
    names = ("caching", "ping", "prompts-list", "resources-list", "tools-list")
    scripted(dict.fromkeys(names, "a:W"), more=LATE)
    result = run("--mcp-server-reference", f"--mcp-scenario={','.join(names)}", "-n", workers)
    told = [line.split("@")[0] for line in result.stdout.lines if line.endswith("passed, with remarks:")]
    assert told == sorted(names)


LATE = """
import time

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if "caching" in item.name:
        time.sleep(1)
"""


def test_the_line_that_runs_it_again_does(run: Run, pytester: pytest.Pytester) -> None:
    import shlex

    result = run(broken_by("tool-without-description"), "--mcp-scenario=tools-list")
    again = next(line for line in result.stdout.lines if line.startswith("again: pytest "))
    repeated = run(*shlex.split(again.removeprefix("again: pytest ")))
    repeated.assert_outcomes(failed=1)


@WORKERS
def test_a_warning_passes_and_is_shown(run: Run, workers: str) -> None:
    result = run(broken_by("tool-name-with-slash"), "--mcp-scenario=tools-list", "-n", workers)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        [
            "tools-list@2025-11-25 passed, with remarks:",
            "  tools-name-format: expected names of 1 to 128*",
            "1 scenario: 1 warned",
        ]
    )


@WORKERS
def test_a_warning_fails_under_strict(run: Run, workers: str) -> None:
    result = run(broken_by("tool-name-with-slash"), "--mcp-scenario=tools-list", "-n", workers, "--mcp-strict")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["1 of 4 checks failed", "  tools-name-format: *"])


@WORKERS
def test_files_are_those_of_the_published_suite(run: Run, pytester: pytest.Pytester, workers: str) -> None:
    result = run("--mcp-server-reference", "--mcp-scenario=ping,tools-list", "--mcp-results-dir=out", "-n", workers)
    result.stdout.fnmatch_lines(["results: out"])
    folders = sorted((pytester.path / "out").glob("server-*"))
    assert [folder.name.split("-2")[0] for folder in folders] == ["server-ping", "server-tools-list"]
    checks = json.loads((folders[0] / "checks.json").read_text())
    assert [check["id"] for check in checks] == ["ping", "x-response-content-type", "wire-schema-valid"]
    assert {"id", "name", "description", "status", "timestamp", "specReferences"} <= checks[0].keys()
    wire = [json.loads(line) for line in (folders[0] / "wire.jsonl").read_text().splitlines()]
    sent = [entry["body"]["method"] for entry in wire if entry["kind"] == "request" and entry["body"]]
    assert sent == ["initialize", "notifications/initialized", "ping"]


def test_a_run_at_several_revisions_has_them_in_the_names_of_folders(run: Run, pytester: pytest.Pytester) -> None:
    run("--mcp-server-reference", "--mcp-scenario=ping", "--mcp-spec-version=all", "--mcp-results-dir=out")
    names = sorted(folder.name for folder in (pytester.path / "out").glob("server-*"))
    assert [name.rsplit("-2026", 1)[0] for name in names] == ["server-ping@2025-06-18", "server-ping@2025-11-25"]


def test_results_that_cannot_be_written_are_told_before_the_run(run: Run, pytester: pytest.Pytester) -> None:
    (pytester.path / "out").write_text("a file")
    result = run("--mcp-server-reference", "--mcp-scenario=ping", "--mcp-results-dir=out")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--mcp-results-dir out: File exists. Give a folder that can be made.*"])


def test_a_failure_names_what_the_scenario_needs(run: Run) -> None:
    result = run(broken_by("text-empty"), "--mcp-scenario=tools-call-simple-text")
    result.stdout.fnmatch_lines(["  the server needs for this: tool test_simple_text"])


@WORKERS
def test_a_secret_is_in_no_output(run: Run, pytester: pytest.Pytester, workers: str) -> None:
    arguments = (
        "--mcp-header=Authorization: Bearer s3cr3t-t0ken",
        "--mcp-results-dir=out",
        "--junitxml=junit.xml",
        "-v",
    )
    result = run(broken_by("tool-without-description"), "--mcp-scenario=tools-list,ping", "-n", workers, *arguments)
    result.assert_outcomes(passed=1, failed=1)
    assert "s3cr3t" not in result.stdout.str() + result.stderr.str()
    written = [path for path in Path(pytester.path).rglob("*") if path.is_file()]
    assert len(written) > 4
    assert not [path for path in written if b"s3cr3t" in path.read_bytes()]


def test_junit_has_the_scenario_as_properties(run: Run, pytester: pytest.Pytester) -> None:
    run("--mcp-server-reference", "--mcp-scenario=ping", "--junitxml=junit.xml")
    text = (pytester.path / "junit.xml").read_text()
    for name, value in (("mcp_scenario", "ping"), ("mcp_revision", "2025-11-25"), ("mcp_outcome", "passed")):
        assert f'<property name="{name}" value="{value}"' in text


def test_x_stops_at_the_first_failure(run: Run) -> None:
    result = run(broken_by("malformed-notification"), "--mcp-scenario=ping,prompts-list,tools-list", "-x")
    result.assert_outcomes(failed=1)


def test_verbose_shows_every_check(run: Run) -> None:
    result = run("--mcp-server-reference", "--mcp-scenario=tools-list", "--mcp-spec-version=draft", "-v")
    result.stdout.fnmatch_lines(
        ["    * SUCCESS tools-list", "    * SUCCESS tools-name-format", "    * SUCCESS tools-list-deterministic-order"]
    )
