"""The parameters of a request: from the query, from a form, or from JSON.

Specification: RFC 6749, 3.1 and 3.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, NotJson, loads
from pytest_mcp_conformance.protocol.media_types import JSON, media_type_of
from pytest_mcp_conformance.serving.http import HttpRequest

FORM = "application/x-www-form-urlencoded"
MAX_FIELDS = 1000  # of one request: far more than any has

# MAY be there more than once: RFC 8707, 2 and RFC 8693, 2.1
REPEATABLE = frozenset({"resource", "audience"})


@dataclass(frozen=True)
class Parameters:
    """Parameters by name, in the order in which they came; one without a value is kept, and read as absent."""

    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def get(self, name: str) -> str | None:
        """Return the first value of `name` that says something.

        MUST treat a parameter without a value as if it was left out: RFC 6749, 3.1
        """
        return next(iter(self.all(name)), None)

    def all(self, name: str) -> tuple[str, ...]:
        """Return every value of `name` that says something."""
        return tuple(value for value in self.values.get(name, ()) if value)

    @property
    def repeated(self) -> tuple[str, ...]:
        """The names that are there more than once although they must not: RFC 6749, 3.1."""
        return tuple(name for name, values in self.values.items() if len(values) > 1 and name not in REPEATABLE)

    def as_json(self) -> JsonObject:
        """Return the parameters for the details of a check."""
        return {name: values[0] if len(values) == 1 else list(values) for name, values in self.values.items()}


def of_query(query: str) -> Parameters | None:
    """Return the parameters of a query, or nothing where it cannot be read."""
    try:
        pairs = parse_qsl(query, keep_blank_values=True, errors="replace", max_num_fields=MAX_FIELDS)
    except ValueError:
        return None
    return _collected(pairs)


def of_body(http: HttpRequest) -> Parameters | None:
    """Return the parameters of a body, or nothing where it is neither a form nor a JSON object.

    MUST be a form (RFC 6749, 3.2). Published servers take JSON as well, and what a client sends is judged either way.
    """
    kind = media_type(http)
    if kind == FORM:
        return of_query(http.body.decode("utf-8", errors="replace"))
    body = json_object(http)
    if body is None:
        return None
    pairs = [(name, text) for name, value in body.items() for text in _texts(value)]
    return _collected(pairs) if len(pairs) <= MAX_FIELDS else None


def json_object(http: HttpRequest) -> JsonObject | None:
    """Return the JSON object that is the body, or nothing where it is none."""
    if media_type(http) != JSON:
        return None
    try:
        body = loads(http.body)
    except NotJson:
        return None
    return body if isinstance(body, dict) else None


def media_type(http: HttpRequest) -> str:
    """Return the media type that a request declares for its body, without parameters; empty where it declares none."""
    return media_type_of(http.headers.get("content-type"))


def _collected(pairs: Iterable[tuple[str, str]]) -> Parameters:
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return Parameters({name: tuple(values) for name, values in found.items()})


def _texts(value: JsonValue) -> list[str]:
    """Return the texts that a member stands for: numbers and objects are no parameters."""
    entries = value if isinstance(value, list) else [value]
    return [entry for entry in entries if isinstance(entry, str)]
