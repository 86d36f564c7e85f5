"""Where the files that are not code lie: MCP's schemas and the requirement sets.

In a wheel they are folders of the package; in a checkout (also one installed editable) they are folders of the
repository, beside the package.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pytest_mcp_conformance.exceptions import HarnessError

PACKAGE = Path(__file__).resolve().parent


def schemas_folder() -> Path:
    """Return the folder of the JSON schemas: MCP's, one `<revision>.json` each, and those of our own files."""
    return _folder("schemas", package=PACKAGE)


def requirements_folder() -> Path:
    """Return the folder of the requirement sets, one `<revision>.yaml` each."""
    return _folder("requirements", package=PACKAGE)


@cache
def _folder(name: str, *, package: Path) -> Path:
    """Return the folder `name` that belongs to `package`.

    :raises HarnessError: the installation is incomplete.
    """
    packaged = package / name
    if packaged.is_dir():
        return packaged
    in_checkout = package.parent / name
    # Beside an installed package lies whatever else is installed; only a repository has its project file there.
    if in_checkout.is_dir() and (package.parent / "pyproject.toml").is_file():
        return in_checkout
    raise HarnessError(f"the folder {name!r} of this package is missing: neither {packaged} nor {in_checkout} is there")
