"""Broken clients: each is judged in words that say what it did, none holds up a run, and nothing of it stays."""

from __future__ import annotations

import asyncio
import json
import logging
import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonValue
from pytest_mcp_conformance.mock_server import MockTool, Script
from pytest_mcp_conformance.model import Ending, Leg, Level, Outcome, Requirement, Revision, Scenario
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running_client import run_client_scenario
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.stage import Call, Stage
from pytest_mcp_conformance.targets.client_command import CommandClient
from tests.hostile.broken_clients import BEHAVIOURS
from tests.hostile.runs import ROOT, STATEFUL, STATELESS, TICKS, fit_to_show, is_about_the_harness, open_files, said
from tests.targets.processes import until

PROGRAM = Path(__file__).with_name("broken_clients.py")
PATIENCE = 30.0  # seconds of a client that comes to its end by itself
HANGS = 0.4  # of one that does not
CLOSING = 2.0  # that a run may take beyond its client
MEGABYTE = 1024 * 1024
MOST_BYTES = 200 * MEGABYTE  # of the whole process; an orderly run takes about 40

WITH_MESSAGES = (
    "answers_what_nobody_asked",
    "calls_every_tool_with_wrong_arguments",
    "has_control_characters_everywhere",
    "has_members_of_wrong_types",
    "leaves_before_the_answer",
    "nests_100000_levels",
    "nests_150_levels_everywhere",
    "pipelines",
    "sends_a_batch_of_100000",
    "sends_invalid_utf_8",
    "sends_what_is_no_json",
)
HEAVY = (
    "compresses_64_megabytes",
    "opens_500_connections",
    "sends_2000_requests",
    "sends_3_megabytes_40_times",
    "sends_50_megabytes",
    "sends_50_megabytes_in_chunks",
    "sends_endless_headers",
    "sends_one_endless_header",
    "writes_100_megabytes",
)
CALL = Call(url="http://localhost:7/mcp", scenario="tools_call", revision=STATEFUL)
GOOD = shlex.join([sys.executable, "-I", "-S", str(ROOT / "tests" / "plugin" / "small_client.py")])
CALLS_NOTHING = "tool-add-numbers FAILURE: expected a call of add_numbers with numbers a and b, got no call of a tool"


def line(behaviour: str) -> str:
    """Return the command of a broken client."""
    return shlex.join([sys.executable, "-I", "-S", str(PROGRAM), behaviour])


def run(behaviour: str, revision: Revision, *, scenario: Scenario | None = None) -> Outcome:
    """Run a scenario, tools_call if none is given, with a broken client.

    :raises AssertionError: it left a task, a thread or an open file, or took much longer than its client.
    """
    within = HANGS if behaviour.endswith("hangs") else PATIENCE
    client = CommandClient(line(behaviour), grace=0.2)

    async def run_and_look() -> Outcome:
        outcome = await run_client_scenario(
            scenario or scenarios(Leg.CLIENT)["tools_call"], revision, client, timeout=within
        )
        for _ in range(TICKS):
            await asyncio.sleep(0)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert not left, f"tasks were left: {left}"
        return outcome

    asyncio.run(CommandClient("exit 0 #").run(CALL, within=PATIENCE))  # the guardian is there
    files, threads = open_files(), set(threading.enumerate())
    started = time.monotonic()
    outcome = asyncio.run(run_and_look())
    assert outcome.client is not None
    assert time.monotonic() - started < outcome.client.seconds + CLOSING
    assert open_files() == files
    until(lambda: set(threading.enumerate()) <= threads)
    return outcome


@pytest.mark.parametrize(
    ("behaviour", "revision"),
    [
        *((behaviour, STATEFUL) for behaviour in BEHAVIOURS if behaviour not in HEAVY),
        *((behaviour, STATELESS) for behaviour in WITH_MESSAGES),
    ],
)
def test_a_broken_client_does_not_conform(behaviour: str, revision: Revision, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, logger="asyncio"):
        outcome = run(behaviour, revision)
    assert outcome.ending is Ending.FAILED
    assert said(outcome).startswith(
        "tool-add-numbers FAILURE: expected a call of add_numbers with numbers a and b, got "
    )
    assert fit_to_show(outcome)
    assert not is_about_the_harness(outcome)
    assert caplog.text == ""


@pytest.mark.parametrize(
    ("behaviour", "told"),
    [
        ("never_connects", CALLS_NOTHING),
        ("connects_and_hangs", "got the client still ran after 0.4 s and was ended"),
        ("has_members_of_wrong_types", "from the client: initialize: InitializeRequest: lacks the member"),
        ("sends_half_a_body_and_fails", "got the client ended with exit code 1"),
        ("sends_what_is_no_json", "from the client: no request: no JSON-RPC message: null without a method"),
    ],
)
def test_what_it_did_is_told(behaviour: str, told: str) -> None:
    assert told in said(run(behaviour, STATEFUL))


SCENARIOS = [scenario for name, scenario in scenarios(Leg.CLIENT).items() if not name.startswith("auth/")]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_in_no_scenario_is_it_a_fault_of_ours(scenario: Scenario) -> None:
    outcome = run("calls_every_tool_with_wrong_arguments", scenario.implied_revision, scenario=scenario)
    assert outcome.ending in (Ending.FAILED, Ending.NOT_APPLICABLE), outcome.reason
    assert fit_to_show(outcome)


# What it must not do to us.


@pytest.mark.parametrize("behaviour", HEAVY)
def test_none_fills_the_memory(behaviour: str) -> None:
    program = [sys.executable, "-m", "tests.hostile.measured_client_run", line(behaviour), STATELESS]
    told = json.loads(subprocess.run(program, cwd=ROOT, capture_output=True, check=True).stdout)
    assert told["bytes"] < MOST_BYTES
    if behaviour == "writes_100_megabytes":
        assert told["ending"] == "could not run"
        assert "ended with exit code 3 before a request of it came to http://" in told["said"]
    else:
        assert told["ending"] == "failed"
        assert told["said"].startswith("tool-add-numbers FAILURE: ")


LARGE = Requirement(id="large", name="Large", level=Level.MUST, text="The client calls the tool.", spec=())


@client_scenario(
    name="large-stream",
    introduced_in="2025-03-26",
    purpose="The client calls a tool whose answer is an event of four megabytes.",
    task="Call the tool, large.",
    decides=(LARGE,),
)
async def large_stream(stage: Stage, checks: Checks) -> None:
    server = await stage.mock(
        Script(tools=[MockTool(name="large", returns="x" * 4 * MEGABYTE)], revisions=stage.revisions, streams=True)
    )
    await stage.client(server.url)
    checks.decide(LARGE, "tools/call" in server.methods, expected="a call", got=list[JsonValue](server.methods))


@pytest.mark.parametrize("behaviour", ["reads_half_a_stream", "reads_half_a_stream_and_hangs"])
def test_one_that_stops_reading_holds_nothing_up(behaviour: str, caplog: pytest.LogCaptureFixture) -> None:
    outcome = run(behaviour, STATEFUL, scenario=large_stream)
    assert outcome.ending is Ending.PASSED, said(outcome)
    assert outcome.client is not None
    assert b"HTTP/1.1 200" in outcome.client.stdout
    assert caplog.text == ""


def test_a_run_beside_a_broken_client_is_not_held_up() -> None:
    async def side_by_side() -> list[Outcome]:
        tools_call = scenarios(Leg.CLIENT)["tools_call"]
        lines = [line("sends_2000_requests"), line("connects_and_hangs"), GOOD]
        return await asyncio.gather(
            *(run_client_scenario(tools_call, STATEFUL, CommandClient(each), timeout=4.0) for each in lines)
        )

    *_, good = asyncio.run(side_by_side())
    assert good.ending is Ending.PASSED, said(good)


# As a user sees it.


@pytest.mark.parametrize("workers", [0, 2])
def test_nothing_raw_reaches_the_terminal(pytester: pytest.Pytester, workers: int) -> None:
    result = pytester.runpytest_subprocess(
        "-p",
        "no:asyncio",
        f"--mcp-client-cmd={line('has_control_characters_everywhere')}",
        "--mcp-scenario=tools_call,initialize",
        "--mcp-results-dir=out",
        "--mcp-html=page.html",
        "--junitxml=junit.xml",
        f"-n{workers}",
        "-v",
    )
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*u001b?31m*ud800*", "  the client ended with exit code 1", "  its stderr:"])
    printed = "\n".join([*result.outlines, *result.errlines])
    assert "INTERNALERROR" not in printed
    assert "harness error" not in printed
    assert all(each.isprintable() for each in printed.split("\n"))
    assert len(list((pytester.path / "out").glob("*/stderr.txt"))) == 2
