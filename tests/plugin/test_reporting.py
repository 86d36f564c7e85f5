"""What a reader sees: failures, warnings, files, at any number of workers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.plugin.conftest import REFERENCE, Run, broken_by

WORKERS = pytest.mark.parametrize("workers", ["0", "2"])


@WORKERS
def test_a_failing_scenario_tells_what_where_and_how_again(run: Run, workers: str) -> None:
    result = run(broken_by("tools-as-object"), "--mcp-scenario=tools-list,ping", "-n", workers)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "2 of 2 checks failed",
            "  tools-list: expected an array of tools*, got *   [[]MUST, MCP-Tools-List]",
            "      https://modelcontextprotocol.io/specification/*",
            "again: pytest --mcp-server-cmd=* *mcp/server::test_server[[]tools-list@2025-11-25]*",
            "*2 scenarios: 1 passed, 1 failed",
        ]
    )
