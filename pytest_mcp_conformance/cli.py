"""The console command `mcp-conformance`: the same runs for those who do not know pytest, with the published options."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

import pytest

from pytest_mcp_conformance import __version__
from pytest_mcp_conformance.console_names import ConsoleNames, in_console_names
from pytest_mcp_conformance.declared_options import DETAILS
from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.standard_output import StandardOutput, discard

DESCRIPTION = (
    "Tells whether an implementation of the Model Context Protocol conforms, and if not, what exactly is wrong."
)
TO_PYTEST = (
    "Any other argument goes to pytest: -x, -k, -n, --junitxml=FILE, --mcp-header, ..."
    " Its cache is off, so --lf is not there."
)
LAST_PORT = 65535
REFERENCES = {leg: f"--mcp-{leg}-reference" for leg in ("server", "client", "authorization")}  # tested without a target


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: those of pytest, 4 for a call that cannot be carried out."""
    made = parser()
    parsed, rest = made.parse_known_args(arguments)
    match parsed.command:
        case "server":
            return run([*server_words(parsed), *run_words(parsed), *rest])
        case "client":
            return run([*client_words(parsed), *run_words(parsed), *rest])
        case "authorization":
            return run([*authorization_words(parsed), *run_words(parsed), *rest])
        case "list":
            legs: list[str | None] = [leg for leg in REFERENCES if getattr(parsed, leg)]
            return max(run([*list_words(parsed, leg), *rest]) for leg in legs or [None])
        case _:
            if rest:
                parsed.refuse(f"unrecognized arguments: {' '.join(rest)}")
            return serve_command(parsed)


def run(words: Sequence[str]) -> int:
    """Run pytest apart from a surrounding project's settings, and return its exit code."""
    try:
        return int(pytest.main([*standalone(), *words], plugins=[ConsoleNames()]))
    except BrokenPipeError:  # whoever read the output is gone, and the run is broken off
        discard(sys.stdout)
        return pytest.ExitCode.INTERRUPTED


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
        epilog=TO_PYTEST,
    )
    target = server.add_mutually_exclusive_group()
    target.add_argument("--url", help="the server that runs at this URL")
    target.add_argument("--command", dest="server_command", metavar="CMD", help="the server that this command starts")
    add_run_options(server, suites="active (default), all, core, draft, pending")

    client = commands.add_parser(
        "client",
        help="test a client; without --command the reference client of this package",
        epilog=TO_PYTEST,
    )
    client.add_argument(
        "--command",
        dest="client_command",
        metavar="CMD",
        help="starts the client; the URL is appended as last argument",
    )
    add_run_options(client, suites="all (default), core, draft, auth, metadata, sep-835, backcompat, extensions")

    authorization = commands.add_parser(
        "authorization",
        help="test an authorization server; without --url or --file the reference of this package",
        epilog=TO_PYTEST,
    )
    authorization.add_argument("--url", help="the issuer of the authorization server")
    authorization.add_argument(
        "--file", metavar="FILE", help="a settings file (JSON): url, clientId, clientSecret, port, resource, scenario"
    )
    authorization.add_argument("--client-id", metavar="ID", help="the client that is registered there")
    authorization.add_argument("--client-secret", metavar="SECRET", help="its secret; env:NAME reads a variable")
    authorization.add_argument(
        "-p", "--port", metavar="PORT", help="where the browser comes back to on this machine (default: 3000)"
    )
    authorization.add_argument("--resource", metavar="URI", help="what a token is asked for")
    add_run_options(authorization, suites="all")
    authorization.set_defaults(refuse=authorization.error)

    served = commands.add_parser(
        "serve",
        help="serve a client scenario and wait: for clients that are no command",
        epilog="Ctrl+C ends the scenario; then its checks are shown, and the exit code tells whether one failed.",
    )
    served.add_argument("scenario", metavar="SCENARIO", help="a scenario of the client leg")
    served.add_argument("--spec-version", metavar="V", help="the revision (default: the one that the scenario implies)")
    served.add_argument("--force", action="store_true", help="serve it outside its window of revisions, too")
    served.add_argument(
        "--host",
        default="localhost",
        metavar="ADDRESS",
        help="an address of this machine to listen on, 0.0.0.0 for all; whoever reaches it can talk to the server (default:"
        " localhost, which only this machine reaches)",
    )
    served.add_argument(
        "--port", type=port, default=0, metavar="N", help="the port of the MCP server (default: a free one)"
    )
    served.add_argument("-o", "--output-dir", metavar="DIR", help="write checks and transcript here")
    served.set_defaults(refuse=served.error)

    listed = commands.add_parser("list", help="list the scenarios with their revisions")
    listed.add_argument("--spec-version", action="append", default=[], metavar="V", help="only those that apply there")
    listed.add_argument(
        "--requirements", action="append", default=[], metavar="REV", help="what these revisions require"
    )
    listed.add_argument("--suite", action="append", default=[], metavar="NAME", help="only those of this suite")
    for leg in REFERENCES:
        listed.add_argument(f"--{leg}", action="store_true", help=f"those of the {leg} leg")
    return top


def port(text: str) -> int:
    """Read a number that a port can have."""
    if not (text.isdecimal() and 0 < int(text) <= LAST_PORT):
        raise argparse.ArgumentTypeError(f"{text}: give a whole number from 1 to {LAST_PORT}.")
    return int(text)


def milliseconds(text: str) -> int:
    """Read a duration."""
    if not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text}: give milliseconds above 0.")
    return int(text)


def add_run_options(command: argparse.ArgumentParser, *, suites: str) -> None:
    """Declare what the commands that test have in common."""
    command.add_argument(
        "--scenario", action="append", default=[], metavar="NAME", help="single scenarios; globs are allowed"
    )
    command.add_argument("--suite", action="append", default=[], metavar="NAME", help=suites)
    command.add_argument("--spec-version", action="append", default=[], metavar="V", help="revisions, draft or all")
    command.add_argument("--force", action="store_true", help="run scenarios outside their window, too")
    command.add_argument(
        "--requirements",
        action="append",
        default=[],
        metavar="REV",
        help="what these revisions require, each at its wire",
    )
    command.add_argument("--expected-failures", metavar="FILE", help="the failures listed in this file are expected")
    command.add_argument("--strict", action="store_true", help="let a WARNING fail")
    command.add_argument(
        "--timeout", type=milliseconds, metavar="MS", help="bound of one scenario in milliseconds (default: 30000)"
    )
    command.add_argument("-o", "--output-dir", metavar="DIR", help="write checks and transcripts here")
    command.add_argument("--verbose", action="store_true", help="show every check")


def standalone() -> list[str]:
    """Return the arguments that keep a surrounding project's pytest settings, and plugins for coroutines, out."""
    quiet = ["--no-header", "-p", "no:asyncio", "-p", "no:anyio"]
    return [*quiet, "-c", os.devnull, f"--rootdir={os.getcwd()}", "-p", "no:cacheprovider", "--noconftest"]  # noqa: PTH109


def server_words(parsed: argparse.Namespace) -> list[str]:
    """Translate the target of `mcp-conformance server` into pytest's options."""
    if parsed.url is not None:
        return [f"--mcp-server-url={parsed.url}"]
    if parsed.server_command is not None:
        return [f"--mcp-server-cmd={parsed.server_command}"]
    return [REFERENCES["server"]]


def client_words(parsed: argparse.Namespace) -> list[str]:
    """Translate the target of `mcp-conformance client` into pytest's options."""
    if parsed.client_command is not None:
        return [f"--mcp-client-cmd={parsed.client_command}"]
    return [REFERENCES["client"]]


def authorization_words(parsed: argparse.Namespace) -> list[str]:
    """Translate the target of `mcp-conformance authorization` into pytest's options: what is given beside a file goes first."""
    named = [] if parsed.file is None else [f"--mcp-authorization={parsed.file}"]
    named += [] if parsed.url is None else [f"--mcp-authorization-url={parsed.url}"]
    values = {option.flag: getattr(parsed, option.member.removeprefix("authorization_")) for option in DETAILS}
    given = {flag: value for flag, value in values.items() if value is not None}
    if given and not named:  # the reference has clients of its own: to test it would look like testing what was meant
        told = ", ".join(map(in_console_names, given))
        parsed.refuse(f"{told}: about an authorization server, and none is named. Name it with --url or --file.")
    target = named or [REFERENCES["authorization"]]
    return target + [f"{flag}={value}" for flag, value in given.items()]


def run_words(parsed: argparse.Namespace) -> list[str]:
    """Translate what `add_run_options` declares into pytest's options."""
    words = selection_words(parsed)
    words += [f"--mcp-scenario={name}" for name in parsed.scenario]
    words += ["--mcp-force"] if parsed.force else []
    # An empty name is refused, so it must arrive.
    words += [] if parsed.expected_failures is None else [f"--mcp-expected-failures={parsed.expected_failures}"]
    words += [] if parsed.output_dir is None else [f"--mcp-results-dir={parsed.output_dir}"]
    words += ["--mcp-strict"] if parsed.strict else []
    words += [f"--mcp-timeout={parsed.timeout / 1000:g}"] if parsed.timeout else []
    words += ["-v"] if parsed.verbose else []
    return words


def list_words(parsed: argparse.Namespace, leg: str | None) -> list[str]:
    """Translate `mcp-conformance list` into pytest's options.

    :param leg: the only one to list.
    """
    return ["--mcp-list", *([REFERENCES[leg]] if leg else []), *selection_words(parsed)]


def serve_command(parsed: argparse.Namespace) -> int:
    """Carry out `mcp-conformance serve`."""
    from pytest_mcp_conformance.interactive import Asked, serve  # loads the scenarios

    refuse: Callable[[str], NoReturn] = parsed.refuse
    try:
        return serve(
            Asked(
                scenario=parsed.scenario,
                version=parsed.spec_version,
                force=parsed.force,
                host=parsed.host,
                port=parsed.port,
                results=parsed.output_dir,
            ),
            StandardOutput().say,
        )
    except Misuse as error:
        refuse(in_console_names(str(error)))


def selection_words(parsed: argparse.Namespace) -> list[str]:
    """Translate the options that select by suite, revision and requirement set."""
    return [
        *(f"--mcp-requirements={name}" for name in parsed.requirements),
        *(f"--mcp-suite={name}" for name in parsed.suite),
        *(f"--mcp-spec-version={version}" for version in parsed.spec_version),
    ]


if __name__ == "__main__":
    sys.exit(main())
