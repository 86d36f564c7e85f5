"""What a client never did cannot have been right: published results have a FAILURE there, under a name of its own."""

from __future__ import annotations

from dataclasses import replace

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonValue
from pytest_mcp_conformance.model import Requirement, Status

NOT_OBSERVED = "NotObserved"


def not_observed(
    checks: Checks, requirement: Requirement, reason: str, *, name: str = NOT_OBSERVED, **details: JsonValue
) -> None:
    """Record that `requirement` could not be decided, as a FAILURE whatever its level.

    :param name: of the check; published.
    """
    checks.untestable(replace(requirement, name=name), reason, severity=Status.FAILURE, details=details)
