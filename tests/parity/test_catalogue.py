"""Scenarios and checks are those of the published suite, and what is ours says so."""

from __future__ import annotations

import functools
from typing import Any

import pytest
import yaml

from pytest_mcp_conformance.model import Leg, Requirement
from pytest_mcp_conformance.registry import scenarios
from tests.shared_folder import shared

FILES = ("server-core", "server-2026", "server-tasks", "skills")
NEW_IN_ALPHA_12 = {("tools-list", "tools-list-deterministic-order")}  # told in the notes of its scenario


@functools.cache
def published() -> dict[str, dict[str, Any]]:
    """Return the checks of every server scenario of the published suite by scenario and id."""
    texts = [shared("catalogue", f"{name}.yaml").read_text() for name in FILES]
    entries = [entry for text in texts for entry in yaml.safe_load(text)]
    return {
        entry["scenario"]: {check["id"]: check for check in entry["checks"]}
        for entry in entries
        if entry["leg"] == "server"
    }


def declared(name: str) -> dict[str, Requirement]:
    return {each.id: each for each in scenarios(Leg.SERVER)[name].decides if not each.addition}


@pytest.mark.needs_shared
def test_the_scenarios_are_those_of_the_published_suite() -> None:
    assert sorted(scenarios(Leg.SERVER)) == sorted(published())


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", sorted(scenarios(Leg.SERVER)))
def test_the_checks_of_a_scenario_are_the_published_ones(name: str) -> None:
    ours = {(name, id_) for id_ in declared(name)} - NEW_IN_ALPHA_12
    assert sorted(ours) == sorted((name, id_) for id_ in published()[name])


def test_what_is_not_published_is_named_and_marked_as_an_addition() -> None:
    """A check of our own must not fail anybody who switches over: its id begins with x- and it is an addition."""
    wrong = [
        (scenario.name, each.id)
        for scenario in scenarios(Leg.SERVER).values()
        for each in scenario.decides
        if each.addition != each.id.startswith("x-")
    ]
    assert wrong == []
