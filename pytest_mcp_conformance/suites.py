"""The named suites of each leg, as rules over what scenarios declare."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pytest_mcp_conformance.model import DRAFT, Leg, Scenario

Rule: TypeAlias = Callable[[Scenario], bool]

DEFAULT_SUITE = {Leg.SERVER: "active", Leg.CLIENT: "all", Leg.AUTHORIZATION: "all"}


def _all(scenario: Scenario) -> bool:  # noqa: ARG001 -- the rule of the suite that has no rule
    return True


def _draft(scenario: Scenario) -> bool:
    return scenario.introduced_in == DRAFT


def _pending(scenario: Scenario) -> bool:
    return scenario.pending


def _active(scenario: Scenario) -> bool:
    return not scenario.pending and not _draft(scenario)


def listed(name: str) -> Rule:
    """Return the rule of the suite that scenarios join by naming it in their `lists`."""
    return lambda scenario: name in scenario.lists


SUITES: Mapping[Leg, Mapping[str, Rule]] = {
    Leg.SERVER: {"active": _active, "all": _all, "core": _active, "draft": _draft, "pending": _pending},
    Leg.CLIENT: {
        "all": _all,
        "draft": _draft,
        **{name: listed(name) for name in ("auth", "backcompat", "core", "extensions", "metadata", "sep-835")},
    },
    Leg.AUTHORIZATION: {"all": _all},
}
