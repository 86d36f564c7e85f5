"""Requirement sets as a user sees them: what runs, what counts, and what is told apart."""

from __future__ import annotations

import pytest

from tests.plugin.conftest import Run, Scripted

BOTH = ("--mcp-server-reference", "--mcp-requirements=2025-11-25,2026-07-28")
OLD = ("--mcp-server-reference", "--mcp-requirements=2025-11-25")


@pytest.mark.parametrize("workers", ["0", "2"])
def test_only_what_is_scored_decides(run: Run, scripted: Scripted, workers: str) -> None:
    """Pending scenarios, an extension and a check of our own fail, and a scored scenario has a warning."""
    scripted(
        {
            "json-schema-2020-12": "a:F",
            "server-session-lifecycle": "a:F +b:F",
            "tasks-lifecycle": "a:F",
            "ping": "a:W",
            "tools-list": "a:S +b:F",
        }
    )
    result = run(*BOTH, "-n", workers)
    result.assert_outcomes(passed=79, xfailed=4)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "requirements 2025-11-25, server: 30 of 30 scored scenarios met (100 %); the set has 30",
            "  not scored: 3 ran, 2 of them failed",
            "    ✗ json-schema-2020-12 (pending)",
            "    ✗ server-session-lifecycle (added-after-release)",
            "    ✓ server-sse-polling (pending)",
            "  not measured: the client leg, 18 scored scenarios",
            "requirements 2026-07-28, server: 37 of 37 scored scenarios met (100 %); the set has 37",
            "  not scored: 13 ran, 2 of them failed",
            "    ✗ json-schema-2020-12 (pending)",
            "    ✗ tasks-lifecycle (extension)",
            "  not measured: the client leg, 32 scored scenarios",
        ]
    )


def test_a_scored_failure_fails_the_run(run: Run, scripted: Scripted) -> None:
    scripted({"ping": "a:F", "tools-list": "could not run"})
    result = run(*OLD)
    result.assert_outcomes(passed=31, failed=1, errors=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "requirements 2025-11-25, server: 28 of 29 scored scenarios met (96.6 %); the set has 30",
            "  not met: ping",
            "  not measured: tools-list",
        ]
    )


def test_what_the_reference_server_does_meets_its_set_at_its_wire(run: Run) -> None:
    result = run("--mcp-server-reference", "--mcp-requirements=2026-07-28", "-k", "tools-list or tasks-wire-fields")
    result.assert_outcomes(passed=2, deselected=48)
    result.stdout.fnmatch_lines(
        [
            "requirements 2026-07-28, server: 1 of 1 scored scenarios met (100 %); the set has 37",
            "    ✓ tasks-wire-fields (extension)",
            "  not measured: caching, *",
        ]
    )


def test_a_failure_that_is_expected_is_a_failure_against_the_set(
    run: Run, scripted: Scripted, pytester: pytest.Pytester
) -> None:
    """The entry for a scenario that is not scored is neither used nor stale."""
    scripted({"ping": "a:F"})
    (pytester.path / "base.yml").write_text("server: [ping, json-schema-2020-12]")
    result = run(*OLD, "--mcp-expected-failures=base.yml")
    result.assert_outcomes(passed=32, xfailed=1)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "expected failures, base.yml: 1 expected, 0 stale, 0 unexpected",
            "requirements 2025-11-25, server: 29 of 30 scored scenarios met (96.7 %); the set has 30",
            "  not met: ping, although it is expected",
        ]
    )


def test_with_a_baseline_a_warning_of_a_scored_scenario_fails(
    run: Run, scripted: Scripted, pytester: pytest.Pytester
) -> None:
    scripted({"ping": "a:W", "json-schema-2020-12": "a:W"})
    (pytester.path / "base.yml").touch()
    result = run(*OLD, "--mcp-expected-failures=base.yml")
    result.assert_outcomes(passed=32, failed=1)
    result.stdout.fnmatch_lines(["requirements 2025-11-25, server: 30 of 30 scored *"])


def test_what_is_not_scored_does_not_fail_under_runxfail(run: Run, scripted: Scripted) -> None:
    scripted({"json-schema-2020-12": "a:F b:F"})
    result = run(*OLD, "--runxfail", "-rx")
    result.assert_outcomes(passed=32, xfailed=1)
    result.stdout.fnmatch_lines(["XFAIL *json-schema-2020-12@2025-11-25* - not scored (pending): a, b failed"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--mcp-requirements="], "*--mcp-requirements has an empty name.*"),
        (["--mcp-requirements=2025-11-25,"], "*--mcp-requirements has an empty name.*"),
        (["--mcp-requirements=draft"], "*'draft' is no revision. A set is named by its date: 2025-11-25, 2026-07-28.*"),
        (["--mcp-requirements=2025-06-18"], "*there is no set of 2025-06-18.*"),
        (
            ["--mcp-requirements=2025-11-25", "--mcp-suite=all"],
            "*--mcp-requirements says by itself*Leave out --mcp-suite.*",
        ),
        (
            ["--mcp-requirements=2025-11-25", "--mcp-scenario=ping", "--mcp-spec-version=2025-11-25"],
            "*Leave out --mcp-spec-version and --mcp-scenario.*",
        ),
        (
            ["--mcp-requirements=2025-11-25", "mcp/server::test_server[caching]"],
            "*test_server?caching?: the requirement sets have no such item.*",
        ),
    ],
)
def test_misuse(run: Run, arguments: list[str], told: str) -> None:
    result = run("--mcp-server-reference", *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([told])


def test_sets_on_the_command_line_put_the_selection_of_the_ini_file_aside(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nmcp_suite = pending\nmcp_spec_version = draft\n")
    result = run(*OLD, "--co", "-q")
    result.stdout.fnmatch_lines(["33 tests collected*"])


def test_a_selection_on_the_command_line_puts_the_sets_of_the_ini_file_aside(
    run: Run, pytester: pytest.Pytester
) -> None:
    pytester.makeini("[pytest]\nmcp_requirements =\n  2025-11-25\n  2026-07-28\n")
    assert "83 tests collected" in run("--mcp-server-reference", "--co", "-q").stdout.str()
    result = run("--mcp-server-reference", "--mcp-scenario=ping", "--co", "-q")
    result.stdout.fnmatch_lines(["1 test collected*"])


@pytest.mark.parametrize("item", ["json-schema-2020-12", "json-schema-2020-12@2026-07-28"])
def test_an_item_of_a_set_is_named_on_the_command_line(run: Run, item: str) -> None:
    result = run(*BOTH, f"mcp/server::test_server[{item}]", "--co", "-q")
    expected = 1 if "@" in item else 2
    result.stdout.fnmatch_lines([f"{expected} test{'s' if expected == 2 else ''} collected*"])


def test_the_list_of_a_set_names_both_legs(run: Run) -> None:
    result = run("--mcp-list", "--mcp-requirements=2025-11-25")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "2025-11-25",
            "  server: 30 scored",
            "    server-initialize",
            "  client: 18 scored",
            "  not scored, pending: 2",
        ]
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--requirements", "2025-11-25"], ["--mcp-requirements=2025-11-25"]),
        (["--requirements", ""], ["--mcp-requirements="]),
        (["--expected-failures", "a.yml"], ["--mcp-expected-failures=a.yml"]),
        (["--expected-failures", ""], ["--mcp-expected-failures="]),
    ],
)
def test_the_command_of_the_package_takes_the_published_options(words: list[str], expected: list[str]) -> None:
    from pytest_mcp_conformance.cli import parser, run_words

    assert run_words(parser().parse_args(["server", *words])) == expected
