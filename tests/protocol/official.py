"""The referee: the official schemas, judged by the library `jsonschema`.

It shares nothing with ours but the two formats, which have tests of their own.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker

from pytest_mcp_conformance.json_values import JsonValue
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.schema_formats import is_uri, is_uri_template
from tests.shared_folder import shared

FORMATS = FormatChecker(formats=())
FORMATS.checks("uri")(lambda value: not isinstance(value, str) or is_uri(value))
FORMATS.checks("uri-template")(lambda value: not isinstance(value, str) or is_uri_template(value))

VALIDATORS: dict[str, type[Draft7Validator | Draft202012Validator]] = {
    "http://json-schema.org/draft-07/schema#": Draft7Validator,
    "https://json-schema.org/draft/2020-12/schema": Draft202012Validator,
}


class Official:
    """The official schema of one revision."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.keyword = "$defs" if "$defs" in document else "definitions"
        self.definitions: dict[str, dict[str, Any]] = document[self.keyword]
        self._validators: dict[str, Any] = {}

    def accepts(self, definition: str, value: JsonValue) -> bool:
        """Tell whether `value` is valid by `definition`."""
        if definition not in self._validators:
            schema = {**self.document, "$ref": f"#/{self.keyword}/{definition}"}
            self._validators[definition] = VALIDATORS[self.document["$schema"]](schema, format_checker=FORMATS)
        return bool(self._validators[definition].is_valid(value))


def official(revision: Revision) -> Official:
    """Return the official schema of `revision`, or skip the test."""
    return _read(shared("official-schemas", f"{revision}.json"))


@cache
def _read(path: Path) -> Official:
    return Official(json.loads(path.read_bytes()))
