"""Every check of the authorization leg is proven both ways: the reference turns it green, a named fault exactly it red."""

from __future__ import annotations

import re

import pytest

from pytest_mcp_conformance.model import Leg, Revision
from pytest_mcp_conformance.reference.authorization import AuthorizationFault, ReferenceAuthorizationServer
from pytest_mcp_conformance.registry import scenarios
from tests.authorization.runs import statuses
from tests.witnesses import ABSENT, Witness, witnesses

RED = {"FAILURE", "WARNING"}
WITNESSES = witnesses(Leg.AUTHORIZATION)
DECLARED = {
    (scenario.name, requirement.id)
    for scenario in scenarios(Leg.AUTHORIZATION).values()
    for requirement in scenario.decides
}


@pytest.mark.parametrize("revision", list(Revision))
@pytest.mark.parametrize("name", sorted(scenarios(Leg.AUTHORIZATION)))
def test_the_reference_passes_all_that_is_declared(name: str, revision: Revision) -> None:
    declared = [each.id for each in scenarios(Leg.AUTHORIZATION)[name].decides if each.applies_at(revision)]
    assert statuses(name, revision, None) == dict.fromkeys(declared, "SUCCESS")


@pytest.mark.parametrize("witness", WITNESSES, ids=str)
def test_a_fault_breaks_exactly_its_check(witness: Witness) -> None:
    faultless = statuses(witness.scenario, witness.revision, None)
    expected = {**faultless, witness.check: witness.status, **witness.also}
    found = statuses(witness.scenario, witness.revision, witness.fault)
    assert found == {id_: status for id_, status in expected.items() if status != ABSENT}


def test_every_declared_check_has_a_witness() -> None:
    """A check that nothing can turn red decides nothing."""
    assert sorted(DECLARED - {(each.scenario, each.check) for each in WITNESSES if each.status in RED}) == []


def test_every_witness_is_of_a_declared_check() -> None:
    assert sorted({(each.scenario, each.check) for each in WITNESSES} - DECLARED) == []


def test_every_fault_is_a_witness() -> None:
    assert {str(fault) for fault in AuthorizationFault} == {each.fault for each in WITNESSES}


@pytest.mark.parametrize("fault", list(AuthorizationFault))
def test_a_fault_says_in_one_sentence_what_it_does(fault: AuthorizationFault) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fault)
    assert re.fullmatch(r"[A-Z][^.]*\.", fault.text), fault.text


def test_an_unknown_fault_is_refused() -> None:
    with pytest.raises(ValueError, match="no-such-fault"):
        ReferenceAuthorizationServer(["no-such-fault"])
