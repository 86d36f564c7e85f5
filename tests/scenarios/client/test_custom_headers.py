"""When a header repeats an argument, and which check that decides."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.scenarios.client.custom_headers import (
    ALL_VALUES,
    ARGUMENTS,
    WITH_NULL,
    decide_calls,
    needs_base64,
    repeats,
)
from tests.scenarios.client.deciding import by_id, by_name, request, unwell

SUPPORTS = "sep-2243-client-supports-custom-headers"
MIRRORS = "sep-2243-client-mirrors-designated-params"
ENCODES = "sep-2243-client-encode-values"
BASE64 = "sep-2243-client-base64-unsafe"
OMITS_NULL = "sep-2243-client-omit-null"
GOOD = dict.fromkeys((SUPPORTS, MIRRORS, ENCODES, BASE64, OMITS_NULL), "SUCCESS")

HEADERS: dict[str, str | None] = {
    "Mcp-Param-Region": "us-west1",
    "Mcp-Param-Priority": "42",
    "Mcp-Param-Verbose": "false",
    "Mcp-Param-Debug": "true",
    "Mcp-Param-EmptyVal": "",
    "mcp-param-method": "test-method",
    "Mcp-Param-NonAscii": "=?base64?SGVsbG8sIOS4lueVjA==?=",
    "Mcp-Param-Whitespace": "=?base64?IHBhZGRlZCA=?=",
    "Mcp-Param-LeadingSpace": "=?base64?IHVzLXdlc3Qx?=",
    "Mcp-Param-TrailingSpace": "=?base64?dXMtd2VzdDEg?=",
    "Mcp-Param-InternalSpace": "us west 1",
    "Mcp-Param-ControlChar": "=?base64?bGluZTEKbGluZTI=?=",
    "Mcp-Param-CrLf": "=?base64?bGluZTENCmxpbmUy?=",
    "Mcp-Param-Tab": "=?base64?CWluZGVudGVk?=",
}
VALUES: JsonObject = {name: value for name, (_, _, value) in ARGUMENTS.items()}


def checks_of(headers: dict[str, str | None], arguments: JsonValue = None, *, null: bool = True) -> Checks:
    """Return what is decided of a call with these headers, and of a good one with null."""
    checks = Checks()
    calls = [
        request("tools/call", {"name": ALL_VALUES, "arguments": VALUES if arguments is None else arguments}, headers)
    ]
    if null:
        calls.append(request("tools/call", {"name": WITH_NULL, "arguments": {"verbose": None}}))
    decide_calls(calls, checks)
    return checks


def test_all_are_well() -> None:
    checks = checks_of(HEADERS)
    assert by_id(checks) == GOOD
    assert len(checks.recorded) == 18


ODD: list[tuple[str, dict[str, str | None], str, list[str]]] = [
    ("a missing one", {"Mcp-Param-Region": None}, MIRRORS, ["ClientCustomHeader_Region"]),
    ("another value", {"Mcp-Param-Region": "US-WEST1"}, MIRRORS, ["ClientCustomHeader_Region"]),
    ("a missing empty one", {"Mcp-Param-EmptyVal": None}, MIRRORS, ["ClientCustomHeader_EmptyVal"]),
    ("capital letters", {"Mcp-Param-Verbose": "False"}, ENCODES, ["ClientCustomHeader_Verbose"]),
    ("a number that is none", {"Mcp-Param-Priority": "0x2A"}, ENCODES, ["ClientCustomHeader_Priority"]),
    ("percent signs", {"Mcp-Param-Tab": "%09indented"}, BASE64, ["ClientCustomHeader_Tab"]),
    ("trimmed", {"Mcp-Param-Whitespace": "padded"}, BASE64, ["ClientCustomHeader_Whitespace"]),
    ("plain UTF-8", {"Mcp-Param-NonAscii": "Hello, 世界"}, BASE64, ["ClientCustomHeader_NonAscii"]),
    ("capital marks", {"Mcp-Param-CrLf": "=?BASE64?bGluZTENCmxpbmUy?="}, BASE64, ["ClientCustomHeader_CrLf"]),
    ("the number as it is", {"Mcp-Param-FloatVal": "3.14159"}, MIRRORS, ["ClientCustomHeaderNoMirrorNumber"]),
    ("an unasked one", {"Mcp-Param-Query": "x"}, MIRRORS, ["ClientCustomHeaderNoMirrorUnannotated"]),
]


@pytest.mark.parametrize(("fact", "change", "check", "names"), ODD, ids=[row[0] for row in ODD])
def test_one_is_wrong(fact: str, change: dict[str, str | None], check: str, names: list[str]) -> None:
    checks = checks_of(HEADERS | change)
    assert by_id(checks) == GOOD | {check: "FAILURE"}
    assert unwell(checks) == names


def test_no_headers_at_all_fail_all_but_null() -> None:
    assert by_id(checks_of({})) == dict.fromkeys(GOOD, "FAILURE") | {OMITS_NULL: "SUCCESS"}


def test_null_with_a_header_fails() -> None:
    checks = Checks()
    decide_calls([request("tools/call", {"name": WITH_NULL}, {"mcp-param-verbose": "null"})], checks)
    assert by_name(checks)["ClientCustomHeaderOmitNull"] == "FAILURE"


def test_what_was_not_called_is_not_observed() -> None:
    checks = Checks()
    decide_calls([], checks)
    assert by_id(checks) == dict.fromkeys(GOOD, "FAILURE")
    assert {check.name for check in checks.recorded} == {"NotObserved"}


def test_the_arguments_of_the_body_are_what_counts() -> None:
    """An argument that is missing or null has no row; one with another value has the row of that value."""
    checks = checks_of({"Mcp-Param-Region": "=?base64?w6k=?="}, {"region": "é", "priority": None, "debug": 7})
    assert by_name(checks)["ClientCustomHeader_Region"] == "SUCCESS"
    assert [check.id for check in checks.recorded if check.name == "ClientCustomHeader_Region"] == [BASE64]
    assert [check.id for check in checks.recorded if check.name == "ClientCustomHeader_Debug"] == [ENCODES]
    assert "ClientCustomHeader_Priority" not in by_name(checks)


@pytest.mark.parametrize("arguments", ["text", [], {"region": []}, {"region": {}}, {"priority": 1e999}], ids=repr)
def test_odd_arguments_raise_nothing(arguments: JsonValue) -> None:
    assert "FAILURE" in by_id(checks_of(HEADERS, arguments)).values()


REPEATED: list[tuple[str, JsonValue, bool]] = [
    ("us-west1", "us-west1", True),
    ("=?base64?dXMtd2VzdDE=?=", "us-west1", True),
    ("=?base64?dXMtd2VzdDE?=", "us-west1", True),
    ("=?base64??=", "", True),
    ("=?base64?IA?=", " ", True),
    ("=?base64?8J+YgPCfmL8=?=", "\U0001f600\U0001f63f", True),
    ("=?base64?8J-YgPCfmL8?=", "\U0001f600\U0001f63f", True),
    ("=?base64?/w==?=", "\ufffd", False),
    ("=?base64?A?=", " ", False),
    ("=?base64?", " ", False),
    (" ", " ", False),
    ("=?base64?PT9iYXNlNjQ/eD89?=", "=?base64?x?=", True),
    ("42", 42, True),
    ("42.0", 42, True),
    ("=?base64?NDI=?=", 42, True),
    ("4.2e1", 42, False),
    ("", 0, False),
    ("true", True, True),
    ("=?base64?dHJ1ZQ==?=", True, True),
    ("1", True, False),
    ("{}", {}, False),
]


@pytest.mark.parametrize(("header", "value", "expected"), REPEATED, ids=repr)
def test_a_header_repeats_a_value(header: str, value: JsonValue, expected: bool) -> None:  # noqa: FBT001 -- a column
    assert repeats(header, value) is expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", False),
        ("a b", False),
        (" a", True),
        ("a\t", True),
        ("a\tb", True),
        ("é", True),
        ("\x7f", True),
        ("~", False),
    ],
)
def test_a_value_needs_base64(value: str, expected: bool) -> None:  # noqa: FBT001 -- a column
    assert needs_base64(value) is expected
