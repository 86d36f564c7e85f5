"""Answers that are not what was asked for: missing, superfluous, malformed.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#error-handling
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import Level, Needs, Requirement
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.input_required.rounds import (
    ELICIT,
    ELICITING_TOOL,
    INPUT_REQUIRED,
    Round,
    call_tool,
    form,
    own,
    published,
)

MISSING = published(
    "missing-response-rerequests",
    "InputRequiredResultMissingResponseRerequests",
    "A retry without the answer that is needed is answered with a request for input.",
    Level.SHOULD,
)
MISSING_NAMED = own(
    "missing-response-is-requested-again",
    "MissingResponseIsRequestedAgain",
    "A retry without the answer that is needed is answered with a request for that input.",
    place="error-handling",
    level=Level.SHOULD,
)
SUPERFLUOUS = published(
    "ignore-unexpected-params",
    "IgnoreUnexpectedParams",
    "Answers that nobody asked for are ignored.",
    Level.SHOULD,
)
MALFORMED_ANSWER = published(
    "validate-input-responses",
    "ValidateInputResponses",
    "An answer that is no object is not accepted.",
    Level.SHOULD,
)
NO_ANSWERS = published(
    "error-on-protocol-error",
    "ErrorOnProtocolError",
    "inputResponses that are null are not accepted.",
    Level.SHOULD,
)
NO_ANSWERS_ERROR = own(
    "malformed-responses-are-an-error",
    "MalformedResponsesAreAnError",
    "inputResponses that are null are refused with an error.",
    place="error-handling",
    level=Level.SHOULD,
)


@server_scenario(
    name="input-required-result-missing-input-response",
    introduced_in="2026-07-28",
    purpose="A server that misses an answer asks again.",
    decides=(MISSING, MISSING_NAMED),
    needs=Needs(tools=(ELICITING_TOOL,)),
)
async def missing_input_response(peer: Peer, checks: Checks) -> None:
    # SHOULD ask again rather than refuse: 2026-07-28, basic/patterns/mrtr#error-handling
    answer = await _with_answers(peer, checks, MISSING, {"wrong_key": form(data="wrong")})
    if answer is None:
        return
    checks.decide(
        MISSING, answer.asks, expected=f"an {INPUT_REQUIRED} result", got=answer.shown(), details=answer.details()
    )
    checks.decide(
        MISSING_NAMED,
        answer.asks and ELICIT in answer.methods,
        expected=f"an {INPUT_REQUIRED} result with {ELICIT}",
        got=answer.shown(),
    )


@server_scenario(
    name="input-required-result-ignore-extra-params",
    introduced_in="2026-07-28",
    purpose="A server ignores answers that it did not ask for.",
    decides=(SUPERFLUOUS,),
    needs=Needs(tools=(ELICITING_TOOL,)),
)
async def ignore_extra_params(peer: Peer, checks: Checks) -> None:
    # SHOULD be ignored: 2026-07-28, basic/patterns/mrtr#error-handling
    given: JsonObject = {
        "user_name": form(name="Alice"),
        "unknown_extra_key": form(foo="bar"),
        "another_unexpected": form(baz=123),
    }
    answer = await _with_answers(peer, checks, SUPERFLUOUS, given)
    if answer is not None:
        checks.decide(
            SUPERFLUOUS,
            answer.complete,
            expected="a complete result",
            got=answer.shown(),
            details=answer.details(),
        )


@server_scenario(
    name="input-required-result-validate-input",
    introduced_in="2026-07-28",
    purpose="A server does not take for an answer what is none.",
    decides=(MALFORMED_ANSWER, NO_ANSWERS, NO_ANSWERS_ERROR),
    needs=Needs(tools=(ELICITING_TOOL,)),
)
async def validate_input(peer: Peer, checks: Checks) -> None:
    # SHOULD be validated: 2026-07-28, basic/patterns/mrtr#error-handling
    wrong = await _with_answers(peer, checks, MALFORMED_ANSWER, {"user_name": 12345}, malformed=True)
    if wrong is None:
        return
    _decide_not_taken(checks, MALFORMED_ANSWER, wrong)
    none = await _with_answers(peer, checks, MALFORMED_ANSWER, None, malformed=True)
    if none is None:
        return
    _decide_not_taken(checks, NO_ANSWERS, none)
    # SHOULD be an error, as a schema that is broken is one of the protocol: 2026-07-28, basic/patterns/mrtr#error-handling
    checks.decide(NO_ANSWERS_ERROR, none.refused, expected="an error", got=none.shown())


async def _with_answers(
    peer: Peer, checks: Checks, requirement: Requirement, given: JsonObject | None, *, malformed: bool = False
) -> Round | None:
    """Call the tool with these answers in the first round. Where no answer comes, record it as published: a WARNING."""
    try:
        return await call_tool(peer, ELICITING_TOOL.name, {"inputResponses": given}, malformed=malformed)
    except Nonconforming as error:
        checks.warn(requirement, expected="an answer", got=error.got or error.message)
        return None


def _decide_not_taken(checks: Checks, requirement: Requirement, answer: Round) -> None:
    details: JsonObject = {name: value for name, value in answer.message.items() if name in ("result", "error")}
    checks.decide(
        requirement,
        not answer.complete,
        expected=f"an error or an {INPUT_REQUIRED} result",
        got=answer.shown(),
        details=details,
    )
