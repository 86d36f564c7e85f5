"""Standard output that cannot be written, of commands that end by themselves. For `serve` see test_interactive.py."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_mcp_conformance.standard_output import StandardOutput, carried

COMMAND = (sys.executable, "-m", "pytest_mcp_conformance.cli")
FULL = Path("/dev/full")


@pytest.fixture
def unread() -> Iterator[int]:
    """The writing end of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


@pytest.mark.parametrize(
    ("encoding", "written"),
    [("ascii", r"\u2713 a \xe4"), ("latin-1", r"\u2713 a ä"), ("utf-8", "✓ a ä"), (None, "✓ a ä")],
)
def test_a_character_that_the_encoding_lacks_is_spelled_out(encoding: str | None, written: str) -> None:
    assert carried("✓ a ä", encoding) == written


def test_a_closed_output_is_nobody_to_talk_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    output = StandardOutput()
    output.say("line")
    assert output.failure is None


def test_after_a_line_that_could_not_be_written_nothing_more_is_said(
    unread: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = StandardOutput()
    with os.fdopen(os.dup(unread), "w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        output.say("line")
        assert isinstance(output.failure, BrokenPipeError)
        monkeypatch.setattr(sys, "stdout", None)
    output.say("line")


@pytest.mark.parametrize("words", [[*COMMAND, "list"], [sys.executable, "-m", "pytest", "--mcp-list"]])
def test_a_list_that_nobody_reads_to_its_end_is_no_error(unread: int, words: list[str]) -> None:
    ended = subprocess.run(words, stdout=unread, stderr=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_run_that_nobody_reads_is_broken_off_without_a_traceback(unread: int) -> None:
    ended = subprocess.run(
        [*COMMAND, "client", "--scenario=initialize"], stdout=unread, stderr=subprocess.PIPE, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (pytest.ExitCode.INTERRUPTED, "")


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
def test_a_list_that_cannot_be_written_is_an_error() -> None:
    with FULL.open("w") as full:
        ended = subprocess.run([*COMMAND, "list"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert ended.stderr.strip() == "ERROR: the list could not be written: No space left on device"
