"""`python -m pytest_mcp_conformance.reference`: the reference server, until a signal comes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pytest_mcp_conformance.reference.program import serve_until_signal, server_parser
from pytest_mcp_conformance.reference.server import ENDPOINT, Fault, ReferenceServer


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    options = server_parser(
        "pytest_mcp_conformance.reference", description="Run a conforming MCP server, or one with faults.", faults=Fault
    ).parse_args(arguments)
    asyncio.run(serve_until_signal(ReferenceServer(options.fault), options.port, path=ENDPOINT))


if __name__ == "__main__":
    main()
