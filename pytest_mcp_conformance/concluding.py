"""From a conversation that is over to its outcome: the same on every leg."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Awaitable
from dataclasses import replace

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import Shown, as_object
from pytest_mcp_conformance.model import Check, ClientEnd, Ending, Outcome, Scenario
from pytest_mcp_conformance.protocol.recorder import Origin, Recorder, without_secrets
from pytest_mcp_conformance.verdict import ending_of, inapplicable, unreached


def concluded(
    scenario: Scenario,
    recorder: Recorder,
    checks: Checks,
    *,
    ending: Ending | None,
    reason: str | None,
    started: float,
    client: ClientEnd | None = None,
) -> Outcome:
    """Return the outcome of a run, without what the target may have repeated of its credentials.

    :param ending: how it ended, where that is known without looking at the checks.
    :param started: when it began, by `time.monotonic`.
    """
    if ending is None and (fault := own_fault(recorder)) is not None:
        ending, reason = Ending.HARNESS_ERROR, fault
    if ending is None:
        reason = inapplicable(checks.recorded)
    recorded = tuple(_without_secrets(check, recorder.secrets) for check in checks.recorded)
    return Outcome(
        scenario=scenario.name,
        leg=scenario.leg,
        revision=recorder.revision,
        ending=ending or ending_of(recorded),
        checks=recorded,
        reason=_text_without_secrets(writable(reason), recorder.secrets),
        unreached=unreached(scenario, recorder.revision, recorded),
        transcript=recorder.transcript(),
        seconds=time.monotonic() - started,
        client=client,
    )


def broke_down(checks: Checks, scenario: Scenario, error: Nonconforming, *, obituary: str | None = None) -> None:
    """Charge the implementation with what broke the conversation: the check of the scenario that stands for that.

    :param obituary: how the server died over it.
    """
    came = f"{error.message}: {error.got}" if error.got else error.message
    got = Shown(f"{came}\n{obituary}" if obituary else came)
    checks.fail(scenario.charged, expected=error.expected or "the conversation to go on", got=got)


async def closed(closing: Awaitable[None], within: float, recorder: Recorder) -> None:
    """Wait until `closing` is done, or `within` seconds are over; what goes wrong is kept."""
    try:
        async with asyncio.timeout(within):
            await closing
    except TimeoutError:
        recorder.note("closing took too long and was given up")
    except Exception as error:  # noqa: BLE001 -- whatever it is, it is ours
        recorder.faults.append(error)


def own_fault(recorder: Recorder) -> str | None:
    """Say what went wrong on our side beside the conversation: in background work, or in a message that we made."""
    if recorder.faults:
        return "".join(traceback.format_exception(recorder.faults[0]))
    ours = next((each for each in recorder.violations if each.origin is Origin.HARNESS), None)
    return None if ours is None else f"a message of this harness is not valid: {ours.context}: {'; '.join(ours.errors)}"


def writable(text: str | None) -> str | None:
    """Return a text without lone surrogates, which an exception may hold, and which no file and no worker's report can."""
    return None if text is None else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _without_secrets(check: Check, secrets: tuple[str, ...]) -> Check:
    """Return the check without what the target may have repeated of its credentials."""
    if not secrets:
        return check
    return replace(
        check,
        message=_text_without_secrets(check.message, secrets),
        expected=_text_without_secrets(check.expected, secrets),
        got=_text_without_secrets(check.got, secrets),
        details=as_object(without_secrets(check.details, secrets)) if check.details is not None else None,
    )


def _text_without_secrets(text: str | None, secrets: tuple[str, ...]) -> str | None:
    """Return the text, if there is one, without what the target may have repeated of its credentials."""
    return None if text is None else str(without_secrets(text, secrets))
