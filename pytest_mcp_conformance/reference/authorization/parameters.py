"""Parameters of a request, from a query or a form."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qs, urlsplit

from pytest_mcp_conformance.reference.authorization.errors import invalid_request, invalid_target

MAX_PARAMETERS = 50
REPEATABLE = frozenset({"resource"})  # RFC 8707, 2


class Parameters:
    """The parameters of one request; those without a value count as left out.

    MUST treat a parameter without a value as left out, MUST NOT accept one twice: RFC 6749, 3.1 and 3.2.
    """

    def __init__(self, encoded: str) -> None:
        self._values: Mapping[str, list[str]] = {}
        try:
            self._values = parse_qs(encoded, max_num_fields=MAX_PARAMETERS, errors="strict")
        except ValueError as error:
            raise invalid_request("The parameters cannot be read") from error

    def optional(self, name: str) -> str | None:
        """Return the one value of `name`, or nothing."""
        values = self._values.get(name, [])
        if len(values) > 1:
            raise invalid_request(f"{name} occurs more than once")
        return values[0] if values else None

    def required(self, name: str) -> str:
        """Return the one value of `name`."""
        value = self.optional(name)
        if value is None:
            raise invalid_request(f"{name} is missing")
        return value

    def check_single(self) -> None:
        """Refuse what occurs more than once and may not."""
        for name in self._values.keys() - REPEATABLE:
            self.optional(name)

    @property
    def resources(self) -> tuple[str, ...]:
        """The resources that a token is asked for.

        MUST be absolute URIs without a fragment: RFC 8707, 2.
        """
        resources = tuple(self._values.get("resource", []))
        for each in resources:
            if not is_absolute_uri(each):
                raise invalid_target("A resource is an absolute URI without a fragment")
        return resources


def is_absolute_uri(text: str) -> bool:
    """Tell whether `text` is a URI with a scheme and something behind it, and without a fragment."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return bool(parts.scheme and (parts.netloc or parts.path)) and "#" not in text
