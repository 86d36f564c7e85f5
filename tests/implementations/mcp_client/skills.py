"""Skills: what a host does with the skills that a server lists, on the seams that the SDK has for extensions.

The SDK knows nothing of skills. It sends the requests of an extension and reads resources; what a skill is, and that its
files are verified before they are used, is the host's own.

Specification: https://modelcontextprotocol.io/seps/2640-skills-extension
"""

import hashlib
from typing import Any, Literal

import mcp_types as types
import yaml
from connection import Run, Task, connected
from mcp import Client
from mcp.client import advertise
from pydantic import BaseModel

EXTENSION = "io.modelcontextprotocol/skills"
FENCE = "---\n"


class SkillFile(BaseModel):
    """A file of a skill, as its entry describes it."""

    uri: str
    digest: str
    size: int


class SkillEntry(BaseModel):
    """One skill of skills/list."""

    uri: str
    frontmatter: dict[str, Any]
    resources: list[SkillFile]


class ListSkills(types.PaginatedRequest[Literal["skills/list"]]):
    """The request skills/list."""

    method: Literal["skills/list"] = "skills/list"
    params: types.PaginatedRequestParams | None = None


class SkillList(types.CacheableResult):
    """The result of skills/list."""

    skills: list[SkillEntry]


class UnverifiedSkillError(Exception):
    """What a server sent is not what the entry of its skill announces."""


async def list_skills(client: Client) -> list[SkillEntry]:
    """Return the skills of the server."""
    return (await client.session.send_request(ListSkills(), SkillList)).skills


async def read(client: Client, file: SkillFile) -> str:
    """Return the text of a file.

    :raises UnverifiedSkillError: it is not the announced one.
    """
    [content] = (await client.read_resource(file.uri)).contents
    if not isinstance(content, types.TextResourceContents):
        raise UnverifiedSkillError(f"{file.uri} is no text")
    data = content.text.encode()
    # MUST verify size and digest of what is read before use: SEP-2640, integrity and verification
    if len(data) != file.size:
        raise UnverifiedSkillError(f"{file.uri} has {len(data)} bytes, announced are {file.size}")
    digest = f"sha256:{hashlib.sha256(data).hexdigest()}"
    if digest != file.digest:
        raise UnverifiedSkillError(f"{file.uri} has the digest {digest}, announced is {file.digest}")
    return content.text


def frontmatter(text: str) -> dict[str, Any]:
    """Return what stands between the fences at the start of a SKILL.md."""
    _, inside, _ = text.split(FENCE, 2)
    loaded: dict[str, Any] = yaml.safe_load(inside)
    return loaded


async def load(client: Client, skill: SkillEntry) -> list[str]:
    """Return the texts of a skill, its SKILL.md first.

    :raises UnverifiedSkillError: a file is not the announced one; none is read after it.
    """
    main, others = skill.resources[0], skill.resources[1:]
    text = await read(client, main)
    # MUST compare the frontmatter with the entry, and not load the skill where they differ: SEP-2640, same place
    if frontmatter(text) != skill.frontmatter:
        raise UnverifiedSkillError(f"{main.uri} has other frontmatter than its entry")
    return [text, *[await read(client, file) for file in others]]


async def list_only(run: Run) -> None:
    """List the skills and load none."""
    async with connected(run, extensions=[advertise(EXTENSION)]) as client:
        await list_skills(client)


async def load_each(run: Run) -> None:
    """List the skills and load each of them."""
    async with connected(run, extensions=[advertise(EXTENSION)]) as client:
        for skill in await list_skills(client):
            await load(client, skill)


TASKS: dict[str, Task] = {
    "sep-2640-client-no-prefetch": list_only,
    "sep-2640-client-verify-digest": load_each,
    "sep-2640-client-verify-size": load_each,
    "sep-2640-client-verify-frontmatter": load_each,
}
