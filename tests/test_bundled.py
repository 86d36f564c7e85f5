"""The files that are not code are found from a wheel and from a checkout, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_mcp_conformance import bundled
from pytest_mcp_conformance.exceptions import HarnessError
from pytest_mcp_conformance.model import Revision


def test_the_schemas_of_every_revision_are_there() -> None:
    files = {path.name for path in bundled.schemas_folder().iterdir()}
    assert {f"{revision}.json" for revision in Revision} <= files


def test_the_folder_inside_an_installed_package_comes_first(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "package"
    (package / "schemas").mkdir(parents=True)
    (package.parent / "schemas").mkdir()
    (package.parent / "pyproject.toml").touch()
    assert bundled._folder("schemas", package=package) == package / "schemas"


def test_in_a_checkout_the_folder_is_beside_the_package(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "pyproject.toml").touch()
    assert bundled._folder("schemas", package=tmp_path / "package") == tmp_path / "schemas"


def test_another_installed_package_of_that_name_is_not_taken_for_ours(tmp_path: Path) -> None:
    (tmp_path / "requirements").mkdir()
    with pytest.raises(HarnessError, match="'requirements'"):
        bundled._folder("requirements", package=tmp_path / "package")
