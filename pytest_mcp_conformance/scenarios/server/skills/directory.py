"""Reading directories: what is directly in one, in pages, and what is refused.

Specification: https://modelcontextprotocol.io/seps/2640-skills-extension#specification, reading directories
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown, as_list, as_object, truthy
from pytest_mcp_conformance.model import SKILLS_EXTENSION, Level, Needs
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.protocol.json_rpc import INVALID_PARAMS
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.skills.addresses import is_child, skill_directory, skill_name
from pytest_mcp_conformance.scenarios.server.skills.declaring import (
    NOT_DECLARED,
    capabilities_of,
    declaration,
    own,
    published,
)
from pytest_mcp_conformance.scenarios.server.skills.entries import files_of, shortened
from pytest_mcp_conformance.scenarios.server.skills.walking import Walk, walk

DECLARED = published(
    "capability-directory-read-flag", "The server declares that it reads directories (directoryRead: true).", Level.MAY
)
READS = published("directory-read-method-registered", "The directory of a skill can be read.")
CHILDREN_SHAPE = published(
    "directory-read-result-resources-shape", "Reading a directory returns an array of resources, each with a uri."
)
SUBDIRECTORY = published(
    "directory-read-subdir-mimetype", "A directory in a directory has the media type inode/directory."
)
FILE_REFUSED = published(
    "directory-read-invalid-params", f"Reading a file as a directory is refused with {INVALID_PARAMS}."
)
IN_PAGES = published("directory-read-pagination", "The cursor of a directory's first page leads to another page.")

RESULT_HAS_CHILDREN = own(
    "directory-result-has-resources",
    "DirectoryResultHasResources",
    "Every result of reading a directory has an array of resources, each with uri and name.",
    place="reading-directories",
)
DIRECT_CHILDREN = own(
    "directory-has-all-children",
    "DirectoryHasAllChildren",
    "Every directory of a skill can be read and holds its direct children: all files of the entry, and no others.",
    place="reading-directories",
)
UNKNOWN_REFUSED = own(
    "unknown-directory-refused",
    "UnknownDirectoryRefused",
    f"Reading a directory that does not exist is refused with {INVALID_PARAMS}.",
    place="reading-directories",
)

PUBLISHED = (DECLARED, READS, CHILDREN_SHAPE, SUBDIRECTORY, FILE_REFUSED, IN_PAGES)
ADDITIONS = (RESULT_HAS_CHILDREN, DIRECT_CHILDREN, UNKNOWN_REFUSED)

METHOD = "resources/directory/read"
DIRECTORY = "inode/directory"
UNKNOWN_NAME = "mcp-conformance-nonexistent-directory-9f3a2b"
MOST_DIRECTORIES = 16  # read below one skill: a sample, where there are more
NONE_FOUND = "neither skills nor directories are listed"


@dataclass(frozen=True, kw_only=True)
class Place:
    """A directory to read.

    :ivar file: the URI of something that is no directory, if one is known.
    :ivar entry: of the skill whose directory it is, if it was listed as one.
    """

    directory: str
    file: str | None = None
    entry: JsonObject = field(default_factory=dict)


@server_scenario(
    name="sep-2640-skills-directory",
    extension=SKILLS_EXTENSION,
    pending=True,
    purpose="A server that reads directories lists what is directly in one, and refuses what is none.",
    decides=(*PUBLISHED, *ADDITIONS),
    needs=Needs(
        methods=("skills/list, resources/directory/read, where directoryRead is declared",),
        other=("at least one listed skill with a subdirectory, whose media type is inode/directory",),
        capabilities=("extensions",),
    ),
)
async def skills_directory(peer: Peer, checks: Checks) -> None:
    _, settings = declaration(await capabilities_of(peer))
    if not isinstance(settings, dict):
        skip_all(checks, NOT_DECLARED)
        return
    if settings.get("directoryRead") is not True:
        skip_all(checks, "the server does not declare directoryRead")
        return
    checks.succeed(DECLARED, details={"directoryRead": True})
    place = await find_directory(peer)
    if place is None:
        for requirement in (*PUBLISHED[1:], RESULT_HAS_CHILDREN, DIRECT_CHILDREN, UNKNOWN_REFUSED):
            checks.untestable(requirement, NONE_FOUND)
        return
    await read_directory(peer, checks, place)
    await read_tree(peer, checks, place)
    unknown = await peer.ask(METHOD, {"uri": f"{place.directory}/{UNKNOWN_NAME}"}, from_peer=True)
    # MUST be refused so: SEP-2640, reading directories
    checks.decide_error(UNKNOWN_REFUSED, unknown, codes=(INVALID_PARAMS,))


def skip_all(checks: Checks, reason: str) -> None:
    """Skip everything."""
    for requirement in (*PUBLISHED, *ADDITIONS):
        checks.skip(requirement, reason)


async def find_directory(peer: Peer) -> Place | None:
    """Return the directory of the first skill that is listed, else the first directory that is."""
    for entry in map(as_object, (await walk(peer, "skills/list")).entries("skills")):
        place = directory_of_skill(entry.get("uri"), entry)
        if place is not None:
            return place
    resources = [as_object(each) for each in (await walk(peer, "resources/list", most=None)).entries("resources")]
    for resource in resources:
        place = directory_of_skill(resource.get("uri"))
        if place is not None:
            return place
    directory = next((uri for uri in uris(resources, directories=True)), None)
    return None if directory is None else Place(directory=directory, file=first_file(resources))


def directory_of_skill(uri: JsonValue, entry: JsonObject | None = None) -> Place | None:
    """Return the directory of the skill whose manifest is at `uri`, if one can be there."""
    directory = skill_directory(uri)
    if directory is None or skill_name(uri) is None:
        return None
    return Place(directory=directory, file=str(uri), entry=entry or {})


def uris(resources: Sequence[JsonObject], *, directories: bool) -> list[str]:
    """Return the URIs of those `resources` that are directories, or of those that are not."""
    return [
        uri
        for each in resources
        if isinstance(uri := each.get("uri"), str) and (each.get("mimeType") == DIRECTORY) is directories
    ]


def first_file(resources: Sequence[JsonObject]) -> str | None:
    """Return the URI of the first of `resources` that is no directory."""
    return next(iter(uris(resources, directories=False)), None)


async def read_directory(peer: Peer, checks: Checks, place: Place) -> None:
    """Read a directory, the file in it as if it were one, and the second page. MUST be implemented: SEP-2640."""
    first = await peer.ask(METHOD, {"uri": place.directory}, from_peer=True)
    try:
        result: JsonObject | None = first.expect_result()
    except Nonconforming:
        result = None
    checks.decide(
        READS,
        result is not None,
        expected=f"a result of {METHOD}",
        got=first.shown(),
        details=None if result is None else {"uri": place.directory},
    )
    pages = await walk(peer, METHOD, {"uri": place.directory})
    children = children_of(result, pages)
    decide_children(checks, children, first.shown())
    decide_result(checks, pages)
    file = place.file or first_file([as_object(child) for child in as_list(children)])
    if file is None:
        checks.untestable(FILE_REFUSED, "nothing is known that is no directory")
    else:
        answer = await peer.ask(METHOD, {"uri": file}, from_peer=True)
        refused = answer.error is not None and answer.error.code == INVALID_PARAMS
        details: JsonObject | None = {"nonDirectoryUri": file} if refused else None
        checks.decide_error(FILE_REFUSED, answer, codes=(INVALID_PARAMS,), details=details)
    await follow_cursor(peer, checks, place, result)


def children_of(first: JsonObject | None, pages: Walk) -> JsonValue:
    """Return what a directory holds: by all its pages, or where these cannot be put together, by the first result."""
    if first is None:
        return None
    readable = pages.error is None and all(isinstance(page.get("resources", []), list | None) for page in pages.pages)
    return pages.entries("resources") if readable else first.get("resources")


def decide_children(checks: Checks, children: JsonValue, came: Shown) -> None:
    """Look at what a directory holds."""
    resources = [as_object(child) for child in as_list(children)]
    without: list[JsonValue] = [
        child for child in as_list(children) if not isinstance(as_object(child).get("uri"), str)
    ]
    in_shape = isinstance(children, list) and not without
    checks.decide(
        CHILDREN_SHAPE,
        in_shape,
        expected="an array of resources, each with a uri",
        got=without or came,
        details={"childCount": len(resources)} if in_shape else None,
    )
    subdirectory = next((child for child in resources if child.get("mimeType") == DIRECTORY), None)
    if subdirectory is None:
        checks.untestable(SUBDIRECTORY, f"the directory holds nothing of the type {DIRECTORY}")
    else:
        checks.succeed(SUBDIRECTORY, details={"subdirectoryUri": subdirectory.get("uri")})


def decide_result(checks: Checks, pages: Walk) -> None:
    """Look at each page by itself. MUST have an array, also an empty one: SEP-2640, reading directories."""
    wrong: list[JsonValue] = [page for page in pages.pages if not has_resources(page)]
    if pages.error is not None:
        wrong.append(pages.error.got)
    checks.decide(
        RESULT_HAS_CHILDREN, not wrong, expected="an array of resources with uri and name on every page", got=wrong
    )


def has_resources(page: JsonObject) -> bool:
    """Tell whether the result has an array of resources. MUST have uri and name: 2026-07-28, schema, Resource."""
    resources = page.get("resources")
    return isinstance(resources, list) and all(
        isinstance(as_object(each).get(name), str) for each in resources for name in ("uri", "name")
    )


async def follow_cursor(peer: Peer, checks: Checks, place: Place, first: JsonObject | None) -> None:
    """Ask for the second page, if there is one."""
    expected = "an array of resources on the next page"
    if first is None:
        checks.fail(IN_PAGES, expected=expected, got="no result of the first page")
        return
    cursor = first.get("nextCursor")
    if not truthy(cursor):
        checks.succeed(IN_PAGES, details={"paginationDetail": "one page"})
        return
    answer = await peer.ask(METHOD, {"uri": place.directory, "cursor": cursor}, from_peer=True)
    continued = isinstance(as_object(answer.result).get("resources"), list) and answer.has_result
    checks.decide(
        IN_PAGES,
        continued,
        expected=expected,
        got=answer.shown(),
        details={"paginationDetail": "the cursor led to another page"} if continued else None,
    )


async def read_tree(peer: Peer, checks: Checks, place: Place) -> None:
    """Read a directory and all below it, and compare the files with those of the skill's entry.

    MUST be possible for every directory; holds every direct child, and is not recursive: SEP-2640, reading directories
    """
    waiting, seen = deque([place.directory]), {place.directory}
    files: set[str] = set()
    wrong: list[str] = []
    while waiting and len(seen) <= MOST_DIRECTORIES:
        directory = waiting.popleft()
        pages = await walk(peer, METHOD, {"uri": directory})
        if pages.error is not None:
            wrong.append(f"{directory} cannot be read: {pages.error.got}")
        children = [as_object(child) for child in pages.entries("resources")]
        elsewhere = [uri for child in children if not is_child(uri := child.get("uri"), directory)]
        wrong += [f"{uri} is not directly in {directory}" for uri in elsewhere]
        files.update(uris(children, directories=False))
        new = [uri for uri in uris(children, directories=True) if uri not in seen and is_child(uri, directory)]
        waiting.extend(new)
        seen.update(new)
    listed = {uri for file in files_of(place.entry) if isinstance(uri := file.get("uri"), str)}
    if (
        listed and not waiting
    ):  # an entry that is generated lists nothing, and a sample of directories does not hold all
        wrong += [f"{uri} is listed by the skill and in no directory" for uri in sorted(listed - files)]
        wrong += [f"{uri} is in a directory and not listed by the skill" for uri in sorted(files - listed)]
    checks.decide(
        DIRECT_CHILDREN, not wrong, expected="the direct children of each directory, all of them", got=shortened(wrong)
    )
