"""More than one thing to ask: several requests in one result, and several rounds.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#basic-workflow
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonValue, as_object, same, truthy
from pytest_mcp_conformance.model import Needs, Requirement
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.input_required.rounds import (
    ELICIT,
    LIST_ROOTS,
    ROOTS,
    SAMPLE,
    Round,
    call_tool,
    decide_completed,
    form,
    published,
    sampled,
    tool,
)

ALL_ASKED = published(
    "multiple-inputs-incomplete",
    "InputRequiredResultMultipleInputsIncomplete",
    f"One input_required result holds {ELICIT}, {SAMPLE}, {LIST_ROOTS} and a state.",
)
ALL_DONE = published(
    "multiple-inputs-complete",
    "InputRequiredResultMultipleInputsComplete",
    "The retry that brings all answers is answered with a complete result.",
)
FIRST_ROUND = published(
    "multi-round-r1",
    "InputRequiredResultMultiRoundR1",
    "The first round asks for input and gives a state.",
)
SECOND_ROUND = published(
    "multi-round-r2",
    "InputRequiredResultMultiRoundR2",
    "The second round asks for input again and gives another state.",
)
LAST_ROUND = published(
    "multi-round-r3",
    "InputRequiredResultMultiRoundR3",
    "The third round is answered with a complete result.",
)

KINDS = 3  # of input that a server can ask for

ALL_KINDS_TOOL = tool(
    "test_input_required_result_multiple_inputs",
    f"first an input_required result with one {ELICIT} (a form with the required string name), one {SAMPLE}, one {LIST_ROOTS}"
    " and a requestState; with all answers and the state a complete result",
)
TWO_ROUNDS_TOOL = tool(
    "test_input_required_result_multi_round",
    f"first an input_required result with one {ELICIT} (a form with the required string name) and a requestState; with the"
    f" answer and the state another {ELICIT} (a form with the required string color) and another requestState; with these a"
    " complete result",
)


@server_scenario(
    name="input-required-result-multiple-input-requests",
    introduced_in="2026-07-28",
    purpose="A tool asks the user, the model and for the roots at once, and goes on with all answers.",
    decides=(ALL_ASKED, ALL_DONE),
    needs=Needs(tools=(ALL_KINDS_TOOL,)),
)
async def multiple_input_requests(peer: Peer, checks: Checks) -> None:
    first = await call_tool(peer, ALL_KINDS_TOOL.name)
    every_kind = len(first.requests) >= KINDS and {ELICIT, SAMPLE, LIST_ROOTS} <= {str(each) for each in first.methods}
    if not checks.decide(
        ALL_ASKED,
        first.asks and every_kind and truthy(first.state),
        expected=f"an input_required result with {ELICIT}, {SAMPLE}, {LIST_ROOTS} and a requestState",
        got=first.shown(),
        details=first.details(),
    ):
        return
    by_method = {ELICIT: form(name="Alice"), SAMPLE: sampled("Hello there!"), LIST_ROOTS: ROOTS}
    methods = {key: str(as_object(request).get("method")) for key, request in first.requests.items()}
    answers: dict[str, JsonValue] = {key: by_method[each] for key, each in methods.items() if each in by_method}
    decide_completed(checks, ALL_DONE, await call_tool(peer, ALL_KINDS_TOOL.name, first.answered(answers)))


@server_scenario(
    name="input-required-result-multi-round",
    introduced_in="2026-07-28",
    purpose="A tool asks twice, and keeps in its state where it is.",
    decides=(FIRST_ROUND, SECOND_ROUND, LAST_ROUND),
    needs=Needs(tools=(TWO_ROUNDS_TOOL,)),
)
async def multi_round(peer: Peer, checks: Checks) -> None:
    first = await call_tool(peer, TWO_ROUNDS_TOOL.name)
    if not decide_round(checks, FIRST_ROUND, first):
        return
    second = await call_tool(peer, TWO_ROUNDS_TOOL.name, first.first_answered(form(name="Alice")))
    if not decide_round(checks, SECOND_ROUND, second, after=first):
        return
    last = await call_tool(peer, TWO_ROUNDS_TOOL.name, second.first_answered(form(color="blue")))
    decide_completed(checks, LAST_ROUND, last)


def decide_round(checks: Checks, requirement: Requirement, current: Round, *, after: Round | None = None) -> bool:
    """Decide that a round asks and gives a state, another one than `after`."""
    another = after is None or not same(current.state, after.state)
    return checks.decide(
        requirement,
        current.asks and truthy(current.result.get("inputRequests")) and truthy(current.state) and another,
        expected="an input_required result with inputRequests and a requestState" + (", a new one" if after else ""),
        got=current.shown(),
        details=current.details(),
    )
