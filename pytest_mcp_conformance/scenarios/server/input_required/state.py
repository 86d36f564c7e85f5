"""The state that travels through the client: given, taken back, and refused where it was altered.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements-basic-workflow
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import truthy
from pytest_mcp_conformance.model import Needs
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.input_required.rounds import (
    ELICIT,
    call_tool,
    decide_completed,
    form,
    own,
    published,
    tool,
)

STATE_GIVEN = published(
    "request-state-incomplete",
    "InputRequiredResultRequestStateIncomplete",
    "An input_required result gives a state that is a text, beside its requests.",
)
STATE_TAKEN = published(
    "request-state-complete",
    "InputRequiredResultRequestStateComplete",
    "The retry that brings the state back is answered with a complete result.",
)
TAMPERED = published(
    "reject-tampered-state",
    "RejectTamperedState",
    "A state that was altered on its way is refused with an error.",
)
UNTAMPERED = own(
    "accepts-untampered-state",
    "AcceptsUntamperedState",
    "The tool that refuses an altered state accepts the one that it gave.",
    place="server-requirements-basic-workflow",
)

STATE_TOOL = tool(
    "test_input_required_result_request_state",
    f"first an input_required result with one {ELICIT} (a form with the required boolean ok) and a requestState; with the"
    " answer and the state a complete result",
)
SEALED_TOOL = tool(
    "test_input_required_result_tampered_state",
    f"first an input_required result with one {ELICIT} (a form with the required boolean ok) and a requestState that is"
    " protected against changes; with the answer and an altered state an error, with the right one a complete result",
)
ALTERATION = "-TAMPERED"


@server_scenario(
    name="input-required-result-request-state",
    introduced_in="2026-07-28",
    purpose="The state comes with the request for input and is accepted when it comes back.",
    decides=(STATE_GIVEN, STATE_TAKEN),
    needs=Needs(tools=(STATE_TOOL,)),
)
async def request_state(peer: Peer, checks: Checks) -> None:
    first = await call_tool(peer, STATE_TOOL.name)
    given = isinstance(first.state, str) and truthy(first.state)
    if checks.decide(
        STATE_GIVEN,
        first.asks and given and truthy(first.result.get("inputRequests")),
        expected="an input_required result with inputRequests and a text as requestState",
        got=first.shown(),
        details=first.details(),
    ):
        last = await call_tool(peer, STATE_TOOL.name, first.first_answered(form(ok=True)))
        decide_completed(checks, STATE_TAKEN, last)


@server_scenario(
    name="input-required-result-tampered-state",
    introduced_in="2026-07-28",
    purpose="A state that was altered is refused, and only that.",
    decides=(TAMPERED, UNTAMPERED),
    needs=Needs(tools=(SEALED_TOOL,)),
)
async def tampered_state(peer: Peer, checks: Checks) -> None:
    first = await call_tool(peer, SEALED_TOOL.name)
    if not first.asks or not truthy(first.state) or not truthy(first.result.get("inputRequests")):
        expected = "an input_required result with inputRequests and a requestState, to have something to alter"
        checks.fail(TAMPERED, expected=expected, got=first.shown())
        return
    altered = {**first.first_answered(form(ok=True)), "requestState": f"{first.state}{ALTERATION}"}
    answer = await call_tool(peer, SEALED_TOOL.name, altered)
    # MUST reject state that fails verification: 2026-07-28, basic/patterns/mrtr, server requirements, item 4
    checks.decide(
        TAMPERED,
        answer.refused,
        expected="an error",
        got=answer.shown(),
        details={"tamperedResponse": answer.message.get("error" if answer.refused else "result")},
    )
    await untampered(peer, checks)


async def untampered(peer: Peer, checks: Checks) -> None:
    """Do it all again and alter nothing: a server that refuses every state passes the check before this one."""
    try:
        first = await call_tool(peer, SEALED_TOOL.name)
        decide_completed(
            checks, UNTAMPERED, await call_tool(peer, SEALED_TOOL.name, first.first_answered(form(ok=True)))
        )
    except Nonconforming as error:
        checks.fail(UNTAMPERED, expected="a complete result", got=error.got or error.message)
