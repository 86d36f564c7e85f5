"""What users write with the public names, checked by mypy and never run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_type

import pytest

from pytest_mcp_conformance import (
    Answer,
    BlockingPeer,
    Checks,
    Connect,
    ErrorAnswer,
    HttpReply,
    JsonObject,
    JsonValue,
    Level,
    MockCall,
    MockPrompt,
    MockResource,
    MockServer,
    MockTool,
    Needs,
    Peer,
    Received,
    Refusal,
    Requirement,
    RpcError,
    Scenario,
    ServerUnderTest,
    SpecRef,
    StartMockServer,
    Tool,
    Violation,
    as_list,
    as_object,
    first_of_type,
    server_scenario,
)


def test_a_function(mcp_connect: Connect, mcp_server: ServerUnderTest) -> None:
    assert_type(mcp_server.url, str)
    with mcp_connect("2025-11-25", validate=False, capabilities={}) as peer:
        assert_type(peer, BlockingPeer)
        assert_type(peer.request("tools/list", within=5), JsonObject)
        answer = peer.ask("tools/call", {"name": "a", "arguments": {"b": [1, None]}}, headers={"accept": None})
        assert_type(answer, Answer)
        assert_type(answer.error, RpcError | None)
        peer.notify("notifications/cancelled", {"requestId": 1})
        peer.answer("roots/list", lambda params: {"roots": [], "asked": params})
        assert_type(peer.notifications, list[JsonObject])


async def test_a_coroutine(mcp_connect: Connect) -> None:
    async with mcp_connect("draft") as peer:
        assert_type(peer, Peer)
        result = await peer.request("tools/list")
        assert_type(result, JsonObject)
        assert_type(as_list(result["tools"]), list[JsonValue])
        with pytest.raises(ErrorAnswer) as refused:
            await peer.request("tools/call", {"name": "a"})
        assert_type(refused.value.error, RpcError | None)
    mcp_connect(2025)  # type: ignore[arg-type]
    mcp_connect("2025-11-25", valid=True)  # type: ignore[call-arg]


def text(call: MockCall) -> str:
    """Give a text."""
    return str(call.arguments["a"])


async def whole(call: MockCall) -> JsonObject:
    """Give a whole result, after a question."""
    call.notify("notifications/progress", {"progressToken": 1, "progress": 1})
    return await call.ask("sampling/createMessage", {"messages": []})


async def either(call: MockCall) -> JsonObject | Refusal | HttpReply:
    """Give a result or not."""
    return {} if call.params else Refusal(-32000, "no")


def test_a_client(mcp_mock_server: StartMockServer) -> None:
    server = mcp_mock_server(
        tools=[MockTool(name="a", returns="text"), MockTool(name="b", returns=text), MockTool(name="c", returns=whole)],
        resources=[MockResource(uri="demo://a", contents=b"\x00"), MockResource(uri="demo://b", contents=either)],
        prompts=[MockPrompt(name="p", returns=text), MockPrompt(name="q", returns=Refusal(-32000, "no"))],
        answers={"a/data": {"b": 1}, "a/function": either, "a/coroutine": whole, "a/http": HttpReply(status=503)},
        revisions=["2025-11-25"],
    )
    assert_type(server, MockServer)
    assert_type(server.requests, tuple[Received, ...])
    assert_type(server.violations, tuple[Violation, ...])
    assert_type(server.requests[0].headers.get("accept"), str | None)
    MockTool(name="d", returns=5)  # type: ignore[arg-type]
    mcp_mock_server(answers={"a/number": 5})  # type: ignore[dict-item]


RULE = Requirement(
    id="rule", name="Rule", level=Level.SHOULD, text="It holds.", spec=(SpecRef(id="MCP", url="https://example.com"),)
)


@server_scenario(
    name="own",
    purpose="It is shown.",
    decides=(RULE,),
    introduced_in="2025-11-25",
    lists=frozenset({"house"}),
    needs=Needs(tools=(Tool(name="a"),)),
)
async def own(peer: Peer, checks: Checks) -> None:
    """Decide one rule."""
    result = await peer.request("tools/call", {"name": "a"})
    content = first_of_type(result.get("content"), "text")
    assert_type(as_object(content), JsonObject)
    checks.decide(RULE, content is not None, expected="a text", got=result)


assert_type(own, Scenario)


def pytest_mcp_scenarios() -> Iterable[Scenario]:
    """Contribute it."""
    return [own]


from pytest_mcp_conformance import nothing_of_this_name  # type: ignore[attr-defined]  # noqa: E402, F401
