"""Tables of odd replies: what a server answers, and what each check of the scenario says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_mcp_conformance.model import Ending, Leg, Outcome, Revision
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running import ServerUnderTest, run_server_scenario
from pytest_mcp_conformance.verdict import ON_ALL_TRAFFIC
from tests.scenarios.server.miniature import Miniature, Replies

SCENARIO_SECONDS = 20.0


@dataclass(frozen=True, kw_only=True)
class Odd:
    """One odd server. `statuses` are those of every check of the scenario, in the order in which they fall."""

    fact: str
    scenario: str
    revision: str
    replies: Replies
    statuses: Mapping[str, str]
    session: str | None = "session-1"
    speaks: str | None = None

    def __str__(self) -> str:
        return f"{self.scenario}@{self.revision}: {self.fact}"


async def outcome_of(odd: Odd) -> Outcome:
    """Run the scenario against the odd server."""
    async with Miniature(odd.replies, session=odd.session, speaks=odd.speaks).serving() as url:
        return await run_server_scenario(
            scenarios(Leg.SERVER)[odd.scenario],
            Revision(odd.revision),
            ServerUnderTest(url=url),
            timeout=SCENARIO_SECONDS,
        )


async def statuses_of(odd: Odd) -> dict[str, str]:
    """Run the scenario against the odd server; return its own checks, several of one id joined by commas."""
    outcome = await outcome_of(odd)
    assert outcome.ending not in {Ending.HARNESS_ERROR, Ending.COULD_NOT_RUN}, outcome.reason
    found: dict[str, str] = {}
    for check in outcome.checks:
        if check.id not in ON_ALL_TRAFFIC:
            found[check.id] = f"{found[check.id]},{check.status}" if check.id in found else check.status.value
    return found
