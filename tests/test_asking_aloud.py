"""What a person is told in the middle of a run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TELLS = """
from pytest_mcp_conformance.asking_aloud import teller


def test_before(request):
    pass


def test_asks(request):
    tell = teller(request.config)
    tell("open this")
    tell("and agree")
"""


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        ([], "test_it.py .\nopen this\nand agree\n.  "),
        (["-v"], "test_it.py::test_asks \nopen this\nand agree\n\ntest_it.py::test_asks PASSED"),
    ],
)
def test_it_begins_on_a_line_of_its_own(tmp_path: Path, arguments: list[str], printed: str) -> None:
    (tmp_path / "test_it.py").write_text(TELLS)
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:asyncio", "test_it.py", *arguments],
        cwd=tmp_path,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=True,
        timeout=60,
    )
    assert printed in ended.stdout
