"""What the user's browser brought back from the authorization server."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from urllib.parse import parse_qsl, urlencode

MAX_PARAMETERS = 100
# What may be shown of a redirect. All else may be a code, a token, or what somebody can become one from.
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

    def values(self, name: str) -> list[str]:
        """Return every value of `name`."""
        return [value for each, value in self.parameters if each == name]

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that no output may show."""
        return tuple(value for name, value in self.parameters if name not in HARMLESS and value)

    @property
    def shown_url(self) -> str:
        """The URL without its secrets."""
        harmless = [(name, value if name in HARMLESS else HIDDEN) for name, value in self.parameters]
        origin = self.redirect_uri.rpartition("/")[0]
        return f"{origin}{self.path}?{urlencode(harmless, safe='()')}"
