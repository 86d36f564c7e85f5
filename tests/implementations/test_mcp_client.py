"""The client on the official Python SDK, started through `--mcp-client-cmd`: our verdict of every scenario is asserted.

`mcp_client/verdicts.yaml` explains each that is not a pass.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

CLIENT = Path(__file__).parent / "mcp_client" / "client.py"
VERDICTS: dict[str, dict[str, Any]] = yaml.safe_load((CLIENT.parent / "verdicts.yaml").read_text())
WORST = ("FAILURE", "WARNING", "SUCCESS", "SKIPPED", "INFO")
BAD = {"FAILURE", "WARNING"}
EXTENSIONS = "auth/client-credentials-*,auth/enterprise-*,auth/dpop*,auth/wif-*,sep-2640-client-*"
OF_2025_03_26 = "auth/2025-03-26-*"
AT_ONCE = 2  # clients; each wants most of a core while it starts


def bad_checks(folder: Path) -> dict[str, dict[str, str]]:
    """Return the checks that are not good, additions too, by scenario and id, from the results on disk."""
    found = {}
    for path in folder.rglob("checks.json"):
        name = re.sub(r"(@[\d-]+)?-\d{4}-\d\d-\d\dT.*$", "", path.parent.relative_to(folder).as_posix())
        checks: dict[str, str] = {}
        for check in json.loads(path.read_text()):
            checks[check["id"]] = min(check["status"], checks.get(check["id"], "INFO"), key=WORST.index)
        found[name] = {id_: status for id_, status in checks.items() if status in BAD}
    return found


@pytest.mark.parametrize(
    ("part", "selecting", "scenarios"),
    [
        ("2025-11-25", ("--mcp-suite=all", "--mcp-spec-version=2025-11-25"), 19),
        ("2026-07-28", ("--mcp-suite=all", "--mcp-spec-version=2026-07-28"), 33),
        ("without a revision", (f"--mcp-scenario={EXTENSIONS},{OF_2025_03_26}",), 12),
    ],
)
def test_verdicts(pytester: pytest.Pytester, part: str, selecting: tuple[str, ...], scenarios: int) -> None:
    pytester.runpytest_subprocess(
        "-p", "no:asyncio", f"--mcp-client-cmd=exec {sys.executable} {CLIENT}", *selecting,
        f"--mcp-concurrency={AT_ONCE}", "--mcp-results-dir=out", timeout=180,
    )  # fmt: skip
    found = bad_checks(pytester.path / "out")
    assert len(found) == scenarios
    assert {name: checks for name, checks in found.items() if checks} == {
        name: entry["checks"] for name, entry in VERDICTS[part].items()
    }


def test_every_verdict_that_is_no_pass_is_explained() -> None:
    assert [name for part in VERDICTS.values() for name, entry in part.items() if not entry["because"].strip()] == []
