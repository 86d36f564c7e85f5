"""A pytest run of its own for each test, as a user has it: an empty directory and the installed plugin."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeAlias

import pytest

Run: TypeAlias = "Callable[..., pytest.RunResult]"

REFERENCE = f"{sys.executable} -m pytest_mcp_conformance.reference --port {{port}}"


@pytest.fixture(autouse=True)
def _no_summary_of_our_own_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the runs of the tests out of the job summary of the job that runs them."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """Run pytest in a process of its own, with nothing but our plugin and xdist."""

    def runner(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_subprocess("-p", "no:asyncio", "-p", "no:anyio", *arguments, timeout=60)

    return runner


def broken_by(fault: str) -> str:
    """Return the option that tests a reference server with one fault."""
    return f"--mcp-server-cmd={REFERENCE} --fault {fault}"
