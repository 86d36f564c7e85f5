"""Skills: servers that are odd at one place, and the checks that say so."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.model import Leg, Revision
from pytest_mcp_conformance.peer import open_peer
from pytest_mcp_conformance.protocol.http import Http
from pytest_mcp_conformance.protocol.recorder import Recorder
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.scenarios.server.skills.enumeration import (
    ADDITIONS,
    OF_DECLARATION,
    OF_ENTRIES,
    OF_GET,
    OF_LIST,
    OF_MANIFEST,
)
from pytest_mcp_conformance.scenarios.server.skills.walking import walk
from tests.scenarios.server.miniature import Miniature, Reply, Streamed, Turns
from tests.scenarios.server.odd_reference import (
    Asked,
    Odd,
    Oddity,
    all_of,
    error,
    outcome,
    reply,
    result,
    to,
    unlike_the_reference,
)
from tests.scenarios.server.odd_replies import Odd as OddServer
from tests.scenarios.server.odd_replies import statuses_of

ENUMERATION, DIRECTORY, MANIFEST = (
    "sep-2640-skills-enumeration",
    "sep-2640-skills-directory",
    "sep-2640-skills-manifest",
)
EXTENSION = "io.modelcontextprotocol/skills"
FAILS, WARNS, SKIPS, ABSENT = "FAILURE", "WARNING", "SKIPPED", "ABSENT"
LIST, GET, READ, READ_DIRECTORY = "skills/list", "skills/get", "resources/read", "resources/directory/read"

HINTS: JsonObject = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
URI = "skill://notes/SKILL.md"
TEXT = "---\nname: notes\ndescription: Writes notes\n---\nWrite.\n"


def file(uri: str, raw: bytes) -> JsonObject:
    return {"uri": uri, "digest": f"sha256:{hashlib.sha256(raw).hexdigest()}", "size": len(raw)}


ENTRY: JsonObject = {
    "uri": URI,
    "frontmatter": {"name": "notes", "description": "Writes notes"},
    "resources": [file(URI, TEXT.encode())],
}


def returns(value: JsonValue) -> Callable[[Asked], Odd]:
    return lambda asked: reply(result(asked, value))


def refuses(code: int) -> Callable[[Asked], Odd]:
    return lambda asked: reply(error(asked, code))


def listing(*entries: JsonValue, **members: JsonValue) -> Oddity:
    return to(LIST, returns({**HINTS, "skills": [*entries], **members}))


def getting(entry: JsonValue) -> Oddity:
    """Return `entry` for its URI, and refuse every other."""
    return lambda asked: (
        reply(result(asked, {**HINTS, "skill": entry}))
        if asked.method == GET and isinstance(entry, dict) and asked.params.get("uri") == entry.get("uri")
        else None
    )


def reading(contents: Mapping[str, JsonObject]) -> Oddity:
    """Return contents by their URIs."""
    return lambda asked: (
        reply(result(asked, {**HINTS, "contents": [{"uri": asked.params["uri"], **content}]}))
        if asked.method == READ and (content := contents.get(str(asked.params.get("uri")))) is not None
        else None
    )


def serving(entry: JsonObject, text: str = TEXT) -> Oddity:
    """Serve one skill alone."""
    return all_of(listing(entry), getting(entry), reading({str(entry.get("uri")): {"text": text}}))


def declaring(settings: JsonValue, **capabilities: JsonValue) -> Oddity:
    known: JsonObject = {"resources": {}, "extensions": {EXTENSION: settings}, **capabilities}
    return to("server/discover", returns({**HINTS, "supportedVersions": ["2026-07-28"], "capabilities": known}))


def of(status: str, *requirements: str) -> dict[str, str]:
    return dict.fromkeys(requirements, status)


ENTRIES, GETS, MANIFESTS = ([each.id for each in group] for group in (OF_ENTRIES, OF_GET, OF_MANIFEST))
EVERYTHING = [each.id for each in (*OF_DECLARATION, *OF_LIST, *OF_ENTRIES, *OF_GET, *OF_MANIFEST, *ADDITIONS)]
OF_FILES = [
    "sep-2640-resources-complete",
    "sep-2640-resources-uri-within-skill",
    "sep-2640-resources-digest-format",
    "sep-2640-resources-size-required",
    "sep-2640-limit-resources-per-skill",
    "sep-2640-limit-total-size",
]
LIST_RESULT, ALWAYS_GETS = "x-skills-list-result-has-skills", "x-skills-get-served-whatever-is-listed"
GOT_AS_LISTED = "x-skills-got-entry-is-listed-entry"
FRONTMATTERS, FILES = "x-skills-every-frontmatter-identical", "x-skills-files-verify"
NOTHING_TO_LOOK_AT = of(SKIPS, *ENTRIES, *GETS, *MANIFESTS, GOT_AS_LISTED, FRONTMATTERS, FILES)


def endless(pages: int) -> Oddity:
    """List a skill on each of so many pages."""

    def page(asked: Asked) -> Odd:
        number = int(str(asked.params.get("cursor", 1)))
        uri = f"skill://notes/{number}/notes/SKILL.md"
        cursor: JsonObject = {"nextCursor": str(number + 1)} if number < pages else {}
        return reply(result(asked, {**HINTS, "skills": [{**ENTRY, "uri": uri, "resources": "dynamic"}], **cursor}))

    return to(LIST, page)


LISTED: list[tuple[str, Oddity, dict[str, str]]] = [
    (
        "declared with null",
        declaring(None),
        {"sep-2640-capability-empty-object": FAILS, "sep-2640-capability-declaration-inline": SKIPS},
    ),
    (
        "declared with a list",
        declaring([]),
        {"sep-2640-capability-empty-object": FAILS, "sep-2640-capability-declaration-inline": SKIPS},
    ),
    (
        "declared in an envelope",
        declaring({"id": None, "directoryRead": True}),
        {"sep-2640-capability-declaration-inline": FAILS},
    ),
    ("resources as true", declaring({}, resources=True), {"sep-2640-capability-requires-resources": FAILS}),
    ("no list in the result", to(LIST, returns(HINTS)), NOTHING_TO_LOOK_AT | {LIST_RESULT: FAILS}),
    ("an object as list", to(LIST, returns({**HINTS, "skills": {}})), NOTHING_TO_LOOK_AT | {LIST_RESULT: FAILS}),
    ("an empty list", listing(), NOTHING_TO_LOOK_AT),
    (
        "an empty list, and skills/get is unknown",
        all_of(listing(), to(GET, refuses(-32601))),
        NOTHING_TO_LOOK_AT | {ALWAYS_GETS: FAILS},
    ),
    (
        "a result that is null",
        to(LIST, returns(None)),
        {
            **NOTHING_TO_LOOK_AT,
            **of(SKIPS, "sep-2640-skills-list-pagination", "sep-2640-skills-list-entry-atomic"),
            "sep-2640-skills-list-cache-attributes": ABSENT,
            **of(FAILS, "sep-2640-skills-list-implemented", "sep-2640-capability-commits-to-methods", LIST_RESULT),
        },
    ),
    (
        "the same cursor again",
        all_of(listing(ENTRY, nextCursor="again"), serving(ENTRY)),
        {
            "sep-2640-skills-list-pagination": FAILS,
            "sep-2640-skills-list-entry-atomic": FAILS,
            "sep-2640-names-should-be-unique": WARNS,
        },
    ),
    ("a cursor that is no text", all_of(listing(ENTRY, nextCursor=5), serving(ENTRY)), {}),
    (
        "no hints",
        all_of(to(LIST, returns({"resultType": "complete", "skills": [ENTRY], "ttlMs": None})), serving(ENTRY)),
        {"sep-2640-skills-list-cache-attributes": FAILS},
    ),
    (
        "null in the list",
        all_of(listing(ENTRY, None), serving(ENTRY)),
        {
            **of(
                FAILS,
                "sep-2640-entry-uri-required",
                "sep-2640-entry-frontmatter-required",
                "sep-2640-entry-resources-required",
                LIST_RESULT,
            )
        },
    ),
    (
        "only a text in the list",
        listing("notes"),
        {
            **of(
                FAILS,
                "sep-2640-entry-uri-required",
                "sep-2640-entry-frontmatter-required",
                "sep-2640-entry-resources-required",
                LIST_RESULT,
            ),
            **of(SKIPS, *OF_FILES, *GETS, *MANIFESTS, GOT_AS_LISTED, FRONTMATTERS, FILES),
            "sep-2640-capability-commits-to-methods": ABSENT,
        },
    ),
    (
        "null among the files",
        serving({**ENTRY, "resources": [None, *([file(URI, TEXT.encode())])]}),
        of(
            FAILS,
            "sep-2640-resources-uri-within-skill",
            "sep-2640-resources-digest-format",
            "sep-2640-resources-size-required",
        ),
    ),
    ("a generated skill", serving({**ENTRY, "resources": "dynamic"}), of(SKIPS, *OF_FILES, GOT_AS_LISTED, FILES)),
    (
        "a skill that is no manifest",
        all_of(listing({**ENTRY, "uri": "skill://notes"}), getting({**ENTRY, "uri": "skill://notes"})),
        {
            **of(FAILS, "sep-2640-entry-uri-matches-frontmatter-name", "sep-2640-resources-complete"),
            **of(SKIPS, *MANIFESTS, FRONTMATTERS, FILES),
        },
    ),
    (
        "another entry is got",
        all_of(to(GET, returns({**HINTS, "skill": {**ENTRY, "resources": []}})), serving(ENTRY)),
        {GOT_AS_LISTED: FAILS, ALWAYS_GETS: FAILS, "sep-2640-skills-get-unknown-uri-invalid-params": FAILS},
    ),
    (
        "a list is got",
        all_of(listing(ENTRY), reading({URI: {"text": TEXT}}), to(GET, returns([]))),
        {
            **of(
                FAILS,
                "sep-2640-capability-commits-to-methods",
                "sep-2640-skills-get-implemented",
                GOT_AS_LISTED,
                ALWAYS_GETS,
            ),
            **of(
                SKIPS,
                "sep-2640-skills-get-entry-shape",
                "sep-2640-skills-get-no-cursor",
                "sep-2640-skills-get-unknown-uri-invalid-params",
            ),
            "sep-2640-skills-get-cache-attributes": ABSENT,
        },
    ),
    (
        "a manifest in Base64",
        all_of(reading({URI: {"blob": base64.b64encode(TEXT.encode()).decode()}}), serving(ENTRY)),
        {
            "sep-2640-skillmd-required": FAILS,
            **of(SKIPS, "sep-2640-skillmd-frontmatter", "sep-2640-entry-frontmatter-identical"),
            FRONTMATTERS: FAILS,
        },
    ),
    ("a manifest that changed", serving(ENTRY, TEXT + "More.\n"), {FILES: FAILS}),
    (
        "a manifest with more frontmatter",
        serving(ENTRY, TEXT.replace("---\nW", "license: MIT\n---\nW")),
        {"sep-2640-entry-frontmatter-identical": FAILS, FRONTMATTERS: FAILS, FILES: FAILS},
    ),
    (
        "a manifest without description",
        serving(ENTRY, "---\nname: notes\n---\n"),
        {
            "sep-2640-skillmd-frontmatter": FAILS,
            "sep-2640-entry-frontmatter-identical": FAILS,
            FRONTMATTERS: FAILS,
            FILES: FAILS,
        },
    ),
    (
        "a file in Base64",
        all_of(
            serving({**ENTRY, "resources": [file(URI, TEXT.encode()), file("skill://notes/a.bin", b"\x00")]}),
            reading({"skill://notes/a.bin": {"blob": "AA=="}}),
        ),
        {},
    ),
    (
        "a file that cannot be read",
        serving({**ENTRY, "resources": [file(URI, TEXT.encode()), file("skill://notes/a.bin", b"")]}),
        {FILES: FAILS},
    ),
]


@pytest.mark.parametrize(("oddity", "statuses"), [each[1:] for each in LISTED], ids=[each[0] for each in LISTED])
def test_an_odd_list_gets_exactly_its_statuses(oddity: Oddity, statuses: dict[str, str]) -> None:
    assert unlike_the_reference(ENUMERATION, oddity) == statuses


@pytest.mark.parametrize("capabilities", [{}, {"extensions": None}, {"extensions": {"another": {}}}, None])
@pytest.mark.parametrize("scenario", [ENUMERATION, DIRECTORY, MANIFEST])
async def test_a_server_without_the_extension_is_not_judged_by_it(scenario: str, capabilities: JsonValue) -> None:
    odd = OddServer(
        fact="no extension",
        scenario=scenario,
        revision="2026-07-28",
        replies={"server/discover": {"resultType": "complete", "capabilities": capabilities}},
        statuses=dict.fromkeys([each.id for each in scenarios(Leg.SERVER)[scenario].decides], SKIPS),
    )
    assert await statuses_of(odd) == odd.statuses


@pytest.mark.parametrize("settings", [{}, {"directoryRead": False}, {"directoryRead": "true"}, {"directoryRead": 1}])
async def test_a_server_that_does_not_read_directories_is_not_judged_by_them(settings: JsonValue) -> None:
    odd = OddServer(
        fact="no directoryRead",
        scenario=DIRECTORY,
        revision="2026-07-28",
        replies={"server/discover": {"resultType": "complete", "capabilities": {"extensions": {EXTENSION: settings}}}},
        statuses=dict.fromkeys([each.id for each in scenarios(Leg.SERVER)[DIRECTORY].decides], SKIPS),
    )
    assert await statuses_of(odd) == odd.statuses


@pytest.mark.parametrize(("pages", "status"), [(50, None), (51, FAILS)])
def test_fifty_pages_are_walked(pages: int, status: str | None) -> None:
    assert unlike_the_reference(ENUMERATION, endless(pages)).get("sep-2640-skills-list-pagination") == status


def test_a_uri_that_is_none_is_not_held_against_the_harness() -> None:
    entry: JsonObject = {**ENTRY, "uri": "notes at home/SKILL.md", "resources": "dynamic"}
    found = outcome(ENUMERATION, serving(entry))
    assert "wire-schema-harness-error" not in [check.id for check in found.checks]
    assert [check.status.value for check in found.checks if check.id == "sep-2640-skillmd-required"] == ["SUCCESS"]


FOUND = [
    "sep-2640-directory-read-method-registered",
    "sep-2640-directory-read-result-resources-shape",
    "sep-2640-directory-read-subdir-mimetype",
    "sep-2640-directory-read-invalid-params",
    "sep-2640-directory-read-pagination",
]
HAS_RESOURCES, ALL_CHILDREN = "x-skills-directory-result-has-resources", "x-skills-directory-has-all-children"
UNKNOWN = "x-skills-unknown-directory-refused"
CHILD: JsonObject = {"uri": "skill://notes/SKILL.md", "name": "SKILL.md", "mimeType": "text/markdown"}
SUBDIRECTORY: JsonObject = {"uri": "skill://notes/more", "name": "more", "mimeType": "inode/directory"}


def directory(uri: str, *children: JsonValue, **members: JsonValue) -> Oddity:
    """Answer for one directory, whatever the page."""
    return lambda asked: (
        reply(result(asked, {**HINTS, "resources": [*children], **members}))
        if asked.method == READ_DIRECTORY and asked.params.get("uri") == uri
        else None
    )


# All that is known of is one skill with two files, one of them in a directory; what else is asked for is refused.
DEEP = "skill://notes/more/deep.md"
TREE: tuple[Oddity, ...] = (
    listing({**ENTRY, "resources": [file(URI, b""), file(DEEP, b"")]}),
    directory("skill://notes/more", {"uri": DEEP, "name": "deep.md"}),
)


DIRECTORIES: list[tuple[str, Oddity, dict[str, str]]] = [
    (
        "declared with a text",
        declaring("yes"),
        of(SKIPS, "sep-2640-capability-directory-read-flag", *FOUND, HAS_RESOURCES, ALL_CHILDREN, UNKNOWN),
    ),
    (
        "nothing is listed",
        all_of(listing(), to("resources/list", refuses(-32601))),
        of(FAILS, *FOUND, HAS_RESOURCES, ALL_CHILDREN, UNKNOWN),
    ),
    (
        "a skill among the resources",
        all_of(
            listing(),
            directory("skill://notes", CHILD, SUBDIRECTORY),
            *TREE[1:],
            to(
                "resources/list",
                returns({**HINTS, "resources": [{"uri": "x://y", "name": "y"}, {"uri": URI, "name": "notes"}]}),
            ),
        ),
        {},
    ),
    (
        "a directory among the resources",
        all_of(
            listing(),
            directory("skill://notes", CHILD, SUBDIRECTORY),
            *TREE[1:],
            to("resources/list", returns({**HINTS, "resources": [{**SUBDIRECTORY, "uri": "skill://notes"}]})),
        ),
        {},
    ),
    ("all in order", all_of(*TREE, directory("skill://notes", CHILD, SUBDIRECTORY)), {}),
    (
        "null in the place of the list",
        all_of(*TREE, directory("skill://notes", resources=None)),
        of(FAILS, "sep-2640-directory-read-subdir-mimetype", HAS_RESOURCES, ALL_CHILDREN),
    ),
    (
        "an object in the place of the list",
        all_of(*TREE, directory("skill://notes", resources={})),
        of(
            FAILS,
            "sep-2640-directory-read-result-resources-shape",
            "sep-2640-directory-read-subdir-mimetype",
            HAS_RESOURCES,
            ALL_CHILDREN,
        ),
    ),
    (
        "null in the list",
        all_of(*TREE, directory("skill://notes", None, CHILD, SUBDIRECTORY)),
        of(FAILS, "sep-2640-directory-read-result-resources-shape", HAS_RESOURCES, ALL_CHILDREN),
    ),
    (
        "a file below listed as a child",
        all_of(*TREE, directory("skill://notes", CHILD, SUBDIRECTORY, {"uri": DEEP, "name": "deep.md"})),
        {ALL_CHILDREN: FAILS},
    ),
    ("a file left out", all_of(*TREE, directory("skill://notes", SUBDIRECTORY)), {ALL_CHILDREN: FAILS}),
    (
        "a file that the entry does not have",
        all_of(
            *TREE, directory("skill://notes", CHILD, SUBDIRECTORY, {"uri": "skill://notes/new.md", "name": "new.md"})
        ),
        {ALL_CHILDREN: FAILS},
    ),
    (
        "a directory in itself",
        all_of(
            TREE[0],
            directory("skill://notes", CHILD, SUBDIRECTORY),
            directory("skill://notes/more", {"uri": DEEP, "name": "deep.md"}, SUBDIRECTORY),
        ),
        {ALL_CHILDREN: FAILS},
    ),
    (
        "a directory that cannot be read",
        all_of(TREE[0], directory("skill://notes", CHILD, SUBDIRECTORY)),
        {ALL_CHILDREN: FAILS},
    ),
    ("the cursor leads back", all_of(*TREE, directory("skill://notes", CHILD, SUBDIRECTORY, nextCursor="again")), {}),
    (
        "everything is a directory",
        all_of(TREE[0], to(READ_DIRECTORY, returns({**HINTS, "resources": [SUBDIRECTORY]}))),
        of(FAILS, "sep-2640-directory-read-invalid-params", ALL_CHILDREN, UNKNOWN),
    ),
    (
        "a result that is null",
        all_of(TREE[0], to(READ_DIRECTORY, returns(None))),
        of(FAILS, *FOUND, HAS_RESOURCES, ALL_CHILDREN, UNKNOWN),
    ),
]


@pytest.mark.parametrize(
    ("oddity", "statuses"), [each[1:] for each in DIRECTORIES], ids=[each[0] for each in DIRECTORIES]
)
def test_an_odd_directory_gets_exactly_its_statuses(oddity: Oddity, statuses: dict[str, str]) -> None:
    assert unlike_the_reference(DIRECTORY, oddity) == statuses


MEDIA_TYPE, NAME = "sep-2640-skillmd-mimetype", "sep-2640-final-segment-equals-name"
LISTED_NAME, LISTED_DESCRIPTION = "sep-2640-skillmd-metadata-name", "sep-2640-skillmd-metadata-description"
PREFIX, OWN_PREFIX = "sep-2640-meta-prefix", "x-skills-meta-skills-prefix"
RESOURCE: JsonObject = {"uri": URI, "name": "notes", "description": "Writes notes"}
MARKDOWN: JsonObject = {"text": TEXT, "mimeType": "text/markdown"}


def resource(listed: JsonValue, content: JsonObject = MARKDOWN) -> Oddity:
    return all_of(to("resources/list", returns({**HINTS, "resources": [listed]})), reading({URI: content}))


MANIFESTS_READ: list[tuple[str, Oddity, dict[str, str]]] = [
    ("all in order", resource(RESOURCE), {}),
    ("the media type is in the list", resource({**RESOURCE, "mimeType": "text/markdown"}, {"text": TEXT}), {}),
    ("no media type", resource(RESOURCE, {"text": TEXT}), {MEDIA_TYPE: WARNS}),
    (
        "a media type with parameters",
        resource(RESOURCE, {**MARKDOWN, "mimeType": "text/markdown; charset=utf-8"}),
        {MEDIA_TYPE: WARNS},
    ),
    (
        "another media type than listed",
        resource({**RESOURCE, "mimeType": "text/markdown"}, {**MARKDOWN, "mimeType": "text/plain"}),
        {MEDIA_TYPE: WARNS},
    ),
    (
        "a blob",
        resource(RESOURCE, {"blob": "AA=="}),
        {MEDIA_TYPE: WARNS, NAME: FAILS, LISTED_NAME: WARNS, LISTED_DESCRIPTION: WARNS},
    ),
    (
        "no frontmatter",
        resource(RESOURCE, {**MARKDOWN, "text": "Write."}),
        {NAME: FAILS, LISTED_NAME: WARNS, LISTED_DESCRIPTION: WARNS},
    ),
    (
        "another name",
        resource(RESOURCE, {**MARKDOWN, "text": TEXT.replace("name: notes", "name: note")}),
        {NAME: FAILS, LISTED_NAME: WARNS},
    ),
    (
        "a name that is a number",
        resource(RESOURCE, {**MARKDOWN, "text": TEXT.replace("name: notes", "name: 5")}),
        {NAME: FAILS, LISTED_NAME: WARNS},
    ),
    ("no description in the list", resource({"uri": URI, "name": "notes"}), {LISTED_DESCRIPTION: WARNS}),
    (
        "resources/list is unknown",
        all_of(to("resources/list", refuses(-32601)), listing(ENTRY), reading({URI: MARKDOWN})),
        {LISTED_NAME: WARNS, LISTED_DESCRIPTION: WARNS},
    ),
    (
        "listed as a skill alone",
        all_of(resource(None), listing(None, ENTRY)),
        {LISTED_NAME: WARNS, LISTED_DESCRIPTION: WARNS},
    ),
    (
        "nothing is listed",
        all_of(resource(None), to(LIST, refuses(-32601))),
        {
            MEDIA_TYPE: WARNS,
            NAME: FAILS,
            LISTED_NAME: WARNS,
            LISTED_DESCRIPTION: WARNS,
            PREFIX: WARNS,
            OWN_PREFIX: WARNS,
        },
    ),
    (
        "a key without prefix in the list",
        resource({**RESOURCE, "_meta": {"license": "MIT"}}),
        {PREFIX: WARNS, OWN_PREFIX: WARNS},
    ),
    (
        "a key of another prefix",
        resource(RESOURCE, {**MARKDOWN, "_meta": {"com.example/level": 1}}),
        {OWN_PREFIX: WARNS},
    ),
    (
        "keys of the protocol and of the extension",
        resource(
            RESOURCE,
            {**MARKDOWN, "_meta": {"io.modelcontextprotocol/x": 1, "io.modelcontextprotocol.skills/license": "MIT"}},
        ),
        {},
    ),
    (
        "a prefix of one word",
        resource(RESOURCE, {**MARKDOWN, "_meta": {"example/level": 1}}),
        {PREFIX: WARNS, OWN_PREFIX: WARNS},
    ),
]


@pytest.mark.parametrize(
    ("oddity", "statuses"), [each[1:] for each in MANIFESTS_READ], ids=[each[0] for each in MANIFESTS_READ]
)
def test_an_odd_manifest_gets_exactly_its_statuses(oddity: Oddity, statuses: dict[str, str]) -> None:
    assert unlike_the_reference(MANIFEST, oddity) == statuses


@pytest.mark.parametrize(
    ("replies", "entries", "endless", "broken"),
    [
        (({"things": [1, 2]},), [1, 2], False, False),
        (({"things": [1], "nextCursor": "b"}, {"things": [2]}), [1, 2], False, False),
        (({"things": [1], "nextCursor": "b"}, {"things": [2], "nextCursor": "b"}), [1, 2], True, False),
        (({"things": [1], "nextCursor": ""},), [1], False, False),
        (({"things": {}, "nextCursor": "b"}, {}), [], False, False),
        (({"things": [1], "nextCursor": "b"}, None), [1], False, True),
    ],
    ids=["one page", "two pages", "a cursor twice", "an empty cursor", "no lists", "a page that breaks off"],
)
async def test_pages_are_walked(
    replies: tuple[Reply, ...], entries: list[JsonValue], *, endless: bool, broken: bool
) -> None:
    async with Miniature({"things/list": Turns(replies=replies)}).serving() as url:
        http = Http(Recorder(revision=Revision.V2026_07_28))
        found = await walk(open_peer(http, url, Revision.V2026_07_28), "things/list")
        await http.close()
    assert (found.entries("things"), found.endless, found.error is not None) == (entries, endless, broken)


METHODS = ("server/discover", LIST, GET, READ, READ_DIRECTORY, "resources/list")
VALUES: tuple[JsonValue, ...] = (None, True, 0, -1.5, "", "text", [], [None], [[]], ["text"], [{}], {}, {"0": {}})
MEMBERS = (
    "_meta",
    "contents",
    "description",
    "frontmatter",
    "mimeType",
    "name",
    "nextCursor",
    "resources",
    "skill",
    "skills",
    "text",
    "uri",
)
DECLARED: JsonObject = {"capabilities": {"resources": {}, "extensions": {EXTENSION: {"directoryRead": True}}}}


def junk() -> list[JsonValue]:
    """Return results of every shape: values alone, and known members with such values, on three levels."""
    inner: list[JsonObject] = [dict.fromkeys(MEMBERS, value) for value in VALUES]
    named: list[JsonObject] = [{**each, "uri": URI, "mimeType": "inode/directory"} for each in inner]
    nested: list[JsonValue] = [
        {**DECLARED, "skills": [each], "resources": [each], "contents": [each], "skill": each}
        for each in [*inner, *named]
    ]
    return [*VALUES, *({**DECLARED, **each} for each in inner), *nested]


@pytest.mark.parametrize("name", [ENUMERATION, DIRECTORY, MANIFEST])
async def test_no_answer_of_a_server_is_a_fault_of_ours(name: str) -> None:
    for each in [*junk(), Streamed(before=VALUES, result={})]:
        odd = OddServer(
            fact=repr(each), scenario=name, revision="2026-07-28", replies=dict.fromkeys(METHODS, each), statuses={}
        )
        assert await statuses_of(odd), odd
