"""Imports point downwards only: pytest side, rules, scenarios, peers, protocol, model."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import pytest_mcp_conformance

PACKAGE = Path(pytest_mcp_conformance.__file__).parent
NAME = PACKAGE.name

# From the bottom up. A part may import from its own layer and from those above it in this list.
LAYERS = (
    {"json_values"},
    {"model", "exceptions", "bundled", "suite_id", "__init__"},
    {"protocol", "serving", "checks", "outcome_json", "judgement", "side_by_side"},
    {"peer", "mock_server", "reference", "oauth", "authorization", "stage"},
    {"scenarios"},
    {
        *{"registry", "suites", "selection", "verdict", "wire_checks", "scheduler", "targets"},
        *{"declared_options", "written_options", "options"},
        *{"running", "running_client", "running_authorization", "concluding"},
        *{
            "baseline",
            "baseline_file",
            "baseline_text",
            "baseline_update",
            "requirement_sets",
            "judging",
            "worker_options",
        },
    },
    {
        "reporting",
        "collection",
        "settling",
        "listing",
        "session",
        "fixtures",
        "suite_fixtures",
        "own_tests",
        "hookspecs",
        "contributed",
        "active",
        "suite",
        "expectations",
        "gate",
        "interactive",
        "console_names",
        "asking_aloud",
        "standard_output",
    },
    {"plugin", "cli"},
)
HEIGHT = {part: height for height, parts in enumerate(LAYERS) for part in parts}
PYTEST_SIDE = LAYERS[-1] | LAYERS[-2]


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        relative = path.relative_to(PACKAGE)
        yield (relative.parts[0] if len(relative.parts) > 1 else relative.stem), path


def imported(path: Path) -> Iterator[str]:
    """Give the modules that a file imports anywhere, but for those that only the type checker sees."""
    tree = ast.parse(path.read_text())
    hidden = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize(
    ("part", "path"), [pytest.param(*each, id=str(each[1].relative_to(PACKAGE))) for each in modules()]
)
def test_a_module_imports_only_from_its_own_layer_and_below(part: str, path: Path) -> None:
    assert part in HEIGHT, f"{part} has no layer: give it its place in LAYERS"
    for module in imported(path):
        if module.split(".")[0] != NAME:
            continue
        target = [*module.split("."), "__init__"][1]
        target = target if target in HEIGHT else "__init__"
        assert HEIGHT[target] <= HEIGHT[part], f"{path.relative_to(PACKAGE)} imports {module}, which is above it"


@pytest.mark.parametrize("part", sorted(HEIGHT.keys() - PYTEST_SIDE))
def test_only_the_pytest_side_knows_pytest(part: str) -> None:
    for owner, path in modules():
        if owner == part:
            assert not {"pytest", "_pytest"} & {module.split(".")[0] for module in imported(path)}, path
