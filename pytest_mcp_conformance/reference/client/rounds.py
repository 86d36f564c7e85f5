"""Requests that are answered in rounds: the server asks for input, and the request is sent again with it. 2026-07-28.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
"""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, shown
from pytest_mcp_conformance.reference.client.failing import ClientFailure
from pytest_mcp_conformance.reference.client.faults import Fault, Faults
from pytest_mcp_conformance.reference.client.server_requests import Unanswerable, result_of
from pytest_mcp_conformance.reference.client.wire import NO_HEADERS, Wire

MAX_ROUNDS = 10  # of one request; a server that asks on and on is given up
COMPLETE, INPUT_REQUIRED = "complete", "input_required"
STATE = "requestState"


class Rounds:
    """Sends requests until their result is complete."""

    def __init__(self, wire: Wire, faults: Faults) -> None:
        self._wire = wire
        self._faults = faults
        self._leaked: JsonObject = {}

    async def request(self, method: str, params: JsonObject, *, headers: Mapping[str, str] = NO_HEADERS) -> JsonObject:
        """Send a request and return its complete result.

        :raises ClientFailure: as `Wire.request`; or the server asks for what cannot be given, or never stops asking.
        """
        added: JsonObject = self._leaked if Fault.STATE_LEAKED in self._faults else {}
        for _ in range(MAX_ROUNDS):
            # MUST NOT be used for any other request: what a round adds is forgotten with the next one
            result = await self._wire.request(method, {**params, **added}, headers=headers)
            if not self._wire.revision.stateless or self._type(result, method, added) == COMPLETE:
                return result
            added = self._added(method, result)
        raise ClientFailure(f"{method} asked for input {MAX_ROUNDS} times")

    def _type(self, result: JsonObject, method: str, added: JsonObject) -> str:
        """Return the type of a result.

        MUST be taken for complete where there is none, for an error where it is unknown: 2026-07-28, basic#responses
        """
        wrong = Fault.NO_TYPE_AS_INPUT_REQUIRED in self._faults and not added
        kind = result.get("resultType", INPUT_REQUIRED if wrong else COMPLETE)
        if kind not in (COMPLETE, INPUT_REQUIRED):
            raise ClientFailure(f"{method} has a result of type {shown(kind)}, which this client does not know")
        return str(kind)

    def _added(self, method: str, result: JsonObject) -> JsonObject:
        """Return what the next round has beside the original parameters."""
        added: JsonObject = {}
        # MUST be constructed before the request is sent again: …#client-requirements-basic-workflow, item 1
        if "inputRequests" in result or Fault.NO_TYPE_AS_INPUT_REQUIRED in self._faults:
            asked = as_object(result.get("inputRequests"))
            added["inputResponses"] = {key: self._answered(method, each) for key, each in asked.items()}
        # MUST be the exact value, MUST NOT be there without one: …#client-requirements-basic-workflow, item 2
        if STATE in result:
            state = result[STATE]
            added[STATE] = f"{state} " if Fault.STATE_ALTERED in self._faults else state
            self._leaked = {STATE: state}
        elif Fault.STATE_INVENTED in self._faults:
            added[STATE] = "made up"
        if not added:
            raise ClientFailure(f"{method} requires input and does not say which")
        return added

    def _answered(self, method: str, asked: JsonValue) -> JsonValue:
        request = as_object(asked)
        try:
            return result_of(request.get("method"), request.get("params"), self._wire.revision, self._faults)
        except Unanswerable as error:
            raise ClientFailure(f"{method} asks for {shown(asked)}: {error.message}") from error
