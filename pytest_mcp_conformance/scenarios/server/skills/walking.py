"""Lists in pages: skills, resources, and what is in a directory.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, truthy
from pytest_mcp_conformance.peer import Peer

MOST_PAGES = 50  # as published; a list with more counts as one without end


@dataclass
class Walk:
    """What the pages of a list held.

    :ivar pages: the results, in order.
    :ivar endless: whether the list was left because a cursor came twice, or for its length.
    :ivar error: what came in the place of a page, and ended the walk.
    """

    pages: list[JsonObject] = field(default_factory=list)
    endless: bool = False
    error: Nonconforming | None = None

    def entries(self, member: str) -> list[JsonValue]:
        """Return the entries of all pages; a page without a list of them has none."""
        return [entry for page in self.pages for entry in as_list(page.get(member))]


async def walk(peer: Peer, method: str, params: JsonObject | None = None, *, most: int | None = MOST_PAGES) -> Walk:
    """Request page after page, at most `most` of them."""
    found = Walk()
    cursors: set[str] = set()
    given: JsonObject = dict(params or {})
    while True:
        try:
            page = await peer.request(method, given, from_peer=True)
        except Nonconforming as error:
            found.error = error
            return found
        found.pages.append(page)
        cursor = page.get("nextCursor")
        if not isinstance(cursor, str) or not truthy(cursor):
            return found
        if cursor in cursors or len(found.pages) == most:
            found.endless = True
            return found
        cursors.add(cursor)
        given = {**given, "cursor": cursor}
