"""Our schemas say what the official ones say, definition by definition, and nothing beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator

from pytest_mcp_conformance.bundled import schemas_folder
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, dumps
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.library_reading import MISTAKEN_NAME
from pytest_mcp_conformance.protocol.schema_definitions import Definitions, definitions, message_types
from pytest_mcp_conformance.protocol.schema_formats import FORMATS
from pytest_mcp_conformance.protocol.schema_violations import REASONS
from tests.protocol.alterations import altered
from tests.protocol.mutations import Generator, each_change, mutated
from tests.protocol.official import official
from tests.shared_folder import shared

of_every_revision = pytest.mark.parametrize("revision", list(Revision), ids=str)

UNIONS_OF_A_SIDE = {
    f"{side}{kind}" for side in ("Client", "Server") for kind in ("Request", "Notification", "Result", "Message")
}
UNIONS_NOTHING_REFERS_TO = {"EnumSchema", "JSONRPCResponse", "MultiSelectEnumSchema", "SingleSelectEnumSchema"}
LEFT_OUT = {
    Revision.V2025_03_26: set[str](),
    Revision.V2025_06_18: set[str](),
    Revision.V2025_11_25: UNIONS_NOTHING_REFERS_TO,
    Revision.V2026_07_28: UNIONS_NOTHING_REFERS_TO,
}
OWN = {  # what the official schemas repeat in place
    Revision.V2025_03_26: {"ContentBlock", "RequestMeta", "SamplingContent", "TextOrBlobContents"},
    Revision.V2025_06_18: {"RequestMeta", "SamplingContent", "TextOrBlobContents"},
    Revision.V2025_11_25: {"RequestMeta", "SamplingContent", "TaskIdParams", "TextOrBlobContents"},
    Revision.V2026_07_28: {"SamplingContent", "TextOrBlobContents"},
}


@cache
def document(revision: Revision) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((schemas_folder() / f"{revision}.json").read_bytes())
    return read


def schemas_in(schema: JsonValue) -> Iterator[JsonObject]:
    """Yield `schema` and every schema inside it."""
    if isinstance(schema, dict):
        yield schema
        for keyword, operand in schema.items():
            if keyword == "properties" and isinstance(operand, dict):
                for member in operand.values():
                    yield from schemas_in(member)
            elif isinstance(operand, list):
                for part in operand:
                    yield from schemas_in(part)
            else:
                yield from schemas_in(operand)


def referred_to(schema: JsonValue) -> set[str]:
    return {str(part["$ref"]).rpartition("/")[2] for part in schemas_in(schema) if "$ref" in part}


def reachable_by_the_judge(revision: Revision) -> set[str]:
    """Return the definitions that judge some message, and those they refer to."""
    types = message_types(revision)
    waiting = [types.request, types.notification, types.result, types.error, types.any]
    waiting += [types.input_required] if types.input_required else []
    waiting += [*types.by_method.values(), *types.result_of.values(), *types.by_error_code.values()]
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(referred_to(definitions(revision).schemas[name]))
    return reached


# -- the files by themselves ------------------------------------------------------------------------------------------


@of_every_revision
def test_a_schema_is_one_of_its_dialect(revision: Revision) -> None:
    # Not checked where the schema is used: it does not change between releases.
    newer = revision >= Revision.V2025_11_25
    dialect = Draft202012Validator if newer else Draft7Validator
    assert document(revision)["$schema"] == dialect.META_SCHEMA["$schema"]
    assert document(revision).keys() == {"$schema", "$defs" if newer else "definitions"}
    dialect.check_schema(document(revision))


@of_every_revision
def test_a_schema_uses_only_the_keywords_that_assert_structure_and_always_in_one_order(revision: Revision) -> None:
    order = [
        "$ref", "type", "const", "enum", "format", "minimum", "maximum", "required", "properties", "additionalProperties",
        "items", "maxItems", "anyOf", "allOf",
    ]  # fmt: skip
    # Each has words for what breaks it, or hands its value on to others.
    assert set(order) == REASONS.keys() | {"$ref", "properties", "additionalProperties", "items", "allOf"}
    for name, definition in definitions(revision).schemas.items():
        for schema in schemas_in(definition):
            assert list(schema) == [keyword for keyword in order if keyword in schema], name
            assert schema.get("format", "byte") in {*FORMATS, "byte"}, name
            # No schema is false, that is, accepts nothing: there are no words for that.
            assert not any(
                part is False for part in [*schema.values(), *as_object(schema.get("properties")).values()]
            ), name


@of_every_revision
def test_a_reference_stands_alone_and_leads_to_a_definition(revision: Revision) -> None:
    for name, definition in definitions(revision).schemas.items():
        assert referred_to(definition) <= definitions(revision).schemas.keys(), name
        # Beside `$ref` draft-07 ignores every keyword and 2020-12 asserts it.
        assert all(schema.keys() == {"$ref"} for schema in schemas_in(definition) if "$ref" in schema), name


@of_every_revision
def test_every_required_member_is_described(revision: Revision) -> None:
    for name, definition in definitions(revision).schemas.items():
        for schema in schemas_in(definition):
            required, members = schema.get("required", []), schema.get("properties", {})
            assert isinstance(required, list), name
            assert isinstance(members, dict), name
            assert set(required) <= members.keys(), name


@of_every_revision
def test_no_member_has_a_name_that_the_library_mistakes_for_an_index(revision: Revision) -> None:
    for definition in definitions(revision).schemas.values():
        for schema in schemas_in(definition):
            assert not any(MISTAKEN_NAME.fullmatch(name) for name in as_object(schema.get("properties")))


@of_every_revision
def test_only_json_values_contain_themselves(revision: Revision) -> None:
    def contains_itself(name: str) -> bool:
        inside = referred_to(definitions(revision).schemas[name])
        seen: set[str] = set()
        while inside - seen:
            seen |= inside
            inside = {deeper for one in inside for deeper in referred_to(definitions(revision).schemas[one])}
        return name in seen

    found = {name for name in definitions(revision).schemas if contains_itself(name)}
    assert found == ({"JSONValue"} if revision is Revision.V2026_07_28 else set())


@of_every_revision
def test_every_union_is_referred_to(revision: Revision) -> None:
    known = definitions(revision).schemas
    used = {name for definition in known.values() for name in referred_to(definition)}
    unions = {name for name, definition in known.items() if "anyOf" in definition}
    assert unions - used == {"JSONRPCMessage"}


# -- beside the official ones -----------------------------------------------------------------------------------------


@pytest.mark.needs_shared
@of_every_revision
def test_every_official_definition_is_there_but_unions_that_nothing_needs(revision: Revision) -> None:
    ours, theirs = definitions(revision).schemas.keys(), official(revision).definitions.keys()
    assert ours - theirs == OWN[revision]
    assert theirs - ours == LEFT_OUT[revision] | (theirs & UNIONS_OF_A_SIDE)
    assert all("anyOf" in official(revision).definitions[name] for name in LEFT_OUT[revision])


@pytest.mark.needs_shared
def test_the_official_examples_are_valid_by_both() -> None:
    revision = Revision.V2026_07_28
    folder = shared("official-schemas", f"examples-{revision}")
    examples = sorted(folder.glob("*/*.json"))
    assert len({path.parent.name for path in examples}) > 80
    for path in examples:
        value = json.loads(path.read_bytes())
        assert official(revision).accepts(path.parent.name, value), path.name
        assert definitions(revision).accepts(path.parent.name, value), path.name


ROUNDS = 24  # of drawing a value that fits and changing it
CHANGES_OF_EACH = 3


@cache
def judged_values(revision: Revision, name: str) -> tuple[tuple[JsonValue, bool], ...]:
    """Return values for the definition `name`, each with the official verdict; the same in every run."""
    referee = official(revision)
    random = Random(f"{revision} {name}")
    generator = Generator(referee.definitions, random)
    values = list(each_change(generator.fitting(name, full=True), depth=8))
    for _ in range(ROUNDS):
        value = generator.fitting(name)
        assert referee.accepts(name, value), f"the generator is wrong about {name}: {dumps(value)}"
        values += [value, *(mutated(value, random) for _ in range(CHANGES_OF_EACH))]
    return tuple((value, referee.accepts(name, value)) for value in values)


@pytest.mark.needs_shared
@of_every_revision
def test_no_verdict_differs_from_the_official_one(revision: Revision) -> None:
    compared = definitions(revision).schemas.keys() & official(revision).definitions.keys()
    assert reachable_by_the_judge(revision) <= compared | OWN[revision]
    accepted = refused = 0
    for name in sorted(compared):
        values = judged_values(revision, name)
        differing = [
            (value, valid) for value, valid in values if definitions(revision).accepts(name, value) is not valid
        ]
        assert not differing, f"{len(differing)} verdicts on {name}, the first: {dumps(differing[0])}"
        valid_here = sum(valid for _, valid in values)
        assert ROUNDS <= valid_here < len(values), f"{name} is not tried with both kinds of value"
        accepted += valid_here
        refused += len(values) - valid_here
    assert min(accepted, refused) > 2000  # values of each kind


@pytest.mark.needs_shared
@of_every_revision
def test_whatever_is_refused_is_told_in_short_words(revision: Revision) -> None:
    for name in sorted(definitions(revision).schemas.keys() & official(revision).definitions.keys()):
        for value, valid in judged_values(revision, name):
            found = definitions(revision).judge(name, value)
            assert bool(found.violations) is not valid, (name, value)
            for text in (violation.within(()) for violation in found.violations):
                assert text.isascii(), text
                assert text.isprintable(), text
                assert len(text) < 1000, text


ALTERATIONS_TRIED = 800


@pytest.mark.needs_shared
@of_every_revision
def test_a_schema_changed_in_one_place_would_be_noticed(revision: Revision) -> None:
    known = definitions(revision).schemas
    (keyword,) = {"$defs", "definitions"} & document(revision).keys()
    compared = sorted(known.keys() & official(revision).definitions.keys())
    everything = [(name, what, schema) for name in compared for what, schema in altered(known[name])]
    assert len(everything) > ALTERATIONS_TRIED
    unnoticed = [
        f"{name}: {what}"
        for name, what, schema in Random(str(revision)).sample(everything, ALTERATIONS_TRIED)
        if (wrong := Definitions({**document(revision), keyword: {**known, name: schema}}))
        and all(wrong.accepts(name, value) is valid for value, valid in judged_values(revision, name))
    ]
    # Some alterations change nothing: `type` beside alternatives that are all objects, `byte`, a union's widest member.
    assert len(unnoticed) < ALTERATIONS_TRIED * 0.02, unnoticed
