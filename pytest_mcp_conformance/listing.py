"""The list of scenarios: what exists, or what a run with the same options would run."""

from __future__ import annotations

from pytest_mcp_conformance.bundled import requirements_folder
from pytest_mcp_conformance.model import Leg, Revision, Scenario
from pytest_mcp_conformance.options import Options
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.requirement_sets import load_sets, set_lines
from pytest_mcp_conformance.selection import Selection, plan


def listing(options: Options) -> str:
    """Return one line a scenario with the revisions at which it would run.

    Without an option that selects, every scenario of every leg is listed with its whole window.

    With requirement sets, what they name is listed.

    :raises Misuse: a scenario, suite, revision or requirement set that does not exist.
    """
    if options.requirements:
        sets = load_sets(options.requirements, requirements_folder())
        return "\n".join(line for requirements in sets for line in set_lines(requirements))
    selective = bool(options.suites or options.scenarios or options.spec_versions)
    lines = []
    for leg in Leg:
        known = scenarios(leg)
        if not known:
            continue
        if selective:
            selection = Selection(
                suites=options.suites or (() if options.scenarios else ("all",)),
                scenarios=options.scenarios,
                revisions=options.spec_versions,
                force=options.force,
            )
            planned = plan(leg, known, selection)
            found: dict[str, list[str]] = {}
            for each in planned:
                found.setdefault(each.scenario, []).append(each.revision.value)
        else:
            found = {name: window(scenario) for name, scenario in known.items()}
        lines.append(f"{leg.value}: {len(found)} scenarios")
        lines += [f"  {name} [{', '.join(revisions)}]" for name, revisions in found.items()]
    return "\n".join(lines)


def window(scenario: Scenario) -> list[str]:
    """Return the revisions of a scenario; `extension` for one that belongs to an extension."""
    if scenario.extension:
        return ["extension"]
    return [revision.value for revision in Revision if scenario.applies_at(revision)]
