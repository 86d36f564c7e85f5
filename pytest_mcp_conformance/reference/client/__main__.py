"""`python -m pytest_mcp_conformance.reference.client URL`: the reference client."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence

from pytest_mcp_conformance.reference.client.faults import every_fault
from pytest_mcp_conformance.reference.client.running import run_client
from pytest_mcp_conformance.reference.client.told import CONTEXT, SCENARIO, VERSION


class WithFaults(argparse.ArgumentParser):
    """A parser whose help lists the faults; they are gathered when somebody asks for it."""

    def format_help(self) -> str:
        """Return the help."""
        described = "\n".join(f"  {fault}\n      {fault.text}" for fault in every_fault())
        self.epilog = f"faults:\n{described}"
        return super().format_help()


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = WithFaults(
        prog="python -m pytest_mcp_conformance.reference.client",
        description=f"Run a conforming MCP client, or one with faults. It reads {SCENARIO}, {VERSION} and {CONTEXT}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("url", metavar="URL", help="Where the server is")
    made.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="NAME",
        help="Something to do wrong; can be given more than once",
    )
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit code."""
    options = parser().parse_args(arguments)
    try:
        code, said = asyncio.run(run_client(options.url, os.environ, options.fault))
    except ValueError as error:
        parser().error(str(error))
    sys.stderr.write(said)
    return code


if __name__ == "__main__":
    sys.exit(main())
