"""The fixtures behind the suite: what runs the scenarios of a session, and the verdict on each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import pytest

from pytest_mcp_conformance.collection import LEG
from pytest_mcp_conformance.expectations import RULES
from pytest_mcp_conformance.fixtures import OPTIONS, UNREADY
from pytest_mcp_conformance.judgement import Judgement, Verdict
from pytest_mcp_conformance.judging import judge
from pytest_mcp_conformance.model import Leg, Outcome
from pytest_mcp_conformance.reporting.failure_text import compact_checks
from pytest_mcp_conformance.selection import Planned
from pytest_mcp_conformance.settling import Settle, again_line, refuse_unjudged, settle

NOTHING_TO_RUN = {126, 127}  # what a shell ends with: it cannot execute, or does not find, the command (POSIX, 2.8.2)
OUTCOME = pytest.StashKey[Outcome]()
JUDGEMENT = pytest.StashKey[Judgement]()
CAME = pytest.StashKey[bool]()  # of a session to whose servers a client has come already: there is a command

Outcomes: TypeAlias = "Callable[[Planned], Outcome]"


@pytest.fixture(scope="session")
def mcp_outcomes(request: pytest.FixtureRequest) -> Iterator[Outcomes]:
    """The runs of this session: a function from a planned scenario to its outcome, which runs the coming ones ahead."""
    from pytest_mcp_conformance import session  # loads the scenarios and what they need

    match request.config.stash[LEG]:
        case Leg.SERVER:
            runs = session.server_runs(request.getfixturevalue("mcp_server"), request.session)
        case Leg.CLIENT:
            runs = session.client_runs(request.getfixturevalue("mcp_client"), request.session)
        case Leg.AUTHORIZATION:
            runs = session.authorization_runs(request.getfixturevalue("mcp_authorization"), request.session)
    try:
        yield runs.outcome
    finally:
        runs.close()


@pytest.fixture
def mcp_verdict(request: pytest.FixtureRequest, planned: Planned, mcp_outcomes: Outcomes) -> Settle:
    """The verdict on one scenario. Where nothing can be said about conformance the set-up of the item fails."""
    options = request.config.stash[OPTIONS]
    rules = request.config.stash[RULES]
    outcome = mcp_outcomes(planned)
    judgement = judge(outcome, rules)
    request.node.stash[OUTCOME] = outcome
    request.node.stash[JUDGEMENT] = judgement
    request.node.user_properties.extend(
        [
            ("mcp_scenario", outcome.scenario),
            ("mcp_revision", outcome.revision.value),
            ("mcp_outcome", outcome.ending.value),
            ("mcp_verdict", judgement.verdict.value),
            *([("mcp_score", judgement.score.value)] if judgement.score else []),
            ("mcp_checks", compact_checks(outcome.checks)),
            ("mcp_seconds", f"{outcome.seconds:.3f}"),
        ]
    )
    again = again_line(outcome.leg, options, planned)
    if outcome.transcript:
        request.session.stash[CAME] = True
    if judgement.verdict is Verdict.NONE:
        if _finds_no_command(outcome) and CAME not in request.session.stash:
            request.session.stash[UNREADY] = True
        refuse_unjudged(outcome, again=again)
    return lambda: settle(
        outcome,
        judgement,
        again=again,
        counting=rules.counting(judgement.score),
        runxfail=bool(request.config.getoption("runxfail", default=False)),
        secret_headers=options.headers,
    )


def _finds_no_command(outcome: Outcome) -> bool:
    """Tell whether the shell found no client to start; a script that only lacks this scenario looks the same."""
    return outcome.client is not None and outcome.client.exit_code in NOTHING_TO_RUN
