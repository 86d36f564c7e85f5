"""A client that a command starts: told a URL, given its time, and ended with everything that it started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import subprocess
import threading
import time
import uuid
from collections.abc import Mapping

from pytest_mcp_conformance.exceptions import PeerUnreachable
from pytest_mcp_conformance.model import ClientEnd
from pytest_mcp_conformance.stage import CONTEXT, Call
from pytest_mcp_conformance.targets import guardian
from pytest_mcp_conformance.targets.drained import Drained
from pytest_mcp_conformance.targets.listener_owner import MARKER
from pytest_mcp_conformance.targets.process_groups import (
    BROKEN_OFF_GRACE_SECONDS,
    GRACE_SECONDS,
    end_groups,
    group_lives,
)
from pytest_mcp_conformance.targets.strays import groups_of

SHELL_SIGNAL = 128  # a shell reports that a signal ended its child by this number and the signal's
LOOKS = 3  # for what left the group; one takes less than a millisecond where a hundred processes run
DRAIN_SECONDS = 0.5  # for what is left in the pipes when all processes of the client have ended


class CommandClient:
    """The client that `command` starts, a line for the shell; the URL is appended to it.

    :param grace: seconds between asking what still runs to end and killing it.
    :param environment: what the command gets instead of this process's own.
    """

    def __init__(
        self, command: str, *, grace: float = GRACE_SECONDS, environment: Mapping[str, str] | None = None
    ) -> None:
        self._command = command
        self._grace = grace
        self._environment = environment

    @property
    def description(self) -> str:
        """See `ClientTarget`."""
        return f"the client that {self._command!r} starts"

    async def run(self, call: Call, *, within: float) -> ClientEnd:
        """Run the command once: see `ClientTarget.run`."""
        started = time.monotonic()
        mark = uuid.uuid4().hex
        process = self._started(call, mark)
        output, errors = Drained(process.stdout), Drained(process.stderr)
        ended = end_of(process)
        grace = BROKEN_OFF_GRACE_SECONDS
        try:
            guardian.watch(process.pid)
            await asyncio.wait([ended], timeout=within)
            timed_out, seconds = not ended.done(), time.monotonic() - started
            grace = self._grace
        finally:
            try:
                await _clear_away(process, mark, grace)
            finally:
                await asyncio.gather(output.finish(DRAIN_SECONDS), errors.finish(DRAIN_SECONDS))
        code, name = (None, None) if timed_out else _read(process.wait())
        return ClientEnd(
            exit_code=code,
            signal=name,
            timed_out=timed_out,
            seconds=seconds,
            stdout=output.kept(),
            stderr=errors.kept(),
        )

    def _started(self, call: Call, mark: str) -> subprocess.Popen[bytes]:
        environment = dict(os.environ if self._environment is None else self._environment)
        environment.pop(CONTEXT, None)  # of another run, not of this one
        try:
            return subprocess.Popen(  # noqa: S602 -- the line is the user's own, written for a shell
                f"{self._command} {shlex.quote(call.url)}",
                shell=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment | call.environment | {MARKER: mark},
                start_new_session=True,  # a process group of its own, out of reach of a terminal's Ctrl+C
            )
        except (OSError, ValueError) as error:  # no processes left, a NUL in the command
            raise PeerUnreachable(f"{self._command!r} could not be started: {error}") from error


def end_of(process: subprocess.Popen[bytes]) -> asyncio.Future[None]:
    """Return what is done when the process has ended.

    A thread of its own waits: the few of the loop's pool would be taken by as many clients that hang, and none be left to end
    them.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()

    def wait() -> None:
        process.wait()
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(lambda: None if ended.done() else ended.set_result(None))

    threading.Thread(target=wait, name="mcp-client-end", daemon=True).start()
    return ended


async def _clear_away(process: subprocess.Popen[bytes], mark: str, grace: float) -> None:
    """End what still runs of a client, also what its shell left behind: nothing of a run may be there in the next one.

    Where this is broken off, it goes on all the same, and the guardian goes on watching.
    """
    if (
        process.poll() is None or group_lives(process.pid) or groups_of(mark)
    ):  # a thread for it costs more than the looks
        await asyncio.shield(asyncio.to_thread(_end_all, process, mark, grace))
    guardian.forget(process.pid)


def _end_all(process: subprocess.Popen[bytes], mark: str, grace: float) -> None:
    """End the group of a client, then what left it, which only its mark tells; in a second look, what that left in its turn."""
    if process.poll() is None or group_lives(process.pid):
        end_groups([process.pid], grace=grace, reap=process.poll)
    for _ in range(LOOKS):
        if not (left := groups_of(mark)):
            return
        end_groups(left, grace=grace)


def _read(code: int) -> tuple[int | None, str | None]:
    """Return exit code and signal of a shell that ended."""
    number = -code if code < 0 else code - SHELL_SIGNAL
    name = next((each.name for each in signal.Signals if each == number), None)
    return (None, name or f"signal {number}") if code < 0 else (code, name)
