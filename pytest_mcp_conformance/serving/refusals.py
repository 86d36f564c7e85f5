"""Saying no: the JSON-RPC error that a request ends in, and the codes for it.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.protocol import json_rpc

RESOURCE_NOT_FOUND = -32002  # up to 2025-11-25


@dataclass
class Refusal(Exception):
    """A request that is answered with a JSON-RPC error.

    :param status: the HTTP status of the answer; none leaves it to the wire, which knows one by the code.
    """

    code: int
    message: str
    data: JsonValue = None
    status: int | None = None

    def as_error(self, id: JsonValue) -> JsonObject:  # noqa: A002 -- the member's name
        """Return the error response to the request `id`; without an id the member is left out.

        MAY be without id where the request could not be read: 2025-11-25, basic#error-responses
        """
        message = json_rpc.error(id, self.code, self.message, self.data)
        return {name: value for name, value in message.items() if name != "id" or value is not None}


def invalid_request(message: str) -> Refusal:
    """Refuse a body that is no JSON-RPC message, or none that may be sent here."""
    return Refusal(json_rpc.INVALID_REQUEST, message, status=400)


def invalid_params(message: str, data: JsonValue = None) -> Refusal:
    """Refuse parameters that the method cannot use."""
    return Refusal(json_rpc.INVALID_PARAMS, message, data)


def unknown_method(method: str) -> Refusal:
    """Refuse a method that this revision, or this server, does not have."""
    return Refusal(json_rpc.METHOD_NOT_FOUND, f"Method not found: {method}")


def header_mismatch(message: str) -> Refusal:
    """Refuse headers that are missing, malformed, or say something else than the body."""
    return Refusal(json_rpc.HEADER_MISMATCH, f"Header mismatch: {message}")


def unsupported_version(requested: str, supported: Sequence[str]) -> Refusal:
    """Refuse a revision that this server does not speak, naming those it does."""
    data: JsonObject = {"supported": list(supported), "requested": requested}
    return Refusal(json_rpc.UNSUPPORTED_VERSION, "Unsupported protocol version", data, status=400)


def missing_capability(required: JsonObject) -> Refusal:
    """Refuse a request that cannot be served without `required`, which the client did not declare."""
    data: JsonObject = {"requiredCapabilities": required}
    return Refusal(json_rpc.MISSING_CAPABILITY, "A capability that the client did not declare is required", data)
