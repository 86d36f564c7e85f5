"""Expected failures: what a file may say, and what its entries and the checks of a run make of each other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_mcp_conformance.baseline import Baseline, Evaluation, evaluate
from pytest_mcp_conformance.baseline_file import KnownChecks, known_checks, read_baseline
from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.model import Leg, Revision
from pytest_mcp_conformance.verdict import Counting
from tests.decided import decided

PAGE = Path(__file__).parent.parent / "docs" / "expected-failures.md"
KNOWN: Mapping[Leg, KnownChecks] = {
    Leg.SERVER: {
        "tools": {"a", "b", "c", "wire-schema-valid"},
        "ping": {"ping", "wire-schema-valid"},
        "auth/x": {"a"},
    }
}
COUNTED = Counting(warnings=True)


def read(text: str, known: Mapping[Leg, KnownChecks] = KNOWN) -> Baseline:
    return read_baseline(text, "base.yml", known)


def names(text: str) -> list[tuple[str, str]]:
    return [(entry.section.name, entry.name) for entry in read(text).entries]


# What is listed for the scenario `tools`, the checks of its run, and what comes out: (expected, stale, unexpected).
RULES = [
    # The scenario as a whole.
    ("", "a:S", ([], [], [])),
    ("", "a:F b:F", ([], [], ["tools"])),
    ("", "a:W", ([], [], ["tools"])),
    ("", "a:I b:-", ([], [], [])),
    ("", "", ([], [], [])),
    ("tools", "a:F", (["tools"], [], [])),
    ("tools", "a:S b:W", (["tools"], [], [])),
    ("tools", "a:F b:F", (["tools"], [], [])),
    ("tools", "a:S", ([], ["tools"], [])),
    ("tools", "a:- b:I", ([], ["tools"], [])),
    ("tools", "", ([], ["tools"], [])),
    ("tools", "scenario-timeout:F", (["tools"], [], [])),
    # By check.
    ("tools:a", "a:F b:S", (["tools:a"], [], [])),
    ("tools:a", "a:W", (["tools:a"], [], [])),
    ("tools:a", "a:S", ([], ["tools:a"], [])),
    ("tools:a", "a:-", ([], [], [])),
    ("tools:a", "a:I", ([], [], [])),
    ("tools:a", "b:S", ([], [], [])),
    ("tools:a", "", ([], [], [])),
    ("tools:a", "b:F", ([], [], ["tools:b"])),
    ("tools:a", "b:W", ([], [], ["tools:b"])),
    ("tools:a", "a:F b:F", (["tools:a"], [], ["tools:b"])),
    ("tools:a", "a:S b:F", ([], ["tools:a"], ["tools:b"])),
    ("tools:a", "scenario-timeout:F", ([], [], ["tools:scenario-timeout"])),
    ("tools:a tools:b", "a:F b:F", (["tools:a", "tools:b"], [], [])),
    ("tools:a tools:b", "a:F b:S", (["tools:a"], ["tools:b"], [])),
    ("tools:a tools:b", "a:S b:S", ([], ["tools:a", "tools:b"], [])),
    ("tools:a tools:b", "a:F b:-", (["tools:a"], [], [])),
    ("tools:a tools:b", "a:F c:F", (["tools:a"], [], ["tools:c"])),
    ("tools:a tools:a", "a:S", ([], ["tools:a", "tools:a"], [])),
    ("tools:wire-schema-valid", "a:S wire-schema-valid:F", (["tools:wire-schema-valid"], [], [])),
    # An id that repeats is its most severe occurrence, reported once.
    ("tools:a", "a:S a:F", (["tools:a"], [], [])),
    ("tools:a", "a:F a:S", (["tools:a"], [], [])),
    ("tools:a", "a:W a:S", (["tools:a"], [], [])),
    ("tools:a", "a:- a:S", ([], ["tools:a"], [])),
    ("tools:a", "a:I a:S", ([], ["tools:a"], [])),
    ("tools:a", "a:I a:F", (["tools:a"], [], [])),
    ("tools:a", "b:F b:F b:W", ([], [], ["tools:b"])),
    # Entries of other scenarios.
    ("ping", "a:S", ([], [], [])),
    ("ping", "a:F", ([], [], ["tools"])),
    ("ping:ping", "a:F b:F", ([], [], ["tools"])),
    # Checks of our own.
    ("", "a:S +b:F", ([], [], [])),
    ("tools", "a:S +b:F", ([], ["tools"], [])),
    ("tools:b", "a:S +b:F", ([], [], [])),
    ("tools:b", "a:S +b:S", ([], [], [])),
]


@pytest.mark.parametrize(
    ("listed", "checks", "expected"), RULES, ids=[f"{listed} | {checks}" for listed, checks, _ in RULES]
)
def test_entries_and_checks(listed: str, checks: str, expected: tuple[list[str], list[str], list[str]]) -> None:
    found = evaluated(listed.split(), checks)
    assert (
        [each.name for each in found.expected],
        [each.name for each in found.stale],
        [*found.unexpected],
    ) == expected
    assert found.flaky == found.flaky_passed == ()


def evaluated(
    listed: list[str], checks: str, *, flaky: list[str] | None = None, counting: Counting = COUNTED
) -> Evaluation:
    text = f"server: [{', '.join(listed)}]\nflaky: [{', '.join(flaky or [])}]"
    baseline = read(text)
    entries = baseline.entries_for("tools", Leg.SERVER, Revision.V2025_11_25)
    return evaluate("tools", decided(checks), entries, counting)


# Under `flaky:`, beside what is listed as expected: (failed, did not fail, unexpected).
FLAKY = [
    ("tools", "", "a:F", (["tools"], [], [])),
    ("tools", "", "a:W", (["tools"], [], [])),
    ("tools", "", "a:S", ([], ["tools"], [])),
    ("tools", "", "", ([], ["tools"], [])),
    ("tools:a", "", "a:F", (["tools:a"], [], [])),
    ("tools:a", "", "a:S", ([], ["tools:a"], [])),
    ("tools:a", "", "a:-", ([], ["tools:a"], [])),
    ("tools:a", "", "b:F", ([], ["tools:a"], ["tools:b"])),
    ("tools:a", "tools:b", "a:F b:F", (["tools:a"], [], [])),
    ("tools:a", "tools:b", "a:F c:F", (["tools:a"], [], ["tools:c"])),
]


@pytest.mark.parametrize(("flaky", "listed", "checks", "expected"), FLAKY)
def test_flaky_entries(flaky: str, listed: str, checks: str, expected: tuple[list[str], list[str], list[str]]) -> None:
    found = evaluated(listed.split(), checks, flaky=flaky.split())
    assert (
        [each.name for each in found.flaky],
        [each.name for each in found.flaky_passed],
        [*found.unexpected],
    ) == expected
    assert found.stale == ()


@pytest.mark.parametrize(
    ("listed", "checks", "expected"),
    [
        ("", "+b:F", ([], [], ["tools"])),
        ("tools:b", "+b:W", (["tools:b"], [], [])),
        ("tools:b", "+b:S", ([], ["tools:b"], [])),
    ],
)
def test_under_strict_checks_of_our_own_count(
    listed: str, checks: str, expected: tuple[list[str], list[str], list[str]]
) -> None:
    found = evaluated(listed.split(), checks, counting=Counting(warnings=True, additions=True))
    assert (
        [each.name for each in found.expected],
        [each.name for each in found.stale],
        [*found.unexpected],
    ) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("# nothing yet\n", []),
        ("~", []),
        ("{}", []),
        ("server: []\nclient: []", []),
        ("server:\n- tools\n- ping:ping\n", [("server", "tools"), ("server", "ping:ping")]),
        (
            "server: [tools, 'ping:ping', \"auth/x:a\"]",
            [("server", "tools"), ("server", "ping:ping"), ("server", "auth/x:a")],
        ),
        ("server:\n  - tools\n  - tools\n", [("server", "tools"), ("server", "tools")]),
        ("client:\n  - 12\n  - true\n", [("client", "12"), ("client", "true")]),
        ("client:\n  - tools_call\n", [("client", "tools_call")]),
        ("notes: [{a: b}]\nx-common: 3\nserver: [tools]", [("server", "tools")]),
        ("server: &known [tools]\nclient: *known", [("server", "tools"), ("client", "tools")]),
        ("server@2026-07-28:\n  - tools\nserver:\n  - tools\n", [("server@2026-07-28", "tools"), ("server", "tools")]),
        ("flaky:\n  - tools:a\n", [("flaky", "tools:a")]),
        ("flaky@2025-11-25:\n  - tools:a\n", [("flaky@2025-11-25", "tools:a")]),
        (
            "flaky:\n  server@2025-11-25: [tools:a]\n  client: [x]\n",
            [("server@2025-11-25", "tools:a"), ("client", "x")],
        ),
        ("server:\n  - {scenario: tools, check: a}\n", [("server", "tools:a")]),
        ("server:\r\n  - tools\r\n", [("server", "tools")]),
        ("\ufeffserver:\n  - tools\n", [("server", "tools")]),
        ("server: [tools:tools-list-missing]", [("server", "tools:tools-list-missing")]),
    ],
)
def test_what_a_file_may_say(text: str, expected: list[tuple[str, str]]) -> None:
    known = {Leg.SERVER: {**KNOWN[Leg.SERVER], "tools": {*KNOWN[Leg.SERVER]["tools"], "tools-list-missing"}}}
    assert [(entry.section.name, entry.name) for entry in read(text, known).entries] == expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- tools\n", ["line 1", "expected a mapping"]),
        ("tools", ["line 1", "expected a mapping"]),
        ("server: [\n", ["line 2", "not readable as YAML"]),
        ("a: b\n---\na: b\n", ["not readable as YAML"]),
        ("server:\n", ["line 1", "expected a list of entries under 'server', got nothing"]),
        ("client: tools\n", ["line 1", "expected a list of entries under 'client'"]),
        ("server: {tools: 1}\n", ["line 1", "expected a list"]),
        ("server:\n  - tools\n  -\n", ["line 3", "got nothing"]),
        ("server:\n  - ~\n", ["line 2", "got nothing"]),
        ("server:\n  - tools: a\n", ["line 2", "no space belongs behind the colon", "'tools:a'"]),
        ("server:\n  - tools:\n", ["line 2", "got a mapping or a list"]),
        ("server:\n  - [tools]\n", ["line 2", "got a mapping or a list"]),
        ("server:\n  - {}\n", ["line 2", "got a mapping or a list"]),
        ("server:\n  - 'tools:'\n", ["line 2", "got 'tools:'"]),
        ("server:\n  - ':a'\n", ["line 2", "got ':a'"]),
        ("server:\n  - ''\n", ["line 2", "got ''"]),
        ("server:\n  - tols\n", ["line 2", "no scenario of the server leg is named 'tols'", "The nearest is tools."]),
        ("server:\n  - zzzz\n", ["line 2", "--mcp-list"]),
        ("server:\n  - tools:wire-schema\n", ["line 2", "tools has no check 'wire-schema'", "wire-schema-valid"]),
        ("server:\n  - tools:zzzz\n", ["line 2", "It has a, b, c, wire-schema-valid."]),
        ("server:\n  - tools\n  - ping\n  - tools:a\n", ["line 4", "'tools' is listed whole and by check", "line 2"]),
        ("server:\n  - tools:a\nserver@2025-11-25:\n  - tools\n", ["line 4", "listed whole and by check", "line 2"]),
        (
            "server:\n  - tools:a\nflaky:\n  - tools:a\n",
            ["line 4", "'tools:a' is expected to fail and said to be flaky"],
        ),
        ("server:\n  - tools\nflaky:\n  - tools:a\n", ["line 4", "listed whole and by check"]),
        ("sever:\n  - tools\n", ["line 1", "no section 'sever'", "The nearest is server."]),
        ("Server:\n  - tools\n", ["line 1", "The nearest is server."]),
        ("flakey: []\n", ["line 1", "The nearest is flaky."]),
        ("server@2026-07-29: []\n", ["line 1", "no revision '2026-07-29'", "2026-07-28"]),
        ("server@: []\n", ["line 1", "no revision ''"]),
        ("server: []\nserver: [tools]\n", ["line 2", "'server' is already there in line 1"]),
        ("? [a]\n: b\n", ["line 1", "expected a word as the key"]),
        ("flaky:\n  tools: [a]\n", ["line 2", "expected a leg such as 'server', got 'tools'"]),
        ("flaky@2025-11-25:\n  server@2026-07-28: []\n", ["line 2", "Name it once"]),
        ("flaky: 1\n", ["line 1", "expected a list of entries under 'flaky'"]),
        ("server:\n  - {scenario: tools, chek: a}\n", ["line 2", "no 'chek'", "The nearest is check."]),
        ("server:\n  - {scenario: tools, reason: }\n", ["line 2", "expected a text as 'reason'"]),
        ("server:\n  - {scenario: tools, reason: [a]}\n", ["line 2", "expected a text as 'reason'"]),
        ('server:\n  - {scenario: tools, reason: "\\ud800"}\n', ["line 2", "cannot be shown"]),
        ("server: [tools]\nreasons: {ping: x}\n", ["line 2", "a reason is given for 'ping', which is not listed"]),
        ("server: [tools]\nreasons: [ping]\n", ["line 2", "expected a mapping of entries"]),
        ("server: [tools]\nreasons: {tools: {why: x}}\n", ["line 2", "got 'why'"]),
    ],
)
def test_what_a_file_may_not_say(text: str, told: list[str]) -> None:
    with pytest.raises(Misuse) as refused:
        read(text)
    for part in ["base.yml", *told]:
        assert part in str(refused.value)


def test_everything_that_is_wrong_is_told_at_once_in_the_order_of_lines() -> None:
    with pytest.raises(Misuse) as refused:
        read("server:\n  - tols\n  - tools: a\n  - pong\n")
    lines = str(refused.value).splitlines()
    assert [line.partition(": ")[0] for line in lines] == ["base.yml, line 2", "base.yml, line 3", "base.yml, line 4"]


def test_an_entry_holds_for_its_leg_and_revision() -> None:
    baseline = read("server: [ping]\nserver@2026-07-28: [tools]\nclient: [initialize]\nflaky@2025-11-25: [tools:a]\n")
    at = {revision: baseline.entries_for("tools", Leg.SERVER, revision) for revision in Revision}
    assert {revision.value: [entry.name for entry in found] for revision, found in at.items()} == {
        "2025-03-26": [],
        "2025-06-18": [],
        "2025-11-25": ["tools:a"],
        "2026-07-28": ["tools"],
    }
    assert baseline.entries_for("ping", Leg.SERVER, Revision.V2025_03_26)
    assert not baseline.entries_for("ping", Leg.CLIENT, Revision.V2025_03_26)


def test_sections_of_different_revisions_do_not_contradict_each_other() -> None:
    assert len(names("server@2025-11-25: [tools]\nserver@2026-07-28: [tools:a]\nflaky@2025-06-18: [tools:b]\n")) == 3


def test_a_reason_and_a_link_stand_beside_an_entry_or_apart() -> None:
    beside = read("server:\n  - scenario: tools\n    reason: |\n      later,\n      perhaps\n    link: https://a/1\n")
    apart = read(
        "server: [tools, ping]\nreasons:\n  tools: {reason: 'later, perhaps', link: https://a/1}\n  ping: soon\n"
    )
    assert [(entry.reason, entry.link) for entry in beside.entries] == [("later, perhaps", "https://a/1")]
    assert [(entry.reason, entry.link) for entry in apart.entries] == [
        ("later, perhaps", "https://a/1"),
        ("soon", None),
    ]


def test_lines_are_those_of_an_editor() -> None:
    baseline = read("# a comment\n\nserver:\n  - ping\n  # another\n  - scenario: tools\n    check: a\n  - tools:b\n")
    assert [(entry.name, entry.line) for entry in baseline.entries] == [("ping", 4), ("tools:a", 6), ("tools:b", 8)]


@pytest.mark.parametrize("block", re.findall(r"```yaml\n(.*?)```", PAGE.read_text(), re.DOTALL))
def test_the_files_that_the_documentation_shows_can_be_read(block: str) -> None:
    assert read(block, known_checks()).entries


def test_every_declared_check_and_those_of_any_run_can_be_listed() -> None:
    known = known_checks()[Leg.SERVER]
    assert {"ping", "wire-schema-valid", "wire-schema-harness-error", "scenario-timeout"} <= set(known["ping"])
    assert "tools-name-format" in known["tools-list"]
