"""Where asking for input ends: the type of the result, the methods that may ask, the client's capabilities.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#supported-requests and
#server-requirements-basic-workflow
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.model import Needs
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.peer.stateless import META
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.input_required.rounds import (
    ELICIT,
    ELICITING_TOOL,
    INPUT_REQUIRED,
    PROMPT,
    SAMPLE,
    ask,
    call_tool,
    own,
    published,
    tool,
)

RESULT_TYPE = published(
    "result-type-included",
    "ResultTypeIncluded",
    "A result that asks for input says so in its resultType.",
)
NOT_ON_LISTS = published(
    "not-on-unsupported-requests",
    "NotOnUnsupportedRequests",
    "tools/list and prompts/list are not answered with a request for input.",
)
NOWHERE_ELSE = own(
    "input-required-on-supported-requests-only",
    "InputRequiredOnSupportedRequestsOnly",
    "Only prompts/get, resources/read and tools/call are answered with a request for input.",
    place="supported-requests",
)
WITHIN_CAPABILITIES = published(
    "respect-client-capabilities",
    "RespectClientCapabilities",
    f"A request that does not declare elicitation is not answered with {ELICIT}.",
)
NOTHING_UNDECLARED = own(
    "input-requests-within-capabilities",
    "InputRequestsWithinCapabilities",
    f"A request that declares sampling alone is answered with no other request for input than {SAMPLE}.",
    place="server-requirements-basic-workflow",
)

CAPABILITIES_TOOL = tool(
    "test_input_required_result_capabilities",
    f"an input_required result with {ELICIT} only if the request declares elicitation, and {SAMPLE} only if it declares"
    " sampling",
)


@server_scenario(
    name="input-required-result-result-type",
    introduced_in="2026-07-28",
    purpose="A result that asks for input says so.",
    decides=(RESULT_TYPE,),
    needs=Needs(tools=(ELICITING_TOOL,)),
)
async def result_type(peer: Peer, checks: Checks) -> None:
    first = await call_tool(peer, ELICITING_TOOL.name)
    # MUST include a resultType: 2026-07-28, basic#result-responses
    checks.decide(
        RESULT_TYPE,
        first.asks,
        expected=f"a result with resultType {INPUT_REQUIRED}",
        got=first.shown(),
        details=first.details(),
    )


@server_scenario(
    name="input-required-result-unsupported-methods",
    introduced_in="2026-07-28",
    purpose="Methods that list do not ask for input.",
    decides=(NOT_ON_LISTS, NOWHERE_ELSE),
    needs=Needs(methods=("tools/list and prompts/list, or an error for them",)),
)
async def unsupported_methods(peer: Peer, checks: Checks) -> None:
    # MUST NOT be the answer to any other request: 2026-07-28, basic/patterns/mrtr#supported-requests
    asking = [method for method in ("tools/list", "prompts/list") if (await ask(peer, method, {})).asks]
    checks.decide(NOT_ON_LISTS, not asking, expected=f"no {INPUT_REQUIRED} result", got=asking)

    completing: JsonObject = {
        "ref": {"type": "ref/prompt", "name": PROMPT.name},
        "argument": {"name": "context", "value": ""},
    }
    others: dict[str, JsonObject] = {
        "server/discover": {},
        "resources/list": {},
        "resources/templates/list": {},
        "completion/complete": completing,
    }
    for method, params in others.items():
        try:
            if (await ask(peer, method, params)).asks:
                asking.append(method)
        except Nonconforming:  # whether the method is served at all is not the question here
            continue
    checks.decide(NOWHERE_ELSE, not asking, expected=f"no {INPUT_REQUIRED} result", got=asking)


@server_scenario(
    name="input-required-result-capability-check",
    introduced_in="2026-07-28",
    purpose="A server asks only for what the request declares.",
    decides=(WITHIN_CAPABILITIES, NOTHING_UNDECLARED),
    needs=Needs(tools=(CAPABILITIES_TOOL,)),
)
async def capability_check(peer: Peer, checks: Checks) -> None:
    declared: JsonObject = {"_meta": {f"{META}clientCapabilities": {"sampling": {}}}}
    first = await call_tool(peer, CAPABILITIES_TOOL.name, declared)
    if not first.asks:
        expected = f"an {INPUT_REQUIRED} result that makes do with sampling"
        checks.fail(WITHIN_CAPABILITIES, expected=expected, got=first.shown(), details=first.details())
        return
    if not first.requests:
        reason = "the result asks for nothing"
        checks.untestable(WITHIN_CAPABILITIES, reason, details=first.details())
        return
    # MUST NOT ask for what the client did not declare: 2026-07-28, basic/patterns/mrtr, server requirements, item 7
    checks.decide(
        WITHIN_CAPABILITIES,
        ELICIT not in first.methods and all(isinstance(each, dict) for each in first.requests.values()),
        expected=f"requests without {ELICIT}",
        got=first.shown(),
        details=first.details(),
    )
    undeclared: list[JsonValue] = [method for method in first.methods if method != SAMPLE]
    checks.decide(NOTHING_UNDECLARED, not undeclared, expected=f"{SAMPLE} and nothing else", got=undeclared)
