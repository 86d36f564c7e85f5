"""Spoiled answers of the skills extension.

What is deformed in the list is the second skill: the scenarios read the first one.
"""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.model import SKILLS_EXTENSION
from pytest_mcp_conformance.protocol.json_rpc import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.skills import SKILLS
from pytest_mcp_conformance.reference.server.spoiled.spoiling import Named, Refused, Spoiled, Step
from pytest_mcp_conformance.serving.refusals import Refusal

FIRST, SECOND = SKILLS[0], SKILLS[1]
SIXTEEN_MIB = 16 * 1024 * 1024
MOST_FILES = 512
DIGEST = "sha256:" + "0" * 64


def _answer(method: str, *at: Step, to: JsonValue = None, removed: bool = False) -> Spoiled:
    """Deform the result of a method."""
    return Spoiled(method=method, at=("result", *at), to=to, removed=removed)


def _declared(*at: Step, to: JsonValue) -> tuple[Spoiled, ...]:
    """Deform the declaration of the extension."""
    return (_answer("server/discover", "capabilities", "extensions", SKILLS_EXTENSION, *at, to=to),)


def _entry(*at: Step, to: JsonValue = None, removed: bool = False) -> tuple[Spoiled, ...]:
    """Deform the second skill of the list."""
    return (_answer("skills/list", "skills", Named(name=SECOND.uri), *at, to=to, removed=removed),)


def _moved(directory: str, name: str) -> tuple[Spoiled, ...]:
    """Put another skill in the place of the second one: another directory, another name, otherwise in order."""
    uri = f"{directory}/SKILL.md"
    entry: JsonObject = {
        "uri": uri,
        "frontmatter": {"name": name, "description": SECOND.description},
        "resources": [{"uri": uri, "digest": DIGEST, "size": 1}],
    }
    return _entry(to=entry)


def _manifest(*at: Step, to: JsonValue = None, removed: bool = False) -> Spoiled:
    """Deform the content of the first skill's manifest."""
    where: tuple[Step, ...] = ("result", "contents", 0, *at)
    return Spoiled(method="resources/read", name=FIRST.uri, at=where, to=to, removed=removed)


def _listed(*at: Step, to: JsonValue) -> Spoiled:
    """Deform the first skill's manifest as it is listed among the resources."""
    return _answer("resources/list", "resources", Named(name=FIRST.uri), *at, to=to)


MANY_FILES: list[JsonValue] = [
    {"uri": f"{SECOND.directory}/{name}", "digest": DIGEST, "size": 1}
    for name in ("SKILL.md", *(f"{number}.txt" for number in range(MOST_FILES)))
]
OTHER_NAME = FIRST.contents()["SKILL.md"].replace(f"name: {FIRST.name}", "name: another-name")

SPOILED: Mapping[Fault, tuple[Spoiled, ...]] = {
    Fault.SKILLS_DECLARED_BY_TRUE: _declared(to=True),
    Fault.SKILLS_DECLARED_WITH_CONFIG: _declared("config", to={}),
    Fault.RESOURCES_UNDECLARED: (_answer("server/discover", "capabilities", "resources", removed=True),),
    Fault.SKILLS_LIST_WITHOUT_TTL: (_answer("skills/list", "ttlMs", removed=True),),
    Fault.SKILL_LISTED_WITH_LICENSE: _entry("frontmatter", "license", to="MIT"),
    Fault.SKILL_DIGEST_WRONG: _entry("resources", 1, "digest", to=DIGEST),
    Fault.SKILL_WITHOUT_URI: _entry("uri", removed=True),
    Fault.SKILL_WITHOUT_DESCRIPTION: _entry("frontmatter", "description", removed=True),
    Fault.SKILL_UNDER_ANOTHER_NAME: _entry("frontmatter", "name", to="another-name"),
    Fault.SKILL_OF_ANOTHER_SCHEME: _moved("https://skills.example/unit-conversion", "unit-conversion"),
    Fault.SKILL_RESOURCES_UNKNOWN: _entry("resources", to="static"),
    Fault.SKILL_WITHOUT_MANIFEST: _entry("resources", 0, removed=True),
    Fault.SKILL_FILE_OUTSIDE: _entry("resources", 1, "uri", to="skill://elsewhere/factors.csv"),
    Fault.SKILL_DIGEST_SHORT: _entry("resources", 1, "digest", to="sha256:0"),
    Fault.SKILL_SIZE_NEGATIVE: _entry("resources", 1, "size", to=-1),
    Fault.SKILL_FILES_TOO_MANY: _entry("resources", to=MANY_FILES),
    Fault.SKILL_FILES_TOO_LARGE: _entry("resources", 1, "size", to=SIXTEEN_MIB),
    Fault.SKILL_METADATA_RESERVED: _entry("frontmatter", "metadata", to={"io.modelcontextprotocol/level": "high"}),
    Fault.SKILL_NAME_ODD: _moved("skill://Unit--Conversion", "Unit--Conversion"),
    Fault.SKILL_AUTHORITY_ODD: _moved("skill://localhost:8000/unit-conversion", "unit-conversion"),
    Fault.SKILL_NAME_TWICE: _moved(f"skill://mirror/{FIRST.name}", FIRST.name),
    Fault.SKILL_GOT_OF_ANOTHER_URI: (_answer("skills/get", "skill", "uri", to=SECOND.uri),),
    Fault.SKILL_GOT_WITH_LICENSE: (_answer("skills/get", "skill", "frontmatter", "license", to="MIT"),),
    Fault.SKILL_GOT_WITH_CURSOR: (_answer("skills/get", "nextCursor", to="more"),),
    Fault.SKILL_GOT_WITHOUT_TTL: (_answer("skills/get", "ttlMs", removed=True),),
    Fault.UNKNOWN_SKILL_OTHER_CODE: (
        Spoiled(method="skills/get", code=INVALID_PARAMS, at=("error", "code"), to=INTERNAL_ERROR),
    ),
    Fault.MANIFEST_BINARY: (_manifest("text", removed=True), _manifest("blob", to="LS0tCg==")),
    Fault.MANIFEST_WITHOUT_FRONTMATTER: (_manifest("text", to="Write release notes.\n"),),
    Fault.FRONTMATTER_DIFFERS: (
        _answer("skills/list", "skills", Named(name=FIRST.uri), "frontmatter", "license", to="MIT"),
    ),
    Fault.MANIFEST_OF_PLAIN_TEXT: (_manifest("mimeType", to="text/plain"),),
    Fault.MANIFEST_OF_ANOTHER_SKILL: (_manifest("text", to=OTHER_NAME), _listed("name", to="another-name")),
    Fault.MANIFEST_LISTED_BY_FILE_NAME: (_listed("name", to="SKILL.md"),),
    Fault.MANIFEST_LISTED_IN_OTHER_WORDS: (_listed("description", to="A skill"),),
    Fault.MANIFEST_META_WITHOUT_PREFIX: (_manifest("_meta", to={"level": "high"}),),
    Fault.CHILD_WITHOUT_URI: (
        _answer("resources/directory/read", "resources", Named(name="examples"), "uri", removed=True),
    ),
    Fault.MANIFEST_META_OF_ANOTHER_PREFIX: (_manifest("_meta", to={"com.example/level": "high"}),),
    Fault.CHILD_WITHOUT_NAME: (
        _answer("resources/directory/read", "resources", Named(name="examples"), "name", removed=True),
    ),
    Fault.DIRECTORY_LISTED_BY_ITS_FILE: (
        _answer(
            "resources/directory/read",
            "resources",
            Named(name="examples"),
            "uri",
            to=f"{FIRST.directory}/examples/first.md",
        ),
    ),
    Fault.DIRECTORIES_WITHOUT_TYPE: tuple(
        _answer("resources/directory/read", "resources", Named(name=name), "mimeType", removed=True)
        for name in ("references", "examples")
    ),
    Fault.NO_DIRECTORY_OTHER_CODE: (
        Spoiled(method="resources/directory/read", code=INVALID_PARAMS, at=("error", "code"), to=INTERNAL_ERROR),
    ),
}

REFUSED: Mapping[Fault, Refused] = {
    Fault.SKILLS_LIST_REFUSED: Refused(method="skills/list", refusal=Refusal(METHOD_NOT_FOUND, "Method not found")),
    Fault.SKILLS_GET_REFUSED: Refused(method="skills/get", refusal=Refusal(METHOD_NOT_FOUND, "Method not found")),
    Fault.DIRECTORY_READ_REFUSED: Refused(
        method="resources/directory/read", refusal=Refusal(METHOD_NOT_FOUND, "Method not found")
    ),
    Fault.DIRECTORY_CURSOR_REFUSED: Refused(
        method="resources/directory/read", having="cursor", refusal=Refusal(INTERNAL_ERROR, "No more for now")
    ),
}
