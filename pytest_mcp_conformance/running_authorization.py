"""Runs one scenario at one revision against an authorization server, and says how it ended and whose fault that was."""

from __future__ import annotations

import asyncio
import time
import traceback
from dataclasses import dataclass

from pytest_mcp_conformance.authorization import AuthorizationPeer, AuthorizationSettings, Consent
from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.concluding import broke_down, closed, concluded
from pytest_mcp_conformance.exceptions import Nonconforming, PeerUnreachable
from pytest_mcp_conformance.json_values import Shown
from pytest_mcp_conformance.model import Ending, Outcome, Revision, Scenario
from pytest_mcp_conformance.protocol.http import Http
from pytest_mcp_conformance.protocol.recorder import Recorder
from pytest_mcp_conformance.running import HTTP_CLOSING_SECONDS, SCENARIO_TIMEOUT


@dataclass(frozen=True, kw_only=True)
class AuthorizationServerUnderTest:
    """What is known of the authorization server, and who the user is."""

    settings: AuthorizationSettings
    consent: Consent


async def run_authorization_scenario(
    scenario: Scenario,
    revision: Revision,
    target: AuthorizationServerUnderTest,
    *,
    timeout: float,  # noqa: ASYNC109 -- closing has a bound of its own
) -> Outcome:
    """Run `scenario` and return its outcome. Nothing that the server or the user does raises.

    :param timeout: seconds for the metadata, and again for the token request; between them the user has the time of the
        consent.
    """
    started = time.monotonic()
    recorder = Recorder(revision=revision)
    checks = Checks(entry=lambda: recorder.last)
    http = Http(recorder)
    ending: Ending | None = None
    reason: str | None = None
    try:
        async with asyncio.timeout(timeout) as bound:
            clock = asyncio.get_running_loop().time
            peer = AuthorizationPeer(
                http,
                target.settings,
                target.consent,
                revision,
                within=timeout,
                extend=lambda seconds: bound.reschedule(clock() + seconds + timeout),
            )
            await scenario.body(peer, checks)
    except TimeoutError:
        if bound.expired():
            checks.recorded.clear()
            checks.fail(SCENARIO_TIMEOUT, expected=f"the end within {timeout:g} s", got=Shown("no end"))
        else:
            ending, reason = Ending.HARNESS_ERROR, traceback.format_exc()
    except Nonconforming as error:
        broke_down(checks, scenario, error)
    except PeerUnreachable as error:
        ending, reason = Ending.COULD_NOT_RUN, str(error)
    except (Exception, SystemExit):  # noqa: BLE001 -- whatever it is, it is ours, and the report must say so
        ending, reason = Ending.HARNESS_ERROR, traceback.format_exc()
    finally:
        await closed(http.close(), HTTP_CLOSING_SECONDS, recorder)
    return concluded(scenario, recorder, checks, ending=ending, reason=reason, started=started)
