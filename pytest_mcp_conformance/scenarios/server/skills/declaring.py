"""How the scenarios of this folder declare their requirements, and how they read what the server declares."""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object
from pytest_mcp_conformance.model import SKILLS_EXTENSION, Level, Requirement, SpecRef
from pytest_mcp_conformance.peer import Peer

SPECIFICATION = "https://modelcontextprotocol.io/seps/2640-skills-extension#specification"
SKILLS = SpecRef(id="SEP-2640", url=SPECIFICATION)
PAGE = "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx"

NOT_DECLARED = f"the server does not declare {SKILLS_EXTENSION}"


def published(id: str, text: str, level: Level = Level.MUST) -> Requirement:  # noqa: A002 -- the member's name
    """Declare a requirement of the published suite; its name is its id, and all of this family point to the same place."""
    id_ = f"sep-2640-{id}"
    return Requirement(id=id_, name=id_, level=level, text=text, spec=(SKILLS,))


def own(id: str, name: str, text: str, *, place: str, level: Level = Level.MUST) -> Requirement:  # noqa: A002
    """Declare a requirement that the published suite does not have; `place` is a heading of the extension's page."""
    spec = (SpecRef(id="Skills-Extension", url=f"{PAGE}#{place}"),)
    return Requirement(id=f"x-skills-{id}", name=f"Skills{name}", level=level, text=text, spec=spec, addition=True)


async def capabilities_of(peer: Peer) -> JsonObject:
    """Return what the server declares.

    :raises Nonconforming: it cannot be discovered.
    """
    return as_object((await peer.discover()).get("capabilities"))


def declaration(capabilities: JsonObject) -> tuple[bool, JsonValue]:
    """Return whether the extension is declared, and its settings."""
    extensions = as_object(capabilities.get("extensions"))
    return SKILLS_EXTENSION in extensions, extensions.get(SKILLS_EXTENSION)
