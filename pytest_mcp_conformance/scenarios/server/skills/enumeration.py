"""Finding skills: what the server declares, what it lists, what it returns for one, and what the file itself says.

Specification: https://modelcontextprotocol.io/seps/2640-skills-extension#specification, listing skills and getting a skill
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object
from pytest_mcp_conformance.model import DRAFT, SKILLS_EXTENSION, Needs, Requirement
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.protocol.json_rpc import INVALID_PARAMS, Answer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.skills.addresses import skill_directory
from pytest_mcp_conformance.scenarios.server.skills.declaring import (
    NOT_DECLARED,
    capabilities_of,
    declaration,
    own,
    published,
)
from pytest_mcp_conformance.scenarios.server.skills.entries import DYNAMIC, RULES, decide_entries, shortened, uri_of
from pytest_mcp_conformance.scenarios.server.skills.files import Files
from pytest_mcp_conformance.scenarios.server.skills.frontmatter import differing, frontmatter_of, lacks_texts
from pytest_mcp_conformance.scenarios.server.skills.integrity import (
    EVERY_FRONTMATTER,
    FILES_VERIFY,
    decide_every_frontmatter,
    decide_files,
)
from pytest_mcp_conformance.scenarios.server.skills.walking import MOST_PAGES, Walk, walk

SETTINGS_ARE_OBJECT = published("capability-empty-object", "The extension is declared with an object, empty or not.")
NO_ENVELOPE = published(
    "capability-declaration-inline", "The settings of the extension stand in that object, not in an envelope."
)
RESOURCES_DECLARED = published(
    "capability-requires-resources", "A server that declares the extension declares resources, too."
)
METHODS_SERVED = published(
    "capability-commits-to-methods", "A server that declares the extension has skills/list and skills/get."
)
LISTS = published("skills-list-implemented", "skills/list is answered with a result.")
LIST_ENDS = published("skills-list-pagination", "The pages of skills/list come to an end.")
ENTRIES_WHOLE = published("skills-list-entry-atomic", "No skill is listed on two pages.")
LIST_CACHEABLE = published("skills-list-cache-attributes", "The result of skills/list has ttlMs and cacheScope.")
GETS = published("skills-get-implemented", "skills/get of a listed skill is answered with a result.")
GOT_SHAPE = published("skills-get-entry-shape", "skills/get returns the entry of the skill that was asked for.")
GOT_WITHOUT_CURSOR = published("skills-get-no-cursor", "The result of skills/get has no cursor.")
GOT_CACHEABLE = published("skills-get-cache-attributes", "The result of skills/get has ttlMs and cacheScope.")
UNKNOWN_REFUSED = published(
    "skills-get-unknown-uri-invalid-params", f"skills/get of an unknown skill is refused with {INVALID_PARAMS}."
)
MANIFEST_READ = published("skillmd-required", "The SKILL.md of a listed skill can be read as a text.")
MANIFEST_BEGINS = published("skillmd-frontmatter", "A SKILL.md begins with frontmatter that has name and description.")
FRONTMATTER_SAME = published(
    "entry-frontmatter-identical", "The frontmatter of an entry is that of its SKILL.md, field by field."
)

LIST_RESULT = own(
    "list-result-has-skills",
    "ListResultHasSkills",
    "Every result of skills/list has an array of entries.",
    place="listing-skills",
)
ALWAYS_GETS = own(
    "get-served-whatever-is-listed",
    "GetServedWhateverIsListed",
    f"skills/get of an unknown skill is refused with {INVALID_PARAMS}, also where nothing is listed.",
    place="getting-a-skill",
)
GOT_AS_LISTED = own(
    "got-entry-is-listed-entry",
    "GotEntryIsListedEntry",
    "skills/get returns the same entry as skills/list.",
    place="skill-entries",
)

OF_DECLARATION = (SETTINGS_ARE_OBJECT, NO_ENVELOPE, RESOURCES_DECLARED, METHODS_SERVED)
OF_LIST = (LISTS, LIST_ENDS, ENTRIES_WHOLE, LIST_CACHEABLE)
OF_ENTRIES = tuple(rule.requirement for rule in RULES)
OF_GET = (GETS, GOT_SHAPE, GOT_WITHOUT_CURSOR, GOT_CACHEABLE, UNKNOWN_REFUSED)
OF_MANIFEST = (MANIFEST_READ, MANIFEST_BEGINS, FRONTMATTER_SAME)
ADDITIONS = (LIST_RESULT, ALWAYS_GETS, GOT_AS_LISTED, EVERY_FRONTMATTER, FILES_VERIFY)

ENVELOPE = ("config", "specVersion", "stability", "id")  # members of an envelope that drafts had around the settings
CACHE_HINTS = ("ttlMs", "cacheScope")
UNKNOWN_SKILL = "skill://mcp-conformance-nonexistent-skill-9f3a2b/SKILL.md"
NOT_LISTED = "skills/list was not answered"
NOTHING_LISTED = "skills/list lists nothing"


@server_scenario(
    name="sep-2640-skills-enumeration",
    extension=SKILLS_EXTENSION,
    pending=True,
    purpose="A server that declares skills lists them completely, returns each, and serves the files that it lists.",
    decides=(*OF_DECLARATION, *OF_LIST, *OF_ENTRIES, *OF_GET, *OF_MANIFEST, *ADDITIONS),
    needs=Needs(
        methods=("skills/list, skills/get, resources/read",),
        other=("at least one skill that lists its files, and whose SKILL.md can be read as a text",),
        capabilities=("resources", "extensions"),
    ),
)
async def skills_enumeration(peer: Peer, checks: Checks) -> None:
    capabilities = await capabilities_of(peer)
    declared, settings = declaration(capabilities)
    if not declared:
        skip(checks, (*OF_DECLARATION, *OF_LIST, *OF_ENTRIES, *OF_GET, *OF_MANIFEST, *ADDITIONS), NOT_DECLARED)
        return
    decide_declaration(checks, capabilities, settings)
    listed = await walk(peer, "skills/list")
    decide_list(checks, listed, cacheable=peer.revision >= DRAFT)
    unknown = await peer.ask("skills/get", {"uri": UNKNOWN_SKILL})
    # MUST be refused so: SEP-2640, getting a skill
    checks.decide_error(ALWAYS_GETS, unknown, codes=(INVALID_PARAMS,))
    if listed.error is not None:
        skip(checks, (*OF_ENTRIES, *OF_GET, *OF_MANIFEST, GOT_AS_LISTED, EVERY_FRONTMATTER, FILES_VERIFY), NOT_LISTED)
        checks.fail(METHODS_SERVED, expected="results of skills/list and skills/get", got=listed.error.got)
        return
    entries = [as_object(entry) for entry in listed.entries("skills")]
    if not entries:
        skip(
            checks, (*OF_ENTRIES, *OF_GET, *OF_MANIFEST, GOT_AS_LISTED, EVERY_FRONTMATTER, FILES_VERIFY), NOTHING_LISTED
        )
        checks.succeed(METHODS_SERVED, details={"note": f"{NOTHING_LISTED}, so skills/get has nothing to return"})
        return
    decide_entries(checks, entries)
    await get_one(peer, checks, entries, unknown)
    files = Files(peer)
    await read_manifest(files, checks, entries)
    await decide_every_frontmatter(files, checks, entries)
    await decide_files(files, checks, entries)


def skip(checks: Checks, requirements: Iterable[Requirement], reason: str) -> None:
    """Skip all of `requirements` for the same reason."""
    for requirement in requirements:
        checks.skip(requirement, reason)


def decide_declaration(checks: Checks, capabilities: JsonObject, settings: JsonValue) -> None:
    """Look at how the extension is declared, and at the capability that it rests on."""
    is_object = isinstance(settings, dict)
    declared = as_object(settings)
    checks.decide(
        SETTINGS_ARE_OBJECT,
        is_object,
        expected=f"an object as the value of {SKILLS_EXTENSION}",
        got=settings,
        details={"declaredKeys": [*declared], "empty": not declared} if is_object else {"observed": settings},
    )
    if not is_object:
        checks.skip(NO_ENVELOPE, "the extension is not declared with an object")
    else:
        envelope: list[JsonValue] = [name for name in ENVELOPE if name in declared]
        checks.decide(
            NO_ENVELOPE,
            not envelope,
            expected=f"settings without {', '.join(ENVELOPE)}",
            got=settings,
            details={"envelopeKeys": envelope, "observed": settings} if envelope else {"settingKeys": [*declared]},
        )
    resources = capabilities.get("resources")
    # MUST declare resources as well: SEP-2640, capability negotiation
    checks.decide(
        RESOURCES_DECLARED,
        isinstance(resources, dict),
        expected="an object as the capability resources",
        got=resources,
        details={"resources": resources} if isinstance(resources, dict) else None,
    )


def decide_list(checks: Checks, listed: Walk, *, cacheable: bool) -> None:
    """Look at the pages of the list. MUST be implemented: SEP-2640, listing skills."""
    if listed.error is not None:
        checks.fail(LISTS, expected="a result of skills/list", got=listed.error.got)
        skip(checks, (LIST_ENDS, ENTRIES_WHOLE), NOT_LISTED)
        checks.fail(LIST_RESULT, expected="a result of skills/list", got=listed.error.got)
        return
    number = len(listed.pages)
    entries = listed.entries("skills")
    checks.succeed(LISTS, details={"pages": number, "entries": len(entries), "emptyListingPermitted": not entries})
    checks.decide(
        LIST_ENDS,
        not listed.endless,
        expected=f"an end after at most {MOST_PAGES} pages, and no cursor twice",
        got=f"{number} pages without an end",
        details=None if listed.endless else {"pages": number},
    )
    on_pages = Counter(uri for page in listed.pages for uri in uris_of(page))
    repeated = [uri for uri, times in on_pages.items() if times > 1]
    checks.decide(
        ENTRIES_WHOLE,
        not repeated,
        expected="each skill on one page",
        got=shortened(repeated),
        details=None if repeated else {"pages": number, "distinctUris": len(on_pages)},
    )
    decide_hints(checks, LIST_CACHEABLE, listed.pages[0], cacheable=cacheable)
    without: list[JsonValue] = [page for page in listed.pages if not _is_list_of_objects(page.get("skills"))]
    checks.decide(LIST_RESULT, not without, expected="an array of entries as skills on every page", got=without)


def uris_of(page: JsonObject) -> set[str]:
    """Return the URIs of a page, each once."""
    return {
        uri for entry in Walk(pages=[page]).entries("skills") if isinstance(uri := as_object(entry).get("uri"), str)
    }


def _is_list_of_objects(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def decide_hints(checks: Checks, requirement: Requirement, result: JsonObject, *, cacheable: bool) -> None:
    """Look for the caching hints, which the revision must know. MUST be there: SEP-2640, listing and getting skills."""
    details: JsonObject = {name: result.get(name) for name in CACHE_HINTS}
    if not cacheable:
        checks.skip(requirement, f"caching hints are of {DRAFT} and later", details=details)
        return
    checks.decide(
        requirement,
        all(name in result for name in CACHE_HINTS),
        expected=f"a result with {' and '.join(CACHE_HINTS)}",
        got=result,
        details=details,
    )


async def get_one(peer: Peer, checks: Checks, entries: Sequence[JsonObject], unknown: Answer) -> None:
    """Get the first skill by its URI. MUST be implemented: SEP-2640, getting a skill.

    :param unknown: what came for a skill that is not there.
    """
    listed = next((entry for entry in entries if uri_of(entry) is not None), None)
    if listed is None:
        skip(checks, (*OF_GET, GOT_AS_LISTED), "no entry has a uri that could be asked for")
        return
    uri = listed["uri"]
    answer = await peer.ask("skills/get", {"uri": uri}, from_peer=True)
    result = answer.result if answer.has_result else None
    served = isinstance(result, dict)
    both: JsonObject = {"methods": ["skills/list", "skills/get"]}
    for requirement, details in ((METHODS_SERVED, both), (GETS, {"probedUri": uri})):
        checks.decide(
            requirement,
            served,
            expected="a result of skills/get",
            got=answer.shown(),
            details=details if served else None,
        )
    if not isinstance(result, dict):
        skip(checks, (GOT_SHAPE, GOT_WITHOUT_CURSOR, UNKNOWN_REFUSED), "skills/get was not answered")
        checks.fail(GOT_AS_LISTED, expected="a result of skills/get", got=answer.shown())
        return
    decide_got(checks, result, listed)
    decide_hints(checks, GOT_CACHEABLE, result, cacheable=peer.revision >= DRAFT)
    refused = unknown.error is not None and unknown.error.code == INVALID_PARAMS
    checks.decide_error(
        UNKNOWN_REFUSED,
        unknown,
        codes=(INVALID_PARAMS,),
        details={"probedUri": UNKNOWN_SKILL, "code": INVALID_PARAMS} if refused else None,
    )


def decide_got(checks: Checks, result: JsonObject, listed: JsonObject) -> None:
    """Look at the entry that was got, and compare it with the one that was listed."""
    uri = listed["uri"]
    skill = as_object(result.get("skill"))
    resources = skill.get("resources")
    in_shape = (
        skill.get("uri") == uri
        and isinstance(skill.get("frontmatter"), dict)
        and (isinstance(resources, list) or resources == DYNAMIC)
    )
    checks.decide(
        GOT_SHAPE,
        in_shape,
        expected="skill with the uri that was asked for, frontmatter and resources",
        got=result,
        details={"probedUri": uri} if in_shape else None,
    )
    checks.decide(
        GOT_WITHOUT_CURSOR,
        "nextCursor" not in result,
        expected="a result without nextCursor",
        got=result,
        details=None if "nextCursor" in result else {"probedUri": uri},
    )
    if listed.get("resources") == DYNAMIC:
        checks.skip(GOT_AS_LISTED, "the skill is generated, and may be another each time")
        return
    # Identical in shape and meaning: SEP-2640, skill entries. Both MUST be complete and MUST be that of the same files.
    different: list[JsonValue] = [*differing(skill, listed)]
    checks.decide(GOT_AS_LISTED, not different, expected="the entry that was listed", got={"different": different})


async def read_manifest(files: Files, checks: Checks, entries: Sequence[JsonObject]) -> None:
    """Read the SKILL.md of the first skill, and compare it with its entry. MUST be there: SEP-2640, skill format."""
    entry = next((entry for entry in entries if skill_directory(entry.get("uri")) is not None), None)
    if entry is None:
        skip(checks, OF_MANIFEST, "no entry has the URI of a SKILL.md")
        return
    uri = str(entry["uri"])
    file = await files.read(uri)
    text = file.text
    if text is None:
        checks.fail(MANIFEST_READ, expected="the SKILL.md as a text", got=file.came)
        skip(checks, (MANIFEST_BEGINS, FRONTMATTER_SAME), "the SKILL.md could not be read")
        return
    checks.succeed(MANIFEST_READ, details={"uri": uri, "bytes": len(text.encode("utf-16-le", "surrogatepass")) // 2})
    frontmatter = frontmatter_of(text)
    complete = not lacks_texts(frontmatter)
    checks.decide(
        MANIFEST_BEGINS,
        complete,
        expected="frontmatter with name and description at the beginning of the SKILL.md",
        got=text,
        details={"uri": uri} if complete else None,
    )
    listed = entry.get("frontmatter")
    if frontmatter is None or not isinstance(listed, dict):
        checks.skip(FRONTMATTER_SAME, "the SKILL.md or its entry has no frontmatter")
        return
    different: list[JsonValue] = [*differing(frontmatter, listed)]
    checks.decide(
        FRONTMATTER_SAME,
        not different,
        expected="the same fields in entry and SKILL.md",
        got={"different": different},
        details=None if different else {"uri": uri, "fields": [*dict.fromkeys([*frontmatter, *listed])]},
    )
