"""Every option, declared once: what command line, ini file, help and documentation say of it comes from here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True)
class Option:
    """One option. `kind` is how it is written: once, as a flag, or several times and in comma lists.

    A relative `path` on the command line starts at the current folder, in an ini file at the folder of that file.

    `targets` marks those that name what is tested, `details` those that say more of it, `selects` those that say which
    scenarios run, and `secret` one that no output may show.
    """

    flag: str
    help: str
    metavar: str | None = None
    kind: Literal["text", "flag", "list", "seconds", "count", "path"] = "text"
    targets: bool = False
    details: bool = False
    secret: bool = False
    selects: bool = False

    @property
    def name(self) -> str:
        """The name of the ini value, and of the attribute of the parsed command line."""
        return self.flag.removeprefix("--").replace("-", "_")

    @property
    def member(self) -> str:
        """The name of the member of `Options`, where that is read as it is written."""
        return self.name.removeprefix("mcp_")


DECLARED = (
    Option(flag="--mcp-server-url", metavar="URL", targets=True, help="Test the server that runs at this URL"),
    Option(
        flag="--mcp-server-cmd",
        metavar="CMD",
        targets=True,
        help="Test the server that this command starts; {port} in it and the variable PORT carry a free port, and the"
        " server is expected at http://127.0.0.1:{port}/mcp unless --mcp-server-url with {port} says otherwise",
    ),
    Option(flag="--mcp-server-reference", kind="flag", targets=True, help="Test the reference server of this package"),
    Option(
        flag="--mcp-client-cmd",
        metavar="CMD",
        targets=True,
        help="Test the client that this command starts, once for each scenario; the URL of the server that it is to talk to"
        " is appended to the command, and the variables MCP_CONFORMANCE_* say the rest",
    ),
    Option(flag="--mcp-client-reference", kind="flag", targets=True, help="Test the reference client of this package"),
    Option(
        flag="--mcp-authorization",
        metavar="FILE or URL",
        kind="path",
        targets=True,
        help="Test the authorization server whose issuer is this URL, or that this settings file names (JSON: url, clientId,"
        " clientSecret, port, resource, scenario)",
    ),
    Option(
        flag="--mcp-authorization-reference",
        kind="flag",
        targets=True,
        help="Test the reference authorization server of this package",
    ),
    Option(
        flag="--mcp-authorization-url",
        metavar="URL",
        targets=True,
        help="The issuer, before that of the settings file that --mcp-authorization names",
    ),
    Option(
        flag="--mcp-authorization-client-id",
        metavar="ID",
        details=True,
        help="The client that is registered at the authorization server, before that of the settings file",
    ),
    Option(
        flag="--mcp-authorization-client-secret",
        metavar="SECRET",
        details=True,
        secret=True,
        help="Its secret, which no output shows; env:NAME reads a variable",
    ),
    Option(
        flag="--mcp-authorization-port",
        metavar="PORT",
        kind="count",
        details=True,
        help="Where the browser comes back to on this machine, at /callback, before that of the settings file (default: 3000)",
    ),
    Option(
        flag="--mcp-authorization-resource",
        metavar="URI",
        details=True,
        help="What a token is asked for, before that of the settings file",
    ),
    Option(
        flag="--mcp-suite",
        metavar="NAME",
        kind="list",
        selects=True,
        help="Run these suites (default: active for a server, all for a client)",
    ),
    Option(
        flag="--mcp-scenario", metavar="NAME", kind="list", selects=True, help="Run these scenarios; globs are allowed"
    ),
    Option(
        flag="--mcp-spec-version",
        metavar="V",
        kind="list",
        help="Run at these revisions, `draft` or `all` (default: the one that each scenario implies)",
    ),
    Option(flag="--mcp-force", kind="flag", help="Run scenarios outside their window of revisions, too"),
    Option(
        flag="--mcp-requirements",
        metavar="REV",
        kind="list",
        selects=True,
        help="Run what these revisions require, each at its own wire; only what they score decides the exit code",
    ),
    Option(
        flag="--mcp-expected-failures",
        metavar="FILE",
        kind="path",
        help="Expect the failures listed in this file; anything else that fails, and an entry that does not, fails the run",
    ),
    Option(
        flag="--mcp-update-expected-failures",
        kind="flag",
        help="Rewrite the file of --mcp-expected-failures from this run; comments, order and reasons stay",
    ),
    Option(flag="--mcp-strict", kind="flag", help="Let a WARNING, and a failed check of our own, fail the scenario"),
    Option(flag="--mcp-timeout", metavar="SECONDS", kind="seconds", help="Bound of one scenario (default: 30)"),
    Option(
        flag="--mcp-concurrency",
        metavar="N",
        kind="count",
        help="Scenarios side by side in this process (default: 8 for a server, the number of cores for a client; under"
        " pytest-xdist always 1)",
    ),
    Option(
        flag="--mcp-header",
        metavar="HEADER",
        kind="list",
        help="Send this header, 'Name: value', with every request to the server; env:NAME as the value reads a variable",
    ),
    Option(
        flag="--mcp-results-dir",
        metavar="DIR",
        kind="path",
        help="Write checks and transcripts of each scenario below this folder",
    ),
    Option(
        flag="--mcp-summary",
        metavar="FILE",
        kind="path",
        help="Write a summary in Markdown to this file, for a pull request; on GitHub the job's own summary has it, too",
    ),
    Option(
        flag="--mcp-html",
        metavar="FILE",
        kind="path",
        help="Write a page to this file that shows every check and the transcript of each scenario",
    ),
    Option(
        flag="--mcp-list",
        kind="flag",
        help="List the scenarios, all or those that the options select, with their revisions, and end",
    ),
)
DETAILS = tuple(option for option in DECLARED if option.details)  # of an authorization server: all that have any
