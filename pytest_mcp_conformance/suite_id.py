"""The node ids of the suites, one a leg, and which arguments of the command line mean them. Light: every pytest run asks."""

from __future__ import annotations

from pathlib import Path

SUITES = {leg: f"mcp/{leg}" for leg in ("server", "client", "authorization")}
TESTS = {leg: f"test_{leg}" for leg in SUITES}  # the one test function of each


def suite_leg(argument: str) -> str | None:
    """Return the leg whose suite, or an item of it, a command line argument names.

    A project that has a folder of that name means its folder; what is in a folder is no item, so an item is always ours.
    """
    for leg, suite in SUITES.items():
        if argument.startswith(f"{suite}::") or (argument == suite and not Path(suite).exists()):
            return leg
    return None


def item_id(leg: str, parameter: str) -> str:
    """Return the node id of an item: `mcp/server::test_server[tools-list@2025-11-25]`."""
    return f"{SUITES[leg]}::{TESTS[leg]}[{parameter}]"


def is_item(nodeid: str) -> bool:
    """Tell whether a node id is of an item of a suite."""
    return nodeid.startswith(tuple(f"{suite}::" for suite in SUITES.values()))
