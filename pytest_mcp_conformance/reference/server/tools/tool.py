"""What a tool is: how it is listed and what it does.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/server/tools
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.reference.server.calls import Call
from pytest_mcp_conformance.reference.server.revisions import known_members
from pytest_mcp_conformance.serving.schemas import complaint

Run: TypeAlias = Callable[[Call, JsonObject], Awaitable[JsonObject]]
NO_ARGUMENTS: JsonObject = {"type": "object", "properties": {}}


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A tool; `run` gets the call and its arguments, which fit `schema`, and returns the result.

    `description` may have placeholders for the counters of the world: what it says changes with them.
    """

    name: str
    description: str
    run: Run
    schema: JsonObject = field(default_factory=lambda: NO_ARGUMENTS)
    title: str | None = None
    since: Revision = Revision.V2025_03_26

    def definition(self, revision: Revision, counters: dict[str, int]) -> JsonObject:
        """Return the entry of tools/list."""
        entry: JsonObject = {
            "name": self.name,
            "title": self.title or self.name.removeprefix("test_").replace("_", " ").capitalize(),
            "description": self.description.format_map(counters),
            "inputSchema": self.schema,
        }
        return known_members(entry, revision)

    def why_unusable(self, arguments: JsonObject) -> str | None:
        """Return what is wrong with `arguments` by the tool's schema, or nothing.

        MUST validate tool inputs: 2025-11-25, server/tools#security-considerations
        """
        return None if self.schema == NO_ARGUMENTS else complaint(self.schema, arguments)


def tool(
    name: str, description: str, schema: JsonObject | None = None, *, since: Revision = Revision.V2025_03_26
) -> Callable[[Run], Tool]:
    """Make a tool of the function below."""

    def make(run: Run) -> Tool:
        return Tool(name=name, description=description, run=run, schema=schema or NO_ARGUMENTS, since=since)

    return make


def arguments_of(*required: str, **properties: JsonObject) -> JsonObject:
    """Return the schema of arguments with these properties."""
    schema: JsonObject = {"type": "object", "properties": dict(properties)}
    if required:
        schema["required"] = list(required)
    return schema
