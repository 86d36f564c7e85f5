"""What tests of pure rules need: messages as a mock server keeps them, and the checks that a rule decided."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.mock_server import Received
from pytest_mcp_conformance.model import DRAFT, Status
from pytest_mcp_conformance.serving.http import Headers, HttpRequest
from pytest_mcp_conformance.verdict import collapsed


def http(method: str = "POST", headers: Mapping[str, str | None] | None = None, *, at: float = 0.0) -> HttpRequest:
    """Return an HTTP request; a header that is null is left out."""
    fields = [(name.encode(), value.encode()) for name, value in (headers or {}).items() if value is not None]
    return HttpRequest(method=method, path="/mcp", headers=Headers(fields), at=at)


def message(value: JsonValue, headers: Mapping[str, str | None] | None = None) -> Received:
    """Return what a server keeps of a body that held `value`."""
    return Received(message=value, revision=DRAFT, http=http(headers=headers))


def request(
    method: str, params: JsonValue = None, headers: Mapping[str, str | None] | None = None, *, id_: JsonValue = 1
) -> Received:
    """Return what a server keeps of a request."""
    body: JsonObject = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
    return message(body, headers)


def call(name: JsonValue, params: JsonObject | None = None, *, id_: JsonValue = 1) -> Received:
    """Return what a server keeps of a tool call."""
    return request("tools/call", {"name": name, **(params or {})}, id_=id_)


def by_id(checks: Checks) -> dict[str, str]:
    """Return the status of each check, the worst of each id."""
    return {name: check.status.value for name, check in collapsed(checks.recorded).items()}


def by_name(checks: Checks) -> dict[str, str]:
    """Return the status of each check by its name."""
    return {check.name: check.status.value for check in checks.recorded}


def unwell(checks: Checks) -> list[str]:
    """Return the names of the checks that are neither good nor skipped."""
    return [check.name for check in checks.recorded if check.status not in (Status.SUCCESS, Status.SKIPPED)]
