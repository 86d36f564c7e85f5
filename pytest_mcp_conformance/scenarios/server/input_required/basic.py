"""One round of asking: a single request for input, of each kind, on tools and on prompts.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#basic-workflow
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import as_list, as_object, truthy
from pytest_mcp_conformance.model import Needs, Requirement
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.input_required.rounds import (
    ELICIT,
    ELICITING_TOOL,
    LIST_ROOTS,
    PROMPT,
    ROOTS,
    SAMPLE,
    Round,
    ask,
    call_tool,
    decide_completed,
    form,
    published,
    sampled,
    tool,
)

ELICITATION_ASKED = published(
    "elicitation-incomplete",
    "InputRequiredResultElicitationIncomplete",
    f"A tool that needs the user's name answers with an input_required result that holds {ELICIT}.",
)
ELICITATION_DONE = published(
    "elicitation-complete",
    "InputRequiredResultElicitationComplete",
    "The retry that brings the user's answer is answered with a complete result.",
)
SAMPLING_ASKED = published(
    "sampling-incomplete",
    "InputRequiredResultSamplingIncomplete",
    f"A tool that needs the client's model answers with an input_required result that holds {SAMPLE}.",
)
SAMPLING_DONE = published(
    "sampling-complete",
    "InputRequiredResultSamplingComplete",
    "The retry that brings the model's answer is answered with a complete result.",
)
ROOTS_ASKED = published(
    "list-roots-incomplete",
    "InputRequiredResultListRootsIncomplete",
    f"A tool that needs the client's roots answers with an input_required result that holds {LIST_ROOTS}.",
)
ROOTS_LISTED = published(
    "list-roots-complete",
    "InputRequiredResultListRootsComplete",
    "The retry that brings the roots is answered with a complete result.",
)
PROMPT_ASKED = published(
    "non-tool-incomplete",
    "InputRequiredResultNonToolIncomplete",
    "prompts/get that needs more answers with an input_required result that holds requests.",
)
PROMPT_DONE = published(
    "non-tool-complete",
    "InputRequiredResultNonToolComplete",
    "The retry of prompts/get that brings the answer is answered with the messages of the prompt.",
)

SAMPLING_TOOL = tool(
    "test_input_required_result_sampling",
    f"without an answer an input_required result with one {SAMPLE}; with it a complete result",
)
ROOTS_TOOL = tool(
    "test_input_required_result_list_roots",
    f"without an answer an input_required result with one {LIST_ROOTS}; with it a complete result",
)


@server_scenario(
    name="input-required-result-basic-elicitation",
    introduced_in="2026-07-28",
    purpose="A tool asks the user, and goes on with the answer.",
    decides=(ELICITATION_ASKED, ELICITATION_DONE),
    needs=Needs(tools=(ELICITING_TOOL,)),
)
async def basic_elicitation(peer: Peer, checks: Checks) -> None:
    first = await call_tool(peer, ELICITING_TOOL.name)
    asked = as_object(first.requests.get("user_name")).get("method")
    if not checks.decide(
        ELICITATION_ASKED,
        first.asks and asked == ELICIT,
        expected=f"an input_required result with {ELICIT} under user_name",
        got=first.shown(),
        details=first.details(),
    ):
        return
    last = await call_tool(peer, ELICITING_TOOL.name, first.answered({"user_name": form(name="Alice")}))
    checks.decide(
        ELICITATION_DONE,
        last.complete and bool(as_list(last.result.get("content"))),
        expected="a complete result with content",
        got=last.shown(),
        details=last.details(),
    )


@server_scenario(
    name="input-required-result-basic-sampling",
    introduced_in="2026-07-28",
    purpose="A tool asks the client's model, and goes on with the answer.",
    decides=(SAMPLING_ASKED, SAMPLING_DONE),
    needs=Needs(tools=(SAMPLING_TOOL,)),
)
async def basic_sampling(peer: Peer, checks: Checks) -> None:
    first = await call_tool(peer, SAMPLING_TOOL.name)
    if decide_asked(checks, SAMPLING_ASKED, first, SAMPLE):
        answer = sampled("The capital of France is Paris.")
        decide_completed(checks, SAMPLING_DONE, await call_tool(peer, SAMPLING_TOOL.name, first.first_answered(answer)))


@server_scenario(
    name="input-required-result-basic-list-roots",
    introduced_in="2026-07-28",
    purpose="A tool asks for the client's roots, and goes on with them.",
    decides=(ROOTS_ASKED, ROOTS_LISTED),
    needs=Needs(tools=(ROOTS_TOOL,)),
)
async def basic_list_roots(peer: Peer, checks: Checks) -> None:
    first = await call_tool(peer, ROOTS_TOOL.name)
    if decide_asked(checks, ROOTS_ASKED, first, LIST_ROOTS):
        decide_completed(checks, ROOTS_LISTED, await call_tool(peer, ROOTS_TOOL.name, first.first_answered(ROOTS)))


def decide_asked(checks: Checks, requirement: Requirement, first: Round, method: str) -> bool:
    """Decide that the first request for input is one of `method`."""
    return checks.decide(
        requirement,
        first.asks and first.methods[:1] == [method],
        expected=f"an input_required result with {method}",
        got=first.shown(),
        details=first.details(),
    )


@server_scenario(
    name="input-required-result-non-tool-request",
    introduced_in="2026-07-28",
    purpose="A prompt asks the user, and goes on with the answer.",
    decides=(PROMPT_ASKED, PROMPT_DONE),
    needs=Needs(prompts=(PROMPT,)),
)
async def non_tool_request(peer: Peer, checks: Checks) -> None:
    first = await ask(peer, "prompts/get", {"name": PROMPT.name})
    if not checks.decide(
        PROMPT_ASKED,
        first.asks and truthy(first.result.get("inputRequests")),
        expected="an input_required result with inputRequests",
        got=first.shown(),
        details=first.details(),
    ):
        return
    answer = first.first_answered(form(context="test context"))
    last = await ask(peer, "prompts/get", {"name": PROMPT.name, **answer})
    checks.decide(
        PROMPT_DONE,
        last.complete and truthy(last.result.get("messages")),
        expected="a complete result with messages",
        got=last.shown(),
        details=last.details(),
    )
