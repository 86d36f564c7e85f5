"""Tools: what a server lists.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/server/tools
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytest_mcp_conformance.checks import Checks, lacking
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonValue, as_list, as_object, shown
from pytest_mcp_conformance.model import Level, Needs, Requirement, Revision, SpecRef
from pytest_mcp_conformance.scenarios.declaration import server_scenario

if TYPE_CHECKING:  # the client leg reads this module, too, and does without the HTTP client
    from pytest_mcp_conformance.peer import Peer

SPECIFICATION = "https://modelcontextprotocol.io/specification"
NAME_CHARACTERS = 128  # longest name: 2025-11-25, server/tools#tool-names
PROBES = 3  # snapshots of the list whose order is compared
ORDERED = 2  # fewest tools that can be in an order

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
    text=f"A tool's name has 1 to {NAME_CHARACTERS} characters of A-Z, a-z, 0-9, underscore, hyphen and dot.",
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
    needs=Needs(methods=("tools/list, with a description for every tool",), capabilities=("tools",)),
)
async def tools_list(peer: Peer, checks: Checks) -> None:
    listed = await list_tools(peer)
    tools = as_list(listed)
    incomplete = {
        named(as_object(tool).get("name"), number): f"without {', '.join(missing)}"
        for number, tool in enumerate(tools)
        if (missing := lacking(tool, "name", "description", "inputSchema"))
    }
    checks.decide(
        TOOLS_LIST,
        isinstance(listed, list) and not incomplete,
        expected="an array of tools with name, description and inputSchema",
        got=incomplete or listed,
        details={"toolCount": len(tools)} | ({"tools": names_of(tools)} if isinstance(listed, list) else {}),
    )
    if TOOL_NAMES.applies_at(peer.revision):
        if TOOL_NAMES.applies_at(peer.judged_by):
            decide_names(names_of(tools), checks)
        else:
            checks.skip(TOOL_NAMES, f"the server speaks {peer.judged_by}, which has no rule for names")
    if TOOLS_ORDER.applies_at(peer.revision):
        await decide_order(peer, listed, checks)


async def list_tools(peer: Peer) -> JsonValue:
    """List the tools: an array whose entries can be looked at, or nothing where there is no array.

    :raises Nonconforming: also for anything but null in the place of the array, and for null in the place of a tool.
    """
    tools = (await peer.request("tools/list")).get("tools")
    if tools is not None and not isinstance(tools, list):
        raise Nonconforming("tools/list returned no array", "an array of tools", shown(tools))
    if None in as_list(tools):
        raise Nonconforming("tools/list returned null in the place of a tool", "an array of tools", shown(tools))
    return tools


def decide_names(names: Sequence[JsonValue], checks: Checks) -> None:
    """Decide the form of every name. A server without tools has none to judge."""
    if not names:
        checks.inform(TOOL_NAMES, "the server lists no tools", details={"toolCount": 0})
        return
    faults = {named(name, number): name_fault(name) for number, name in enumerate(names)}
    wrong = {name: fault for name, fault in faults.items() if fault}
    results: dict[str, JsonValue] = {name: f"invalid: {fault}" if fault else "valid" for name, fault in faults.items()}
    checks.decide(
        TOOL_NAMES,
        not wrong,
        expected=f"names of 1 to {NAME_CHARACTERS} characters of A-Z a-z 0-9 _ - .",
        got=wrong,
        details={"toolCount": len(names), "results": results},
    )


def named(name: JsonValue, number: int) -> str:
    """Return the name of the tool at place `number` of the list, or what stands for it."""
    return name if isinstance(name, str) else f"<tool[{number}] missing name>"


def name_fault(name: JsonValue) -> str | None:
    """Return what is wrong with a tool's name: 2025-11-25, server/tools#tool-names."""
    if not isinstance(name, str):
        return "no string"
    if not 1 <= len(name) <= NAME_CHARACTERS:
        return f"{len(name)} characters"
    return None if re.fullmatch(r"[A-Za-z0-9_.-]+", name) else "other characters"


async def decide_order(peer: Peer, first: JsonValue, checks: Checks) -> None:
    """List twice more and compare the order of names.

    :raises Nonconforming: a later list has something else than tools in it.
    """
    lists = [first]
    for _ in range(PROBES - 1):
        try:
            result = await peer.request("tools/list")
        except Nonconforming as error:
            checks.untestable(TOOLS_ORDER, f"a repeated tools/list failed: {error}")
            return
        lists.append(result.get("tools"))
    if not all(isinstance(tools, list) for tools in lists):
        checks.untestable(TOOLS_ORDER, "tools/list returned no array of tools", details={"probes": PROBES})
        return
    if any(None in as_list(tools) for tools in lists):
        raise Nonconforming(
            "a repeated tools/list returned null in the place of a tool", "an array of tools", shown(lists)
        )
    orders = [[name if isinstance(name, str) else "<tool missing name>" for name in names_of(tools)] for tools in lists]
    details: dict[str, JsonValue] = {
        "toolCount": len(orders[0]),
        "probes": PROBES,
        "orders": [[*order] for order in orders],
    }
    if all(len(order) < ORDERED for order in orders):
        checks.inform(TOOLS_ORDER, "fewer than two tools have no order", details=details)
    elif any(Counter(order) != Counter(orders[0]) for order in orders):
        checks.untestable(TOOLS_ORDER, "the set of tools changed between two lists", details={"probes": PROBES})
    else:
        in_order = all(order == orders[0] for order in orders)
        checks.decide(TOOLS_ORDER, in_order, expected="the same order each time", got=orders, details=details)


def names_of(tools: JsonValue) -> list[JsonValue]:
    """Return the names of the tools, whatever they are."""
    return [as_object(tool).get("name") for tool in as_list(tools)]
