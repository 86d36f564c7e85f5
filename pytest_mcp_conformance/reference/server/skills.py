"""Skills: instructions in files, which a client finds by a list and verifies by digests.

Specification: https://modelcontextprotocol.io/seps/2640-skills-extension#specification
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.reference.server.calls import Call, Handler
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.pagination import page
from pytest_mcp_conformance.serving.incoming import text
from pytest_mcp_conformance.serving.refusals import invalid_params

SCHEME = "skill://"
MANIFEST = "SKILL.md"
DIRECTORY = "inode/directory"
PAGE_SIZE = 2  # small, so that clients see more than one page
SINCE = Revision.V2026_07_28

MEDIA_TYPES = {"md": "text/markdown", "csv": "text/csv", "txt": "text/plain"}


@dataclass(frozen=True, kw_only=True)
class Skill:
    """A skill: what its manifest says, and the other files by their paths."""

    name: str
    description: str
    instructions: str
    files: Mapping[str, str]

    @property
    def directory(self) -> str:
        """The URI of the skill's root directory. MUST end in the name: SEP-2640."""
        return f"{SCHEME}{self.name}"

    @property
    def uri(self) -> str:
        """The URI of the manifest, which is the URI of the skill."""
        return f"{self.directory}/{MANIFEST}"

    @property
    def frontmatter(self) -> JsonObject:
        """What the manifest begins with."""
        return {"name": self.name, "description": self.description}

    def contents(self) -> dict[str, str]:
        """Return the text of every file, the manifest first, by path."""
        head = "".join(f"{key}: {value}\n" for key, value in self.frontmatter.items())
        return {MANIFEST: f"---\n{head}---\n\n{self.instructions}\n", **self.files}

    def entry(self) -> JsonObject:
        """Return the entry of skills/list. MUST list every file with digest and size: SEP-2640."""
        resources: list[JsonValue] = [
            {
                "uri": f"{self.directory}/{path}",
                "digest": f"sha256:{hashlib.sha256(content.encode()).hexdigest()}",
                "size": len(content.encode()),
            }
            for path, content in self.contents().items()
        ]
        return {"uri": self.uri, "frontmatter": self.frontmatter, "resources": resources}

    def listed(self) -> JsonObject:
        """Return the entry of resources/list: the manifest stands for the skill."""
        return {
            "uri": self.uri,
            "name": self.name,
            "description": self.description,
            "mimeType": _media_type(MANIFEST),
        }


SKILLS = (
    Skill(
        name="release-notes",
        description="Writes release notes from a list of changes",
        instructions="Group the changes as in references/sections.md. Write for users, in the past tense.",
        files={
            "references/sections.md": "Added, Changed, Deprecated, Removed, Fixed, Security.\n",
            "examples/first.md": "## 0.1.0\n\n### Added\n\n- Everything.\n",
        },
    ),
    Skill(
        name="unit-conversion",
        description="Converts between units of length",
        instructions="Look the factor up in factors.csv and multiply.",
        files={"factors.csv": "from,to,factor\ninch,cm,2.54\nmile,km,1.609344\n"},
    ),
    Skill(
        name="plain-words",
        description="Says things in plain words",
        instructions="Prefer the words of words.txt.",
        files={"words.txt": "use\nhelp\nshow\n"},
    ),
)


def read_file(uri: str) -> JsonObject | None:
    """Return the content of a skill's file, or nothing if there is none at `uri`."""
    for skill in SKILLS:
        content = skill.contents().get(uri.removeprefix(f"{skill.directory}/"))
        if uri.startswith(f"{skill.directory}/") and content is not None:
            return {"uri": uri, "mimeType": _media_type(uri), "text": content}
    return None


def _media_type(path: str) -> str:
    return MEDIA_TYPES[path.rpartition(".")[2]]


def children(uri: str) -> list[JsonObject] | None:
    """Return the direct children of the directory at `uri`, or nothing if it is no directory of a skill."""
    directory = uri.removesuffix("/")
    names: dict[str, str] = {}
    for skill in SKILLS:
        for path in skill.contents():
            below = f"{skill.directory}/{path}".removeprefix(f"{directory}/")
            if below != f"{skill.directory}/{path}" and directory.startswith(skill.directory):
                name, slash, _ = below.partition("/")
                names[name] = DIRECTORY if slash else _media_type(name)
    if not names:
        return None
    return [{"uri": f"{directory}/{name}", "name": name, "mimeType": kind} for name, kind in names.items()]


async def list_skills(call: Call) -> JsonObject:
    """Answer skills/list."""
    listed = page("skills", [skill.entry() for skill in SKILLS], call.params, size=PAGE_SIZE)
    faults = call.world.faults
    if "cursor" in call.params and Fault.SKILLS_CURSOR_REPEATED in faults:
        listed["nextCursor"] = call.params["cursor"]
    if "cursor" in call.params and Fault.SKILL_ON_TWO_PAGES in faults:
        listed["skills"] = [SKILLS[0].entry(), *as_list(listed["skills"])]
    if "nextCursor" not in listed and Fault.SKILLS_PAGE_WITHOUT_LIST in faults:
        del listed["skills"]
    return listed


async def get_skill(call: Call) -> JsonObject:
    """Answer skills/get. MUST refuse an unknown URI with -32602: SEP-2640."""
    uri = text(call.params, "uri")
    found = next((skill for skill in SKILLS if skill.uri == uri), None)
    if found is None:
        raise invalid_params("There is no such skill", {"uri": uri})
    return {"skill": found.entry()}


async def read_directory(call: Call) -> JsonObject:
    """Answer resources/directory/read. MUST refuse what is no directory with -32602: SEP-2640."""
    uri = text(call.params, "uri")
    found = children(uri)
    if found is None and read_file(uri) is None and Fault.UNKNOWN_DIRECTORY_EMPTY in call.world.faults:
        found = []
    if found is None:
        raise invalid_params("There is no such directory", {"uri": uri})
    return page("resources", found, call.params, size=PAGE_SIZE)


SKILL_METHODS: Mapping[str, Handler] = {
    "skills/list": list_skills,
    "skills/get": get_skill,
    "resources/directory/read": read_directory,
}
