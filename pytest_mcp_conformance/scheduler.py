"""Runs scenarios ahead, side by side, while pytest asks for their outcomes one after the other.

An event loop in a thread of its own does the runs. Scenarios whose timing decides run alone, and a scenario that did not
end well beside others is run again alone before its outcome is handed out.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from pytest_mcp_conformance.model import Ending, Outcome
from pytest_mcp_conformance.selection import Planned

Run: TypeAlias = Callable[[Planned], Awaitable[Outcome]]

GOOD = frozenset({Ending.PASSED, Ending.NOT_APPLICABLE})
LOOK_SECONDS = 1.0  # between looks whether the thread still lives
STOP_SECONDS = 1.5  # for sessions to be closed when a run is broken off; Ctrl+C must end within two seconds


@dataclass(eq=False)
class _Job:
    """One run that is wanted. `first` is the ending of a run beside others that this one repeats alone."""

    planned: Planned
    outcome: Future[Outcome] = field(default_factory=Future)
    alone: bool = False
    accompanied: bool = False
    first: Ending | None = None


class Scheduler:
    """Gives the outcome of each planned scenario, running the coming ones meanwhile.

    :param run: runs one scenario; never raises for what the implementation does.
    :param ahead: what pytest is going to ask for, in its order; anything else is run when it is asked for.
    :param alone: tells which scenarios nothing may run beside.
    :param concurrency: how many run side by side.
    """

    def __init__(
        self, run: Run, *, ahead: Sequence[Planned] = (), alone: Callable[[Planned], bool], concurrency: int
    ) -> None:
        self._run = run
        self._alone = alone
        self._concurrency = concurrency
        jobs = [_Job(planned, alone=alone(planned)) for planned in ahead]
        self._promised = {job.planned: job for job in jobs}
        self._waiting = [job for job in jobs if not job.alone]
        self._exclusive = [job for job in jobs if job.alone]
        self._running: dict[asyncio.Task[None], _Job] = {}
        self._awaited: _Job | None = None
        self._fault: Exception | None = None
        self._wake = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        self._main = self._loop.create_task(self._work())
        self._thread = threading.Thread(target=self._serve, name="mcp-conformance-runs", daemon=True)
        self._thread.start()

    def outcome(self, planned: Planned) -> Outcome:
        """Return the outcome of `planned`; asked a second time, run it again.

        :raises RuntimeError: the scheduler is closed, or broke down.
        """
        job = self._promised.pop(planned, None)
        if job is None:
            job = _Job(planned, alone=self._alone(planned))
            self._tell(lambda: self._waiting.insert(0, job))
        self._tell(lambda: self._await(job))
        try:
            self._wait_for(job)
        except BaseException:  # Ctrl+C, or a plugin that gives a test a time of its own: nobody waits for it any longer
            self._tell(lambda: self._give_up(job))
            raise
        if job.outcome.cancelled() and self._fault is not None:
            raise RuntimeError("The runs broke down") from self._fault
        return job.outcome.result()

    def _wait_for(self, job: _Job) -> None:
        while not wait([job.outcome], timeout=LOOK_SECONDS).done:
            if not self._thread.is_alive():
                raise RuntimeError("The thread of the runs has ended") from self._fault

    def close(self) -> None:
        """Stop everything that is still running."""
        self._tell(self._main.cancel)
        self._thread.join(2 * STOP_SECONDS)

    def _tell(self, what: Callable[[], object]) -> None:
        """Have something done in the loop, if there still is one."""
        with contextlib.suppress(RuntimeError):  # it is closed: the runs have ended, or broke down
            self._loop.call_soon_threadsafe(what)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            try:
                self._loop.run_until_complete(self._main)
            except asyncio.CancelledError:
                pass
            except Exception as error:  # noqa: BLE001 -- told to whoever waits for an outcome
                self._fault = error
            self._loop.run_until_complete(self._wind_up())
        finally:
            self._loop.close()

    async def _work(self) -> None:
        while True:
            self._wake.clear()
            job = self._next()
            if job is None:
                await self._wake.wait()
                continue
            job.accompanied = bool(self._running)
            for other in self._running.values():
                other.accompanied = True
            task = self._loop.create_task(self._do(job))
            self._running[task] = job
            task.add_done_callback(self._done)

    def _next(self) -> _Job | None:
        """Take the job that may start now: one that waits for company, or an exclusive one when nothing else runs.

        Exclusive jobs come last, so that the others need to be drained once; one that pytest waits for comes at once.
        """
        if any(job.alone for job in self._running.values()) or len(self._running) >= self._concurrency:
            return None
        wanted = self._awaited if self._awaited in self._exclusive else None
        if wanted is None and self._waiting:
            return self._waiting.pop(0)
        if not self._exclusive or self._running:
            return None
        return self._exclusive.pop(self._exclusive.index(wanted) if wanted else 0)

    async def _do(self, job: _Job) -> None:
        outcome = await self._run(job.planned)
        if job.accompanied and outcome.ending not in GOOD and not _alone_by_itself(outcome):
            job.alone, job.accompanied, job.first = True, False, outcome.ending
            self._exclusive.append(job)
            return
        job.outcome.set_result(replace(outcome, beside_others=job.first))

    def _done(self, task: asyncio.Task[None]) -> None:
        job = self._running.pop(task)
        self._wake.set()
        if task.cancelled():
            job.outcome.cancel()
        elif (error := task.exception()) is not None:
            job.outcome.set_exception(error)

    def _give_up(self, job: _Job) -> None:
        """Stop a run, so that those behind it have their turn."""
        for jobs in (self._waiting, self._exclusive):
            if job in jobs:
                jobs.remove(job)
        for task, running in self._running.items():
            if running is job:
                task.cancel()

    def _await(self, job: _Job) -> None:
        self._awaited = job
        self._wake.set()

    async def _wind_up(self) -> None:
        """Cancel what runs; give it a moment to close its sessions, then cancel that too."""
        for _ in range(2):
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            if tasks:
                await asyncio.wait(tasks, timeout=STOP_SECONDS / 2)
        for job in [*self._waiting, *self._exclusive]:
            job.outcome.cancel()
        await self._loop.shutdown_asyncgens()


def _alone_by_itself(outcome: Outcome) -> bool:
    """Tell whether company cannot have mattered: a client that ended of its own accord and never talked to anybody."""
    end = outcome.client
    return end is not None and not end.timed_out and end.signal is None and not outcome.transcript
