"""The authorization scenarios of the client leg are those of the published suite, with their checks and names."""

from __future__ import annotations

import functools
from typing import Any

import pytest
import yaml

from pytest_mcp_conformance.model import Leg, Level, Requirement, Scenario
from pytest_mcp_conformance.registry import scenarios
from tests.shared_folder import shared

LEVELS = {level.value for level in Level}
# The name of each attempt has its number.
REMARK = "scope-retry-auth-attempt"
# An id has one declaration, and of its names the first is the one that it has where nothing is decided. The document that a
# client names is not fetched: docs/differences.md.
NOT_DECLARED = {
    "Client metadata includes refresh_token grant type (CIMD)",
    "Client metadata includes refresh_token grant type (DCR)",
}
# The metadata scenarios have the checks of the resource parameter from alpha.12 on; they are defined in this one.
WITH_RESOURCE_PARAMETER = "auth/token-endpoint-auth-basic"


@functools.cache
def published() -> dict[str, dict[str, Any]]:
    """Return the entries of the catalogue by scenario."""
    entries = yaml.safe_load(shared("catalogue", "client-auth.yaml").read_text())
    return {entry["scenario"]: entry for entry in entries}


def ours() -> dict[str, Scenario]:
    return {
        name: each
        for name, each in scenarios(Leg.CLIENT).items()
        if name.startswith("auth/") and each.extension is None
    }


def checks_of(name: str) -> list[dict[str, Any]]:
    """Return the checks of a scenario, without what is only logged."""
    checks = list(published()[name]["checks"])
    if name.startswith("auth/metadata-") and "core" in published()[name]["lists"]:
        later = published()[WITH_RESOURCE_PARAMETER]["checks"]
        checks += [check for check in later if check["id"].startswith("resource-parameter-")]
    return [check for check in checks if str(check["level"]).split()[0] in LEVELS]


def of_published(name: str) -> list[Requirement]:
    """Return what a scenario decides in the name of the published suite."""
    return [each for each in ours()[name].decides if each.id != REMARK and not each.addition]


@pytest.mark.needs_shared
def test_the_scenarios_are_those_of_the_published_suite() -> None:
    assert sorted(ours()) == sorted(published())


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", sorted(ours()))
def test_a_scenario_is_declared_as_published(name: str) -> None:
    scenario, entry = ours()[name], published()[name]
    source = entry["source"]
    assert (scenario.introduced_in, scenario.removed_in) == (
        str(source["introduced_in"]),
        source["removed_in"] and str(source["removed_in"]),
    )
    assert scenario.lists == set(entry["lists"])
    assert scenario.allows_client_error is entry["allow_client_error"]
    assert scenario.task


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", sorted(ours()))
def test_the_checks_of_a_scenario_are_the_published_ones(name: str) -> None:
    declared = {(each.id, each.level.value) for each in of_published(name)}
    assert declared == {(check["id"], check["level"].split()[0]) for check in checks_of(name)}


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", sorted(ours()))
def test_a_check_has_a_published_name(name: str) -> None:
    named = {(check["id"], check["name"]) for check in checks_of(name)}
    declared = {(each.id, each.name) for each in of_published(name)}
    assert declared <= named
    assert {name for _, name in named - declared} <= NOT_DECLARED
