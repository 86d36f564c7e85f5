"""The node id of the suite, and which arguments of the command line mean it. Light: every pytest run asks."""

from __future__ import annotations

from pathlib import Path

SUITE_ID = "mcp/server"


def is_suite(argument: str) -> bool:
    """Tell whether a command line argument names the suite or an item of it.

    A project that has a folder of that name means its folder.
    """
    named = argument == SUITE_ID or argument.startswith(f"{SUITE_ID}::")
    return named and not Path(SUITE_ID).exists()
