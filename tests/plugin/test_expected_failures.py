"""A baseline as a user sees it: expected failures are xfails, what is out of date fails, and the file can be rewritten."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.plugin.conftest import Run, Scripted, broken_by

WORKERS = pytest.mark.parametrize("workers", ["0", "2"])


@pytest.fixture
def baseline(pytester: pytest.Pytester) -> Callable[[str], Path]:
    """Return a function that writes `base.yml` in the folder of the run."""

    def write(text: str) -> Path:
        file = pytester.path / "base.yml"
        file.write_text(text)
        return file

    return write


NAMED = ("--mcp-server-reference", "--mcp-expected-failures=base.yml", "--mcp-scenario=ping,tools-list,prompts-list")


@WORKERS
def test_a_real_run_is_judged_by_its_baseline(run: Run, baseline: Callable[[str], Path], workers: str) -> None:
    """The server breaks a SHOULD of tools-list, which is listed; ping is listed and passes."""
    baseline(
        "server:\n"
        "  - {scenario: tools-list, check: tools-name-format, reason: renamed in 2.0, link: https://example.org/7}\n"
        "  - ping\n"
        "flaky:\n"
        "  - prompts-list\n"
    )
    arguments = (*NAMED[1:], "-n", workers, "-ra")
    result = run(broken_by("tool-name-with-slash"), *arguments)
    result.assert_outcomes(failed=1, passed=1, xfailed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["ping is expected to fail and does not fail any more. Remove base.yml, line 3.", "again: *"]
    )
    result.stdout.fnmatch_lines(
        [
            "expected failures, base.yml: 1 expected, 1 stale, 0 unexpected, 1 flaky of which 0 failed",
            "  stale: ping does not fail at 2025-11-25; remove base.yml, line 3",
            "  flaky, passed at 2025-11-25: prompts-list (base.yml, line 5)",
        ]
    )
    result.stdout.fnmatch_lines(
        [
            "XFAIL *tools-list@2025-11-25* - expected failure tools-list:tools-name-format (base.yml, line 2): renamed in 2.0 *"
        ]
    )


VERDICTS = {
    "server: [ping]": ("a:F", "XFAIL"),
    "server: [tools-list]": ("a:W", "XFAIL"),
    "server: ['prompts-list:prompts-list']": ("prompts-list:F b:F", "FAILED"),
    "server@2026-07-28: [caching]": ("a:F", "FAILED"),
    "flaky: [completion-complete]": ("a:F", "XFAIL"),
    "server: [logging-set-level]": ("could not run", "ERROR"),
    "flaky: [resources-list]": ("harness error", "ERROR"),
    "server: [resources-read-text]": ("not applicable", "FAILED"),
    "server: [resources-read-binary]": ("a:S", "FAILED"),
    "server: ['tools-call-image:wire-schema-valid']": ("a:S", "PASSED"),
    "client: [sse-retry]": ("a:S", "PASSED"),
}


def test_verdicts_are_those_of_pytest(run: Run, scripted: Scripted, baseline: Callable[[str], Path]) -> None:
    sections: dict[str, list[str]] = {}
    outcomes, expected = {}, {}
    for entry, (outcome, word) in VERDICTS.items():
        section, _, listed = entry.partition(": ")
        sections.setdefault(section, []).append(listed.strip("[]"))
        if section != "client":
            name = listed.strip("[']").partition(":")[0]
            outcomes[name], expected[name] = outcome, word
    baseline("".join(f"{section}: [{', '.join(entries)}]\n" for section, entries in sections.items()))
    scripted(outcomes)
    names = f"--mcp-scenario={','.join(outcomes)}"
    result = run(*NAMED[:2], names, "--mcp-spec-version=2025-11-25", "--mcp-force", "-v")
    found = dict(re.findall(r"^mcp/server::test_server\[(.*)@2025-11-25\] (\w+)", result.stdout.str(), re.MULTILINE))
    assert found == expected
    assert result.ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize(
    ("text", "outcome", "code"),
    [
        ("server: [ping]\nflaky: [tools-list]", "a:F", pytest.ExitCode.OK),
        ("flaky: [ping, tools-list]", "a:S", pytest.ExitCode.OK),
        ("", "a:W", pytest.ExitCode.TESTS_FAILED),
    ],
)
def test_the_baseline_decides_the_exit_code(
    *, run: Run, scripted: Scripted, baseline: Callable[[str], Path], text: str, outcome: str, code: pytest.ExitCode
) -> None:
    scripted({"ping": outcome, "tools-list": outcome})
    baseline(text)
    assert run(*NAMED).ret == code


def test_an_unexpected_failure_is_told_apart_from_the_expected_ones(
    run: Run, scripted: Scripted, baseline: Callable[[str], Path]
) -> None:
    scripted({"tools-list": "tools-list:F tools-name-format:F b:S"})
    baseline("server:\n  - tools-list:tools-name-format\n")
    result = run(*NAMED)
    result.stdout.fnmatch_lines(
        [
            "1 of 3 checks failed",
            "  tools-list: *",
            "expected: tools-list:tools-name-format (base.yml, line 2)",
            "again: *",
        ]
    )
    result.stdout.fnmatch_lines(
        ["*: 1 expected, 0 stale, 1 unexpected", "  unexpected: tools-list:tools-list at 2025-11-25"]
    )


def test_a_warning_that_fails_is_not_told_as_a_remark(
    run: Run, scripted: Scripted, baseline: Callable[[str], Path]
) -> None:
    scripted({"ping": "ping:W", "tools-list": "tools-list:W"})
    baseline("server: [tools-list]")
    result = run(*NAMED)
    result.assert_outcomes(failed=1, xfailed=1, passed=1)
    result.stdout.no_fnmatch_line("*passed, with remarks*")


def test_under_runxfail_what_is_expected_fails_and_what_is_stale_passes(
    run: Run, scripted: Scripted, baseline: Callable[[str], Path]
) -> None:
    scripted({"ping": "a:F", "prompts-list": "a:F"})
    baseline("server: [ping, tools-list]\nflaky: [prompts-list]")
    result = run(*NAMED, "--runxfail")
    result.assert_outcomes(failed=2, passed=1)
    result.stdout.fnmatch_lines(["1 of 1 checks failed", "*expected: ping (base.yml, line 1)*"])


def test_a_stale_entry_that_holds_at_another_revision_is_to_move(
    run: Run, scripted: Scripted, baseline: Callable[[str], Path]
) -> None:
    baseline("server: ['tools-list:tools-list']")
    scripted({"tools-list@2026-07-28": "tools-list:F", "tools-list@2025-11-25": "tools-list:S"})
    arguments = ("--mcp-scenario=tools-list", "--mcp-spec-version=2025-11-25,draft")
    result = run(*NAMED[:2], *arguments)
    result.assert_outcomes(failed=1, xfailed=1)
    result.stdout.fnmatch_lines(
        [
            "*tools-list does not fail at 2025-11-25; it does at 2026-07-28, so move base.yml, line 1 to server@2026-07-28"
        ]
    )


@pytest.mark.parametrize(
    ("text", "option", "told"),
    [
        (
            "server: [pong]",
            "base.yml",
            "*base.yml, line 1: no scenario of the server leg is named 'pong'. The nearest*ping*",
        ),
        (
            "server:\n  - ping: ping",
            "base.yml",
            "*base.yml, line 2: no space belongs behind the colon: write 'ping:ping'.*",
        ),
        ("", "other.yml", "*--mcp-expected-failures other.yml: No such file or directory.*"),
        ("", "", "*--mcp-expected-failures names no file.*"),
    ],
)
def test_a_bad_file_is_a_usage_error_before_anything_runs(
    run: Run, baseline: Callable[[str], Path], text: str, option: str, told: str
) -> None:
    baseline(text)
    result = run("--mcp-server-url=http://127.0.0.1:1/mcp", f"--mcp-expected-failures={option}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([told])
    result.stdout.no_fnmatch_line("*collected*")


ELSEWHERE = """

import os


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    if hasattr(config, "workerinput"):
        os.chdir("elsewhere")
"""


def test_workers_need_not_see_the_file(
    run: Run, scripted: Scripted, baseline: Callable[[str], Path], pytester: pytest.Pytester
) -> None:
    pytester.mkdir("elsewhere")
    scripted({"ping": "a:F"}, ELSEWHERE)
    baseline("server: [ping]")
    run(*NAMED, "-n", "2").assert_outcomes(xfailed=1, passed=2)


def test_in_an_ini_file_the_path_starts_at_that_file(
    run: Run,
    scripted: Scripted,
    baseline: Callable[[str], Path],
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scripted({"ping": "a:F"})
    baseline("server: [ping]")
    ini = pytester.makeini(
        "[pytest]\nmcp_expected_failures = base.yml\nmcp_server_reference = true\nmcp_scenario = ping\n"
    )
    monkeypatch.chdir(pytester.mkdir("below"))
    result = run("-c", str(ini), f"--rootdir={pytester.path}", "--confcutdir", str(pytester.path))
    result.assert_outcomes(xfailed=1)


def test_junit_has_the_verdict(
    run: Run, scripted: Scripted, baseline: Callable[[str], Path], pytester: pytest.Pytester
) -> None:
    scripted({"ping": "a:F"})
    baseline("server: [ping]")
    run(*NAMED, "--junitxml=junit.xml")
    assert '<property name="mcp_verdict" value="expected"' in (pytester.path / "junit.xml").read_text()


UPDATE = (*NAMED, "--mcp-update-expected-failures")


@WORKERS
def test_a_run_rewrites_the_file_and_the_next_one_is_as_expected(
    run: Run, scripted: Scripted, baseline: Callable[[str], Path], workers: str
) -> None:
    scripted({"tools-list": "tools-list:F tools-name-format:W"})
    file = baseline("# ours\nserver:\n  - tools-list:tools-list  # issue 3\n  - ping\n  # later\n  - caching\n")
    result = run(*UPDATE, "-n", workers)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "base.yml was rewritten: 1 added, 1 removed. The next run is judged by it.",
            "  + tools-list:tools-name-format under server",
            "  - ping, which was line 4",
        ]
    )
    assert file.read_text() == (
        "# ours\nserver:\n  - tools-list:tools-list  # issue 3\n  # later\n  - caching\n  - tools-list:tools-name-format\n"
    )
    assert run(*NAMED).ret == pytest.ExitCode.OK


def test_a_file_that_is_not_there_is_written_by_an_update(
    run: Run, scripted: Scripted, pytester: pytest.Pytester
) -> None:
    scripted({"ping": "ping:F"})
    result = run(*UPDATE)
    result.stdout.fnmatch_lines(["base.yml was written: 1 added, 0 removed. The next run is judged by it."])
    assert (pytester.path / "base.yml").read_text() == "server:\n  - ping:ping\n"


def test_a_run_that_is_broken_off_rewrites_nothing(
    run: Run, scripted: Scripted, baseline: Callable[[str], Path]
) -> None:
    stop = '\n\ndef pytest_runtest_call(item):\n    if "tools-list" in item.nodeid:\n        raise KeyboardInterrupt\n'
    scripted({}, stop)
    file = baseline("server: [ping, prompts-list]")
    result = run(*UPDATE)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["base.yml was left as it is: the run was broken off."])
    assert file.read_text() == "server: [ping, prompts-list]"


@WORKERS
def test_nor_does_one_that_stopped_at_a_failure(
    run: Run, scripted: Scripted, baseline: Callable[[str], Path], workers: str
) -> None:
    names = "caching,ping,prompts-list,resources-list,tools-list"
    scripted(dict.fromkeys(names.split(","), "wire-schema-valid:F"))
    file = baseline("server: [completion-complete]")
    arguments = (
        "--mcp-server-reference",
        f"--mcp-scenario={names}",
        "--mcp-expected-failures=base.yml",
        "--mcp-update-expected-failures",
        "-x",
        "-n",
        workers,
    )
    result = run(*arguments)
    assert result.ret in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
    result.stdout.fnmatch_lines(["base.yml was left as it is: the run was broken off."])
    assert file.read_text() == "server: [completion-complete]"


def test_a_check_of_how_a_client_ended_can_be_listed(run: Run, baseline: Callable[[str], Path], tmp_path: Path) -> None:
    """What an update writes under --mcp-strict, the next run has to read."""
    good = f"{sys.executable} -m pytest_mcp_conformance.reference.client"
    client = f"--mcp-client-cmd=sh -c '{good} \"$0\"; exit 3'"
    arguments = (client, "--mcp-scenario=initialize", "--mcp-strict", "--mcp-expected-failures=base.yml")
    file = baseline("client: []")
    first = run(*arguments, "--mcp-update-expected-failures")
    assert "x-client-exit" in file.read_text(), first.stdout.str()
    result = run(*arguments)
    assert result.ret == pytest.ExitCode.OK


def test_a_file_that_cannot_be_edited_is_left_and_fails_the_run(
    run: Run, scripted: Scripted, baseline: Callable[[str], Path]
) -> None:
    file = baseline("{flaky: ['ping:ping']}")
    scripted({"ping": "ping:F", "tools-list": "tools-list:F"})
    result = run(*UPDATE)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["base.yml was left as it is: it is written in a way that cannot be edited. *"])
    assert file.read_text() == "{flaky: ['ping:ping']}"


def test_an_update_needs_a_file(run: Run) -> None:
    result = run("--mcp-server-reference", "--mcp-update-expected-failures")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*needs a file to write. Name it with --mcp-expected-failures.*"])
