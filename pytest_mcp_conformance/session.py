"""The runs of one pytest session: what is run ahead, how many side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_mcp_conformance.fixtures import OPTIONS
from pytest_mcp_conformance.model import Leg, Outcome
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running import ServerUnderTest, run_server_scenario
from pytest_mcp_conformance.scheduler import Scheduler
from pytest_mcp_conformance.selection import Planned

if TYPE_CHECKING:
    import pytest

SERVER_CONCURRENCY = 8  # a server's scenarios mostly wait, and one event loop holds them all


def server_runs(server: ServerUnderTest, session: pytest.Session) -> Scheduler:
    """Return the scheduler of this process for the server leg.

    A worker of pytest-xdist does not know which items it will get, so it runs each when it is asked for.
    """
    options = session.config.stash[OPTIONS]
    known = scenarios(Leg.SERVER)
    worker = hasattr(session.config, "workerinput")

    async def run(planned: Planned) -> Outcome:
        return await run_server_scenario(known[planned.scenario], planned.revision, server, timeout=options.timeout)

    return Scheduler(
        run,
        # What waits longest starts first, so that the rest of the run passes meanwhile.
        ahead=() if worker else sorted(planned_of(session.items), key=lambda each: -known[each.scenario].waits),
        alone=lambda planned: known[planned.scenario].alone,
        concurrency=1 if worker else options.concurrency or SERVER_CONCURRENCY,
    )


def planned_of(items: list[pytest.Item]) -> tuple[Planned, ...]:
    """Return what the items of the suite stand for, in their order, each once."""
    parameters = (getattr(item, "callspec", None) for item in items)
    found = (callspec.params.get("planned") for callspec in parameters if callspec is not None)
    return tuple(dict.fromkeys(each for each in found if isinstance(each, Planned)))
