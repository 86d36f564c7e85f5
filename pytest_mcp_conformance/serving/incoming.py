"""Telling the three kinds of message apart, and refusing what is none of them.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic#messages
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, TypeGuard

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, is_integer
from pytest_mcp_conformance.serving.refusals import invalid_params, invalid_request

RequestId: TypeAlias = str | int


@dataclass(frozen=True, kw_only=True)
class Request:
    """A request; `params` is empty when the member is absent."""

    id: RequestId
    method: str
    params: JsonObject

    @property
    def meta(self) -> JsonObject:
        """The `_meta` of the request, empty when there is none."""
        return as_object(self.params.get("_meta"))


@dataclass(frozen=True, kw_only=True)
class Notification:
    """A notification; `params` is empty when the member is absent."""

    method: str
    params: JsonObject


@dataclass(frozen=True, kw_only=True)
class Response:
    """What a client answers to a request of this server: a result, or an error."""

    id: JsonValue
    result: JsonObject | None
    error: JsonObject | None


Incoming: TypeAlias = Request | Notification | Response


def read_message(message: JsonValue) -> Incoming:
    """Return what `message` is.

    :raises Refusal: it is no JSON-RPC 2.0 message, or not one that MCP allows.
    """
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise invalid_request("The body is no JSON-RPC 2.0 message")
    if "method" not in message:
        return _read_response(message)
    method = message["method"]
    if not isinstance(method, str) or "result" in message or "error" in message:
        raise invalid_request("A message with a method has a string there, and neither result nor error")
    params = message.get("params", {})
    if not isinstance(params, dict):
        raise invalid_request("params is an object")
    if "id" not in message:
        return Notification(method=method, params=params)
    # MUST be a string or an integer, MUST NOT be null: 2025-11-25, basic#requests
    id_ = spelled(message["id"])
    if not is_request_id(id_):
        raise invalid_request("The id of a request is a string or an integer")
    return Request(id=id_, method=method, params=params)


def spelled(id_: JsonValue) -> JsonValue:
    """Return an id with integers spelled as such: languages whose numbers are all floats write 1.0, which JSON holds for 1."""
    return int(id_) if isinstance(id_, float) and id_.is_integer() else id_


def is_request_id(value: JsonValue) -> TypeGuard[RequestId]:
    """Tell whether `value` may be the id of a request, or a progress token."""
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))


def _read_response(message: JsonObject) -> Response:
    id_, result, error = spelled(message.get("id")), message.get("result"), message.get("error")
    if ("result" in message) == ("error" in message):
        raise invalid_request("A message has a method, a result or an error, and only one of them")
    if "result" in message and isinstance(result, dict) and is_request_id(id_):
        return Response(id=id_, result=result, error=None)
    if isinstance(error, dict) and is_integer(error.get("code")) and isinstance(error.get("message"), str):
        return Response(id=id_, result=None, error=error)
    raise invalid_request("The response is malformed")


def readable_id(message: JsonValue) -> JsonValue:
    """Return the id of what should have been a request, or null where none can be read."""
    id_ = spelled(as_object(message).get("id"))
    return id_ if "method" in as_object(message) and is_request_id(id_) else None


def text(params: JsonObject, name: str) -> str:
    """Return the string member `name`.

    :raises Refusal: it is absent or no string.
    """
    value = params.get(name)
    if not isinstance(value, str):
        raise invalid_params(f"{name} is a string")
    return value


def optional_object(params: JsonObject, name: str) -> JsonObject:
    """Return the object member `name`, an empty one when it is absent.

    :raises Refusal: it is there and no object.
    """
    value = params.get(name, {})
    if not isinstance(value, dict):
        raise invalid_params(f"{name} is an object")
    return value


def progress_token(request: Request) -> RequestId | None:
    """Return the token under which the request wants to hear of its progress, or nothing.

    MUST be a string or an integer: 2025-11-25, basic/utilities/progress#progress-flow

    :raises Refusal: the token is of another type.
    """
    if "progressToken" not in request.meta:
        return None
    token = spelled(request.meta["progressToken"])
    if not is_request_id(token):
        raise invalid_params("A progress token is a string or an integer")
    return token
