"""How the suite gets into pytest's collection: the plan, the short node id, the arguments that name it.

Items are named `mcp/<leg>::test_<leg>[<scenario>@<revision>]`, wherever the package is installed. The same text on the
command line selects them, with or without the revision. A run is about one leg.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from pytest_mcp_conformance.declared_options import DECLARED
from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.model import Leg
from pytest_mcp_conformance.options import Options
from pytest_mcp_conformance.registry import nearest, scenarios
from pytest_mcp_conformance.requirement_sets import RequirementSet, planned_by
from pytest_mcp_conformance.selection import Planned, Selection, left_out, plan
from pytest_mcp_conformance.suite_id import SUITES, TESTS, item_id, suite_leg
from pytest_mcp_conformance.suites import DEFAULT_SUITE

SUITE_FILES = {Path(__file__).parent / "suite" / f"{test}.py": Leg(leg) for leg, test in TESTS.items()}

LEG = pytest.StashKey[Leg]()
PLAN = pytest.StashKey[tuple[Planned, ...]]()


class SuiteModule(pytest.Module):
    """The packaged test module under its short node id."""

    def funcnamefilter(self, name: str) -> bool:
        """Find our tests whatever `python_functions` of the surrounding project says."""
        return name in TESTS.values()

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Collect the items as if they stood at the root of the project, so that hooks of its root `conftest.py` see them.

        pytest gives an item only the hooks of the `conftest.py` files above its path, and ours is where packages are installed.
        """
        for node in super().collect():
            node.path = self.config.rootpath
            yield node


def chosen_leg(options: Options, arguments: Sequence[str]) -> Leg:
    """Return the leg that a run is about: that of its target, else that of the suite that is named, else the server's.

    :raises Misuse: target and arguments are of different legs.
    """
    named = dict.fromkeys(leg for argument in arguments if (leg := suite_leg(argument)) is not None)
    legs = [*dict.fromkeys([options.leg, *named])] if options.leg else [*named]
    if len(legs) > 1:
        what = f"the target is of the {legs[0]} leg, and" if options.leg else "one run is about one leg, and"
        which = " and ".join(SUITES[leg] for leg in named)
        raise Misuse(f"{what} {which} {'is' if len(named) == 1 else 'are'} named. Give them to runs of their own.")
    return Leg(legs[0]) if legs else Leg.SERVER


def named_items(arguments: Sequence[str]) -> list[str]:
    """Return the parameters of the items that `arguments` name: `tools-list@2025-11-25` of `mcp/server::test_server[…]`.

    :raises Misuse: an argument begins like an item of a suite and is none.
    """
    found = []
    for argument in arguments:
        leg = suite_leg(argument)
        if leg is None:
            continue
        _, _, rest = argument.partition("::")
        test = TESTS[leg]
        if rest in ("", test):
            continue
        if not (rest.startswith(f"{test}[") and rest.endswith("]")):
            raise Misuse(f"{argument}: an item is named '{item_id(leg, '<scenario>@<revision>')}'.")
        found.append(rest[len(test) + 1 : -1])
    return found


def planned_items(
    leg: Leg, options: Options, named: Sequence[str], sets: Iterable[RequirementSet] = ()
) -> tuple[Planned, ...]:
    """Return what runs: the items named on the command line, else what the options or requirement sets select.

    :raises Misuse: a scenario, suite or revision that does not exist, or nothing to run at all.
    """
    known = scenarios(leg)
    if options.requirements:
        required = planned_by(sets, leg, known)
        return tuple(sorted({each for name in named for each in _named_in(leg, required, name)})) if named else required
    if not named:
        try:
            selected = plan(leg, known, _selection(options))
        except Misuse as error:
            raise Misuse(f"{error} {_other_leg(leg, options)}".rstrip()) from error
        if not selected:
            suites = ", ".join(options.suites) or DEFAULT_SUITE[leg]
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
        if scenario not in known:
            hint = nearest(scenario, known) or "--mcp-list shows all of them."
            raise Misuse(f"{item_id(leg, name)}: the {leg.value} leg has no scenario {scenario!r}. {hint}")
        found.update(plan(leg, known, Selection(scenarios=(scenario,), revisions=revisions, force=forced)))
    return tuple(sorted(found))


def left_out_of(leg: Leg, options: Options) -> Iterable[str]:
    """Give a sentence for each scenario that the options name and that does not run all the same."""
    return () if options.requirements else left_out(leg, scenarios(leg), _selection(options))


def _selection(options: Options) -> Selection:
    return Selection(
        suites=options.suites, scenarios=options.scenarios, revisions=options.spec_versions, force=options.force
    )


def _other_leg(leg: Leg, options: Options) -> str:
    """Return which leg has what `leg` has not, and how it is chosen; nothing where a target has chosen one."""
    if options.leg:
        return ""
    for other in Leg:
        if other is leg:
            continue
        try:
            plan(other, scenarios(other), _selection(options))
        except Misuse:
            continue
        flags = [
            option.flag for option in DECLARED if option.targets and option.flag.startswith(f"--mcp-{other.value}")
        ]
        return f"The {other.value} leg has it; a target chooses that leg: {', '.join(flags)}."
    return ""


def _named_in(leg: Leg, required: Sequence[Planned], name: str) -> Sequence[Planned]:
    found = [each for each in required if name in (each.id, each.scenario)]
    if not found:
        hint = nearest(name, [each.id for each in required])
        raise Misuse(f"{item_id(leg, name)}: the requirement sets have no such item. {hint}".rstrip())
    return found


def collected_arguments(leg: Leg, arguments: Sequence[str], *, keep: bool, planned: Sequence[Planned]) -> list[str]:
    """Return what pytest is to collect: the suite, or the items of it that were named, behind what else there is.

    :param keep: collect the other arguments too; without paths on the command line a run with a target wants the suite alone.
    """
    others = [argument for argument in arguments if suite_leg(argument) is None] if keep else []
    file = next(path for path, of_leg in SUITE_FILES.items() if of_leg is leg)
    if not named_items(arguments):
        return [*others, str(file)]
    return [*others, *(f"{file}::{TESTS[leg]}[{each.id}]" for each in planned)]
