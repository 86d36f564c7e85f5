"""A mock server that bends nothing passes the scenarios that a server has to pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from pytest_mcp_conformance.mock_server import MockServer, running_mock
from pytest_mcp_conformance.model import Ending, Leg, Revision
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running import ServerUnderTest, run_server_scenario
from tests.mock_server.rigged import RIGGED

SERVED = [
    "caching",
    "completion-complete",
    "dns-rebinding-protection",
    "http-custom-header-server-validation",
    "http-header-validation",
    "ping",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-list",
    "resources-list",
    "resources-read-binary",
    "resources-read-text",
    "sep-2164-resource-not-found",
    "server-initialize",
    "server-session-lifecycle",
    "server-sse-multiple-streams",
    "server-sse-polling",
    "server-stateless",
    "tools-call-sampling",
    "tools-call-simple-text",
    "tools-call-with-progress",
    "tools-list",
]
RUNS = [
    (name, revision) for name in SERVED for revision in Revision if scenarios(Leg.SERVER)[name].applies_at(revision)
]


@pytest.fixture(scope="module", params=[False, True], ids=["json", "streams"])
def server(request: pytest.FixtureRequest) -> Iterator[MockServer]:
    with running_mock(replace(RIGGED, streams=request.param)) as running:
        yield running
        assert running.faults == ()
        assert running.script_errors == ()
        assert running.bent == ()


@pytest.mark.parametrize(("name", "revision"), RUNS)
async def test_a_scenario_passes(server: MockServer, name: str, revision: Revision) -> None:
    scenario = scenarios(Leg.SERVER)[name]
    outcome = await run_server_scenario(scenario, revision, ServerUnderTest(url=server.url), timeout=10)
    told = [(check.id, check.message) for check in outcome.checks if check.message]
    assert outcome.ending is Ending.PASSED, told or outcome.reason
