"""Which scenarios run at which revisions: pure functions from options, suites and registry to a plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.model import DRAFT, Leg, Revision, Scenario
from pytest_mcp_conformance.registry import nearest
from pytest_mcp_conformance.suites import DEFAULT_SUITE, SUITES, Rule, listed


@dataclass(frozen=True, kw_only=True, order=True)
class Planned:
    """One scenario at one revision: one pytest item."""

    scenario: str
    revision: Revision

    @property
    def id(self) -> str:
        """The parameter of the item: `tools-list@2025-11-25`."""
        return f"{self.scenario}@{self.revision.value}"


@dataclass(frozen=True, kw_only=True)
class Selection:
    """What a user asked for: names as typed, commas already split.

    :ivar suites: suite names; empty for the default suite of the leg, unless scenarios are named.
    :ivar scenarios: scenario names and globs.
    :ivar revisions: revisions, `draft`, `all`; empty for the revision that each scenario implies.
    :ivar force: run scenarios outside their window, too.
    """

    suites: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    revisions: tuple[str, ...] = ()
    force: bool = False


def plan(leg: Leg, known: Mapping[str, Scenario], selection: Selection) -> tuple[Planned, ...]:
    """Return what runs, sorted by scenario and revision.

    :raises Misuse: a name that does not exist, or named scenarios that run at none of the revisions asked for.
    """
    revisions = named_revisions(selection.revisions)
    chosen = _chosen(leg, known, selection)
    planned = [
        Planned(scenario=scenario.name, revision=revision)
        for scenario in chosen
        for revision in _revisions_of(scenario, revisions, force=selection.force)
    ]
    if selection.scenarios and chosen and not planned:
        raise Misuse(_outside_window(chosen, revisions))
    return tuple(sorted(planned))


def left_out(leg: Leg, known: Mapping[str, Scenario], selection: Selection) -> Iterable[str]:
    """Give a sentence for each scenario that was named in full and runs at none of the revisions asked for."""
    revisions = named_revisions(selection.revisions)
    for scenario in _chosen(leg, known, selection):
        if scenario.name in selection.scenarios and not _revisions_of(scenario, revisions, force=selection.force):
            yield f"not run: {_outside_window([scenario], revisions)}"


def named_revisions(names: Sequence[str]) -> tuple[Revision, ...]:
    """Resolve `draft` and `all`; drop repetitions.

    :raises Misuse: a name that is no revision.
    """
    found: dict[Revision, None] = {}
    for name in names:
        if name == "all":
            found |= dict.fromkeys(Revision)
        elif name == "draft":
            found[DRAFT] = None
        elif name in set(Revision):
            found[Revision(name)] = None
        else:
            possible = ", ".join([*Revision, "draft", "all"])
            raise Misuse(f"--mcp-spec-version: there is no revision {name!r}. Possible: {possible}.")
    return tuple(sorted(found))


def _chosen(leg: Leg, known: Mapping[str, Scenario], selection: Selection) -> list[Scenario]:
    suites = selection.suites or (() if selection.scenarios else (DEFAULT_SUITE[leg],))
    rules = [_suite(leg, name, known) for name in suites]
    by_suite = {name for name, scenario in known.items() if any(rule(scenario) for rule in rules)}
    if not selection.scenarios:
        return [known[name] for name in sorted(by_suite)]
    by_name = {name for pattern in selection.scenarios for name in _matching(pattern, leg, known)}
    names = by_name & by_suite if selection.suites else by_name
    if not names:
        raise Misuse(
            f"--mcp-scenario {', '.join(selection.scenarios)} and --mcp-suite {', '.join(selection.suites)} have no"
            " scenario in common. Leave out --mcp-suite to run the scenarios that you named."
        )
    return [known[name] for name in sorted(names)]


def _suite(leg: Leg, name: str, known: Mapping[str, Scenario]) -> Rule:
    """Return the rule of a suite: one of ours, or a list that scenarios say they belong to."""
    rules = SUITES[leg]
    if name.lower() in rules:
        return rules[name.lower()]
    lists = {each for scenario in known.values() for each in scenario.lists}
    if name in lists:
        return listed(name)
    possible = ", ".join(sorted({*rules, *lists}))
    raise Misuse(f"--mcp-suite: the {leg.value} leg has no suite {name!r}. Possible: {possible}.")


def _matching(pattern: str, leg: Leg, known: Mapping[str, Scenario]) -> Iterable[str]:
    matching = [name for name in known if fnmatchcase(name, pattern)]
    if not matching:
        what = "matches" if set(pattern) & set("*?[") else "is named"
        hint = nearest(pattern, known) or "--mcp-list shows all of them."
        raise Misuse(f"--mcp-scenario: no scenario of the {leg.value} leg {what} {pattern!r}. {hint}")
    return matching


def _revisions_of(scenario: Scenario, asked: Sequence[Revision], *, force: bool) -> Sequence[Revision]:
    if not asked:
        return (scenario.implied_revision,)
    # Extensions have no window: they run without a version, or forced, as in the published suite.
    return [revision for revision in asked if force or scenario.applies_at(revision)]


def _outside_window(chosen: Sequence[Scenario], asked: Sequence[Revision]) -> str:
    scenario = chosen[0]
    if scenario.extension:
        window = f"belongs to the extension {scenario.extension} and to no revision; leave out --mcp-spec-version"
    else:
        until = f" and before {scenario.removed_in.value}" if scenario.removed_in else ""
        window = f"applies from {scenario.introduced_in} on{until}; choose such a revision"
    versions = ", ".join(revision.value for revision in asked)
    return f"--mcp-spec-version {versions}: {scenario.name} {window}, or force it with --mcp-force."
