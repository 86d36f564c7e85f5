"""Processes that left the group in which they were started, found by a mark in their environment.

A process may start a session of its own, as daemons and detached browsers do; a signal to the group does not reach it then.
Only Linux tells the environment of another process, and only of one's own user.
"""

from __future__ import annotations

import contextlib
import os

from pytest_mcp_conformance.targets.listener_owner import MARKER, PROCESSES, environment_of


def groups_of(mark: str) -> set[int]:
    """Return the process groups in which there is a process with `mark`."""
    found: set[int] = set()
    for process in PROCESSES.glob("[0-9]*"):
        if f"{MARKER}={mark}".encode() in environment_of(process):
            with contextlib.suppress(ProcessLookupError):
                found.add(os.getpgid(int(process.name)))
    return found
