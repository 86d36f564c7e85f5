"""Lifecycle: how a client opens a connection on the stateful wire.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks, lacking
from pytest_mcp_conformance.json_values import JsonObject, Shown, as_object
from pytest_mcp_conformance.mock_server import MockTool, Script
from pytest_mcp_conformance.model import LATEST_STATEFUL, Level, Requirement, Revision, SpecRef
from pytest_mcp_conformance.scenarios.client.sessions import SESSION_RULES, decide_sessions
from pytest_mcp_conformance.scenarios.client.wires import stateful_revisions
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.stage import Stage

INITIALIZES = Requirement(
    id="mcp-client-initialization",
    name="MCPClientInitialization",
    level=Level.MUST,
    text="The client's initialize request names a version of the protocol, and the client with its name and version.",
    spec=(SpecRef(id="MCP-Lifecycle", url="https://modelcontextprotocol.io/specification/2025-06-18/basic/lifecycle"),),
)
OFFERED = (Revision.V2025_06_18, Revision.V2025_11_25, Revision.V2026_07_28)  # versions that count as known; published


@client_scenario(
    name="initialize",
    introduced_in="2025-06-18",
    removed_in="2026-07-28",
    lists=frozenset({"core"}),
    purpose="The client opens the connection with an initialize request that names a known version and the client itself.",
    task="Connect, list the tools if you like, and end.",
    decides=(INITIALIZES, *SESSION_RULES),
)
async def initialize(stage: Stage, checks: Checks) -> None:
    server = await stage.mock(
        Script(tools=[MockTool(name="say_hello", returns="Hello")], revisions=stateful_revisions(stage))
    )
    await stage.client(server.url)
    requests = [each for each in server.requests if each.method == "initialize"]
    for request in requests:
        decide_initialize(request.params, stage.revision, checks)
    if not requests:
        checks.fail(INITIALIZES, expected="an initialize request", got=list(server.methods) or Shown("none"))
    decide_sessions(server.requests, server.http_requests, server.sessions, checks)


def decide_initialize(params: JsonObject, revision: Revision, checks: Checks) -> None:
    """Decide one initialize request, in a run for `revision`."""
    version, info = params.get("protocolVersion"), as_object(params.get("clientInfo"))
    accepted = [each.value for each in sorted({*OFFERED, revision})]
    known = version in accepted
    checks.decide(
        INITIALIZES,
        known and not lacking(info, "name", "version"),
        expected=f"protocolVersion {', '.join(accepted[:-1])} or {accepted[-1]}, and clientInfo with name and version",
        got=params,
        details={
            "protocolVersionSent": version,
            "expectedSpecVersion": LATEST_STATEFUL.value,
            "versionMatch": known,
            "clientName": info.get("name"),
            "clientVersion": info.get("version"),
        },
    )
