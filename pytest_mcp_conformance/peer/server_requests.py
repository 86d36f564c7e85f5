"""How requests from the server are answered: ping always, the rest as the scenario says."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.json_values import JsonObject, as_object
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.peer.api import ServerRequestHandler
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.wire_schema import violations


def reply_to(request: JsonObject, handlers: Mapping[str, ServerRequestHandler], *, revision: Revision) -> JsonObject:
    """Return the response to a request of the server."""
    id_, method, params = request.get("id"), str(request.get("method")), as_object(request.get("params"))
    # MUST answer a ping promptly with an empty result: 2025-03-26 to 2025-11-25, basic/utilities/ping
    if method == "ping":
        return json_rpc.result(id_, {})
    handler = handlers.get(method)
    if handler is None:
        return json_rpc.error(id_, json_rpc.METHOD_NOT_FOUND, f"this client does not answer {method}")
    if violations(request, revision=revision):
        return json_rpc.error(id_, json_rpc.INVALID_PARAMS, f"not a valid {method}")
    # An empty elicitation capability means forms alone, and other modes MUST be refused with -32602:
    # 2025-11-25, client/elicitation#capabilities and #error-handling
    if method == "elicitation/create" and params.get("mode", "form") != "form":
        return json_rpc.error(id_, json_rpc.INVALID_PARAMS, "this client shows forms only")
    return json_rpc.result(id_, handler(params))
