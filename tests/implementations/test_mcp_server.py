"""The server on the official Python SDK, started through `--mcp-server-cmd`: our verdict of every scenario is asserted.

`mcp_server/verdicts.yaml` explains each that is not a pass.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

SERVER = Path(__file__).parent / "mcp_server" / "server.py"
VERDICTS: dict[str, dict[str, Any]] = yaml.safe_load((SERVER.parent / "verdicts.yaml").read_text())
WORST = ("FAILURE", "WARNING", "SUCCESS", "SKIPPED", "INFO")
BAD = {"FAILURE", "WARNING"}


def bad_checks(folder: Path) -> dict[str, dict[str, str]]:
    """Return the checks that are not good, by scenario and id, from the results on disk."""
    found = {}
    for path in folder.rglob("checks.json"):
        name = re.sub(r"(@[\d-]+)?-\d{4}-\d\d-\d\dT.*$", "", path.parent.relative_to(folder).as_posix())
        checks: dict[str, str] = {}
        for check in json.loads(path.read_text()):
            if not check.get("addition"):
                checks[check["id"]] = min(check["status"], checks.get(check["id"], "INFO"), key=WORST.index)
        found[name.removeprefix("server-")] = {name: status for name, status in checks.items() if status in BAD}
    return found


def explained(part: str) -> dict[str, dict[str, str]]:
    return {scenario: entry["checks"] for scenario, entry in VERDICTS[part].items()}


@pytest.mark.parametrize(("revision", "scenarios"), [("2025-11-25", 33), ("2026-07-28", 40)])
def test_verdicts_at_a_revision(pytester: pytest.Pytester, revision: str, scenarios: int) -> None:
    pytester.runpytest_subprocess(
        "-p", "no:asyncio", f"--mcp-server-cmd=exec {sys.executable} {SERVER} --port {{port}}",
        "--mcp-suite=all", f"--mcp-spec-version={revision}", "--mcp-results-dir=out", timeout=120,
    )  # fmt: skip
    found = bad_checks(pytester.path / "out")
    assert len(found) == scenarios
    assert {name: checks for name, checks in found.items() if checks} == explained(revision)


def test_verdicts_of_extensions(pytester: pytest.Pytester) -> None:
    pytester.runpytest_subprocess(
        "-p", "no:asyncio", f"--mcp-server-cmd=exec {sys.executable} {SERVER} --port {{port}}",
        "--mcp-scenario=tasks-*,sep-2640-*", "--mcp-results-dir=out", timeout=120,
    )  # fmt: skip
    found = bad_checks(pytester.path / "out")
    listed = explained("extensions")
    assert {name: checks for name, checks in found.items() if checks} == {
        name: bad
        for name, checks in listed.items()
        if (bad := {id_: each for id_, each in checks.items() if each in BAD})
    }


def test_every_verdict_that_is_no_pass_is_explained() -> None:
    assert [name for part in VERDICTS.values() for name, entry in part.items() if not entry["because"].strip()] == []
