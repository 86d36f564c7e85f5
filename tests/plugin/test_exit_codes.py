"""Exit codes are pytest's, and nothing looks green that says nothing."""

from __future__ import annotations

import pytest

from tests.plugin.conftest import Run, Scripted

NAMED = ("--mcp-server-reference", "--mcp-scenario=ping,tools-list")
EMPTY = "*This run says nothing about conformance (exit code 5).*"


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ({}, 0),
        ({"ping": "a:W"}, 0),
        ({"ping": "not applicable"}, 0),
        ({"ping": "a:F"}, 1),
        ({"ping": "could not run"}, 1),
        ({"ping": "harness error"}, 1),
        ({"ping": "harness error", "tools-list": "not applicable"}, 1),
    ],
    ids=str,
)
def test_an_outcome_gives_its_exit_code(run: Run, scripted: Scripted, outcomes: dict[str, str], code: int) -> None:
    scripted(outcomes)
    assert run(*NAMED).ret == code


SKIP = """

def pytest_collection_modifyitems(items):
    for item in items:
        if "mcp/server" in item.nodeid:
            item.add_marker(pytest.mark.skip("not today"))
"""


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_run_that_only_skipped_is_not_green(run: Run, scripted: Scripted, workers: str) -> None:
    scripted({"ping": "not applicable", "tools-list": "not applicable"})
    result = run(*NAMED, "-n", workers)
    result.assert_outcomes(skipped=2)
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines(["No scenario was judged: all of 2 were skipped. " + EMPTY[1:]])


def test_nor_is_one_whose_scenarios_were_skipped_beside_own_tests(
    run: Run, scripted: Scripted, pytester: pytest.Pytester
) -> None:
    scripted({}, SKIP)
    pytester.makepyfile(test_own="def test_own(): pass")
    result = run(*NAMED, "test_own.py")
    result.assert_outcomes(passed=1, skipped=2)
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines([EMPTY])


def test_nor_is_one_that_ran_nothing_of_what_its_set_scores(run: Run, scripted: Scripted) -> None:
    scripted({})
    arguments = ("--mcp-requirements=2025-11-25", "-k", "json-schema-2020-12 or server-sse-polling")
    result = run("--mcp-server-reference", *arguments)
    result.assert_outcomes(passed=2, deselected=31)
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines(["No scenario ran that the requirement sets score. " + EMPTY[1:]])


def test_nor_is_one_that_deselected_everything(run: Run) -> None:
    result = run(*NAMED, "-k", "nothing")
    result.assert_outcomes(deselected=2)
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_own_tests_alone_are_judged_by_pytest(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_own="def test_own(): pass")
    result = run(*NAMED, "test_own.py", "-k", "own")
    result.assert_outcomes(passed=1, deselected=2)
    assert result.ret == pytest.ExitCode.OK


def test_a_selection_with_nothing_in_it_is_a_usage_error(run: Run) -> None:
    result = run("--mcp-server-reference", "--mcp-suite=draft", "--mcp-spec-version=2025-11-25")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*--mcp-spec-version 2025-11-25: no scenario of the suite draft applies there*--mcp-force.*"]
    )


def test_a_run_that_is_interrupted_says_so(run: Run, scripted: Scripted) -> None:
    scripted({}, "\n\ndef pytest_runtest_call(item):\n    raise KeyboardInterrupt\n")
    assert run(*NAMED).ret == pytest.ExitCode.INTERRUPTED


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_server_that_is_not_there_is_an_error_at_any_number_of_workers(run: Run, workers: str) -> None:
    result = run("--mcp-server-url=http://127.0.0.1:1/mcp", "-n", workers)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*there is nothing to test; no scenario ran*"])


def test_collecting_alone_is_no_run(run: Run) -> None:
    assert run(*NAMED, "--co", "-q").ret == pytest.ExitCode.OK


LOST = """

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item):
    return True if "tools-list" in item.name else None  # done, it says, and reports nothing
"""


@pytest.mark.parametrize("workers", ["0", "2"])
def test_nor_is_one_that_lost_a_scenario(run: Run, scripted: Scripted, workers: str) -> None:
    """As pytest-xdist does where a worker breaks down over a report."""
    scripted({}, LOST)
    result = run(*NAMED, "-n", workers)
    result.assert_outcomes(passed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["Not reported, *(exit code 1): mcp/server::test_server[[]tools-list@2025-11-25[]]."])


def test_nor_is_one_that_decided_nothing(run: Run, scripted: Scripted) -> None:
    scripted({"ping": "", "tools-list": ""})
    result = run(*NAMED)
    result.assert_outcomes(passed=2)
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines(["No check was decided. " + EMPTY[1:]])


def test_nor_is_one_whose_client_never_came_although_that_is_expected(run: Run, pytester: pytest.Pytester) -> None:
    """A mistyped command looks like a client that knows none of the scenarios."""
    (pytester.path / "base.yml").write_text("client: [initialize, tools_call]\n")
    client = ("--mcp-client-cmd=pyhton client.py", "--mcp-scenario=initialize,tools_call")
    result = run(*client, "--mcp-expected-failures=base.yml", "-rx")
    result.assert_outcomes(xfailed=2)
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines(
        [
            "No scenario was judged: what was to be tested never came to it*",
            "*initialize@2025-11-25* - *(base.yml, line 1); could not run: the client that 'pyhton client.py' starts ended *",
        ]
    )
