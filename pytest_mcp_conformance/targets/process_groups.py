"""Ending process groups, all of what is in them.

The file is also the program of the guardian (see `guardian.py`), which runs it alone and isolated. So it imports nothing but
the standard library, and little of that.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable

GRACE_SECONDS = 2.0  # between asking and killing: what a server's orderly end may take
BROKEN_OFF_GRACE_SECONDS = 0.3  # instead of that when the whole run is broken off, which has to be quick
KILLED_SECONDS = 2.0  # until the kernel has taken a killed process away
LOOKS = 3  # at a group, before it is said to be gone
FIRST_LOOK_SECONDS = 0.005
LAST_LOOK_SECONDS = 0.05


def end_groups(
    pgids: Iterable[int], *, grace: float = GRACE_SECONDS, reap: Callable[[], object] = lambda: None
) -> None:
    """Ask every process of the groups to end (SIGTERM), and kill what is left after `grace` seconds.

    :param reap: takes the exit code of a group's leader, if that is a child of this process: until then it counts as there.
    """
    left = set(pgids)
    try:
        for pgid in left:
            _signal(pgid, signal.SIGTERM)
        left = _left_after(grace, left, reap)
    finally:  # also when the waiting is broken off, by Ctrl+C for example
        for pgid in left:
            _signal(pgid, signal.SIGKILL)
    _left_after(KILLED_SECONDS, left, reap)


def group_lives(pgid: int) -> bool:
    """Tell whether a process of the group is there that could be ended; one that only waits to be reaped is not."""
    try:
        os.killpg(pgid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # all of them belong to another user, or (macOS) wait to be reaped
        return False
    # A process that forks and ends while the list is read may be gone already, and its child not listed yet.
    looks = (_members(pgid) for _ in range(LOOKS))
    return any(members is None or members for members in looks)


def started(pid: int) -> str | None:
    """Return when a process was started, in the kernel's own unit; nothing where that cannot be known."""
    fields = _stat(str(pid))
    return fields[19] if fields else None


def _left_after(seconds: float, pgids: set[int], reap: Callable[[], object]) -> set[int]:
    """Wait until the groups are gone; return those that are not, when the time is over."""
    deadline = time.monotonic() + seconds
    pause = FIRST_LOOK_SECONDS
    while True:
        reap()
        pgids = {pgid for pgid in pgids if group_lives(pgid)}
        if not pgids or time.monotonic() >= deadline:
            return pgids
        time.sleep(pause)
        pause = min(2 * pause, LAST_LOOK_SECONDS)


def _signal(pgid: int, number: signal.Signals) -> None:
    try:
        os.killpg(pgid, number)
    except (ProcessLookupError, PermissionError):
        return


def _members(pgid: int) -> set[int] | None:
    """Return the processes of the group that have not ended; nothing where there is no `/proc` to ask.

    In a container whose first process reaps nobody, ended processes stay in their group for ever.
    """
    if _stat("self") is None:
        return None
    stats = ((name, _stat(name)) for name in os.listdir("/proc") if name.isdigit())  # noqa: PTH208 -- see the top
    return {int(name) for name, fields in stats if fields and fields[0] not in "ZX" and fields[2] == str(pgid)}


def _stat(name: str) -> list[str] | None:
    """Return what `/proc/<name>/stat` has behind the name of the program: state, parent, group, session and so on.

    Source: proc_pid_stat(5).
    """
    try:
        with open(f"/proc/{name}/stat", encoding="latin-1") as file:  # noqa: PTH123 -- see the top
            return file.read().rpartition(")")[2].split()
    except OSError:
        return None


def guard() -> None:
    """Read `+group` and `-group` from standard input; when it ends, the parent is gone: end every group still noted."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # what ends the parent must not end the guardian before it
    noted: dict[int, str | None] = {}
    for line in sys.stdin:
        pgid = int(line[1:])
        if line.startswith("+"):
            noted[pgid] = started(pgid)
        else:
            noted.pop(pgid, None)
    # The number of a group whose leader is another process by now was given away again: that one is not ours.
    end_groups(pgid for pgid, at in noted.items() if at is None or started(pgid) in (None, at))


if __name__ == "__main__":
    guard()
