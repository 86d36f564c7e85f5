"""Runs one scenario at one revision against a server, and says how it ended and whose fault that was."""

from __future__ import annotations

import asyncio
import base64
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.concluding import broke_down, closed, concluded
from pytest_mcp_conformance.exceptions import Nonconforming, PeerUnreachable
from pytest_mcp_conformance.json_values import Shown, shown
from pytest_mcp_conformance.model import Ending, Level, Outcome, Requirement, Revision, Scenario
from pytest_mcp_conformance.protocol.recorder import SECRET_CHARACTERS, Recorder
from pytest_mcp_conformance.protocol.spellings import spellings
from pytest_mcp_conformance.wire_checks import decide_wire

DYING_SECONDS = 1.0  # for a process that was killed to be gone, where nothing answers any more
CLOSING_SECONDS = 6.0  # for ending sessions and streams after the scenario; a little more than one DELETE may take
HTTP_CLOSING_SECONDS = 2.0  # for the connections after that
SCENARIO_TIMEOUT = Requirement(
    id="scenario-timeout",
    name="Scenario completes within the timeout",
    level=Level.MUST,
    text="The scenario comes to its end within the timeout.",
    spec=(),
    exceptional=True,
)


@dataclass(frozen=True, kw_only=True)
class ServerUnderTest:
    """Where the server is and what each request to it carries.

    :ivar headers: credentials and the like; they reach the server and no output.
    :ivar obituary: tells what became of a server that does not answer any more; none where nobody knows.
    :ivar may_die: it is a process of ours, whose end is worth waiting for when nothing answers.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    obituary: Callable[[], str | None] = lambda: None
    may_die: bool = False


async def run_server_scenario(
    scenario: Scenario,
    revision: Revision,
    server: ServerUnderTest,
    *,
    timeout: float,  # noqa: ASYNC109 -- closing has a bound of its own
) -> Outcome:
    """Run `scenario` and return its outcome. Nothing that the server does raises.

    :param timeout: seconds for the conversation; closing comes on top, bounded by `CLOSING_SECONDS` and `HTTP_CLOSING_SECONDS`.
    """
    from pytest_mcp_conformance.peer import open_peer  # loads the HTTP client, which the client leg does without
    from pytest_mcp_conformance.protocol.http import Http

    started = time.monotonic()
    recorder = Recorder(revision=revision, secrets=secrets_of(server.headers))
    checks = Checks(entry=lambda: recorder.last)
    http = Http(recorder, headers=server.headers)
    peer = open_peer(http, server.url, revision)
    ending: Ending | None = None
    reason: str | None = None
    try:
        async with asyncio.timeout(timeout) as bound:
            await scenario.body(peer, checks)
    except TimeoutError:
        if bound.expired():
            checks.recorded.clear()
            checks.fail(SCENARIO_TIMEOUT, expected=f"the end within {timeout:g} s", got=_last_step(recorder))
        else:
            ending, reason = Ending.HARNESS_ERROR, traceback.format_exc()
    except Nonconforming as error:
        broke_down(checks, scenario, error, obituary=await _last_words(server, within=0))
    except PeerUnreachable as error:
        died = await _last_words(server, within=DYING_SECONDS)
        ending, reason = Ending.COULD_NOT_RUN, "\n".join(filter(None, [str(error), died]))
    except (Exception, SystemExit):  # noqa: BLE001 -- whatever it is, it is ours, and the report must say so
        ending, reason = Ending.HARNESS_ERROR, traceback.format_exc()
    finally:
        await closed(peer.close(), CLOSING_SECONDS, recorder)
        await closed(http.close(), HTTP_CLOSING_SECONDS, recorder)
    if ending is None:
        decide_wire(recorder, revision, checks)
    return concluded(scenario, recorder, checks, ending=ending, reason=reason, started=started)


def secrets_of(headers: Mapping[str, str]) -> tuple[str, ...]:
    """Return what must not be repeated anywhere: header values, and the credentials in them in every spelling."""
    parts = {part for name, value in headers.items() for part in _credentials(name, value)}
    found = {value for value in headers.values() if len(value) >= SECRET_CHARACTERS}
    found |= {spelled for part in parts if len(part) >= SECRET_CHARACTERS for spelled in spellings(part)}
    return tuple(sorted(found, key=len, reverse=True))


def _credentials(name: str, value: str) -> Iterator[str]:
    """Give what stands behind the scheme in a header field, the password in that, and the values of cookies."""
    scheme, _, credentials = value.strip().rpartition(" ")
    yield credentials
    if scheme.lower() == "basic":
        pair = _base64_text(credentials)
        yield pair
        yield pair.partition(":")[2]
    if name.lower() == "cookie":
        yield from (cookie.partition("=")[2].strip() for cookie in value.split(";"))


def _base64_text(encoded: str) -> str:
    try:
        return base64.b64decode(encoded + "=" * (-len(encoded) % 4)).decode(errors="replace")
    except ValueError:
        return ""


async def _last_words(server: ServerUnderTest, *, within: float) -> str | None:
    """Ask what became of the server; one that was killed takes a moment until it is gone.

    :param within: seconds to wait for that.
    """
    until = time.monotonic() + within
    told = await asyncio.to_thread(server.obituary)
    while told is None and server.may_die and time.monotonic() < until:
        await asyncio.sleep(0.02)
        told = await asyncio.to_thread(server.obituary)
    return told


def _last_step(recorder: Recorder) -> Shown:
    """Name the request that was last sent, for the reader of a timeout."""
    sent = [entry for entry in recorder.entries if entry["kind"] == "request"]
    if not sent:
        return Shown("no request sent yet")
    body = sent[-1]["body"]
    method = body.get("method") if isinstance(body, dict) else None
    what = f"{sent[-1]['method']} {shown(method)}" if method else str(sent[-1]["method"])
    return Shown(f"no end after {what}, sent at {sent[-1]['ms']} ms")
