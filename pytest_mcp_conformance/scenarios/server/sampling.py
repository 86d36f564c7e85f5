"""Sampling: a tool asks the client for a completion by its model.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/client/sampling
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, Shown
from pytest_mcp_conformance.model import Level, Needs, Requirement, SpecRef, Tool
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.tool_results import call_tool, content_of, require_tool_result

TOOLS_CALL_SAMPLING = Requirement(
    id="tools-call-sampling",
    name="ToolsCallSampling",
    level=Level.MUST,
    text="A tool can ask the client for a completion while it runs, and then returns content.",
    spec=(
        SpecRef(
            id="MCP-Sampling",
            url="https://modelcontextprotocol.io/specification/2025-06-18/client/sampling",
        ),
    ),
)

COMPLETION: JsonObject = {
    "role": "assistant",
    "content": {"type": "text", "text": "This is a test response from the client"},
    "model": "test-model",
    "stopReason": "endTurn",
}


@server_scenario(
    name="tools-call-sampling",
    introduced_in="2025-06-18",
    removed_in="2026-07-28",
    purpose="A tool asks the client for an LLM completion while it runs.",
    decides=(TOOLS_CALL_SAMPLING,),
    needs=Needs(
        tools=(
            Tool(
                name="test_sampling",
                input_schema={
                    "type": "object",
                    "properties": {"prompt": {"type": "string"}},
                    "required": ["prompt"],
                },
                behaviour="sends sampling/createMessage during the call, with one message of role user that has the prompt as"
                " text, and maxTokens 100",
                returns="one text content: «LLM response: <text of the client's answer>»",
            ),
        ),
        capabilities=("tools",),
    ),
)
async def tools_call_sampling(peer: Peer, checks: Checks) -> None:
    asked: list[JsonObject] = []

    def complete(params: JsonObject) -> JsonObject:
        asked.append(params)
        return COMPLETION

    peer.answer("sampling/createMessage", complete)
    result = await call_tool(peer, "test_sampling", {"prompt": "Test prompt for sampling"})
    requested = bool(asked)
    require_tool_result(result, peer.judged_by)
    checks.decide(
        TOOLS_CALL_SAMPLING,
        requested and bool(content_of(result)),
        expected="a well-formed sampling/createMessage during the call, and content in its result",
        got=result if requested else Shown("no such request"),
        details={"samplingRequested": requested, "result": result},
    )
