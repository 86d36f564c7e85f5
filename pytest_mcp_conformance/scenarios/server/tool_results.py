"""What scenarios share that call tools: the call, and whether what came is well formed."""

from __future__ import annotations

from pytest_mcp_conformance.exceptions import ErrorAnswer, Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown, as_list, shown
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.wire_schema import violations


async def call_tool(
    peer: Peer, name: str, arguments: JsonObject | None = None, *, meta: JsonObject | None = None
) -> JsonObject:
    """Call a tool that the server has to have for the scenario, and return the result.

    :param arguments: none sends no member of that name.
    :raises Nonconforming: the tool is not there, or the call is not answered with a result.
    """
    params: JsonObject = {"name": name}
    if arguments is not None:
        params["arguments"] = arguments
    if meta is not None:
        params["_meta"] = meta
    try:
        return await peer.request("tools/call", params)
    except ErrorAnswer as error:
        raise ErrorAnswer(
            error.message, f"the tool {name} to be there and to answer", error.got, error.error
        ) from error


def content_of(result: JsonObject) -> list[JsonValue]:
    """Return the content of a tool result; none where it is no array or holds null, which is no content."""
    content = as_list(result.get("content"))
    return [] if None in content else content


def require_tool_result(result: JsonObject, revision: Revision) -> None:
    """Look at a tool result as a whole. A missing content counts as an empty one.

    :raises Nonconforming: it is no tool result of `revision`.
    """
    errors = violations(json_rpc.result(0, {"content": [], **result}), revision=revision, request_method="tools/call")
    if errors:
        raise Nonconforming("the tool result is malformed", "a tool result", Shown(f"{shown(result)} ({errors[0]})"))


def well_formed(message: JsonObject, revision: Revision) -> bool:
    """Tell whether a message of the server is what the schema of `revision` says of its method."""
    return not violations(message, revision=revision)
