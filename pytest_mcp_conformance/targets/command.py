"""A server that a command starts: given a free port, awaited, watched, and ended with everything that it started."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from pytest_mcp_conformance.exceptions import PeerUnreachable
from pytest_mcp_conformance.targets import guardian, interrupts
from pytest_mcp_conformance.targets.address import PORT, Address, read_template, read_url
from pytest_mcp_conformance.targets.listener_owner import MARKER, Owner, owner_of
from pytest_mcp_conformance.targets.listening import Endpoint, Unresolved, free_port, resolve, why_silent
from pytest_mcp_conformance.targets.output import KeptOutput, tail
from pytest_mcp_conformance.targets.process_groups import (
    BROKEN_OFF_GRACE_SECONDS,
    GRACE_SECONDS,
    end_groups,
    group_lives,
)

URL_TEMPLATE = f"http://127.0.0.1:{PORT}/mcp"
READY_SECONDS = 30.0
CONNECT_SECONDS = 1.0  # for one look whether it listens already
FIRST_LOOK_SECONDS = 0.01
LAST_LOOK_SECONDS = 0.1
LINES_SHOWN = 40  # of the output: a traceback fits
PORTS_TRIED = 2
SHELL_SIGNAL = 128  # a shell reports that a signal ended its child by this number and the signal's


class CommandTarget:
    """The server that `command` starts, a line for the shell. `{port}` in it, and the variable PORT, carry a free port.

    :param url: where the server is then expected, `{port}` in the place of the port.
    :param ready_within: seconds until it listens.
    :param grace: seconds between asking it to end and killing it.
    :param environment: what the command gets instead of this process's own.
    :raises Misuse: `url` is no URL with `{port}`.
    """

    def __init__(
        self,
        command: str,
        *,
        url: str = URL_TEMPLATE,
        ready_within: float = READY_SECONDS,
        grace: float = GRACE_SECONDS,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._command = command
        self._url = read_template(url)
        self._ready_within = ready_within
        self._grace = grace
        self._environment = environment
        self._running: _Running | None = None

    @property
    def description(self) -> str:
        """See `ServerTarget`."""
        return f"the server that {self._command!r} starts"

    def start(self) -> str:
        """Start the command and wait until it listens: see `ServerTarget.start`."""
        self.stop()
        ports = []
        for _ in range(PORTS_TRIED):
            ports.append(free_port())
            try:
                return self._start_on(ports[-1], last_try=len(ports) == PORTS_TRIED)
            except _PortTaken:
                self.stop()
            except BaseException:
                self.stop()
                raise
        raise PeerUnreachable(
            f"{self._command!r}: the ports {' and '.join(map(str, ports))} were free and then taken by another process"
            " before the server took them. Start the run again."
        )

    def stop(self, *, hurried: bool = False) -> None:
        """End the whole process group: see `ServerTarget.stop`."""
        running, self._running = self._running, None
        if running is not None:
            running.end(min(self._grace, BROKEN_OFF_GRACE_SECONDS) if hurried else self._grace)

    def obituary(self) -> str | None:
        """Tell how the command ended meanwhile: see `ServerTarget.obituary`."""
        running = self._running
        if running is None or running.lives:
            return None
        return f"the command {self._command!r} {running.ending}{running.last_words}"

    def _start_on(self, port: int, *, last_try: bool) -> str:
        address = read_url(self._url.replace(PORT, str(port)))
        try:
            endpoints = resolve(address.host, address.port)
        except Unresolved as error:
            raise PeerUnreachable(f"{self._command!r} was not started, because at {address.url} {error}") from error
        with interrupts.held_back():
            self._running = running = _started(self._command.replace(PORT, str(port)), port, self._environment)
        self._await(running, address, endpoints, last_try=last_try)
        return address.url

    def _await(self, running: _Running, address: Address, endpoints: tuple[Endpoint, ...], *, last_try: bool) -> None:
        """Return when the command listens.

        :raises _PortTaken: somebody else listens.
        """
        deadline = time.monotonic() + self._ready_within
        pause = FIRST_LOOK_SECONDS
        while True:
            lives = running.lives
            silent = why_silent(endpoints, within=CONNECT_SECONDS)
            if silent is None:
                owner = owner_of(address.port, mark=running.mark)
                # Twice in a row no stranger takes a port chosen at random. It is a service that works for the command.
                if running.lives and (owner is not Owner.STRANGER or last_try):
                    return
                if owner is not Owner.OURS:
                    raise _PortTaken
            if not lives:
                raise PeerUnreachable(self._ended_early(running, address, listens=silent is None))
            if time.monotonic() >= deadline:
                raise PeerUnreachable(
                    f"{self._command!r} runs, but nothing listened at {address.url} within {self._ready_within:g} s:"
                    f" {silent}. {_port_advice(self._command)}{running.last_words}"
                )
            time.sleep(pause)
            pause = min(2 * pause, LAST_LOOK_SECONDS)

    def _ended_early(self, running: _Running, address: Address, *, listens: bool) -> str:
        what = f"{self._command!r} {running.ending}"
        if listens:
            return (
                f"{what} and left a server behind at {address.url} that cannot be ended with it. Start the server in the"
                f" foreground.{running.last_words}"
            )
        return f"{what} before it listened at {address.url}. {_port_advice(self._command)}{running.last_words}"


class _PortTaken(Exception):
    """Another process listens on the port that was free."""


@dataclass(frozen=True, kw_only=True)
class _Running:
    """A started command. Its process group has the number of its shell."""

    shell: subprocess.Popen[bytes]
    output: KeptOutput
    mark: str

    @property
    def lives(self) -> bool:
        """Whether anything of the command still runs: a shell may end before what it put into the background."""
        return self.shell.poll() is None or group_lives(self.shell.pid)

    @property
    def ending(self) -> str:
        """How the shell ended, as a predicate."""
        code = self.shell.poll()
        if code is None:
            return "still runs"
        number = -code if code < 0 else code - SHELL_SIGNAL
        name = next((each.name for each in signal.Signals if each == number), None)
        if code < 0:
            return f"was ended by {name or f'signal {number}'}"
        return f"ended with exit code {code}" + (f" ({name})" if name else "")

    @property
    def last_words(self) -> str:
        """The end of the output, as a paragraph."""
        if not self.lives:
            self.output.finish()
        text = self.output.text()
        return f"\nIts output:\n{tail(text, lines=LINES_SHOWN)}" if text else "\nIt wrote nothing."

    def end(self, grace: float) -> None:
        try:
            end_groups([self.shell.pid], grace=grace, reap=self.shell.poll)
        finally:
            self.shell.poll()
            self.output.close()
            guardian.forget(self.shell.pid)


def _started(command: str, port: int, environment: Mapping[str, str] | None) -> _Running:
    mark = uuid.uuid4().hex
    reader, writer = os.pipe()
    try:
        shell = subprocess.Popen(  # noqa: S602 -- the line is the user's own, written for a shell
            command,
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=writer,
            stderr=writer,
            env={**(os.environ if environment is None else environment), "PORT": str(port), MARKER: mark},
            start_new_session=True,  # a process group of its own, out of reach of a terminal's Ctrl+C
        )
    except BaseException:
        os.close(reader)
        raise
    finally:
        os.close(writer)
    guardian.watch(shell.pid)
    return _Running(shell=shell, output=KeptOutput(reader), mark=mark)


def _port_advice(command: str) -> str:
    """Tell a user whose command names no port how it would learn one."""
    if PORT in command:
        return ""
    return f"The port was given in the variable PORT only; write {PORT} where the command takes it."
