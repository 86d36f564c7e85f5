"""What the user's browser brought back from the authorization server."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from urllib.parse import parse_qsl, urlencode

from pytest_mcp_conformance.authorization.showable import PLAIN, shown_address, shown_error, shown_words

MAX_PARAMETERS = 100
# What is no secret in itself. All else may be a code, a token, or what somebody can become one from.
HARMLESS = frozenset({"state", "iss", "error", "error_description", "error_uri", "scope"})
HIDDEN = "(redacted)"


@dataclass(frozen=True, kw_only=True)
class Redirect:
    """The request with which the browser came back.

    :ivar path: as it came, not decoded.
    """

    redirect_uri: str
    path: str
    query: str

    @cached_property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Names and values in their order, decoded; none where there are more than anybody sends."""
        try:
            pairs = parse_qsl(self.query, keep_blank_values=True, max_num_fields=MAX_PARAMETERS, errors="replace")
        except ValueError:
            return ()
        return tuple(pairs)

    @property
    def unread(self) -> int:
        """How many parameters there are where they are too many to be read."""
        number = self.query.count("&") + 1
        return number if number > MAX_PARAMETERS else 0

    def values(self, name: str) -> list[str]:
        """Return every value of `name`."""
        return [value for each, value in self.parameters if each == name]

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that no output may show."""
        return tuple(value for name, value in self.parameters if name not in HARMLESS and value)

    def shown_url(self, *, state: str, issuer: str) -> str:
        """Return the URL without anything that may be secret, in whichever parameter it is.

        :param state: the one that was sent, the only one that is shown.
        """
        origin = self.redirect_uri.rpartition("/")[0]
        if self.unread:
            return f"{origin}{self.path}?({self.unread} parameters, redacted)"
        known = {state: state, issuer: issuer}
        harmless = [
            (name if PLAIN.fullmatch(name) else HIDDEN, known.get(value) or _shown(name, value, issuer))
            for name, value in self.parameters
        ]
        return f"{origin}{self.path}?{urlencode(harmless, safe='()')}"


def _shown(name: str, value: str, issuer: str) -> str:
    match name:
        case "error":
            return shown_error(value)
        case "error_description" | "scope":
            return shown_words(value)
        case "iss":
            return shown_address(value, issuer)
        case _:
            return HIDDEN
