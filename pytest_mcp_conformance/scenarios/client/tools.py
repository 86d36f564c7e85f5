"""Tools: what a client calls.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/server/tools#calling-tools
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonValue, Shown
from pytest_mcp_conformance.mock_server import MockCall, MockTool, Script
from pytest_mcp_conformance.model import Level, Requirement, SpecRef
from pytest_mcp_conformance.scenarios.client.answered_calls import CALL_ANSWERED, decide_answered
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.serving.refusals import invalid_params
from pytest_mcp_conformance.stage import Stage

ADD_NUMBERS = Requirement(
    id="tool-add-numbers",
    name="ToolAddNumbers",
    level=Level.MUST,
    text="The client calls the tool with the two numbers that its input schema requires.",
    spec=(
        SpecRef(
            id="MCP-Tools",
            url="https://modelcontextprotocol.io/specification/2025-06-18/server/tools#calling-tools",
        ),
    ),
)


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _sum(call: MockCall) -> str:
    a, b = call.arguments.get("a"), call.arguments.get("b")
    if isinstance(a, int | float) and isinstance(b, int | float):
        return f"The sum is {a + b}"
    raise invalid_params("a and b are numbers")


ADD = MockTool(
    name="add_numbers",
    description="Adds two numbers",
    input_schema={
        "type": "object",
        "properties": {
            "a": {"type": "number", "description": "The first addend"},
            "b": {"type": "number", "description": "The second addend"},
        },
        "required": ["a", "b"],
    },
    returns=_sum,
)


@client_scenario(
    name="tools_call",
    introduced_in="2025-06-18",
    lists=frozenset({"core"}),
    purpose="The client calls a tool with two numbers.",
    task="List the tools, call the one that there is, add_numbers, with any numbers a and b, and end.",
    decides=(ADD_NUMBERS, CALL_ANSWERED),
)
async def tools_call(stage: Stage, checks: Checks) -> None:
    server = await stage.mock(Script(tools=[ADD], revisions=stage.revisions))
    await stage.client(server.url)
    calls = [each for each in server.requests if each.method == "tools/call"]
    arguments = calls[0].params.get("arguments") if calls else None
    given = arguments if isinstance(arguments, dict) else {}
    a, b = given.get("a"), given.get("b")
    checks.decide(
        ADD_NUMBERS,
        _is_number(a) and _is_number(b),
        expected="a call of add_numbers with numbers a and b",
        got=arguments if calls else Shown("no call of a tool"),
        details={"a": a, "b": b},
    )
    decide_answered(server, checks, ADD.name)
