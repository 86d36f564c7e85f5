"""What a baseline and a requirement set make of one outcome: a value that travels on the item's report, beside the outcome.

How it is found is in `judging.py`. Without a baseline and without a requirement set there is a judgement, too: the plain one.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from pytest_mcp_conformance.json_values import dumps

JUDGEMENT_ATTRIBUTE = "mcp_judgement"  # of a test report: the packed judgement


class Verdict(StrEnum):
    """How an item ends. Behind each: what pytest calls it."""

    PASSED = "passed"  # passed
    FAILED = "failed"  # failed: something failed that nobody expected
    STALE = "stale"  # failed: nothing unexpected, but an entry of the baseline is out of date
    EXPECTED = "expected"  # xfailed
    FLAKY = "flaky"  # xfailed
    NOT_SCORED = "not scored"  # xfailed: it failed, and the requirement set does not count it
    NOT_APPLICABLE = "not applicable"  # skipped
    NONE = "none"  # error: it could not run, or the fault is ours; nothing excuses that


class Score(StrEnum):
    """Whether a requirement set counts a scenario, and if not, why."""

    SCORED = "scored"
    EXTENSION = "extension"
    ADDED_AFTER_RELEASE = "added-after-release"
    PENDING = "pending"


@dataclass(frozen=True, kw_only=True)
class Listed:
    """An entry of the baseline that bears on an outcome.

    :ivar name: as written: `tools-list`, or `tools-list:tools-name-format`.
    :ivar place: file and line: `conformance.yml, line 7`.
    """

    name: str
    place: str
    reason: str | None = None
    link: str | None = None


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """The verdict on one outcome, and what it rests on.

    :ivar baseline: a baseline judged it; WARNING counts as failed then.
    :ivar expected: entries that excuse a failed check of this outcome.
    :ivar flaky: entries under `flaky:` whose check failed this time.
    :ivar flaky_passed: entries under `flaky:` where nothing failed this time.
    :ivar stale: entries whose check does not fail any more.
    :ivar unexpected: what failed unlisted: the scenario, or where the baseline lists checks of it, `scenario:check`.
    :ivar score: whether the requirement set at the outcome's revision counts it; none without requirement sets.
    :ivar meets_set: whether a scored scenario has no FAILURE, whatever a baseline excuses; none where it is not scored.
    """

    verdict: Verdict
    baseline: bool = False
    expected: tuple[Listed, ...] = ()
    flaky: tuple[Listed, ...] = ()
    flaky_passed: tuple[Listed, ...] = ()
    stale: tuple[Listed, ...] = ()
    unexpected: tuple[str, ...] = ()
    score: Score | None = None
    meets_set: bool | None = None


def packed_judgement(judgement: Judgement) -> str:
    """Return a judgement as one ASCII line. It rides on a test report, which carries nothing but plain values."""
    return dumps(asdict(judgement))


def unpacked_judgement(text: str) -> Judgement:
    """Return the judgement that `packed_judgement` wrote."""
    read: dict[str, Any] = json.loads(text)
    listed = {
        name: tuple(Listed(**each) for each in read[name]) for name in ("expected", "flaky", "flaky_passed", "stale")
    }
    return Judgement(
        verdict=Verdict(read["verdict"]),
        baseline=read["baseline"],
        **listed,
        unexpected=tuple(read["unexpected"]),
        score=Score(read["score"]) if read["score"] else None,
        meets_set=read["meets_set"],
    )
