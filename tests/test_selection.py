"""Which scenarios run at which revisions, by tables over a small registry."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pytest_mcp_conformance.exceptions import HarnessError, Misuse
from pytest_mcp_conformance.model import Leg, Level, Requirement, Revision, Scenario
from pytest_mcp_conformance.registry import by_name, nearest
from pytest_mcp_conformance.selection import Planned, Selection, named_revisions, plan

RULE = Requirement(id="rule", name="Rule", level=Level.MUST, text="It holds.", spec=())


async def body() -> None:
    """Talk to nobody."""


def declared(
    name: str,
    *,
    since: str | None = None,
    until: str | None = None,
    extension: str | None = None,
    pending: bool = False,
) -> Scenario:
    return Scenario(
        name=name,
        leg=Leg.SERVER,
        purpose="",
        decides=(RULE,),
        body=body,
        charged=RULE,
        introduced_in=Revision(since) if since else None,
        removed_in=Revision(until) if until else None,
        extension=extension,
        pending=pending,
        module="here",
    )


KNOWN: Mapping[str, Scenario] = by_name(
    [
        declared("old", since="2025-06-18", until="2026-07-28"),
        declared("steady", since="2025-06-18"),
        declared("later", since="2025-11-25", pending=True),
        declared("new", since="2026-07-28"),
        declared("extra", extension="io.example/extra", pending=True),
    ]
)


def ids(**selection: object) -> list[str]:
    return [each.id for each in plan(Leg.SERVER, KNOWN, Selection(**selection))]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        ({}, ["old@2025-11-25", "steady@2025-11-25"]),
        ({"suites": ("core",)}, ["old@2025-11-25", "steady@2025-11-25"]),
        ({"suites": ("ACTIVE",)}, ["old@2025-11-25", "steady@2025-11-25"]),
        ({"suites": ("draft",)}, ["new@2026-07-28"]),
        ({"suites": ("pending",)}, ["extra@2026-07-28", "later@2025-11-25"]),
        ({"suites": ("draft", "pending")}, ["extra@2026-07-28", "later@2025-11-25", "new@2026-07-28"]),
        ({"suites": ("all",), "revisions": ("2025-03-26",)}, []),
        ({"suites": ("all",), "revisions": ("2025-06-18",)}, ["old@2025-06-18", "steady@2025-06-18"]),
        ({"suites": ("all",), "revisions": ("draft",)}, ["later@2026-07-28", "new@2026-07-28", "steady@2026-07-28"]),
        ({"revisions": ("2025-11-25", "2025-06-18"), "scenarios": ("old",)}, ["old@2025-06-18", "old@2025-11-25"]),
        ({"scenarios": ("s*", "new")}, ["new@2026-07-28", "steady@2025-11-25"]),
        ({"scenarios": ("*",), "suites": ("pending",)}, ["extra@2026-07-28", "later@2025-11-25"]),
        ({"scenarios": ("new",), "revisions": ("2025-11-25",), "force": True}, ["new@2025-11-25"]),
        ({"scenarios": ("extra",), "revisions": ("draft",), "force": True}, ["extra@2026-07-28"]),
        (
            {"scenarios": ("steady",), "revisions": ("all",)},
            ["steady@2025-06-18", "steady@2025-11-25", "steady@2026-07-28"],
        ),
    ],
    ids=str,
)
def test_plan(selection: dict[str, object], expected: list[str]) -> None:
    assert ids(**selection) == expected


@pytest.mark.parametrize(
    ("selection", "told"),
    [
        ({"suites": ("cor",)}, ["'cor'", "active, all, core, draft, pending"]),
        ({"scenarios": ("stedy",)}, ["'stedy'", "The nearest is steady."]),
        ({"scenarios": ("zzzz",)}, ["'zzzz'", "--mcp-list"]),
        ({"scenarios": ("zz*",)}, ["matches 'zz*'"]),
        ({"revisions": ("2025-11-26",)}, ["'2025-11-26'", "2025-11-25", "draft", "all"]),
        ({"scenarios": ("new",), "revisions": ("2025-11-25",)}, ["new applies from 2026-07-28 on", "--mcp-force"]),
        ({"scenarios": ("extra",), "revisions": ("draft",)}, ["io.example/extra", "--mcp-force"]),
        ({"scenarios": ("new",), "suites": ("pending",)}, ["no scenario in common"]),
    ],
    ids=str,
)
def test_a_selection_that_cannot_be_is_refused_with_what_is_possible(
    selection: dict[str, object], told: list[str]
) -> None:
    with pytest.raises(Misuse) as refused:
        ids(**selection)
    for part in told:
        assert part in str(refused.value)


def test_named_revisions_are_sorted_and_unique() -> None:
    assert named_revisions(["draft", "2025-06-18", "2026-07-28"]) == (Revision.V2025_06_18, Revision.V2026_07_28)
    assert named_revisions(["all"]) == tuple(Revision)


def test_two_scenarios_of_one_name_are_refused_with_both_places() -> None:
    with pytest.raises(HarnessError, match="in here and in here"):
        by_name([declared("same", since="2025-06-18"), declared("same", since="2025-06-18")])


def test_nearest_names_are_a_sentence() -> None:
    assert nearest("tools-lst", ["tools-list", "tools-last", "ping"]) == "The nearest are tools-list, tools-last."
    assert nearest("qqqq", ["ping"]) == ""


def test_the_id_of_an_item_is_scenario_and_revision() -> None:
    assert Planned(scenario="a/b", revision=Revision.V2025_11_25).id == "a/b@2025-11-25"
