"""The text of a failure: what reads the same is told once, and what a peer can repeat without end is told in a bounded text."""

from __future__ import annotations

from pytest_mcp_conformance.judgement import Judgement, Verdict
from pytest_mcp_conformance.model import Check, Ending, Leg, Outcome, Status
from pytest_mcp_conformance.reporting.failure_text import MOST_OF_ONE_ID, failure_text, status_lines
from pytest_mcp_conformance.verdict import Counting
from tests.reporting.runs import NEW, SPEC, check

PLACE = "[MUST, MCP-Tools-List]"


def failed(*checks: Check, exchanges: int = 0) -> Outcome:
    """Return an outcome of a client whose requests are `exchanges`, all alike but for their ids."""
    return Outcome(
        scenario="tools-list",
        leg=Leg.CLIENT,
        revision=NEW,
        ending=Ending.FAILED,
        checks=checks,
        transcript=tuple(
            {
                "number": number,
                "kind": "request",
                "method": "POST",
                "url": "http://localhost/mcp",
                "body": {"id": number},
            }
            for number in range(exchanges)
        ),
        seconds=0.1,
    )


def told(outcome: Outcome) -> list[str]:
    judgement = Judgement(verdict=Verdict.FAILED)
    return failure_text(outcome, judgement, again="pytest", counting=Counting()).split("\n")


def test_equal_failures_are_one_with_a_number_and_one_exchange() -> None:
    checks = [check(Status.FAILURE, got={}, entry=number) for number in range(300)]
    assert told(failed(*checks, check(), exchanges=300)) == [
        "300 of 301 checks failed",
        f"  tools-list: expected an array of tools, got {{}}   {PLACE} 300 times",
        f"      {SPEC.url}",
        "decided tools-list:",
        '  > POST http://localhost/mcp {"id": 0}',
        "  < no answer",
        "again: pytest",
    ]


def test_equal_warnings_are_one_with_a_number() -> None:
    lines = told(failed(check(Status.FAILURE), *[check(Status.WARNING, got=1)] * 2))
    start = lines.index("warnings, which fail only under --mcp-strict:")
    assert lines[start + 1] == f"  tools-list: expected an array of tools, got 1   {PLACE} 2 times"


def test_failures_that_differ_are_told_each_without_a_number() -> None:
    lines = told(failed(check(Status.FAILURE, got=1), check(Status.FAILURE, got=2), check(Status.FAILURE, got=1)))
    assert lines[1::2][:2] == [
        f"  tools-list: expected an array of tools, got 1   {PLACE} 2 times",
        f"  tools-list: expected an array of tools, got 2   {PLACE}",
    ]


def test_of_one_id_so_many_are_told_and_the_rest_is_a_number() -> None:
    many = [check(Status.FAILURE, got=number) for number in range(MOST_OF_ONE_ID + 280)]
    lines = told(failed(*many, check(Status.FAILURE, id="other")))
    assert sum(line.startswith("  tools-list: expected") for line in lines) == MOST_OF_ONE_ID
    assert "  tools-list: 280 more; checks.json has them (--mcp-results-dir)" in lines
    assert f"  other: expected an array of tools, got null   {PLACE}" in lines


def test_the_list_of_all_checks_is_as_short() -> None:
    many = [check(Status.FAILURE, got=number) for number in range(MOST_OF_ONE_ID + 1)]
    lines = list(status_lines(failed(*[check(id="well")] * 300, *many)))
    assert lines[0] == "    ✓ SUCCESS well 300 times"
    assert len(lines) == MOST_OF_ONE_ID + 2
    assert lines[-1] == "    ... 1 more of tools-list; checks.json has them"
