"""Reads a file of expected failures, and refuses what cannot be meant, with file, line and the nearest names.

The published format: a mapping with the lists `server` and `client`, whose entries are `scenario` or `scenario:check`. Other
keys are left alone there, so what we add stands under keys of its own: sections of one revision (`server@2026-07-28`), `flaky`
with entries or sections inside, and `reasons`. One addition the published suite cannot read: an entry as a mapping with the
members `scenario`, `check`, `reason`, `link`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias

import yaml

from pytest_mcp_conformance.baseline import Baseline, Entry, Section
from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.model import Leg, Revision
from pytest_mcp_conformance.registry import nearest, scenarios
from pytest_mcp_conformance.verdict import CLIENT_EXIT, ON_ALL_TRAFFIC

KnownChecks: TypeAlias = "Mapping[str, Collection[str]]"  # of each scenario of a leg

FLAKY = "flaky"
REASONS = "reasons"
MEMBERS = ("scenario", "check", "reason", "link")
# Ids that any run may have beside those that its scenario declares.
BREAKDOWNS = frozenset({"wire-schema-harness-error", "scenario-timeout"})
CHECKS_OF_ALL = {leg: ON_ALL_TRAFFIC | BREAKDOWNS | ({CLIENT_EXIT} if leg is Leg.CLIENT else set()) for leg in Leg}
LIKELY_MEANT = 0.75  # of difflib: `sever`, `servers`, `Flaky`; other keys are anybody's own, as in the published suite


def known_checks() -> Mapping[Leg, KnownChecks]:
    """Return the scenarios of every leg that this build has, with the ids that their checks can have.

    The name of the scenario is one: the published suite reports a scenario that broke down as a check of that name.
    """
    legs = {leg: scenarios(leg) for leg in Leg}
    return {
        leg: {
            name: CHECKS_OF_ALL[leg] | {name} | {requirement.id for requirement in scenario.decides}
            for name, scenario in known.items()
        }
        for leg, known in legs.items()
        if known
    }


def text_of(path: Path) -> str:
    """Return what stands in the file, its line ends as they are.

    :raises Misuse: it cannot be read.
    """
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise Misuse(f"--mcp-expected-failures {path}: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise Misuse(f"--mcp-expected-failures {path}: not valid UTF-8 at byte {error.start}.") from error


def read_baseline(text: str, path: str, known: Mapping[Leg, KnownChecks]) -> Baseline:
    """Read the text of a file.

    :param path: the file as the user named it.
    :param known: the scenarios of each leg and the ids of their checks. Names of a leg that is not in it are not looked up.
    :raises Misuse: everything that is wrong with the file, one line each.
    """
    root = document(text, path)
    reader = _Reader(path=path, known=known)
    if root is not None:
        reader.read(root)
        reader.refuse_contradictions()
        reader.place_reasons()
    if reader.problems:
        raise Misuse("\n".join(told for _, told in sorted(reader.problems)))
    return Baseline(path=path, text=text, entries=tuple(sorted(reader.entries, key=lambda entry: entry.line)))


def document(text: str, path: str) -> yaml.MappingNode | None:
    """Return the root of a YAML text; none for an empty one.

    :raises Misuse: no YAML, or no mapping.
    """
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise Misuse(f"{path}{line}: not readable as YAML: {error.problem or error.context}.") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise Misuse(f"{path}: not readable as YAML: {' '.join(str(error).split())}.") from error
    if root is None or is_null(root):
        return None
    if not isinstance(root, yaml.MappingNode):
        raise Misuse(
            f"{path}, line {line_of(root)}: expected a mapping with lists of entries under 'server' and 'client'."
        )
    return root


def is_null(node: yaml.Node) -> bool:
    """Tell whether nothing is written there."""
    return node.tag == "tag:yaml.org,2002:null"


def line_of(node: yaml.Node) -> int:
    """Return the line of a node, from 1."""
    return int(node.start_mark.line) + 1


def section_of(key: str) -> Section | None:
    """Return the section that a key names, `server` or `flaky@2026-07-28`; none where it names none."""
    name, at, revision = key.partition("@")
    if (at and revision not in set(Revision)) or name not in {*Leg, FLAKY}:
        return None
    return Section(
        leg=None if name == FLAKY else Leg(name), revision=Revision(revision) if at else None, flaky=name == FLAKY
    )


def sections(root: yaml.MappingNode) -> Iterator[tuple[Section, yaml.Node, yaml.Node]]:
    """Give every section with the nodes of its key and its value, those inside `flaky` too."""
    for key, value in root.value:
        section = section_of(key.value) if isinstance(key, yaml.ScalarNode) else None
        if section is None:
            continue
        if section.flaky and isinstance(value, yaml.MappingNode):
            for inner_key, inner_value in value.value:
                inner = section_of(inner_key.value) if isinstance(inner_key, yaml.ScalarNode) else None
                if inner is not None and not inner.flaky:
                    yield (
                        replace(inner, revision=inner.revision or section.revision, flaky=True),
                        inner_key,
                        inner_value,
                    )
        else:
            yield section, key, value


def sections_in(text: str) -> frozenset[Section]:
    """Return the sections that a readable text has, empty ones too."""
    root = document(text, "")
    return frozenset(section for section, _, _ in sections(root)) if root else frozenset()


@dataclass(kw_only=True)
class _Reader:
    """Collects entries and everything that is wrong, so that a user mends a file once."""

    path: str
    known: Mapping[Leg, KnownChecks]
    entries: list[Entry] = field(default_factory=list)
    problems: list[tuple[int, str]] = field(default_factory=list)
    reasons: dict[str, tuple[int, str | None, str | None]] = field(default_factory=dict)

    def refuse(self, line: int, told: str) -> None:
        self.problems.append((line, f"{self.path}, line {line}: {told}"))

    def read(self, root: yaml.MappingNode) -> None:
        """Read the whole document."""
        for key, value in self._members(root):
            if key.value == REASONS:
                self._read_reasons(key, value)
            elif section_of(key.value) is None:
                self._refuse_likely_meant(key, [*Leg, FLAKY, REASONS])
            elif key.value.startswith(FLAKY) and isinstance(value, yaml.MappingNode):
                for inner_key, _ in self._members(value):
                    inner = section_of(inner_key.value)
                    if inner is None or inner.flaky:
                        self.refuse(line_of(inner_key), f"expected a leg such as 'server', got {inner_key.value!r}.")
                    elif inner.revision and "@" in key.value:
                        self.refuse(line_of(inner_key), f"a revision is named here and in {key.value!r}. Name it once.")
        for section, name, listed in sections(root):
            self._read_section(section, name, listed)

    def _members(self, node: yaml.MappingNode) -> Iterator[tuple[yaml.ScalarNode, yaml.Node]]:
        seen: dict[str, int] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self.refuse(line_of(key), "expected a word as the key.")
            elif key.value in seen:
                self.refuse(line_of(key), f"{key.value!r} is already there in line {seen[key.value]}. Join the two.")
            else:
                seen[key.value] = line_of(key)
                yield key, value

    def _refuse_likely_meant(self, key: yaml.ScalarNode, possible: Sequence[str]) -> None:
        name, at, revision = key.value.partition("@")
        near = get_close_matches(name.lower(), possible, n=1, cutoff=LIKELY_MEANT)
        if at and name in possible:
            self.refuse(line_of(key), f"there is no revision {revision!r}. Possible: {', '.join(Revision)}.")
        elif near:
            self.refuse(line_of(key), f"there is no section {key.value!r}. The nearest is {near[0]}.")

    def _read_section(self, section: Section, key: yaml.Node, value: yaml.Node) -> None:
        if not isinstance(value, yaml.SequenceNode):
            got = "nothing" if is_null(value) else "something else"
            self.refuse(
                line_of(key), f"expected a list of entries under {key.value!r}, got {got}; an empty list is []."
            )
            return
        for node in value.value:
            entry = self._entry(section, node)
            if entry is not None and self._is_known(entry):
                self.entries.append(entry)

    def _entry(self, section: Section, node: yaml.Node) -> Entry | None:
        line = line_of(node)
        if is_null(node):
            self.refuse(line, "expected 'scenario' or 'scenario:check', got nothing.")
            return None
        if isinstance(node, yaml.ScalarNode):
            return self._named(section, node.value, line)
        if isinstance(node, yaml.MappingNode):
            members = {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}
            if "scenario" in members:
                return self._entry_of_members(section, node)
            (only, value), *others = [*members.items()] or [("", node)]
            if not others and isinstance(value, yaml.ScalarNode) and value.value:
                self.refuse(line, f"no space belongs behind the colon: write {f'{only}:{value.value}'!r}.")
                return None
        self.refuse(line, "expected 'scenario' or 'scenario:check', got a mapping or a list.")
        return None

    def _named(self, section: Section, text: str, line: int) -> Entry | None:
        scenario, colon, check = text.partition(":")  # a name may have slashes but no colon
        if not scenario or (colon and not check):
            self.refuse(line, f"expected 'scenario' or 'scenario:check', got {text!r}.")
            return None
        return Entry(scenario=scenario, check=check if colon else None, section=section, line=line)

    def _entry_of_members(self, section: Section, node: yaml.MappingNode) -> Entry | None:
        texts: dict[str, str] = {}
        problems = len(self.problems)
        for key, value in self._members(node):
            if key.value not in MEMBERS:
                hint = nearest(key.value, MEMBERS) or f"Possible: {', '.join(MEMBERS)}."
                self.refuse(line_of(key), f"an entry has no {key.value!r}. {hint}")
            else:
                texts[key.value] = self._line_of_text(key, value) or ""
        if len(self.problems) > problems:
            return None
        name = texts["scenario"] + (f":{texts['check']}" if "check" in texts else "")
        entry = self._named(section, name, line_of(node))
        return entry and replace(entry, reason=texts.get("reason"), link=texts.get("link"))

    def _line_of_text(self, key: yaml.ScalarNode, value: yaml.Node) -> str | None:
        """Return a text in one line that any terminal and any report can carry."""
        text = " ".join(value.value.split()) if isinstance(value, yaml.ScalarNode) and not is_null(value) else ""
        if not text:
            self.refuse(line_of(key), f"expected a text as {key.value!r}.")
        elif not text.isprintable():
            self.refuse(line_of(key), f"{key.value!r} has characters that cannot be shown.")
        else:
            return text
        return None

    def _is_known(self, entry: Entry) -> bool:
        legs = [entry.section.leg] if entry.section.leg else list(self.known)
        if not legs or not all(leg in self.known for leg in legs):
            return True  # this build cannot run the leg, and the entry waits for one that can
        named = {name: checks for leg in legs for name, checks in self.known[leg].items()}
        of_leg = f" of the {entry.section.leg} leg" if entry.section.leg else ""
        if entry.scenario not in named:
            hint = nearest(entry.scenario, named) or "--mcp-list shows all of them."
            if not of_leg and Leg.CLIENT not in self.known:
                hint += " One of the client leg, which this build cannot run, stands under 'client' inside 'flaky'."
            self.refuse(entry.line, f"no scenario{of_leg} is named {entry.scenario!r}. {hint}")
            return False
        checks = named[entry.scenario]
        if entry.check is not None and entry.check not in checks:
            hint = nearest(entry.check, checks) or f"It has {', '.join(sorted(checks))}."
            self.refuse(entry.line, f"{entry.scenario} has no check {entry.check!r}. {hint}")
            return False
        return True

    def _read_reasons(self, key: yaml.ScalarNode, value: yaml.Node) -> None:
        if not isinstance(value, yaml.MappingNode):
            self.refuse(line_of(key), "expected a mapping of entries to their reasons.")
            return
        for name, told in self._members(value):
            if not isinstance(told, yaml.MappingNode):
                self.reasons[name.value] = (line_of(name), self._line_of_text(name, told), None)
                continue
            texts: dict[str, str | None] = {}
            for member, text in self._members(told):
                if member.value in ("reason", "link"):
                    texts[member.value] = self._line_of_text(member, text)
                else:
                    self.refuse(line_of(member), f"expected 'reason' or 'link', got {member.value!r}.")
            self.reasons[name.value] = (line_of(name), texts.get("reason"), texts.get("link"))

    def place_reasons(self) -> None:
        """Put what stands under `reasons` beside the entries that it names."""
        names = {entry.name for entry in self.entries}
        for name, (line, _, _) in self.reasons.items():
            if name not in names and not self.problems:
                self.refuse(
                    line, f"a reason is given for {name!r}, which is not listed. {nearest(name, names)}".rstrip()
                )
        for place, entry in enumerate(self.entries):
            if entry.name in self.reasons and entry.reason is None and entry.link is None:
                _, reason, link = self.reasons[entry.name]
                self.entries[place] = replace(entry, reason=reason, link=link)

    def refuse_contradictions(self) -> None:
        """Refuse entries that cannot both hold for one run: whole and by check, expected and flaky."""
        seen: dict[str, list[Entry]] = {}
        for entry in self.entries:
            others = seen.setdefault(entry.scenario, [])
            for other in others:
                if _meet(entry.section, other.section):
                    self._refuse_contradiction(entry, other)
            others.append(entry)

    def _refuse_contradiction(self, entry: Entry, other: Entry) -> None:
        later, earlier = sorted((entry, other), key=lambda each: -each.line)
        if (entry.check is None) is not (other.check is None):
            told = f"{entry.scenario!r} is listed whole and by check, here and in line {earlier.line}."
        elif entry.check == other.check and entry.section.flaky is not other.section.flaky:
            told = f"{entry.name!r} is expected to fail and said to be flaky, here and in line {earlier.line}."
        else:
            return
        self.refuse(later.line, f"{told} Keep one of the two.")


def _meet(one: Section, other: Section) -> bool:
    """Tell whether there can be a run that both sections are about."""
    same: Callable[[object, object], bool] = lambda left, right: left is None or right is None or left == right  # noqa: E731
    return same(one.leg, other.leg) and same(one.revision, other.revision)
