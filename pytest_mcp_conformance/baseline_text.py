"""Edits the text of a file of expected failures where it stands, so that comments, order and reasons stay.

Nothing is dumped anew: entries are cut out by their lines and added behind the last one of their section. What comes out is
read again, and a text that does not say exactly what was wanted is never written.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import yaml

from pytest_mcp_conformance.baseline import Baseline, Entry, Section
from pytest_mcp_conformance.baseline_file import REASONS, document, line_of, read_baseline, sections
from pytest_mcp_conformance.exceptions import Misuse

PLAIN = re.compile(r"[A-Za-z][\w./-]*(:[\w./-]+)?")  # what YAML reads as the text it is
EXAMPLE = "Write one entry a line, '  - scenario:check', below a line 'server:'."


@dataclass(frozen=True, kw_only=True)
class Addition:
    """An entry to write. `moved` is the one whose place it takes in another section, with what is written beside it."""

    section: Section
    name: str
    moved: Entry | None = None


def rewritten(baseline: Baseline, remove: Sequence[Entry], add: Sequence[Addition]) -> str:
    """Return the text of `baseline` without some entries and with others.

    :raises Misuse: it is written in a way that cannot be edited.
    """
    text = baseline.text if baseline.text.endswith("\n") or not baseline.text else f"{baseline.text}\n"
    root = document(text, baseline.path)
    edit = _Edit(text=text, path=baseline.path)
    for section, key, value in sections(root) if root else ():
        edit.section(key, value, gone={(entry.line, entry.name) for entry in remove}, new=edit.take(section, add))
    edit.new_sections(add, root)
    if root is not None:
        still = {entry.name for entry in baseline.entries if entry not in remove} | {each.name for each in add}
        edit.reasons(root, gone={entry.name for entry in remove} - still)
    result = edit.result()
    _refuse_other_than_wanted(result, baseline, remove, add)
    return result


def _refuse_other_than_wanted(
    result: str, baseline: Baseline, remove: Sequence[Entry], add: Sequence[Addition]
) -> None:
    def meant(entries: Iterable[Entry]) -> Counter[tuple[object, ...]]:
        return Counter((each.section, each.name, each.reason, each.link) for each in entries)

    wanted = meant(entry for entry in baseline.entries if entry not in remove)
    for each in add:
        beside = (each.moved.reason, each.moved.link) if each.moved else (None, None)
        told = next(((e.reason, e.link) for e in baseline.entries if e.name == each.name), beside)
        wanted[each.section, each.name, *told] += 1
    try:
        got = meant(read_baseline(result, baseline.path, {}).entries)
    except Misuse:
        got = None
    if got != wanted:
        raise Misuse(f"{baseline.path} was left as it is: it is written in a way that cannot be edited. {EXAMPLE}")


@dataclass(kw_only=True)
class _Edit:
    """Collects replacements of parts of a text."""

    text: str
    path: str
    parts: list[tuple[int, int, str]] = field(default_factory=list)
    taken: set[Addition] = field(default_factory=set)

    @property
    def newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def take(self, section: Section, add: Iterable[Addition]) -> list[Addition]:
        """Return what is to be added to a section."""
        found = [each for each in add if each.section == section and each not in self.taken]
        self.taken.update(found)
        return found

    def section(self, key: yaml.Node, value: yaml.Node, *, gone: set[tuple[int, str]], new: Sequence[Addition]) -> None:
        """Edit the list of one section."""
        if not isinstance(value, yaml.SequenceNode):
            return
        removed = [node for node in value.value if (line_of(node), written_name(node)) in gone]
        if not removed and not new:
            return
        if value.flow_style:
            self._flow(key, value, removed, new)
        else:
            self._block(key, value, removed, new)

    def _flow(
        self, key: yaml.Node, value: yaml.SequenceNode, removed: Sequence[yaml.Node], new: Sequence[Addition]
    ) -> None:
        kept = [node for node in value.value if node not in removed]
        start, end = value.start_mark.index, value.end_mark.index
        if kept or not new:
            written = [self.text[node.start_mark.index : node.end_mark.index] for node in kept]
            if "#" in self.text[start:end]:
                raise Misuse(
                    f"{self.path} was left as it is: a list in brackets with comments cannot be edited. {EXAMPLE}"
                )
            self.parts.append((start, end, f"[{', '.join([*written, *(quoted(each.name) for each in new)])}]"))
        else:
            self.parts.append((self._behind_colon(key), end, ""))
            indent = " " * (key.start_mark.column + 2)
            behind = self._line_end(end)
            self.parts.append((behind, behind, self._lines(new, indent)))

    def _block(
        self, key: yaml.Node, value: yaml.SequenceNode, removed: Sequence[yaml.Node], new: Sequence[Addition]
    ) -> None:
        for node in removed:
            start, _ = self._dash(node)
            self.parts.append((start, self._line_end(self._end(node)), ""))
        if new:
            start, dash = self._dash(value.value[0])
            behind = self._line_end(self._end(value.value[-1]))
            self.parts.append((behind, behind, self._lines(new, self.text[start:dash])))
        elif len(removed) == len(value.value):
            behind = self._behind_colon(key)
            self.parts.append((behind, behind, " []"))

    def new_sections(self, add: Iterable[Addition], root: yaml.MappingNode | None) -> None:
        """Write what belongs to sections that are not there yet, at the end."""
        rest: dict[Section, list[Addition]] = {}
        for each in add:
            if each not in self.taken:
                rest.setdefault(each.section, []).append(each)
        indent = " " * (root.value[0][0].start_mark.column if root is not None and root.value else 0)
        for section, new in rest.items():
            gap = self.newline if self.text or self.parts else ""
            lines = f"{gap}{indent}{section.name}:{self.newline}{self._lines(new, f'{indent}  ')}"
            self.parts.append((len(self.text), len(self.text), lines))

    def reasons(self, root: yaml.MappingNode, *, gone: set[str]) -> None:
        """Cut out the reasons of names that are not listed any more."""
        for key, value in root.value:
            if key.value != REASONS or not isinstance(value, yaml.MappingNode):
                continue
            removed = [(name, told) for name, told in value.value if name.value in gone]
            for name, told in removed:
                start = self._line_start(name.start_mark.index)
                self.parts.append((start, self._line_end(self._end(told)), ""))
            if removed and len(removed) == len(value.value):
                behind = self._behind_colon(key)
                self.parts.append((behind, behind, " {}"))

    def result(self) -> str:
        """Return the edited text."""
        pieces, place = [], 0
        for start, end, instead in sorted(self.parts, key=lambda part: part[:2]):
            pieces += [self.text[place:start], instead]
            place = max(place, end)
        return "".join([*pieces, self.text[place:]])

    def _lines(self, new: Iterable[Addition], indent: str) -> str:
        return "".join(f"{indent}- {line}{self.newline}" for each in new for line in [self._entry(each, indent)])

    def _entry(self, addition: Addition, indent: str) -> str:
        moved = addition.moved
        node = self._node_of(moved) if moved else None
        if moved is None or node is None:
            return quoted(addition.name)
        comment = self.text[self._end(node) : self._line_end(self._end(node))].strip()
        if isinstance(node, yaml.ScalarNode):
            return f"{quoted(addition.name)}{f'  {comment}' if comment else ''}"
        scenario, _, check = addition.name.partition(":")
        members = {"scenario": scenario, "check": check, "reason": moved.reason, "link": moved.link}
        told = [f"{name}: {json.dumps(text, ensure_ascii=False)}" for name, text in members.items() if text]
        return f"{self.newline}{indent}  ".join(told)

    def _node_of(self, entry: Entry) -> yaml.Node | None:
        root = document(self.text, self.path)
        values = [value for section, _, value in sections(root) if section == entry.section] if root else []
        nodes = [node for value in values if isinstance(value, yaml.SequenceNode) for node in value.value]
        return next((node for node in nodes if (line_of(node), written_name(node)) == (entry.line, entry.name)), None)

    def _dash(self, node: yaml.Node) -> tuple[int, int]:
        """Return where the line of an entry begins, and where its dash is."""
        dash = len(self.text[: node.start_mark.index].rstrip()) - 1
        return self._line_start(dash), dash

    def _end(self, node: yaml.Node) -> int:
        """Return where a node ends. A block mapping says it ends where the next thing begins, behind comments."""
        if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
            return self._end(node.value[-1][1])
        return len(self.text[: node.end_mark.index].rstrip())

    def _line_start(self, place: int) -> int:
        return self.text.rfind("\n", 0, place) + 1

    def _line_end(self, place: int) -> int:
        end = self.text.find("\n", place)
        return len(self.text) if end < 0 else end + 1

    def _behind_colon(self, key: yaml.Node) -> int:
        return self.text.index(":", key.end_mark.index) + 1


def written_name(node: yaml.Node) -> str:
    """Return the name of the entry that a node of a list is."""
    if isinstance(node, yaml.MappingNode):
        members = {key.value: value.value for key, value in node.value}
        return ":".join(members[name] for name in ("scenario", "check") if name in members)
    return str(node.value)


def quoted(name: str) -> str:
    """Return a name as YAML reads it back: nearly always as it is."""
    return name if PLAIN.fullmatch(name) else json.dumps(name, ensure_ascii=False)
