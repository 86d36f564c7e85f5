"""How the suite gets into pytest's collection: the plan, the short node id, the arguments that name it.

Items are named `mcp/server::test_server[<scenario>@<revision>]`, wherever the package is installed. The same text on the
command line selects them, with or without the revision.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.model import Leg
from pytest_mcp_conformance.options import Options
from pytest_mcp_conformance.registry import nearest, scenarios
from pytest_mcp_conformance.requirement_sets import RequirementSet, planned_by
from pytest_mcp_conformance.selection import Planned, Selection, plan
from pytest_mcp_conformance.suite_id import SUITE_ID, is_suite
from pytest_mcp_conformance.suites import DEFAULT_SUITE

SUITE_FILE = Path(__file__).parent / "suite" / "test_server.py"
ITEM = "test_server"

PLAN = pytest.StashKey[tuple[Planned, ...]]()


class SuiteModule(pytest.Module):
    """The packaged test module under its short node id."""

    def funcnamefilter(self, name: str) -> bool:
        """Find our tests whatever `python_functions` of the surrounding project says."""
        return name == ITEM

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Collect the items as if they stood at the root of the project, so that hooks of its root `conftest.py` see them.

        pytest gives an item only the hooks of the `conftest.py` files above its path, and ours is where packages are installed.
        """
        for node in super().collect():
            node.path = self.config.rootpath
            yield node


def named_items(arguments: Sequence[str]) -> list[str]:
    """Return the parameters of the items that `arguments` name: `tools-list@2025-11-25` of `mcp/server::test_server[…]`.

    :raises Misuse: an argument begins like an item of the suite and is none.
    """
    found = []
    for argument in arguments:
        if not is_suite(argument):
            continue
        _, _, rest = argument.partition("::")
        if rest in ("", ITEM):
            continue
        if not (rest.startswith(f"{ITEM}[") and rest.endswith("]")):
            raise Misuse(f"{argument}: an item is named '{SUITE_ID}::{ITEM}[<scenario>@<revision>]'.")
        found.append(rest[len(ITEM) + 1 : -1])
    return found


def planned_items(options: Options, named: Sequence[str], sets: Iterable[RequirementSet] = ()) -> tuple[Planned, ...]:
    """Return what runs: the items named on the command line, else what the options or requirement sets select.

    :raises Misuse: a scenario, suite or revision that does not exist, or nothing to run at all.
    """
    known = scenarios(Leg.SERVER)
    if options.requirements:
        required = planned_by(sets, Leg.SERVER, known)
        return tuple(sorted({each for name in named for each in _named_in(required, name)})) if named else required
    if not named:
        selected = plan(
            Leg.SERVER,
            known,
            Selection(
                suites=options.suites,
                scenarios=options.scenarios,
                revisions=options.spec_versions,
                force=options.force,
            ),
        )
        if not selected:
            suites = ", ".join(options.suites) or DEFAULT_SUITE[Leg.SERVER]
            raise Misuse(
                f"--mcp-spec-version {', '.join(options.spec_versions)}: no scenario of the suite {suites} applies there, so"
                " nothing would run. Choose other suites or revisions, or force it with --mcp-force."
            )
        return selected
    found: set[Planned] = set()
    for name in named:
        scenario, _, revision = name.partition("@")
        revisions = (revision,) if revision else options.spec_versions
        forced = options.force or bool(revision)  # who names a revision outside the window wants it
        found.update(plan(Leg.SERVER, known, Selection(scenarios=(scenario,), revisions=revisions, force=forced)))
    return tuple(sorted(found))


def _named_in(required: Sequence[Planned], name: str) -> Sequence[Planned]:
    found = [each for each in required if name in (each.id, each.scenario)]
    if not found:
        hint = nearest(name, [each.id for each in required])
        raise Misuse(f"{SUITE_ID}::{ITEM}[{name}]: the requirement sets have no such item. {hint}".rstrip())
    return found


def collected_arguments(arguments: Sequence[str], *, keep: bool, planned: Sequence[Planned]) -> list[str]:
    """Return what pytest is to collect: the suite, or the items of it that were named, behind what else there is.

    :param keep: collect the other arguments too; without paths on the command line a run with a target wants the suite alone.
    """
    others = [argument for argument in arguments if not is_suite(argument)] if keep else []
    if not named_items(arguments):
        return [*others, str(SUITE_FILE)]
    return [*others, *(f"{SUITE_FILE}::{ITEM}[{each.id}]" for each in planned)]
