"""Scenarios and checks of the authorization leg are those of the published suite, and what is ours says so."""

from __future__ import annotations

import pytest
import yaml

from pytest_mcp_conformance.model import Leg
from pytest_mcp_conformance.registry import scenarios
from tests.shared_folder import shared


@pytest.mark.needs_shared
def test_scenarios_checks_names_levels_and_references_are_the_published_ones() -> None:
    entries = yaml.safe_load(shared("catalogue", "authorization.yaml").read_text())
    published = {
        (entry["scenario"], check["id"], check["name"], check["level"])
        for entry in entries
        for check in entry["checks"]
    }
    references = {reference["id"]: reference["url"] for entry in entries for reference in entry["spec"]}
    ours = [(scenario.name, each) for scenario in scenarios(Leg.AUTHORIZATION).values() for each in scenario.decides]
    assert {(name, each.id, each.name, each.level) for name, each in ours if not each.addition} == published
    assert {ref.id: ref.url for _, each in ours if not each.addition for ref in each.spec} == references


def test_what_is_not_published_is_named_and_marked_as_an_addition() -> None:
    declared = [each for scenario in scenarios(Leg.AUTHORIZATION).values() for each in scenario.decides]
    assert [each.id for each in declared if each.addition != each.id.startswith("x-")] == []
