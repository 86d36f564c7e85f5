"""Runs one scenario at one revision with a client under test, and says how it ended and whose fault that was."""

from __future__ import annotations

import time
import traceback

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.concluding import broke_down, closed, concluded
from pytest_mcp_conformance.exceptions import Nonconforming, PeerUnreachable
from pytest_mcp_conformance.json_values import Shown
from pytest_mcp_conformance.model import Ending, Level, Outcome, Requirement, Revision, Scenario, Status
from pytest_mcp_conformance.protocol.recorder import Origin, Recorder
from pytest_mcp_conformance.serving.venue import LOCAL, Venue
from pytest_mcp_conformance.stage import ClientTarget, Stage
from pytest_mcp_conformance.verdict import CLIENT_EXIT
from pytest_mcp_conformance.wire_checks import decide_wire

CLOSING_SECONDS = 6.0  # for the servers to stop; a little more than each may take
CLIENT_ENDS = Requirement(
    id=CLIENT_EXIT,
    name="ClientEndsByItself",
    level=Level.MUST,
    text="The client comes to its end within the timeout, with exit code 0 unless the scenario lets it refuse something.",
    spec=(),
    addition=True,
)


async def run_client_scenario(
    scenario: Scenario,
    revision: Revision,
    target: ClientTarget,
    *,
    timeout: float,  # noqa: ASYNC109 -- the client's; setting up and closing have bounds of their own
    venue: Venue = LOCAL,
) -> Outcome:
    """Run `scenario` and return its outcome. Nothing that the client does raises.

    :param timeout: seconds that the client gets.
    :param venue: where its servers listen.
    """
    started = time.monotonic()
    recorder = Recorder(revision=revision, requester=Origin.IMPLEMENTATION)
    checks = Checks()  # most decisions fall when the client has ended: those that have an entry name it
    stage = Stage(
        scenario=scenario.name, revision=revision, target=target, recorder=recorder, timeout=timeout, venue=venue
    )
    ending: Ending | None = None
    reason: str | None = None
    try:
        await scenario.body(stage, checks)
    except Nonconforming as error:
        broke_down(checks, scenario, error)
    except PeerUnreachable as error:
        ending, reason = Ending.COULD_NOT_RUN, str(error)
    except (Exception, SystemExit):  # noqa: BLE001 -- whatever it is, it is ours, and the report must say so
        ending, reason = Ending.HARNESS_ERROR, traceback.format_exc()
    finally:
        await closed(stage.close(), CLOSING_SECONDS, recorder)
    if ending is None:
        recorder.faults.extend(error for mock in stage.mocks for error in mock.script_errors)
        decide_wire(recorder, revision, checks)
        _decide_of_client(scenario, stage, checks)
    client = stage.end if stage.end is not None and stage.end.watched else None
    return concluded(scenario, recorder, checks, ending=ending, reason=reason, started=started, client=client)


def _decide_of_client(scenario: Scenario, stage: Stage, checks: Checks) -> None:
    """Decide what holds for every scenario: the client did something, and came to its end."""
    end = stage.end
    if end is None:
        return
    # Silence is no pass, also where all that a scenario asks is that something is left undone.
    if not stage.connected and not any(check.status is Status.FAILURE for check in checks.recorded):
        checks.fail(
            scenario.charged, expected="a client that connects", got=Shown(f"no request; the client {end.told}")
        )
    if not end.watched:
        return
    good = not end.timed_out and (end.exit_code == 0 or scenario.allows_client_error)
    checks.decide(CLIENT_ENDS, good, expected="an end by itself, with exit code 0", got=Shown(f"the client {end.told}"))
