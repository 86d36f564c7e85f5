"""The resources of the reference server.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/server/resources
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pytest_mcp_conformance.json_values import JsonObject, dumps
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.reference.server.content import PNG
from pytest_mcp_conformance.reference.server.revisions import known_members

WATCHED = "test://watched-resource"


@dataclass(frozen=True, kw_only=True)
class Resource:
    """A resource; `read` gets the counters of the world and returns what stands in it, as `text` or `blob`."""

    uri: str
    name: str
    description: str
    mime_type: str
    read: Callable[[Mapping[str, int]], JsonObject]

    def definition(self, revision: Revision) -> JsonObject:
        """Return the entry of resources/list."""
        entry: JsonObject = {
            "uri": self.uri,
            "name": self.name,
            "title": self.name.replace("-", " ").capitalize(),
            "description": self.description,
            "mimeType": self.mime_type,
        }
        return known_members(entry, revision)

    def contents(self, counters: Mapping[str, int]) -> JsonObject:
        """Return what resources/read shows."""
        return {"uri": self.uri, "mimeType": self.mime_type} | self.read(counters)


RESOURCES = (
    Resource(
        uri="test://static-text",
        name="static-text",
        description="A text that never changes.",
        mime_type="text/plain",
        read=lambda _: {"text": "This is the content of the static text resource."},
    ),
    Resource(
        uri="test://static-binary",
        name="static-binary",
        description="An image that never changes.",
        mime_type="image/png",
        read=lambda _: {"blob": PNG},
    ),
    Resource(
        uri=WATCHED,
        name="watched-resource",
        description="A text that changes when a tool touches it.",
        mime_type="text/plain",
        read=lambda counters: {"text": f"Touched {counters['resource_changes']} time(s)."},
    ),
)

TEMPLATE = "test://template/{id}/data"
TEMPLATE_URI = re.compile(r"test://template/(?P<id>[^/]+)/data")
TEMPLATE_IDS = ("1", "12", "123", "124")  # proposed by completion; every other id can be read as well


def template_definition(revision: Revision) -> JsonObject:
    """Return the entry of resources/templates/list."""
    entry: JsonObject = {
        "uriTemplate": TEMPLATE,
        "name": "template-data",
        "title": "Template data",
        "description": "Data for an id.",
        "mimeType": "application/json",
    }
    return known_members(entry, revision)


def read(uri: str, counters: Mapping[str, int]) -> JsonObject | None:
    """Return the contents at `uri`, or nothing if there is no such resource."""
    for resource in RESOURCES:
        if resource.uri == uri:
            return resource.contents(counters)
    matched = TEMPLATE_URI.fullmatch(uri)
    if matched is None:
        return None
    data = {"id": matched["id"], "templateTest": True, "data": f"Data for ID: {matched['id']}"}
    return {"uri": uri, "mimeType": "application/json", "text": dumps(data)}
