"""Every option, declared once, and read once into a frozen value.

Each option exists on the command line (`--mcp-suite`) and as an ini value of the same name with underscores (`mcp_suite`); the
command line wins. A bad value is a `Misuse`, which the plugin turns into pytest's usage error (exit 4).
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pytest_mcp_conformance.exceptions import Misuse

if TYPE_CHECKING:
    import pytest

TIMEOUT_SECONDS = 30.0
SELECTION = frozenset({"mcp_spec_version", "mcp_suite", "mcp_scenario"})  # what --mcp-requirements decides by itself
ABOUT_AUTHORIZATION = frozenset(
    f"mcp_authorization_{each}" for each in ("client_id", "client_secret", "port", "resource")
)


@dataclass(frozen=True, kw_only=True)
class Option:
    """One option. `kind` is how it is written: once, as a flag, or several times and in comma lists.

    A relative `path` on the command line starts at the current folder, in an ini file at the folder of that file.

    `targets` marks those that name what is tested, `selects` those that say which scenarios run.
    """

    flag: str
    help: str
    metavar: str | None = None
    kind: Literal["text", "flag", "list", "seconds", "count", "path"] = "text"
    targets: bool = False
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
        help="The client that is registered at the authorization server, before that of the settings file",
    ),
    Option(
        flag="--mcp-authorization-client-secret",
        metavar="SECRET",
        help="Its secret, which no output shows; env:NAME reads a variable",
    ),
    Option(
        flag="--mcp-authorization-port",
        metavar="PORT",
        kind="count",
        help="Where the browser comes back to on this machine, at /callback, before that of the settings file (default: 3000)",
    ),
    Option(
        flag="--mcp-authorization-resource",
        metavar="URI",
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
        flag="--mcp-results-dir", metavar="DIR", help="Write checks and transcripts of each scenario below this folder"
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
    about = sorted(typed & ABOUT_AUTHORIZATION)
    if about and not (options.authorization or options.authorization_url or options.authorization_reference):
        raise Misuse(
            f"--{about[0].replace('_', '-')} is about an authorization server, and none is named. Name it with"
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
    options = Options(
        server_url=_text(values, "mcp_server_url"),
        server_cmd=_text(values, "mcp_server_cmd"),
        server_reference=bool(values.get("mcp_server_reference")),
        client_cmd=_command(values, "mcp_client_cmd"),
        client_reference=bool(values.get("mcp_client_reference")),
        authorization=_text(values, "mcp_authorization"),
        authorization_reference=bool(values.get("mcp_authorization_reference")),
        authorization_url=_text(values, "mcp_authorization_url"),
        authorization_client_id=_text(values, "mcp_authorization_client_id"),
        authorization_client_secret=_secret(values, "mcp_authorization_client_secret", os.environ),
        authorization_port=_count(values, "mcp_authorization_port"),
        authorization_resource=_text(values, "mcp_authorization_resource"),
        suites=_names(values, "mcp_suite"),
        scenarios=_names(values, "mcp_scenario"),
        spec_versions=_names(values, "mcp_spec_version"),
        force=bool(values.get("mcp_force")),
        requirements=_names(values, "mcp_requirements"),
        expected_failures=_text(values, "mcp_expected_failures"),
        update_expected_failures=bool(values.get("mcp_update_expected_failures")),
        strict=bool(values.get("mcp_strict")),
        timeout=_seconds(values, "mcp_timeout", TIMEOUT_SECONDS),
        concurrency=_count(values, "mcp_concurrency"),
        headers=dict(header(each, os.environ) for each in _entries(values, "mcp_header")),
        results_dir=_text(values, "mcp_results_dir"),
        summary=_text(values, "mcp_summary"),
        html=_text(values, "mcp_html"),
        list=bool(values.get("mcp_list")),
        target_named=target_named,
        selects=selects,
    )
    _refuse_conflicts(options)
    return options


def header(text: str, environ: Mapping[str, str]) -> tuple[str, str]:
    """Split `Name: value`; a value `env:NAME` is read from `environ`, so that no secret stands in a command line.

    :raises Misuse: no header, or no such variable. The message never repeats a value.
    """
    name, colon, value = text.partition(":")
    name, value = name.strip(), value.strip()
    if not colon or not name or not all(character.isalnum() or character in "!#$%&'*+-.^_`|~" for character in name):
        raise Misuse("--mcp-header: a header is written 'Name: value', for example 'Authorization: env:TOKEN'.")
    if value.startswith("env:"):
        variable = value.removeprefix("env:")
        if variable not in environ:
            raise Misuse(f"--mcp-header {name}: the environment has no variable {variable!r}.")
        value = environ[variable]
    if not value.isprintable() or not value.isascii():
        raise Misuse(f"--mcp-header {name}: the value has characters that a header cannot carry.")
    return name, value


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


def _text(values: Mapping[str, object], name: str) -> str | None:
    """Return a text.

    :raises Misuse: it is empty: an unset variable must not mean that the option was left out.
    """
    value = values.get(name)
    if value == "":
        raise Misuse(f"--{name.replace('_', '-')} is empty. Give a value, or leave the option out.")
    return None if value is None else str(value)


def _secret(values: Mapping[str, object], name: str, environ: Mapping[str, str]) -> str | None:
    """Return a secret; `env:NAME` is read from `environ`, so that it stands in no command line.

    :raises Misuse: there is no such variable, or it is empty.
    """
    text = _text(values, name)
    if text is None or not text.startswith("env:"):
        return text
    variable = text.removeprefix("env:")
    if not environ.get(variable):
        raise Misuse(f"--{name.replace('_', '-')}: the environment has no variable {variable!r}, or it is empty.")
    return environ[variable]


def _command(values: Mapping[str, object], name: str) -> str | None:
    """Return a command line.

    :raises Misuse: there is no word in it: the shell would take the URL for the command.
    """
    text = _text(values, name)
    if text is not None and not text.strip():
        raise Misuse(f"--{name.replace('_', '-')} is blank. Give a command.")
    return text


def _entries(values: Mapping[str, object], name: str) -> Sequence[str]:
    value = values.get(name)
    if isinstance(value, str):
        return [value]
    return [str(each) for each in value] if isinstance(value, list | tuple) else []


def _names(values: Mapping[str, object], name: str) -> tuple[str, ...]:
    """Split lists at commas and at white space, which no name has.

    :raises Misuse: an element is empty: an unset variable must not select everything.
    """
    parts = (part for entry in _entries(values, name) for part in entry.split(","))
    names = [name for part in parts for name in part.split() or [""]]
    if "" in names:
        raise Misuse(f"--{name.replace('_', '-')} has an empty name. Leave the option out for its default.")
    return tuple(names)


def _seconds(values: Mapping[str, object], name: str, default: float) -> float:
    number = _positive(values, name, float, "seconds above 0")
    return default if number is None else number


def _count(values: Mapping[str, object], name: str) -> int | None:
    number = _positive(values, name, int, "a whole number above 0")
    return None if number is None else int(number)


def _positive(values: Mapping[str, object], name: str, read: Callable[[str], float], wanted: str) -> float | None:
    value = values.get(name)
    if value is None or value == "":
        return None
    try:
        number = read(str(value))
    except ValueError:
        number = 0
    if not 0 < number < math.inf:
        raise Misuse(f"--{name.replace('_', '-')} {value}: give {wanted}.")
    return number
