"""Requirement sets: which scenarios an implementation of a revision is measured by, frozen, one file a revision.

A set is the list of scenarios and the wire of a run. It has scored scenarios, which alone decide the run, and others that
run with them and are told apart, each with the reason why it does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.judgement import Score
from pytest_mcp_conformance.model import Leg, Revision, Scenario
from pytest_mcp_conformance.registry import nearest
from pytest_mcp_conformance.selection import Planned

LEGS = (Leg.SERVER, Leg.CLIENT)  # an authorization server is outside the specification, so no set has that leg
REASONS = tuple(score for score in Score if score is not Score.SCORED)
KEYS = (*LEGS, "not_scored")


@dataclass(frozen=True, kw_only=True)
class Unscored:
    """A scenario that runs and does not count."""

    scenario: str
    leg: Leg
    reason: Score
    note: str | None = None


@dataclass(frozen=True, kw_only=True)
class RequirementSet:
    """What one revision requires. `scored` has the names of each leg in the order of the file."""

    revision: Revision
    scored: Mapping[Leg, tuple[str, ...]]
    not_scored: tuple[Unscored, ...] = ()

    def score(self, leg: Leg, scenario: str) -> Score | None:
        """Tell whether a scenario counts, and if not, why; none where the set does not have it."""
        if scenario in self.scored.get(leg, ()):
            return Score.SCORED
        return next((each.reason for each in self.not_scored if (each.leg, each.scenario) == (leg, scenario)), None)


def load_sets(names: Sequence[str], folder: Path) -> tuple[RequirementSet, ...]:
    """Return the sets of the named revisions, each once, in the order of release.

    :raises Misuse: see `load_set`.
    """
    return tuple(load_set(name, folder) for name in sorted(set(names)))


def load_set(name: str, folder: Path) -> RequirementSet:
    """Return the set of one revision.

    :raises Misuse: no such revision or set, or a file that breaks a rule.
    """
    if "," in name:
        raise Misuse(f"--mcp-requirements: {name!r} names several revisions where one is needed.")
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", name):
        raise Misuse(f"--mcp-requirements: {name!r} is no revision. A set is named by its date: {_available(folder)}.")
    if name not in set(Revision):
        raise Misuse(f"--mcp-requirements: there is no revision {name!r}. There are sets of {_available(folder)}.")
    file = folder / f"{name}.yaml"
    if not file.is_file():
        raise Misuse(f"--mcp-requirements: there is no set of {name}. There are sets of {_available(folder)}.")
    return read_set(file.read_text(encoding="utf-8"), revision=Revision(name), place=f"requirements/{file.name}")


def read_set(text: str, *, revision: Revision, place: str) -> RequirementSet:
    """Read the text of a set.

    :raises Misuse: a rule is broken; the first of them is told.
    """
    import yaml  # most runs have no set

    try:
        members: Any = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise Misuse(f"{place}: not readable as YAML: {' '.join(str(error).split())}.") from error
    if members is None:
        members = {}
    if not isinstance(members, dict):
        raise Misuse(f"{place}: expected a mapping with {_listed(KEYS)}.")
    for key in members:
        if key not in KEYS and key != Leg.AUTHORIZATION:
            hint = nearest(str(key), KEYS) or f"Possible: {_listed(KEYS)}."
            raise Misuse(f"{place}: there is no key {key!r} in a requirement set. {hint}")
    unscored = members.get("not_scored")
    if unscored is not None and not isinstance(unscored, list):
        raise Misuse(f"{place}: expected a list under 'not_scored'.")
    if Leg.AUTHORIZATION in members:
        raise Misuse(
            f"{place}: authorization servers are outside the specification, so no set can have 'authorization'."
        )
    scored = {leg: _names(members, leg, place) for leg in LEGS}
    for leg, names in scored.items():
        repeated = next((name for name in names if names.count(name) > 1), None)
        if repeated is not None:
            raise Misuse(f"{place}: {repeated!r} is listed twice under {leg.value!r}.")
    return RequirementSet(
        revision=revision,
        scored=scored,
        not_scored=tuple(_unscored(each, scored, place) for each in unscored or ()),
    )


def planned_by(sets: Iterable[RequirementSet], leg: Leg, known: Mapping[str, Scenario]) -> tuple[Planned, ...]:
    """Return what runs for `sets`, sorted. Membership alone decides: the window of a scenario does not.

    :raises Misuse: this build lacks a scored scenario. One that does not count is left out.
    """
    planned = []
    for each in sets:
        missing = [name for name in each.scored.get(leg, ()) if name not in known]
        if missing:
            raise Misuse(
                f"--mcp-requirements {each.revision.value}: this build has no scenario named {_listed(missing)}, which the"
                " set scores. Use a release that has all of them."
            )
        unscored = [other.scenario for other in each.not_scored if other.leg is leg and other.scenario in known]
        # A set names what runs, so a name that it has twice without a score runs once.
        planned += [
            Planned(scenario=name, revision=each.revision)
            for name in dict.fromkeys([*each.scored.get(leg, ()), *unscored])
        ]
    return tuple(sorted(planned))


def set_lines(requirements: RequirementSet) -> Iterable[str]:
    """Give the lines that list one set: each leg with its total, then what does not count, by reason."""
    yield requirements.revision.value
    for leg in LEGS:
        names = requirements.scored.get(leg, ())
        if names:
            yield f"  {leg.value}: {len(names)} scored"
            yield from (f"    {name}" for name in names)
    for reason in REASONS:
        found = [each for each in requirements.not_scored if each.reason is reason]
        if found:
            yield f"  not scored, {reason.value}: {len(found)}"
            yield from (f"    {each.scenario} ({each.leg.value})" for each in found)


def _names(members: Mapping[object, object], leg: Leg, place: str) -> tuple[str, ...]:
    if leg not in members:
        return ()
    names = members[leg]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise Misuse(f"{place}: expected a list of scenario names under {leg.value!r}.")
    return tuple(names)


def _unscored(entry: object, scored: Mapping[Leg, Sequence[str]], place: str) -> Unscored:
    members = entry if isinstance(entry, dict) else {}
    name, leg, reason, note = (members.get(member) for member in ("scenario", "leg", "reason", "note"))
    if not isinstance(name, str):
        raise Misuse(f"{place}: an entry under 'not_scored' names no scenario: {entry!r}.")
    if leg not in LEGS:
        raise Misuse(f"{place}: {name!r} under 'not_scored' has the leg {leg!r}. Possible: {_listed(LEGS)}.")
    if reason not in REASONS:
        raise Misuse(f"{place}: {name!r} under 'not_scored' has the reason {reason!r}. Possible: {_listed(REASONS)}.")
    if name in scored[Leg(leg)]:
        raise Misuse(f"{place}: {name!r} is scored under {str(leg)!r} and listed under 'not_scored' as well.")
    return Unscored(scenario=name, leg=Leg(leg), reason=Score(reason), note=None if note is None else str(note))


def _available(folder: Path) -> str:
    return ", ".join(sorted(path.stem for path in folder.glob("*.yaml"))) or "no revision"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(str, names))
