"""The fixtures behind the suite. A project's root `conftest.py` may override `mcp_server` with a server of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

import pytest

from pytest_mcp_conformance.collection import OPTIONS
from pytest_mcp_conformance.exceptions import Misuse, PeerUnreachable
from pytest_mcp_conformance.expectations import RULES
from pytest_mcp_conformance.judgement import Judgement
from pytest_mcp_conformance.judging import judge
from pytest_mcp_conformance.reporting.failure_text import compact_checks
from pytest_mcp_conformance.selection import Planned
from pytest_mcp_conformance.settling import Settle, again_line, refuse_unjudged, settle

if TYPE_CHECKING:
    from pytest_mcp_conformance.model import Outcome
    from pytest_mcp_conformance.running import ServerUnderTest

OUTCOME = pytest.StashKey["Outcome"]()
JUDGEMENT = pytest.StashKey[Judgement]()

NO_SERVER = "there is no server to test; no scenario ran"  # why a session ends at once

Outcomes: TypeAlias = "Callable[[Planned], Outcome]"


@pytest.fixture(scope="session")
def mcp_server(request: pytest.FixtureRequest) -> Iterator[ServerUnderTest]:
    """The server under test, ready: a URL, a started command, or the reference server, as the options say.

    Override it in the root `conftest.py` to test a server that your own fixtures start: return or yield a
    `ServerUnderTest` and run pytest with `--mcp-suite` or another option that selects scenarios.
    """
    from pytest_mcp_conformance.running import ServerUnderTest  # loads the HTTP client
    from pytest_mcp_conformance.targets import server_target

    options = request.config.stash[OPTIONS]
    unready = None
    try:
        target = server_target(options)
        url = target.start()
    except (Misuse, PeerUnreachable) as error:
        unready = str(error)
    if unready is not None:  # outside the handler: the reader needs one message, not a chain of two
        request.session.shouldfail = NO_SERVER
        pytest.fail(f"{unready}\nNothing is said about conformance.", pytrace=False)
    try:
        yield ServerUnderTest(url=url, headers=options.headers, obituary=target.obituary)
    finally:
        target.stop()


@pytest.fixture(scope="session")
def mcp_outcomes(request: pytest.FixtureRequest, mcp_server: ServerUnderTest) -> Iterator[Outcomes]:
    """The runs of this session: a function from a planned scenario to its outcome, which runs the coming ones ahead."""
    from pytest_mcp_conformance.session import server_runs  # loads the scenarios and what they need

    runs = server_runs(mcp_server, request.session)
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
    again = again_line(options, planned)
    refuse_unjudged(outcome, again=again)
    return lambda: settle(
        outcome,
        judgement,
        again=again,
        counting=rules.counting(judgement.score),
        runxfail=bool(request.config.getoption("runxfail", default=False)),
        secret_headers=options.headers,
    )
