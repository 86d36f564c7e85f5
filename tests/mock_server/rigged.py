"""A mock server with what the scenarios of the published suite ask for, so that they can be run against it."""

from __future__ import annotations

import asyncio

from pytest_mcp_conformance.json_values import JsonObject, as_object
from pytest_mcp_conformance.mock_server import Answer, MockCall, MockPrompt, MockResource, MockTool, Script

PROMPTED: JsonObject = {"type": "object", "properties": {"prompt": {"type": "string"}}}
MIRRORED: JsonObject = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}


def progress(call: MockCall) -> str:
    for step in (0, 50, 100):
        call.notify(
            "notifications/progress", {"progressToken": call.meta["progressToken"], "progress": step, "total": 100}
        )
    return "done"


async def sampling(call: MockCall) -> str:
    message: JsonObject = {"role": "user", "content": {"type": "text", "text": call.arguments["prompt"]}}
    result = await call.ask("sampling/createMessage", {"messages": [message], "maxTokens": 100})
    return f"LLM response: {as_object(result['content'])['text']}"


async def reconnection(call: MockCall) -> str:
    call.close_connection()
    await asyncio.sleep(0)
    return "the rest"


def needing_sampling(call: MockCall) -> Answer:
    from pytest_mcp_conformance.serving.refusals import missing_capability

    if "sampling" not in call.capabilities:
        raise missing_capability({"sampling": {}})
    return {"content": [{"type": "text", "text": "sampled"}]}


async def elicitation(call: MockCall) -> Answer:
    asked: JsonObject = {
        "mode": "form",
        "message": "Who?",
        "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
    }
    return {"resultType": "input_required", "inputRequests": {"who": {"method": "elicitation/create", "params": asked}}}


def logged(call: MockCall) -> str:
    if "io.modelcontextprotocol/logLevel" in call.meta:
        call.notify("notifications/message", {"level": "info", "data": "hello"})
    return "logged"


RIGGED = Script(
    tools=[
        MockTool(name="test_simple_text", returns="This is a simple text response for testing."),
        MockTool(name="test_tool_with_progress", returns=progress),
        MockTool(name="test_sampling", input_schema=PROMPTED, returns=sampling),
        MockTool(name="test_reconnection", returns=reconnection),
        MockTool(name="test_missing_capability", returns=needing_sampling),
        MockTool(name="test_streaming_elicitation", returns=elicitation),
        MockTool(name="test_logging_tool", returns=logged),
        MockTool(name="mirrored", input_schema=MIRRORED, returns="mirrored"),
    ],
    resources=[
        MockResource(uri="test://static-text", contents="a text"),
        MockResource(uri="test://static-binary", mime_type="image/png", contents=b"\x89PNG"),
    ],
    prompts=[
        MockPrompt(name="test_simple_prompt", returns="a prompt"),
        MockPrompt(
            name="test_prompt_with_arguments",
            arguments=("arg1", "arg2"),
            returns=lambda call: f"{call.arguments['arg1']} and {call.arguments['arg2']}",
        ),
    ],
    answers={"completion/complete": {"completion": {"values": []}}},
)
