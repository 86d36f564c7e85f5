"""Header sets: replacing by name, and values that HTTP cannot carry as they are.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http (SEP-2243)
"""

from __future__ import annotations

import base64
from collections.abc import Mapping

from pytest_mcp_conformance.protocol.mirrored_values import PREFIX, SUFFIX


def replaced(headers: Mapping[str, str], overrides: Mapping[str, str | None] | None) -> dict[str, str]:
    """Return `headers` with `overrides` in the place of those of the same name, whatever its case; none removes one."""
    if not overrides:
        return dict(headers)
    named = {name.lower() for name in overrides}
    kept = {name: value for name, value in headers.items() if name.lower() not in named}
    return kept | {name: value for name, value in overrides.items() if value is not None}


def header_value(text: str) -> str:
    """Return `text` as a header value: as it is, or in the Base64 form where HTTP would not carry it unchanged.

    MUST be encoded when it holds anything but visible ASCII and inner spaces, or looks like the encoded form itself:
    2026-07-28, basic/transports/streamable-http#value-encoding.
    """
    plain = all(" " <= character <= "~" for character in text) and text == text.strip(" ")
    if plain and text and not text.lower().startswith(PREFIX):
        return text
    return f"{PREFIX}{base64.b64encode(text.encode(errors='surrogatepass')).decode()}{SUFFIX}"
