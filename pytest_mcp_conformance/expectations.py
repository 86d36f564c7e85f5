"""What a run is judged by, read before anything runs: the file of expected failures, and the requirement sets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_mcp_conformance.baseline import Baseline
from pytest_mcp_conformance.bundled import requirements_folder
from pytest_mcp_conformance.judging import Rules
from pytest_mcp_conformance.options import Options
from pytest_mcp_conformance.requirement_sets import load_sets

RULES = pytest.StashKey[Rules]()
WORKER_INPUT = "mcp_expected_failures"  # the text of the file, on its way to a worker of pytest-xdist


def read_rules(options: Options, from_controller: Mapping[str, Any]) -> Rules:
    """Read everything that outcomes are judged by.

    :param from_controller: in a worker of pytest-xdist its `workerinput`: it need not see the controller's files.
    :raises Misuse: a file or a name that cannot be used.
    """
    sets = load_sets(options.requirements, requirements_folder()) if options.requirements else ()
    return Rules(
        baseline=_baseline(options, from_controller.get(WORKER_INPUT)),
        sets={each.revision: each for each in sets},
        strict=options.strict,
    )


def _baseline(options: Options, text: str | None) -> Baseline | None:
    if options.expected_failures is None:
        return None
    from pytest_mcp_conformance.baseline_file import known_checks, read_baseline, text_of  # loads YAML

    if text is None:
        file = Path(options.expected_failures)
        new = options.update_expected_failures and not file.exists()
        text = "" if new else text_of(file)
    return read_baseline(text, options.expected_failures, known_checks())
