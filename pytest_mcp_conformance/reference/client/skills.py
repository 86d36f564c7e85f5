"""Skills: found by a list, loaded only when one is used, and used only as far as they are what the list says.

Specification: https://modelcontextprotocol.io/seps/2640-skills-extension#integrity-and-verification
"""

from __future__ import annotations

import hashlib
import re

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, same, shown
from pytest_mcp_conformance.reference.client.client import Client, text_of
from pytest_mcp_conformance.reference.client.failing import ClientFailure
from pytest_mcp_conformance.reference.client.faults import Fault

FRONTMATTER = re.compile(r"\ufeff?---\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)


async def list_skills(client: Client) -> list[JsonObject]:
    """Return the entries of all skills, and read none of their files.

    MUST NOT be read before a skill is used: SEP-2640, integrity and verification
    """
    entries = await client.listed("skills/list", "skills")
    if Fault.SKILLS_PREFETCHED in client.faults:
        for entry in entries:
            for uri in _files(entry):
                await client.read(uri)
    return entries


async def load_skill(client: Client, entry: JsonObject) -> dict[str, str]:
    """Read the files of a skill, its manifest first, and return their texts by URI.

    :raises ClientFailure: a file is not what the entry says; no other file is read then.
    """
    files = _files(entry)
    manifest = entry.get("uri")
    if not isinstance(manifest, str) or manifest not in files:
        raise ClientFailure(f"the skill {shown(manifest)} does not list its own manifest")
    texts = {manifest: await _read(client, manifest, files[manifest])}
    # MUST compare, MUST NOT load a skill that differs: SEP-2640, integrity and verification
    said = frontmatter(texts[manifest])
    if Fault.SKILL_FRONTMATTER_UNCHECKED not in client.faults and not same(said, entry.get("frontmatter")):
        raise ClientFailure(f"{manifest} describes itself as {shown(said)} and not as its entry does")
    for uri, listed in files.items():
        if uri != manifest:
            texts[uri] = await _read(client, uri, listed)
    return texts


def frontmatter(text: str) -> JsonValue:
    """Return the YAML that a manifest begins with, or nothing."""
    found = FRONTMATTER.match(text)
    if found is None:
        return None
    from pytest_mcp_conformance.reference.client.yaml_values import read_yaml  # it loads PyYAML

    return read_yaml(found[1])


def _files(entry: JsonObject) -> dict[str, JsonObject]:
    """Return the files that an entry lists, by URI."""
    listed = [as_object(each) for each in as_list(entry.get("resources"))]
    return {str(each["uri"]): each for each in listed if isinstance(each.get("uri"), str)}


async def _read(client: Client, uri: str, listed: JsonObject) -> str:
    text = text_of(await client.read(uri), "contents")
    if not isinstance(text, str):
        raise ClientFailure(f"{uri} has no text")
    content = text.encode("utf-8", "surrogatepass")
    if Fault.SKILL_INTEGRITY_UNCHECKED in client.faults:
        return text
    # MUST verify the size and the digest: SEP-2640, integrity and verification
    if not same(listed.get("size"), len(content)):
        raise ClientFailure(f"{uri} has {len(content)} bytes and not {shown(listed.get('size'))}")
    digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
    if listed.get("digest") != digest and Fault.SKILL_DIGEST_UNCHECKED not in client.faults:
        raise ClientFailure(f"{uri} has the digest {digest} and not {shown(listed.get('digest'))}")
    return text
