"""Running a scenario against a broken server, and what a run must never leave behind."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pytest_mcp_conformance.model import Ending, Leg, Outcome, Revision, Scenario, Status
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running import ServerUnderTest, run_server_scenario

ROOT = Path(__file__).parents[2]
TICKS = 10  # of the event loop, in which generators of the HTTP library are closed
TIMEOUT = 1.5  # seconds of a run
STATEFUL, STATELESS = Revision.V2025_11_25, Revision.V2026_07_28


@contextmanager
def broken_server() -> Iterator[str]:
    """Run the server in a process of its own; yield its URL without a path."""
    command = [sys.executable, "-m", "tests.hostile.broken_servers"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


def run(url: str, revision: Revision, *, scenario: Scenario | None = None, timeout: float) -> Outcome:
    """Run a scenario, tools-list if none is given, and return its outcome.

    :raises AssertionError: it left a task, a thread or an open file.
    """
    files, threads = open_files(), set(threading.enumerate())

    async def run_and_look() -> Outcome:
        outcome = await run_server_scenario(
            scenario or scenarios(Leg.SERVER)["tools-list"], revision, ServerUnderTest(url=url), timeout=timeout
        )
        for _ in range(TICKS):
            await asyncio.sleep(0)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert not left, f"tasks were left: {left}"
        return outcome

    outcome = asyncio.run(run_and_look())
    assert open_files() == files
    assert set(threading.enumerate()) == threads
    return outcome


def open_files() -> set[str]:
    """Return the open files of this process, but for the list of them itself."""
    links = {entry: _target(entry) for entry in Path("/proc/self/fd").iterdir()}
    return {f"{entry.name} {target}" for entry, target in links.items() if target}


def _target(link: Path) -> str | None:
    try:
        return os.readlink(link)  # noqa: PTH115 -- the text, which is no path
    except OSError:
        return None


def said(outcome: Outcome) -> str:
    """Return what a reader is told: each check that is no success, in a line, or why nothing ran."""
    lines = [
        f"{check.id} {check.status}: {check.message}"
        for check in outcome.checks
        if check.status not in {Status.SUCCESS, Status.INFO}
    ]
    return "\n".join([*lines, *([outcome.reason] if outcome.reason else [])])


def fit_to_show(outcome: Outcome) -> bool:
    """Tell whether every message is one printable line of bearable length."""
    texts = [outcome.reason, *(text for check in outcome.checks for text in (check.message, check.expected, check.got))]
    return all(text.isprintable() and len(text) < 5000 for text in texts if text is not None)


def is_about_the_harness(outcome: Outcome) -> bool:
    return outcome.ending is Ending.HARNESS_ERROR or bool(re.search("harness-error", said(outcome)))
