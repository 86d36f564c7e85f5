"""JSON-RPC 2.0 as MCP uses it: building messages, telling their kinds apart, and what came back for one request.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic#messages
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from pytest_mcp_conformance.exceptions import ErrorAnswer, Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown, as_object, is_integer, shown

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
# From 2026-07-28 on: basic#error-codes
HEADER_MISMATCH = -32020
MISSING_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022


class Kind(Enum):
    """What a single JSON value is, as a message."""

    REQUEST = "request"
    NOTIFICATION = "notification"
    RESPONSE = "response"
    OTHER = "no JSON-RPC message"


def kind_of(message: JsonValue) -> Kind:
    """Tell what `message` is by its members alone; whether it is well formed is for the schema to say."""
    if not isinstance(message, dict):
        return Kind.OTHER
    if isinstance(message.get("method"), str):
        return Kind.REQUEST if "id" in message else Kind.NOTIFICATION
    return Kind.RESPONSE if "result" in message or "error" in message else Kind.OTHER


def request(id: int | str, method: str, params: JsonObject | None) -> JsonObject:  # noqa: A002 -- the member's name
    """Build a request; without `params` the member is left out."""
    return {"jsonrpc": "2.0", "id": id, "method": method} | ({} if params is None else {"params": params})


def notification(method: str, params: JsonObject | None = None) -> JsonObject:
    """Build a notification; without `params` the member is left out."""
    return {"jsonrpc": "2.0", "method": method} | ({} if params is None else {"params": params})


def result(id: JsonValue, value: JsonObject) -> JsonObject:  # noqa: A002 -- the member's name
    """Build the response to the request `id`."""
    return {"jsonrpc": "2.0", "id": id, "result": value}


def error(id: JsonValue, code: int, message: str, data: JsonValue = None) -> JsonObject:  # noqa: A002 -- the member's name
    """Build the error response to the request `id`; null data is left out."""
    body: JsonObject = {"code": code, "message": message}
    if data is not None:
        body["data"] = data
    return {"jsonrpc": "2.0", "id": id, "error": body}


@dataclass(frozen=True, kw_only=True)
class RpcError:
    """The error of a response. `data` is whatever the peer put there, null when it is absent."""

    code: int
    message: str
    data: JsonValue = None

    @classmethod
    def read(cls, value: JsonValue) -> RpcError | None:
        """Return the error that `value` holds, or nothing if it has no integer code."""
        body = as_object(value)
        code, text = body.get("code"), body.get("message")
        if not is_integer(code):
            return None
        return cls(code=int(code), message=text if isinstance(text, str) else "", data=body.get("data"))

    def shown(self) -> Shown:
        """Return the error as one line."""
        return Shown(f"error {self.code} {shown(self.message)}")


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came back for one request: a result, an error, or neither (`problem` says why).

    `result` is meaningful only where `has_result` is true: a result may be any JSON value.

    :ivar problem: our own words for an exchange that brought no response: wrong status, wrong type, wrong id, silence.
    :ivar status: the HTTP status; none if there was no HTTP response.
    :ivar headers: those of the HTTP response, names in lower case.
    :ivar message: the whole response message.
    :ivar messages: everything that the response carried, notifications and requests included, in order.
    """

    method: str
    result: JsonValue = None
    error: RpcError | None = None
    problem: str | None = None
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    message: JsonValue = None
    messages: tuple[JsonValue, ...] = ()

    @property
    def has_result(self) -> bool:
        """Whether a result came, of whatever shape."""
        return self.problem is None and self.error is None

    def shown(self) -> Shown:
        """Return what came as one line, for `got`."""
        if self.problem is not None:
            return Shown(self.problem)
        if self.error is not None:
            return self.error.shown()
        return Shown(f"result {shown(self.result)}")

    def expect_result(self) -> JsonObject:
        """Return the result.

        :raises ErrorAnswer: a JSON-RPC error came.
        :raises Nonconforming: nothing usable came, or a result that is no object.
        """
        wanted = f"a result of {self.method}"
        if self.error is not None:
            raise ErrorAnswer(f"{self.method} was refused", expected=wanted, got=self.shown(), error=self.error)
        if self.problem is not None:
            raise Nonconforming(f"{self.method} brought no answer", expected=wanted, got=self.shown())
        # MUST be an object: a result has any structure of members (all revisions, basic#responses and schema, Result)
        if not isinstance(self.result, dict):
            raise Nonconforming(f"the result of {self.method} is no object", expected=wanted, got=self.shown())
        return self.result
