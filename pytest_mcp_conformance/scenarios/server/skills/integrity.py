"""Whether what is listed of skills is what is served: the frontmatter of each, and the digest and size of each file.

Specification: https://modelcontextprotocol.io/seps/2640-skills-extension#integrity-and-verification
"""

from __future__ import annotations

from collections.abc import Sequence

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.scenarios.server.skills.addresses import skill_directory
from pytest_mcp_conformance.scenarios.server.skills.declaring import own
from pytest_mcp_conformance.scenarios.server.skills.entries import files_of, has_digest, has_size, shortened
from pytest_mcp_conformance.scenarios.server.skills.files import Files
from pytest_mcp_conformance.scenarios.server.skills.frontmatter import differing, frontmatter_of

EVERY_FRONTMATTER = own(
    "every-frontmatter-identical",
    "EveryFrontmatterIdentical",
    "The frontmatter of every listed skill is that of its SKILL.md, field by field.",
    place="frontmatter",
)
FILES_VERIFY = own(
    "files-verify",
    "FilesVerify",
    "The files of listed skills have the digests and sizes that are listed.",
    place="integrity-and-verification",
)

MOST_MANIFESTS = 12  # read to compare the frontmatter: a sample, where a server has many skills
MOST_FILES = 24  # read to verify them, manifests included: as above


async def decide_every_frontmatter(files: Files, checks: Checks, entries: Sequence[JsonObject]) -> None:
    """Compare entries with their SKILL.md. MUST be identical in content: SEP-2640, frontmatter."""
    wrong: list[str] = []
    compared = 0
    for entry in entries[:MOST_MANIFESTS]:
        uri, listed = entry.get("uri"), entry.get("frontmatter")
        if not isinstance(uri, str) or skill_directory(uri) is None or not isinstance(listed, dict):
            continue  # what is wrong with that is decided by the rules on entries
        compared += 1
        file = await files.read(uri)
        found = None if file.text is None else frontmatter_of(file.text)
        if found is None:
            wrong.append(f"{uri}: no frontmatter to compare with")
        elif different := differing(found, listed):
            wrong.append(f"{uri}: {', '.join(different)}")
    if not compared:
        checks.skip(EVERY_FRONTMATTER, "no entry has both the URI of a SKILL.md and frontmatter")
    else:
        checks.decide(EVERY_FRONTMATTER, not wrong, expected="the same fields in both", got=shortened(wrong))


async def decide_files(files: Files, checks: Checks, entries: Sequence[JsonObject]) -> None:
    """Verify files as a host does, which MUST NOT use what does not verify: SEP-2640, verification on read."""
    listed = {
        uri: file
        for entry in entries
        for file in files_of(entry)
        if isinstance(uri := file.get("uri"), str) and is_verifiable(file) and is_within(uri, entry)
    }
    sample = sorted(listed, key=lambda uri: not files.known(uri))[:MOST_FILES]
    if not sample:
        checks.skip(FILES_VERIFY, "no file is listed with a digest and a size")
        return
    differences = {uri: (await files.read(uri)).differs_from(listed[uri]) for uri in sample}
    wrong = [f"{uri} {difference}" for uri, difference in differences.items() if difference is not None]
    checks.decide(FILES_VERIFY, not wrong, expected="files with the listed digests and sizes", got=shortened(wrong))


def is_verifiable(file: JsonObject) -> bool:
    """Tell whether a file is listed with a digest and a size. What is wrong with others is decided by the rules on entries."""
    return has_digest(file) and has_size(file)


def is_within(uri: str, entry: JsonObject) -> bool:
    """Tell whether a file is one of the skill that lists it."""
    directory = skill_directory(entry.get("uri"))
    return directory is not None and uri.startswith(f"{directory}/")
