"""The differences from the published suite are all written down, for readers and for the comparison."""

from __future__ import annotations

from pathlib import Path

import yaml

from pytest_mcp_conformance.model import Leg, Revision
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.verdict import CLIENT_EXIT, ON_ALL_TRAFFIC
from pytest_mcp_conformance.wire_checks import response_content_type

KNOWN = yaml.safe_load((Path(__file__).parent / "known.yaml").read_text())


def test_every_addition_is_a_known_difference() -> None:
    known = {(entry["scenario"], entry["check"]) for entry in KNOWN}
    additions = {
        (scenario.name, requirement.id)
        for leg in Leg
        for scenario in scenarios(leg).values()
        for requirement in scenario.decides
        if requirement.addition
    }
    additions |= {("*", response_content_type(revision).id) for revision in Revision}
    assert sorted(additions - known) == []


def test_every_known_difference_is_of_a_check_that_exists() -> None:
    declared = {
        (scenario.name, id_)
        for leg in Leg
        for scenario in scenarios(leg).values()
        for id_ in [
            *(requirement.id for requirement in scenario.decides),
            "wire-schema-valid",
            "wire-schema-harness-error",
        ]
    }
    declared |= {("*", id_) for id_ in (*ON_ALL_TRAFFIC, CLIENT_EXIT)}
    assert [entry for entry in KNOWN if (entry["scenario"], entry["check"]) not in declared] == []


def test_every_known_difference_has_a_reason() -> None:
    assert [entry for entry in KNOWN if not entry["reason"].strip()] == []
