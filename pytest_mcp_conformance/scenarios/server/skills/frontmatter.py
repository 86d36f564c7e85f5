"""The frontmatter of a SKILL.md, and how it compares with that of an entry.

Specification: https://modelcontextprotocol.io/seps/2640-skills-extension#specification, skill format
"""

from __future__ import annotations

import re

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, same

BLOCK = re.compile(r"\ufeff?---\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)


def frontmatter_of(text: str) -> JsonObject | None:
    """Return what the YAML block says with which `text` begins; none if there is no block, or it is no mapping."""
    from pytest_mcp_conformance.scenarios.server.skills.yaml_core import NotYaml, load  # loads PyYAML

    block = BLOCK.match(text)
    if block is None:
        return None
    try:
        read = load(f"{block[1]}\n")  # the end of its last line is of the block
    except NotYaml:
        return None
    return read if isinstance(read, dict) else None


def lacks_texts(frontmatter: JsonValue) -> bool:
    """Tell whether `frontmatter` is without name or description."""
    texts = [frontmatter.get(name) for name in ("name", "description")] if isinstance(frontmatter, dict) else [None]
    return not all(isinstance(text, str) and text for text in texts)


def differing(left: JsonObject, right: JsonObject) -> list[str]:
    """Return the fields that the two do not have alike; a missing one counts as null.

    MUST be identical in content: SEP-2640, frontmatter
    """
    return [name for name in dict.fromkeys([*left, *right]) if not same(left.get(name), right.get(name))]
