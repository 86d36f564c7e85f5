"""The SKILL.md as a resource: its media type, its name and description, its further metadata.

Specification: https://modelcontextprotocol.io/seps/2640-skills-extension#specification, resource metadata
"""

from __future__ import annotations

import re

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object
from pytest_mcp_conformance.model import SKILLS_EXTENSION, Level, Needs, Requirement
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.skills.addresses import skill_name
from pytest_mcp_conformance.scenarios.server.skills.declaring import (
    NOT_DECLARED,
    capabilities_of,
    declaration,
    own,
    published,
)
from pytest_mcp_conformance.scenarios.server.skills.files import File, Files
from pytest_mcp_conformance.scenarios.server.skills.frontmatter import frontmatter_of
from pytest_mcp_conformance.scenarios.server.skills.walking import MOST_PAGES, walk

MEDIA_TYPE = published("skillmd-mimetype", "A SKILL.md has the media type text/markdown.", Level.SHOULD)
NAME_IN_URI = published(
    "final-segment-equals-name", "The URI of a SKILL.md ends in the name that its frontmatter gives."
)
LISTED_NAME = published(
    "skillmd-metadata-name", "A SKILL.md is listed under the name that its frontmatter gives.", Level.SHOULD
)
LISTED_DESCRIPTION = published(
    "skillmd-metadata-description",
    "A SKILL.md is listed with the description that its frontmatter gives.",
    Level.SHOULD,
)
META_PREFIX = published("meta-prefix", "The keys of its _meta have a prefix in reverse domain form.", Level.SHOULD)
SKILLS_PREFIX = own(
    "meta-skills-prefix",
    "MetaSkillsPrefix",
    "The keys of its _meta have the prefix io.modelcontextprotocol.skills/.",
    place="resource-metadata",
    level=Level.SHOULD,
)

PUBLISHED = (MEDIA_TYPE, NAME_IN_URI, LISTED_NAME, LISTED_DESCRIPTION, META_PREFIX)
MARKDOWN = "text/markdown"
ANY_PREFIX = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+/")
OWN_PREFIX = "io.modelcontextprotocol.skills/"
# What the protocol itself puts into `_meta` of anything is not the skill's: 2026-07-28, basic#_meta
PROTOCOL_PREFIX = "io.modelcontextprotocol/"
NONE_FOUND = "no SKILL.md is listed, neither as a skill nor as a resource"


@server_scenario(
    name="sep-2640-skills-manifest",
    extension=SKILLS_EXTENSION,
    pending=True,
    purpose="A SKILL.md is served as what it is: Markdown, under its own name and description.",
    decides=(*PUBLISHED, SKILLS_PREFIX),
    charged=NAME_IN_URI,
    needs=Needs(
        methods=("resources/list, resources/read",),
        other=("a SKILL.md in resources/list, with the name and the description of its frontmatter",),
        capabilities=("resources", "extensions"),
    ),
)
async def skills_manifest(peer: Peer, checks: Checks) -> None:
    _, settings = declaration(await capabilities_of(peer))
    if not isinstance(settings, dict):
        for requirement in (*PUBLISHED, SKILLS_PREFIX):
            checks.skip(requirement, NOT_DECLARED)
        return
    listed = await first_manifest(peer, "resources/list", "resources", most=None)
    uri = (listed or await first_manifest(peer, "skills/list", "skills") or {}).get("uri")
    if not isinstance(uri, str):
        for requirement in (*PUBLISHED, SKILLS_PREFIX):
            checks.untestable(requirement, NONE_FOUND)
        return
    file = await Files(peer).read(uri)
    decide_media_type(checks, uri, file, listed)
    frontmatter = (None if file.text is None else frontmatter_of(file.text)) or {}
    decide_name(checks, uri, file, frontmatter)
    decide_listed(checks, LISTED_NAME, "name", listed, frontmatter)
    decide_listed(checks, LISTED_DESCRIPTION, "description", listed, frontmatter)
    decide_meta(checks, [file.text_content, listed or {}])


async def first_manifest(peer: Peer, method: str, member: str, *, most: int | None = MOST_PAGES) -> JsonObject | None:
    """Return the first entry of a list whose URI is that of a SKILL.md, if the list has one and can be had."""
    entries = map(as_object, (await walk(peer, method, most=most)).entries(member))
    return next((entry for entry in entries if skill_name(entry.get("uri")) is not None), None)


def decide_media_type(checks: Checks, uri: str, file: File, listed: JsonObject | None) -> None:
    """SHOULD be Markdown: SEP-2640, resource metadata. What was read counts before what was listed."""
    types = [of.get("mimeType") for of in (file.text_content, listed or {}) if of.get("mimeType") is not None]
    if not types:
        checks.untestable(MEDIA_TYPE, "the SKILL.md has no media type")
        return
    holds = types[0] == MARKDOWN
    details: JsonObject | None = {"uri": uri, "mimeType": types[0]} if holds else None
    checks.decide(MEDIA_TYPE, holds, expected=MARKDOWN, got=types[0], details=details)


def decide_name(checks: Checks, uri: str, file: File, frontmatter: JsonObject) -> None:
    """MUST be equal: SEP-2640, resource mapping."""
    name = frontmatter.get("name")
    if not isinstance(name, str):
        reason = "its frontmatter has no name" if file.text is not None else f"it could not be read: {file.came}"
        checks.untestable(NAME_IN_URI, reason)
        return
    holds = skill_name(uri) == name
    details: JsonObject | None = {"uri": uri, "name": name} if holds else None
    checks.decide(NAME_IN_URI, holds, expected="a URI that ends in <name>/SKILL.md", got=[uri, name], details=details)


def decide_listed(
    checks: Checks, requirement: Requirement, member: str, listed: JsonObject | None, frontmatter: JsonObject
) -> None:
    """SHOULD be set from the frontmatter: SEP-2640, resource metadata."""
    value = frontmatter.get(member)
    if listed is None:
        checks.untestable(requirement, "the SKILL.md is not in resources/list")
    elif not isinstance(value, str):
        checks.untestable(requirement, f"the frontmatter has no {member}")
    else:
        holds = listed.get(member) == value
        details: JsonObject | None = {member: value} if holds else None
        checks.decide(
            requirement,
            holds,
            expected=f"the {member} of the frontmatter",
            got={"listed": listed.get(member), "frontmatter": value},
            details=details,
        )


def decide_meta(checks: Checks, places: list[JsonObject]) -> None:
    """Look at the keys of _meta, as read and as listed."""
    keys = [*dict.fromkeys(key for place in places for key in as_object(place.get("_meta")))]
    details: JsonObject = {"metaKeys": [*keys]} if keys else {"note": "there is no _meta"}
    wrong: list[JsonValue] = [key for key in keys if ANY_PREFIX.match(key) is None]
    checks.decide(
        META_PREFIX,
        not wrong,
        expected="keys with a prefix such as com.example/",
        got=wrong,
        details=None if wrong else details,
    )
    # SHOULD be this prefix: SEP-2640, resource metadata
    other: list[JsonValue] = [key for key in keys if not key.startswith((OWN_PREFIX, PROTOCOL_PREFIX))]
    checks.decide(SKILLS_PREFIX, not other, expected=f"keys with the prefix {OWN_PREFIX}", got=other)
