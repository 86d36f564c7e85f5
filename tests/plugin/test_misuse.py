"""Bad input is a usage error (exit 4) that names what was given and what is possible."""

from __future__ import annotations

import pytest

from tests.plugin.conftest import Run


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["--mcp-server-reference", "--mcp-scenario=tools-lst"],
            "*no scenario of the server leg is named 'tools-lst'*tools-list*",
        ),
        (["--mcp-server-reference", "--mcp-scenario=zz*"], "*matches 'zz?'*"),
        (
            ["--mcp-server-reference", "--mcp-suite=cor"],
            "*has no suite 'cor'. Possible: active, all, core, draft, pending.*",
        ),
        (["--mcp-server-reference", "--mcp-suite="], "*--mcp-suite has an empty name*"),
        (["--mcp-server-reference", "--mcp-spec-version=2025"], "*no revision '2025'*2025-03-26*draft, all.*"),
        (
            ["--mcp-server-reference", "--mcp-scenario=ping", "--mcp-spec-version=draft"],
            "*ping applies from*--mcp-force*",
        ),
        (["--mcp-server-url=localhost:3000/mcp"], "*--mcp-server-url 'localhost:3000/mcp'*http and https*"),
        (["--mcp-server-url=http://"], "*--mcp-server-url 'http://'*"),
        (["--mcp-server-url=http://a:99999/mcp"], "*--mcp-server-url 'http://a:99999/mcp'*"),
        (["--mcp-server-url=http://a/mcp", "--mcp-server-reference"], "*name different targets*"),
        (["--mcp-server-cmd=x", "--mcp-server-url=http://a/mcp"], "*has no {port}*"),
        (["--mcp-server-url=http://a:{port}/mcp"], "*only together with --mcp-server-cmd*"),
        (["--mcp-server-url="], "*--mcp-server-url is empty*"),
        (["--mcp-server-cmd="], "*--mcp-server-cmd is empty*"),
        (["--mcp-server-cmd= "], "*--mcp-server-cmd is blank*"),
        (["--mcp-server-reference", "--mcp-timeout=soon"], "*--mcp-timeout soon: give seconds above 0.*"),
        (["--mcp-server-reference", "--mcp-timeout=-1"], "*--mcp-timeout -1: give seconds above 0.*"),
        (["--mcp-server-reference", "--mcp-timeout="], "*--mcp-timeout is empty: give seconds above 0.*"),
        (
            ["--mcp-server-reference", "--mcp-concurrency="],
            "*--mcp-concurrency is empty: give a whole number above 0.*",
        ),
        (["--mcp-server-reference", "--mcp-html=a", "--mcp-summary=a"], "*both name a. Give each a file of its own.*"),
        (["--mcp-server-reference", "--mcp-concurrency=1.5"], "*--mcp-concurrency 1.5: give a whole number above 0.*"),
        (["--mcp-server-reference", "--mcp-header=secret"], "*--mcp-header: a header is written 'Name: value'*"),
        (["--mcp-server-reference", "--mcp-header=A: env:NO_SUCH_VARIABLE"], "*has no variable 'NO_SUCH_VARIABLE'*"),
        (["--mcp-server-reference", "--mcp-header=Ünï: b"], "*--mcp-header: a header is written 'Name: value'*"),
        (["--mcp-server-reference", "--mcp-header=A: b", "--mcp-header=a: c"], "*--mcp-header a is given twice*"),
        (["--mcp-server-reference", "mcp/server::test_serve[ping]"], "*an item is named*"),
        (["--mcp-server-reference", "mcp/server::test_server[pong]"], "*test_server[pong]: *no scenario 'pong'*ping*"),
        (["--mcp-client-reference", "mcp/server", "mcp/client"], "*mcp/server and mcp/client are named*"),
        (["--mcp-list", "--mcp-suite=cor"], "*has no suite 'cor'*"),
        (["--mcp-client-command=python client.py"], "*no option --mcp-client-command. The nearest *--mcp-client-cmd*"),
        (
            ["--mcp-authorization-client-id=me"],
            "*--mcp-authorization-client-id*none is named*--mcp-authorization-url.*",
        ),
        (["--mcp-client-cmd=true", "--mcp-authorization-port=3000"], "*--mcp-authorization-port*none is named*"),
        (
            ["--mcp-suite=auth"],
            "*has no suite 'auth'. *The client leg has it; a target chooses that leg: --mcp-client-cmd, *",
        ),
        (
            ["--mcp-scenario=initialize"],
            "*named 'initialize'. *The client leg has it; a target chooses that leg: --mcp-client-cmd, *",
        ),
        (
            ["--mcp-scenario=authorization-server-metadata-endpoint"],
            "*The authorization leg has it; *: --mcp-authorization, *",
        ),
        (["--mcp-client-cmd=true", "--mcp-header=A: b"], "*--mcp-header*the target is of the client leg.*"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_misuse(run: Run, arguments: list[str], told: str) -> None:
    result = run(*arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([told.replace("[", "[[]")])
    result.stdout.no_fnmatch_line("*Traceback*")


@pytest.mark.parametrize("arguments", [["--mcp-suite=nowhere"], ["--mcp-server-reference", "--mcp-suite=auth"]])
def test_no_other_leg_is_named_where_none_has_it_or_a_target_has_chosen(run: Run, arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "leg has it" not in result.stderr.str()


def test_a_header_value_is_never_repeated(run: Run) -> None:
    result = run("--mcp-server-reference", "--mcp-header=s3cret value")
    assert "s3cret" not in result.stdout.str() + result.stderr.str()


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_server_that_is_not_there_is_one_error_and_no_failing_scenario(run: Run, workers: str) -> None:
    result = run("--mcp-server-url=http://127.0.0.1:1/mcp", "-n", workers)
    outcomes = result.parseoutcomes()
    assert outcomes.keys() & {"failed", "passed"} == set()
    assert 1 <= outcomes["errors"] <= max(int(workers), 1)
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*nothing listens at http://127.0.0.1:1/mcp*", "Nothing is said about conformance."])


def test_a_run_with_selection_and_without_a_server_says_what_to_give(run: Run) -> None:
    result = run("--mcp-suite=active")
    assert result.parseoutcomes() == {"errors": 1}
    result.stdout.fnmatch_lines(["*there is no server to test. Give --mcp-server-url*"])
