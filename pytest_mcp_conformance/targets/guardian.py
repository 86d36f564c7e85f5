"""Leaves nothing running behind, even where this process is killed: a guardian process ends what it started.

The guardian holds the reading end of a pipe of this process. The kernel closes the pipe with the process, however that
ends, and then the guardian ends every process group that it was told of and not told to forget.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
import threading
from dataclasses import dataclass

from pytest_mcp_conformance.targets import process_groups
from pytest_mcp_conformance.targets.process_groups import GRACE_SECONDS, KILLED_SECONDS


@dataclass(frozen=True)
class _Guardian:
    process: subprocess.Popen[bytes]
    pipe: int

    def hears(self, text: str) -> bool:
        """Write to the guardian; tell whether it is there to read it."""
        try:
            os.write(self.pipe, text.encode())
        except OSError:
            return False
        return True


_lock = threading.Lock()
_watched: set[int] = set()
_guardian: _Guardian | None = None


def watch(pgid: int) -> None:
    """Have the process group ended when this process ends without `forget`."""
    with _lock:
        _watched.add(pgid)
        _tell(f"+{pgid}\n")


def forget(pgid: int) -> None:
    """Leave the process group alone from now on: it has ended."""
    with _lock:
        if pgid in _watched:
            _watched.discard(pgid)
            _tell(f"-{pgid}\n")


def _tell(text: str) -> None:
    """Write to the guardian; where there is none, or no longer, start one and tell it everything."""
    global _guardian  # noqa: PLW0603 -- one a process
    if _guardian is not None and _guardian.hears(text):
        return
    _dismiss()
    if _watched:
        _guardian = _start()
        _guardian.hears("".join(f"+{pgid}\n" for pgid in sorted(_watched)))


def _start() -> _Guardian:
    reader, writer = os.pipe()
    try:
        process = subprocess.Popen(  # noqa: S603 -- our own program
            [sys.executable, "-I", "-S", process_groups.__file__],
            stdin=reader,
            # It outlives this process, and must not keep whoever reads our output waiting.
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,  # out of reach of a terminal's Ctrl+C
        )
    except BaseException:
        os.close(writer)
        raise
    finally:
        os.close(reader)
    return _Guardian(process, writer)


@atexit.register
def _dismiss() -> None:
    """Close the pipe and wait until the guardian has done what is left to do."""
    global _guardian
    guardian, _guardian = _guardian, None
    if guardian is not None:
        os.close(guardian.pipe)
        with contextlib.suppress(subprocess.TimeoutExpired):
            guardian.process.wait(GRACE_SECONDS + KILLED_SECONDS + 1)


def _leave_to_the_parent() -> None:
    """In a forked child: the guardian watches the parent, and an open end of its pipe here would hide the parent's end."""
    global _lock, _guardian  # noqa: PLW0603 -- one a process
    _lock = threading.Lock()
    _watched.clear()
    guardian, _guardian = _guardian, None
    if guardian is not None:
        os.close(guardian.pipe)
        guardian.process.returncode = 0  # it is no child of this process: nothing to wait for


os.register_at_fork(after_in_child=_leave_to_the_parent)
