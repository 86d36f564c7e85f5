"""From an outcome to its verdict, by tables: with a baseline, with a requirement set, with both, with neither."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_mcp_conformance.baseline_file import read_baseline
from pytest_mcp_conformance.judgement import Judgement, Listed, Score, Verdict, packed_judgement, unpacked_judgement
from pytest_mcp_conformance.judging import Rules, judge
from pytest_mcp_conformance.model import ClientEnd, Ending, Leg, Revision
from pytest_mcp_conformance.requirement_sets import read_set
from tests.decided import ended

REVISION = Revision.V2025_11_25
SETS = {
    "scored": "server: [tools]",
    "pending": "not_scored: [{scenario: tools, leg: server, reason: pending}]",
    "elsewhere": "client: [tools]",
}


def rules(*, baseline: str | None = None, required: str | None = None, strict: bool = False) -> Rules:
    sets = {REVISION: read_set(SETS[required], revision=REVISION, place="x")} if required else {}
    return Rules(
        baseline=None if baseline is None else read_baseline(baseline, "base.yml", {}), sets=sets, strict=strict
    )


PLAIN = [
    ("a:S", False, Verdict.PASSED),
    ("a:W", False, Verdict.PASSED),
    ("a:F", False, Verdict.FAILED),
    ("a:- b:I", False, Verdict.NOT_APPLICABLE),
    ("a:S +b:F", False, Verdict.PASSED),
    ("a:S", True, Verdict.PASSED),
    ("a:W", True, Verdict.FAILED),
    ("a:S +b:F", True, Verdict.FAILED),
    ("a:S +b:W", True, Verdict.FAILED),
]


@pytest.mark.parametrize(("checks", "strict", "verdict"), PLAIN)
def test_checks_alone(*, checks: str, strict: bool, verdict: Verdict) -> None:
    assert judge(ended(checks), rules(strict=strict)) == Judgement(verdict=verdict)


BASELINE = [
    ("", "a:S", Verdict.PASSED),
    ("", "a:W", Verdict.FAILED),
    ("", "a:F", Verdict.FAILED),
    ("server: [tools]", "a:F", Verdict.EXPECTED),
    ("server: [tools]", "a:S", Verdict.STALE),
    ("server: ['tools:a']", "a:F b:F", Verdict.FAILED),
    ("server: ['tools:a']", "a:S b:F", Verdict.FAILED),
    ("server: ['tools:a', 'tools:b']", "a:F b:S", Verdict.STALE),
    ("server: ['tools:a']\nflaky: ['tools:b']", "a:F b:F", Verdict.EXPECTED),
    ("flaky: ['tools:b']", "a:S b:F", Verdict.FLAKY),
    ("flaky: ['tools:b']", "a:S b:S", Verdict.PASSED),
    ("flaky: ['tools:b']", "a:W b:F", Verdict.FAILED),
    ("server@2026-07-28: [tools]", "a:F", Verdict.FAILED),
    ("client: [tools]", "a:F", Verdict.FAILED),
]


@pytest.mark.parametrize(("baseline", "checks", "verdict"), BASELINE)
def test_with_a_baseline(baseline: str, checks: str, verdict: Verdict) -> None:
    judgement = judge(ended(checks), rules(baseline=baseline))
    assert (judgement.verdict, judgement.baseline, judgement.score) == (verdict, True, None)


# Without and with a baseline: which score, which checks, the verdict, and whether the set is met.
REQUIRED = [
    (None, "scored", "a:S", Verdict.PASSED, True),
    (None, "scored", "a:W", Verdict.PASSED, True),
    (None, "scored", "a:F", Verdict.FAILED, False),
    (None, "scored", "a:S +b:F", Verdict.PASSED, True),
    (None, "pending", "a:F", Verdict.NOT_SCORED, None),
    (None, "pending", "a:W", Verdict.PASSED, None),
    (None, "pending", "a:S", Verdict.PASSED, None),
    (None, "elsewhere", "a:F", Verdict.FAILED, None),
    ("", "scored", "a:S", Verdict.PASSED, True),
    ("", "scored", "a:W", Verdict.FAILED, True),
    ("", "scored", "a:F", Verdict.FAILED, False),
    ("server: [tools]", "scored", "a:F", Verdict.EXPECTED, False),
    ("server: [tools]", "scored", "a:W", Verdict.EXPECTED, True),
    ("server: [tools]", "scored", "a:S", Verdict.STALE, True),
    ("flaky: [tools]", "scored", "a:F", Verdict.FLAKY, False),
    ("server: [tools]", "pending", "a:F", Verdict.NOT_SCORED, None),
    ("server: [tools]", "pending", "a:S", Verdict.PASSED, None),
    ("", "pending", "a:F", Verdict.NOT_SCORED, None),
    ("", "pending", "a:W", Verdict.PASSED, None),
]


@pytest.mark.parametrize(("baseline", "required", "checks", "verdict", "met"), REQUIRED)
def test_with_a_requirement_set(
    *, baseline: str | None, required: str, checks: str, verdict: Verdict, met: bool | None
) -> None:
    judgement = judge(ended(checks), rules(baseline=baseline, required=required))
    assert (judgement.verdict, judgement.meets_set) == (verdict, met)
    if required == "pending":
        assert judgement == Judgement(verdict=verdict, score=Score.PENDING)


@pytest.mark.parametrize(
    ("required", "checks", "verdict"),
    [
        ("scored", "a:W", Verdict.FAILED),
        ("scored", "a:S +b:F", Verdict.PASSED),
        ("pending", "a:W +b:F", Verdict.PASSED),
    ],
)
def test_strict_makes_warnings_fail_a_set_and_never_checks_of_our_own(
    required: str, checks: str, verdict: Verdict
) -> None:
    assert judge(ended(checks), rules(required=required, strict=True)).verdict is verdict


@pytest.mark.parametrize("ending", [Ending.COULD_NOT_RUN, Ending.HARNESS_ERROR])
@pytest.mark.parametrize("baseline", [None, "", "server: [tools]", "flaky: [tools]"])
@pytest.mark.parametrize("required", [None, *SETS])
def test_nothing_excuses_a_run_that_says_nothing(ending: Ending, baseline: str | None, required: str | None) -> None:
    judgement = judge(ended("a:F", ending=ending), rules(baseline=baseline, required=required))
    assert judgement.verdict is Verdict.NONE
    assert (judgement.expected, judgement.stale, judgement.flaky, judgement.meets_set) == ((), (), (), None)


@pytest.mark.parametrize(
    ("required", "baseline", "verdict"),
    [
        (None, None, Verdict.NONE),
        (None, "client: [tools]", Verdict.EXPECTED),
        (None, "client: ['tools:a']", Verdict.NONE),
        ("scored", None, Verdict.NONE),
        ("scored", "client: [tools]", Verdict.EXPECTED),
        ("pending", None, Verdict.NOT_SCORED),
        ("pending", "client: [tools]", Verdict.NOT_SCORED),
    ],
)
def test_a_client_that_fails_before_it_connects_may_not_know_the_scenario(
    required: str | None, baseline: str | None, verdict: Verdict
) -> None:
    outcome = replace(ended("", ending=Ending.COULD_NOT_RUN, leg=Leg.CLIENT), client=ClientEnd(exit_code=1))
    found = rules(baseline=baseline)
    if required:
        text = SETS[required].replace("server", "client")
        found = replace(found, sets={REVISION: read_set(text, revision=REVISION, place="x")})
    assert judge(outcome, found).verdict is verdict


def test_what_does_not_apply_is_skipped_whatever_a_baseline_says_of_its_checks() -> None:
    judgement = judge(ended("a:-"), rules(baseline="server: ['tools:a']"))
    assert judgement == Judgement(verdict=Verdict.NOT_APPLICABLE)


def test_an_entry_for_a_whole_scenario_that_does_not_apply_is_stale() -> None:
    assert judge(ended("a:- b:I"), rules(baseline="server: [tools]")).verdict is Verdict.STALE


def test_an_entry_is_told_with_its_place_reason_and_link() -> None:
    text = "server:\n  - {scenario: tools, check: a, reason: later, link: https://a/1}\n"
    judgement = judge(ended("a:F"), rules(baseline=text))
    assert judgement.expected == (Listed(name="tools:a", place="base.yml, line 2", reason="later", link="https://a/1"),)


def test_a_judgement_travels_whole() -> None:
    text = "server: ['tools:a', 'tools:b']\nflaky: ['tools:c', 'tools:d']\nreasons: {'tools:a': später}"
    judgement = judge(ended("a:F b:S c:F d:S e:F"), rules(baseline=text, required="scored"))
    assert judgement.unexpected == ("tools:e",)
    assert packed_judgement(judgement).isascii()
    assert unpacked_judgement(packed_judgement(judgement)) == judgement
