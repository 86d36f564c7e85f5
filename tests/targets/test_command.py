"""A server that a command starts."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pytest_mcp_conformance.exceptions import Misuse, PeerUnreachable
from pytest_mcp_conformance.targets import command as module
from pytest_mcp_conformance.targets.command import CommandTarget
from pytest_mcp_conformance.targets.listener_owner import Owner, owner_of
from pytest_mcp_conformance.targets.listening import Endpoint, free_port, why_silent
from tests.targets.processes import command, members, number_in, until

GRACE = 0.3

Targets = Callable[..., CommandTarget]


@pytest.fixture
def target() -> Iterator[Targets]:
    """Makes targets, and ends them after the test."""
    made: list[CommandTarget] = []

    def make(
        line: str, *, url: str = module.URL_TEMPLATE, ready_within: float = 20.0, grace: float = GRACE
    ) -> CommandTarget:
        made.append(CommandTarget(line, url=url, ready_within=ready_within, grace=grace))
        return made[-1]

    yield make
    for each in made:
        each.stop()


@pytest.fixture
def group_file(tmp_path: Path) -> Path:
    return tmp_path / "group"


def port_of(url: str) -> int:
    port = urlsplit(url).port
    assert port is not None
    return port


def refused(port: int) -> bool:
    with socket.socket() as sock:
        return sock.connect_ex(("127.0.0.1", port)) != 0


def test_a_command_gets_a_port_and_is_ready_when_it_listens(target: Targets, group_file: Path) -> None:
    server = target(command("--group-file", group_file))
    url = server.start()
    assert url == f"http://127.0.0.1:{port_of(url)}/mcp"
    assert not refused(port_of(url))
    assert server.obituary() is None
    group = number_in(group_file)
    assert members(group)
    server.stop()
    assert members(group) == []
    assert refused(port_of(url))
    server.stop()
    assert server.obituary() is None


def test_the_port_is_in_the_environment_and_in_the_url_as_the_user_wrote_it(target: Targets) -> None:
    server = target(command(port='"$PORT"'), url="http://localhost:{port}/api/{port}")
    url = server.start()
    port = port_of(url)
    assert url == f"http://localhost:{port}/api/{port}"
    assert not refused(port)


def test_braces_of_a_shell_or_of_json_stay_as_they_are(target: Targets, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    line = f"""X='{{"a": {{}}}}'; echo "$X ${{X}}" > {shlex.quote(str(seen))}; exec {command()}"""
    target(line).start()
    assert seen.read_text() == '{"a": {}} {"a": {}}\n'


def test_a_target_may_be_started_again(target: Targets, group_file: Path) -> None:
    server = target(command("--group-file", group_file))
    server.start()
    first = number_in(group_file)
    group_file.unlink()
    server.start()
    assert members(first) == []
    assert members(number_in(group_file))


@pytest.mark.parametrize("url", ["http://127.0.0.1:3000/mcp", "nonsense"])
def test_a_url_without_the_port_is_refused(url: str) -> None:
    with pytest.raises(Misuse):
        CommandTarget("true", url=url)


# The command ends before it listens.


def test_exit_code_and_output_are_told_at_once(target: Targets) -> None:
    server = target(command("--exit", 3, "--exit-after", "no such file: config.toml"))
    started = time.monotonic()
    with pytest.raises(PeerUnreachable) as raised:
        server.start()
    assert time.monotonic() - started < 10
    message = str(raised.value)
    assert "server_program.py" in message
    assert "ended with exit code 3 before it listened at http://127.0.0.1:" in message
    assert message.endswith("\nIts output:\nno such file: config.toml")


def test_silence_is_told_too(target: Targets) -> None:
    with pytest.raises(PeerUnreachable, match=r"ended with exit code 0 before .*\nIt wrote nothing\.$"):
        target("exit 0 # {port}").start()


def test_a_command_that_never_takes_the_port_is_told_how(target: Targets) -> None:
    with pytest.raises(PeerUnreachable, match=r"given in the variable PORT only; write \{port\} where the command"):
        target("exit 1").start()


def test_a_command_that_does_not_exist_is_named_by_the_shell(target: Targets) -> None:
    with pytest.raises(PeerUnreachable, match=r"exit code 127 (?s:.*)no-such-program-here"):
        target("no-such-program-here --port {port}").start()


def test_a_signal_is_named(target: Targets) -> None:
    with pytest.raises(PeerUnreachable, match="was ended by SIGSEGV before it listened"):
        target(f"exec {command('--die-of', int(signal.SIGSEGV))}").start()


def test_a_signal_that_a_shell_reports_is_named(target: Targets) -> None:
    with pytest.raises(PeerUnreachable, match=r"ended with exit code 137 \(SIGKILL\) before it listened"):
        target(f"{command('--die-of', int(signal.SIGKILL))}; exit $?").start()


def test_the_output_is_shown_without_control_characters_and_without_end(target: Targets) -> None:
    with pytest.raises(PeerUnreachable) as raised:
        target(command("--write", 200_000, "--exit", 1, "--exit-after", "\x1b[31mlast\x07")).start()
    message = str(raised.value)
    assert message.endswith(r"last\x07")
    assert "lines before ..." in message
    assert len(message) < 10_000
    assert message.replace("\n", "").isprintable()


# The command runs and does not listen.


def test_it_is_given_up_and_ended(target: Targets, group_file: Path) -> None:
    server = target(command("--never-listen", "--exit-after", "hm", "--group-file", group_file), ready_within=0.5)
    with pytest.raises(PeerUnreachable) as raised:
        server.start()
    message = str(raised.value)
    assert "runs, but nothing listened at http://127.0.0.1:" in message
    assert "within 0.5 s: 127.0.0.1: Connection refused." in message
    assert message.endswith("\nIts output:\nhm")
    assert members(number_in(group_file)) == []


# The server was ready and is gone.


def test_the_obituary_tells_how_and_shows_the_output(target: Targets, group_file: Path) -> None:
    server = target(f"exec {command('--group-file', group_file, '--exit-after', 'serving')}")
    server.start()
    assert server.obituary() is None
    os.kill(number_in(group_file), signal.SIGKILL)
    until(server.obituary)
    obituary = server.obituary()
    assert obituary is not None
    assert obituary.startswith(f"the command 'exec {sys.executable} ")
    assert obituary.endswith("was ended by SIGKILL\nIts output:\nserving")
    server.stop()


# Whatever the command started is ended with it.


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(command("--children", 3), id="children"),
        pytest.param(command("--daemon"), id="daemon in the group"),
        pytest.param(f"{command()} & wait", id="background of the shell"),
        pytest.param(f"{command()} &", id="background, and the shell ends"),
        pytest.param(f"cd / && {command()} | cat", id="pipeline"),
    ],
)
@pytest.mark.parametrize("manners", ["", "--ignore-sigterm"])
def test_nothing_is_left(target: Targets, group_file: Path, line: str, manners: str) -> None:
    options = f"--group-file {shlex.quote(str(group_file))} {manners}"
    server = target(line.replace("{port}", "{port} " + options))
    url = server.start()
    assert server.obituary() is None
    group = number_in(group_file)
    assert members(group)
    server.stop()
    assert members(group) == []
    assert refused(port_of(url))


def test_a_polite_server_is_not_waited_for(target: Targets) -> None:
    server = target(command(), grace=60)
    server.start()
    started = time.monotonic()
    server.stop()
    assert time.monotonic() - started < 5


def test_an_impolite_one_gets_its_grace(target: Targets) -> None:
    server = target(command("--ignore-sigterm"), grace=0.5)
    server.start()
    started = time.monotonic()
    server.stop()
    assert 0.5 <= time.monotonic() - started < 5


def test_ctrl_c_while_stopping_kills_at_once(target: Targets, group_file: Path) -> None:
    server = target(command("--ignore-sigterm", "--group-file", group_file), grace=60)
    server.start()
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            server.stop()
    finally:
        signal.signal(signal.SIGALRM, before)
    until(lambda: members(number_in(group_file)) == [], within=5)


def test_one_that_leaves_its_group_is_refused_and_named(
    target: Targets, group_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(endpoints: tuple[Endpoint, ...], *, within: float) -> str | None:
        until(lambda: not members(number_in(group_file)) and why_silent(endpoints, within=within) is None)
        return None

    monkeypatch.setattr(module, "why_silent", look)
    try:
        with pytest.raises(PeerUnreachable, match=r"left a server behind at .* Start the server in the foreground"):
            target(command("--daemon", "--leave-group", "--group-file", group_file)).start()
    finally:
        end_by_command_line(str(group_file))


def end_by_command_line(part: str) -> None:
    """End the processes that have `part`, a path of this test alone, in their command line."""
    lines = subprocess.run(["ps", "-A", "-ww", "-o", "pid=,args="], capture_output=True, text=True, check=True).stdout
    for line in lines.splitlines():
        pid, _, arguments = line.strip().partition(" ")
        if part in arguments:
            os.kill(int(pid), signal.SIGKILL)


# A server that talks.


def test_a_hundred_megabytes_neither_block_nor_stay(target: Targets) -> None:
    server = target(command("--write", 100_000_000), ready_within=60)
    before = resident_bytes()
    server.start()
    assert resident_bytes() - before < 20_000_000
    assert server.obituary() is None


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


# Between choosing the port and listening, somebody else came.


@pytest.fixture
def stranger() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        yield sock.getsockname()[1]


def test_another_port_is_tried_when_the_server_gives_up(
    target: Targets, stranger: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = free_port()
    monkeypatch.setattr(module, "free_port", iter([stranger, other]).__next__)
    assert port_of(target(command()).start()) == other


def test_a_stranger_is_not_taken_for_the_server(
    target: Targets, stranger: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = free_port()
    monkeypatch.setattr(module, "free_port", iter([stranger, other]).__next__)
    slow = f"test {{port}} = {stranger} && exec sleep 60; exec {command()}"
    assert port_of(target(slow).start()) == other


def test_twice_is_an_error(target: Targets, stranger: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "free_port", lambda: stranger)
    with pytest.raises(PeerUnreachable, match=f"the ports {stranger} and {stranger} were free and then taken by"):
        target("exit 1 # {port}").start()


def test_whose_the_listener_is_can_be_told(stranger: int) -> None:
    assert owner_of(stranger, mark="of somebody else") is Owner.STRANGER
    assert owner_of(free_port(), mark="of nobody") is Owner.UNKNOWN
