"""The files about a whole run, as a user gets them."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from pytest_mcp_conformance.bundled import schemas_folder
from tests.plugin.conftest import REFERENCE, Run, Scripted, broken_by

FILES = ("--mcp-results-dir=out", "--mcp-summary=summary.md", "--mcp-html=page.html")
PROMPTS = ("--mcp-server-reference", "--mcp-scenario=prompts-*")
PROMPT_SCENARIOS = [
    "prompts-get-embedded-resource",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-with-image",
    "prompts-list",
]
PATIENCE_SECONDS = 20


def run_json(folder: Path) -> dict[str, Any]:
    """Return `run.json`, valid by its schema."""
    read: dict[str, Any] = json.loads((folder / "out" / "run.json").read_text())
    schema = json.loads((schemas_folder() / "run.schema.json").read_bytes())
    jsonschema.validate(read, schema, cls=jsonschema.Draft202012Validator)
    return read


def timeless(read: dict[str, Any]) -> Any:
    """Leave out what may differ between two runs of the same."""
    del read["timing"], read["options"]
    for scenario in read["scenarios"]:
        for name in ("seconds", "folder", "beside_others"):
            scenario.pop(name, None)
        for check in scenario["checks"]:
            del check["timestamp"]
    # Ports, sessions and the like are new in every run.
    return json.loads(re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", json.dumps(read)))


def test_the_same_run_gives_the_same_run_json_however_it_is_run(run: Run, pytester: pytest.Pytester) -> None:
    found = []
    for how in (("-n", "0", "--mcp-concurrency=1"), ("-n", "0", "--mcp-concurrency=8"), ("-n", "2")):
        run(
            broken_by("tool-without-description"),
            "--mcp-scenario=tools-list,ping,prompts-list",
            "--mcp-spec-version=all",
            *FILES,
            *how,
        )
        found.append(run_json(pytester.path))
    assert [each["timing"]["workers"] for each in found] == [0, 0, 2]
    one, *others = map(timeless, found)
    assert one["counts"]["endings"] == {"failed": 3, "passed": 5}
    for other in others:
        assert other == one


def test_run_json_has_what_a_machine_needs(run: Run, pytester: pytest.Pytester) -> None:
    arguments = ("--mcp-header=Authorization: Bearer s3cr3t-t0ken", "--mcp-scenario=tools-list,ping", *FILES)
    run(broken_by("tool-without-description"), *arguments)
    read = run_json(pytester.path)
    assert read["exit_code"] == 1
    assert read["complete"] is True
    assert read["target"]["kind"] == "command"
    assert read["options"]["headers"] == ["Authorization"]
    assert read["revisions"]["2025-11-25"]["pass_rate"] == 0.5
    ping, tools = read["scenarios"]
    assert (ping["scenario"], ping["ending"], ping["decisions"]) == ("ping", "passed", [])
    assert (pytester.path / "out" / tools["folder"] / "checks.json").is_file()
    (failed,) = [check for check in tools["checks"] if check["status"] == "FAILURE"]
    assert (failed["id"], failed["level"], failed["expected"]) == (
        "tools-list",
        "MUST",
        "an array of tools with name, description and inputSchema",
    )
    assert failed["specReferences"][0]["url"].startswith("https://modelcontextprotocol.io/specification/")
    (decision,) = tools["decisions"]
    assert '"method": "tools/list"' in decision["request"]


def test_no_report_has_a_secret(run: Run, pytester: pytest.Pytester) -> None:
    header = "--mcp-header=Authorization: Bearer s3cr3t-t0ken"
    command = f"--mcp-server-cmd={REFERENCE} --fault tool-without-description; : s3cr3t-t0ken"
    run(command, header, "--mcp-scenario=tools-list", "--mcp-spec-version=all", *FILES)
    told = [pytester.path / name for name in ("out/run.json", "summary.md", "page.html")]
    for path in told:
        text = path.read_text()
        assert "tools-list" in text
        assert "Authorization: ..." in text.replace("&#39;", "'")
    written = [*told, *(pytester.path / "out").rglob("*.json*")]
    assert len(written) > 6
    assert not [path for path in written if b"s3cr3t" in path.read_bytes()]


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_run_that_stops_early_tells_what_was_not_measured(run: Run, pytester: pytest.Pytester, workers: str) -> None:
    result = run(broken_by("malformed-notification"), "--mcp-scenario=prompts-*,ping", "-x", "-n", workers, *FILES)
    result.stdout.fnmatch_lines(["html: page.html", "summary: summary.md"])
    read = run_json(pytester.path)
    assert read["complete"] is False
    assert len(read["scenarios"]) + len(read["not_measured"]) == 6
    assert {each["reason"] for each in read["not_measured"]} == {"the run ended before it"}
    assert "not measured" in (pytester.path / "summary.md").read_text()
    assert "not measured" in (pytester.path / "page.html").read_text()


@pytest.mark.parametrize("workers", ["0", "2"])
def test_ctrl_c_leaves_the_reports_of_what_is_finished(pytester: pytest.Pytester, workers: str) -> None:
    pytester.makeconftest(
        """
        import time

        def pytest_runtest_call(item):
            if "prompts-list" in item.nodeid:
                open("reached", "w").close()
                time.sleep(60)
        """
    )
    command = [sys.executable, "-m", "pytest", "-p", "no:asyncio", "-p", "no:anyio", *PROMPTS, *FILES, "-n", workers]
    with subprocess.Popen(
        command, cwd=pytester.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    ) as process:
        end = time.monotonic() + PATIENCE_SECONDS
        while not (pytester.path / "reached").exists() and time.monotonic() < end:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == pytest.ExitCode.INTERRUPTED, output
    read = run_json(pytester.path)
    assert read["exit_code"] == 2
    finished = [each["scenario"] for each in read["scenarios"]]
    missing = [each["scenario"] for each in read["not_measured"]]
    assert "prompts-list" in missing
    assert finished
    assert sorted(finished + missing) == PROMPT_SCENARIOS
    if workers == "0":
        assert missing == ["prompts-list"]
    assert not [path for path in (pytester.path / "out").iterdir() if path.name.startswith(".")]


def test_an_item_whose_worker_died_is_named_with_its_reason(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import os, signal

        def pytest_runtest_call(item):
            if "prompts-get-simple" in item.nodeid:
                os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    run(*PROMPTS, "-n", "2", *FILES)
    read = run_json(pytester.path)
    assert len(read["scenarios"]) == 4
    (lost,) = read["not_measured"]
    assert lost["scenario"] == "prompts-get-simple"
    assert "crashed while running" in lost["reason"]


def test_a_run_without_a_server_says_so_in_every_report(run: Run, pytester: pytest.Pytester) -> None:
    run("--mcp-server-url=http://127.0.0.1:1/mcp", "--mcp-scenario=ping,tools-list", *FILES)
    read = run_json(pytester.path)
    assert read["scenarios"] == []
    assert "nothing listens at" in read["not_measured"][0]["reason"]
    assert "nothing was measured" in (pytester.path / "summary.md").read_text()
    assert "Nothing was measured" in (pytester.path / "page.html").read_text()


def test_only_what_was_collected_counts_as_missing(run: Run, pytester: pytest.Pytester) -> None:
    run(*PROMPTS, "-k", "list", *FILES)
    read = run_json(pytester.path)
    assert [each["scenario"] for each in read["scenarios"]] == ["prompts-list"]
    assert read["complete"] is True


def test_collecting_writes_nothing(run: Run, pytester: pytest.Pytester) -> None:
    run(*PROMPTS, "--co", *FILES)
    assert [path.name for path in pytester.path.iterdir() if path.name in {"out", "summary.md", "page.html"}] == []


def test_the_job_summary_is_added_to(run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    job = pytester.path / "job.md"
    job.write_text("what an earlier step wrote\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(job))
    run("--mcp-server-reference", "--mcp-scenario=ping", "--mcp-summary=summary.md")
    assert job.read_text() == f"what an earlier step wrote\n{(pytester.path / 'summary.md').read_text()}\n"
    pytester.makepyfile("def test_own(): pass")
    run().assert_outcomes(passed=1)
    assert job.read_text().count("## MCP conformance") == 1


def test_a_job_summary_that_cannot_be_written_fails_nothing(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(pytester.path / "nowhere" / "job.md"))
    result = run("--mcp-server-reference", "--mcp-scenario=ping")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["the job summary could not be written: *"])


@pytest.mark.parametrize("option", ["--mcp-summary", "--mcp-html"])
def test_a_report_that_cannot_be_written_fails_the_run(run: Run, pytester: pytest.Pytester, option: str) -> None:
    (pytester.path / "taken").mkdir()
    result = run("--mcp-server-reference", "--mcp-scenario=ping", f"{option}=taken")
    result.stdout.fnmatch_lines([f"could not be written: {option} *taken: *"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_a_failed_run_keeps_its_exit_code_where_a_report_cannot_be_written(run: Run, pytester: pytest.Pytester) -> None:
    (pytester.path / "taken").mkdir()
    assert run(broken_by("tool-without-description"), "--mcp-scenario=tools-list", "--mcp-html=taken").ret == 1


def test_reports_go_into_folders_that_are_not_there_yet(run: Run, pytester: pytest.Pytester) -> None:
    run("--mcp-server-reference", "--mcp-scenario=ping", "--mcp-html=a/b/page.html", "--mcp-summary=c/summary.md")
    assert (pytester.path / "a/b/page.html").read_text().startswith("<!doctype html>")
    assert (pytester.path / "c/summary.md").read_text().startswith("## MCP conformance: 1 of 1 scenario passed")


def test_jinja_is_loaded_for_a_page_alone(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import sys

        def pytest_unconfigure():
            print("jinja2 is", "loaded" if "jinja2" in sys.modules else "not loaded")
        """
    )
    arguments = ("--mcp-server-reference", "--mcp-scenario=ping", "-s", "--mcp-results-dir=out", "--mcp-summary=s.md")
    run(*arguments).stdout.fnmatch_lines(["jinja2 is not loaded"])
    run(*arguments, "--mcp-html=page.html").stdout.fnmatch_lines(["jinja2 is loaded"])


def test_junit_has_the_checks_as_one_property(run: Run, pytester: pytest.Pytester) -> None:
    run(broken_by("tool-without-description"), "--mcp-scenario=tools-list", "--junitxml=junit.xml")
    (case,) = ET.parse(pytester.path / "junit.xml").iter("testcase")
    properties = {each.get("name"): each.get("value") for each in case.iter("property")}
    assert properties["mcp_scenario"] == "tools-list"
    assert properties["mcp_revision"] == "2025-11-25"
    assert properties["mcp_outcome"] == "failed"
    expected = "tools-list: FAILURE; tools-name-format: SUCCESS; "
    expected += "x-response-content-type: SUCCESS; wire-schema-valid: SUCCESS"
    assert properties["mcp_checks"] == expected


def test_a_failure_shows_the_exchange_and_how_to_repeat_it(run: Run) -> None:
    result = run(broken_by("tool-without-description"), "--mcp-scenario=tools-list", "--mcp-spec-version=2025-11-25,2026-07-28",
                 "--mcp-header=Authorization: Bearer s3cr3t-t0ken")  # fmt: skip
    result.stdout.fnmatch_lines(
        [
            "decided tools-list:",
            '  > POST http://127.0.0.1:*/mcp {"jsonrpc": "2.0", "id": 1, "method": "tools/list"*',
            '  < HTTP 200 application/json {"jsonrpc": "2.0", "id": 1, "result": {"tools": *',
            "decided tools-list*:",
            "  > curl -sSiN http://127.0.0.1:*/mcp *-H 'Authorization: ...' --data-raw '{*\"method\": \"tools/list\"*}'",
            "  < HTTP 200 application/json *",
        ]
    )
    assert "s3cr3t" not in result.stdout.str()


def test_the_page_has_what_a_client_wrote_before_it_failed(run: Run, pytester: pytest.Pytester) -> None:
    run("--mcp-client-cmd=echo no token >&2; exit 3 #", "--mcp-scenario=initialize", "--mcp-html=page.html")
    page = (pytester.path / "page.html").read_text()
    assert "its stderr:\n  no token" in page
    assert "The client's task: Connect" in page


AGAIN = """

from _pytest.runner import runtestprotocol

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    runtestprotocol(item, nextitem=item)
    runtestprotocol(item, nextitem=nextitem)
    return True
"""


def test_a_scenario_that_another_plugin_runs_again_is_one_scenario(run: Run, scripted: Scripted) -> None:
    scripted({"ping": "a:W"}, AGAIN)
    result = run("--mcp-server-reference", "--mcp-scenario=ping,tools-list")
    result.stdout.fnmatch_lines(["2 scenarios: 1 passed, 1 warned"])


@pytest.mark.parametrize("option", ["--mcp-html=.", "--mcp-html=/", "--mcp-summary=.", "--mcp-summary=there"])
def test_a_report_that_names_a_folder_fails_the_run_in_words(run: Run, pytester: pytest.Pytester, option: str) -> None:
    (pytester.path / "there").mkdir()
    result = run("--mcp-server-reference", "--mcp-scenario=ping", option, "--mcp-results-dir=out")
    result.assert_outcomes(passed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines([f"could not be written: {option.replace('=', ' ')}: Is a directory"])
    assert run_json(pytester.path)["complete"]
