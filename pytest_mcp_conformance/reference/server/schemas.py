"""Checking values against JSON schemas: the arguments of tools and the content of forms."""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject, JsonValue


def complaint(schema: JsonObject, value: JsonValue) -> str | None:
    """Return what is wrong with `value` by `schema`, in one sentence, or nothing.

    MUST support JSON Schema 2020-12, MUST NOT fetch references: 2026-07-28, basic#json-schema-usage
    """
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match
    from referencing import Registry

    error = best_match(Draft202012Validator(schema, registry=Registry()).iter_errors(value))
    if error is None:
        return None
    return f"{error.message} (at {error.json_path})"
