"""Runs the reference client as tests need it: against a server that is scripted."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from pytest_mcp_conformance.json_values import JsonObject, dumps
from pytest_mcp_conformance.mock_server import MockServer, Script, running_mock
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.reference.client import run_client

STATEFUL, STATELESS = Revision.V2025_11_25, Revision.V2026_07_28


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How the client ended, and what its server saw."""

    code: int
    said: str
    server: MockServer

    @property
    def called(self) -> list[tuple[object, object]]:
        """The tools that it called, with their arguments."""
        calls = [each.params for each in self.server.requests if each.method == "tools/call"]
        return [(call.get("name"), call.get("arguments")) for call in calls]

    def headers(self, method: str) -> dict[str, str]:
        """Return the headers of its last request with a method, names in lower case."""
        return [each.headers.as_mapping() for each in self.server.requests if each.method == method][-1]


def environment(revision: Revision, scenario: str = "", context: JsonObject | None = None) -> dict[str, str]:
    """Return what the client is told."""
    told = {"MCP_CONFORMANCE_SCENARIO": scenario, "MCP_CONFORMANCE_PROTOCOL_VERSION": revision.value}
    return told if context is None else told | {"MCP_CONFORMANCE_CONTEXT": dumps(context)}


def run(
    script: Script, revision: Revision, *faults: str, scenario: str = "", context: JsonObject | None = None
) -> Ended:
    """Run the client against a server that does as `script` says; nobody in it breaks a rule unless it is told to."""
    with running_mock(script) as server:
        code, said = asyncio.run(run_client(server.url, environment(revision, scenario, context), faults))
        return Ended(code=code, said=said, server=server)
