"""Reading the parameters of requests."""

from __future__ import annotations

import json

import pytest

from pytest_mcp_conformance.oauth.parameters import MAX_FIELDS, Parameters, of_body, of_query
from tests.oauth.requests import FORM, JSON, request


@pytest.mark.parametrize(
    ("query", "values"),
    [
        ("a=1&b=2", {"a": ("1",), "b": ("2",)}),
        ("a=1&a=2", {"a": ("1", "2")}),
        ("a=&b", {"a": ("",), "b": ("",)}),
        ("a=x%20y+z", {"a": ("x y z",)}),
        ("a=%ff", {"a": ("\ufffd",)}),
        ("a=1;b=2", {"a": ("1;b=2",)}),
        ("&&=&", {"": ("",)}),
        ("", {}),
    ],
)
def test_a_query_is_read_as_a_form(query: str, values: dict[str, tuple[str, ...]]) -> None:
    assert of_query(query) == Parameters(values)


def test_more_fields_than_any_request_has_cannot_be_read() -> None:
    assert of_query("&".join("a=1" for _ in range(MAX_FIELDS + 1))) is None
    for number, readable in ((MAX_FIELDS, True), (MAX_FIELDS + 1, False), (99_000, False)):
        body = json.dumps({"a": ["1"] * number}).encode()
        found = of_body(request("POST", "/token", body=body, headers={"content-type": JSON}))
        assert (found is not None) is readable


@pytest.mark.parametrize(
    ("query", "value", "every"),
    [("a=1", "1", ("1",)), ("a=", None, ()), ("b=1", None, ()), ("a=&a=2", "2", ("2",)), ("a=1&a=2", "1", ("1", "2"))],
)
def test_a_parameter_without_a_value_is_absent(query: str, value: str | None, every: tuple[str, ...]) -> None:
    parameters = of_query(query)
    assert parameters is not None
    assert (parameters.get("a"), parameters.all("a")) == (value, every)


@pytest.mark.parametrize(
    ("query", "repeated"),
    [
        ("a=1&b=2", ()),
        ("a=1&a=1", ("a",)),
        ("a=&a=", ("a",)),
        ("resource=1&resource=2", ()),
        ("audience=1&audience=2", ()),
    ],
)
def test_only_resource_and_audience_may_be_there_more_than_once(query: str, repeated: tuple[str, ...]) -> None:
    parameters = of_query(query)
    assert parameters is not None
    assert parameters.repeated == repeated


@pytest.mark.parametrize(
    ("kind", "body", "values"),
    [
        (FORM, b"a=1&b=2", {"a": ("1",), "b": ("2",)}),
        (f"{FORM}; charset=utf-8", b"a=1", {"a": ("1",)}),
        (FORM.upper(), b"a=1", {"a": ("1",)}),
        (FORM, b"", {}),
        (
            JSON,
            json.dumps({"a": "1", "b": ["2", "3"], "c": 4, "d": {"e": "5"}, "f": None}).encode(),
            {"a": ("1",), "b": ("2", "3")},
        ),
    ],
)
def test_a_body_is_a_form_or_an_object(kind: str, body: bytes, values: dict[str, tuple[str, ...]]) -> None:
    assert of_body(request("POST", "/token", body=body, headers={"content-type": kind})) == Parameters(values)


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, b"a=1"),
        ({"content-type": "text/plain"}, b"a=1"),
        ({"content-type": "multipart/form-data; boundary=x"}, b"--x--"),
        ({"content-type": JSON}, b"{"),
        ({"content-type": JSON}, b"[]"),
        ({"content-type": JSON}, b"\xff"),
        ({"content-type": JSON}, b""),
    ],
)
def test_anything_else_cannot_be_read(headers: dict[str, str], body: bytes) -> None:
    assert of_body(request("POST", "/token", body=body, headers=headers)) is None


def test_details_show_one_value_as_it_is_and_several_as_a_list() -> None:
    assert Parameters({"a": ("1",), "b": ("1", "2")}).as_json() == {"a": "1", "b": ["1", "2"]}
