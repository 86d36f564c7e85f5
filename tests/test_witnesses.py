"""Every check is proven both ways: the reference turns it green, a named fault of the reference turns exactly it red."""

from __future__ import annotations

import asyncio
import functools

import pytest

from pytest_mcp_conformance.model import Leg, Revision, Scenario
from pytest_mcp_conformance.reference.server import running_server
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running import ServerUnderTest, run_server_scenario
from pytest_mcp_conformance.verdict import ON_ALL_TRAFFIC, collapsed
from tests.witnesses import ABSENT, Witness, witnesses

RED = {"FAILURE", "WARNING"}
CONTENT_TYPE = "x-response-content-type"

WITNESSES = witnesses()

# Ids under which the published suite only ever reports INFO, or whether something applies: they cannot turn red.
REMARKS = {
    "incoming-response",
    "outgoing-request",
    "sep-2640-capability-directory-read-flag",
    "server-session-lifecycle-skipped",
    "server-sse-content-type",
    "stream-closed",
    "tasks-status-notifications",
}


def statuses(scenario: Scenario, revision: Revision, fault: str | None) -> dict[str, str]:
    """Run `scenario` against a reference server of its own and return the status of each check, the worst of each id."""
    with running_server(frozenset({fault} if fault else ())) as url:
        run = run_server_scenario(scenario, revision, ServerUnderTest(url=url), timeout=30)
        outcome = asyncio.run(run)
    assert outcome.reason is None, outcome.reason
    return {name: check.status.value for name, check in collapsed(outcome.checks).items()}


@functools.cache
def faultless(name: str, revision: Revision) -> dict[str, str]:
    """Return the statuses of the reference without a fault."""
    return statuses(scenarios(Leg.SERVER)[name], revision, None)


@pytest.mark.parametrize("witness", WITNESSES, ids=str)
def test_a_fault_breaks_exactly_its_check(witness: Witness) -> None:
    scenario = scenarios(Leg.SERVER)[witness.scenario]
    expected = {**faultless(witness.scenario, witness.revision), witness.check: witness.status, **witness.also}
    found = statuses(scenario, witness.revision, witness.fault)
    if (
        witness.check != CONTENT_TYPE and CONTENT_TYPE not in found
    ):  # which is decided only of requests answered with 2xx
        expected.pop(CONTENT_TYPE, None)
    # collapsed checks have no INFO: a remark decides nothing
    assert found == {name: status for name, status in expected.items() if status not in (ABSENT, "INFO")}


def test_every_declared_check_has_a_witness() -> None:
    """A check that nothing can turn red decides nothing."""
    witnessed = {(each.scenario, each.check) for each in WITNESSES if each.status in RED}
    declared = {
        (scenario.name, requirement.id)
        for scenario in scenarios(Leg.SERVER).values()
        for requirement in scenario.decides
        if requirement.id not in REMARKS
    }
    assert sorted(declared - witnessed) == []


def test_every_witness_is_of_a_declared_check() -> None:
    declared = {
        (scenario.name, name)
        for scenario in scenarios(Leg.SERVER).values()
        for name in [*(requirement.id for requirement in scenario.decides), *ON_ALL_TRAFFIC]
    }
    assert sorted({(each.scenario, each.check) for each in WITNESSES} - declared) == []


def test_wire_schema_valid_has_a_witness_in_every_scenario() -> None:
    witnessed = {each.scenario for each in WITNESSES if each.check == "wire-schema-valid" and each.status in RED}
    assert sorted(scenarios(Leg.SERVER).keys() - witnessed) == []


def test_the_content_type_has_a_witness_on_either_wire() -> None:
    witnessed = {each.revision.stateless for each in WITNESSES if each.check == CONTENT_TYPE and each.status in RED}
    assert witnessed == {True, False}
