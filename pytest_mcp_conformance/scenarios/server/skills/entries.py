"""What the entries of skills must be: a table of rules over the whole list.

Specification: https://modelcontextprotocol.io/seps/2640-skills-extension#specification, skill entries
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, is_integer, is_number
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.scenarios.server.skills.addresses import (
    SCHEME,
    follows_naming_rules,
    has_reg_name,
    skill_directory,
    skill_name,
)
from pytest_mcp_conformance.scenarios.server.skills.declaring import published
from pytest_mcp_conformance.scenarios.server.skills.frontmatter import lacks_texts

# Limits up to which every host loads a skill: SEP-2640, limits
MOST_FILES = 512
MOST_BYTES = 16 * 1024 * 1024

DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
RESERVED = "io.modelcontextprotocol/"
DYNAMIC = "dynamic"
OFFENDERS_SHOWN = 5

Find = Callable[[Sequence[JsonObject]], Sequence[str]]
"""Takes the entries and returns what is wrong with them, one text an offender."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A requirement on entries, and how those that break it are found.

    :ivar of_arrays: only entries whose resources are listed are looked at.
    :ivar details: what a consumer may read of a success.
    """

    requirement: Requirement
    expected: str
    find: Find
    of_arrays: bool = False
    details: Callable[[Sequence[JsonObject]], JsonObject] = lambda entries: {"entryCount": len(entries)}


def files_of(entry: JsonObject) -> list[JsonObject]:
    """Return the files that an entry lists; what is no object counts as a file without members."""
    return [as_object(file) for file in as_list(entry.get("resources"))]


def uri_of(entry: JsonObject) -> str | None:
    """Return the URI of an entry; none if it has no text for one, or an empty one."""
    uri = entry.get("uri")
    return uri if isinstance(uri, str) and uri else None


def _named(entry: JsonObject) -> str:
    return uri_of(entry) or "an entry without uri"


def _each(breaks: Callable[[JsonObject], bool]) -> Find:
    """Return the offenders of a rule that looks at one entry at a time."""
    return lambda entries: [_named(entry) for entry in entries if breaks(entry)]


def _each_uri(breaks: Callable[[str], bool]) -> Find:
    """Return the offenders of a rule that looks at one URI at a time."""
    return lambda entries: [uri for entry in entries if isinstance(uri := entry.get("uri"), str) and breaks(uri)]


def _each_file(breaks: Callable[[JsonObject], bool]) -> Find:
    """Return the offenders of a rule that looks at one file at a time."""
    return lambda entries: [
        f"{file.get('uri')} of {_named(entry)}" for entry in entries for file in files_of(entry) if breaks(file)
    ]


def name_differs(entry: JsonObject) -> bool:
    """Tell whether the URI of an entry does not end in the name that its frontmatter gives."""
    uri, name = entry.get("uri"), as_object(entry.get("frontmatter")).get("name")
    return isinstance(uri, str) and isinstance(name, str) and skill_name(uri) != name


def incomplete(entry: JsonObject) -> bool:
    """Tell whether an entry's own manifest is not among its files, or one is there twice.

    An entry without URI has none to look for; that is decided by a rule of its own.
    """
    uris = Counter(uri for file in files_of(entry) if isinstance(uri := file.get("uri"), str))
    own = uri_of(entry)
    return (own is not None and own not in uris) or any(times > 1 for times in uris.values())


def reaches_outside(entry: JsonObject) -> bool:
    """Tell whether a file of an entry is not in its directory."""
    own, directory = entry.get("uri"), skill_directory(entry.get("uri"))
    if directory is None:
        return False
    uris = [file.get("uri") for file in files_of(entry)]
    return not all(isinstance(uri, str) and (uri == own or uri.startswith(f"{directory}/")) for uri in uris)


def has_digest(file: JsonObject) -> bool:
    """Tell whether a file is listed with a digest."""
    digest = file.get("digest")
    return isinstance(digest, str) and DIGEST.fullmatch(digest) is not None


def has_size(file: JsonObject) -> bool:
    """Tell whether a file is listed with a number of bytes."""
    size = file.get("size")
    return is_integer(size) and size >= 0


def bytes_of(entry: JsonObject) -> int | float:
    """Return the sum of the sizes of an entry's files."""
    return sum(size for file in files_of(entry) if is_number(size := file.get("size")))


def reserved_keys(entry: JsonObject) -> bool:
    """Tell whether the author's metadata use keys that are reserved."""
    metadata = as_object(as_object(entry.get("frontmatter")).get("metadata"))
    return any(key.startswith(RESERVED) for key in metadata)


def _badly_named(uri: str) -> bool:
    name = skill_name(uri)
    return name is not None and not follows_naming_rules(name)


def repeated_names(entries: Sequence[JsonObject]) -> list[str]:
    """Return the names that more than one entry has."""
    return [name for name, times in _names(entries).items() if times > 1]


def _names(entries: Sequence[JsonObject]) -> Counter[str]:
    return Counter(name for entry in entries if (name := skill_name(entry.get("uri"))) is not None)


def _checked(entries: Sequence[JsonObject]) -> JsonObject:
    return {"entriesChecked": len(entries)}


RULES = (
    Rule(
        requirement=published("entry-uri-required", "Every entry has a uri."),
        expected="a uri on every entry",
        find=_each(lambda entry: uri_of(entry) is None),
    ),
    Rule(
        requirement=published("entry-frontmatter-required", "Every entry has a frontmatter with name and description."),
        expected="a frontmatter with name and description on every entry",
        find=_each(lambda entry: lacks_texts(entry.get("frontmatter"))),
    ),
    Rule(
        requirement=published(
            "entry-uri-matches-frontmatter-name", "The URI of an entry ends in the name of its skill and SKILL.md."
        ),
        expected="URIs that end in <name>/SKILL.md",
        find=_each(name_differs),
    ),
    Rule(
        requirement=published("skill-uri-scheme", f"The URIs of skills begin with {SCHEME}.", Level.SHOULD),
        expected=f"URIs that begin with {SCHEME}",
        find=_each_uri(lambda uri: not uri.startswith(SCHEME)),
    ),
    Rule(
        requirement=published(
            "entry-resources-required", f"The resources of every entry are an array or the text {DYNAMIC}."
        ),
        expected=f"an array or the text {DYNAMIC} as resources",
        find=_each(lambda entry: not isinstance(entry.get("resources"), list) and entry.get("resources") != DYNAMIC),
        details=lambda entries: {
            "entryCount": len(entries),
            "dynamicEntries": sum(entry.get("resources") == DYNAMIC for entry in entries),
        },
    ),
    Rule(
        requirement=published(
            "resources-complete", "The listed files of a skill hold its SKILL.md, and each file once."
        ),
        expected="the entry's own uri among its resources, and no uri twice",
        find=_each(incomplete),
        of_arrays=True,
        details=_checked,
    ),
    Rule(
        requirement=published("resources-uri-within-skill", "Every listed file is in the directory of its skill."),
        expected="files below the directory of their skill",
        find=_each(reaches_outside),
        of_arrays=True,
        details=_checked,
    ),
    Rule(
        requirement=published(
            "resources-digest-format", "Every listed file has a SHA-256 digest of 64 lower-case hexadecimal digits."
        ),
        expected="digests of the form sha256:<64 hexadecimal digits>",
        find=_each_file(lambda file: not has_digest(file)),
        of_arrays=True,
        details=_checked,
    ),
    Rule(
        requirement=published("resources-size-required", "Every listed file has a size in bytes."),
        expected="integers of at least 0 as sizes",
        find=_each_file(lambda file: not has_size(file)),
        of_arrays=True,
        details=_checked,
    ),
    Rule(
        requirement=published("limit-resources-per-skill", f"A skill has at most {MOST_FILES} files.", Level.SHOULD),
        expected=f"at most {MOST_FILES} files a skill",
        find=_each(lambda entry: len(files_of(entry)) > MOST_FILES),
        of_arrays=True,
        details=lambda entries: {
            "maxObserved": max(len(files_of(entry)) for entry in entries),
            "limit": MOST_FILES,
        },
    ),
    Rule(
        requirement=published(
            "limit-total-size", f"The files of a skill have at most {MOST_BYTES} bytes together.", Level.SHOULD
        ),
        expected=f"at most {MOST_BYTES} bytes a skill",
        find=_each(lambda entry: bytes_of(entry) > MOST_BYTES),
        of_arrays=True,
        details=lambda entries: {
            "maxObservedBytes": max(bytes_of(entry) for entry in entries),
            "limit": MOST_BYTES,
        },
    ),
    Rule(
        requirement=published(
            "metadata-reserved-prefix", f"The metadata of a skill use no key that begins with {RESERVED}.", Level.SHOULD
        ),
        expected=f"no key of metadata that begins with {RESERVED}",
        find=_each(reserved_keys),
    ),
    Rule(
        requirement=published(
            "name-naming-rules", "The name of a skill is of lower-case letters, digits and single hyphens, at most 64."
        ),
        expected="names of 1 to 64 lower-case letters, digits and single hyphens inside",
        find=_each_uri(_badly_named),
    ),
    Rule(
        requirement=published(
            "authority-reg-name", "The first segment of a skill's URI is a valid host name by RFC 3986.", Level.SHOULD
        ),
        expected="first segments without user, port and other characters",
        find=_each_uri(lambda uri: not has_reg_name(uri)),
    ),
    Rule(
        requirement=published("names-should-be-unique", "No two listed skills have the same name.", Level.SHOULD),
        expected="each name once",
        find=repeated_names,
        details=lambda entries: {"distinctNames": len(_names(entries))},
    ),
)


def decide_entries(checks: Checks, entries: Sequence[JsonObject]) -> None:
    """Decide every rule over the entries, of which there is at least one."""
    listing = [entry for entry in entries if isinstance(entry.get("resources"), list)]
    for rule in RULES:
        looked_at = listing if rule.of_arrays else entries
        if not looked_at:
            checks.skip(rule.requirement, "no entry lists its resources")
            continue
        offenders = rule.find(looked_at)
        checks.decide(
            rule.requirement,
            not offenders,
            expected=rule.expected,
            got=shortened(offenders),
            details=None if offenders else rule.details(looked_at),
        )


def shortened(offenders: Sequence[str]) -> list[JsonValue]:
    """Return the first few offenders and how many more there are."""
    more = len(offenders) - OFFENDERS_SHOWN
    return [*offenders[:OFFENDERS_SHOWN], *([f"and {more} more"] if more > 0 else [])]
