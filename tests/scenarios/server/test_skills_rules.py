"""Skills: URIs, names, frontmatter and entries, rule by rule."""

from __future__ import annotations

import hashlib
import math

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown
from pytest_mcp_conformance.scenarios.server.skills.addresses import (
    follows_naming_rules,
    has_reg_name,
    is_child,
    skill_directory,
    skill_name,
)
from pytest_mcp_conformance.scenarios.server.skills.entries import RULES, shortened
from pytest_mcp_conformance.scenarios.server.skills.files import File
from pytest_mcp_conformance.scenarios.server.skills.frontmatter import differing, frontmatter_of, lacks_texts
from pytest_mcp_conformance.scenarios.server.skills.yaml_core import NotYaml, load

DIGEST = "sha256:" + "0" * 64
URI = "skill://notes/SKILL.md"
MANIFEST: JsonObject = {"uri": URI, "digest": DIGEST, "size": 1}
ENTRY: JsonObject = {
    "uri": URI,
    "frontmatter": {"name": "notes", "description": "Writes notes"},
    "resources": [MANIFEST],
}


@pytest.mark.parametrize(
    ("uri", "name", "directory"),
    [
        (URI, "notes", "skill://notes"),
        ("skill://acme/billing/refunds/SKILL.md", "refunds", "skill://acme/billing/refunds"),
        ("github://owner/repo/refunds/SKILL.md", "refunds", "github://owner/repo/refunds"),
        ("skill:///notes/SKILL.md", "notes", "skill:///notes"),
        ("skill://notes//SKILL.md", "notes", "skill://notes/"),
        ("skill://notes/SKILL.md/", "notes", None),
        ("skill://SKILL.md", None, "skill:/"),
        ("skill://notes/skill.md", None, None),
        ("skill://notes/SKILL.md.txt", None, None),
        ("skill://notes", None, None),
        ("notes/SKILL.md", None, "notes"),
        ("SKILL.md", None, None),
        ("", None, None),
        (None, None, None),
        (5, None, None),
    ],
)
def test_a_skill_is_named_by_the_directory_of_its_manifest(
    uri: JsonValue, name: str | None, directory: str | None
) -> None:
    assert (skill_name(uri), skill_directory(uri)) == (name, directory)


@pytest.mark.parametrize("name", ["a", "0", "pdf-processing", "a1-b2-c3", "a" * 64])
def test_a_name_follows_the_rules(name: str) -> None:
    assert follows_naming_rules(name)


@pytest.mark.parametrize("name", ["", "A", "-a", "a-", "a--b", "a_b", "a.b", "a b", "a" * 65, "é", "a\n", "٣"])
def test_a_name_does_not_follow_the_rules(name: str) -> None:
    assert not follows_naming_rules(name)


@pytest.mark.parametrize(
    ("uri", "valid"),
    [
        (URI, True),
        ("skill://A.b_c~!$&'()*+,;=/SKILL.md", True),
        ("skill://%41%5a/SKILL.md", True),
        ("skill://", True),
        ("skill:notes", True),
        ("skill://%zz/SKILL.md", False),
        ("skill://user@host/SKILL.md", False),
        ("skill://host:80/SKILL.md", False),
        ("skill://a b/SKILL.md", False),
        ("skill://é/SKILL.md", False),
    ],
)
def test_the_first_segment_is_a_host_name(uri: str, *, valid: bool) -> None:
    assert has_reg_name(uri) is valid


@pytest.mark.parametrize(
    ("uri", "inside"),
    [
        ("skill://a/b", True),
        ("skill://a/b/c", False),
        ("skill://a/", False),
        ("skill://a", False),
        ("skill://ab/c", False),
        (None, False),
    ],
)
def test_a_child_is_directly_in_its_directory(uri: JsonValue, *, inside: bool) -> None:
    assert is_child(uri, "skill://a") is inside


@pytest.mark.parametrize(
    ("yaml", "value"),
    [
        ("yes", "yes"),
        ("on", "on"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("", None),
        ("2020-01-01", "2020-01-01"),
        ("12:30", "12:30"),
        ("1_000", "1_000"),
        ("017", 17),
        ("0o17", 15),
        ("0x1F", 31),
        ("-5", -5),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("1.", 1.0),
        (".inf", math.inf),
        ("-.INF", -math.inf),
        ("'1'", "1"),
        ("!!timestamp 2020-01-01", "2020-01-01"),
        ("!other word", "word"),
        ("[1, a]", [1, "a"]),
        ("{b: 1, 2: c, true: d, ~: e}", {"b": 1, "2": "c", "true": "d", "": "e"}),
        ("{<<: {a: 1}}", {"<<": {"a": 1}}),
        ("[&x a, *x]", ["a", "a"]),
        ("a\tb", "a\tb"),
    ],
)
def test_yaml_is_read_by_the_core_schema(yaml: str, value: JsonValue) -> None:
    assert load(f"it: {yaml}\n") == {"it": value}


def test_not_a_number_is_read_as_one() -> None:
    read = load(".nan")
    assert isinstance(read, float)
    assert math.isnan(read)


@pytest.mark.parametrize(
    "yaml",
    [
        "a: b: c",
        "a: 'b",
        "a: 1\na: 2",
        "1: a\n'1': b",
        "? [a]\n: b",
        "a: &x [*x]",
        "[" * 50_000,
        "a: \x01",
        "a: \ud800",
        "a: " + "9" * 5000,
        "a: 1\n---\nb: 2",
        "x" * 70_000,
        "\n".join(f"{x}: &{x} [{', '.join([y] * 22)}]" for x, y in (("a", "1"), ("b", "*a"), ("c", "*b"))),
    ],
)
def test_what_is_no_document_or_too_large_a_one_is_refused(yaml: str) -> None:
    with pytest.raises(NotYaml):
        load(yaml)


BLOCK = "---\nname: notes\ndescription: Writes notes\n---\n"


@pytest.mark.parametrize(
    "text",
    [
        BLOCK,
        BLOCK + "Body\n---\nmore: text\n---\n",
        BLOCK.rstrip("\n"),
        "\ufeff" + BLOCK,
        BLOCK.replace("\n", "\r\n"),
        BLOCK.rstrip("\n") + " \t\nBody",
        "---\n# why\nname:\tnotes # so\ndescription: >-\n  Writes\n  notes\n---\n",
        '---\n{"name": "notes", "description": "Writes notes"}\n---\n',
    ],
)
def test_the_frontmatter_is_found(text: str) -> None:
    assert frontmatter_of(text) == {"name": "notes", "description": "Writes notes"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Body",
        "\n" + BLOCK,
        " " + BLOCK,
        "--- \nname: notes\n---\n",
        "---\nname: notes\n",
        "---\n---\n",
        "---\nname: notes\n----\n",
        "---\n- name\n---\n",
        "---\nname\n---\n",
        "---\nname: a: b\n---\n",
    ],
)
def test_there_is_no_frontmatter(text: str) -> None:
    assert frontmatter_of(text) is None


def test_the_last_line_of_the_block_ends_in_it() -> None:
    assert frontmatter_of("---\ntext: |\n  one\n  two\n---\n") == {"text": "one\ntwo\n"}


@pytest.mark.parametrize(
    ("frontmatter", "lacking"),
    [
        ({"name": "a", "description": "b"}, False),
        ({"name": "a", "description": ""}, True),
        ({"name": 5, "description": "b"}, True),
        ({"name": "a"}, True),
        ([], True),
        (None, True),
    ],
)
def test_name_and_description_are_texts(frontmatter: JsonValue, *, lacking: bool) -> None:
    assert lacks_texts(frontmatter) is lacking


@pytest.mark.parametrize(
    ("left", "right", "fields"),
    [
        ({"a": 1, "b": {"c": [1], "d": 2}}, {"b": {"d": 2.0, "c": [1]}, "a": 1.0}, []),
        ({"a": None}, {}, []),
        ({"a": 1}, {}, ["a"]),
        ({}, {"a": False}, ["a"]),
        ({"a": True}, {"a": 1}, ["a"]),
        ({"a": [1, 2]}, {"a": [2, 1]}, ["a"]),
        ({"a": {"b": None}}, {"a": {}}, ["a"]),
    ],
)
def test_frontmatter_differs_in_fields(left: JsonObject, right: JsonObject, fields: list[str]) -> None:
    assert differing(left, right) == fields


def files(*more: JsonObject, **members: JsonValue) -> JsonObject:
    return {**ENTRY, "resources": [{**MANIFEST, **members}, *more]}


OFFENDING: list[tuple[str, JsonObject]] = [
    ("entry-uri-required", {**ENTRY, "uri": ""}),
    ("entry-uri-required", {**ENTRY, "uri": 5}),
    ("entry-uri-required", {}),
    ("entry-frontmatter-required", {**ENTRY, "frontmatter": []}),
    ("entry-frontmatter-required", {**ENTRY, "frontmatter": {"name": "notes"}}),
    ("entry-uri-matches-frontmatter-name", {**ENTRY, "frontmatter": {"name": "note", "description": "x"}}),
    ("entry-uri-matches-frontmatter-name", {**ENTRY, "uri": "skill://notes"}),
    ("skill-uri-scheme", {**ENTRY, "uri": "https://notes/SKILL.md"}),
    ("skill-uri-scheme", {**ENTRY, "uri": "SKILL://notes/SKILL.md"}),
    ("entry-resources-required", {**ENTRY, "resources": None}),
    ("entry-resources-required", {**ENTRY, "resources": {}}),
    ("entry-resources-required", {**ENTRY, "resources": "static"}),
    ("resources-complete", {**ENTRY, "resources": []}),
    ("resources-complete", files(MANIFEST)),
    ("resources-complete", {**ENTRY, "resources": [None, "text"]}),
    ("resources-uri-within-skill", files({"uri": "skill://notes-two/a.md"})),
    ("resources-uri-within-skill", files({"uri": "skill://notes"})),
    ("resources-uri-within-skill", files({})),
    ("resources-digest-format", files(digest=DIGEST.upper())),
    ("resources-digest-format", files(digest=DIGEST + "\n")),
    ("resources-digest-format", files(digest=None)),
    ("resources-size-required", files(size=-1)),
    ("resources-size-required", files(size=0.5)),
    ("resources-size-required", files(size="1")),
    ("resources-size-required", files(size=True)),
    ("limit-resources-per-skill", files(*({} for _ in range(512)))),
    ("limit-total-size", files(size=16 * 1024 * 1024 + 1)),
    ("metadata-reserved-prefix", {**ENTRY, "frontmatter": {"metadata": {"io.modelcontextprotocol/x": 1}}}),
    ("name-naming-rules", {**ENTRY, "uri": "skill://Notes/SKILL.md"}),
    ("authority-reg-name", {**ENTRY, "uri": "skill://host:80/notes/SKILL.md"}),
]
ACCEPTED: list[tuple[str, JsonObject]] = [
    *((rule.requirement.id.removeprefix("sep-2640-"), ENTRY) for rule in RULES),
    ("entry-resources-required", {**ENTRY, "resources": "dynamic"}),
    ("entry-uri-matches-frontmatter-name", {**ENTRY, "frontmatter": {"name": 5}}),
    ("resources-complete", {**ENTRY, "uri": None}),
    ("resources-complete", files({"uri": "skill://notes/a.md"}, {}, {})),
    ("resources-uri-within-skill", files({"uri": "skill://notes/deep/a.md"})),
    ("resources-uri-within-skill", {**files({"uri": "elsewhere"}), "uri": "skill://notes"}),
    ("resources-size-required", files(size=0)),
    ("resources-size-required", files(size=5.0)),
    ("limit-resources-per-skill", files(*({} for _ in range(511)))),
    ("limit-total-size", files({"size": "many"}, {"size": True}, size=16 * 1024 * 1024)),
    ("metadata-reserved-prefix", {**ENTRY, "frontmatter": {"metadata": ["io.modelcontextprotocol/x"]}}),
    ("metadata-reserved-prefix", {**ENTRY, "frontmatter": {"io.modelcontextprotocol/x": 1}}),
    ("name-naming-rules", {**ENTRY, "uri": "skill://Notes"}),
]
FINDING = {rule.requirement.id.removeprefix("sep-2640-"): rule.find for rule in RULES}


@pytest.mark.parametrize(("rule", "entry"), OFFENDING)
def test_an_entry_breaks_a_rule(rule: str, entry: JsonObject) -> None:
    assert FINDING[rule]([ENTRY, entry]) != []


@pytest.mark.parametrize(("rule", "entry"), ACCEPTED)
def test_an_entry_keeps_a_rule(rule: str, entry: JsonObject) -> None:
    assert FINDING[rule]([entry]) == []


def test_two_skills_of_one_name_break_the_rule_for_both() -> None:
    other: JsonObject = {"uri": "skill://other/notes/SKILL.md"}
    assert FINDING["names-should-be-unique"]([ENTRY, other, {"uri": None}, {}]) == ["notes"]


def test_every_rule_has_an_entry_that_breaks_it() -> None:
    assert FINDING.keys() - {rule for rule, _ in OFFENDING} == {"names-should-be-unique"}


def test_of_many_offenders_five_are_shown() -> None:
    assert shortened(["a"] * 5) == ["a"] * 5
    assert shortened(["a"] * 8) == [*["a"] * 5, "and 3 more"]


def read(*contents: JsonObject) -> File:
    return File(contents=contents, came=Shown("what came"))


def listed(raw: bytes, **members: JsonValue) -> JsonObject:
    return {"digest": f"sha256:{hashlib.sha256(raw).hexdigest()}", "size": len(raw), **members}


@pytest.mark.parametrize(
    ("file", "raw"),
    [
        (read({"text": "é\n"}), "é\n".encode()),
        (read({"blob": "AAEC"}), b"\x00\x01\x02"),
        (read({"text": ""}), b""),
        (read({}, {"uri": "x", "text": "a"}), b"a"),
        (read({"text": "\ud800"}), b"\xed\xa0\x80"),
    ],
)
def test_a_file_verifies_by_its_bytes(file: File, raw: bytes) -> None:
    assert file.differs_from(listed(raw)) is None
    assert file.differs_from(listed(raw, size=float(len(raw)))) is None


@pytest.mark.parametrize(
    ("file", "entry", "difference"),
    [
        (read({"text": "a"}), listed(b"ab"), "is of size 1, not 2"),
        (read({"text": "a"}), listed(b"a", size=True), "is of size 1, not true"),
        (read(), listed(b""), "cannot be read: what came"),
        (read({"blob": "no Base64"}), listed(b""), "cannot be read: what came"),
        (read({"text": 5}), listed(b""), "cannot be read: what came"),
    ],
)
def test_a_file_differs_from_its_entry(file: File, entry: JsonObject, difference: str) -> None:
    assert file.differs_from(entry) == difference


def test_a_file_of_the_right_size_differs_by_its_digest() -> None:
    difference = read({"text": "b"}).differs_from(listed(b"a"))
    assert difference is not None
    assert difference.startswith(
        "has the digest sha256:3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d, not"
    )
