"""What each revision knows: which of them are served how, and which members their results may carry."""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.model import Revision

STATEFUL = tuple(revision for revision in reversed(Revision) if not revision.stateless)
SUPPORTED = tuple(reversed(Revision))  # newest first
PROTOCOL_VERSION_HEADER = "MCP-Protocol-Version"

# Members that are younger than 2025-03-26, wherever they stand in a definition, a content block or the server's identity.
INTRODUCED = {
    "title": Revision.V2025_06_18,
    "_meta": Revision.V2025_06_18,
    "outputSchema": Revision.V2025_06_18,
    "structuredContent": Revision.V2025_06_18,
    "icons": Revision.V2025_11_25,
    "websiteUrl": Revision.V2025_11_25,
}


def known_members(definition: JsonObject, revision: Revision) -> JsonObject:
    """Return `definition` without the members that `revision` does not know."""
    return {name: value for name, value in definition.items() if INTRODUCED.get(name, revision) <= revision}


def revision_named(name: JsonValue) -> Revision | None:
    """Return the revision called `name`, or nothing if this server does not speak it."""
    return next((revision for revision in Revision if revision == name), None)


def negotiated(requested: str) -> Revision:
    """Return the revision in which an initialize request is answered.

    MUST be the requested one if it is supported, SHOULD be the latest otherwise:
    2025-11-25, basic/lifecycle#version-negotiation
    """
    revision = revision_named(requested)
    return revision if revision in STATEFUL and revision is not None else STATEFUL[0]
