"""What the client answers when a server asks something: on a stream, or as input to a request.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/client
"""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.reference.client.faults import Faults
from pytest_mcp_conformance.reference.client.forms import filled_in

ROOTS: JsonObject = {"roots": [{"uri": "file:///workspace", "name": "workspace"}]}
SAMPLED: JsonObject = {
    "role": "assistant",
    "content": {"type": "text", "text": "This is what a model might say."},
    "model": "no-model",
    "stopReason": "endTurn",
}


class Unanswerable(Exception):
    """The request cannot be answered: an error of JSON-RPC says why."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def result_of(method: JsonValue, params: JsonValue, revision: Revision, faults: Faults) -> JsonObject:
    """Return the result of a server's request.

    :raises Unanswerable: there is no such method, or what it asks for was not declared.
    """
    match method:
        case "roots/list":
            return ROOTS
        case "sampling/createMessage":
            return SAMPLED
        case "elicitation/create" if revision >= Revision.V2025_06_18:
            return _elicited(as_object(params), faults)
        # MUST be answered promptly: 2025-03-26 to 2025-11-25, basic/utilities/ping
        case "ping" if not revision.stateless:
            return {}
        case _:
            raise Unanswerable(json_rpc.METHOD_NOT_FOUND, "This client does not have that method")


def _elicited(params: JsonObject, faults: Faults) -> JsonObject:
    # MUST be -32602 for a mode that was not declared: 2025-11-25, client/elicitation#error-handling
    if params.get("mode", "form") != "form":
        raise Unanswerable(json_rpc.INVALID_PARAMS, "This client has forms only")
    if not isinstance(params.get("requestedSchema"), dict):
        raise Unanswerable(json_rpc.INVALID_PARAMS, "requestedSchema is an object")
    return filled_in(params, faults)
