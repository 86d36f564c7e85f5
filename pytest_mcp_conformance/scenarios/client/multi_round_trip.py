"""Multi round-trip requests: a client fulfils what a result asks for, and sends its request again.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown, as_object, dumps, same, truthy
from pytest_mcp_conformance.mock_server import Answer, Handler, MockCall, MockTool, Received, Script
from pytest_mcp_conformance.mock_server.metadata import CLIENT_CAPABILITIES
from pytest_mcp_conformance.model import DRAFT, Level, Requirement, SpecRef
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.scenarios.client.capabilities import takes_forms
from pytest_mcp_conformance.scenarios.client.tool_lists import TAKEN
from pytest_mcp_conformance.scenarios.client.unobserved import not_observed
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.serving.http import json_reply
from pytest_mcp_conformance.serving.refusals import missing_capability
from pytest_mcp_conformance.stage import Stage

ECHO_STATE = "test_mrtr_echo_state"
NO_STATE = "test_mrtr_no_state"
UNRELATED = "test_mrtr_unrelated"
NO_RESULT_TYPE = "test_mrtr_no_result_type"
DESCRIPTIONS = {
    ECHO_STATE: "Asks for a confirmation, and for its state back",
    NO_STATE: "Asks for a confirmation, without a state",
    UNRELATED: "Asks for nothing",
    NO_RESULT_TYPE: "Gives a result without a type, as servers of before do",
}
RESPONSES, STATE = "inputResponses", "requestState"

SEP_2322 = (
    SpecRef(id="SEP-2322-MRTR", url="https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr"),
)

STATE_ECHOED = Requirement(
    id="sep-2322-client-request-state-echoed",
    name="MRTRClientRequestStateEchoed",
    level=Level.MUST,
    text="A retry carries the requestState that was given, character by character.",
    spec=SEP_2322,
)
ID_DIFFERS = Requirement(
    id="sep-2322-client-jsonrpc-id-different",
    name="MRTRClientJsonRpcIdDifferent",
    level=Level.MUST,
    text="A retry has another id than the request that it repeats.",
    spec=SEP_2322,
)
NO_STATE_INVENTED = Requirement(
    id="sep-2322-client-no-state-omitted",
    name="MRTRClientNoStateOmitted",
    level=Level.MUST,
    text="A retry has no requestState where none was given.",
    spec=SEP_2322,
)
OTHERS_UNTOUCHED = Requirement(
    id="sep-2322-client-parallel-isolation",
    name="MRTRClientParallelIsolation",
    level=Level.MUST,
    text="A call of another tool carries neither inputResponses nor requestState.",
    spec=SEP_2322,
)
COMPLETE_BY_DEFAULT = Requirement(
    id="sep-2322-default-result-type-complete",
    name="DefaultResultTypeComplete",
    level=Level.MUST,
    text="A result without resultType is taken as complete.",
    spec=SEP_2322,
)


@client_scenario(
    name="sep-2322-client-request-state",
    introduced_in="2026-07-28",
    purpose="A client that was asked for input sends requestState back unchanged and invents none, with a new id, and keeps"
    " both out of other calls; a result without resultType is complete for it.",
    task=f"Declare elicitation. Call {ECHO_STATE} and {NO_STATE}, answer what they ask for by accepting it, and send each call"
    f" again. Between the two requests of {ECHO_STATE}, call {UNRELATED}. Call {NO_RESULT_TYPE} once.",
    decides=(STATE_ECHOED, ID_DIFFERS, NO_STATE_INVENTED, OTHERS_UNTOUCHED, COMPLETE_BY_DEFAULT),
)
async def client_request_state(stage: Stage, checks: Checks) -> None:
    states = States(uuid.uuid4().hex)
    replies: dict[str, JsonObject | Handler] = {
        ECHO_STATE: lambda call: asking(call, state=states.of(call.id)),
        NO_STATE: asking,
        UNRELATED: TAKEN,
        NO_RESULT_TYPE: untyped,
    }
    tools = [
        MockTool(
            name=name,
            description=DESCRIPTIONS[name],
            input_schema={"type": "object", "properties": {}, "required": []},
            returns=returns,
        )
        for name, returns in replies.items()
    ]
    server = await stage.mock(Script(tools=tools, revisions=(DRAFT,)))
    await stage.client(server.url)
    calls = [each for each in server.requests if each.method == "tools/call"]
    decide_rounds(calls, states, checks, answered=server.answered)


class States:
    """The states that are given out: another one for every id, and nothing that can be guessed."""

    def __init__(self, nonce: str) -> None:
        self._nonce = nonce

    def of(self, id_: JsonValue) -> str:
        """Return the state for the request `id_`: JSON with spaces, so that whoever parses and writes it changes it."""
        return dumps({"nonce": self._nonce, "originalId": id_})


def asking(call: MockCall, *, state: str | None = None) -> Answer:
    """Answer a call with a request for input, and its repetition with a result."""
    if truthy(call.params.get(RESPONSES)):
        return TAKEN
    # MUST NOT ask for what the client did not declare: 2026-07-28, basic/patterns/mrtr#server-requirements-basic-workflow
    if not takes_forms(call.capabilities):
        raise missing_capability({"elicitation": {"form": {}}})
    schema: JsonObject = {"type": "object", "properties": {"confirmed": {"type": "boolean"}}}
    form: JsonObject = {"message": "Do you confirm?", "requestedSchema": schema}
    needed: JsonObject = {
        "resultType": "input_required",
        "inputRequests": {"confirm": {"method": "elicitation/create", "params": form}},
    }
    return needed if state is None else {**needed, STATE: state}


def untyped(call: MockCall) -> Answer:
    """Answer a call with a result that has no resultType: what servers of earlier revisions send."""
    return json_reply(json_rpc.result(call.id, TAKEN))


def decide_rounds(calls: Sequence[Received], states: States, checks: Checks, *, answered: Collection[Received]) -> None:
    """Decide the calls of a client, in the order in which they came.

    :param answered: those that got a result, and not an error.
    """
    _decide_echo(_named(calls, ECHO_STATE), states, checks)
    asked = any(each in answered and not _is_retry(each) for each in _named(calls, NO_STATE))
    retries = [each for each in _named(calls, NO_STATE) if asked and _is_retry(each)]
    for retry in retries:
        checks.decide(
            NO_STATE_INVENTED,
            STATE not in retry.params,
            expected="a retry without requestState",
            got=retry.params,
            details={"requestStateReceived": retry.params.get(STATE)},
        )
    if not retries:
        _missing(checks, NO_STATE_INVENTED, _without_retry(NO_STATE, calls))
    unrelated = _named(calls, UNRELATED)
    for call in unrelated:
        checks.decide(
            OTHERS_UNTOUCHED,
            not call.params.keys() & {RESPONSES, STATE},
            expected="neither inputResponses nor requestState",
            got=call.params,
            details={
                "inputResponsesReceived": call.params.get(RESPONSES),
                "requestStateReceived": call.params.get(STATE),
            },
        )
    if not unrelated:
        _missing(checks, OTHERS_UNTOUCHED, f"{UNRELATED} was not called")
    _decide_default(_named(calls, NO_RESULT_TYPE), checks, answered=answered)


def _decide_echo(calls: Sequence[Received], states: States, checks: Checks) -> None:
    originals: list[JsonValue] = []
    retried = False
    for call in calls:
        if not _is_retry(call):
            originals.append(call.id)
            continue
        retried = True
        received = call.params.get(STATE)
        # Several calls may be under way side by side: the state says which one is repeated; else it is the latest.
        original = next((id_ for id_ in originals if received == states.of(id_)), (originals or [None])[-1])
        sent = states.of(original) if originals else None
        checks.decide(
            STATE_ECHOED,
            sent is not None and received == sent,
            expected=f"requestState {dumps(sent)}" if sent else f"a call of {ECHO_STATE} before its retry",
            got=received,
            details={"requestStateSent": sent, "requestStateReceived": received, "originalId": original},
        )
        checks.decide(
            ID_DIFFERS,
            not (originals and same(original, call.id)),
            expected=f"another id than {dumps(original)}",
            got=call.id,
            details={"originalId": original, "retryId": call.id},
        )
    if not retried:
        for requirement in (STATE_ECHOED, ID_DIFFERS):
            _missing(checks, requirement, _without_retry(ECHO_STATE, calls))


def _decide_default(calls: Sequence[Received], checks: Checks, *, answered: Collection[Received]) -> None:
    if not any(each in answered for each in calls):
        told = "no call of it could be answered" if calls else "it was not called"
        _missing(checks, COMPLETE_BY_DEFAULT, f"{NO_RESULT_TYPE}: {told}")
        return
    retries = [each for each in calls if _is_retry(each)]
    checks.decide(
        COMPLETE_BY_DEFAULT,
        not retries,
        expected=f"{NO_RESULT_TYPE} to be called once and not again",
        got=retries[0].params if retries else Shown("no retry"),
    )


def _named(calls: Sequence[Received], tool: str) -> list[Received]:
    return [each for each in calls if each.params.get("name") == tool]


def _is_retry(call: Received) -> bool:
    return truthy(call.params.get(RESPONSES))


def _without_retry(tool: str, calls: Sequence[Received]) -> str:
    """Say why there is no retry of `tool`."""
    if any(map(_is_retry, _named(calls, tool))):
        return f"no call of {tool} could be answered, so nothing asked for its retry"
    declared = [as_object(as_object(each.params.get("_meta")).get(CLIENT_CAPABILITIES)) for each in _named(calls, tool)]
    if declared and not any(map(takes_forms, declared)):
        return f"{tool} was called without elicitation with forms among the declared capabilities, and so cannot ask for any"
    return f"no retry of {tool} was received"


def _missing(checks: Checks, requirement: Requirement, reason: str) -> None:
    not_observed(checks, requirement, reason, name=requirement.id)
