"""`python -m pytest_mcp_conformance.reference.authorization`: the reference authorization server, until a signal comes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pytest_mcp_conformance.reference.authorization import (
    CONFIDENTIAL,
    PUBLIC,
    AuthorizationFault,
    ReferenceAuthorizationServer,
)
from pytest_mcp_conformance.reference.program import serve_until_signal, server_parser

CLIENTS = (
    f"clients, with the redirect URI http://127.0.0.1:<any port>/callback:\n  {PUBLIC.id} (public)\n"
    f"  {CONFIDENTIAL.id}, secret {CONFIDENTIAL.secret}\n\n"
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    options = server_parser(
        "pytest_mcp_conformance.reference.authorization",
        description="Run a conforming authorization server, or one with faults.",
        faults=AuthorizationFault,
        about=CLIENTS,
    ).parse_args(arguments)
    asyncio.run(serve_until_signal(ReferenceAuthorizationServer(options.fault), options.port))


if __name__ == "__main__":
    main()
