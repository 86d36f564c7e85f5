"""The headers of a request that repeat its body, from 2026-07-28 on.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#request-metadata
"""

from __future__ import annotations

import base64
import re
from urllib.parse import quote

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, dumps, is_integer
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.reference.client.annotations import TOKEN, headers_of
from pytest_mcp_conformance.reference.client.faults import Fault, Faults
from pytest_mcp_conformance.reference.client.schemas import Path

NAMED_BY = {"tools/call": "name", "resources/read": "uri", "prompts/get": "name"}
PLAIN = re.compile(r"(?:[\x21-\x7E](?:[\x20-\x7E]*[\x21-\x7E])?)?")  # no blank at either end
BASE64 = re.compile(r"=\?base64\?.*\?=", re.DOTALL)


def standard_headers(method: str, params: JsonObject, revision: Revision, faults: Faults) -> dict[str, str]:
    """Return the headers that every request has."""
    version = Revision.V2025_11_25 if Fault.VERSION_HEADER_OLDER in faults else revision
    named = None if Fault.NAME_HEADER_OMITTED in faults else params.get(NAMED_BY.get(method, ""))
    headers = {
        # MUST equal the version in _meta: 2026-07-28, basic/transports/streamable-http#protocol-version-header
        "MCP-Protocol-Version": "" if _is_unversioned(method, faults) else version.value,
        # REQUIRED: 2026-07-28, basic/transports/streamable-http#standard-request-headers
        "Mcp-Method": _method_header(method, faults),
        "Mcp-Name": encoded(named, faults) if isinstance(named, str) else "",
    }
    return {name: value for name, value in headers.items() if value}


def param_headers(tool: JsonObject, arguments: JsonObject, faults: Faults) -> dict[str, str]:
    """Return the headers for the arguments of a call that `tool` wants in headers.

    MUST be sent, and omitted for what is absent or null: 2026-07-28,
    basic/transports/streamable-http#server-behavior-for-custom-headers
    """
    if Fault.PARAM_HEADERS_OMITTED in faults:
        return {}
    wanted = list(headers_of(tool.get("inputSchema")))
    if Fault.PARAM_HEADERS_OF_ALL in faults:
        named = {path for _, path in wanted}
        wanted += [(_capitalised(name), (name,)) for name in arguments if (name,) not in named]
    found = [(name, *_at(path, arguments)) for name, path in wanted if TOKEN.fullmatch(name)]
    nulls = Fault.PARAM_HEADERS_OF_NULL in faults
    return {
        f"Mcp-Param-{name}": encoded(as_text(value, faults), faults)
        for name, there, value in found
        if there and (value is not None or nulls)
    }


def as_text(value: JsonValue, faults: Faults) -> str:
    """Return a value as the text that a header says. MUST be decimal, true or false: 2026-07-28, …#value-encoding."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) and Fault.BOOLEANS_CAPITALISED in faults:
        return str(value)
    return str(int(value)) if is_integer(value) else dumps(value)


def encoded(value: str, faults: Faults) -> str:
    """Return a text as a header can carry it.

    MUST be Base64 where it is not plain ASCII, or looks like Base64 already: 2026-07-28, …#value-encoding
    """
    if PLAIN.fullmatch(value) and not BASE64.fullmatch(value):
        return value
    if Fault.VALUES_PERCENT_ENCODED in faults:
        return quote(value)
    return f"=?base64?{base64.b64encode(value.encode('utf-8', 'replace')).decode()}?="


def _is_unversioned(method: str, faults: Faults) -> bool:
    return Fault.VERSION_HEADER_OMITTED in faults or (method == "tools/call" and Fault.CALLS_UNATTRIBUTED in faults)


def _method_header(method: str, faults: Faults) -> str:
    if Fault.METHOD_HEADER_OMITTED in faults:
        return ""
    return method.upper() if Fault.METHOD_HEADER_IN_CAPITALS in faults else method


def _at(path: Path, arguments: JsonObject) -> tuple[bool, JsonValue]:
    """Return whether there is a value at a path, and the value."""
    parent: JsonValue = arguments
    for name in path[:-1]:
        parent = as_object(parent).get(name)
    return path[-1] in as_object(parent), as_object(parent).get(path[-1])


def _capitalised(name: str) -> str:
    """Return the header name that a server would give to an argument: FloatVal for float_val."""
    return "".join(part.capitalize() for part in name.split("_"))
