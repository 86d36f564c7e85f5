"""Which revisions the server of a scenario speaks, where the scenario belongs to one wire."""

from __future__ import annotations

from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.stage import Stage


def stateful_revisions(stage: Stage) -> tuple[Revision, ...]:
    """Return the stateful revisions up to that of the run; all of them where a run for the stateless wire is forced."""
    return tuple(each for each in Revision if each <= stage.revision and not each.stateless)
