"""What a client sent, kept in the order in which it came."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.json_rpc import Kind, kind_of
from pytest_mcp_conformance.serving.http import Headers, HttpRequest
from pytest_mcp_conformance.serving.incoming import spelled


@dataclass(frozen=True, kw_only=True)
class Received:
    """One message of the client, whatever became of it. The messages of a batch are one each.

    :ivar revision: whose rules bind it, as far as that could be told.
    """

    message: JsonValue
    revision: Revision
    http: HttpRequest

    @property
    def kind(self) -> Kind:
        """Whether it is a request, a notification, a response, or none of them."""
        return kind_of(self.message)

    @property
    def method(self) -> str | None:
        """The JSON-RPC method; none of a response."""
        method = as_object(self.message).get("method")
        return method if isinstance(method, str) else None

    @property
    def id(self) -> JsonValue:
        """The JSON-RPC id, integers spelled as such; null of a notification."""
        return spelled(as_object(self.message).get("id"))

    @property
    def params(self) -> JsonObject:
        """The parameters, empty where there are none."""
        return as_object(as_object(self.message).get("params"))

    @property
    def headers(self) -> Headers:
        """The header fields of the HTTP request that carried it."""
        return self.http.headers
