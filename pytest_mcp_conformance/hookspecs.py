"""The hooks through which a package or a `conftest.py` adds to a run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_mcp_conformance.model import Scenario


@pytest.hookspec
def pytest_mcp_scenarios() -> Iterable[Scenario]:  # type: ignore[empty-body]
    """Return scenarios of your own, each declared with `server_scenario`.

    They are selected, run, judged and reported as ours are; requirement sets leave them out. Their names must be new. A
    `conftest.py` is asked if pytest loads it at its start: the one in the root of the project, or in a folder that is named.
    """
