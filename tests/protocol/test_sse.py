"""Event streams: what is an event and what is not, wherever the network cuts the bytes.

Source: HTML Living Standard, 9.2.5 and 9.2.6.
"""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import NotJson
from pytest_mcp_conformance.protocol import sse
from pytest_mcp_conformance.protocol.sse import Event, SseParser


def parsed(*chunks: bytes) -> list[Event]:
    parser = SseParser()
    events = [event for chunk in chunks for event in parser.feed(chunk)]
    return events + parser.finish()


def data(*chunks: bytes) -> list[str]:
    return [event.data for event in parsed(*chunks)]


STREAMS = {
    b"data: one\n\n": ["one"],
    b"data: one\n\ndata: two\n\n": ["one", "two"],
    b"data: one\ndata: two\n\n": ["one\ntwo"],
    b"data:one\ndata:  two\n\n": ["one\n two"],
    b"data\n\n": [""],
    b"data:\n\n": [""],
    b"data\ndata\n\n": ["\n"],
    b"data: one\r\n\r\n": ["one"],
    b"data: one\r\rdata: two\r\r": ["one", "two"],
    b"data: one\r\n\rdata: two\n\r": ["one", "two"],
    b"data: one\r\ndata: two\r\n\r\n": ["one\ntwo"],
    b"\r\n\r\n\n\n\rdata: one\n\n\n": ["one"],
    b": comment\n\n": [],
    b": comment\ndata: one\n: other\n\n": ["one"],
    b":\n:\ndata: one\n\n": ["one"],
    b"data : one\n\n": [],
    b" data: one\n\n": [],
    b"DATA: one\n\n": [],
    b"datax: one\n\n": [],
    b"event: ping\n\n": [],
    b"\xef\xbb\xbfdata: one\n\n": ["one"],
    b"\xef\xbb\xbf\xef\xbb\xbfdata: one\n\ndata: two\n\n": ["two"],
    b"data: one\n\n\xef\xbb\xbfdata: two\n\n": ["one"],
    "data: grün 中 🙂\n\n".encode(): ["grün 中 🙂"],
    "data: a\u2028b\u0085c\x0bd\x0ce\x1cf\n\n".encode(): ["a\u2028b\u0085c\x0bd\x0ce\x1cf"],
    b"data: a\0b\n\n": ["a\0b"],
    b"data: {\n\ndata: }\n\n": ["{", "}"],
    b"data: one": ["one"],
    b"data: one\n": ["one"],
    b"data: one\r": ["one"],
    b"data: one\ndata: tw": ["one\ntw"],
    b"data: one\n\nevent: two": ["one"],
    b"": [],
    b"\n": [],
}


@pytest.mark.parametrize(("stream", "expected"), STREAMS.items(), ids=repr)
def test_a_stream_has_its_events(stream: bytes, expected: list[str]) -> None:
    assert data(stream) == expected


@pytest.mark.parametrize(("stream", "expected"), STREAMS.items(), ids=repr)
def test_where_the_network_cuts_changes_nothing(stream: bytes, expected: list[str]) -> None:
    whole = parsed(stream)
    assert parsed(*(stream[index : index + 1] for index in range(len(stream)))) == whole
    for first in range(len(stream) + 1):
        assert parsed(stream[:first], stream[first:]) == whole
        for second in range(first, len(stream) + 1):
            assert data(stream[:first], stream[first:second], stream[second:]) == expected


def test_an_event_is_given_as_soon_as_its_blank_line_is_there() -> None:
    parser = SseParser()
    assert parser.feed(b"data: one\r\n") == []
    assert [event.data for event in parser.feed(b"\r")] == ["one"]
    assert parser.feed(b"\n") == []
    assert parser.feed(b"data: two\n") == []
    assert [event.data for event in parser.feed(b"\n")] == ["two"]
    assert parser.finish() == []


@pytest.mark.parametrize("rest", [b"", b"\n", b"\r\n", b"\nid: 7\n"])
def test_an_event_without_its_blank_line_is_kept_and_marked(rest: bytes) -> None:
    whole, cut = parsed(b"data: one\n\ndata: two" + rest)
    assert whole.complete
    assert not cut.complete
    assert cut.data == "two"


def test_an_event_has_its_name() -> None:
    named, unnamed, emptied = parsed(b"event: ping\ndata: 1\n\ndata: 2\n\nevent: ping\nevent\ndata: 3\n\n")
    assert (named.event, unnamed.event, emptied.event) == ("ping", "message", "message")


def test_an_id_stays_for_the_events_after_it() -> None:
    first, second, third, fourth = parsed(b"id: 7\ndata: 1\n\ndata: 2\n\nid: 8\n\ndata: 3\n\nid\ndata: 4\n\n")
    assert [event.id for event in (first, second, third, fourth)] == ["7", None, None, ""]
    assert [event.last_event_id for event in (first, second, third, fourth)] == ["7", "7", "8", ""]


def test_an_id_with_nul_is_ignored() -> None:
    parser = SseParser()
    (event,) = parser.feed(b"id: 7\nid: 8\x009\ndata: 1\n\n")
    assert event.id == "7"
    assert parser.last_event_id == "7"


def test_an_id_without_data_counts_for_the_stream() -> None:
    parser = SseParser()
    assert parser.feed(b"id: 7\nretry: 250\n\n") == []
    assert parser.last_event_id == "7"
    assert parser.retry_ms == 250


@pytest.mark.parametrize(
    ("field", "milliseconds"),
    [
        (b"retry: 500", 500),
        (b"retry:0", 0),
        (b"retry: 007", 7),
        (b"retry: " + b"9" * 5000, 999_999_999_999_999),
        (b"retry", None),
        (b"retry:", None),
        (b"retry: -1", None),
        (b"retry: 1.5", None),
        (b"retry: 1e3", None),
        (b"retry: 5 ", None),
        (b"retry: \xd9\xa5", None),  # a digit of another script
        (b"retry: \xc2\xb2", None),
        (b"Retry: 5", None),
    ],
)
def test_only_ascii_digits_are_a_retry_time(field: bytes, milliseconds: int | None) -> None:
    parser = SseParser()
    (event,) = parser.feed(field + b"\ndata: 1\n\n")
    assert event.retry_ms == milliseconds
    assert parser.retry_ms == milliseconds


def test_a_retry_time_that_is_none_leaves_the_one_before() -> None:
    parser = SseParser()
    parser.feed(b"retry: 500\n\nretry: soon\n\n")
    assert parser.retry_ms == 500


@pytest.mark.parametrize("noise", [b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xc0\xaf"])
def test_bytes_that_are_no_utf_8_are_replaced_and_told(noise: bytes) -> None:
    broken, good = parsed(b"data: a" + noise + b"b\n\ndata: c\n\n")
    assert not broken.decoded
    assert broken.data[0] == "a"
    assert "\ufffd" in broken.data
    assert broken.data.isprintable()
    broken.data.encode()
    with pytest.raises(NotJson, match="not valid UTF-8"):
        broken.value()
    assert good.decoded


def test_a_stream_that_ends_inside_a_character_is_told() -> None:
    (event,) = parsed(b"data: \xe4\xb8")
    assert not event.decoded
    assert event.data == "\ufffd\ufffd"


def test_the_data_is_read_as_json() -> None:
    (event,) = parsed(b'data: {"a":\ndata: [1]}\n\n')
    assert event.value() == {"a": [1]}
    (event,) = parsed(b"data: }\n\n")
    with pytest.raises(NotJson):
        event.value()


@pytest.mark.parametrize("block", [b"x", b"data: x\n", b": x\n", b"data\n"])
def test_an_event_without_end_is_given_up(block: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "MAX_EVENT_CHARACTERS", 10_000)
    with pytest.raises(Nonconforming, match="one event of the stream never ends"):
        parsed(*[block * 100] * 101)


def test_many_events_are_no_event_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "MAX_EVENT_CHARACTERS", 10_000)
    parser = SseParser()
    for _ in range(100):
        assert len(parser.feed(b"data: x\n\n: x\n\n" * 100)) == 100
