"""A scenario for a client that is no command: an application, a service. Somebody starts it, and tells when it has ended."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import shlex
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from pytest_mcp_conformance.console_names import in_told_names
from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.json_values import JsonValue, NotJson, as_object, loads, shown
from pytest_mcp_conformance.judging import Rules, judge
from pytest_mcp_conformance.model import ClientEnd, Ending, Leg, Outcome, Revision, Scenario
from pytest_mcp_conformance.registry import nearest, scenarios
from pytest_mcp_conformance.reporting.failure_text import failure_text, harness_error_text, status_lines
from pytest_mcp_conformance.reporting.results import write_results
from pytest_mcp_conformance.running_client import run_client_scenario
from pytest_mcp_conformance.selection import Selection, plan
from pytest_mcp_conformance.serving.hosting import LOCALHOST, listening_sockets
from pytest_mcp_conformance.serving.http import HttpRequest
from pytest_mcp_conformance.serving.venue import Venue
from pytest_mcp_conformance.stage import Call
from pytest_mcp_conformance.verdict import Counting

SHOWN_CHARACTERS = 100  # of a path or a method that is shown as it is
GOOD = frozenset({Ending.PASSED, Ending.WARNED, Ending.NOT_APPLICABLE})


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is to be served, as it was asked for.

    :ivar version: the revision, as it was written.
    :ivar port: of the MCP server; 0 for a free one.
    :ivar results: the folder of results; none to save nothing.
    """

    scenario: str
    version: str | None = None
    force: bool = False
    host: str = LOCALHOST
    port: int = 0
    results: str | None = None

    @property
    def line(self) -> str:
        """The command line that asks for it."""
        words = ["mcp-conformance", "serve", self.scenario]
        words += ["--spec-version", self.version] if self.version else []
        words += ["--force"] if self.force else []
        words += ["--host", self.host] if self.host != LOCALHOST else []
        words += ["--port", str(self.port)] if self.port else []
        words += ["-o", self.results] if self.results else []
        return shlex.join(words)


class Announced:
    """A client that somebody else starts: it is told on the screen what to do, and has ended when `ended` is set.

    :param host: that the servers listen on.
    """

    def __init__(self, scenario: Scenario, host: str, ended: asyncio.Event, say: Callable[[str], None]) -> None:
        self._scenario = scenario
        self._host = host
        self._ended = ended
        self._say = say

    @property
    def description(self) -> str:
        """See `ClientTarget`."""
        return "the client that you start"

    async def run(self, call: Call, *, within: float) -> ClientEnd:  # noqa: ARG002 -- a person has all the time there is
        """See `ClientTarget.run`."""
        started = time.monotonic()
        for line in announcement(self._scenario, call, self._host):
            self._say(line)
        await self._ended.wait()
        return ClientEnd(watched=False, seconds=time.monotonic() - started)


def announcement(scenario: Scenario, call: Call, host: str) -> list[str]:
    """Return what the person who starts the client has to know.

    :param host: that the servers listen on.
    """
    return [
        f"{scenario.name} at {call.revision.value}: {scenario.purpose}",
        f"task: {scenario.task}",
        f"url: {call.url}",
        *(f"export {name}={shlex.quote(value)}" for name, value in call.environment.items()),
        *([] if is_loopback(host) else [f"It listens on {host}: whoever reaches this machine there can talk to it."]),
        "Let the client run against this URL. Ctrl+C ends the scenario and shows its checks.",
    ]


def is_loopback(host: str) -> bool:
    """Tell whether `host` is this machine as only the machine itself knows it."""
    try:
        return host == LOCALHOST or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def request_line(request: HttpRequest, status: int | None) -> str:
    """Return what somebody who watches reads of a request: `POST /mcp tools/call 200`."""
    answer = "no answer" if status is None else str(status)
    return " ".join([request.method, *map(readable, [request.path, *asked_for(request.body)]), answer])


def readable(text: str) -> str:
    """Return what a client sent as any terminal can show it."""
    return text if text.isascii() and text.isprintable() and len(text) <= SHOWN_CHARACTERS else shown(text)


def asked_for(body: bytes) -> list[str]:
    """Return what a body is as JSON-RPC: the method, or that it is a response; nothing where it is neither."""
    try:
        message: JsonValue = loads(body)
    except NotJson:
        return []
    if isinstance(message, list):
        return ["batch"]
    members = as_object(message)
    method = members.get("method")
    if isinstance(method, str):
        return [method]
    return ["response"] if members.keys() & {"result", "error"} else []


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
    if version == "":  # an unset variable must not choose another revision unseen
        raise Misuse(
            "--spec-version is empty. Name a revision, or leave the option out for the one that the scenario implies."
        )
    selection = Selection(scenarios=(name,), revisions=tuple(version.split(",")) if version else (), force=force)
    planned = plan(Leg.CLIENT, known, selection)
    if len(planned) != 1:
        raise Misuse(f"--spec-version {version}: one scenario is served at one revision. Name a single one.")
    return known[name], planned[0].revision


async def serve_scenario(scenario: Scenario, revision: Revision, venue: Venue, say: Callable[[str], None]) -> Outcome:
    """Serve a scenario until SIGINT or SIGTERM comes, and return its outcome."""
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    target = Announced(scenario, venue.host, ended, say)
    return await run_client_scenario(scenario, revision, target, timeout=0, venue=venue)


def serve(asked: Asked, say: Callable[[str], None]) -> int:
    """Serve one scenario, then save and show its checks. Return the exit code: 0 if nothing failed, else 1.

    :param say: takes each line for the person, and does not raise: requests of the client would hear of it.
    :raises Misuse: see `chosen`, or there is no such host or port, or the folder cannot be written. All that is found out
        before anybody waits.
    """
    scenario, revision = chosen(asked.scenario, asked.version, force=asked.force)
    if asked.results == "":
        raise Misuse("--output-dir names no folder. Leave the option out to do without.")
    if asked.results is not None:
        try:
            Path(asked.results).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(asked.results, error) from error
    with ExitStack() as opened:
        venue = Venue(
            host=asked.host,
            reserved=tuple(opened.enter_context(each) for each in reserved(asked.host, asked.port)),
            public=True,
            heard=lambda request, status: say(request_line(request, status)),
        )
        outcome = asyncio.run(serve_scenario(scenario, revision, venue, say))
    saved: Path | OSError | None = None
    if asked.results is not None:  # first of all: what is said may find nobody who reads it
        try:
            saved = write_results(Path(asked.results), outcome, several_revisions=False)
        except OSError as error:
            saved = error
    for line in ("", *ending_lines(outcome, asked.line)):
        say(line)
    if isinstance(saved, OSError):
        raise _unwritable(asked.results, saved) from saved
    if saved is not None:
        say(f"results: {saved}")
    return 0 if outcome.ending in GOOD else 1


def reserved(host: str, port: int) -> tuple[socket.socket, ...]:
    """Return listening sockets for the MCP server.

    :raises Misuse: there are none to have.
    """
    if not host:  # would be all addresses, and nobody asked for that
        raise Misuse("--host is empty. Give an address of this machine, or leave the option out.")
    try:
        return listening_sockets(host, port)
    except (OSError, UnicodeError) as error:
        number = error.errno if isinstance(error, OSError) else None
        if port and number in (errno.EADDRINUSE, errno.EACCES):
            why = "is taken" if number == errno.EADDRINUSE else "may not be taken by this user"
            raise Misuse(
                f"--port {port} {why} on {host}. Choose another, or leave the option out for a free one."
            ) from error
        told = (error.strerror or str(error)).partition(" (")[0] if isinstance(error, OSError) else "no name of a host"
        raise Misuse(f"--host {host}: {told}. Give an address of this machine, or 0.0.0.0 for all of them.") from error


def ending_lines(outcome: Outcome, again: str) -> Iterator[str]:
    """Give every check, then what failed with its causes, then how the scenario ended.

    :param again: the command line that serves it again.
    """
    yield from status_lines(outcome)
    told = f", {outcome.reason}" if outcome.reason else ""
    if outcome.ending is Ending.HARNESS_ERROR:
        yield harness_error_text(outcome)
        told = ""
    elif outcome.ending is Ending.FAILED:
        text = failure_text(outcome, judge(outcome, Rules()), again=again, counting=Counting())
        yield "\n".join(map(in_told_names, text.split("\n")))
    yield f"{outcome.scenario}@{outcome.revision.value}: {outcome.ending.value}{told}"


def _unwritable(results: str | None, error: OSError) -> Misuse:
    """Return what to raise where a folder or file of the results cannot be written."""
    return Misuse(f"--output-dir {results}: {error.strerror or error}. Give a folder that can be made.")
