"""The transcript of a run stays within bounds, and says what it left out."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, NotJson, as_object, dumps
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol import recorder as module
from pytest_mcp_conformance.protocol.recorder import (
    KEPT_CHARACTERS,
    KEPT_EVENTS,
    KEPT_VIOLATIONS,
    REDACTED,
    Origin,
    Recorder,
)
from pytest_mcp_conformance.protocol.sse import Event

REQUEST: JsonObject = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture
def recorder() -> Recorder:
    return Recorder(revision=Revision.V2025_11_25, clock=lambda: 0.0)


def ask(recorder: Recorder, body: JsonValue = REQUEST) -> int:
    return recorder.request("POST", "http://a/", {"Accept": "x"}, dumps(body).encode(), malformed=False)


def test_a_stream_without_end_does_not_push_out_what_comes_after_it(recorder: Recorder) -> None:
    first = ask(recorder)
    for number in range(10 * KEPT_EVENTS):
        recorder.event(first, Event(data=str(number)))
    second = ask(recorder)
    recorder.event(second, Event(data="after"))
    kinds = [entry["kind"] for entry in recorder.entries]
    assert kinds == ["request", *["event"] * KEPT_EVENTS, "note", "request", "event"]
    assert recorder.entries[-3]["note"] == f"{9 * KEPT_EVENTS} more events of the stream that answers 0, not kept"
    assert [entry["number"] for entry in recorder.entries] == list(range(len(kinds)))


def test_entries_are_bounded(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT_ENTRIES", 5)
    for _ in range(9):
        ask(recorder)
    assert len(recorder.entries) == 5
    assert recorder.entries[-1]["note"] == "5 more, not kept"


def test_a_long_body_is_cut(recorder: Recorder) -> None:
    recorder.body(0, b"x" * (KEPT_CHARACTERS + 1))
    assert recorder.entries[0]["body"] == "x" * KEPT_CHARACTERS + f"... ({KEPT_CHARACTERS + 1} bytes)"


def test_bodies_and_headers_have_room_for_so_much_and_then_only_their_lengths(recorder: Recorder) -> None:
    for _ in range(200):
        recorder.response(0, 200, {"x-large": "x" * 50_000})
        recorder.body(0, b"x" * 50_000)
    assert as_object(recorder.entries[0]["headers"])["x-large"] == "x" * 50_000
    assert recorder.entries[-2]["headers"] == "... (50007 characters)"
    assert recorder.entries[-1]["body"] == "... (50000 bytes)"
    assert len(dumps(recorder.transcript())) < 2 * module.KEPT_BYTES


@pytest.mark.parametrize("body", [b"\xff\x00", b"", b"[" * 1000, b"1e999", b'"\\ud800"'])
def test_any_body_is_kept_as_something_that_can_be_written(recorder: Recorder, body: bytes) -> None:
    recorder.body(0, body)
    assert dumps(recorder.transcript()).isascii()


def test_violations_are_counted_by_side_and_the_first_are_kept(recorder: Recorder) -> None:
    for origin in Origin:
        for _ in range(3 * KEPT_VIOLATIONS):
            assert not recorder.judge(None, origin, context="x")
    assert recorder.violated == {Origin.HARNESS: 3 * KEPT_VIOLATIONS, Origin.IMPLEMENTATION: 3 * KEPT_VIOLATIONS}
    assert len(recorder.violations) == 2 * KEPT_VIOLATIONS
    assert recorder.messages == 6 * KEPT_VIOLATIONS


def test_of_a_large_message_that_breaks_the_schema_the_start_is_kept(recorder: Recorder) -> None:
    recorder.judge({"x": "y" * 10 * KEPT_CHARACTERS}, Origin.IMPLEMENTATION, context="x")
    assert len(dumps(recorder.violations[0].as_json())) < 2000


@pytest.mark.parametrize(
    ("event", "violations", "notes"),
    [(Event(data="no"), 1, 1), (Event(data=" \n"), 0, 0), (Event(data='{"a', complete=False), 0, 1)],
    ids=["no JSON", "nothing", "cut off"],
)
def test_the_data_of_an_event_is_a_message_or_empty(
    recorder: Recorder, event: Event, violations: int, notes: int
) -> None:
    recorder.unreadable(event, NotJson("not JSON"), context="a test")
    assert recorder.violated[Origin.IMPLEMENTATION] == recorder.messages == violations
    assert len(recorder.entries) == notes


def test_a_secret_that_comes_up_later_is_blotted_out_of_what_was_kept_before(recorder: Recorder) -> None:
    ask(recorder, {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": "top-s3cr3t", "b": "1"}})
    recorder.add_secrets(["top-s3cr3t", "1"])
    recorder.add_secrets(["and-another"])
    recorder.note("and-another top-s3cr3t")
    assert recorder.secrets == ("and-another", "top-s3cr3t")
    first, note = map(as_object, recorder.transcript())
    assert as_object(first["body"])["params"] == {"a": REDACTED, "b": "1"}
    assert note["note"] == f"{REDACTED} {REDACTED}"


def test_a_body_can_be_left_out_as_a_whole(recorder: Recorder) -> None:
    for number in (ask(recorder), ask(recorder)):
        recorder.response(number, 200, {"content-type": "application/json"})
        recorder.body(number, b'{"a": "b"}')
    recorder.withhold(0)
    assert [entry["body"] for entry in recorder.entries if entry["kind"] == "body"] == [REDACTED, {"a": "b"}]


def test_a_stream_without_end_in_a_full_transcript_is_one_of_what_is_not_kept(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEPT_ENTRIES", 5)
    monkeypatch.setattr(module, "KEPT_EVENTS", 10)
    first = ask(recorder)
    for number in range(13):
        recorder.event(first, Event(data=str(number)))
    assert len(recorder.entries) == 5
    assert recorder.entries[-1]["note"] == "8 more, not kept"
