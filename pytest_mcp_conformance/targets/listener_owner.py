"""Whose process listens on a port: between choosing a free port and a server's taking it, somebody else may have come.

Verdicts on another's server would be the worst that can happen here. Only Linux tells; elsewhere the answer is `UNKNOWN`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from enum import Enum, auto
from pathlib import Path

PROCESSES = Path("/proc")
MARKER = "MCP_CONFORMANCE_TARGET"  # in the environment of what we start, and of all that it starts
LISTEN = "0A"  # proc_net_tcp(5)


class Owner(Enum):
    """Who listens."""

    OURS = auto()
    STRANGER = auto()
    UNKNOWN = auto()


def owner_of(port: int, *, mark: str) -> Owner:
    """Tell whether a process with `mark` in its environment listens on `port` of this machine.

    Processes of other users, or in containers, cannot be looked into: they are unknown.
    """
    listening = _listening_sockets(port)
    found = Owner.UNKNOWN
    for process in PROCESSES.glob("[0-9]*") if listening else ():
        if listening.isdisjoint(_open_files(process)):
            continue
        environment = environment_of(process)
        if f"{MARKER}={mark}".encode() in environment:
            return Owner.OURS
        # A server that shows its state in the list of processes writes that over its environment.
        if any(entry.startswith(b"PATH=") for entry in environment):
            found = Owner.STRANGER
    return found


def _listening_sockets(port: int) -> set[str]:
    """Return the listening TCP sockets of `port`, as the links in a process's list of open files name them."""
    found: set[str] = set()
    for table in ("tcp", "tcp6"):
        try:
            rows = [line.split() for line in (PROCESSES / "net" / table).read_text(encoding="ascii").splitlines()[1:]]
        except OSError:
            continue
        found |= {f"socket:[{row[9]}]" for row in rows if row[3] == LISTEN and row[1].endswith(f":{port:04X}")}
    return found


def _open_files(process: Path) -> Iterator[str]:
    try:
        with os.scandir(process / "fd") as entries:
            for entry in entries:
                yield os.readlink(entry.path)  # noqa: PTH115 -- the text, which is no path
    except OSError:  # it has ended, or is none of ours
        return


def environment_of(process: Path) -> list[bytes]:
    """Return the variables with which a process was started; none where that cannot be looked into."""
    try:
        return (process / "environ").read_bytes().split(b"\0")
    except OSError:
        return []
