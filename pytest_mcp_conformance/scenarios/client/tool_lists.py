"""A list of tools for a client: remembered once it has been given out, and taken as it comes whatever the client then calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.mock_server import Answer, Handler, MockCall
from pytest_mcp_conformance.serving.refusals import invalid_params

TAKEN: JsonObject = {"content": [{"type": "text", "text": "The call was taken as it came"}]}


class ToolList:
    """Answers tools/list.

    :param more: further members of the result.
    :ivar given: whether a client got it.
    """

    def __init__(self, tools: Sequence[JsonObject], *, more: JsonObject | None = None) -> None:
        self.given = False
        self._tools = tools
        self._more = more or {}

    def __call__(self, call: MockCall) -> Answer:
        """Answer one request."""
        # SHOULD be -32602 for a cursor that was never given out: 2025-11-25, server/utilities/pagination#error-handling
        if "cursor" in call.params:
            raise invalid_params("There is one page, and no cursor leads to it")
        self.given = True
        listed: list[JsonValue] = [*self._tools]
        return {"tools": listed, **self._more}

    def taking_every_call(self) -> Mapping[str, Answer | Handler]:
        """Return answers that have the list, and let every call pass, so that one wrong call does not keep the next away."""
        return {"tools/list": self, "tools/call": TAKEN}


def definition(name: str, input_schema: JsonObject, description: str) -> JsonObject:
    """Return a tool as tools/list has it."""
    return {"name": name, "description": description, "inputSchema": input_schema}
