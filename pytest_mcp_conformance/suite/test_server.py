"""The server leg: each scenario at each revision of the plan is one test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_mcp_conformance.collection import PLAN

if TYPE_CHECKING:
    import pytest

    from pytest_mcp_conformance.settling import Settle


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one item of each planned scenario."""
    planned = metafunc.config.stash[PLAN]
    metafunc.parametrize("planned", [*planned], ids=[each.id for each in planned])


def test_server(mcp_verdict: Settle) -> None:
    """The server does what the scenario asks of it."""
    mcp_verdict()
