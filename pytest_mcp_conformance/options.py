"""The options of a run, read once into a frozen value.

Each option exists on the command line (`--mcp-suite`) and as an ini value of the same name with underscores (`mcp_suite`); the
command line wins. A bad value is a `Misuse`, which the plugin turns into pytest's usage error (exit 4).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pytest_mcp_conformance.declared_options import DECLARED, DETAILS, Option
from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.written_options import WrittenOptions

if TYPE_CHECKING:
    import pytest

TIMEOUT_SECONDS = 30.0
SELECTION = frozenset({"mcp_spec_version", "mcp_suite", "mcp_scenario"})  # what --mcp-requirements decides by itself


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the user asked for, read and checked.

    :ivar target_named: the target is named on the command line, not in the project's ini file.
    :ivar selects: the command line says what to run, so the suite is wanted even where a fixture provides the target.
    :ivar timeout: seconds for one scenario.
    :ivar concurrency: scenarios side by side; none for the default of the leg.
    """

    server_url: str | None = None
    server_cmd: str | None = None
    server_reference: bool = False
    client_cmd: str | None = None
    client_reference: bool = False
    authorization: str | None = None
    authorization_reference: bool = False
    authorization_url: str | None = None
    authorization_client_id: str | None = None
    authorization_client_secret: str | None = field(default=None, repr=False)
    authorization_port: int | None = None
    authorization_resource: str | None = None
    suites: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    spec_versions: tuple[str, ...] = ()
    force: bool = False
    requirements: tuple[str, ...] = ()
    expected_failures: str | None = None
    update_expected_failures: bool = False
    strict: bool = False
    timeout: float = TIMEOUT_SECONDS
    concurrency: int | None = None
    headers: Mapping[str, str]
    results_dir: str | None = None
    summary: str | None = None
    html: str | None = None
    list: bool = False
    target_named: bool = False
    selects: bool = False

    @property
    def has_target(self) -> bool:
        """Whether something to test was named."""
        return self.leg is not None

    @property
    def leg(self) -> Literal["server", "client", "authorization"] | None:
        """The leg of the target; none where no target was named."""
        if self.server_url or self.server_cmd or self.server_reference:
            return "server"
        if self.client_cmd or self.client_reference:
            return "client"
        named = self.authorization or self.authorization_url or self.authorization_reference
        return "authorization" if named else None


def add_options(parser: pytest.Parser) -> None:
    """Declare every option to pytest."""
    group = parser.getgroup("mcp-conformance", "MCP conformance")
    for option in DECLARED:
        match option.kind:
            case "flag":
                group.addoption(option.flag, action="store_true", default=None, help=option.help)
            case "list":
                group.addoption(option.flag, action="append", metavar=option.metavar, help=option.help)
            case _:
                group.addoption(option.flag, metavar=option.metavar, help=option.help)
        ini: Literal["bool", "linelist", "string"] = (
            "bool" if option.kind == "flag" else "linelist" if option.kind == "list" else "string"
        )
        parser.addini(option.name, option.help, type=ini, default=None)


def read_options(config: pytest.Config) -> Options:
    """Read command line and ini values.

    :raises Misuse: a value that cannot be used, or values that exclude each other.
    """
    texts: dict[str, object] = {option.name: _value(config, option) for option in DECLARED}
    typed = {option.name for option in DECLARED if config.getoption(option.name) is not None}
    # A target that is typed is the one that is tested, whatever the ini file names.
    targets = {option.name for option in DECLARED if option.targets}
    if targets & typed:
        texts |= dict.fromkeys(targets - typed)
    # What is typed says what runs; the other way of saying it, in the ini file, is meant for runs without either.
    if "mcp_requirements" in typed:
        texts |= dict.fromkeys(SELECTION - typed)
    elif SELECTION & typed:
        texts["mcp_requirements"] = None
    options = checked(
        texts,
        target_named=bool(targets & typed),
        selects=any(option.name in typed for option in DECLARED if option.selects),
    )
    about = [option.flag for option in DETAILS if option.name in typed]
    if about and not (options.authorization or options.authorization_url or options.authorization_reference):
        raise Misuse(
            f"{about[0]} is about an authorization server, and none is named. Name it with"
            " --mcp-authorization or --mcp-authorization-url."
        )
    if "mcp_header" in typed and options.leg not in (None, "server"):
        raise Misuse(f"--mcp-header is sent to a server under test, and the target is of the {options.leg} leg.")
    return options


def refuse_unknown(arguments: Iterable[str]) -> None:
    """Refuse what looks like an option of ours and is none. Where a space is in it, pytest takes it for the name of a file.

    :raises Misuse: naming the nearest options.
    """
    unknown = [argument.partition("=")[0] for argument in arguments if argument.startswith("--mcp-")]
    if unknown:
        from pytest_mcp_conformance.registry import nearest  # not needed where nothing is tested

        flags = [option.flag for option in DECLARED]
        raise Misuse(f"there is no option {unknown[0]}. {nearest(unknown[0], flags) or '--help shows all of them.'}")


def checked(values: Mapping[str, object], *, target_named: bool = False, selects: bool = False) -> Options:
    """Turn values as written into `Options`.

    :raises Misuse: see `read_options`.
    """
    written = WrittenOptions(values=values, environ=os.environ)
    options = Options(
        server_url=written.text("mcp_server_url"),
        server_cmd=written.command("mcp_server_cmd"),
        server_reference=written.flag("mcp_server_reference"),
        client_cmd=written.command("mcp_client_cmd"),
        client_reference=written.flag("mcp_client_reference"),
        authorization=written.text("mcp_authorization"),
        authorization_reference=written.flag("mcp_authorization_reference"),
        authorization_url=written.text("mcp_authorization_url"),
        authorization_client_id=written.text("mcp_authorization_client_id"),
        authorization_client_secret=written.secret("mcp_authorization_client_secret"),
        authorization_port=written.count("mcp_authorization_port"),
        authorization_resource=written.text("mcp_authorization_resource"),
        suites=written.names("mcp_suite"),
        scenarios=written.names("mcp_scenario"),
        spec_versions=written.names("mcp_spec_version"),
        force=written.flag("mcp_force"),
        requirements=written.names("mcp_requirements"),
        expected_failures=written.text("mcp_expected_failures"),
        update_expected_failures=written.flag("mcp_update_expected_failures"),
        strict=written.flag("mcp_strict"),
        timeout=written.seconds("mcp_timeout", TIMEOUT_SECONDS),
        concurrency=written.count("mcp_concurrency"),
        headers=written.headers("mcp_header"),
        results_dir=written.text("mcp_results_dir"),
        summary=written.text("mcp_summary"),
        html=written.text("mcp_html"),
        list=written.flag("mcp_list"),
        target_named=target_named,
        selects=selects,
    )
    _refuse_conflicts(options)
    return options


def _refuse_conflicts(options: Options) -> None:
    named = [
        flag
        for flag, given in (
            ("--mcp-server-reference", options.server_reference),
            ("--mcp-server-cmd", options.server_cmd),
            ("--mcp-server-url", options.server_url and not options.server_cmd),
            ("--mcp-client-reference", options.client_reference),
            ("--mcp-client-cmd", options.client_cmd),
            ("--mcp-authorization-reference", options.authorization_reference),
            ("--mcp-authorization", options.authorization or options.authorization_url),
        )
        if given
    ]
    if len(named) > 1:
        raise Misuse(f"{' and '.join(named)} name different targets. Give one of them.")
    if options.server_cmd and options.server_url and "{port}" not in options.server_url:
        raise Misuse(
            f"--mcp-server-url {options.server_url} has no {{port}}, so the server that --mcp-server-cmd starts could not be"
            " found there. Write {port} where the port belongs, or leave out one of the two."
        )
    if options.server_url and not options.server_cmd and "{port}" in options.server_url:
        raise Misuse(
            f"--mcp-server-url {options.server_url}: {{port}} is filled in only together with --mcp-server-cmd."
        )
    _refuse_conflicts_of_rules(options)


def _refuse_conflicts_of_rules(options: Options) -> None:
    selecting = (
        ("--mcp-spec-version", options.spec_versions),
        ("--mcp-suite", options.suites),
        ("--mcp-scenario", options.scenarios),
    )
    others = [flag for flag, given in selecting if given]
    if options.requirements and others:
        raise Misuse(
            f"--mcp-requirements says by itself which scenarios run and at which revision. Leave out {' and '.join(others)}."
        )
    if options.html is not None and options.html == options.summary:
        raise Misuse(f"--mcp-html and --mcp-summary both name {options.html}. Give each a file of its own.")
    if options.update_expected_failures and options.expected_failures is None:
        raise Misuse("--mcp-update-expected-failures needs a file to write. Name it with --mcp-expected-failures.")


def _value(config: pytest.Config, option: Option) -> object:
    given: object = config.getoption(option.name)
    if given == "" and option.kind == "path":  # an unset variable must not take a gate away unseen
        raise Misuse(f"{option.flag} names no file. Leave the option out to do without.")
    if given is not None:
        return given
    in_file: object = config.getini(option.name)
    if option.kind == "path" and in_file and "://" not in str(in_file) and config.inipath is not None:
        return os.path.join(config.inipath.parent, str(in_file))  # noqa: PTH118 -- a text, as the options are
    return in_file
