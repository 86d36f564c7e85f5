"""Runs whose outcomes are given: what becomes of an outcome is tested without a server, and without waiting for one."""

from __future__ import annotations

from pathlib import Path

import pytest

CONFTEST = """
import json
from pathlib import Path

import pytest

from pytest_mcp_conformance.model import Ending
from tests.decided import ended

SCRIPT = json.loads(Path({script!r}).read_text())


@pytest.fixture(scope="session")
def mcp_outcomes():
    def outcome(planned):
        told = SCRIPT.get(planned.id, SCRIPT.get(planned.scenario, "any:S"))
        ending = Ending(told) if told in set(Ending) else None
        checks = "" if ending else told
        named = {{"scenario": planned.scenario, "revision": planned.revision.value}}
        return ended(checks, **named, ending=ending, reason="why" if ending else None)

    return outcome
"""


def script(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, outcomes: dict[str, str], more: str = ""
) -> None:
    """Let scenarios end as `outcomes` says, by name or by name and revision: checks as `a:F b:S`, or an ending.

    :param more: what else stands in the project's `conftest.py`.
    """
    import json

    file = pytester.path / "script.json"
    file.write_text(json.dumps(outcomes))
    pytester.makeconftest(CONFTEST.format(script=str(file)) + more)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
