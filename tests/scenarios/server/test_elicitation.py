"""Elicitation and sampling: odd forms and odd questions."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.scenarios.server.elicitation_forms import (
    default_fault,
    legacy_enum_fault,
    titled,
    titled_multi_fault,
    titled_single_fault,
    untitled_multi_fault,
    untitled_single_fault,
)
from tests.scenarios.server.miniature import Asking, Reply
from tests.scenarios.server.odd_replies import Odd, statuses_of

TITLED: list[JsonValue] = [{"const": "value1", "title": "One"}, {"const": "value2", "title": "Two"}]


@pytest.mark.parametrize(
    ("schema", "kind", "default", "fault"),
    [
        ({"type": "string", "default": "John Doe"}, "string", "John Doe", None),
        ({"type": "integer", "default": 30}, "integer", 30, None),
        ({"type": "integer", "default": 30.0}, "integer", 30, None),
        ({"type": "boolean", "default": True}, "boolean", True, None),
        ({"type": "boolean", "default": 1}, "boolean", True, "the default true"),
        ({"type": "integer", "default": "30"}, "integer", 30, "the default 30"),
        ({"type": "integer", "default": True}, "integer", 1, "the default 1"),
        ({"type": "number", "default": 95}, "number", 95.5, "the default 95.5"),
        ({"type": "number", "default": 30}, "integer", 30, "the type integer"),
        ({"type": ["string"], "default": "a"}, "string", "a", "the type string"),
        ({"type": "string", "default": "john doe"}, "string", "John Doe", "the default 'John Doe'"),
        ({"type": "string", "default": None}, "string", "a", "the default 'a'"),
        ({"type": "string"}, "string", "a", "the default 'a'"),
        ({}, "string", "a", "the type string"),
        (None, "string", "a", "the type string"),
        ([], "string", "a", "the type string"),
    ],
)
def test_the_default_of_a_property(schema: JsonValue, kind: str, default: JsonValue, fault: str | None) -> None:
    assert default_fault(schema, kind, default) == fault


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "string", "enum": ["active", "b"], "default": "active"}, None),
        ({"type": "string", "enum": ["b"], "default": "active"}, "an enum that has the default among its values"),
        ({"type": "string", "enum": "active", "default": "active"}, "an enum"),
        ({"type": "string", "default": "active"}, "an enum"),
        ({"type": "string", "enum": ["active", "b"], "default": "b"}, "the default 'active'"),
    ],
)
def test_the_default_of_an_enum_is_one_of_its_values(schema: JsonValue, fault: str | None) -> None:
    assert default_fault(schema, "string", "active", one_of_enum=True) == fault


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "string", "enum": ["a"]}, None),
        ({"type": "string", "enum": []}, None),
        ({"type": "string", "enum": ["a"], "oneOf": None, "enumNames": ""}, None),
        ({"type": "string", "enum": ["a"], "oneOf": []}, "no oneOf"),
        ({"type": "string", "enum": ["a"], "enumNames": []}, "no enumNames"),
        ({"type": "string", "enum": {"a": 1}}, "an enum"),
        ({"type": "string"}, "an enum"),
        ({"enum": ["a"]}, "the type string"),
        (None, "the type string"),
    ],
)
def test_one_choice_without_titles(schema: JsonValue, fault: str | None) -> None:
    assert untitled_single_fault(schema) == fault


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "string", "oneOf": TITLED}, None),
        ({"type": "string", "oneOf": []}, None),
        ({"type": "string", "oneOf": TITLED, "enum": ["a"]}, "no enum"),
        ({"type": "string", "oneOf": [{"const": "a"}]}, "a oneOf of const and title"),
        ({"type": "string", "oneOf": [*TITLED, None]}, "a oneOf of const and title"),
        ({"type": "string", "oneOf": {}}, "a oneOf of const and title"),
        ({"type": "string", "anyOf": TITLED}, "a oneOf of const and title"),
        ({"oneOf": TITLED}, "the type string"),
        (5, "the type string"),
    ],
)
def test_one_choice_with_titles(schema: JsonValue, fault: str | None) -> None:
    assert titled_single_fault(schema) == fault


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"]}, None),
        ({"type": "string", "enum": [], "enumNames": []}, None),
        ({"type": "string", "enum": ["a", "b"], "enumNames": ["A"]}, "as many enumNames as values in enum"),
        ({"type": "string", "enum": ["a"], "enumNames": "A"}, "as many enumNames as values in enum"),
        ({"type": "string", "enum": ["a"]}, "as many enumNames as values in enum"),
        ({"type": "string", "enumNames": ["A"]}, "an enum"),
        ({"type": "array"}, "the type string"),
    ],
)
def test_the_legacy_choice_with_titles(schema: JsonValue, fault: str | None) -> None:
    assert legacy_enum_fault(schema) == fault


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "array", "items": {"type": "string", "enum": ["a"]}}, None),
        ({"type": "array", "items": {"type": "string", "enum": ["a"], "anyOf": []}}, "no anyOf in its items"),
        ({"type": "array", "items": {"type": "string"}}, "items with an enum"),
        ({"type": "array", "items": {"enum": ["a"]}}, "items of the type string"),
        ({"type": "array", "items": [{"type": "string", "enum": ["a"]}]}, "items of the type string"),
        ({"type": "array"}, "items of the type string"),
        ({"type": "string", "enum": ["a"]}, "the type array"),
    ],
)
def test_several_choices_without_titles(schema: JsonValue, fault: str | None) -> None:
    assert untitled_multi_fault(schema) == fault


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "array", "items": {"anyOf": TITLED}}, None),
        ({"type": "array", "items": {"anyOf": []}}, None),
        ({"type": "array", "items": {"anyOf": TITLED, "enum": ["a"]}}, "no enum in its items"),
        ({"type": "array", "items": {"anyOf": [{"title": "A"}]}}, "items with an anyOf of const and title"),
        ({"type": "array", "items": {"oneOf": TITLED}}, "items with an anyOf of const and title"),
        ({"type": "array", "items": None}, "items with an anyOf of const and title"),
        ({"items": {"anyOf": TITLED}}, "the type array"),
    ],
)
def test_several_choices_with_titles(schema: JsonValue, fault: str | None) -> None:
    assert titled_multi_fault(schema) == fault


@pytest.mark.parametrize(
    "options", [None, {}, "a", [None], ["a"], [{"const": 1, "title": "A"}], [{"const": "a", "title": 1}]]
)
def test_anything_else_is_no_list_of_titled_choices(options: JsonValue) -> None:
    assert not titled(options)


DONE: JsonObject = {"content": [{"type": "text", "text": "done"}]}


def form(properties: JsonValue, **params: JsonValue) -> Asking:
    schema: JsonValue = {"type": "object", "properties": properties}
    asked: JsonValue = {"message": "Fill this in.", "requestedSchema": schema, **params}
    return Asking(method="elicitation/create", params=asked, result=DONE)


def calling(scenario: str, fact: str, reply: Reply, statuses: dict[str, str]) -> Odd:
    return Odd(fact=fact, scenario=scenario, revision="2025-11-25", replies={"tools/call": reply}, statuses=statuses)


def asking(fact: str, reply: Reply, status: str) -> Odd:
    return calling("tools-call-elicitation", fact, reply, {"tools-call-elicitation": status})


def sampling(fact: str, params: JsonValue, result: JsonValue, status: str) -> Odd:
    reply = Asking(method="sampling/createMessage", params=params, result=result)
    return calling("tools-call-sampling", fact, reply, {"tools-call-sampling": status})


DEFAULTS: JsonObject = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
DEFAULT_CHECKS = {
    field: f"elicitation-sep1034-{kind}-default"
    for field, kind in (
        ("name", "string"),
        ("age", "integer"),
        ("score", "number"),
        ("status", "enum"),
        ("verified", "boolean"),
    )
}
ENUMS: JsonObject = {
    "untitledSingle": {"type": "string", "enum": ["option1", "option2"]},
    "titledSingle": {"type": "string", "oneOf": TITLED},
    "legacyEnum": {"type": "string", "enum": ["opt1"], "enumNames": ["One"]},
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2"]}},
    "titledMulti": {"type": "array", "items": {"anyOf": TITLED}},
}
ENUM_CHECKS = {
    field: f"elicitation-sep1330-{kind}"
    for field, kind in (
        ("untitledSingle", "untitled-single"),
        ("titledSingle", "titled-single"),
        ("legacyEnum", "legacy-enumnames"),
        ("untitledMulti", "untitled-multi"),
        ("titledMulti", "titled-multi"),
    )
}


def defaults(fact: str, changed: JsonObject, *broken: str) -> Odd:
    statuses = {check: "FAILURE" if field in broken else "SUCCESS" for field, check in DEFAULT_CHECKS.items()}
    return calling("elicitation-sep1034-defaults", fact, form({**DEFAULTS, **changed}), statuses)


def enums(fact: str, changed: JsonObject, *broken: str) -> Odd:
    statuses = {check: "FAILURE" if field in broken else "SUCCESS" for field, check in ENUM_CHECKS.items()}
    return calling("elicitation-sep1330-enums", fact, form({**ENUMS, **changed}), statuses)


def unasked(fact: str, reply: Reply) -> list[Odd]:
    """Return servers of which nothing can be judged, in both scenarios."""
    return [
        calling(scenario, fact, reply, {check: "FAILURE"})
        for scenario, check in (
            ("elicitation-sep1034-defaults", "elicitation-sep1034-general"),
            ("elicitation-sep1330-enums", "elicitation-sep1330-general"),
        )
    ]


PROMPT: JsonObject = {"messages": [{"role": "user", "content": {"type": "text", "text": "Hi"}}], "maxTokens": 100}
ASKED = [
    asking("a form", form({"username": {"type": "string"}}), "SUCCESS"),
    asking("a form of no properties", form({}), "SUCCESS"),
    asking("the mode form", form({}, mode="form"), "SUCCESS"),
    asking("an address to open", form({}, mode="url"), "FAILURE"),
    asking("no message", form({}, message=None), "FAILURE"),
    asking("an unknown type of property", form({"username": {"type": "object"}}), "FAILURE"),
    asking("a form that is an array", form({}, requestedSchema={"type": "array", "properties": {}}), "FAILURE"),
    asking(
        "no content", Asking(method="elicitation/create", params=form({}).params, result={"content": []}), "FAILURE"
    ),
    asking("content left out", Asking(method="elicitation/create", params=form({}).params, result={}), "FAILURE"),
    asking(
        "null as content",
        Asking(method="elicitation/create", params=form({}).params, result={"content": [None]}),
        "FAILURE",
    ),
    asking("no question", DONE, "FAILURE"),
    sampling("a prompt", PROMPT, DONE, "SUCCESS"),
    sampling("no bound of tokens", {"messages": PROMPT["messages"]}, DONE, "FAILURE"),
    sampling("null among the messages", {**PROMPT, "messages": [None]}, DONE, "FAILURE"),
    sampling("no content", PROMPT, {"content": []}, "FAILURE"),
    sampling("an object as content", PROMPT, {"content": {}}, "FAILURE"),
    sampling("a text without text", PROMPT, {"content": [{"type": "text"}]}, "FAILURE"),
]
FORMS = [
    defaults("all defaults", {}),
    defaults("a fraction that is none", {"age": {"type": "integer", "default": 30.0}}),
    defaults("another text", {"name": {"type": "string", "default": "John"}}, "name"),
    defaults("no default", {"name": {"type": "string"}}, "name"),
    defaults("a number where an integer belongs", {"age": {"type": "number", "default": 30}}, "age"),
    defaults(
        "a default that is no choice", {"status": {"type": "string", "enum": ["x"], "default": "active"}}, "status"
    ),
    defaults("a choice without enum", {"status": {"type": "string", "default": "active"}}, "status"),
    defaults("another truth", {"verified": {"type": "boolean", "default": False}}, "verified"),
    enums("all forms", {}),
    enums("an enum without values", {"untitledSingle": {"type": "string", "enum": []}}),
    enums("a choice that is none", {"untitledSingle": {"type": "string"}}, "untitledSingle"),
    enums("untitled with titles", {"untitledSingle": {"type": "string", "oneOf": TITLED}}, "untitledSingle"),
    enums(
        "untitled and titled", {"untitledSingle": {"type": "string", "enum": ["a"], "oneOf": TITLED}}, "untitledSingle"
    ),
    enums("titled without titles", {"titledSingle": {"type": "string", "oneOf": [{"const": "a"}]}}, "titledSingle"),
    enums("titled with enum", {"titledSingle": {"type": "string", "oneOf": TITLED, "enum": ["a"]}}, "titledSingle"),
    enums("one name too few", {"legacyEnum": {"type": "string", "enum": ["a", "b"], "enumNames": ["A"]}}, "legacyEnum"),
    enums("no names", {"legacyEnum": {"type": "string", "enum": ["a"]}}, "legacyEnum"),
    enums("several with titles", {"untitledMulti": {"type": "array", "items": {"anyOf": TITLED}}}, "untitledMulti"),
    enums(
        "several without titles",
        {"titledMulti": {"type": "array", "items": {"type": "string", "enum": ["a"]}}},
        "titledMulti",
    ),
    enums("both at once", {"titledMulti": {"type": "array", "items": {"enum": ["a"], "anyOf": TITLED}}}, "titledMulti"),
    *unasked("no question", DONE),
    *unasked("an address to open", form({}, mode="url")),
    *unasked("a default of another type", form({**DEFAULTS, **ENUMS, "age": {"type": "integer", "default": "30"}})),
    *unasked("an array of neither form", form({**DEFAULTS, **ENUMS, "untitledMulti": {"type": "array"}})),
    *unasked("a text as properties", form("none")),
    *unasked("null as a property", form({"name": None})),
    *unasked(
        "a malformed result", Asking(method="elicitation/create", params=form(DEFAULTS).params, result={"content": 1})
    ),
]


@pytest.mark.parametrize("odd", [*ASKED, *FORMS], ids=str)
async def test_an_odd_reply_gets_exactly_its_statuses(odd: Odd) -> None:
    assert await statuses_of(odd) == odd.statuses
