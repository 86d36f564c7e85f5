"""What runs: items, arguments, options, and how they live with a project of its own."""

from __future__ import annotations

import pytest

from tests.plugin.conftest import Run

PING = "mcp/server::test_server[ping@2025-11-25]"


def test_a_run_in_an_empty_directory_collects_the_suite_alone(run: Run) -> None:
    result = run("--mcp-server-reference", "--mcp-scenario=ping")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["mcp/server .*", "*MCP conformance*", "1 scenario: 1 passed", "checks: 3 SUCCESS"])


def test_one_scenario_at_several_revisions_is_several_items(run: Run) -> None:
    result = run("--mcp-server-reference", "--mcp-scenario=ping", "--mcp-spec-version=all", "--co", "-q")
    result.stdout.fnmatch_lines(
        ["mcp/server::test_server?ping@2025-06-18?", "mcp/server::test_server?ping@2025-11-25?", "*2 tests collected*"]
    )


@pytest.mark.parametrize("item", [PING, "mcp/server::test_server[ping]"])
def test_an_item_is_named_on_the_command_line_with_or_without_its_revision(run: Run, item: str) -> None:
    result = run("--mcp-server-reference", item, "-v")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f"{PING.replace('[', '?').replace(']', '?')} PASSED*", "*SUCCESS ping"])


def test_an_item_outside_the_window_of_its_scenario_runs_when_it_is_named(run: Run) -> None:
    result = run("--mcp-server-reference", "mcp/server::test_server[ping@2025-03-26]")
    result.assert_outcomes(passed=1)


def test_k_selects_by_name(run: Run) -> None:
    result = run("--mcp-server-reference", "-k", "prompts and not list", "--co", "-q")
    result.stdout.fnmatch_lines(["*4/*tests collected*"])
    result.stdout.no_fnmatch_line("*prompts-list*")


def test_a_project_keeps_its_own_tests(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_own="def test_own(): pass")
    run().assert_outcomes(passed=1)
    alone = run("--mcp-server-reference", "--mcp-scenario=ping", "-v")
    alone.assert_outcomes(passed=1)
    alone.stdout.no_fnmatch_line("*test_own*")
    both = run("--mcp-server-reference", "--mcp-scenario=ping", "test_own.py")
    both.assert_outcomes(passed=2)


def test_a_target_in_the_ini_file_runs_beside_the_own_tests(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_own="def test_own(): pass")
    pytester.makeini("[pytest]\nmcp_server_reference = true\nmcp_scenario =\n  ping\n  tools-list\nmcp_timeout = 20\n")
    run().assert_outcomes(passed=3)


def test_ini_values_may_stand_in_pyproject(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyprojecttoml(
        '[tool.pytest]\nmcp_server_reference = true\nmcp_scenario = ["ping"]\nmcp_timeout = "20"\n'
    )
    run().assert_outcomes(passed=1)


def test_the_command_line_wins_over_the_ini_file(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nmcp_scenario = ping\n")
    result = run("--mcp-server-reference", "--mcp-scenario=tools-list")
    result.stdout.fnmatch_lines(["checks: 4 SUCCESS"])


def test_a_typed_target_puts_that_of_the_ini_file_aside(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nmcp_server_url = http://127.0.0.1:1/mcp\nmcp_scenario = ping tools-list\n")
    run("--mcp-server-reference").assert_outcomes(passed=2)


def test_a_projects_own_naming_of_tests_does_not_hide_ours(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\npython_functions = check_*\npython_files = check_*.py\n")
    run("--mcp-server-reference", "--mcp-scenario=ping").assert_outcomes(passed=1)


def test_a_server_of_the_projects_own_fixtures_is_tested(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import pytest
        from pytest_mcp_conformance.reference.server import running_server
        from pytest_mcp_conformance.running import ServerUnderTest

        @pytest.fixture(scope="session")
        def mcp_server():
            with running_server() as url:
                yield ServerUnderTest(url=url)
        """
    )
    run("--mcp-scenario=ping").assert_outcomes(passed=1)


def test_without_a_target_nothing_of_ours_is_seen(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_own(): pass")
    result = run()
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*MCP*")


def test_last_failed_runs_what_failed(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_own(): pass")
    arguments = ("--mcp-server-reference", "--mcp-scenario=ping,tools-list", "--mcp-timeout=0.000001")
    run(*arguments).assert_outcomes(failed=2)
    again = run("--mcp-server-reference", "--mcp-scenario=ping,tools-list,prompts-list", "--lf")
    again.assert_outcomes(passed=2, deselected=1)


def test_the_list_names_scenarios_and_revisions(run: Run) -> None:
    result = run("--mcp-list")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["server: * scenarios", "  ping ?2025-06-18, 2025-11-25?"])
    only = run("--mcp-list", "--mcp-suite=pending", "--mcp-spec-version=2025-11-25")
    only.stdout.fnmatch_lines(["  json-schema-2020-12 ?2025-11-25?"])
    only.stdout.no_fnmatch_line("*ping*")


@pytest.mark.parametrize("how", [("python", "-m", "pytest"), ("mcp-conformance", "server")])
def test_other_ways_to_start_it(pytester: pytest.Pytester, how: tuple[str, ...]) -> None:
    import sys
    from pathlib import Path

    program = (
        [sys.executable, *how[1:]] if how[0] == "python" else [str(Path(sys.executable).with_name(how[0])), how[1]]
    )
    arguments = ["--mcp-server-reference", "--mcp-scenario=ping"] if how[0] == "python" else ["--scenario", "ping"]
    result = pytester.run(*program, *arguments, timeout=60)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["1 scenario: 1 passed"])
    result.stdout.no_fnmatch_line("*warning*")


def test_a_project_with_a_folder_of_that_name_means_its_folder(run: Run, pytester: pytest.Pytester) -> None:
    for folder in ("mcp/server", "mcp/server_tools"):
        path = pytester.path / folder
        path.mkdir(parents=True)
        (path / f"test_{path.name}.py").write_text("def test_own(): pass")
    run("mcp/server").assert_outcomes(passed=1)
    run("mcp/server/test_server.py").assert_outcomes(passed=1)
    run("mcp/server_tools").assert_outcomes(passed=1)


def test_a_named_scenario_that_does_not_apply_is_not_passed_over_in_silence(run: Run) -> None:
    result = run("--mcp-server-reference", "--mcp-scenario=ping,tools-*", "--mcp-spec-version=2026-07-28", "-n", "2")
    assert result.ret == pytest.ExitCode.OK
    told = [line for line in result.stdout.lines if line.startswith("not run:")]
    window = "ping applies from 2025-06-18 on and before 2026-07-28"
    assert told == [
        f"not run: --mcp-spec-version 2026-07-28: {window}; choose such a revision, or force it with --mcp-force."
    ]


def test_an_item_is_ours_even_where_the_project_has_a_folder_of_that_name(run: Run, pytester: pytest.Pytester) -> None:
    (pytester.path / "mcp" / "server").mkdir(parents=True)
    run("--mcp-server-reference", "mcp/server::test_server[ping@2025-11-25]").assert_outcomes(passed=1)
