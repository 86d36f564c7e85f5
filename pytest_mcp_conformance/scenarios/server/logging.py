"""Logging: the level a client sets, and the messages a running tool sends.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
"""

from __future__ import annotations

import asyncio

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import Level, Needs, Requirement, SpecRef, Tool
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.tool_results import call_tool, require_tool_result, well_formed

LOGGING = SpecRef(
    id="MCP-Logging", url="https://modelcontextprotocol.io/specification/2025-06-18/server/utilities/logging"
)
MESSAGES = 3  # that the tool logs
LATE_SECONDS = 0.2  # for messages that travel on the GET stream and may arrive after the result

LOGGING_SET_LEVEL = Requirement(
    id="logging-set-level",
    name="LoggingSetLevel",
    level=Level.MUST,
    text="logging/setLevel is answered with an empty result.",
    spec=(LOGGING,),
)
TOOLS_CALL_WITH_LOGGING = Requirement(
    id="tools-call-with-logging",
    name="ToolsCallWithLogging",
    level=Level.MUST,
    text=f"A tool that logs {MESSAGES} times makes the server send {MESSAGES} log notifications.",
    spec=(LOGGING,),
)


@server_scenario(
    name="logging-set-level",
    introduced_in="2025-06-18",
    removed_in="2026-07-28",
    purpose="The server accepts a change of the log level.",
    decides=(LOGGING_SET_LEVEL,),
    needs=Needs(methods=("logging/setLevel, answered with an empty result",), capabilities=("logging",)),
)
async def logging_set_level(peer: Peer, checks: Checks) -> None:
    result = await peer.request("logging/setLevel", {"level": "info"})
    checks.decide(LOGGING_SET_LEVEL, not result, expected="an empty result", got=result, details={"result": result})


@server_scenario(
    name="tools-call-with-logging",
    introduced_in="2025-06-18",
    removed_in="2026-07-28",
    waits=0.4,
    purpose="A running tool sends log notifications to the client.",
    decides=(TOOLS_CALL_WITH_LOGGING,),
    needs=Needs(
        tools=(
            Tool(
                name="test_tool_with_logging",
                behaviour="sends three notifications/message of level info with the data «Tool execution started», «Tool "
                "processing data» and «Tool execution completed», about 50 ms apart, and then its result",
                returns="one text content",
            ),
        ),
        methods=("logging/setLevel with the level debug, answered with an empty result",),
        capabilities=("logging",),
    ),
)
async def tools_call_with_logging(peer: Peer, checks: Checks) -> None:
    answered = await peer.request("logging/setLevel", {"level": "debug"})
    if answered.keys() - {"_meta"}:
        checks.fail(TOOLS_CALL_WITH_LOGGING, expected="an empty result of logging/setLevel", got=answered)
        return
    require_tool_result(await call_tool(peer, "test_tool_with_logging", {}), peer.judged_by)
    await asyncio.sleep(LATE_SECONDS)
    logs = [log.get("params") for log in log_notifications(peer)]
    checks.decide(
        TOOLS_CALL_WITH_LOGGING,
        len(logs) >= MESSAGES,
        expected=f"at least {MESSAGES} log notifications",
        got=logs,
        details={"logCount": len(logs), "logs": logs},
    )


def log_notifications(peer: Peer) -> list[JsonObject]:
    """Return the well-formed log notifications that arrived, of whatever level and stream."""
    return [
        each
        for each in peer.notifications
        if each["method"] == "notifications/message" and well_formed(each, peer.judged_by)
    ]
