"""Requests that take several rounds: what the client answered so far, and what is asked next.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object
from pytest_mcp_conformance.reference.server.calls import Call, Handler
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.input_requests import (
    InputRequest,
    needed_capability,
    why_unusable,
)
from pytest_mcp_conformance.reference.server.world import World
from pytest_mcp_conformance.serving.incoming import (
    Request,
    optional_object,
)
from pytest_mcp_conformance.serving.refusals import (
    invalid_params,
)

# MUST NOT ask on any other request: 2026-07-28, basic/patterns/mrtr#supported-requests
SUPPORTED_REQUESTS = frozenset({"tools/call", "prompts/get", "resources/read"})
MADE_UP: JsonObject = {"action": "decline", "content": {"type": "text", "text": "42"}, "roots": []}


class InputRequired(Exception):
    """The request cannot be answered before the client has given its input: this is the result instead."""

    def __init__(self, result: JsonObject) -> None:
        super().__init__("input required")
        self.result = result


class Rounds:
    """What a request brought along from earlier rounds; other requests than those that can be asked bring nothing.

    :raises Refusal: the answers are malformed, or the state is not the one that was given out.
    """

    def __init__(self, world: World, request: Request) -> None:
        self._world = world
        self._request = request
        asked = request.method in SUPPORTED_REQUESTS
        self._given = self._input_responses() if asked else {}
        self._state = self._request_state() if asked else {}
        self._answers: dict[str, JsonValue] = dict(as_object(self._state.get("answers")))

    def _input_responses(self) -> JsonObject:
        taken_for_none = self._world.faults & {Fault.INPUT_NULL_TAKEN, Fault.INPUT_NULL_AS_NONE}
        if taken_for_none and self._request.params.get("inputResponses", {}) is None:
            return {}
        given = optional_object(self._request.params, "inputResponses")
        # SHOULD be validated: 2026-07-28, basic/patterns/mrtr#error-handling
        if Fault.INPUT_UNVALIDATED not in self._world.faults and not all(
            isinstance(answer, dict) for answer in given.values()
        ):
            raise invalid_params("inputResponses holds the results of the requests that were made")
        return given

    def _request_state(self) -> JsonObject:
        if "requestState" not in self._request.params:
            return {}
        state = self._request.params["requestState"]
        if not isinstance(state, str):
            raise invalid_params("requestState is a string")
        return self._world.sealer.open(state, self._request)

    def answers(
        self, requests: Mapping[str, InputRequest], *, require: Callable[[JsonObject], None], sealed: bool
    ) -> Mapping[str, JsonObject]:
        """Return the answers to `requests` that came with this request and the state of earlier rounds.

        :param require: refuses the request if the client did not declare a capability.
        :param sealed: the answers count only together with the state that was sent along with the requests.
        :raises InputRequired: answers are missing.
        :raises Refusal: an answer is malformed.
        """
        if self._makes_up_answers():
            return dict.fromkeys(requests, MADE_UP)
        missing: dict[str, InputRequest] = {}
        for key, request in requests.items():
            if key in self._answers:  # in an earlier round; the state vouches for it
                continue
            if key not in self._given or (sealed and key not in as_list(self._state.get("asked"))):
                missing[key] = request
                continue
            problem = why_unusable(request, self._given[key])
            if problem is not None and Fault.INPUT_UNVALIDATED not in self._world.faults:
                raise invalid_params(f"inputResponses.{key}: {problem}")
            self._answers[key] = self._given[key]
        if self._given:
            self._refuse_by_fault(missing, requests)
        if Fault.INPUT_ASKED_FOREVER in self._world.faults:
            missing = dict(requests)
        if missing:
            raise InputRequired(self._asking(missing, require=require, sealed=sealed))
        return {key: as_object(self._answers[key]) for key in requests}

    def _makes_up_answers(self) -> bool:
        if "inputResponses" in self._request.params and self._request.params["inputResponses"] is None:
            return Fault.INPUT_NULL_TAKEN in self._world.faults
        return Fault.INPUT_NEVER_ASKED in self._world.faults

    def _refuse_by_fault(self, missing: Mapping[str, InputRequest], requests: Mapping[str, InputRequest]) -> None:
        if missing and Fault.INPUT_REFUSED_WHEN_INCOMPLETE in self._world.faults:
            raise invalid_params("An answer is missing")
        if self._given.keys() - requests.keys() and Fault.INPUT_EXTRA_REFUSED in self._world.faults:
            raise invalid_params("An answer was not asked for")

    def _asking(
        self, missing: Mapping[str, InputRequest], *, require: Callable[[JsonObject], None], sealed: bool
    ) -> JsonObject:
        for request in missing.values():
            # MUST NOT ask for what was not declared: 2026-07-28, basic/patterns/mrtr, server requirements, item 7
            require(needed_capability(request))
        result: JsonObject = {
            "resultType": "input_required",
            "inputRequests": {key: request.as_json() for key, request in missing.items()},
        }
        if (sealed or self._answers) and Fault.STATE_OMITTED not in self._world.faults:
            content: JsonObject = {"answers": self._answers, "asked": list(missing)}
            result["requestState"] = self._world.sealer.seal(content, self._request)
        return result


def or_ask(handler: Handler) -> Handler:
    """Return `handler`, with what it needs to ask as its result."""

    async def answer(call: Call) -> JsonObject:
        try:
            return await handler(call)
        except InputRequired as required:
            return required.result

    return answer
