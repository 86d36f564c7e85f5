"""Lists in pages, with cursors that mean something to this server only.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from contextlib import suppress

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.serving.refusals import invalid_params

PAGE_SIZE = 100  # entries; more than this server has of anything, so that one request shows everything


def page(key: str, entries: Sequence[JsonObject], params: JsonObject, *, size: int = PAGE_SIZE) -> JsonObject:
    """Return the page of `entries` that the request asks for, under `key`, with a cursor if more follow.

    :raises Refusal: the cursor is not one of ours.
    """
    start = _read_cursor(key, params["cursor"], len(entries)) if "cursor" in params else 0
    shown: list[JsonValue] = [*entries[start : start + size]]
    result: JsonObject = {key: shown}
    if start + size < len(entries):
        result["nextCursor"] = _cursor(key, start + size)
    return result


def _cursor(key: str, start: int) -> str:
    return base64.urlsafe_b64encode(f"{key}:{start}".encode()).decode()


def _read_cursor(key: str, cursor: JsonValue, length: int) -> int:
    with suppress(ValueError):  # not Base64, not UTF-8, not a number: not ours
        found, _, start = base64.urlsafe_b64decode(str(cursor)).decode().partition(":")
        if found == key and 0 < int(start) < length:
            return int(start)
    # SHOULD be -32602: 2025-11-25, server/utilities/pagination#error-handling
    raise invalid_params("The cursor is unknown")
