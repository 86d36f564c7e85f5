"""Every check is proven both ways: the reference turns it green, a named fault of the reference turns exactly it red."""

from __future__ import annotations

import asyncio
import functools

import pytest

from pytest_mcp_conformance.model import Leg, Outcome, Revision
from pytest_mcp_conformance.reference.server import running_server
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running import ServerUnderTest, run_server_scenario
from pytest_mcp_conformance.running_client import CLIENT_ENDS, run_client_scenario
from pytest_mcp_conformance.targets.client_embedded import EmbeddedClient
from pytest_mcp_conformance.verdict import ON_ALL_TRAFFIC, collapsed
from tests.witnesses import ABSENT, Witness, witnesses

RED = {"FAILURE", "WARNING"}
CONTENT_TYPE = "x-response-content-type"

LEGS = (Leg.SERVER, Leg.CLIENT)
WITNESSES = {leg: witnesses(leg) for leg in LEGS}
IN_ALL_SCENARIOS = {Leg.SERVER: ON_ALL_TRAFFIC, Leg.CLIENT: ON_ALL_TRAFFIC | {CLIENT_ENDS.id}}

# Ids under which the published suite only ever reports INFO, or whether something applies: they cannot turn red.
REMARKS = {
    "incoming-response",
    "outgoing-request",
    "scope-retry-auth-attempt",
    "sep-2640-capability-directory-read-flag",
    "server-session-lifecycle-skipped",
    "server-sse-content-type",
    "stream-closed",
    "tasks-status-notifications",
}

# Ids of the authorization scenarios that say that something happened. They turn red only where a scenario demands that it does.
SEEN = {
    "prm-pathbased-requested",
    "authorization-server-metadata",
    "client-registration",
    "authorization-request",
    "token-request",
    "valid-bearer-token",
}
STEPS = SEEN - {"prm-pathbased-requested", "valid-bearer-token"}
DEMANDED = {
    "auth/metadata-default": {"prm-pathbased-requested", *STEPS},
    "auth/metadata-var1": {"prm-pathbased-requested", *STEPS},
    "auth/metadata-var2": STEPS,
    "auth/metadata-var3": STEPS,
    "auth/2025-03-26-oauth-metadata-backcompat": STEPS,
    "auth/2025-03-26-oauth-endpoint-fallback": STEPS - {"authorization-server-metadata"},
}
BOTH = " + "  # between two faults


def outcome_of(leg: Leg, name: str, revision: Revision, faults: frozenset[str]) -> Outcome:
    """Run a scenario with a reference of its own that has `faults`."""
    scenario = scenarios(leg)[name]
    if leg is Leg.CLIENT:
        return asyncio.run(run_client_scenario(scenario, revision, EmbeddedClient(faults), timeout=30))
    with running_server(faults) as url:
        return asyncio.run(run_server_scenario(scenario, revision, ServerUnderTest(url=url), timeout=30))


def statuses(leg: Leg, name: str, revision: Revision, fault: str | None) -> dict[str, str]:
    """Run a scenario with a reference of its own and return the status of each check, the worst of each id."""
    outcome = outcome_of(leg, name, revision, frozenset(fault.split(BOTH) if fault else ()))
    assert outcome.reason is None, outcome.reason
    return {name: check.status.value for name, check in collapsed(outcome.checks).items()}


@functools.cache
def faultless(leg: Leg, name: str, revision: Revision) -> dict[str, str]:
    """Return the statuses of the reference without a fault."""
    return statuses(leg, name, revision, None)


@pytest.mark.parametrize(
    ("leg", "witness"), [pytest.param(leg, each, id=str(each)) for leg in LEGS for each in WITNESSES[leg]]
)
def test_a_fault_breaks_exactly_its_check(leg: Leg, witness: Witness) -> None:
    expected = {**faultless(leg, witness.scenario, witness.revision), witness.check: witness.status, **witness.also}
    found = statuses(leg, witness.scenario, witness.revision, witness.fault)
    if (
        witness.check != CONTENT_TYPE and CONTENT_TYPE not in found
    ):  # which is decided only of requests answered with 2xx
        expected.pop(CONTENT_TYPE, None)
    # collapsed checks have no INFO: a remark decides nothing
    assert found == {name: status for name, status in expected.items() if status not in (ABSENT, "INFO")}


@pytest.mark.parametrize("leg", LEGS, ids=str)
def test_every_declared_check_has_a_witness(leg: Leg) -> None:
    """A check that nothing can turn red decides nothing."""
    witnessed = {(each.scenario, each.check) for each in WITNESSES[leg] if each.status in RED}
    declared = {
        (scenario.name, requirement.id)
        for scenario in scenarios(leg).values()
        for requirement in scenario.decides
        if requirement.id not in REMARKS
        if requirement.id not in SEEN or requirement.id in DEMANDED.get(scenario.name, ())
    }
    assert sorted(declared - witnessed) == []


@pytest.mark.parametrize("leg", LEGS, ids=str)
def test_every_witness_is_of_a_declared_check(leg: Leg) -> None:
    declared = {
        (scenario.name, name)
        for scenario in scenarios(leg).values()
        for name in [*(requirement.id for requirement in scenario.decides), *IN_ALL_SCENARIOS[leg]]
    }
    assert sorted({(each.scenario, each.check) for each in WITNESSES[leg]} - declared) == []


@pytest.mark.parametrize("leg", LEGS, ids=str)
def test_wire_schema_valid_has_a_witness_in_every_scenario(leg: Leg) -> None:
    witnessed = {each.scenario for each in WITNESSES[leg] if each.check == "wire-schema-valid" and each.status in RED}
    assert sorted(scenarios(leg).keys() - witnessed) == []


@pytest.mark.parametrize(("leg", "check"), [(Leg.SERVER, CONTENT_TYPE), (Leg.CLIENT, CLIENT_ENDS.id)], ids=str)
def test_what_is_decided_of_every_run_has_a_witness_on_either_wire(leg: Leg, check: str) -> None:
    witnessed = {each.revision.stateless for each in WITNESSES[leg] if each.check == check and each.status in RED}
    assert witnessed == {True, False}
