"""A pytest run of its own for each test, as a user has it: an empty directory and the installed plugin."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeAlias

import pytest

Run: TypeAlias = "Callable[..., pytest.RunResult]"

REFERENCE = f"{sys.executable} -m pytest_mcp_conformance.reference --port {{port}}"


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """Run pytest in a process of its own, with nothing but our plugin and xdist."""

    def runner(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_subprocess("-p", "no:asyncio", "-p", "no:anyio", *arguments, timeout=60)

    return runner


def broken_by(fault: str) -> str:
    """Return the option that tests a reference server with one fault."""
    return f"--mcp-server-cmd={REFERENCE} --fault {fault}"
