"""The referee: the official schemas, judged by the library `jsonschema`.

It shares nothing with ours but the two formats, which have tests of their own, and one erratum.
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
        self.keyword = "$defs" if "$defs" in document else "definitions"
        self.document = _corrected(document, self.keyword)
        self.definitions: dict[str, dict[str, Any]] = self.document[self.keyword]
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


def _corrected(document: dict[str, Any], keyword: str) -> dict[str, Any]:
    """Return a schema in which the fields of a form hold any number.

    The TypeScript schema, which is the source of truth (2025-11-25, basic#schema), says number there; the JSON schema that
    is generated from it says integer.
    """
    definitions = document[keyword]
    if "ElicitResult" not in definitions:
        return document
    as_text = json.dumps(definitions["ElicitResult"])
    assert as_text.count('"integer"') == 1
    corrected = json.loads(as_text.replace('"integer"', '"number"'))
    return {**document, keyword: {**definitions, "ElicitResult": corrected}}


@cache
def _read(path: Path) -> Official:
    return Official(json.loads(path.read_bytes()))
