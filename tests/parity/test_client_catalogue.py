"""The scenarios of the client leg outside authorization are those of the published suite, with their checks and names."""

from __future__ import annotations

import functools
from typing import Any

import pytest
import yaml

from pytest_mcp_conformance.model import Leg, Scenario
from pytest_mcp_conformance.registry import scenarios
from tests.shared_folder import shared

FILES = ("client-core", "skills")
OF_THE_RUNNER = {"wire-schema-valid", "wire-schema-harness-error"}
# Told in the notes of its scenario.
NEW_IN_ALPHA_12 = {"http-invalid-tool-headers": {"ClientRejectsInvalidTool_invalid_number_header"}}

SPECIFICATION = "https://modelcontextprotocol.io/specification"
DEAD = f"{SPECIFICATION}/draft/basic"
BASIC = f"{SPECIFICATION}/2026-07-28/basic"
# The published references that lead nowhere, and where what they mean is written.
MOVED = {
    f"{DEAD}/index#capabilities": f"{BASIC}#_meta",
    f"{DEAD}/index#meta": f"{BASIC}#_meta",
    f"{DEAD}/utilities/mrtr": f"{BASIC}/patterns/mrtr",
    f"{DEAD}/transports#standard-mcp-request-headers": f"{BASIC}/transports/streamable-http#standard-request-headers",
}


def living(url: str) -> str:
    """Return where a published reference leads to, or would."""
    return MOVED.get(url) or url.replace(f"{DEAD}/transports#", f"{BASIC}/transports/streamable-http#")


@functools.cache
def published() -> dict[str, dict[str, Any]]:
    """Return the entries of the catalogue by scenario."""
    texts = [shared("catalogue", f"{name}.yaml").read_text() for name in FILES]
    entries = [entry for text in texts for entry in yaml.safe_load(text)]
    return {entry["scenario"]: entry for entry in entries if entry["leg"] == "client"}


def ours() -> dict[str, Scenario]:
    return {name: each for name, each in scenarios(Leg.CLIENT).items() if not name.startswith("auth/")}


def names_of(entry: dict[str, Any]) -> set[tuple[str, str, str]]:
    """Return id, name and level of every check; names that a client makes up are left out."""
    return {
        (check["id"], name, check["level"])
        for check in entry["checks"]
        if check["id"] not in OF_THE_RUNNER
        for name in check.get("names", [check["name"]])
        if "<" not in name
    }


@pytest.mark.needs_shared
def test_the_scenarios_are_those_of_the_published_suite() -> None:
    assert sorted(ours()) == sorted(published())


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", sorted(ours()))
def test_a_scenario_is_declared_as_published(name: str) -> None:
    scenario, entry = ours()[name], published()[name]
    source = entry["source"]
    window = (source.get("introduced_in"), source.get("removed_in"), source.get("extension"))
    assert (scenario.introduced_in, scenario.removed_in, scenario.extension) == window
    assert scenario.lists == set(entry["lists"])
    assert scenario.allows_client_error is entry["allow_client_error"]
    assert scenario.task


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", sorted(ours()))
def test_the_checks_of_a_scenario_are_the_published_ones(name: str) -> None:
    declared = {(each.id, each.name, each.level.value) for each in ours()[name].decides if not each.addition}
    new = {each for each in declared if each[1] in NEW_IN_ALPHA_12.get(name, ())}
    assert len(new) == len(NEW_IN_ALPHA_12.get(name, ()))
    assert declared - new == names_of(published()[name])


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", sorted(ours()))
def test_a_check_refers_to_what_the_published_one_refers_to(name: str) -> None:
    known = {(each["id"], living(each["url"])) for each in published()[name]["spec"]}
    assert {(ref.id, ref.url) for each in ours()[name].decides if not each.addition for ref in each.spec} <= known
