"""x-mcp-header in the schema of a tool: what is allowed, and which arguments go into which headers.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/server/tools#x-mcp-header
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, shown
from pytest_mcp_conformance.reference.client.faults import Fault, Faults
from pytest_mcp_conformance.reference.client.schemas import Path, subschemas

ANNOTATION = "x-mcp-header"
TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # RFC 9110, 5.6.2
PRIMITIVE = {"string", "integer", "boolean"}


@dataclass(frozen=True, kw_only=True)
class Annotated:
    """A property with the annotation; `path` are the names that lead to it, none if it is not under `properties` alone."""

    path: Path | None
    header: JsonValue
    type: JsonValue


def annotated(schema: JsonValue) -> list[Annotated]:
    """Return every annotation of a schema."""
    return [
        Annotated(path=_names(path), header=each[ANNOTATION], type=each.get("type"))
        for path, each in subschemas(schema)
        if ANNOTATION in each
    ]


def headers_of(schema: JsonValue) -> Iterator[tuple[str, Path]]:
    """Yield the header of each annotated property that can have one, with the path to its value."""
    for each in annotated(schema):
        if each.path is not None and isinstance(each.header, str) and TOKEN.fullmatch(each.header):
            yield each.header, each.path


def objection(tool: JsonObject, faults: Faults) -> str | None:
    """Return what makes the annotations of a tool invalid, or nothing.

    MUST exclude a tool with an invalid one: 2026-07-28, basic/transports/streamable-http#schema-extension
    """
    found = annotated(as_object(tool.get("inputSchema")))
    if Fault.ANNOTATED_TOOLS_REJECTED in faults and found:
        return "it has an argument that goes into a header"
    seen: set[str] = set()
    for each in found:
        said = _objection(each, faults)
        if said is not None:
            return f"{ANNOTATION} {shown(each.header)} {said}"
        name = str(each.header).lower()
        # MUST be unique regardless of case
        if name in seen and Fault.HEADER_TWICE_TAKEN not in faults:
            return f"{ANNOTATION} {shown(each.header)} is there twice"
        seen.add(name)
    return None


def _objection(each: Annotated, faults: Faults) -> str | None:
    if each.path is None:
        # MUST be statically reachable from the root through properties alone
        return "is on something else than a property"
    if not isinstance(each.header, str):
        return "is no text"
    # MUST NOT be empty
    if not each.header:
        return None if Fault.HEADER_WITHOUT_NAME_TAKEN in faults else "is empty"
    # MUST be a token
    if not TOKEN.fullmatch(each.header) and Fault.HEADER_OF_ANY_NAME_TAKEN not in faults:
        return "has characters that no header name has"
    # MUST be on texts, integers and booleans only
    if not _is_primitive(each.type) and Fault.HEADER_OF_ANY_TYPE_TAKEN not in faults:
        return f"is on a property of type {shown(each.type)}"
    return None


def _is_primitive(kind: JsonValue) -> bool:
    """Tell whether values of a type are primitive; null, which goes into no header, may be another of its types."""
    kinds = [each for each in as_list(kind) if each != "null"] or [kind]
    return all(isinstance(each, str) and each in PRIMITIVE for each in kinds)


def _names(path: Path) -> Path | None:
    """Return the names of the properties on a path, or nothing if it leads through anything else."""
    keywords = path[::2]
    return path[1::2] if path and len(path) % 2 == 0 and set(keywords) == {"properties"} else None
