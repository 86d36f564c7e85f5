"""Scenarios of others: what the hook `pytest_mcp_scenarios` gives becomes part of the registry for this run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from pytest_mcp_conformance import registry
from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.model import Scenario


def take_in(config: pytest.Config) -> None:
    """Ask plugins and `conftest.py` files for their scenarios, and know them until the end of the run.

    :raises Misuse: something that is no scenario, or a name that is taken or cannot be selected.
    """
    registry.contribute(each for given in config.hook.pytest_mcp_scenarios() for each in _scenarios(given))
    config.add_cleanup(registry.withdraw)


def _scenarios(given: Any) -> Iterable[Scenario]:
    if isinstance(given, Scenario) or not isinstance(given, Iterable):
        raise Misuse(f"pytest_mcp_scenarios: expected a list of scenarios, got {given!r}.")
    for each in given:
        if not isinstance(each, Scenario):
            raise Misuse(f"pytest_mcp_scenarios: {each!r} is no scenario. Declare one with server_scenario.")
        yield each
