"""Which scenarios exist. Importing this imports none of them; they load on first use, by walking their package.

Plugins and projects may contribute scenarios of their own for a run.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from pytest_mcp_conformance.exceptions import HarnessError, Misuse
from pytest_mcp_conformance.model import Leg, Scenario

PACKAGE = "pytest_mcp_conformance.scenarios"
FOLDERS = {Leg.SERVER: "server", Leg.CLIENT: "client", Leg.AUTHORIZATION: "authorization"}

SELECTABLE = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._/-]*"
)  # what command lines, node ids, globs and baselines all can carry

_contributed: dict[Leg, dict[str, Scenario]] = {}


@functools.cache
def scenarios(leg: Leg) -> Mapping[str, Scenario]:
    """Return the scenarios of one leg by name, sorted: ours, and those that were contributed to this run.

    :raises HarnessError: two of ours have the same name.
    """
    return dict(sorted({**_built_in(leg), **_contributed.get(leg, {})}.items()))


def contribute(found: Iterable[Scenario]) -> None:
    """Add scenarios that are not of this package.

    :raises Misuse: a name that is taken, or that cannot be selected. Then none is added.
    """
    added: dict[Leg, dict[str, Scenario]] = {}
    for scenario in found:
        if not SELECTABLE.fullmatch(scenario.name):
            raise Misuse(
                f"{_place(scenario)}: a scenario cannot be named {scenario.name!r}. Use letters, digits and . _ / -."
            )
        of_leg = added.setdefault(scenario.leg, {})
        other = _built_in(scenario.leg).get(scenario.name) or of_leg.setdefault(scenario.name, scenario)
        if other is not scenario:
            raise Misuse(
                f"two scenarios of the {scenario.leg.value} leg are named {scenario.name!r}: in {_place(other)} and in"
                f" {_place(scenario)}. Give one of them another name."
            )
    _contributed.update(added)
    scenarios.cache_clear()


def withdraw() -> None:
    """Forget what was contributed."""
    _contributed.clear()
    scenarios.cache_clear()


def _place(scenario: Scenario) -> str:
    """Name the module of a scenario; several may be called conftest, so theirs with its file."""
    if scenario.module.startswith(f"{PACKAGE}."):
        return scenario.module
    return f"{scenario.module} ({inspect.getsourcefile(scenario.body)})"


@functools.cache
def _built_in(leg: Leg) -> Mapping[str, Scenario]:
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
