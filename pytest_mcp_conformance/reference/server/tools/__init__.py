"""The tools of the reference server, one file a theme."""

from __future__ import annotations

from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.reference.server.tools import changes, contents, forms, input_rounds, jobs, notices, schemas
from pytest_mcp_conformance.reference.server.tools.tool import Tool

__all__ = ["TOOLS", "Tool", "tools_at"]

# The order of the listing; the first one takes no arguments.
# SHOULD be the same every time: 2026-07-28, server/tools#capabilities
TOOLS = (
    *contents.TOOLS,
    *notices.TOOLS,
    *forms.TOOLS,
    *input_rounds.TOOLS,
    *schemas.TOOLS,
    *changes.TOOLS,
    *jobs.TOOLS,
)


def tools_at(revision: Revision) -> dict[str, Tool]:
    """Return the tools that are offered at `revision`, by name, in the order of the listing."""
    return {tool.name: tool for tool in TOOLS if tool.since <= revision}
