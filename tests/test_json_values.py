"""Reading JSON strictly and within bounds, writing it whatever it is, and when values are present and equal."""

from __future__ import annotations

import json
import math
import sys
import time

import pytest

from pytest_mcp_conformance.json_values import (
    MAX_DEPTH,
    MAX_VALUES,
    JsonValue,
    NotJson,
    Shown,
    as_list,
    as_object,
    dumps,
    is_integer,
    is_number,
    loads,
    same,
    shown,
    truthy,
)


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "true",
        " 1 ",
        "-0",
        "1.5e-3",
        '"a\\u0000\\ud83d\\ude42"',
        '["a", {"b": []}, {}]',
        '{"": null, "a": {"a": [[]]}}',
        '"\\""',
        '"[{,"',
    ],
)
def test_json_is_read_as_it_is(text: str) -> None:
    assert loads(text) == json.loads(text)
    assert loads(text.encode()) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"", "not JSON: Expecting value"),
        (b"{", "not JSON: "),
        (b"{'a': 1}", "not JSON: "),
        (b"[1,]", "not JSON: "),
        (b"01", "not JSON: Extra data"),
        (b"{} {}", "not JSON: Extra data"),
        (b"+1", "not JSON: "),
        (b"NaN", "not JSON: NaN is no JSON value"),
        (b"[Infinity]", "not JSON: Infinity is no JSON value"),
        (b'{"a": -Infinity}', "not JSON: -Infinity is no JSON value"),
        (b'"a\nb"', "not JSON: Invalid control character"),
        (b'"abc', "not JSON: Unterminated string"),
        (b'"abc\\', "not JSON: "),
        (b'"\\x"', "not JSON: Invalid \\\\escape"),
        (b"\xef\xbb\xbf{}", "not JSON: it begins with a byte order mark"),
        (b'"\xff"', "not valid UTF-8 at byte 1"),
        (b'["ok", "\xed\xa0\x80"]', "not valid UTF-8 at byte 8"),
        ('"a"'.encode("utf-16"), "not valid UTF-8 at byte 0"),
        (b"1\0", "not JSON: Extra data"),
    ],
)
def test_what_is_no_json_is_refused_in_words(text: bytes, complaint: str) -> None:
    with pytest.raises(NotJson, match=complaint):
        loads(text)


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
def test_depth_is_bounded_whatever_the_interpreter_bears(opening: str, closing: str) -> None:
    levels = len(closing)
    most = MAX_DEPTH // levels
    assert loads(f"{opening * most}1{closing * most}")
    for times in (most + 1, 2_000, 20_000):
        with pytest.raises(NotJson, match=f"nested too deeply to be read: more than {MAX_DEPTH} levels"):
            loads(f"{opening * times}1{closing * times}")


def test_width_is_no_depth() -> None:
    assert len(as_list(loads(f"[{','.join(['[[]]'] * 1000)}]"))) == 1000


@pytest.mark.parametrize("value", ["1", '"a"', "null"])
def test_the_number_of_values_is_bounded(value: str) -> None:
    assert len(as_list(loads(f"[{','.join([value] * (MAX_VALUES - 1))}]"))) == MAX_VALUES - 1
    with pytest.raises(NotJson, match=f"larger than can be read: more than {MAX_VALUES} values"):
        loads(f"[{','.join([value] * MAX_VALUES)}]")


def test_empty_containers_are_one_value_each() -> None:
    assert len(as_list(loads(f"[{','.join(['[]', '{}'] * (MAX_VALUES // 2 - 1))}]"))) == MAX_VALUES - 2


def test_commas_and_brackets_in_texts_are_no_values() -> None:
    text = '\\",[{' * MAX_VALUES
    assert loads(f'["{text}", "{text}"]') == [text.replace("\\", "")] * 2


@pytest.mark.parametrize(
    "text",
    [
        '"' + '\\"' * 1_000_000,
        '"' + "," * 2_000_000,
        '"' * 2_000_000,
        "[" * 2_000_000,
        '["' + "\\" * 2_000_001,
        '",' * 500_000,
    ],
    ids=["escaped quotes", "commas", "quotes", "brackets", "backslashes", "short texts"],
)
def test_no_text_makes_reading_slow(text: str) -> None:
    started = time.process_time()
    with pytest.raises(NotJson):
        loads(text)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e999", math.inf),
        ("-1e999", -math.inf),
        ("9" * 5_000, math.inf),
        ("-" + "9" * 1_000_000, -math.inf),
        ("1" + "0" * 300, 10**300),
        ("9" * 400, 10**400 - 1),
        ("0." + "3" * 100_000, 1 / 3),
        ("1e-999", 0.0),
    ],
    ids=lambda value: str(value)[:12],
)
def test_large_numbers_are_read(text: str, value: float) -> None:
    assert loads(text) == value


def test_the_limit_of_the_interpreter_on_digits_plays_no_part() -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        started = time.process_time()
        assert loads("9" * 3_000_000) == math.inf
        assert time.process_time() - started < 1
    finally:
        sys.set_int_max_str_digits(before)


def test_of_a_repeated_member_the_last_one_counts() -> None:
    assert loads('{"a": 1, "a": 2}') == {"a": 2}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": [1, 2.5, None, True]}, '{"a": [1, 2.5, null, true]}'),
        (math.inf, '"inf"'),
        ([-math.inf, {"a": math.nan}], '["-inf", {"a": "nan"}]'),
        ("\ud800\x1b\u202eä", r'"\ud800\u001b\u202e\u00e4"'),
        ({"\ud800": 1}, r'{"\ud800": 1}'),
        ({1, 2}, '"{1, 2}"'),
        (b"\xff", r'"b\'\\xff\'"'.replace("\\'", "'")),
    ],
    ids=repr,
)
def test_anything_is_written_as_ascii(value: object, text: str) -> None:
    written = dumps(value)
    assert written == text
    assert written.isascii()
    assert written.isprintable()


def test_writing_survives_what_reading_would_not_let_in() -> None:
    value: JsonValue = math.inf
    for _ in range(100_000):
        value = [value]
    assert "nested deeper" in dumps(value)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("[1e999, {}]", '["inf", {}]'),
        ('{"a": [9, "\\ud800"]}', '{"a": [9, "\\ud800"]}'),
        ("[" * MAX_DEPTH + "]" * MAX_DEPTH, "[" * MAX_DEPTH + "]" * MAX_DEPTH),
    ],
    ids=["infinite", "half a character", "deep"],
)
def test_whatever_was_read_can_be_written_and_read(text: str, written: str) -> None:
    assert dumps(loads(text)) == written
    loads(written)


def test_a_long_value_is_shown_by_its_start_and_length() -> None:
    assert shown("x" * 1000) == '"' + "x" * 299 + "... (1002 characters)"
    assert shown([1, 2]) == "[1, 2]"
    assert shown("\x1b[2J\n") == r'"\u001b[2J\n"'
    assert shown(Shown("our own \u2026 words")) == "our own \u2026 words"


@pytest.mark.parametrize("value", [None, False, 0, 0.0, ""])
def test_these_count_as_absent(value: JsonValue) -> None:
    assert not truthy(value)


@pytest.mark.parametrize("value", [True, 1, -1, 0.5, math.inf, "0", " ", [], {}, [None], {"a": None}])
def test_these_count_as_present(value: JsonValue) -> None:
    assert truthy(value)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, 1.0),
        (0, -0.0),
        ([1, {"a": 2.0}], [1.0, {"a": 2}]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (None, None),
        ("a", "a"),
    ],
)
def test_equal_values(left: JsonValue, right: JsonValue) -> None:
    assert same(left, right)
    assert same(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (True, 1),
        (False, 0),
        ([True], [1]),
        ({"a": False}, {"a": 0}),
        (1, "1"),
        (None, False),
        (None, 0),
        ([], {}),
        ([1, 2], [2, 1]),
        ([1], [1, 1]),
        ({"a": 1}, {"a": 1, "b": None}),
        ("a", ["a"]),
    ],
)
def test_different_values(left: JsonValue, right: JsonValue) -> None:
    assert not same(left, right)
    assert not same(right, left)


def test_numbers_and_integers() -> None:
    assert [is_number(value) for value in (1, 1.5, math.inf, True, "1", None)] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]
    assert [is_integer(value) for value in (1, 5.0, -2.0, 1.5, math.inf, math.nan, True, "1")] == [True] * 3 + [
        False
    ] * 5


@pytest.mark.parametrize("value", [None, True, 1, "a", []])
def test_what_is_no_object_is_read_as_an_empty_one(value: JsonValue) -> None:
    assert as_object(value) == {}
    assert as_list({"a": 1} if isinstance(value, list) else value) == []
    assert as_object({"a": 1}) == {"a": 1}
    assert as_list([1]) == [1]
