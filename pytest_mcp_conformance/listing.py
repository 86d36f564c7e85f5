"""The list of scenarios: what exists, or what a run with the same options would run."""

from __future__ import annotations

from pytest_mcp_conformance.bundled import requirements_folder
from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.model import Leg, Revision, Scenario
from pytest_mcp_conformance.options import Options
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.requirement_sets import load_sets, set_lines
from pytest_mcp_conformance.selection import Selection, plan


def listing(options: Options) -> str:
    """Return one line a scenario with the revisions at which it would run: of the leg of the target, without one of all.

    Without an option that selects, every scenario is listed with its whole window.

    With requirement sets, what they name is listed.

    :raises Misuse: a scenario, suite, revision or requirement set that does not exist.
    """
    if options.requirements:
        sets = load_sets(options.requirements, requirements_folder())
        return "\n".join(line for requirements in sets for line in set_lines(requirements))
    lines: list[str] = []
    refused: list[Misuse] = []
    for leg in (Leg(options.leg),) if options.leg else Leg:
        try:
            found = _found(leg, options)
        except Misuse as error:  # a name of another leg, perhaps
            refused.append(error)
            continue
        if found:
            lines.append(f"{leg.value}: {len(found)} scenario{'' if len(found) == 1 else 's'}")
            lines += [f"  {name} [{', '.join(revisions)}]" for name, revisions in found.items()]
    if refused and not lines:
        raise refused[0]
    return "\n".join(lines)


def _found(leg: Leg, options: Options) -> dict[str, list[str]]:
    """Return the scenarios of one leg with their revisions.

    :raises Misuse: the leg has no such scenario or suite.
    """
    known = scenarios(leg)
    if not (options.suites or options.scenarios or options.spec_versions):
        return {name: window(scenario) for name, scenario in known.items()}
    selection = Selection(
        suites=options.suites or (() if options.scenarios else ("all",)),
        scenarios=options.scenarios,
        revisions=options.spec_versions,
        force=options.force,
    )
    found: dict[str, list[str]] = {}
    for each in plan(leg, known, selection):
        found.setdefault(each.scenario, []).append(each.revision.value)
    return found


def window(scenario: Scenario) -> list[str]:
    """Return the revisions of a scenario; `extension` for one that belongs to an extension."""
    if scenario.extension:
        return ["extension"]
    return [revision.value for revision in Revision if scenario.applies_at(revision)]
