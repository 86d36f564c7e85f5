"""A file of expected failures is rewritten from a run: what goes, what comes, and everything else stays as it was."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path

import pytest

from pytest_mcp_conformance.baseline import Baseline
from pytest_mcp_conformance.baseline_file import read_baseline
from pytest_mcp_conformance.baseline_text import rewritten
from pytest_mcp_conformance.baseline_update import Changes, Ran, changes_of, update_file
from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.model import Leg, Outcome, Revision
from pytest_mcp_conformance.verdict import Counting
from tests.decided import ended


def always(leg: Leg, scenario: str, revision: Revision) -> bool:
    return True


def ran(*outcomes: Outcome) -> list[Ran]:
    return [Ran(outcome=outcome, counting=Counting(warnings=True)) for outcome in outcomes]


def updated(text: str, *outcomes: Outcome) -> str:
    baseline = read_baseline(text, "base.yml", {})
    changes = changes_of(baseline, ran(*outcomes), always)
    return rewritten(baseline, changes.remove, changes.add)


def at(revision: str, checks: str, scenario: str = "tools") -> Outcome:
    return ended(checks, scenario=scenario, revision=revision)


PASSING, FAILING = ended("a:S"), ended("a:F")

EDITS = [
    ("nothing changes", "server:\n  - tools\n", [FAILING], "server:\n  - tools\n"),
    ("what did not run stays", "server:\n  - ping\n", [PASSING], "server:\n  - ping\n"),
    ("what was not decided stays", "server:\n  - tools:b\n", [PASSING], "server:\n  - tools:b\n"),
    ("what is flaky stays", "flaky:\n  - tools\n", [PASSING], "flaky:\n  - tools\n"),
    ("a new file", "", [FAILING], "server:\n  - tools:a\n"),
    ("a file of comments", "# ours\n", [FAILING], "# ours\n\nserver:\n  - tools:a\n"),
    ("a new entry comes last", "server:\n- ping\n# end\n", [FAILING], "server:\n- ping\n- tools:a\n# end\n"),
    (
        "each failed check is an entry",
        "server:\n  - tools:a\n",
        [ended("a:F b:F c:W d:S")],
        "server:\n  - tools:a\n  - tools:b\n  - tools:c\n",
    ),
    ("no newline at the end", "server:\n  - ping", [FAILING], "server:\n  - ping\n  - tools:a\n"),
    ("a section that was empty", "server: []  # none yet\n", [FAILING], "server:  # none yet\n  - tools:a\n"),
    ("another section is there", "client:\n  - x\n", [FAILING], "client:\n  - x\n\nserver:\n  - tools:a\n"),
    (
        "a stale entry goes with the comment on its line",
        "server:\n  # first\n  - tools  # later\n  # second\n  - ping  # keep\n",
        [PASSING],
        "server:\n  # first\n  # second\n  - ping  # keep\n",
    ),
    ("the last entry goes", "server: # ours\n  - tools\n  # end\n", [PASSING], "server: [] # ours\n  # end\n"),
    ("one comes and one goes", "server:\n  - tools:a\n", [ended("a:S b:F")], "server:\n  - tools:b\n"),
    ("twice listed, twice removed", "server:\n  - tools\n  - ping\n  - tools\n", [PASSING], "server:\n  - ping\n"),
    ("quoted", "server:\n  - 'tools'\n  - \"ping\"\n", [PASSING], 'server:\n  - "ping"\n'),
    ("in brackets", "server: [tools, 'ping', x]\n", [PASSING], "server: ['ping', x]\n"),
    ("in brackets, the last", "server: [tools]\n", [PASSING], "server: []\n"),
    ("in brackets, one more", "server: [ping]\n", [FAILING], "server: [ping, tools:a]\n"),
    ("Windows line ends", "server:\r\n  - ping\r\n", [FAILING], "server:\r\n  - ping\r\n  - tools:a\r\n"),
    (
        "an entry with its members",
        "server:\n  - scenario: tools\n    reason: later\n\n  # next\n  - scenario: ping\n    link: https://a/1\n",
        [PASSING],
        "server:\n\n  # next\n  - scenario: ping\n    link: https://a/1\n",
    ),
    (
        "its reason goes with it",
        "server:\n  - tools\n  - ping\nreasons:\n  tools: later\n  # hard\n  ping: {link: https://a/1}\n",
        [PASSING],
        "server:\n  - ping\nreasons:\n  # hard\n  ping: {link: https://a/1}\n",
    ),
    (
        "the last reason goes",
        "server:\n  - tools\n  - ping\nreasons:\n  tools:\n    reason: later\n    link: https://a/1\n",
        [PASSING],
        "server:\n  - ping\nreasons: {}\n",
    ),
    (
        "the section of the revision is the right one",
        "server:\n  - ping\nserver@2026-07-28:\n  - x\n",
        [at("2026-07-28", "a:F")],
        "server:\n  - ping\nserver@2026-07-28:\n  - x\n  - tools:a\n",
    ),
    (
        "what fails at every revision is for all",
        "server:\n  - ping\n",
        [at("2025-11-25", "a:F"), at("2026-07-28", "a:F")],
        "server:\n  - ping\n  - tools:a\n",
    ),
    (
        "what fails at one of two revisions is for that one",
        "server:\n  - ping\n",
        [at("2025-11-25", "a:S"), at("2026-07-28", "a:F")],
        "server:\n  - ping\n\nserver@2026-07-28:\n  - tools:a\n",
    ),
    (
        "what holds at one of two revisions moves there",
        "server:\n  - tools:a  # https://a/1\n  - ping\n",
        [at("2025-11-25", "a:S"), at("2026-07-28", "a:F")],
        "server:\n  - ping\n\nserver@2026-07-28:\n  - tools:a  # https://a/1\n",
    ),
    (
        "what moves takes its reason with it",
        "server:\n  - {scenario: tools, check: a, reason: 'not \"yet\"'}\n  - ping\n",
        [at("2025-11-25", "a:S"), at("2026-07-28", "a:F")],
        'server:\n  - ping\n\nserver@2026-07-28:\n  - scenario: "tools"\n    check: "a"\n    reason: "not \\"yet\\""\n',
    ),
    (
        "no entry contradicts one of another revision",
        "server@2026-07-28:\n  - tools\n",
        [at("2025-11-25", "a:F")],
        "server@2026-07-28:\n  - tools\n\nserver@2025-11-25:\n  - tools:a\n",
    ),
    (
        "what no run of another named revision has shown stays",
        "server:\n  - tools\nserver@2026-07-28:\n  - ping\n",
        [PASSING],
        "server:\n  - tools\nserver@2026-07-28:\n  - ping\n",
    ),
]


@pytest.mark.parametrize(
    ("text", "outcomes", "expected"), [each[1:] for each in EDITS], ids=[each[0] for each in EDITS]
)
def test_edits(text: str, outcomes: Sequence[Outcome], expected: str) -> None:
    assert updated(text, *outcomes) == expected


@pytest.mark.parametrize(("text", "outcomes"), [each[1:3] for each in EDITS], ids=[each[0] for each in EDITS])
def test_after_an_update_the_same_run_needs_none(text: str, outcomes: Sequence[Outcome]) -> None:
    once = updated(text, *outcomes)
    assert updated(once, *outcomes) == once


def test_an_entry_that_stays_for_another_revision_is_named() -> None:
    baseline = read_baseline("server:\n  - tools\nserver@2026-07-28:\n  - ping\n", "base.yml", {})
    changes = changes_of(baseline, ran(PASSING), always)
    assert changes.remove == ()
    assert changes.kept == ("tools, line 2: it is for 2026-07-28 as well, where this run did not go.",)


def test_a_section_of_another_leg_keeps_nothing() -> None:
    baseline = read_baseline("server:\n  - tools\nclient@2026-07-28:\n  - x\n", "base.yml", {})
    assert [entry.name for entry in changes_of(baseline, ran(PASSING), always).remove] == ["tools"]


def test_a_scenario_that_another_revision_does_not_have_needs_no_run_there() -> None:
    baseline = read_baseline("server:\n  - tools\nserver@2026-07-28:\n  - ping\n", "base.yml", {})
    changes = changes_of(baseline, ran(PASSING), lambda leg, scenario, revision: not revision.stateless)
    assert [entry.name for entry in changes.remove] == ["tools"]


@pytest.mark.parametrize(
    "text",
    [
        "{client: [ping]}\n",
        "server: [ping, # one\n  tools]\n",
        "client:\n  - ping\n...\n",
        "server: &known\n  - tools\nflaky:\n  client: *known\n",
    ],
)
def test_what_cannot_be_edited_is_refused_and_not_written(tmp_path: Path, text: str) -> None:
    file = tmp_path / "base.yml"
    file.write_text(text)
    baseline = read_baseline(text, str(file), {})
    changed = ended("a:S", scenario="tools"), ended("a:F", scenario="other")
    with pytest.raises(Misuse, match=r"was left as it is: .* cannot be edited"):
        update_file(baseline, ran(*changed), always)
    assert file.read_text() == text


def in_file(file: Path) -> Baseline:
    return read_baseline(file.read_text(), str(file), {})


def test_the_file_keeps_its_mode_and_its_link(tmp_path: Path) -> None:
    file, link = tmp_path / "real.yml", tmp_path / "base.yml"
    file.write_text("server:\n  - tools\n  - ping\n")
    file.chmod(0o640)
    link.symlink_to(file)
    changes = update_file(in_file(link), ran(PASSING), always)
    assert [entry.name for entry in changes.remove] == ["tools"]
    assert link.is_symlink()
    assert file.read_text() == "server:\n  - ping\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert {path.name for path in tmp_path.iterdir()} == {"real.yml", "base.yml"}


def test_a_file_that_is_not_there_is_written(tmp_path: Path) -> None:
    file = tmp_path / "base.yml"
    update_file(Baseline(path=str(file)), ran(FAILING), always)
    assert file.read_text() == "server:\n  - tools:a\n"


def test_a_file_that_needs_no_change_is_not_touched(tmp_path: Path) -> None:
    file = tmp_path / "base.yml"
    file.write_text("server: [ other ]  # as it was")
    before = file.stat()
    assert update_file(in_file(file), ran(PASSING), always) == Changes()
    assert (file.stat().st_ino, file.read_text()) == (before.st_ino, "server: [ other ]  # as it was")


def test_a_file_that_is_not_there_is_written_even_if_there_is_nothing_to_list(tmp_path: Path) -> None:
    file = tmp_path / "new" / "base.yml"
    assert update_file(Baseline(path=str(file)), ran(PASSING), always) == Changes(created=True)
    assert in_file(file).entries == ()


def test_a_file_that_changed_meanwhile_is_not_touched(tmp_path: Path) -> None:
    file = tmp_path / "base.yml"
    file.write_text("server:\n  - tools\n")
    baseline = in_file(file)
    file.write_text("server:\n  - tools\n  - other\n")
    with pytest.raises(Misuse, match="it has changed while the run went on"):
        update_file(baseline, ran(PASSING), always)
    assert "other" in file.read_text()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "no").write_text("a file")
    with pytest.raises(Misuse, match=r"could not be written: (Not a directory|File exists)"):
        update_file(Baseline(path=str(tmp_path / "no" / "base.yml")), ran(FAILING), always)
