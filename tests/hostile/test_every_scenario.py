"""No scenario takes the junk of a server for a fault of the harness, or shows it raw."""

from __future__ import annotations

import asyncio

import pytest

from pytest_mcp_conformance.model import Leg, Outcome, Revision, Scenario
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running import ServerUnderTest, run_server_scenario
from tests.hostile.runs import STATEFUL, STATELESS, fit_to_show, is_about_the_harness, said

TIMEOUT = 8.0  # seconds of one scenario; some wait for what never comes
SIDE_BY_SIDE = 12

JUNK = (
    "answers_id_object",
    "answers_twice_on_a_stream",
    "answers_without_id",
    "asks_instead_of_answering",
    "closes_inside_a_chunk",
    "closes_without_an_answer",
    "escapes_a_lone_surrogate",
    "has_a_number_beyond_floats",
    "has_a_result_of_list",
    "has_a_result_of_null",
    "has_a_result_of_number",
    "has_an_empty_result",
    "has_an_error_of_code_infinite",
    "has_an_error_of_code_text",
    "has_an_error_of_list",
    "has_an_error_of_message_number",
    "has_an_error_of_text",
    "has_control_characters_everywhere",
    "lists_junk",
    "lists_tools_as_object",
    "redirects_for_ever",
    "requests_with_control_characters",
    "resets_the_connection",
    "sends_a_number",
    "sends_an_array_of_junk",
    "sends_html",
    "sends_no_content",
    "sends_null",
    "speaks_ssh",
)


def planned() -> list[tuple[Scenario, Revision]]:
    """Return every scenario with the revision that it implies, and with the last of either wire that it applies at."""
    return [
        (scenario, revision)
        for scenario in scenarios(Leg.SERVER).values()
        for revision in sorted({scenario.implied_revision, *filter(scenario.applies_at, (STATEFUL, STATELESS))})
    ]


async def outcomes(url: str) -> list[Outcome]:
    turn = asyncio.Semaphore(SIDE_BY_SIDE)

    async def one(scenario: Scenario, revision: Revision) -> Outcome:
        async with turn:
            return await run_server_scenario(scenario, revision, ServerUnderTest(url=url), timeout=TIMEOUT)

    return await asyncio.gather(*(one(*each) for each in planned()))


@pytest.mark.parametrize("behaviour", JUNK)
def test_no_scenario_takes_junk_for_a_fault_of_the_harness(base: str, behaviour: str) -> None:
    found = asyncio.run(outcomes(f"{base}/{behaviour}/later"))
    assert [f"{each.scenario}: {said(each)}" for each in found if is_about_the_harness(each)] == []
    assert [each.scenario for each in found if not fit_to_show(each)] == []
    assert len(found) > 50
