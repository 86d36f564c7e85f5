"""A scenario for a client that is no command: an application, a service. Somebody starts it, and tells when it has ended."""

from __future__ import annotations

import asyncio
import shlex
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.model import ClientEnd, Ending, Leg, Outcome, Revision, Scenario
from pytest_mcp_conformance.registry import nearest, scenarios
from pytest_mcp_conformance.reporting.failure_text import status_lines
from pytest_mcp_conformance.reporting.results import write_results
from pytest_mcp_conformance.running_client import run_client_scenario
from pytest_mcp_conformance.selection import Selection, plan
from pytest_mcp_conformance.stage import Call

GOOD = frozenset({Ending.PASSED, Ending.WARNED, Ending.NOT_APPLICABLE})


class Announced:
    """A client that somebody else starts: it is told on the screen what to do, and has ended when `ended` is set."""

    def __init__(self, scenario: Scenario, ended: asyncio.Event, say: Callable[[str], None]) -> None:
        self._scenario = scenario
        self._ended = ended
        self._say = say

    @property
    def description(self) -> str:
        """See `ClientTarget`."""
        return "the client that you start"

    async def run(self, call: Call, *, within: float) -> ClientEnd:  # noqa: ARG002 -- a person has all the time there is
        """See `ClientTarget.run`."""
        started = time.monotonic()
        for line in announcement(self._scenario, call):
            self._say(line)
        await self._ended.wait()
        return ClientEnd(watched=False, seconds=time.monotonic() - started)


def announcement(scenario: Scenario, call: Call) -> list[str]:
    """Return what the person who starts the client has to know."""
    return [
        f"{scenario.name} at {call.revision.value}: {scenario.purpose}",
        f"task: {scenario.task}",
        f"url: {call.url}",
        *(f"export {name}={shlex.quote(value)}" for name, value in call.environment.items()),
        "Let the client run against this URL. Ctrl+C ends the scenario and shows its checks.",
    ]


def chosen(name: str, version: str | None, *, force: bool) -> tuple[Scenario, Revision]:
    """Return the scenario and the revision that it is served at.

    :raises Misuse: there is no such scenario or revision, or they do not go together.
    """
    known = scenarios(Leg.CLIENT)
    if name not in known:
        raise Misuse(
            f"no scenario of the client leg is named {name!r}."
            f" {nearest(name, known) or '`mcp-conformance list --client` shows all of them.'}"
        )
    selection = Selection(scenarios=(name,), revisions=tuple(version.split(",")) if version else (), force=force)
    planned = plan(Leg.CLIENT, known, selection)
    if len(planned) != 1:
        raise Misuse(f"--spec-version {version}: one scenario is served at one revision. Name a single one.")
    return known[name], planned[0].revision


async def serve_scenario(scenario: Scenario, revision: Revision, say: Callable[[str], None]) -> Outcome:
    """Serve a scenario until SIGINT or SIGTERM comes, and return its outcome."""
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    return await run_client_scenario(scenario, revision, Announced(scenario, ended, say), timeout=0)


def serve(
    name: str,
    *,
    version: str | None = None,
    force: bool = False,
    results: str | None = None,
    say: Callable[[str], None] = lambda line: print(line, flush=True),  # noqa: T201 -- a command says what it does
) -> int:
    """Serve one scenario, then show and save its checks. Return the exit code: 0 if nothing failed, else 1.

    :param results: the folder of results; none to save nothing.
    :raises Misuse: see `chosen`, or the folder cannot be written, which is found out before anybody waits.
    """
    scenario, revision = chosen(name, version, force=force)
    if results is not None:
        with _told(results):
            Path(results).mkdir(parents=True, exist_ok=True)
    outcome = asyncio.run(serve_scenario(scenario, revision, say))
    say("")
    for line in status_lines(outcome):
        say(line)
    say(f"{scenario.name}@{revision.value}: {outcome.ending.value}{f', {outcome.reason}' if outcome.reason else ''}")
    if results is not None:
        with _told(results):
            say(f"results: {write_results(Path(results), outcome, several_revisions=False)}")
    return 0 if outcome.ending in GOOD else 1


@contextmanager
def _told(results: str) -> Iterator[None]:
    """Say of what option it is that a folder or file cannot be written."""
    try:
        yield
    except OSError as error:
        raise Misuse(f"--output-dir {results}: {error.strerror or error}. Give a folder that can be made.") from error
