"""Completion: suggestions for the argument of a prompt.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import as_object
from pytest_mcp_conformance.model import Level, Needs, Requirement, SpecRef
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.prompts import WITH_ARGUMENTS

COMPLETION_COMPLETE = Requirement(
    id="completion-complete",
    name="CompletionComplete",
    level=Level.MUST,
    text="completion/complete is answered with a completion that has an array of values.",
    spec=(
        SpecRef(
            id="MCP-Completion",
            url="https://modelcontextprotocol.io/specification/2025-06-18/server/utilities/completion",
        ),
    ),
)


@server_scenario(
    name="completion-complete",
    introduced_in="2025-06-18",
    purpose="The server answers a completion request for a prompt argument with a list of values.",
    decides=(COMPLETION_COMPLETE,),
    needs=Needs(
        methods=(
            "completion/complete for arg1 of test_prompt_with_arguments, answered with an array of values, even an empty one",
        ),
        prompts=(WITH_ARGUMENTS,),
        capabilities=("completions",),
    ),
)
async def completion_complete(peer: Peer, checks: Checks) -> None:
    result = await peer.request(
        "completion/complete",
        {
            "ref": {"type": "ref/prompt", "name": WITH_ARGUMENTS.name},
            "argument": {"name": "arg1", "value": "test"},
        },
    )
    checks.decide(
        COMPLETION_COMPLETE,
        isinstance(as_object(result.get("completion")).get("values"), list),
        expected="a completion with an array of values",
        got=result,
        details={"result": result},
    )
