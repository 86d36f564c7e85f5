"""The authorization leg: each scenario at each revision of the plan is one test."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_mcp_conformance.settling import Settle


def test_authorization(mcp_verdict: Settle) -> None:
    """The authorization server does what the scenario asks of it."""
    mcp_verdict()
