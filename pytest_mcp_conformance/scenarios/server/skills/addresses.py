"""URIs of skills and their files, and the names in them: pure rules.

Specification: https://modelcontextprotocol.io/seps/2640-skills-extension#resource-mapping
"""

from __future__ import annotations

import re

from pytest_mcp_conformance.json_values import JsonValue

SCHEME = "skill://"
MANIFEST = "SKILL.md"

# 1 to 64 lower-case letters, digits and single hyphens, none of them at an end: Agent Skills specification, name field
NAME = re.compile(r"(?!.*--)[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
REG_NAME = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*")  # RFC 3986, 3.2.2


def _parts(uri: str) -> list[str]:
    """Return the segments after the scheme; of a URI without one there are none."""
    return [part for part in uri.partition("://")[2].split("/") if part]


def skill_name(uri: JsonValue) -> str | None:
    """Return the name of the skill whose manifest is at `uri`: its last segment but one. None for any other URI."""
    parts = _parts(uri) if isinstance(uri, str) else []
    return parts[-2] if len(parts) > 1 and parts[-1] == MANIFEST else None


def skill_directory(uri: JsonValue) -> str | None:
    """Return the URI of the directory whose manifest is at `uri`, without a slash at its end. None for any other URI."""
    return uri.removesuffix(f"/{MANIFEST}") if isinstance(uri, str) and uri.endswith(f"/{MANIFEST}") else None


def follows_naming_rules(name: str) -> bool:
    """Tell whether the name of a skill is one by the Agent Skills specification."""
    return NAME.fullmatch(name) is not None


def has_reg_name(uri: str) -> bool:
    """Tell whether the first segment, where an authority stands, is a host name without user and port."""
    parts = _parts(uri)
    return not parts or REG_NAME.fullmatch(parts[0]) is not None


def is_child(uri: JsonValue, directory: str) -> bool:
    """Tell whether `uri` is directly in `directory`, and not further below."""
    if not isinstance(uri, str) or not uri.startswith(f"{directory}/"):
        return False
    below = uri.removeprefix(f"{directory}/")
    return bool(below) and "/" not in below
