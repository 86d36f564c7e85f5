"""Requirement sets: what a file may say, what it selects and scores, and that those of this package are frozen."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from pytest_mcp_conformance.bundled import requirements_folder
from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.judgement import Score
from pytest_mcp_conformance.model import Leg, Revision
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.requirement_sets import RequirementSet, load_set, load_sets, planned_by, read_set, set_lines
from tests.shared_folder import shared
from tests.test_selection import KNOWN

FROZEN = {
    "2025-11-25": ("dd3acc57ccfb434e75ccf9c4d822233e425ede8cb0113cb36598665b99058737", (30, 18, 10)),
    "2026-07-28": ("f395bd11e66281c0c95d297dd444709fbc3cadf1beaa5dfabcfac2118ebdb1b0", (37, 32, 20)),
}


def read(text: str) -> RequirementSet:
    return read_set(text, revision=Revision.V2025_11_25, place="requirements/x.yaml")


@pytest.mark.parametrize("revision", FROZEN)
def test_a_set_is_frozen(revision: str) -> None:
    """A set is what implementations have been measured by. It never changes; a new revision gets a set of its own."""
    requirements = load_set(revision, requirements_folder())
    content = [
        *([leg.value, *requirements.scored[leg]] for leg in (Leg.SERVER, Leg.CLIENT)),
        *([each.scenario, each.leg.value, each.reason.value] for each in requirements.not_scored),
    ]
    digest = hashlib.sha256(json.dumps(content).encode()).hexdigest()
    sizes = (len(requirements.scored[Leg.SERVER]), len(requirements.scored[Leg.CLIENT]), len(requirements.not_scored))
    assert (digest, sizes) == FROZEN[revision], "names, order or reasons of a frozen requirement set have changed"


def test_there_is_no_other_set() -> None:
    assert sorted(path.name for path in requirements_folder().iterdir()) == [f"{revision}.yaml" for revision in FROZEN]


@pytest.mark.parametrize("revision", FROZEN)
def test_no_name_of_a_set_is_scored_on_one_leg_and_not_on_the_other(revision: str) -> None:
    requirements = load_set(revision, requirements_folder())
    scored = [name for names in requirements.scored.values() for name in names]
    unscored = [each.scenario for each in requirements.not_scored]
    assert len({*scored, *unscored}) == len(scored) + len(unscored)


@pytest.mark.parametrize("revision", FROZEN)
def test_this_build_has_every_scenario_of_a_leg_that_it_has(revision: str) -> None:
    requirements = load_set(revision, requirements_folder())
    for leg in (Leg.SERVER, Leg.CLIENT):
        known = scenarios(leg)
        if known:
            names = {*requirements.scored[leg], *(each.scenario for each in requirements.not_scored if each.leg is leg)}
            assert names <= known.keys()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("2025-11-25,2026-07-28", "names several revisions where one is needed"),
        ("draft", "'draft' is no revision. A set is named by its date: 2025-11-25, 2026-07-28."),
        ("2025-11", "'2025-11' is no revision"),
        ("../2025-11-25", "is no revision"),
        ("2025-11-25.yaml", "is no revision"),
        ("2025-11-26", "there is no revision '2025-11-26'. There are sets of 2025-11-25, 2026-07-28."),
        ("2025-06-18", "there is no set of 2025-06-18. There are sets of 2025-11-25, 2026-07-28."),
        ("2025-03-26", "there is no set of 2025-03-26"),
    ],
)
def test_a_set_that_there_is_not(name: str, told: str) -> None:
    with pytest.raises(Misuse) as refused:
        load_set(name, requirements_folder())
    assert told in str(refused.value)


ENTRY = "{scenario: a, leg: server, reason: pending}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[a", "not readable as YAML"),
        ("[a]", "expected a mapping"),
        ("clent: [a]", "there is no key 'clent' in a requirement set. The nearest is client."),
        ("1: [a]", "there is no key 1"),
        ("extra: []\nnot_scored: 1", "there is no key 'extra'"),
        ("not_scored: 1\nauthorization: []", "expected a list under 'not_scored'"),
        (f"not_scored: {ENTRY}", "expected a list under 'not_scored'"),
        ("authorization: [a]", "outside the specification"),
        ("authorization: []\nserver: 1", "outside the specification"),
        ("authorization:", "outside the specification"),
        ("server: a", "expected a list of scenario names under 'server'"),
        ("server:", "expected a list of scenario names under 'server'"),
        ("client:", "expected a list of scenario names under 'client'"),
        ("server: [a, 1]", "expected a list of scenario names under 'server'"),
        ("client: [{a: b}]", "expected a list of scenario names under 'client'"),
        ("server: [a, b, a]", "'a' is listed twice under 'server'"),
        ("client: [b, b]\nnot_scored: [1]", "'b' is listed twice under 'client'"),
        ("not_scored: [a]", "names no scenario: 'a'"),
        ("not_scored: [{leg: server, reason: pending}]", "names no scenario"),
        ("not_scored: [{scenario: 1, leg: server, reason: pending}]", "names no scenario"),
        ("not_scored: [{scenario: a, reason: pending}]", "'a' under 'not_scored' has the leg None"),
        (
            "not_scored: [{scenario: a, leg: authorization, reason: pending}]",
            "'authorization'. Possible: server, client.",
        ),
        ("not_scored: [{scenario: a, leg: server}]", "has the reason None"),
        (
            "not_scored: [{scenario: a, leg: server, reason: scored}]",
            "Possible: extension, added-after-release, pending.",
        ),
        (f"server: [a]\nnot_scored: [{ENTRY}]", "'a' is scored under 'server' and listed under 'not_scored' as well"),
    ],
)
def test_what_a_set_may_not_say(text: str, told: str) -> None:
    with pytest.raises(Misuse) as refused:
        read(text)
    assert str(refused.value).startswith("requirements/x.yaml: ")
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("text", "server", "client", "unscored"),
    [
        ("", (), (), []),
        ("{}", (), (), []),
        ("server: []\nclient: []\nnot_scored:", (), (), []),
        ("server: [b, a]", ("b", "a"), (), []),
        ("server: [a]\nclient: [a]", ("a",), ("a",), []),
        (f"client: [a]\nnot_scored: [{ENTRY}]", (), ("a",), ["a"]),
        (f"not_scored: [{ENTRY}, {ENTRY}]", (), (), ["a", "a"]),
        ("not_scored: [{scenario: a, leg: client, reason: extension, note: n, more: m}]", (), (), ["a"]),
    ],
)
def test_what_a_set_may_say(text: str, server: tuple[str, ...], client: tuple[str, ...], unscored: list[str]) -> None:
    requirements = read(text)
    assert (requirements.scored[Leg.SERVER], requirements.scored[Leg.CLIENT]) == (server, client)
    assert [each.scenario for each in requirements.not_scored] == unscored


def test_a_set_says_of_each_scenario_of_a_leg_whether_it_counts() -> None:
    requirements = read("server: [a]\nclient: [b]\nnot_scored: [{scenario: b, leg: server, reason: extension}]")
    assert requirements.score(Leg.SERVER, "a") is Score.SCORED
    assert requirements.score(Leg.SERVER, "b") is Score.EXTENSION
    assert requirements.score(Leg.CLIENT, "b") is Score.SCORED
    assert requirements.score(Leg.CLIENT, "a") is None
    assert requirements.score(Leg.AUTHORIZATION, "a") is None


def test_membership_decides_what_runs_and_windows_do_not() -> None:
    """`old` was removed in 2026-07-28, `new` came with it, `extra` belongs to an extension."""
    text = "server: [new, old]\nnot_scored: [{scenario: extra, leg: server, reason: extension}]"
    sets = [read_set(text, revision=revision, place="x") for revision in (Revision.V2026_07_28, Revision.V2025_11_25)]
    assert [each.id for each in planned_by(sets, Leg.SERVER, KNOWN)] == [
        "extra@2025-11-25",
        "extra@2026-07-28",
        "new@2025-11-25",
        "new@2026-07-28",
        "old@2025-11-25",
        "old@2026-07-28",
    ]


def test_what_this_build_lacks_is_an_error_where_it_is_scored_and_left_out_where_not() -> None:
    unscored = read("server: [old]\nnot_scored: [{scenario: a, leg: server, reason: pending}]\nclient: [b]")
    assert [each.scenario for each in planned_by([unscored], Leg.SERVER, KNOWN)] == ["old"]
    with pytest.raises(
        Misuse, match="--mcp-requirements 2025-11-25: this build has no scenario named a, b, which the set"
    ):
        planned_by([read("server: [a, old, b]")], Leg.SERVER, KNOWN)


def test_sets_are_loaded_once_each_and_in_order() -> None:
    sets = load_sets(["2026-07-28", "2025-11-25", "2026-07-28"], requirements_folder())
    assert [each.revision.value for each in sets] == ["2025-11-25", "2026-07-28"]


def test_the_list_of_a_set_leaves_out_empty_legs_and_groups_by_reason() -> None:
    unscored = "{scenario: x, leg: server, reason: pending}, {scenario: y, leg: client, reason: extension}"
    text = f"client: [b, a]\nnot_scored: [{unscored}]"
    assert [*set_lines(read(text))] == [
        "2025-11-25",
        "  client: 2 scored",
        "    b",
        "    a",
        "  not scored, extension: 1",
        "    y (client)",
        "  not scored, pending: 1",
        "    x (server)",
    ]


@pytest.mark.needs_shared
@pytest.mark.parametrize("revision", FROZEN)
def test_a_set_is_as_the_catalogue_lists_it(revision: str) -> None:
    requirements = load_set(revision, requirements_folder())
    text = shared("catalogue", "tooling.md").read_text()
    part = text.partition(f"\n`{revision}`: ")[2].partition("\n`")[0].partition("\n## ")[0]
    rows = dict(re.findall(r"^- (.+?)(?:, in order)?: (.+)$", part, re.MULTILINE))
    for leg in (Leg.SERVER, Leg.CLIENT):
        assert tuple(re.findall(r"`(.+?)`", rows[leg.value])) == requirements.scored[leg]
    for reason in (Score.EXTENSION, Score.ADDED_AFTER_RELEASE, Score.PENDING):
        listed = re.findall(r"`(.+?)` \((\w+)\)", rows[f"not scored, {reason.value}"])
        assert listed == [(each.scenario, each.leg) for each in requirements.not_scored if each.reason is reason]
