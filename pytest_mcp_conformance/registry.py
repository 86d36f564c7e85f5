"""Which scenarios exist. Importing this imports none of them; they load on first use, by walking their package."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from pytest_mcp_conformance.exceptions import HarnessError
from pytest_mcp_conformance.model import Leg, Scenario

PACKAGE = "pytest_mcp_conformance.scenarios"
FOLDERS = {Leg.SERVER: "server", Leg.CLIENT: "client", Leg.AUTHORIZATION: "authorization"}


@functools.cache
def scenarios(leg: Leg) -> Mapping[str, Scenario]:
    """Return the scenarios of one leg by name, sorted.

    :raises HarnessError: two of them have the same name.
    """
    package = f"{PACKAGE}.{FOLDERS[leg]}"
    return by_name(scenario for scenario in _declared_in(package) if scenario.leg is leg)


def by_name(found: Iterable[Scenario]) -> Mapping[str, Scenario]:
    """Key scenarios by name, sorted.

    :raises HarnessError: two of them have the same name.
    """
    named: dict[str, Scenario] = {}
    for scenario in found:
        other = named.setdefault(scenario.name, scenario)
        if other is not scenario:
            raise HarnessError(f"two scenarios are named {scenario.name!r}: in {other.module} and in {scenario.module}")
    return dict(sorted(named.items()))


def nearest(name: str, among: Iterable[str], *, at_most: int = 3) -> str:
    """Return the names nearest to a mistyped one, as a sentence; empty where none is near."""
    near = get_close_matches(name, list(among), n=at_most, cutoff=0.5)
    return f"The nearest {'is' if len(near) == 1 else 'are'} {', '.join(near)}." if near else ""


def _declared_in(package_name: str) -> Iterable[Scenario]:
    """Give every scenario that a module below the package defines, once, not where another module imports it."""
    try:
        package = importlib.import_module(package_name)
    except ModuleNotFoundError as error:
        if error.name != package_name:
            raise
        return
    for entry in pkgutil.walk_packages(package.__path__, prefix=f"{package_name}."):
        module = importlib.import_module(entry.name)
        for value in vars(module).values():
            if isinstance(value, Scenario) and value.module == module.__name__:
                yield value
