"""Progress: what a running tool reports for the token of its request.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress
"""

from __future__ import annotations

from itertools import pairwise

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, is_number
from pytest_mcp_conformance.model import Level, Needs, Requirement, SpecRef, Tool
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.tool_results import call_tool, well_formed

TOKEN = "progress-test-1"  # noqa: S105 -- names a request, opens nothing
REPORTS = 3  # that the tool sends
COMPARABLE = 2  # fewest reports that can increase

TOOLS_CALL_WITH_PROGRESS = Requirement(
    id="tools-call-with-progress",
    name="ToolsCallWithProgress",
    level=Level.MUST,
    text=f"A tool that reports {REPORTS} times sends {REPORTS} progress notifications with the token of the request,"
    " and the progress does not decrease.",
    spec=(
        SpecRef(
            id="MCP-Progress",
            url="https://modelcontextprotocol.io/specification/2025-06-18/basic/utilities/progress",
        ),
    ),
)
PROGRESS_INCREASES = Requirement(
    id="x-progress-increases",
    name="ProgressIncreases",
    level=Level.MUST,
    text="Each progress notification for a token reports more progress than the one before.",
    spec=(
        SpecRef(
            id="MCP-Progress-Flow",
            url="https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress#progress-flow",
        ),
    ),
    addition=True,
)


@server_scenario(
    name="tools-call-with-progress",
    introduced_in="2025-06-18",
    waits=0.2,
    purpose="A running tool sends progress notifications for the token of its request.",
    decides=(TOOLS_CALL_WITH_PROGRESS, PROGRESS_INCREASES),
    needs=Needs(
        tools=(
            Tool(
                name="test_tool_with_progress",
                behaviour="sends three notifications/progress with the progressToken of the request, progress 0, 50 and 100,"
                " total 100, about 50 ms apart, and then its result",
                returns="one text content",
            ),
        ),
        capabilities=("tools",),
    ),
)
async def tools_call_with_progress(peer: Peer, checks: Checks) -> None:
    result = await call_tool(peer, "test_tool_with_progress", {}, meta={"progressToken": TOKEN})
    reports = progress_reports(peer)
    progress = [report["progress"] for report in reports[:REPORTS] if is_number(report["progress"])]
    checks.decide(
        TOOLS_CALL_WITH_PROGRESS,
        len(progress) >= REPORTS and all(earlier <= later for earlier, later in pairwise(progress)),
        expected=f"at least {REPORTS} notifications/progress with the token {TOKEN} and no decrease",
        got=reports,
        details={"progressCount": len(reports), "progressNotifications": [*reports], "result": result},
    )
    decide_increase(checks, [report["progress"] for report in reports])


def decide_increase(checks: Checks, progress: list[JsonValue]) -> None:
    """Decide over all reports: the published check looks at the first ones, and lets progress stand still."""
    if len(progress) < COMPARABLE:
        checks.skip(PROGRESS_INCREASES, "fewer than two reports came")
        return
    # MUST increase with each notification: 2025-03-26 to 2025-11-25, basic/utilities/progress#progress-flow; 2026-07-28,
    # basic/patterns/progress#progress-flow
    increases = all(
        is_number(earlier) and is_number(later) and earlier < later for earlier, later in pairwise(progress)
    )
    checks.decide(PROGRESS_INCREASES, increases, expected="more progress in each report", got=progress)


def progress_reports(peer: Peer) -> list[JsonObject]:
    """Return the params of the well-formed progress notifications for our token that arrived so far."""
    return [
        as_object(each["params"])
        for each in peer.notifications
        if each["method"] == "notifications/progress"
        and as_object(each.get("params")).get("progressToken") == TOKEN
        and well_formed(each, peer.judged_by)
    ]
