"""The registry as a whole: names, windows, and that it stays cold."""

from __future__ import annotations

import subprocess
import sys

from pytest_mcp_conformance.model import Leg
from pytest_mcp_conformance.registry import scenarios
from tests.record_names import RECORD, names


def test_names_and_ids_are_those_recorded() -> None:
    """A renamed scenario or check breaks baselines: it must be seen in review."""
    assert names() == RECORD.read_text(), "run: python -m tests.record_names, and look at what it changed"


def test_what_breaks_a_conversation_is_charged_to_a_declared_requirement() -> None:
    for scenario in scenarios(Leg.SERVER).values():
        assert scenario.charged in scenario.decides, scenario.name


def test_the_registry_is_cold_and_the_plugin_is_light() -> None:
    """A project that merely has the plugin installed loads no HTTP client, no schemas, no scenario."""
    heavy = ["httpx", "hypercorn", "jsonschema", "jsonschema_rs", "yaml", "asyncio", "pytest_mcp_conformance.scenarios"]
    program = (
        "import sys, pytest_mcp_conformance.plugin, pytest_mcp_conformance.registry;"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "[]"
