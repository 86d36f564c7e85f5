"""Header fields that repeat what the body says, so that intermediaries need not read the body.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#request-metadata
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from decimal import Decimal

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object
from pytest_mcp_conformance.protocol.mirrored_values import PREFIX, SUFFIX
from pytest_mcp_conformance.serving.refusals import header_mismatch

ANNOTATION = "x-mcp-header"
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


def decode(value: str) -> str:
    """Return what a header value says, the Base64 form undone.

    MUST decode before comparing, MUST reject invalid characters: 2026-07-28,
    basic/transports/streamable-http#value-encoding and #server-behavior-for-custom-headers

    :raises Refusal: the value has the marks of the Base64 form and is none, or has characters that no header may have.
    """
    if not all(character == "\t" or " " <= character <= "~" for character in value):
        raise header_mismatch("a value has characters that are not visible ASCII")
    if not (value.startswith(PREFIX) and value.endswith(SUFFIX) and len(value) >= len(PREFIX) + len(SUFFIX)):
        return value
    try:
        return base64.b64decode(value[len(PREFIX) : -len(SUFFIX)], validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError) as error:
        raise header_mismatch("a value in Base64 form does not decode") from error


def says(header: str, value: JsonValue) -> bool:
    """Tell whether the decoded `header` is the text form of `value`, a string, an integer or a boolean."""
    if isinstance(value, bool):
        return header == ("true" if value else "false")
    if isinstance(value, int | float):
        # SHOULD compare integers as numbers: 2026-07-28, basic/transports/streamable-http#server-validation
        return NUMBER.fullmatch(header) is not None and Decimal(header) == value
    return header == value


def annotated(schema: JsonObject, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the property paths of `schema` that are mirrored, each with its header name.

    MUST be reachable through `properties` alone: 2026-07-28, basic/transports/streamable-http#schema-extension
    """
    for name, definition in as_object(schema.get("properties")).items():
        here = as_object(definition)
        suffix = here.get(ANNOTATION)
        if isinstance(suffix, str):
            yield (*path, name), f"Mcp-Param-{suffix}"
        yield from annotated(here, (*path, name))


def value_at(arguments: JsonObject, path: tuple[str, ...]) -> JsonValue:
    """Return the value at `path`; null is the same as nothing there."""
    value: JsonValue = arguments
    for name in path:
        value = as_object(value).get(name)
    return value
