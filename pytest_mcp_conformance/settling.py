"""From an outcome to pytest's verdict: pass, fail, skip, or an error where nothing can be said."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import TypeAlias

import pytest

from pytest_mcp_conformance.collection import ITEM, SUITE_ID
from pytest_mcp_conformance.model import Ending, Outcome
from pytest_mcp_conformance.options import Options
from pytest_mcp_conformance.reporting.failure_text import could_not_run_text, fails, failure_text, harness_error_text
from pytest_mcp_conformance.selection import Planned

Settle: TypeAlias = Callable[[], None]


def refuse_unjudged(outcome: Outcome, *, again: str) -> None:
    """End the item in an error where the outcome says nothing about conformance. Called in the item's set-up."""
    if outcome.ending is Ending.COULD_NOT_RUN:
        pytest.fail(could_not_run_text(outcome, again=again), pytrace=False)
    if outcome.ending is Ending.HARNESS_ERROR:
        pytest.fail(harness_error_text(outcome), pytrace=False)


def settle(outcome: Outcome, *, again: str, strict: bool) -> None:
    """End the item as the outcome says."""
    if outcome.ending is Ending.NOT_APPLICABLE:
        pytest.skip(outcome.reason or "not applicable")
    if any(fails(check, strict=strict) for check in outcome.checks):
        pytest.fail(failure_text(outcome, again=again, strict=strict), pytrace=False)


def again_line(options: Options, planned: Planned) -> str:
    """Return the command line that runs one item again. Header values are left out: they may be secrets."""
    words = ["pytest"]
    if options.server_reference:
        words.append("--mcp-server-reference")
    if options.server_cmd:
        words.append(f"--mcp-server-cmd={options.server_cmd}")
    if options.server_url:
        words.append(f"--mcp-server-url={options.server_url}")
    words += [f"--mcp-header={name}: ..." for name in options.headers]
    if options.strict:
        words.append("--mcp-strict")
    return shlex.join([*words, f"{SUITE_ID}::{ITEM}[{planned.id}]"])
