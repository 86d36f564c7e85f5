"""The command line of a reference server: a port and faults, and serving until a signal comes."""

from __future__ import annotations

import argparse
import asyncio
import signal
from collections.abc import Iterable

from pytest_mcp_conformance.reference.named_faults import NamedFault
from pytest_mcp_conformance.serving.hosting import ClosableApp, base_url, local_socket, serve


def server_parser(
    module: str, *, description: str, faults: Iterable[NamedFault], about: str = ""
) -> argparse.ArgumentParser:
    """Return the parser of `python -m module`.

    :param about: what its help says before the faults.
    """
    known = tuple(faults)
    listed = "\n".join(f"  {fault}\n      {fault.text}" for fault in known)
    made = argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=description,
        epilog=f"{about}faults:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--port", type=int, default=0, help="Port on 127.0.0.1; 0, the default, takes a free one")
    made.add_argument(
        "--fault",
        action="append",
        default=[],
        choices=[str(fault) for fault in known],
        metavar="NAME",
        help="Something to do wrong; can be given more than once",
    )
    return made


async def serve_until_signal(app: ClosableApp, port: int, *, path: str = "") -> None:
    """Serve until SIGTERM or SIGINT, after a line that says where.

    :param path: what the URL of that line ends with.
    """
    shutdown = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, shutdown.set)
    with local_socket(port) as sock:
        print(f"{base_url(sock)}{path}", flush=True)  # noqa: T201 -- the one line that says where
        await serve(app, sock, shutdown)
