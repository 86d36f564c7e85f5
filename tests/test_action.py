"""action.yml: what it takes and gives, and its script as the runner of GitHub executes it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS: dict[str, dict[str, Any]] = {step["id"]: step for step in ACTION["runs"]["steps"]}
SCRIPT: str = STEPS["run"]["run"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PUBLISHED = {
    "mode",
    "url",
    "command",
    "expected-failures",
    "suite",
    "scenario",
    "timeout",
    "verbose",
    "node-version",
}

EXPRESSION = re.compile(r"\$\{\{ (\S+) \}\}")
BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail")  # what `shell: bash` means

# Prints and keeps its arguments, as the console command would get them, and then lines that look like commands to the runner.
TELLTALE = f"""#!{sys.executable}
import json, os, pathlib, sys
pathlib.Path(os.environ["RUNNER_TEMP"], "arguments.json").write_text(json.dumps(sys.argv[1:]))
print("::error::from the server under test")
sys.exit(int(os.environ.get("ENDS_WITH", "0")))
"""


@dataclass(frozen=True, kw_only=True)
class Ran:
    """What one execution of the script did."""

    code: int
    printed: str
    outputs: Mapping[str, str]
    arguments: list[str]
    folder: Path

    @property
    def pwned(self) -> list[Path]:
        """Files that only an executed value can have made."""
        return list(self.folder.rglob("pwned*"))


Act: TypeAlias = Callable[..., Ran]


@pytest.fixture
def act(tmp_path: Path) -> Act:
    """Run the script in a folder of its own, with the environment that the runner makes of `inputs`."""
    telltale = tmp_path / "telltale"
    telltale.mkdir()
    (telltale / "mcp-conformance").write_text(TELLTALE)
    (telltale / "mcp-conformance").chmod(0o755)
    (telltale / "python").symlink_to(sys.executable)

    def run(inputs: Mapping[str, str], *, real: bool = False, **environment: str) -> Ran:
        caller, temporary = tmp_path / "caller", tmp_path / "temporary"
        caller.mkdir(exist_ok=True)
        temporary.mkdir()
        outputs = tmp_path / "outputs"
        outputs.touch()
        script = tmp_path / "script.sh"
        script.write_text(SCRIPT)
        ended = subprocess.run(
            [*BASH, script],
            cwd=caller,
            env={
                "PATH": os.environ["PATH"],
                "RUNNER_TEMP": str(temporary),
                "GITHUB_OUTPUT": str(outputs),
                **step_environment(inputs, Path(sys.executable).parent if real else telltale),
                **environment,
            },
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
            check=False,
        )
        arguments = temporary / "arguments.json"
        return Ran(
            code=ended.returncode,
            printed=ended.stdout,
            outputs=dict(line.split("=", 1) for line in outputs.read_text().splitlines()),
            arguments=json.loads(arguments.read_text()) if arguments.exists() else [],
            folder=tmp_path,
        )

    return run


def step_environment(inputs: Mapping[str, str], programs: Path) -> dict[str, str]:
    """Fill in the `env` of the step as the runner does: a value takes the place of its expression, whatever is in it."""
    values = {f"inputs.{name}": declared.get("default", "") for name, declared in ACTION["inputs"].items()}
    values |= {f"inputs.{name}": value for name, value in inputs.items()}
    values["steps.install.outputs.bin"] = str(programs)
    return {name: EXPRESSION.sub(lambda match: values[match[1]], text) for name, text in STEPS["run"]["env"].items()}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The URL of a reference server that answers ping wrongly and the rest as it should."""
    command = [sys.executable, "-m", "pytest_mcp_conformance.reference", "--fault", "ping-with-member"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()


def test_it_takes_what_the_published_action_takes() -> None:
    assert set(ACTION["inputs"]) == PUBLISHED - {"node-version"} | {"python-version", "requirements"}
    assert [name for name, each in ACTION["inputs"].items() if each.get("required")] == ["mode"]
    defaults = {name: each["default"] for name, each in ACTION["inputs"].items() if "default" in each}
    assert defaults == {"timeout": "30000", "verbose": "false", "python-version": "3.13"}


def test_every_input_is_used() -> None:
    used = {name for step in STEPS.values() for part in ("env", "with") for name in expressions(step.get(part, {}))}
    assert {name for name in used if name.startswith("inputs.")} == {f"inputs.{name}" for name in ACTION["inputs"]}


def expressions(values: Mapping[str, Any]) -> list[str]:
    return [name for value in values.values() for name in EXPRESSION.findall(str(value))]


@pytest.mark.parametrize("path", [ROOT / "action.yml", *WORKFLOWS], ids=lambda path: path.name)
def test_no_value_is_spliced_into_a_script(path: Path) -> None:
    document = yaml.safe_load(path.read_text())
    jobs = [document["runs"]] if "runs" in document else [*document["jobs"].values()]
    scripts = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
    assert scripts
    assert [script for script in scripts if "${{" in script] == []


HOSTILE = {
    "quotes": """it's "quoted" `touch pwned1`""",
    "spaces": "two  words and a * and a ~",
    "substitution": "$(touch pwned2) ${INPUT_MODE} $INPUT_MODE",
    "separators": "'; touch pwned3; # & touch pwned4 | \" && touch pwned5 > pwned6",
    "newlines": "one\ntouch pwned7\n\n::error::two\n",
    "options": "--fault -x --url=http://127.0.0.1:1/mcp",
    "backslashes": "C:\\new\\table \\' %0A%s \U0001f40d",
}


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_a_value_arrives_as_one_word_whatever_is_in_it(act: Act, value: str) -> None:
    named = ("url", "expected-failures", "suite", "scenario", "requirements", "timeout")
    ran = act({"mode": "server", **dict.fromkeys(named, value), "verbose": value})
    given = [word for word in ran.arguments[1:] if str(ran.folder) not in word]
    assert ran.arguments[0] == "server"
    assert sorted(given) == sorted(f"--{name}={value}" for name in named)
    assert (ran.code, ran.pwned) == (0, [])


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_so_does_the_command_that_starts_the_server(act: Act, value: str) -> None:
    ran = act({"mode": "server", "command": value})
    assert f"--command={value}" in ran.arguments
    assert ran.pwned == []


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_an_unknown_mode_is_refused_in_one_line(act: Act, value: str) -> None:
    ran = act({"mode": value, "url": "http://127.0.0.1:1/mcp"})
    assert (ran.code, ran.arguments, ran.outputs, ran.pwned) == (1, [], {}, [])
    (line,) = ran.printed.splitlines()
    assert line.startswith("::error title=MCP conformance::mode: ")
    assert line.endswith(" is none. Possible: server, client.")


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"mode": "client"}, "mode: client needs command."),
        ({"mode": "client", "command": "c", "url": "http://127.0.0.1:1/mcp"}, "mode: client takes no url: *"),
        ({"mode": "server"}, "mode: server needs url or command."),
        ({"mode": ""}, "mode: '' is none. Possible: server, client."),
    ],
    ids=["no client", "client with url", "no target", "no mode"],
)
def test_a_call_that_cannot_be_carried_out_is_one_error(act: Act, inputs: Mapping[str, str], message: str) -> None:
    ran = act(inputs)
    assert (ran.code, ran.arguments) == (1, [])
    pytest.LineMatcher(ran.printed.splitlines()).fnmatch_lines([f"::error title=MCP conformance::{message}"])
    assert ran.printed.count("\n") == 1


def test_what_is_not_given_is_left_to_the_defaults(act: Act) -> None:
    ran = act({"mode": "server", "url": "http://127.0.0.1:1/mcp"})
    given = [word for word in ran.arguments if str(ran.folder) not in word]
    assert given == ["server", "--url=http://127.0.0.1:1/mcp", "--timeout=30000"]


def test_a_command_can_have_a_url_of_its_own(act: Act) -> None:
    ran = act({"mode": "server", "command": "serve {port}", "url": "http://127.0.0.1:{port}/v1"})
    assert {"--command=serve {port}", "--mcp-server-url=http://127.0.0.1:{port}/v1"} <= set(ran.arguments)


@pytest.mark.parametrize(("verbose", "given"), [("true", True), ("false", False), ("", False)])
def test_verbose_is_a_word_of_its_own(act: Act, verbose: str, given: bool) -> None:  # noqa: FBT001 -- a column of the table
    ran = act({"mode": "server", "url": "http://127.0.0.1:1/mcp", "verbose": verbose})
    assert ("--verbose" in ran.arguments) is given


def test_a_line_of_the_server_is_no_command_to_the_runner(act: Act) -> None:
    ran = act({"mode": "server", "url": "http://127.0.0.1:1/mcp"}, ENDS_WITH="1")
    stop, line, go_on = ran.printed.splitlines()
    assert line == "::error::from the server under test"
    assert re.fullmatch(r"::stop-commands::[0-9a-f]{32}", stop)
    assert go_on == f"::{stop.removeprefix('::stop-commands::')}::"


def test_the_exit_code_is_that_of_the_run(act: Act) -> None:
    assert act({"mode": "server", "url": "http://127.0.0.1:1/mcp"}, ENDS_WITH="5").code == 5


def test_a_run_that_passes(act: Act, server: str) -> None:
    ran = act({"mode": "server", "url": server, "scenario": "tools-list,resources-*", "verbose": "true"}, real=True)
    assert ran.code == 0, ran.printed
    assert {"passed": ran.outputs["passed"], "failed": ran.outputs["failed"]} == {"passed": "7", "failed": "0"}
    assert "tools-name-format" in ran.printed
    results = Path(ran.outputs["results"])
    assert {"run.json", "page.html", "junit.xml"} <= {path.name for path in results.iterdir()}


def test_a_client_is_tested(act: Act) -> None:
    command = f"{sys.executable} -m pytest_mcp_conformance.reference.client --fault name-empty"
    ran = act({"mode": "client", "command": command, "scenario": "initialize,tools_call"}, real=True)
    assert ran.code == 1, ran.printed
    assert {"passed": ran.outputs["passed"], "failed": ran.outputs["failed"]} == {"passed": "1", "failed": "1"}


def test_a_run_that_fails_says_how_much_failed(act: Act, server: str) -> None:
    ran = act({"mode": "server", "url": server, "scenario": "ping,tools-list"}, real=True)
    assert ran.code == 1, ran.printed
    assert set(ran.outputs) == set(ACTION["outputs"])
    assert {"passed": ran.outputs["passed"], "failed": ran.outputs["failed"]} == {"passed": "1", "failed": "1"}


def test_a_baseline_of_a_hostile_name_is_read_and_the_numbers_stay_honest(
    act: Act, tmp_path: Path, server: str
) -> None:
    name = """it's $(touch pwned) "known".yml"""
    (tmp_path / "caller").mkdir()
    (tmp_path / "caller" / name).write_text("server:\n  - ping\n")
    ran = act({"mode": "server", "url": server, "scenario": "ping", "expected-failures": name}, real=True)
    assert ran.code == 0, ran.printed
    assert ran.outputs["failed"] == "1"
    assert ran.pwned == []


def test_where_nothing_ran_the_numbers_stay_empty(act: Act, server: str) -> None:
    ran = act({"mode": "server", "url": server, "suite": "everything"}, real=True)
    assert ran.code == 4
    assert set(ran.outputs) == {"results"}


def test_so_do_they_where_nothing_could_be_measured(act: Act) -> None:
    """0 failed would look fine to a step that goes on by the number."""
    ran = act({"mode": "server", "url": "http://127.0.0.1:9/mcp", "scenario": "ping"}, real=True)
    assert ran.code == 1
    assert set(ran.outputs) == {"results"}


def test_our_own_workflow_gives_inputs_that_exist_and_runs_what_decides() -> None:
    steps = [
        step for path in WORKFLOWS for job in yaml.safe_load(path.read_text())["jobs"].values() for step in job["steps"]
    ]
    ours = [step for step in steps if step.get("uses") == "./"]
    assert ours
    assert {name for step in ours for name in step["with"]} <= set(ACTION["inputs"])
    assert any(step.get("run") == ".ci/run" for step in steps)
