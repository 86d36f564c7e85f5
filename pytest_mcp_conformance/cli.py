"""The console command `mcp-conformance`: the same runs for those who do not know pytest, with the published options."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import pytest

from pytest_mcp_conformance import __version__

DESCRIPTION = (
    "Tells whether an implementation of the Model Context Protocol conforms, and if not, what exactly is wrong."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: those of pytest, 4 for a call that cannot be carried out."""
    parsed, rest = parser().parse_known_args(arguments)
    words = server_words(parsed) if parsed.command == "server" else list_words(parsed)
    return int(pytest.main([*standalone(), *words, *rest]))


class Parser(argparse.ArgumentParser):
    """A parser whose refusals end as pytest's do."""

    def error(self, message: str) -> NoReturn:
        """Tell what is wrong with the call, and end with pytest's code for a usage error."""
        self.print_usage(sys.stderr)
        self.exit(pytest.ExitCode.USAGE_ERROR, f"{self.prog}: {message}\n")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = Parser(prog="mcp-conformance", description=DESCRIPTION)
    top.add_argument("--version", action="version", version=__version__)
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    server = commands.add_parser(
        "server",
        help="test a server; without --url or --command the reference server of this package",
        epilog="Any other argument goes to pytest: -x, -k, -n, --junitxml=FILE, --mcp-header, ..."
        " Its cache is off, so --lf is not there.",
    )
    target = server.add_mutually_exclusive_group()
    target.add_argument("--url", help="the server that runs at this URL")
    target.add_argument("--command", dest="server_command", metavar="CMD", help="the server that this command starts")
    server.add_argument(
        "--scenario", action="append", default=[], metavar="NAME", help="single scenarios; globs are allowed"
    )
    server.add_argument(
        "--suite", action="append", default=[], metavar="NAME", help="active (default), all, core, draft, pending"
    )
    server.add_argument("--spec-version", action="append", default=[], metavar="V", help="revisions, draft or all")
    server.add_argument("--force", action="store_true", help="run scenarios outside their window, too")
    server.add_argument(
        "--requirements",
        action="append",
        default=[],
        metavar="REV",
        help="what these revisions require, each at its wire",
    )
    server.add_argument("--expected-failures", metavar="FILE", help="the failures listed in this file are expected")
    server.add_argument("--strict", action="store_true", help="let a WARNING fail")
    server.add_argument("--timeout", metavar="MS", help="bound of one scenario in milliseconds (default: 30000)")
    server.add_argument("-o", "--output-dir", metavar="DIR", help="write checks and transcripts here")
    server.add_argument("--verbose", action="store_true", help="show every check")

    listed = commands.add_parser("list", help="list the scenarios with their revisions")
    listed.add_argument("--spec-version", action="append", default=[], metavar="V", help="only those that apply there")
    listed.add_argument(
        "--requirements", action="append", default=[], metavar="REV", help="what these revisions require"
    )
    listed.add_argument("--suite", action="append", default=[], metavar="NAME", help="only those of this suite")
    return top


def standalone() -> list[str]:
    """Return the arguments that keep a surrounding project's pytest settings, and plugins for coroutines, out."""
    quiet = ["--no-header", "-p", "no:asyncio", "-p", "no:anyio"]
    return [*quiet, "-c", os.devnull, f"--rootdir={os.getcwd()}", "-p", "no:cacheprovider", "--noconftest"]  # noqa: PTH109


def server_words(parsed: argparse.Namespace) -> list[str]:
    """Translate `mcp-conformance server` into pytest's options."""
    words = []
    if parsed.url is not None:
        words.append(f"--mcp-server-url={parsed.url}")
    elif parsed.server_command is not None:
        words.append(f"--mcp-server-cmd={parsed.server_command}")
    else:
        words.append("--mcp-server-reference")
    words += selection_words(parsed)
    words += [f"--mcp-scenario={name}" for name in parsed.scenario]
    words += ["--mcp-force"] if parsed.force else []
    if parsed.expected_failures is not None:  # an empty name is refused, so it must arrive
        words.append(f"--mcp-expected-failures={parsed.expected_failures}")
    words += ["--mcp-strict"] if parsed.strict else []
    words += [f"--mcp-timeout={seconds(parsed.timeout)}"] if parsed.timeout else []
    words += [f"--mcp-results-dir={parsed.output_dir}"] if parsed.output_dir else []
    words += ["-v"] if parsed.verbose else []
    return words


def list_words(parsed: argparse.Namespace) -> list[str]:
    """Translate `mcp-conformance list` into pytest's options."""
    return ["--mcp-list", *selection_words(parsed)]


def selection_words(parsed: argparse.Namespace) -> list[str]:
    """Translate the options that select by suite, revision and requirement set."""
    return [
        *(f"--mcp-requirements={name}" for name in parsed.requirements),
        *(f"--mcp-suite={name}" for name in parsed.suite),
        *(f"--mcp-spec-version={version}" for version in parsed.spec_version),
    ]


def seconds(milliseconds: str) -> str:
    """Return milliseconds as seconds; what is no number goes on as it is, for the option to refuse."""
    return f"{int(milliseconds) / 1000:g}" if milliseconds.isdecimal() else milliseconds


if __name__ == "__main__":
    sys.exit(main())
