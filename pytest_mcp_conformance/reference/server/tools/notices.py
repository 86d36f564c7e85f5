"""Tools that speak while they run: log messages, progress, a stream that is closed in between.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress
"""

from __future__ import annotations

import asyncio

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.reference.server import content
from pytest_mcp_conformance.reference.server.calls import Call, ToolFailure
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.tools.tool import tool

PAUSE_SECONDS = 0.02  # between two notifications: they are events of their own, not one packet
AWAY_SECONDS = 0.1  # that a call goes on after its connection was closed


@tool("test_tool_with_logging", "Sends three log messages while it runs.")
async def with_logging(call: Call, _arguments: JsonObject) -> JsonObject:
    """Log start, work and end."""
    call.log("info", "Tool execution started")
    await asyncio.sleep(PAUSE_SECONDS)
    call.log("info", "Tool processing data")
    await asyncio.sleep(PAUSE_SECONDS)
    call.log("info", "Tool execution completed")
    return content.tool_result(content.text("Three log messages were sent."))


@tool("test_logging_tool", "Sends one log message if it is asked for.")
async def logging_tool(call: Call, _arguments: JsonObject) -> JsonObject:
    """Log once."""
    call.log("info", "The logging tool runs")
    return content.tool_result(content.text("Logging evaluated"))


@tool("test_tool_with_progress", "Tells three times how far it has come.")
async def with_progress(call: Call, _arguments: JsonObject) -> JsonObject:
    """Report nothing, half and all of the work.

    MUST increase with each notification: 2025-11-25, basic/utilities/progress#progress-flow
    """
    steps = (0, 50, 100)
    if Fault.PROGRESS_GOES_BACK in call.world.faults:
        steps = (0, 50, 10)
    elif Fault.PROGRESS_STANDS_STILL in call.world.faults:
        steps = (0, 50, 50)
    for done in steps:
        call.progress(done, total=100, message=f"{done} of 100 steps done")
        await asyncio.sleep(PAUSE_SECONDS)
    return content.tool_result(content.text("Progress was reported."))


@tool("test_streaming_elicitation", "Answers on a stream of its own, with progress if that is asked for.")
async def streaming(call: Call, _arguments: JsonObject) -> JsonObject:
    """Stream the answer whatever else there is to say."""
    call.exchange.open_stream()
    call.progress(1, total=1, message="Almost there")
    if Fault.REQUEST_ON_STREAM in call.world.faults:
        call.exchange.send(json_rpc.request("server-1", "roots/list", {}))
    return content.tool_result(content.text("Streaming complete"))


@tool("test_reconnection", "Closes the connection while it runs; the result waits for the client to come back.")
async def reconnection(call: Call, _arguments: JsonObject) -> JsonObject:
    """Close the connection and go on.

    MAY close the connection after an event with an id: 2025-11-25,
    basic/transports#sending-messages-to-the-server, item 6
    """
    if Fault.RECONNECTION_TOOL_FAILS in call.world.faults:
        call.exchange.open_stream()
        raise ToolFailure("The connection cannot be closed")
    call.close_connection()
    await asyncio.sleep(AWAY_SECONDS)
    return content.tool_result(content.text("The client came back."))


TOOLS = (with_logging, logging_tool, with_progress, streaming, reconnection)
