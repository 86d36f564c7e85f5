"""Tools: what a server lists.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/server/tools
"""

from __future__ import annotations

import re
from collections import Counter

from pytest_mcp_conformance.checks import Checks, lacking
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonValue, as_list, as_object
from pytest_mcp_conformance.model import Level, Requirement, Revision, SpecRef
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario

SPECIFICATION = "https://modelcontextprotocol.io/specification"
NAME_CHARACTERS = 128  # longest name: 2025-11-25, server/tools#tool-names
PROBES = 3  # snapshots of the list whose order is compared

TOOLS_LIST = Requirement(
    id="tools-list",
    name="ToolsList",
    level=Level.MUST,
    text="tools/list returns an array of tools, each with name, description and inputSchema.",
    spec=(SpecRef(id="MCP-Tools-List", url=f"{SPECIFICATION}/2025-06-18/server/tools#listing-tools"),),
)
TOOL_NAMES = Requirement(
    id="tools-name-format",
    name="ToolsNameFormat",
    level=Level.SHOULD,
    text="A tool's name has 1 to 128 characters of A-Z, a-z, 0-9, underscore, hyphen and dot.",
    spec=(
        SpecRef(id="MCP-Tool-Names", url=f"{SPECIFICATION}/2025-11-25/server/tools#tool-names"),
        SpecRef(id="MCP-Tool-Names-Draft", url=f"{SPECIFICATION}/draft/server/tools#tool-names"),
        SpecRef(id="SEP-986-History", url="https://github.com/modelcontextprotocol/modelcontextprotocol/issues/986"),
        SpecRef(
            id="SEP-986-Spec-Integration", url="https://github.com/modelcontextprotocol/modelcontextprotocol/pull/1603"
        ),
    ),
    since=Revision.V2025_11_25,
)
TOOLS_ORDER = Requirement(
    id="tools-list-deterministic-order",
    name="ToolsListDeterministicOrder",
    level=Level.SHOULD,
    text="tools/list returns the same tools in the same order while the set of tools has not changed.",
    spec=(SpecRef(id="MCP-Tools-Deterministic-Order", url=f"{SPECIFICATION}/2026-07-28/server/tools#capabilities"),),
    since=Revision.V2026_07_28,
)


@server_scenario(
    name="tools-list",
    introduced_in="2025-06-18",
    purpose="tools/list returns tools with name, description and inputSchema, and their names are well formed.",
    decides=(TOOLS_LIST, TOOL_NAMES, TOOLS_ORDER),
)
async def tools_list(peer: Peer, checks: Checks) -> None:
    tools = (await peer.request("tools/list")).get("tools")
    incomplete = [tool for tool in as_list(tools) if lacking(tool, "name", "description", "inputSchema")]
    checks.decide(
        TOOLS_LIST,
        isinstance(tools, list) and not incomplete,
        expected="an array of tools with name, description and inputSchema",
        got=incomplete or tools,
        details={"toolCount": len(as_list(tools)), "tools": names_of(tools)},
    )
    if not isinstance(tools, list):
        return
    if TOOL_NAMES.applies_at(peer.revision):
        decide_names(names_of(tools), checks)
    if TOOLS_ORDER.applies_at(peer.revision):
        await decide_order(peer, tools, checks)


def decide_names(names: list[JsonValue], checks: Checks) -> None:
    """Decide the form of every name. A server without tools has none to judge."""
    if not names:
        checks.inform(TOOL_NAMES, "the server lists no tools", details={"toolCount": 0})
        return
    faults = {str(name): fault for name in names if (fault := name_fault(name))}
    results: dict[str, JsonValue] = {str(name): f"invalid: {name_fault(name)}" if name_fault(name) else "valid" for name in names}
    checks.decide(
        TOOL_NAMES,
        not faults,
        expected=f"names of 1 to {NAME_CHARACTERS} characters of A-Z a-z 0-9 _ - .",
        got=faults,
        details={"toolCount": len(names), "results": results},
    )


def name_fault(name: JsonValue) -> str | None:
    """Return what is wrong with a tool's name: 2025-11-25, server/tools#tool-names."""
    if not isinstance(name, str):
        return "no string"
    if not 1 <= len(name) <= NAME_CHARACTERS:
        return f"{len(name)} characters"
    return None if re.fullmatch(r"[A-Za-z0-9_.-]+", name) else "other characters"


async def decide_order(peer: Peer, first: JsonValue, checks: Checks) -> None:
    """List twice more and compare the order of names."""
    snapshots = [names_of(first)]
    for _ in range(PROBES - 1):
        try:
            tools = (await peer.request("tools/list")).get("tools")
        except Nonconforming as error:
            checks.untestable(TOOLS_ORDER, f"a repeated tools/list failed: {error}")
            return
        if not isinstance(tools, list):
            checks.untestable(TOOLS_ORDER, "a repeated tools/list has no array of tools", details={"probes": PROBES})
            return
        snapshots.append(names_of(tools))
    details: dict[str, JsonValue] = {"toolCount": len(snapshots[0]), "probes": PROBES, "orders": [*snapshots]}
    if all(len(names) < 2 for names in snapshots):  # noqa: PLR2004 -- fewer than two have no order
        checks.inform(TOOLS_ORDER, "fewer than two tools have no order", details=details)
    elif any(Counter(map(str, names)) != Counter(map(str, snapshots[0])) for names in snapshots):
        checks.untestable(TOOLS_ORDER, "the set of tools changed between two lists", details={"probes": PROBES})
    else:
        same_order = all(names == snapshots[0] for names in snapshots)
        checks.decide(TOOLS_ORDER, same_order, expected="the same order each time", got=snapshots, details=details)


def names_of(tools: JsonValue) -> list[JsonValue]:
    """Return the names of the tools, whatever they are."""
    return [as_object(tool).get("name") for tool in as_list(tools)]


