"""What a host does with a server: it lists what there is, calls tools, reads resources and gets prompts."""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, shown
from pytest_mcp_conformance.protocol.json_rpc import HEADER_MISMATCH
from pytest_mcp_conformance.reference.client.annotations import objection
from pytest_mcp_conformance.reference.client.failing import ClientFailure, RequestRefused
from pytest_mcp_conformance.reference.client.faults import Fault, Faults
from pytest_mcp_conformance.reference.client.fetching import fetch_all
from pytest_mcp_conformance.reference.client.headers import param_headers
from pytest_mcp_conformance.reference.client.keeping import kept
from pytest_mcp_conformance.reference.client.rounds import Rounds
from pytest_mcp_conformance.reference.client.schemas import external_references
from pytest_mcp_conformance.reference.client.wire import Note, Wire

MAX_PAGES = 50  # of one list


class Client:
    """A client whose conversation is open.

    :param note: takes remarks for the person who runs the client.
    """

    def __init__(self, wire: Wire, faults: Faults, note: Note) -> None:
        self.wire = wire
        self.faults = faults
        self.note = note
        self._rounds = Rounds(wire, faults)
        self._tools: dict[str, JsonObject] = {}

    def offers(self, capability: str) -> bool:
        """Tell whether the server declared a capability."""
        return isinstance(self.wire.capabilities.get(capability), dict)

    async def listed(self, method: str, member: str) -> list[JsonObject]:
        """Return everything that a list holds, page by page.

        :raises ClientFailure: as `Wire.request`; or there is no list, or no end of it.
        """
        entries: list[JsonObject] = []
        params: JsonObject | None = None
        for _ in range(MAX_PAGES):
            page = await self.wire.request(method, params)
            found = page.get(member)
            if not isinstance(found, list):
                raise ClientFailure(f"{method} brought {shown(found)} and no array of {member}")
            entries += [each for each in found if isinstance(each, dict)]
            # SHOULD take a missing cursor for the end: 2025-03-26 on, server/utilities/pagination#implementation-guidelines
            if "nextCursor" not in page or page["nextCursor"] is None:
                return entries
            params = {"cursor": page["nextCursor"]}
        raise ClientFailure(f"{method} goes on after {MAX_PAGES} pages")

    async def tools(self) -> list[JsonObject]:
        """Return the tools that can be used, and remember them for calls."""
        if Fault.TOOLS_UNLISTED in self.faults:
            return []
        listed = [kept(tool, self.faults) for tool in await self.listed("tools/list", "tools")]
        if Fault.SCHEMA_FETCHED in self.faults:
            await fetch_all(each for tool in listed for each in external_references(tool.get("inputSchema")))
        usable = [tool for tool in listed if isinstance(tool.get("name"), str) and self._usable(tool)]
        self._tools = {str(tool["name"]): tool for tool in usable}
        return usable

    async def call(self, name: str, arguments: JsonObject) -> JsonObject:
        """Call a tool and return its result, which may be one of failure."""
        if Fault.TOOLS_UNCALLED in self.faults:
            return {}
        params: JsonObject = {"name": name, "arguments": arguments}
        try:
            return await self._rounds.request("tools/call", params, headers=self._mirrored(name, arguments))
        except RequestRefused as refused:
            if refused.error.code != HEADER_MISMATCH:
                raise
        # SHOULD look at the tools again and retry: 2026-07-28, basic/transports/streamable-http#client-behavior
        await self.tools()
        return await self._rounds.request("tools/call", params, headers=self._mirrored(name, arguments))

    async def read(self, uri: str) -> JsonObject:
        """Read a resource and return the result."""
        return await self._rounds.request("resources/read", {"uri": uri})

    async def prompt(self, name: str, arguments: JsonObject) -> JsonObject:
        """Get a prompt and return the result."""
        given: JsonObject = {"arguments": arguments} if arguments else {}
        return await self._rounds.request("prompts/get", {"name": name, **given})

    def _mirrored(self, name: str, arguments: JsonObject) -> dict[str, str]:
        tool = self._tools.get(name)
        if tool is None or not self.wire.revision.stateless:
            return {}
        return param_headers(tool, arguments, self.faults)

    def _usable(self, tool: JsonObject) -> bool:
        """Tell whether a tool can be used, and say so where not. SHOULD be told with the reason."""
        reason = objection(tool, self.faults) if self.wire.revision.stateless else None
        # MUST NOT be fetched, SHOULD reject what cannot be validated without: 2026-07-28, basic#json-schema-usage
        outside = external_references(tool.get("inputSchema"))
        if reason is None and outside:
            reason = f"its schema refers to {shown(outside[0])}"
        if reason is not None:
            self.note(f"the tool {shown(tool.get('name'))} is not used: {reason}")
        return reason is None


def text_of(result: JsonObject, member: str) -> JsonValue:
    """Return the text of the first entry of a list in a result, or nothing."""
    entries = as_list(result.get(member))
    return as_object(entries[0]).get("text") if entries else None
