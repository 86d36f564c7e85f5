"""`python -m pytest_mcp_conformance.reference.authorization`: the reference authorization server, until a signal comes."""

from __future__ import annotations

import argparse
import asyncio
import signal
from collections.abc import Sequence

from pytest_mcp_conformance.reference.authorization import (
    CONFIDENTIAL,
    PUBLIC,
    AuthorizationFault,
    ReferenceAuthorizationServer,
)
from pytest_mcp_conformance.serving.hosting import base_url, local_socket, serve


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    described = "\n".join(f"  {fault}\n      {fault.text}" for fault in AuthorizationFault)
    made = argparse.ArgumentParser(
        prog="python -m pytest_mcp_conformance.reference.authorization",
        description="Run a conforming authorization server, or one with faults.",
        epilog=(
            f"clients, with the redirect URI http://127.0.0.1:<any port>/callback:\n  {PUBLIC.id} (public)\n"
            f"  {CONFIDENTIAL.id}, secret {CONFIDENTIAL.secret}\n\nfaults:\n{described}"
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--port", type=int, default=0, help="Port on 127.0.0.1; 0, the default, takes a free one")
    made.add_argument(
        "--fault",
        action="append",
        default=[],
        choices=[str(fault) for fault in AuthorizationFault],
        metavar="NAME",
        help="Something to do wrong; can be given more than once",
    )
    return made


async def run(port: int, faults: Sequence[str]) -> None:
    """Serve until SIGTERM or SIGINT."""
    shutdown = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, shutdown.set)
    with local_socket(port) as sock:
        print(base_url(sock), flush=True)  # noqa: T201 -- the one line that says where
        await serve(ReferenceAuthorizationServer(faults), sock, shutdown)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    options = parser().parse_args(arguments)
    asyncio.run(run(options.port, options.fault))


if __name__ == "__main__":
    main()
