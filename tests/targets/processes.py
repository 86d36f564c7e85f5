"""Looking at processes from outside: the system's own list, not the code under test."""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE_SECONDS = 20.0  # far more than anything here takes, so that only a fault runs into it
PROGRAM = Path(__file__).with_name("server_program.py")


def command(*arguments: object, port: str = "{port}") -> str:
    """Return the line that starts the server program."""
    return f"{shlex.join([sys.executable, '-S', str(PROGRAM), *map(str, arguments)])} --port {port}"


def members(pgid: int) -> list[str]:
    """Return the living processes of a group."""
    lines = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pgid=,stat=,args="], capture_output=True, text=True, check=True
    ).stdout
    rows = (line.split(maxsplit=2) for line in lines.splitlines())
    return [" ".join(row) for row in rows if row[0] == str(pgid) and not row[1].startswith("Z")]


def until(condition: Callable[[], object], *, within: float = PATIENCE_SECONDS) -> None:
    """Wait for a condition.

    :raises AssertionError: it does not come true.
    """
    deadline = time.monotonic() + within
    while not condition():
        assert time.monotonic() < deadline, "the condition did not come true"
        time.sleep(0.02)


def number_in(file: Path) -> int:
    """Return the number that a process writes into a file, once it is there: the file is made before that."""
    until(lambda: file.exists() and file.read_text())
    return int(file.read_text())
