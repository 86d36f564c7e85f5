"""What is known of an authorization server before it is talked to: a JSON file, and what was given beside it.

The file has the members of the published settings file, and none other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import urlsplit

from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, NotJson, is_integer, loads, shown

DEFAULT_PORT = 3000  # of the callback, as published
MAX_PORT = 65535
MAX_FILE_BYTES = 1024 * 1024  # far above any settings
CALLBACK_HOST = "127.0.0.1"
CALLBACK_PATH = "/callback"
CREDENTIALS = "credentials in a URL end up in reports"


@dataclass(frozen=True, kw_only=True)
class AuthorizationSettings:
    """An authorization server, and the client that is registered there.

    :ivar url: the issuer, as it was written: it is compared with the metadata character by character.
    :ivar scenario: the only one to run; none for all.
    :ivar client_secret: reaches the token endpoint and nothing else.
    :ivar port: where the user's browser comes back to.
    :ivar resource: what a token is asked for.
    """

    url: str
    scenario: str | None = None
    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)
    port: int = DEFAULT_PORT
    resource: str | None = None

    @property
    def redirect_uri(self) -> str:
        """The redirect URI that must be registered for the client."""
        return f"http://{CALLBACK_HOST}:{self.port}{CALLBACK_PATH}"


@dataclass(frozen=True, kw_only=True)
class Given:
    """What was given on a command line, and so counts more than the file; none of it where nothing was given."""

    url: str | None = None
    scenario: str | None = None
    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)
    port: int | None = None
    resource: str | None = None

    @property
    def members(self) -> JsonObject:
        """What was given, as the file would have it."""
        values: JsonObject = {
            "url": self.url,
            "scenario": self.scenario,
            "clientId": self.client_id,
            "clientSecret": self.client_secret,
            "port": self.port,
            "resource": self.resource,
        }
        return {member: value for member, value in values.items() if value is not None}


NOTHING = Given()
OPTIONS = {
    "url": "--url",
    "scenario": "--scenario",
    "clientId": "--client-id",
    "clientSecret": "--client-secret",
    "port": "--port",
    "resource": "--resource",
}


def authorization_settings(
    file: Path | None = None,
    given: Given = NOTHING,
    *,
    scenarios: Iterable[str],
    options: Mapping[str, str] = OPTIONS,
) -> AuthorizationSettings:
    """Return the settings of a run: those of `file`, with what was given in their place, member by member.

    :param scenarios: the names that there are.
    :param options: what each member is given with, for messages.
    :raises Misuse: something of it cannot be used; the message says what, where, and what is possible.
    """
    known = tuple(scenarios)
    members = read_settings_file(file, scenarios=known) if file is not None else {}
    for member, value in given.members.items():
        if problem := _problem(member, value, known):
            raise Misuse(f"{options[member]}: {problem}")
        members[member] = value
    if "url" not in members:
        raise Misuse(f"{options['url']} or a settings file must say which authorization server is tested.")
    return AuthorizationSettings(
        url=str(members["url"]),
        scenario=_text(members, "scenario"),
        client_id=_text(members, "clientId"),
        client_secret=_text(members, "clientSecret"),
        port=int(port) if is_integer(port := members.get("port")) else DEFAULT_PORT,
        resource=_text(members, "resource"),
    )


def _text(members: JsonObject, member: str) -> str | None:
    value = members.get(member)
    return value if isinstance(value, str) else None


def read_settings_file(file: Path, *, scenarios: Iterable[str]) -> JsonObject:
    """Return the members of a settings file.

    :raises Misuse: it cannot be read, is no JSON object, or has a member that is unknown, missing or wrong.
    """
    members = _document(file)
    known = tuple(scenarios)
    for member, value in members.items():
        if member not in RULES:
            near = get_close_matches(member, RULES, n=1)
            meant = f" Meant is perhaps {near[0]}." if near else ""
            raise Misuse(f"{file}: no member is named {shown(member)}. Possible are {', '.join(RULES)}.{meant}")
        if problem := _problem(member, value, known):
            raise Misuse(f"{file}, {member}: {problem}")
    if "url" not in members:
        raise Misuse(f"{file}: the member url is missing. It is the issuer of the authorization server.")
    return members


def _document(file: Path) -> JsonObject:
    try:
        with file.open("rb") as opened:
            text = opened.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise Misuse(f"{file}: cannot be read ({error.strerror or type(error).__name__}).") from error
    if len(text) > MAX_FILE_BYTES:
        raise Misuse(f"{file}: larger than a settings file can be ({MAX_FILE_BYTES} bytes).")
    try:
        document = loads(text)
    except NotJson as error:
        raise Misuse(f"{file}: {error}. A settings file is a JSON object.") from error
    if not isinstance(document, dict):
        raise Misuse(f"{file}: a settings file is a JSON object, and this is none.")  # it may hold secrets: not shown
    return document


def _problem(member: str, value: JsonValue, scenarios: tuple[str, ...]) -> str | None:
    """Say what is wrong with the value of a member, or nothing."""
    if member == "scenario" and value not in scenarios:
        return f"no scenario is named {shown(value)}. Possible are {', '.join(scenarios)}."
    return RULES[member](value)


def _url_problem(value: JsonValue) -> str | None:
    problem = http_url_problem(value)
    if problem is not None:
        return f"{problem}. An issuer is written like https://auth.example.com."
    return None


def http_url_problem(value: JsonValue) -> str | None:
    """Say why `value` is no http or https URL that can be used, or nothing."""
    if not isinstance(value, str):
        return f"a text is needed, and this is {shown(value)}"
    if strange := next((each for each in value if not "!" <= each <= "~"), None):
        return f"a URL cannot hold the character {shown(strange)}"
    try:
        parts = urlsplit(value)
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return f"{_told(value)} is no URL"
    if parts.username is not None:
        return CREDENTIALS
    return None if whole else f"{shown(value)} is no http or https URL that names a host"


def _text_problem(value: JsonValue) -> str | None:
    # A value that may be a secret is not repeated.
    return None if isinstance(value, str) and value else "a text is needed that is not empty."


def _port_problem(value: JsonValue) -> str | None:
    if is_integer(value) and 1 <= value <= MAX_PORT:
        return None
    return f"a whole number from 1 to {MAX_PORT} is needed, and this is {shown(value)}."


def _resource_problem(value: JsonValue) -> str | None:
    """Source: RFC 8707, 2."""
    try:
        parts = urlsplit(value) if isinstance(value, str) else None
    except ValueError:
        parts = None
    if parts is not None and parts.username is not None:
        return f"{CREDENTIALS}."
    whole = parts is not None and parts.scheme and (parts.netloc or parts.path)
    if whole and "#" not in str(value) and all("!" <= each <= "~" for each in str(value)):
        return None
    return (
        f"an absolute URI without a fragment is needed, like https://mcp.example.com/mcp, and this is {_told(value)}."
    )


def _told(value: JsonValue) -> str:
    """Return a value for a message, unless it may hold credentials."""
    return "a text with @" if isinstance(value, str) and "@" in value else shown(value)


RULES: Mapping[str, Callable[[JsonValue], str | None]] = {
    "url": _url_problem,
    "scenario": _text_problem,
    "clientId": _text_problem,
    "clientSecret": _text_problem,
    "port": _port_problem,
    "resource": _resource_problem,
}
