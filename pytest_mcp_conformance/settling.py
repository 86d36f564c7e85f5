"""From an outcome to pytest's verdict: pass, fail, skip, or an error where nothing can be said."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from typing import TypeAlias

import pytest

from pytest_mcp_conformance.declared_options import DECLARED, DETAILS
from pytest_mcp_conformance.judgement import Judgement, Verdict
from pytest_mcp_conformance.model import Ending, Leg, Outcome
from pytest_mcp_conformance.options import Options
from pytest_mcp_conformance.reporting.failure_text import could_not_run_text, failure_text, harness_error_text
from pytest_mcp_conformance.reporting.judgement_text import excused_reason, not_scored_reason
from pytest_mcp_conformance.selection import Planned
from pytest_mcp_conformance.suite_id import item_id
from pytest_mcp_conformance.verdict import Counting

Settle: TypeAlias = Callable[[], None]


def refuse_unjudged(outcome: Outcome, *, again: str) -> None:
    """End the item in an error where the outcome says nothing about conformance. Called in the item's set-up."""
    if outcome.ending is Ending.COULD_NOT_RUN:
        pytest.fail(could_not_run_text(outcome, again=again), pytrace=False)
    if outcome.ending is Ending.HARNESS_ERROR:
        pytest.fail(harness_error_text(outcome), pytrace=False)


def settle(
    outcome: Outcome,
    judgement: Judgement,
    *,
    again: str,
    counting: Counting,
    runxfail: bool,
    secret_headers: Iterable[str] = (),
) -> None:
    """End the item as the judgement says.

    :param secret_headers: names of headers that every request carries; their values are shown nowhere.
    :param runxfail: pytest is to report as if nothing were expected: what is excused fails, what is out of date passes.
    """
    match judgement.verdict:
        case Verdict.NOT_APPLICABLE:
            pytest.skip(outcome.reason or "not applicable")
        case Verdict.NOT_SCORED:
            # Not by pytest.xfail(), which does nothing under --runxfail.
            raise pytest.xfail.Exception(not_scored_reason(outcome, judgement))
        case Verdict.EXPECTED | Verdict.FLAKY if not runxfail:
            pytest.xfail(excused_reason(outcome, judgement))
    excused = bool(judgement.expected or judgement.flaky)
    bad = {Verdict.FAILED, Verdict.EXPECTED, Verdict.FLAKY} if runxfail else {Verdict.FAILED, Verdict.STALE}
    if judgement.verdict in bad or (runxfail and excused):
        text = failure_text(outcome, judgement, again=again, counting=counting, secret_headers=secret_headers)
        pytest.fail(text, pytrace=False)


def again_line(leg: Leg, options: Options, planned: Planned) -> str:
    """Return the command line that runs one item again. Header values are left out: they may be secrets."""
    targets = ((option.flag, getattr(options, option.member)) for option in DECLARED if option.targets)
    words = ["pytest", *(flag if value is True else f"{flag}={value}" for flag, value in targets if value)]
    words += [f"--mcp-header={name}: ..." for name in options.headers]
    for option in DETAILS:
        if value := getattr(options, option.member):
            words.append(f"{option.flag}={'...' if option.secret else value}")
    if options.strict:
        words.append("--mcp-strict")
    if options.requirements:
        words.append(f"--mcp-requirements={','.join(options.requirements)}")
    if options.expected_failures:
        words.append(f"--mcp-expected-failures={options.expected_failures}")
    return shlex.join([*words, item_id(leg, planned.id)])
