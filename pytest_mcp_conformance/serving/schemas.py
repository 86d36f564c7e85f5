"""Checking values against JSON schemas: the arguments of tools and the content of forms."""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.protocol.library_reading import readable, without_mark


def complaint(schema: JsonObject, value: JsonValue) -> str | None:
    """Return what is wrong with `value` by `schema`, in one sentence, or nothing.

    MUST support JSON Schema 2020-12, MUST NOT fetch references: 2026-07-28, basic#json-schema-usage
    """
    from jsonschema_rs import Draft202012Validator

    validator = Draft202012Validator(schema, mask="the value", retriever=_refuse)
    try:
        error = next(iter(validator.iter_errors(value)), None)
    except ValueError:  # a lone surrogate, which the library cannot take in
        error = next(iter(validator.iter_errors(readable(value))), None)
    if error is None:
        return None
    place = "/".join(without_mark(str(part)) for part in error.instance_path)
    return f"{error.message} (at /{place})" if place else error.message


def _refuse(uri: str) -> JsonValue:
    raise ValueError(f"{uri} is outside the schema")
