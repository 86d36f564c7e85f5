"""A client that a command starts."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import shlex
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pytest_mcp_conformance.exceptions import PeerUnreachable
from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import ClientEnd, Ending, Leg, Outcome, Revision
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running_client import run_client_scenario
from pytest_mcp_conformance.stage import CONTEXT, Call
from pytest_mcp_conformance.targets import guardian
from pytest_mcp_conformance.targets.client_command import CommandClient
from pytest_mcp_conformance.targets.drained import FIRST_BYTES, LAST_BYTES
from tests.hostile.runs import open_files
from tests.targets.processes import PATIENCE_SECONDS, members, number_in, until

GRACE = 0.2
URL = "http://localhost:7/mcp"
REVISION = Revision.V2025_11_25
MEGABYTE = 1_000_000
POOL_THREADS = min(32, (os.cpu_count() or 1) + 4)  # of an event loop: see concurrent.futures.ThreadPoolExecutor


def call(url: str = URL, context: JsonObject | None = None) -> Call:
    return Call(url=url, scenario="tools_call", revision=REVISION, context=context)


async def running(
    line: str,
    told: Call | None = None,
    *,
    within: float = PATIENCE_SECONDS,
    grace: float = GRACE,
    environment: Mapping[str, str] | None = None,
) -> ClientEnd:
    """Run a client once.

    :raises AssertionError: it left a task behind.
    """
    end = await CommandClient(line, grace=grace, environment=environment).run(told or call(), within=within)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    return end


@pytest.fixture
def group_file(tmp_path: Path) -> Path:
    return tmp_path / "group"


def noted(group_file: Path, line: str) -> str:
    """Return a line that notes its process group before it does what `line` says."""
    return f"echo $$ > {shlex.quote(str(group_file))}; {line}"


# What it is told.


async def test_the_scenario_and_the_revision_are_in_the_environment() -> None:
    told = await variables()
    assert told["MCP_CONFORMANCE_SCENARIO"] == "tools_call"
    assert told["MCP_CONFORMANCE_PROTOCOL_VERSION"] == "2025-11-25"


async def test_the_rest_of_the_environment_is_that_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GREETING", "grüezi\n")
    assert (await variables())["GREETING"] == "grüezi\n"


async def test_a_context_of_another_run_is_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CONTEXT, '{"name": "another"}')
    assert CONTEXT not in await variables()
    assert CONTEXT not in await variables(environment={**os.environ, CONTEXT: "{}"})


async def test_the_context_is_ascii_json_that_names_the_scenario() -> None:
    told = await variables(context={"client_id": "Zoë's $HOME `id`\n"})
    assert json.loads(told[CONTEXT]) == {"name": "tools_call", "client_id": "Zoë's $HOME `id`\n"}
    assert told[CONTEXT].isascii()


async def variables(
    *, context: JsonObject | None = None, environment: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the environment of a client."""
    end = await running("env -0; :", call(context=context), environment=environment)
    return dict(entry.split("=", 1) for entry in end.stdout.decode().split("\0") if entry)


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("echo", URL),
        ("echo 'two  words' \"and $NAME\"", f"two  words and A  B {URL}"),
        ("echo $NAME", f"A B {URL}"),
        ("true && echo", URL),
        ("false || echo", URL),
        ("cd / && pwd && echo", f"/\n{URL}"),
        ("echo first; echo", f"first\n{URL}"),
        ("echo first | xargs echo", f"{URL} first"),
        ("GREETING=hi NAME=D sh -c 'echo $GREETING $NAME $1' sh", f"hi D {URL}"),
        ('sh -c \'exec echo "$0" and "$@"\' one', f"one and {URL}"),
        ("echo '| true; echo'", f"| true; echo {URL}"),
    ],
)
async def test_the_url_is_the_last_argument_of_the_last_command(line: str, written: str) -> None:
    end = await running(line, environment={**os.environ, "NAME": "A  B"})
    assert (end.exit_code, end.stderr) == (0, b"")
    assert end.stdout.decode() == f"{written}\n"


async def test_a_url_stays_one_argument_whatever_is_in_it() -> None:
    url = "http://localhost:7/a?b=c&d=$HOME;e='f'"
    assert (await running("printf '%s|'", call(url))).stdout.decode() == f"{url}|"


async def test_standard_input_is_at_its_end() -> None:
    end = await running("cat; echo read to the end #")
    assert end.stdout == b"read to the end\n"


# How it ended.


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("exit 0 #", "ended with exit code 0"),
        ("exit 3 #", "ended with exit code 3"),
        ("exit 128 #", "ended with exit code 128"),
        ("kill -SEGV $$ #", "was ended by SIGSEGV"),
        ("kill -KILL $$; sleep 60 #", "was ended by SIGKILL"),
        ("sh -c 'kill -KILL $$'; exit $? #", "ended with exit code 137 (SIGKILL)"),
    ],
)
async def test_its_end_is_told(line: str, told: str) -> None:
    end = await running(line)
    assert end.told == told
    assert not end.timed_out
    assert (end.exit_code is None) == (end.signal is not None and told.startswith("was"))


async def test_one_that_is_too_slow_is_ended_and_what_it_wrote_is_there(group_file: Path) -> None:
    end = await running(noted(group_file, "echo begun; sleep 600 #"), within=0.2)
    assert end.timed_out
    assert (end.exit_code, end.signal) == (None, None)
    assert re.fullmatch(r"still ran after \d\.\d s and was ended", end.told)
    assert end.stdout == b"begun\n"
    assert members(number_in(group_file)) == []


async def test_one_that_closes_its_output_runs_on() -> None:
    end = await running("echo said; exec >&- 2>&-; sleep 0.1; exit 3 #")
    assert (end.exit_code, end.stdout) == (3, b"said\n")
    assert end.seconds >= 0.1


# What it writes.


async def test_its_output_is_kept_byte_for_byte() -> None:
    end = await running(r"printf '\377\000\033[31m'; printf '\r\n\200' >&2; :")
    assert (end.stdout, end.stderr) == (b"\xff\0\x1b[31m", b"\r\n\x80")


async def test_a_hundred_megabytes_neither_block_nor_stay() -> None:
    before = resident_bytes()
    end = await running(f"echo first; head -c {100 * MEGABYTE} /dev/zero; echo; echo last #")
    assert resident_bytes() - before < 20 * MEGABYTE
    assert end.exit_code == 0
    assert end.stdout.startswith(b"first\n")
    assert end.stdout.endswith(b"\0\nlast\n")
    assert f"\n... {100 * MEGABYTE + 12 - FIRST_BYTES - LAST_BYTES} bytes left out ...\n".encode() in end.stdout
    assert len(end.stdout) < FIRST_BYTES + LAST_BYTES + 100


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


# Whatever it started is ended with it.

LEAVES = {
    "a child that lives on": "sleep 600 & exit 0 #",
    "children and grandchildren": "(sleep 600 & sleep 600) & sh -c 'sleep 600 & exit' #",
    "a child with the output closed": "sleep 600 > /dev/null 2>&1 & exit 0 #",
    "a pipeline": "sleep 600 | sleep 600 | exit 0 #",
    "itself": "sleep 600 #",
    "itself, and ignores SIGTERM": "trap '' TERM; sleep 600 & sleep 600; sleep 600 #",
    "itself, stopped": "kill -STOP $$ #",
}


@pytest.mark.parametrize("line", LEAVES.values(), ids=LEAVES)
async def test_nothing_is_left(group_file: Path, line: str) -> None:
    started = time.monotonic()
    await running(noted(group_file, line), within=0.3)
    assert members(number_in(group_file)) == []
    assert time.monotonic() - started < 5


@pytest.fixture
def stray(tmp_path: Path, group_file: Path) -> Callable[[str], str]:
    """Return a function that gives the line of a client with a child in a session of its own, which lives on."""
    script = tmp_path / "stray.sh"
    script.write_text("trap '' TERM; echo $$ > \"$1\"; sleep 600; sleep 600\n")

    def leaving(redirection: str) -> str:
        file = shlex.quote(str(group_file))
        child = f"setsid sh {shlex.quote(str(script))} {file} {redirection} &"
        return f"{child} until test -s {file}; do sleep 0.02; done; echo said; exit 3 #"

    return leaving


HOLDING = pytest.mark.parametrize("redirection", ["", "> /dev/null 2>&1"], ids=["holds the output", "holds nothing"])


@HOLDING
async def test_a_child_that_left_the_group_is_found(
    stray: Callable[[str], str], group_file: Path, redirection: str
) -> None:
    """Also one that nothing of the run waits for: it would be there in the next run."""
    end = await running(stray(redirection))
    assert (end.exit_code, end.stdout) == (3, b"said\n")
    assert members(number_in(group_file)) == []


async def test_what_a_stray_leaves_when_it_ends_is_found_too(tmp_path: Path, group_file: Path) -> None:
    leaving = tmp_path / "leaving.sh"
    leaving.write_text(
        'leave() { setsid sh -c \'echo $$ > "$0"; exec sleep 600\' "$1" & until test -s "$1"; do sleep 0.02; done; exit; }\n'
        "trap 'leave \"$2\"' TERM\n"
        ': > "$1"\n'
        "sleep 600 & wait\n"
    )
    begun = tmp_path / "begun"
    await running(
        f"setsid sh {leaving} {begun} {group_file} & until test -e {begun}; do sleep 0.02; done; exit 0 #", grace=2
    )
    assert members(await asyncio.to_thread(number_in, group_file)) == []


@HOLDING
async def test_when_its_run_is_broken_off_a_child_that_left_the_group_is_found(
    stray: Callable[[str], str], group_file: Path, redirection: str
) -> None:
    line = stray(redirection).replace("exit 3 #", "sleep 600 #")
    task = asyncio.ensure_future(running(line))
    group = await asyncio.to_thread(number_in, group_file)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert members(group) == []


async def test_a_polite_one_may_take_its_time(group_file: Path, tmp_path: Path) -> None:
    line = f"trap 'sleep 0.3; echo bye > {tmp_path}/bye; exit' TERM; sleep 600 & wait #"
    await running(noted(group_file, line), within=0.2, grace=PATIENCE_SECONDS)
    assert (tmp_path / "bye").read_text() == "bye\n"


async def test_one_that_ends_by_itself_is_not_waited_for() -> None:
    started = time.monotonic()
    await running("exit 0 #", grace=60)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("cancellations", [1, 2])
async def test_when_its_run_is_broken_off_nothing_is_left(group_file: Path, cancellations: int) -> None:
    """A run that is broken off twice does not wait for one that ignores SIGTERM; it is ended all the same."""
    await running(":")  # the guardian is there
    files = open_files()
    task = asyncio.ensure_future(running(noted(group_file, LEAVES["itself, and ignores SIGTERM"]), grace=60))
    group = await asyncio.to_thread(number_in, group_file)
    for _ in range(cancellations):
        task.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(until, lambda: members(group) == [], within=5)
    # The thread that ends the group may still be reading which processes there are.
    await asyncio.to_thread(until, lambda: open_files() == files, within=5)
    assert (group in guardian._watched) == (cancellations == 2)
    guardian.forget(group)


async def test_one_that_cannot_be_guarded_is_not_left_either(group_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def watch(_pgid: int) -> None:
        number_in(group_file)
        raise OSError("no processes left")

    monkeypatch.setattr(guardian, "watch", watch)
    with pytest.raises(OSError, match="no processes left"):
        await running(noted(group_file, "sleep 600 #"))
    assert members(number_in(group_file)) == []


async def test_more_may_hang_at_once_than_the_loop_has_threads(tmp_path: Path) -> None:
    files = [tmp_path / str(number) for number in range(POOL_THREADS + 2)]
    clients = [CommandClient(noted(file, "sleep 600 #")) for file in files]
    hanging = asyncio.gather(*(client.run(call(), within=0.5) for client in clients))
    assert all(end.timed_out for end in await asyncio.wait_for(hanging, PATIENCE_SECONDS))
    assert [members(number_in(file)) for file in files] == [[]] * len(files)


async def test_fifty_runs_leave_no_file_and_no_thread(group_file: Path) -> None:
    lines = [noted(group_file, line) for line in ("sleep 600 & echo said; exit 1 #", *["echo said; exit 1 #"] * 4)]
    await running(lines[0])
    files, threads = open_files(), waiting_threads()
    groups = []
    for line in lines * 10:
        await running(line)
        groups.append(number_in(group_file))
    assert open_files() == files
    until(lambda: waiting_threads() <= threads)
    assert len(set(groups)) == 50
    assert all(members(group) == [] for group in groups if is_known(group))


def waiting_threads() -> set[threading.Thread]:
    """Return the threads of this process but those of the loop's own pool, which stay for the next to use."""
    return {each for each in threading.enumerate() if not each.name.startswith("asyncio")}


def is_known(pgid: int) -> bool:
    """Tell whether the kernel knows the group, even if only by processes that wait to be reaped."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pgid, 0)
        return True
    return False


# It never gets as far as to connect.


@pytest.fixture
def no_program(tmp_path: Path) -> Path:
    file = tmp_path / "client.py"
    file.write_text("print('never')\n")
    return file


async def outcome_of(line: str, *, within: float = PATIENCE_SECONDS) -> Outcome:
    scenario = scenarios(Leg.CLIENT)["tools_call"]
    return await run_client_scenario(scenario, REVISION, CommandClient(line, grace=GRACE), timeout=within)


async def test_one_that_does_not_exist_could_not_run() -> None:
    outcome = await outcome_of("no-such-program-here --verbose")
    assert outcome.ending is Ending.COULD_NOT_RUN
    assert outcome.reason is not None
    assert outcome.reason.startswith(
        "the client that 'no-such-program-here --verbose' starts ended with exit code 127 before a request of it came to http"
    )
    assert outcome.client is not None
    assert b"no-such-program-here: not found" in outcome.client.stderr


async def test_one_that_is_no_program_could_not_run(no_program: Path) -> None:
    outcome = await outcome_of(str(no_program))
    assert outcome.ending is Ending.COULD_NOT_RUN
    assert outcome.client is not None
    assert outcome.client.exit_code == 126
    assert b"ermission denied" in outcome.client.stderr


@pytest.mark.parametrize(
    ("line", "told"),
    [("echo no config >&2; exit 2 #", "ended with exit code 2"), ("kill -ABRT $$ #", "was ended by SIGABRT")],
)
async def test_one_that_dies_before_it_connects_could_not_run(line: str, told: str) -> None:
    outcome = await outcome_of(line)
    assert outcome.ending is Ending.COULD_NOT_RUN
    assert outcome.checks == ()
    assert outcome.reason is not None
    assert told in outcome.reason


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("exit 0 #", "the client ended with exit code 0"),
        ("sleep 600 #", "the client still ran after 0.3 s and was ended"),
    ],
)
async def test_one_that_is_content_without_connecting_does_not_conform(line: str, told: str) -> None:
    outcome = await outcome_of(line, within=0.3)
    assert outcome.ending is Ending.FAILED
    assert any(check.id == "tool-add-numbers" for check in outcome.checks)
    assert any(check.id == "x-client-exit" for check in outcome.checks) or told in str(outcome.checks)


@pytest.mark.parametrize(("line", "told"), [("echo \0", "null byte"), (f"echo {'x' * 200_000}", "too long")])
async def test_a_line_that_no_shell_can_get_could_not_run(line: str, told: str) -> None:
    with pytest.raises(PeerUnreachable, match=f"could not be started: .*{told}"):
        await running(line)
