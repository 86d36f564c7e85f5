"""Answered calls: a client that was asked to call a tool has its result in the end. An addition.

Published checks look at what a client sends, also where it is refused.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/server/tools#calling-tools
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonValue
from pytest_mcp_conformance.mock_server import MockServer, Received
from pytest_mcp_conformance.model import Level, Requirement, SpecRef

SPECIFICATION = "https://modelcontextprotocol.io/specification/2025-11-25"

CALL_ANSWERED = Requirement(
    id="x-call-answered",
    name="ClientCallAnswered",
    level=Level.MUST,
    text="A call that the task asks for is sent so that a server answers it with a result: to a tool that there is, with what"
    " every request carries.",
    spec=(SpecRef(id="MCP-Calling-Tools", url=f"{SPECIFICATION}/server/tools#calling-tools"),),
    addition=True,
)
# SHOULD come back by GET with the id of the last event: 2025-11-25, basic/transports#resumability-and-redelivery, item 2
RESPONSE_FETCHED = replace(
    CALL_ANSWERED,
    level=Level.SHOULD,
    text="The client comes back to the stream of its call, with the id of the last event that it got there, and gets the"
    " response.",
    spec=(SpecRef(id="MCP-Resumability", url=f"{SPECIFICATION}/basic/transports#resumability-and-redelivery"),),
)


def decide_answered(server: MockServer, checks: Checks, *tools: str, requirement: Requirement = CALL_ANSWERED) -> None:
    """Decide the calls that came. That one did not come is decided elsewhere.

    :param tools: that the task names: each one that was called is to be answered; without names any one call is.
    """
    calls = _calls(server.requests)
    if not calls:
        checks.skip(requirement, "no tool was called")
        return
    answered = _calls(server.answered)
    named = {_name(call) for call in answered}
    lacking = [call for call in calls if _name(call) in tools and _name(call) not in named]
    wanted = [call for call in answered if not tools or _name(call) in tools]
    refused = lacking or calls
    got: list[JsonValue] = [_name(call) for call in refused]
    checks.decide(
        requirement,
        bool(wanted) and not lacking,
        expected=f"a call of {' and of '.join(tools) or 'a tool'} that is answered with a result",
        got={"calls without a result": got},
        entry=refused[-1].http.entry,
    )


def _calls(requests: Sequence[Received]) -> list[Received]:
    return [each for each in requests if each.method == "tools/call"]


def _name(call: Received) -> JsonValue:
    return call.params.get("name")
