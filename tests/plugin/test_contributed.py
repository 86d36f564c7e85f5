"""Scenarios that a project or a package contributes run as ours do."""

from __future__ import annotations

import pytest

from tests.plugin.conftest import Run, broken_by
from tests.plugin.test_run_reports import FILES, run_json

CONFTEST = """
from pytest_mcp_conformance import Level, Requirement, server_scenario

NAMED = Requirement(id="house-named", name="HouseNamed", level=Level.MUST, text="Tools have names.", spec=())
SHORT = Requirement(id="house-short", name="HouseShort", level=Level.SHOULD, text="Names are short.", spec=())


@server_scenario(name="{name}", introduced_in="2025-06-18", purpose="House rules.", decides=(NAMED, SHORT),
                 lists=frozenset({{"house"}}))
async def house(peer, checks):
    tools = (await peer.request("tools/list"))["tools"]
    checks.decide(NAMED, all(tool.get("description") for tool in tools), expected="descriptions", got=tools)
    checks.succeed(SHORT)


def pytest_mcp_scenarios():
    return {given}
"""


@pytest.fixture
def house(pytester: pytest.Pytester) -> None:
    contribute(pytester)


def contribute(pytester: pytest.Pytester, *, name: str = "house-rules", given: str = "[house]") -> None:
    pytester.makeconftest(CONFTEST.format(name=name, given=given))


REFERENCE = "--mcp-server-reference"
ITEM = "mcp/server::test_server[house-rules@2025-11-25]"


@pytest.mark.parametrize(
    "selected",
    [
        ("--mcp-scenario=house-*",),
        ("--mcp-suite=house",),
        (ITEM,),
        ("--mcp-suite=active", "-k", "house"),
        ("--mcp-suite=all", "-k", "house"),
    ],
    ids=lambda words: words[0],
)
def test_it_is_selected_like_ours(run: Run, house: None, selected: tuple[str, ...]) -> None:
    result = run(REFERENCE, *selected, "-v")
    assert result.parseoutcomes()["passed"] == 1
    result.stdout.fnmatch_lines(["mcp/server::test_server?house-rules@2025-11-25? PASSED*", "*SUCCESS house-named*"])


def test_it_runs_at_every_revision_of_its_window(run: Run, house: None) -> None:
    run(REFERENCE, "--mcp-suite=house", "--mcp-spec-version=all", "-n", "2").assert_outcomes(passed=3)


def test_it_is_listed(run: Run, house: None) -> None:
    run("--mcp-list").stdout.fnmatch_lines(["  house-rules [[]2025-06-18, 2025-11-25, 2026-07-28]"])
    only = run("--mcp-list", "--mcp-suite=house", "--mcp-spec-version=2025-06-18")
    only.stdout.fnmatch_lines(["server: 1 scenario*", "  house-rules [[]2025-06-18]"])


def test_a_suite_that_nobody_names_is_refused_with_those_that_are_named(run: Run, house: None) -> None:
    result = run(REFERENCE, "--mcp-suite=hous")
    result.stderr.fnmatch_lines(["*has no suite 'hous'. Possible: active, all, core, draft, house, pending.*"])


def test_it_fails_and_is_reported_like_ours(run: Run, house: None, pytester: pytest.Pytester) -> None:
    result = run(broken_by("tool-without-description"), "--mcp-suite=house", *FILES)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["  house-named: expected descriptions, got *   [[]MUST]"])
    (read,) = run_json(pytester.path)["scenarios"]
    assert (read["scenario"], read["ending"]) == ("house-rules", "failed")
    assert "House rules." in (pytester.path / "page.html").read_text()


def test_a_baseline_may_list_it_and_knows_its_checks(run: Run, house: None, pytester: pytest.Pytester) -> None:
    arguments = (broken_by("tool-without-description"), "--mcp-suite=house", "--mcp-expected-failures=base.yml")
    baseline = pytester.path / "base.yml"
    baseline.write_text("server:\n  - house-rules:house-named\n")
    run(*arguments).assert_outcomes(xfailed=1)
    run(*arguments, "-n", "2").assert_outcomes(xfailed=1)
    baseline.write_text("server:\n  - house-rules:house-nmed\n")
    run(*arguments).stderr.fnmatch_lines(["*house-rules has no check 'house-nmed'. The nearest are house-named*"])


def test_a_requirement_set_leaves_it_out(run: Run, house: None) -> None:
    result = run(REFERENCE, "--mcp-requirements=2025-11-25", "--co", "-q")
    result.stdout.no_fnmatch_line("*house-rules*")
    refused = run(REFERENCE, "--mcp-requirements=2025-11-25", ITEM)
    refused.stderr.fnmatch_lines(["*house-rules*the requirement sets have no such item*"])


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("ping", "[house]", "*named 'ping': in pytest_mcp_conformance.scenarios.server.ping and in conftest (*conftest.py)*"),
        ("two words", "[house]", "*conftest (*conftest.py): a scenario cannot be named 'two words'. Use *"),
        ("a", "[house, 5]", "*pytest_mcp_scenarios: 5 is no scenario. Declare one with server_scenario.*"),
        ("a", "house", "*pytest_mcp_scenarios: expected a list of scenarios, got Scenario(*"),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_in_is_a_usage_error(
    run: Run, pytester: pytest.Pytester, name: str, given: str, told: str
) -> None:
    contribute(pytester, name=name, given=given)
    for arguments in ((REFERENCE,), ("--mcp-list",)):
        result = run(*arguments)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines([told])


def test_two_of_one_name_are_refused_with_both_places(run: Run, house: None, pytester: pytest.Pytester) -> None:
    package = CONFTEST.format(name="house-rules", given="(each for each in [house])")
    pytester.makepyfile(house_plugin=package)
    result = run(REFERENCE, "-p", "house_plugin")
    result.stderr.fnmatch_lines(["*two scenarios of the server leg are named 'house-rules': in *house_plugin*"])
    result.stderr.fnmatch_lines(["*conftest (*"])


def test_the_hook_is_asked_only_where_scenarios_matter(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest("def pytest_mcp_scenarios():\n    raise RuntimeError('asked')\n")
    pytester.makepyfile("def test_own(): pass")
    run().assert_outcomes(passed=1)


def test_what_was_contributed_is_forgotten_with_its_run(pytester: pytest.Pytester, house: None) -> None:
    from pytest_mcp_conformance.model import Leg
    from pytest_mcp_conformance.registry import scenarios

    before = dict(scenarios(Leg.SERVER))
    pytester.runpytest_inprocess("-p", "no:asyncio", "-p", "no:anyio", REFERENCE, "--mcp-suite=house").assert_outcomes(
        passed=1
    )
    assert dict(scenarios(Leg.SERVER)) == before


BREAKS_DOWN = """
import pytest
from pytest_mcp_conformance import Level, Requirement, server_scenario

RULE = Requirement(id="house-rule", name="HouseRule", level=Level.MUST, text="A rule.", spec=())

def scenario(name):
    return server_scenario(name=name, introduced_in="2025-06-18", purpose="One of ours.", decides=(RULE,))

@scenario("house-a")
async def breaking(peer, checks):
    {body}

@scenario("house-b")
async def good(peer, checks):
    await peer.request("tools/list")
    checks.succeed(RULE)

def pytest_mcp_scenarios():
    return [breaking, good]
"""


@pytest.mark.parametrize("workers", ["0", "2"])
@pytest.mark.parametrize("body", ["raise ValueError('bo\\udcff')", "raise SystemExit(3)"])
def test_one_that_breaks_down_is_a_fault_of_the_suite_and_the_others_run(
    run: Run, pytester: pytest.Pytester, body: str, workers: str
) -> None:
    pytester.makeconftest(BREAKS_DOWN.format(body=body))
    result = run(REFERENCE, "--mcp-scenario=house-*", "-n", workers, "--mcp-results-dir=out")
    result.assert_outcomes(passed=1, errors=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert run_json(pytester.path)["complete"]
    result.stdout.fnmatch_lines(["harness error: *"])
