"""A client under test as its author sees it: what pytest prints and writes, in one process and in several."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from tests.plugin.conftest import Run
from tests.plugin.small_client import __file__ as small_client
from tests.targets.processes import members, number_in, until

CLIENT = shlex.join([sys.executable, "-I", "-S", str(small_client)])
PASSES = f"--mcp-client-cmd={CLIENT}"
LISTS_ONLY = f"--mcp-client-cmd={CLIENT} --calls 0"
REVISIONS = ("2025-06-18", "2025-11-25", "2026-07-28")
TOOLS_CALL = ("--mcp-scenario=tools_call", "--mcp-spec-version=2025-06-18,2026-07-28")
ITEM = "mcp/client::test_client[[]tools_call@2025-06-18[]]"
PATIENCE_SECONDS = 20
WORKERS = pytest.mark.parametrize("workers", ["0", "2"])


# How a scenario ends.

EACH_WAY = f"""
case $MCP_CONFORMANCE_SCENARIO@$MCP_CONFORMANCE_PROTOCOL_VERSION in
initialize@*) echo waiting; exec sleep 60;;
*@2026-07-28) echo no such revision >&2; exit 3;;
*@2025-11-25) exec {CLIENT} --calls 0 "$1";;
*@2025-06-18) printf 'out\\377'; echo err >&2; exec {CLIENT} "$1";;
esac
"""
BLOCK = re.compile(r"^_+ [^\n]*test_client\[([\w@-]+)\] _+\n(.*?)^again:", re.DOTALL | re.MULTILINE)


@WORKERS
def test_each_way_to_end_is_told(run: Run, pytester: pytest.Pytester, workers: str) -> None:
    (pytester.path / "client.sh").write_text(EACH_WAY)
    result = run(
        "--mcp-client-cmd=sh client.sh",
        "--mcp-scenario=tools_call,initialize",
        "--mcp-spec-version=2025-06-18,2025-11-25,2026-07-28",
        "--mcp-force",
        "--mcp-timeout=2",
        "--mcp-results-dir=out",
        "--deselect=mcp/client::test_client[initialize@2025-11-25]",
        "--deselect=mcp/client::test_client[initialize@2026-07-28]",
        "-v",
        "-n",
        workers,
    )
    result.assert_outcomes(passed=1, failed=2, errors=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines_random([f"*{ITEM}*", "    ✓ SUCCESS x-client-exit"])
    blocks = dict(BLOCK.findall(result.stdout.str()))
    assert "the client still ran after 2." in blocks["initialize@2025-06-18"]
    assert "\n  its stdout:\n    waiting\n" in blocks["initialize@2025-06-18"]
    failed = blocks["tools_call@2025-11-25"]
    assert "  tool-add-numbers: expected a call of add_numbers with numbers a and b, got no call" in failed
    assert "  the client's task: List the tools, call the one" in failed
    assert "its std" not in failed
    assert "ended with exit code 3 before a request of it came to http://" in blocks["tools_call@2026-07-28"]
    assert blocks["tools_call@2026-07-28"].endswith(
        "\n  its stderr:\n    no such revision\nNothing is said about conformance.\n"
    )
    folders = {path.name[: len("initialize@2025-06-18")]: path for path in (pytester.path / "out").glob("*-*/")}
    assert folders.keys() == {*(f"tools_call@{revision}" for revision in REVISIONS), "initialize@2025-06-18"}
    assert (folders["tools_call@2025-06-18"] / "stdout.txt").read_bytes() == b"out\xffThe sum is 3\n"
    assert (folders["tools_call@2025-06-18"] / "stderr.txt").read_bytes() == b"err\n"


def test_the_line_to_run_again_does(run: Run) -> None:
    printed = run(LISTS_ONLY, *TOOLS_CALL[:1]).stdout.str()
    (again,) = re.findall("^again: (.*)$", printed, re.MULTILINE)
    run(*shlex.split(again)[1:]).assert_outcomes(failed=1)


@WORKERS
def test_where_there_is_no_such_command_the_run_stops_and_says_so(run: Run, workers: str) -> None:
    result = run("--mcp-client-cmd=no-such-client --verbose", "-n", workers)
    outcomes = result.parseoutcomes()
    assert outcomes.keys() == ({"error", "errors"} & outcomes.keys())
    assert 1 <= sum(outcomes.values()) <= max(int(workers), 1)
    result.stdout.fnmatch_lines(
        [
            "could not run: the client that 'no-such-client --verbose' starts ended with exit code 127 before a request *",
            "  its stderr:",
            "    *no-such-client: not found",
            "Nothing is said about conformance.",
            "again: pytest '--mcp-client-cmd=no-such-client --verbose' *",
            "*there is nothing to test; no scenario ran*",
        ]
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_one_that_lacks_a_single_scenario_goes_on(run: Run, pytester: pytest.Pytester) -> None:
    """A script that has a program for each scenario ends like a command that is not there."""
    line = f'test "$MCP_CONFORMANCE_PROTOCOL_VERSION" != 2025-11-25 || exec ./no-such-program; {CLIENT}'
    versions = "--mcp-spec-version=2025-06-18,2025-11-25,2026-07-28"
    result = run(f"--mcp-client-cmd={line}", TOOLS_CALL[0], versions)
    result.assert_outcomes(passed=2, errors=1)


def test_what_one_says_that_never_connects_is_shown_whatever_its_exit_code(run: Run) -> None:
    result = run("--mcp-client-cmd=echo cannot connect >&2; exit 0 #", *TOOLS_CALL)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["  the client ended with exit code 0", "  its stderr:", "    cannot connect"])


def test_its_output_moves_no_cursor(run: Run) -> None:
    result = run(r"--mcp-client-cmd=printf '\033[31mred\a\033]0;title\a \377 \033[2J\r' >&2; exit 1 #", *TOOLS_CALL)
    result.assert_outcomes(errors=2)
    assert all(line.isprintable() for line in [*result.outlines, *result.errlines])


def test_exitfirst_ends_the_run_and_the_clients_of_it(run: Run, pytester: pytest.Pytester) -> None:
    line = "test $MCP_CONFORMANCE_PROTOCOL_VERSION = 2025-06-18 || { echo $$ > group; exec sleep 60; }; exit 0 #"
    result = run(f"--mcp-client-cmd={line}", *TOOLS_CALL, "-x", "--mcp-timeout=1")
    result.assert_outcomes(failed=1)
    assert members(number_in(pytester.path / "group")) == []


# What it writes.


def test_results_are_in_the_published_layout(run: Run, pytester: pytest.Pytester) -> None:
    run(PASSES, TOOLS_CALL[0], "--mcp-results-dir=out").assert_outcomes(passed=1)
    (folder,) = (path for path in (pytester.path / "out").iterdir() if path.is_dir())
    assert re.fullmatch(r"tools_call-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z", folder.name)
    assert {path.name for path in folder.iterdir()} == {"checks.json", "stdout.txt", "stderr.txt", "wire.jsonl"}
    checks = json.loads((folder / "checks.json").read_text())
    assert [(check["id"], check["status"]) for check in checks] == [
        ("tool-add-numbers", "SUCCESS"),
        ("x-call-answered", "SUCCESS"),
        ("wire-schema-valid", "SUCCESS"),
        ("x-client-exit", "SUCCESS"),
    ]
    wire = [json.loads(text) for text in (folder / "wire.jsonl").read_text().splitlines()]
    assert [entry["body"]["method"] for entry in wire if entry["kind"] == "request"] == [
        "initialize",
        "notifications/initialized",
        "tools/list",
        "tools/call",
    ]


# What is expected of it.


def expecting(pytester: pytest.Pytester, text: str) -> str:
    (pytester.path / "base.yml").write_text(text)
    return "--mcp-expected-failures=base.yml"


def test_expected_failures_are_those_of_the_section_client(run: Run, pytester: pytest.Pytester) -> None:
    option = expecting(pytester, "server:\n  - ping\nclient:\n  - tools_call:tool-add-numbers  # soon\n")
    result = run(LISTS_ONLY, *TOOLS_CALL, option, "-rx")
    result.assert_outcomes(xfailed=2)
    result.stdout.fnmatch_lines([f"XFAIL {ITEM} - expected failure tools_call:tool-add-numbers (base.yml, line 4)*"])
    assert result.ret == pytest.ExitCode.OK


def test_an_entry_that_holds_no_more_is_stale(run: Run, pytester: pytest.Pytester) -> None:
    result = run(PASSES, *TOOLS_CALL, expecting(pytester, "client:\n  - tools_call\n"))
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        ["tools_call is expected to fail and does not fail any more. Remove base.yml, line 2.", "again: *"]
    )


@pytest.mark.parametrize(
    ("entry", "outcomes"),
    [("tools_call", {"xfailed": 2}), ("tools_call:tool-add-numbers", {"errors": 2})],
)
def test_an_entry_for_a_whole_scenario_covers_a_client_that_fails_before_it_connects(
    run: Run, pytester: pytest.Pytester, entry: str, outcomes: dict[str, int]
) -> None:
    option = expecting(pytester, f"client:\n  - {entry}\n")
    result = run("--mcp-client-cmd=echo unknown scenario >&2; exit 2 #", *TOOLS_CALL, option)
    assert result.parseoutcomes() == outcomes


def test_a_command_that_is_not_there_is_expected_where_its_scenario_is(run: Run, pytester: pytest.Pytester) -> None:
    option = expecting(pytester, "client:\n  - tools_call\n")
    run("--mcp-client-cmd=./no-such-client-for/$MCP_CONFORMANCE_SCENARIO", *TOOLS_CALL, option).assert_outcomes(
        xfailed=2
    )


# However a run ends, no client is left.


@pytest.mark.parametrize(
    ("how", "workers"),
    [(signal.SIGINT, []), (signal.SIGINT, ["-n", "2"]), (signal.SIGKILL, [])],
    ids=["Ctrl+C", "Ctrl+C, two workers", "SIGKILL"],
)
def test_a_run_that_is_broken_off_leaves_no_client(
    pytester: pytest.Pytester, how: signal.Signals, workers: list[str]
) -> None:
    line = "trap '' TERM; sleep 600 & echo $$ > \"group-$MCP_CONFORMANCE_PROTOCOL_VERSION\"; wait #"
    command = [sys.executable, "-m", "pytest", "-p", "no:asyncio", f"--mcp-client-cmd={line}", *TOOLS_CALL, *workers]
    with (pytester.path / "printed").open("wb") as printed:
        run = begun(command, printed, pytester.path)
        try:
            groups = [number_in(pytester.path / f"group-{name}") for name in ("2025-06-18", "2026-07-28")]
            assert all(members(group) for group in groups)
            started = time.monotonic()
            os.killpg(run.pid, how)
            code = run.wait(PATIENCE_SECONDS)
            took = time.monotonic() - started
        finally:
            if run.poll() is None:
                os.killpg(run.pid, signal.SIGKILL)
    until(lambda: not any(members(group) for group in groups))
    if how is signal.SIGINT:
        assert took < (PATIENCE_SECONDS if workers else 4)
        assert code == pytest.ExitCode.INTERRUPTED
        assert "INTERNALERROR" not in (pytester.path / "printed").read_text()


def begun(command: list[str], output: IO[bytes], folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


# A client that no command line starts.

OVERRIDE = """
import pytest

from pytest_mcp_conformance.targets.client_command import CommandClient


@pytest.fixture(scope="session")
def mcp_client():
    return CommandClient({line!r})
"""


def test_a_fixture_of_the_project_gives_the_client(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(OVERRIDE.format(line=CLIENT))
    run("mcp/client", *TOOLS_CALL).assert_outcomes(passed=2)
    run("mcp/client::test_client[tools_call@2026-07-28]").assert_outcomes(passed=1)


def test_without_a_client_the_run_says_what_to_give(run: Run) -> None:
    result = run("mcp/client")
    assert result.parseoutcomes() == {"errors": 1}
    result.stdout.fnmatch_lines(["*there is no client to test. Give --mcp-client-cmd or --mcp-client-reference*"])


# Misuse.


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--mcp-client-cmd=x", "--mcp-server-url=http://a/mcp"], "*--mcp-client-cmd name different targets*"),
        (["--mcp-client-cmd=x", "--mcp-client-reference"], "*name different targets*"),
        (["--mcp-client-cmd="], "*--mcp-client-cmd is empty*"),
        (["--mcp-client-cmd=  "], "*--mcp-client-cmd is blank. Give a command.*"),
        (
            ["--mcp-client-cmd=x", "mcp/server::test_server[ping]"],
            "*the target is of the client leg, and mcp/server is*",
        ),
        (["--mcp-client-cmd=x", "mcp/client::test_client[tools_cal]"], "*'tools_cal'*tools_call*"),
        (["--mcp-client-cmd=x", "--mcp-scenario=ping"], "*no scenario of the client leg is named 'ping'*"),
        (["--mcp-client-cmd=x", "--mcp-suite=pending"], "*has no suite 'pending'*"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_misuse_is_a_usage_error_before_anything_runs(run: Run, arguments: list[str], told: str) -> None:
    result = run(*arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([told.replace("[", "[[]")])
    result.stdout.no_fnmatch_line("*Traceback*")


# The console command.

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def mcp_conformance(pytester: pytest.Pytester) -> Command:
    """Run the console command to its end."""

    def runner(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*CONSOLE, *arguments],
            cwd=pytester.path,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )

    return runner


CONSOLE = (sys.executable, "-m", "pytest_mcp_conformance.cli")


def test_the_command_tests_a_client(mcp_conformance: Command, pytester: pytest.Pytester) -> None:
    ended = mcp_conformance("client", "--command", CLIENT, "--scenario", "tools_call", "-o", "out", "--timeout", "9000")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "1 scenario: 1 passed" in ended.stdout
    assert list((pytester.path / "out").glob("tools_call-*/stdout.txt"))
    assert mcp_conformance("client", "--command", f"{CLIENT} --calls 0", "--scenario", "tools_call").returncode == 1


def test_the_command_lists_the_scenarios_of_clients(mcp_conformance: Command) -> None:
    ended = mcp_conformance("list", "--client", "--suite", "core")
    assert ended.returncode == 0
    assert re.match(r"client: \d+ scenarios\n", ended.stdout)
    assert "\n  tools_call [2025-06-18]\n" in ended.stdout or "\n  tools_call [2025-11-25]\n" in ended.stdout
    assert "server:" not in ended.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["client", "--suite", "pending"], "--suite: the client leg has no suite 'pending'."),
        (["client", "--command", ""], "--command is empty. Give a value, or leave the option out."),
        (["client", "--scenario", "tools_cal"], "--scenario: no scenario of the client leg is named 'tools_cal'."),
        (["server", "--scenario", "ping", "--spec-version", "draft"], "or force it with --force."),
        (["server", "--url", "http://"], "--url 'http://'"),
        (["server", "--expected-failures", ""], "--expected-failures names no file."),
        (["server", "--suite", "core", "--requirements", "2025-11-25"], "Leave out --suite."),
        (
            ["authorization", "--url", "http://localhost:1", "--client-secret", "env:NO_SUCH_VARIABLE"],
            "--client-secret: the environment has no variable",
        ),
        (["list", "--client", "--spec-version", "2024"], "--spec-version: there is no revision '2024'."),
        (["client", "--timeout", "soon"], "argument --timeout: soon: give milliseconds above 0."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_refusals_name_the_options_that_were_typed(mcp_conformance: Command, arguments: list[str], told: str) -> None:
    ended = mcp_conformance(*arguments)
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert told in ended.stderr
    assert "--mcp-" not in ended.stderr


def test_refusals_leave_options_of_pytest_as_they_are(mcp_conformance: Command) -> None:
    ended = mcp_conformance("server", "--mcp-concurrency=0")
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--mcp-concurrency 0: give a whole number above 0." in ended.stderr


@pytest.mark.parametrize("workers", [[], ["-n1"]], ids=["here", "in a worker"])
def test_failures_name_the_options_that_were_typed(
    mcp_conformance: Command, pytester: pytest.Pytester, workers: list[str]
) -> None:
    slow = "echo --mcp-timeout; sleep 60; true"
    ended = mcp_conformance(
        "client", "--command", slow, "--scenario=tools_call", "--timeout=300", "--junitxml=j.xml", *workers
    )
    assert "ended; --timeout gives it more time\n" in ended.stdout
    assert "\n    --mcp-timeout\n" in ended.stdout  # what the client wrote stays as it was
    assert "\nagain: pytest '--mcp-client-cmd=echo" in ended.stdout  # a line of pytest, which works
    assert "; --timeout gives it more time" in (pytester.path / "j.xml").read_text()


def test_an_empty_folder_for_results_is_refused(mcp_conformance: Command) -> None:
    ended = mcp_conformance("client", "--command", CLIENT, "--scenario=tools_call", "-o", "")
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--output-dir names no file. Leave the option out to do without." in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["tools_cal"], "no scenario of the client leg is named 'tools_cal'. The nearest is tools_call."),
        (["tools_call", "--spec-version", "all"], "one scenario is served at one revision. Name a single one."),
        (["tools_call", "--spec-version", "2025-06-18,2025-11-25"], "one scenario is served at one revision."),
        (["initialize", "--spec-version", "2026-07-28"], "force it with --force"),
        (["tools_call", "--spec-version", "2024"], "there is no revision '2024'"),
        (["tools_call", "-o", "file/out"], "--output-dir file/out: Not a directory. Give a folder that can be made."),
        (["tools_call", "-x"], "unrecognized arguments: -x"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_served_is_told_at_once(
    mcp_conformance: Command, pytester: pytest.Pytester, arguments: list[str], told: str
) -> None:
    (pytester.path / "file").touch()
    ended = mcp_conformance("serve", *arguments)
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert told in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


@pytest.mark.parametrize(
    ("how", "calls", "code", "ending"),
    [
        (signal.SIGINT, "1", 0, "tools_call@2025-06-18: passed"),
        (signal.SIGTERM, "1", 0, "tools_call@2025-06-18: passed"),
        (signal.SIGINT, "0", 1, "tools_call@2025-06-18: failed"),
        (signal.SIGINT, None, 1, "tools_call@2025-06-18: failed"),
    ],
)
def test_serving_a_scenario_shows_its_checks_when_it_is_ended(
    pytester: pytest.Pytester, how: signal.Signals, calls: str | None, code: int, ending: str
) -> None:
    command = [*CONSOLE, "serve", "tools_call", "--spec-version", "2025-06-18", "-o", "out"]
    with subprocess.Popen(command, cwd=pytester.path, stdout=subprocess.PIPE, text=True) as served:
        assert served.stdout is not None
        told = [served.stdout.readline().rstrip("\n") for _ in range(6)]
        if calls is not None:
            url = told[2].removeprefix("url: ")
            told_variables = dict(line.removeprefix("export ").split("=", 1) for line in told[3:5])
            by_hand = [*shlex.split(CLIENT), "--calls", calls, url]
            subprocess.run(by_hand, env=os.environ | told_variables, check=True, timeout=PATIENCE_SECONDS)
        served.send_signal(how)
        printed, _ = served.communicate(timeout=PATIENCE_SECONDS)
    assert told[0].startswith("tools_call at 2025-06-18: ")
    assert told[1].startswith("task: List the tools")
    assert told[5].startswith("Let the client run against this URL. Ctrl+C ends")
    assert served.returncode == code
    assert ending in printed
    assert "tool-add-numbers" in printed
    (folder,) = (pytester.path / "out").iterdir()
    assert {path.name for path in folder.iterdir()} == {"checks.json", "wire.jsonl"}
    assert f"results: {Path('out') / folder.name}" in printed
