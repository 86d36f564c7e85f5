"""However a run ends, nothing of it is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.plugin.conftest import REFERENCE, Run

PATIENCE_SECONDS = 20


def until(condition: Callable[[], bool]) -> bool:
    """Wait until `condition` holds, at most `PATIENCE_SECONDS`."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.fixture
def noted(pytester: pytest.Pytester) -> str:
    """Return a command that notes its process id in a file and then is the reference server."""
    return f"--mcp-server-cmd=echo $$ >> pids; exec {REFERENCE}"


def pids(folder: Path) -> list[int]:
    return [int(line) for line in (folder / "pids").read_text().split()]


def test_each_worker_has_a_server_of_its_own_and_ends_it(run: Run, pytester: pytest.Pytester, noted: str) -> None:
    result = run(noted, "--mcp-scenario=prompts-*", "-n", "2")
    result.assert_outcomes(passed=5)
    assert len(pids(pytester.path)) == 2
    assert not [pid for pid in pids(pytester.path) if is_running(pid)]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda each: each.name)
def test_a_run_that_is_broken_off_ends_its_server(pytester: pytest.Pytester, noted: str, how: signal.Signals) -> None:
    pytester.makeconftest(
        """
        import time

        def pytest_runtest_call(item):
            if "prompts-get-simple" in item.nodeid:
                open("reached", "w").close()
                time.sleep(60)
        """
    )
    command = [sys.executable, "-m", "pytest", "-p", "no:asyncio", "-p", "no:anyio", noted, "--mcp-scenario=prompts-*"]
    run = subprocess.Popen(
        command, cwd=pytester.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    try:
        assert until((pytester.path / "reached").exists)
        (server,) = pids(pytester.path)
        assert is_running(server)
        started = time.monotonic()
        os.kill(run.pid, how)
        output, _ = run.communicate(timeout=PATIENCE_SECONDS)
        took = time.monotonic() - started
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
    assert until(lambda: not is_running(server))
    if how is signal.SIGINT:
        assert took < 4, output
        assert run.returncode == pytest.ExitCode.INTERRUPTED
        assert b"KeyboardInterrupt" in output
        assert b"MCP conformance" in output


def test_a_killed_worker_loses_only_the_item_that_died(run: Run, pytester: pytest.Pytester, noted: str) -> None:
    pytester.makeconftest(
        """
        import os, signal

        def pytest_runtest_call(item):
            if "prompts-get-simple" in item.nodeid:
                os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    result = run(noted, "--mcp-scenario=prompts-*", "-n", "2")
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(["*crashed while running*prompts-get-simple@2025-11-25*"])
    assert until(lambda: not [pid for pid in pids(pytester.path) if is_running(pid)])


def test_a_server_that_dies_in_the_run_makes_the_rest_errors_that_say_so(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import os, signal

        def pytest_runtest_call(item):
            if "prompts-get-embedded" in item.nodeid:
                for line in open("pids"):
                    os.kill(int(line), signal.SIGKILL)
        """
    )
    command = f"--mcp-server-cmd=echo $$ >> pids; exec {REFERENCE}"
    result = run(command, "--mcp-scenario=prompts-*", "--mcp-concurrency=1", "--mcp-timeout=5")
    outcomes = result.parseoutcomes()
    assert outcomes.get("failed", 0) <= 1  # the one that was under way
    assert outcomes["errors"] >= 3
    result.stdout.fnmatch_lines(["could not run: nothing answers*", "*SIGKILL*", "Nothing is said about conformance."])


def test_ctrl_c_does_not_wait_for_a_server_that_ignores_it(pytester: pytest.Pytester) -> None:
    server = f"--mcp-server-cmd=trap '' INT TERM; echo $$ >> pids; {REFERENCE}; sleep 600"
    pytester.makeconftest(
        """
        import time

        def pytest_runtest_call(item):
            open("reached", "w").close()
            time.sleep(60)
        """
    )
    run = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "no:asyncio", "-p", "no:anyio", server, "--mcp-scenario=ping"],
        cwd=pytester.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        assert until((pytester.path / "reached").exists)
        started = time.monotonic()
        os.kill(run.pid, signal.SIGINT)
        output, _ = run.communicate(timeout=PATIENCE_SECONDS)
        took = time.monotonic() - started
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
    assert run.returncode == pytest.ExitCode.INTERRUPTED
    assert took < 2, output
    assert until(lambda: not is_running(pids(pytester.path)[0]))
