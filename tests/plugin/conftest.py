"""A pytest run of its own for each test, as a user has it: an empty directory and the installed plugin."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeAlias

import pytest

from tests.plugin.scripted import script

Run: TypeAlias = "Callable[..., pytest.RunResult]"
Scripted: TypeAlias = "Callable[..., None]"

REFERENCE = f"{sys.executable} -m pytest_mcp_conformance.reference --port {{port}}"


# What a job sets for itself: the file of its summary, and what makes pytest print otherwise.
OF_A_JOB = ("GITHUB_STEP_SUMMARY", "CI", "BUILD_NUMBER", "COLUMNS", "PYTEST_ADDOPTS")


@pytest.fixture(autouse=True)
def _as_at_the_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the runs of the tests be the same wherever the tests run."""
    for name in OF_A_JOB:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def scripted(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """Give a function that says how scenarios end: see `script`."""
    return lambda outcomes, more="": script(pytester, monkeypatch, outcomes, more)


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """Run pytest in a process of its own, with nothing but our plugin and xdist."""

    def runner(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_subprocess("-p", "no:asyncio", "-p", "no:anyio", *arguments, timeout=60)

    return runner


def broken_by(fault: str) -> str:
    """Return the option that tests a reference server with one fault."""
    return f"--mcp-server-cmd={REFERENCE} --fault {fault}"
