"""What a broken server must not do to us: fill the memory, hold up others, or look like somebody who does not conform."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys

import pytest

from pytest_mcp_conformance.model import Ending, Leg, Outcome, Revision
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running import ServerUnderTest, run_server_scenario
from tests.hostile.runs import ROOT, STATEFUL, STATELESS, TIMEOUT, run, said

WIRES = (STATEFUL, STATELESS)
LONG = 6.0  # seconds; a run that is held up takes longer than that
MEGABYTE = 1024 * 1024
MOST_BYTES = 150 * MEGABYTE  # of the whole process; an orderly run takes about 40

HEAVY = (
    "sends_200_megabytes",
    "sends_7_megabytes_of_brackets",
    "sends_almost_too_many_values",
    "sends_10_gigabytes_of_zeros_compressed",
    "sends_10_gigabytes_of_zeros_compressed_twice",
    "streams_10_gigabytes_of_zeros_compressed",
    "streams_notifications_for_ever",
    "streams_requests_for_ever",
    "streams_numbers_for_ever",
    "streams_one_line_for_ever",
    "streams_empty_data_lines_for_ever",
    "nests_1000000_levels",
)


@pytest.mark.parametrize("revision", WIRES, ids=str)
@pytest.mark.parametrize("behaviour", HEAVY)
def test_no_answer_fills_the_memory(base: str, behaviour: str, revision: Revision) -> None:
    program = [sys.executable, "-m", "tests.hostile.measured_run", f"{base}/{behaviour}", revision]
    told = json.loads(subprocess.run(program, cwd=ROOT, capture_output=True, check=True).stdout)
    assert told["ending"] == "failed", told["said"]
    assert told["bytes"] < MOST_BYTES


@pytest.mark.parametrize(
    "behaviour",
    ["streams_numbers_for_ever", "streams_comments_for_ever", "sends_200_megabytes", "streams_requests_for_ever"],
)
def test_a_run_beside_a_broken_server_is_not_held_up(base: str, behaviour: str) -> None:
    async def side_by_side() -> list[Outcome]:
        tools_list = scenarios(Leg.SERVER)["tools-list"]
        targets = [ServerUnderTest(url=f"{base}/{name}") for name in (behaviour, behaviour, "conforms")]
        return await asyncio.gather(
            *(run_server_scenario(tools_list, STATEFUL, target, timeout=LONG) for target in targets)
        )

    *_, good = asyncio.run(side_by_side())
    assert good.ending is Ending.PASSED, said(good)


@pytest.mark.parametrize("revision", WIRES, ids=str)
def test_where_nothing_answers_the_scenario_could_not_run(revision: Revision) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    outcome = run(f"http://127.0.0.1:{port}/mcp", revision, timeout=TIMEOUT)
    assert outcome.ending is Ending.COULD_NOT_RUN
    assert outcome.checks == ()
    assert outcome.reason is not None
    assert outcome.reason.startswith("nothing answers at http://127.0.0.1:")


@pytest.mark.parametrize("revision", WIRES, ids=str)
def test_where_nobody_takes_the_connection_the_timeout_says_so(revision: Revision) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=5) as silent:
        outcome = run(f"http://127.0.0.1:{silent.getsockname()[1]}/mcp", revision, timeout=0.5)
    assert outcome.ending is Ending.FAILED
    assert said(outcome).startswith("scenario-timeout FAILURE: expected the end within 0.5 s, got no end after POST")
