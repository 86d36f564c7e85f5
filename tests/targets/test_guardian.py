"""Nothing is left behind, however the process ends that started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_mcp_conformance.targets import guardian
from tests.targets.processes import command, members, number_in, until

ROOT = Path(__file__).parents[2]

Parent = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def parent(tmp_path: Path) -> Iterator[Parent]:
    """Starts a process that starts a target, and then does what the test says."""
    started: list[subprocess.Popen[str]] = []

    def start(then: str, *, options: str = "") -> subprocess.Popen[str]:
        program = f"""
import os, signal, sys, warnings
from pytest_mcp_conformance.targets import guardian
from pytest_mcp_conformance.targets.command import CommandTarget
target = CommandTarget({command("--group-file", tmp_path / "group", *options.split())!r}, grace=0.3)
try:
{textwrap.indent(textwrap.dedent(then), "    ")}
finally:
    target.stop()
"""
        started.append(
            subprocess.Popen(
                [sys.executable, "-c", program],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


READY_AND_WAITING = "target.start(); print('ready', flush=True); sys.stdin.read()"


def ready(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"


def test_sigkill_of_the_parent_leaves_nothing(parent: Parent, tmp_path: Path) -> None:
    process = parent(READY_AND_WAITING)
    ready(process)
    group = number_in(tmp_path / "group")
    assert members(group)
    process.kill()
    until(lambda: not members(group))


def test_a_server_that_ignores_sigterm_is_killed_by_the_guardian(parent: Parent, tmp_path: Path) -> None:
    process = parent(READY_AND_WAITING, options="--ignore-sigterm --children 2")
    ready(process)
    group = number_in(tmp_path / "group")
    process.kill()
    until(lambda: not members(group))


@pytest.mark.parametrize("end", ["os._exit(0)", "os.abort()", "signal.raise_signal(signal.SIGTERM)"])
def test_an_end_without_cleaning_up_leaves_nothing(parent: Parent, tmp_path: Path, end: str) -> None:
    process = parent(f"target.start(); {end}")
    process.wait(20)
    group = number_in(tmp_path / "group")
    until(lambda: not members(group))


def test_a_forgotten_stop_is_made_up_for_before_the_process_is_gone(parent: Parent, tmp_path: Path) -> None:
    process = parent("target.start(); target.stop = lambda: None")
    assert process.wait(20) == 0
    assert not members(number_in(tmp_path / "group"))


def test_ctrl_c_ends_the_server_and_nothing_is_printed_but_the_interrupt(parent: Parent, tmp_path: Path) -> None:
    process = parent(READY_AND_WAITING)
    ready(process)
    group = number_in(tmp_path / "group")
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=20)
    assert process.returncode == -signal.SIGINT
    assert output.endswith("KeyboardInterrupt\n")
    assert not members(group)


def test_ctrl_c_while_the_server_is_awaited_ends_it(parent: Parent, tmp_path: Path) -> None:
    process = parent("target.start()", options="--never-listen")
    group = number_in(tmp_path / "group")
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == -signal.SIGINT
    assert not members(group)


def test_a_forked_child_that_lives_on_does_not_hide_the_parents_end(parent: Parent, tmp_path: Path) -> None:
    process = parent(
        """
        target.start()
        warnings.simplefilter("ignore")  # a fork beside threads, of which Python 3.12 and later warn, is the point
        child = os.fork()
        if child == 0:
            sys.stdin.read()
            os._exit(0)
        print('ready', flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    ready(process)
    group = number_in(tmp_path / "group")
    until(lambda: not members(group))
    assert process.wait(20) == -signal.SIGKILL


def test_the_guardian_goes_with_a_parent_that_left_nothing(parent: Parent) -> None:
    process = parent("target.start(); print(guardian._guardian.process.pid, flush=True)")
    output, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    with pytest.raises(ProcessLookupError):
        os.kill(int(output), 0)


# What is watched, seen from inside.


@pytest.fixture
def fresh_guardian() -> Iterator[None]:
    """No guardian yet, in this process."""
    guardian._dismiss()
    assert not guardian._watched
    yield
    guardian._dismiss()


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as process:
        yield process
        process.kill()


@pytest.mark.usefixtures("fresh_guardian")
def test_a_watched_group_is_ended(sleeper: subprocess.Popen[bytes]) -> None:
    guardian.watch(sleeper.pid)
    guardian._dismiss()
    guardian._watched.clear()
    assert sleeper.wait(20) == -signal.SIGTERM


@pytest.mark.usefixtures("fresh_guardian")
def test_a_forgotten_one_is_not(sleeper: subprocess.Popen[bytes]) -> None:
    guardian.watch(sleeper.pid)
    guardian.forget(sleeper.pid)
    guardian.forget(sleeper.pid)
    guardian._dismiss()
    assert sleeper.poll() is None


@pytest.mark.usefixtures("fresh_guardian")
def test_a_guardian_that_was_killed_is_replaced_and_told_everything(sleeper: subprocess.Popen[bytes]) -> None:
    guardian.watch(sleeper.pid)
    assert guardian._guardian is not None
    guardian._guardian.process.kill()
    guardian._guardian.process.wait()
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as other:
        guardian.watch(other.pid)
        guardian._dismiss()
        guardian._watched.clear()
        assert other.wait(20) == sleeper.wait(20) == -signal.SIGTERM


@pytest.mark.usefixtures("fresh_guardian")
def test_none_is_started_before_there_is_something_to_watch() -> None:
    assert guardian._guardian is None
    guardian.forget(1)
    assert guardian._guardian is None
