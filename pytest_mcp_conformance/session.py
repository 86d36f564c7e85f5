"""The runs of one pytest session: what is run ahead, how many side by side."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pytest_mcp_conformance.fixtures import OPTIONS
from pytest_mcp_conformance.model import Leg, Outcome, Scenario
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.scheduler import Run, Scheduler
from pytest_mcp_conformance.selection import Planned

if TYPE_CHECKING:
    import pytest

    from pytest_mcp_conformance.running import ServerUnderTest
    from pytest_mcp_conformance.running_authorization import AuthorizationServerUnderTest
    from pytest_mcp_conformance.stage import ClientTarget

SERVER_CONCURRENCY = 8  # a server's scenarios mostly wait, and one event loop holds them all


def server_runs(server: ServerUnderTest, session: pytest.Session) -> Scheduler:
    """Return the scheduler of this process for the server leg."""
    from pytest_mcp_conformance.running import run_server_scenario

    options, known = session.config.stash[OPTIONS], scenarios(Leg.SERVER)

    async def run(planned: Planned) -> Outcome:
        return await run_server_scenario(known[planned.scenario], planned.revision, server, timeout=options.timeout)

    return _scheduler(run, session, known, concurrency=options.concurrency or SERVER_CONCURRENCY)


def client_runs(client: ClientTarget, session: pytest.Session) -> Scheduler:
    """Return the scheduler of this process for the client leg: as many clients at once as there are cores."""
    from pytest_mcp_conformance.running_client import run_client_scenario

    options, known = session.config.stash[OPTIONS], scenarios(Leg.CLIENT)

    async def run(planned: Planned) -> Outcome:
        return await run_client_scenario(known[planned.scenario], planned.revision, client, timeout=options.timeout)

    return _scheduler(run, session, known, concurrency=options.concurrency or cores())


def authorization_runs(server: AuthorizationServerUnderTest, session: pytest.Session) -> Scheduler:
    """Return the scheduler of this process for the authorization leg: one at a time, for one port and one person."""
    from pytest_mcp_conformance.running_authorization import run_authorization_scenario

    options, known = session.config.stash[OPTIONS], scenarios(Leg.AUTHORIZATION)

    async def run(planned: Planned) -> Outcome:
        scenario = known[planned.scenario]
        return await run_authorization_scenario(scenario, planned.revision, server, timeout=options.timeout)

    return _scheduler(run, session, known, concurrency=1)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _scheduler(run: Run, session: pytest.Session, known: Mapping[str, Scenario], *, concurrency: int) -> Scheduler:
    """Return what runs the items of this process ahead.

    A worker of pytest-xdist does not know which items it will get, so it runs each when it is asked for.
    """
    worker = hasattr(session.config, "workerinput")
    return Scheduler(
        run,
        # What waits longest starts first, so that the rest of the run passes meanwhile.
        ahead=() if worker else sorted(planned_of(session.items), key=lambda each: -known[each.scenario].waits),
        alone=lambda planned: known[planned.scenario].alone,
        concurrency=1 if worker else concurrency,
    )


def planned_of(items: list[pytest.Item]) -> tuple[Planned, ...]:
    """Return what the items of the suite stand for, in their order, each once."""
    parameters = (getattr(item, "callspec", None) for item in items)
    found = (callspec.params.get("planned") for callspec in parameters if callspec is not None)
    return tuple(dict.fromkeys(each for each in found if isinstance(each, Planned)))
