"""Reading WWW-Authenticate: which challenges a response carries, and which one OAuth answers.

Nothing that a server sends raises: what cannot be read is passed over, up to the next comma.

Source: RFC 9110, 11.6.1 (the field), 11.2 (parameters); RFC 9728, 5.1; RFC 6750, 3; RFC 9449, 7.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

WORD = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
SEPARATORS = re.compile(r"[\s,]*")
SCHEME = re.compile(rf"({WORD})(?=[\s,]|$)")
CREDENTIALS = re.compile(r"\s+[A-Za-z0-9._~+/-]+=*(?=\s*(?:,|$))")  # token68, what a scheme has instead of parameters
# A value without quotes must be a token. URLs are none, and are sent so all the same.
PARAMETER = re.compile(rf'({WORD})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"=][^\s,"]*))', re.DOTALL)
UNREADABLE = re.compile(r"[^,]*")
ESCAPED = re.compile(r"\\(.)", re.DOTALL)

ANSWERED_SCHEMES = ("bearer", "dpop")


@dataclass(frozen=True, kw_only=True)
class Challenge:
    """One challenge. The scheme and the names of parameters are in lower case; of a name given twice the first counts."""

    scheme: str
    parameters: Mapping[str, str] = field(default_factory=dict)

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes that it names, if any."""
        return tuple(self.parameters.get("scope", "").split())

    @property
    def resource_metadata(self) -> str | None:
        """Where the metadata of the resource is, if it says so."""
        return self.parameters.get("resource_metadata") or None

    @property
    def error(self) -> str | None:
        """What was wrong with the request, if it says so."""
        return self.parameters.get("error")


def challenges(values: Iterable[str]) -> list[Challenge]:
    """Return the challenges in the values of all WWW-Authenticate fields of a response, in their order."""
    return [challenge for value in values for challenge in _challenges(value)]


def challenge_of(values: Iterable[str]) -> Challenge:
    """Return the challenge that OAuth answers: the first of its schemes that says more than its name; else an empty one."""
    ours = [each for each in challenges(values) if each.scheme in ANSWERED_SCHEMES]
    telling = [each for each in ours if each.resource_metadata or each.scopes or each.error]
    return next(iter(telling + ours), Challenge(scheme=ANSWERED_SCHEMES[0]))


def _challenges(value: str) -> list[Challenge]:
    found: list[tuple[str, dict[str, str]]] = []
    at = 0
    while at < len(value):
        separators = SEPARATORS.match(value, at)
        at = separators.end() if separators else at
        parameter = PARAMETER.match(value, at) if found else None
        if parameter:
            name, quoted, bare = parameter.groups()
            text = bare if quoted is None else ESCAPED.sub(r"\1", quoted)
            found[-1][1].setdefault(name.lower(), text)
            at = parameter.end()
        elif scheme := SCHEME.match(value, at):
            found.append((scheme[1].lower(), {}))
            credentials = CREDENTIALS.match(value, scheme.end())
            at = (credentials or scheme).end()
        elif unreadable := UNREADABLE.match(value, at):
            at = max(unreadable.end(), at + 1)
    return [Challenge(scheme=scheme, parameters=parameters) for scheme, parameters in found]
