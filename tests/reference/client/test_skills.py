"""Skills: a file is used when it is what its entry says, and not before."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.mock_server import MockResource, Script
from pytest_mcp_conformance.reference.client.failing import ClientFailure
from pytest_mcp_conformance.reference.client.skills import frontmatter
from tests.reference.client.running import STATELESS, Ended, run

URI = "skill://notes/SKILL.md"
FILE = "skill://notes/words.txt"
MANIFEST = "---\nname: notes\ndescription: Writes notes\n---\n\nSee words.txt.\n"
TEXTS = {URI: MANIFEST, FILE: "größe"}
SAID: dict[str, JsonValue] = {"name": "notes", "description": "Writes notes"}


def listed(uri: str) -> dict[str, Any]:
    content = TEXTS[uri].encode()
    return {"uri": uri, "digest": f"sha256:{hashlib.sha256(content).hexdigest()}", "size": len(content)}


def loaded(entry: JsonValue, scenario: str = "sep-2640-client-verify-digest") -> Ended:
    script = Script(
        resources=[MockResource(uri=uri, contents=text) for uri, text in TEXTS.items()],
        answers={"skills/list": {"skills": [entry], "ttlMs": 0, "cacheScope": "private"}},
    )
    return run(script, STATELESS, scenario=scenario)


def read(ended: Ended) -> list[JsonValue]:
    return [each.params["uri"] for each in ended.server.requests if each.method == "resources/read"]


def test_a_skill_is_loaded_when_all_of_it_is_right() -> None:
    ended = loaded({"uri": URI, "frontmatter": SAID, "resources": [listed(FILE), listed(URI)]})
    assert (ended.code, ended.said, read(ended)) == (0, "", [URI, FILE])


@pytest.mark.parametrize(
    "entry",
    [
        {"uri": URI, "frontmatter": SAID | {"license": "MIT"}, "resources": [listed(URI), listed(FILE)]},
        {"uri": URI, "frontmatter": SAID, "resources": [listed(URI) | {"size": 1}, listed(FILE)]},
        {"uri": URI, "frontmatter": SAID, "resources": [listed(URI) | {"digest": "sha256:00"}, listed(FILE)]},
        {"uri": URI, "resources": [listed(URI), listed(FILE)]},
    ],
)
def test_a_manifest_that_differs_from_its_entry_ends_the_loading(entry: JsonObject) -> None:
    ended = loaded(entry)
    assert (ended.code, read(ended)) == (1, [URI])
    assert ended.said.startswith(URI)


@pytest.mark.parametrize("entry", [{}, {"uri": 7}, {"uri": URI}, {"uri": URI, "resources": [7, {"uri": FILE}]}])
def test_an_entry_that_does_not_list_its_manifest_is_not_used(entry: JsonObject) -> None:
    ended = loaded(entry)
    assert (ended.code, read(ended)) == (1, [])


def test_a_listed_skill_is_not_read() -> None:
    entry: JsonObject = {"uri": URI, "frontmatter": SAID, "resources": [listed(URI), listed(FILE)]}
    ended = loaded(entry, scenario="sep-2640-client-no-prefetch")
    assert (ended.code, read(ended)) == (0, [])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("---\nname: a\n---\n", {"name": "a"}),
        ("\ufeff---\r\nname: a\r\n---  \r\nbody", {"name": "a"}),
        ("---\na: yes\nb: 2026-07-28\nc: true\nd: 1\ne: 1.5\nf: ~\ng: '1'\nh: [x, {y: z}]\n---", None),
        ("no frontmatter", None),
        (" ---\nname: a\n---\n", None),
    ],
)
def test_frontmatter_is_read_as_yaml_of_today(text: str, value: JsonValue) -> None:
    if "yes" in text:
        value = {
            "a": "yes",
            "b": "2026-07-28",
            "c": True,
            "d": 1,
            "e": 1.5,
            "f": None,
            "g": "1",
            "h": ["x", {"y": "z"}],
        }
    assert frontmatter(text) == value


LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "\n".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]" for before, name in zip("abcdefg", "bcdefgh", strict=True)
)


@pytest.mark.parametrize("yaml", ["a: [", "a: &a [*a]", "- " * 200, "a: *nowhere", "\t: x", LAUGHS])
def test_frontmatter_that_is_no_yaml_is_told(yaml: str) -> None:
    with pytest.raises(ClientFailure, match="the frontmatter is not YAML"):
        frontmatter(f"---\n{yaml}\n---\n")
