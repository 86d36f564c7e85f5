"""What users may import is there, and loading it costs nothing until it is used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import pytest_mcp_conformance

SOURCE = Path(pytest_mcp_conformance.__file__)


@pytest.mark.parametrize("name", pytest_mcp_conformance.__all__)
def test_a_public_name_can_be_imported(name: str) -> None:
    assert getattr(pytest_mcp_conformance, name) is not None
    assert name in dir(pytest_mcp_conformance)


def test_the_three_lists_of_names_agree() -> None:
    """What is listed, what a type checker sees and what is loaded lazily."""
    checked = {
        alias.name
        for node in ast.walk(ast.parse(SOURCE.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pytest_mcp_conformance.")
        for alias in node.names
    }
    assert checked == set(pytest_mcp_conformance._HOME_OF) == {*pytest_mcp_conformance.__all__} - {"__version__"}
    assert sorted(pytest_mcp_conformance.__all__) == pytest_mcp_conformance.__all__


def test_another_name_is_none() -> None:
    with pytest.raises(AttributeError, match="'pytest_mcp_conformance' has no attribute 'peers'"):
        _ = pytest_mcp_conformance.peers  # type: ignore[attr-defined]


def test_importing_the_package_loads_no_other_module_of_it() -> None:
    program = (
        "import sys, pytest_mcp_conformance; print([n for n in sys.modules if n.startswith('pytest_mcp_conformance.')])"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "[]"


def test_every_public_name_is_in_the_documentation() -> None:
    page = (SOURCE.parent.parent / "docs" / "fixtures.md").read_text()
    assert [name for name in pytest_mcp_conformance.__all__ if f"`{name}`" not in page] == ["__version__"]


def test_every_public_name_has_its_types_tested_or_none() -> None:
    names = (SOURCE.parent.parent / "typing_tests" / "public_names.py").read_text()
    untested = {name for name in pytest_mcp_conformance.__all__ if name not in names}
    assert untested <= {"ConformanceError", "Misuse", "Nonconforming", "PeerUnreachable", "Prompt", "Resource", "Revision",
                        "__version__", "lacking", "truthy"}  # fmt: skip
