"""What the scheduler promises: order, company, solitude, repetition, a prompt end."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from pytest_mcp_conformance.model import ClientEnd, Ending, Leg, Outcome, Revision
from pytest_mcp_conformance.scheduler import Scheduler
from pytest_mcp_conformance.selection import Planned
from tests.targets.processes import until


def planned(*names: str) -> list[Planned]:
    return [Planned(scenario=name, revision=Revision.V2025_11_25) for name in names]


def ended(each: Planned, ending: Ending = Ending.PASSED) -> Outcome:
    return Outcome(scenario=each.scenario, leg=Leg.SERVER, revision=each.revision, ending=ending)


class Runs:
    """A runner that notes who ran beside whom. `endings` are handed out per name, one a run, the last one for ever."""

    def __init__(self, endings: dict[str, list[Ending]] | None = None) -> None:
        self.order: list[str] = []
        self.most = 0  # side by side
        self.company: dict[str, set[str]] = {}
        self.cancelled: set[str] = set()
        self._now: set[str] = set()
        self._endings = endings or {}

    async def __call__(self, each: Planned) -> Outcome:
        """Run one scenario: a few turns of the loop."""
        name = each.scenario
        self.order.append(name)
        self._now.add(name)
        self.most = max(self.most, len(self._now))
        try:
            for _ in range(5):
                for other in self._now:
                    self.company.setdefault(other, set()).update(self._now - {other})
                await asyncio.sleep(0)
            if name == "stuck":
                await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled.add(name)
            raise
        finally:
            self._now.discard(name)
        endings = self._endings.get(name, [Ending.PASSED])
        return ended(each, endings.pop(0) if len(endings) > 1 else endings[0])


@contextmanager
def scheduler(
    runs: Runs, ahead: list[Planned], *, concurrency: int = 4, alone: Callable[[Planned], bool] = lambda _: False
) -> Iterator[Scheduler]:
    made = Scheduler(runs, ahead=ahead, alone=alone, concurrency=concurrency)
    try:
        yield made
    finally:
        made.close()


def test_scenarios_run_ahead_side_by_side() -> None:
    runs = Runs()
    plan = planned("a", "b", "c")
    with scheduler(runs, plan) as made:
        assert [made.outcome(each).scenario for each in plan] == ["a", "b", "c"]
    assert runs.company["a"] == {"b", "c"}
    assert runs.order == ["a", "b", "c"]


def test_no_more_run_side_by_side_than_allowed() -> None:
    runs = Runs()
    plan = planned(*"abcdef")
    with scheduler(runs, plan, concurrency=2) as made:
        for each in plan:
            made.outcome(each)
    assert runs.most == 2


def test_one_that_must_be_alone_has_no_company() -> None:
    runs = Runs()
    plan = planned("a", "timed", "b")
    with scheduler(runs, plan, alone=lambda each: each.scenario == "timed") as made:
        for each in plan:
            made.outcome(each)
    assert runs.company.get("timed", set()) == set()


@pytest.mark.parametrize(
    ("alone", "reported"),
    [(Ending.PASSED, Ending.PASSED), (Ending.FAILED, Ending.FAILED), (Ending.WARNED, Ending.WARNED)],
)
def test_a_failure_beside_others_is_repeated_alone_and_says_so(alone: Ending, reported: Ending) -> None:
    runs = Runs({"b": [Ending.FAILED, alone]})
    plan = planned("a", "b", "c")
    with scheduler(runs, plan) as made:
        outcomes = [made.outcome(each) for each in plan]
    assert (outcomes[1].ending, outcomes[1].beside_others) == (reported, Ending.FAILED)
    assert [outcome.beside_others for outcome in outcomes[::2]] == [None, None]
    assert runs.order.count("b") == 2


def test_a_failure_alone_is_not_repeated() -> None:
    runs = Runs({"a": [Ending.FAILED]})
    with scheduler(runs, planned("a"), concurrency=1) as made:
        outcome = made.outcome(planned("a")[0])
    assert (outcome.ending, outcome.beside_others, runs.order) == (Ending.FAILED, None, ["a"])


def test_what_was_not_planned_runs_when_it_is_asked_for_and_again_when_asked_again() -> None:
    runs = Runs()
    with scheduler(runs, []) as made:
        made.outcome(planned("a")[0])
        made.outcome(planned("a")[0])
    assert runs.order == ["a", "a"]


def test_closing_cancels_what_still_runs() -> None:
    runs = Runs()
    plan = planned("a", "stuck")
    made = Scheduler(runs, ahead=plan, alone=lambda _: False, concurrency=4)
    made.outcome(plan[0])
    started = time.monotonic()
    made.close()
    assert time.monotonic() - started < 2
    assert runs.cancelled == {"stuck"}
    assert not [thread for thread in threading.enumerate() if thread.name == "mcp-conformance-runs"]


def test_a_fault_of_the_runner_reaches_the_caller() -> None:
    async def broken(each: Planned) -> Outcome:
        raise ZeroDivisionError(each.scenario)

    made = Scheduler(broken, ahead=planned("a"), alone=lambda _: False, concurrency=1)
    try:
        with pytest.raises(ZeroDivisionError, match="a"):
            made.outcome(planned("a")[0])
    finally:
        made.close()


def test_whoever_waits_is_told_when_the_scheduler_breaks_down(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Scheduler) -> None:
        raise ValueError("a fault")

    monkeypatch.setattr(Scheduler, "_next", broken)
    plan = planned("a", "b")
    with scheduler(Runs(), plan) as made:
        made._thread.join(10)
        for each in plan:
            with pytest.raises(RuntimeError) as raised:
                made.outcome(each)
            assert str(raised.value.__cause__) == "a fault"


@pytest.mark.parametrize(
    ("end", "runs_again"),
    [
        (ClientEnd(exit_code=1), False),
        (ClientEnd(exit_code=0), False),
        (ClientEnd(timed_out=True), True),
        (ClientEnd(signal="SIGKILL"), True),
    ],
    ids=["ended with an error", "ended", "hung", "was killed"],
)
def test_a_client_that_ended_without_a_word_is_not_run_again(end: ClientEnd, *, runs_again: bool) -> None:
    """Others that ran beside it cannot have kept it from talking, unless it hung or was killed."""
    runs: list[str] = []

    async def run(each: Planned) -> Outcome:
        runs.append(each.scenario)
        await asyncio.sleep(0)
        return replace(ended(each, Ending.FAILED), client=end)

    ahead = planned("a", "b")
    made = Scheduler(run, ahead=ahead, alone=lambda _: False, concurrency=2)
    try:
        outcomes = [made.outcome(each) for each in ahead]
    finally:
        made.close()
    assert len(runs) == (4 if runs_again else 2)
    assert {outcome.beside_others for outcome in outcomes} == ({Ending.FAILED} if runs_again else {None})


def test_a_run_that_nobody_waits_for_any_longer_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin may give a test a time of its own, and breaks the waiting off with an exception."""
    runs = Runs()
    stuck, next_one = planned("stuck", "next")
    with scheduler(runs, [stuck, next_one], concurrency=1) as schedule:
        until(lambda: "stuck" in runs.order)
        with monkeypatch.context() as broken_off:
            broken_off.setattr("pytest_mcp_conformance.scheduler.wait", given_up)
            with pytest.raises(TimeoutError, match="given up"):
                schedule.outcome(stuck)
        assert schedule.outcome(next_one).ending is Ending.PASSED
    assert runs.cancelled == {"stuck"}


def given_up(*_: object, **__: object) -> None:
    raise TimeoutError("given up")
