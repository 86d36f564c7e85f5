"""What a run says about each broken server: in time, about the server, in words, and with nothing left behind."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass

import pytest

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import dumps
from pytest_mcp_conformance.model import Ending, Level, Outcome, Requirement, Revision, Scenario
from pytest_mcp_conformance.outcome_json import packed, unpacked
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from tests.hostile.broken_servers import BEHAVIOURS, OF_THE_GET_STREAM
from tests.hostile.runs import (
    STATEFUL,
    STATELESS,
    TIMEOUT,
    fit_to_show,
    is_about_the_harness,
    run,
    said,
)

PATIENCE = (
    15.0  # seconds of a run that comes to its end by itself: far more than it takes, so that only a fault gets there
)
LATE_SECONDS = 4.0  # on a busy machine: for the end to be noticed, and for what was open to be closed

WIRES = (STATEFUL, STATELESS)


@dataclass(frozen=True)
class Verdict:
    """How a run ends, and words that the reader is told. `by_time` is set where the timeout ends it, or may."""

    ending: Ending
    words: tuple[str, ...] = ()
    by_time: bool = False


GOOD = Verdict(Ending.PASSED)


def fails(*words: str) -> Verdict:
    """The request that was broken brought no answer."""
    return Verdict(Ending.FAILED, ("tools-list FAILURE: expected a result of tools/list", *words))


def decides(*words: str) -> Verdict:
    """The answer was taken, and a check says what is wrong with it."""
    return Verdict(Ending.FAILED, words)


def differ(stateful: Verdict, stateless: Verdict) -> dict[Revision, Verdict]:
    return {STATEFUL: stateful, STATELESS: stateless}


TIMED_OUT = Verdict(
    Ending.FAILED,
    (f"scenario-timeout FAILURE: expected the end within {TIMEOUT:g} s, got no end after POST",),
    by_time=True,
)
FAILED_OR_TIMED_OUT = Verdict(Ending.FAILED, by_time=True)  # as fast as the machine is
NO_HTTP = "no proper HTTP answer came"
TOO_LARGE = fails("the answer is too large", "over 8")
NO_END = fails("the stream has no end")
TOO_DEEP = fails("HTTP 200, nested too deeply to be read: more than 200 levels")
TOO_MANY = fails("HTTP 200, larger than can be read: more than 100000 values")
NO_UTF_8 = fails("HTTP 200, not valid UTF-8 at byte")
BAD_NAME = Verdict(Ending.WARNED, ("tools-name-format WARNING", "other characters"))


def no_response(shown: str, *words: str) -> Verdict:
    return fails(
        f"HTTP 200 and no response but {shown}", "wire-schema-valid FAILURE: expected messages that are", *words
    )


def no_object(shown: str) -> Verdict:
    return fails(f"got the result of tools/list is no object: result {shown}", "wire-schema-valid FAILURE")


def no_code(shown: str) -> Verdict:
    return fails(f'an error without an integer code: {{"jsonrpc": "2.0", "id": 1, "error": {shown}}}')


def mistyped(*words: str) -> Verdict:
    """No published check decides by the type; an addition does."""
    return Verdict(Ending.PASSED, ("x-response-content-type FAILURE: expected answers of type", *words))


def refused(message: str) -> Verdict:
    return fails(f"got tools/list was refused: error -32603 {message}")


def wrong_id(shown: str) -> Verdict:
    return fails(f"a response with id {shown} where id 1 was asked for")


EXPECTED: dict[str, Verdict | dict[Revision, Verdict]] = {
    "conforms": GOOD,
    "speaks_http_1_0": GOOD,
    "answers_on_a_stream": GOOD,
    "splits_the_data_of_an_event": GOOD,
    "leaves_out_the_last_blank_line": GOOD,
    "compresses": GOOD,
    "deflates": GOOD,
    "deflates_without_a_head": GOOD,
    "compresses_twice": GOOD,
    "names_the_identity": GOOD,
    "informs_first": GOOD,
    "gives_its_id_as_a_fraction": GOOD,
    "closes_on_the_next_request": GOOD,
    "redirects_with_301": GOOD,
    "redirects_with_302": GOOD,
    "redirects_with_307": GOOD,
    "redirects_with_308": GOOD,
    # The connection
    "never_answers": TIMED_OUT,
    "closes_without_an_answer": fails(NO_HTTP, "disconnected without sending a response"),
    "resets_the_connection": fails(NO_HTTP),
    "closes_inside_the_head": fails(NO_HTTP),
    "closes_inside_the_body": fails(NO_HTTP, "received 19 bytes, expected 1000"),
    "closes_inside_a_chunk": fails(NO_HTTP, "incomplete chunked read"),
    "closes_inside_an_event": fails("HTTP 200 and an event whose data is not JSON", r"{\"jsonrpc\": \"2.0\", "),
    "streams_no_json_beside_its_answer": decides(
        "wire-schema-valid FAILURE", "no JSON-RPC message: the data of an event is not JSON"
    ),
    "streams_no_utf_8_beside_its_answer": decides(
        "wire-schema-valid FAILURE", "no JSON-RPC message: the data of an event is not valid UTF-8"
    ),
    "closes_a_chunked_stream_inside_an_event": fails(NO_HTTP, "incomplete chunked read"),
    "stays_silent_inside_the_body": TIMED_OUT,
    "stays_silent_on_the_stream": TIMED_OUT,
    "drips": TIMED_OUT,
    # Without end
    "streams_comments_for_ever": TOO_LARGE,
    "streams_lines_of_comment_for_ever": TOO_LARGE,
    "streams_blank_lines_for_ever": FAILED_OR_TIMED_OUT,
    "streams_notifications_for_ever": FAILED_OR_TIMED_OUT,
    "streams_requests_for_ever": differ(
        FAILED_OR_TIMED_OUT, fails('the server sent the request "ping", and servers send none on this wire')
    ),
    "streams_numbers_for_ever": Verdict(Ending.FAILED, ("wire-schema-valid FAILURE", "no JSON-RPC message: 1 without")),
    "streams_junk_for_ever": FAILED_OR_TIMED_OUT,
    "streams_one_line_for_ever": TOO_LARGE,
    "streams_one_event_for_ever": FAILED_OR_TIMED_OUT,
    "streams_empty_data_lines_for_ever": FAILED_OR_TIMED_OUT,
    "sends_headers_for_ever": fails(NO_HTTP, "buffer too long"),
    "sends_one_header_for_ever": fails(NO_HTTP, "buffer too long"),
    "informs_for_ever": TIMED_OUT,
    "sends_a_body_for_ever": TOO_LARGE,
    "sends_tiny_chunks_for_ever": FAILED_OR_TIMED_OUT,
    "sends_an_error_page_for_ever": fails("HTTP 500, the answer is too large"),
    # Too much
    "sends_50_megabytes": TOO_LARGE,
    "sends_200_megabytes": TOO_LARGE,
    "sends_7_megabytes_of_brackets": TOO_MANY,
    "sends_almost_too_many_values": decides("wire-schema-valid FAILURE", "expected an object, got an array"),
    "sends_10_gigabytes_of_zeros_compressed": TOO_LARGE,
    "streams_10_gigabytes_of_zeros_compressed": TOO_LARGE,
    "sends_10_gigabytes_of_zeros_compressed_twice": TOO_LARGE,
    "names_a_thousand_encodings": fails("the body has an encoding that was not asked for", "gzip, gzip"),
    "sends_many_headers": fails(NO_HTTP, "buffer too long"),
    "sends_a_large_header": fails(NO_HTTP, "buffer too long"),
    "sends_many_cookies": GOOD,
    # What is no HTTP
    "speaks_ssh": fails(NO_HTTP, "SSH-2.0-OpenSSH_9.6"),
    "speaks_tls": fails(NO_HTTP),
    "sends_binary": fails(NO_HTTP),
    "speaks_icy": fails(NO_HTTP, "ICY 200 OK"),
    "speaks_http_2": GOOD,
    "has_a_word_for_a_status": fails(NO_HTTP, "HTTP/1.1 OK OK"),
    "has_status_42": fails(NO_HTTP, "HTTP/1.1 42 Odd"),
    "has_status_999": differ(fails("HTTP 999: {"), GOOD),  # on the stateless wire no status decides
    "has_a_header_without_colon": fails(NO_HTTP, "nonsense"),
    "has_a_header_with_nul": fails(NO_HTTP, r"X-A: a\\x00b"),
    "has_two_lengths": fails(NO_HTTP, "conflicting Content-Length"),
    "has_a_negative_length": fails(NO_HTTP, "bad Content-Length"),
    "has_a_length_of_5000_digits": fails(NO_HTTP, "bad Content-Length"),
    "has_a_bad_chunk": fails(NO_HTTP, "illegal chunk header"),
    "has_a_huge_chunk": fails(NO_HTTP, "illegal chunk header", "characters)"),
    "has_an_unknown_transfer_encoding": fails(NO_HTTP, "Transfer-Encoding"),
    "switches_protocols": fails(NO_HTTP),
    "sends_no_content": fails("HTTP 204 without a message"),
    "sends_more_than_its_length": GOOD,
    # Encodings and types
    "claims_gzip": fails("the body is not in the encoding that its header names", "incorrect header check"),
    "cuts_off_gzip": fails("HTTP 200, not JSON: Unterminated string"),
    "uses_an_encoding_nobody_asked_for": fails('the body has an encoding that was not asked for ("br")'),
    "sends_html": differ(
        fails(r'HTTP 500: "<html>\u001b[2J\u0007Oops</html>"'),
        fails(r'HTTP 500, not JSON: Expecting value: line 1 column 1 (char 0): "<html>\u001b[2J\u0007Oops</html>"'),
    ),
    "sends_html_with_200": differ(
        fails(r'an answer of type "text/html": "<html>\u001b[2J'), fails(r"HTTP 200, not JSON", r"<html>\u001b[2J")
    ),
    "sends_plain_text": differ(fails('an answer of type "text/plain": {'), mistyped('tools/list: "text/plain"')),
    "names_no_type": differ(fails("an answer without a content type: {"), mistyped("tools/list: no type")),
    "sends_utf_16": NO_UTF_8,
    "sends_a_byte_order_mark": fails("HTTP 200, not JSON: it begins with a byte order mark"),
    "sends_invalid_utf_8": NO_UTF_8,
    "streams_invalid_utf_8": fails("HTTP 200 and an event whose data is not valid UTF-8", r"fir\ufffdst"),
    "sends_a_surrogate_in_utf_8": NO_UTF_8,
    "escapes_a_lone_surrogate": BAD_NAME,
    "streams_a_lone_surrogate": BAD_NAME,
    "has_control_characters_everywhere": refused(r'"\u001b[31m\u0007\u202e\u009b\r\n\u2028"'),
    "requests_with_control_characters": decides("wire-schema-valid FAILURE", "/id: expected a string or an integer"),
    # Redirects
    "redirects_elsewhere": fails('the server redirects to another origin ("307 to http://127.0.0.1:1/mcp")'),
    "redirects_to_another_name": fails('the server redirects to another origin ("307 to http://localhost/mcp")'),
    "redirects_to_another_scheme": fails('the server redirects to another origin ("307 to https://127.0.0.1/mcp")'),
    "redirects_to_credentials": fails("the server redirects to another origin"),
    "redirects_to_no_url": fails('the server redirects to what is no URL ("307 to http://[::1")'),
    "redirects_to_a_script": fails('the server redirects to another origin ("307 to javascript:alert(1)")'),
    "redirects_to_nowhere": fails("HTTP 307 without a"),
    "redirects_to_a_long_path": GOOD,
    "redirects_for_ever": fails('redirected without end ("/redirects_for_ever")'),
    "redirects_to_a_get": fails("HTTP 303 without a"),
    # JSON
    "nests_100_levels": GOOD,
    "nests_2000_levels": TOO_DEEP,
    "nests_1000000_levels": TOO_MANY,
    "nests_objects": TOO_DEEP,
    "opens_a_million_brackets": TOO_MANY,
    "has_a_number_beyond_floats": GOOD,
    "has_a_number_of_5000_digits": GOOD,
    "has_a_number_of_a_million_digits": GOOD,
    "has_a_fraction_of_a_million_digits": GOOD,
    "has_nan": fails("HTTP 200, not JSON: NaN is no JSON value"),
    "lists_tools_beyond_floats": decides(
        "tools-list FAILURE: expected an array of tools with name",
        '"<tool[0] missing name>": "without name, description, inputSchema"',
    ),
    "repeats_a_member": decides("tools-list FAILURE: expected an array of tools", '"gone"'),
    "has_a_result_of_null": no_object("null"),
    "has_a_result_of_list": no_object("[]"),
    "has_a_result_of_number": no_object("7"),
    "has_a_result_of_text": no_object('"tools"'),
    "has_a_result_of_false": no_object("false"),
    "has_an_empty_result": decides("tools-list FAILURE: expected an array of tools", "got null"),
    "lists_tools_as_object": decides("tools-list FAILURE: expected an array of tools", '{"name": "x"}'),
    "lists_junk": decides("tools-list FAILURE: expected an array of tools", "null", "wire-schema-valid FAILURE"),
    "sends_an_empty_body": fails("HTTP 200 without a message"),
    "sends_blanks": fails("HTTP 200 without a message"),
    "sends_half_a_message": fails("HTTP 200, not JSON: Expecting property name", r"\"result\": {"),
    "sends_two_messages": fails("HTTP 200, not JSON: Extra data"),
    "sends_null": no_response("null"),
    "sends_true": no_response("true"),
    "sends_a_number": no_response("7"),
    "sends_text": no_response(r'"hello\u001b[31m"'),
    "sends_an_empty_array": differ(
        fails("HTTP 200 without a message", "an array, and 2025-11-25 has no batches"),
        no_response("[]", "an array, and 2026-07-28 has no batches"),
    ),
    "sends_an_array_of_junk": fails(
        "HTTP 200 and no response", "[0] no JSON-RPC message: null", "[3] no JSON-RPC message"
    ),
    "sends_an_empty_object": no_response("{}"),
    # Responses
    "answers_another_id": wrong_id("4711"),
    "answers_another_id_on_a_stream": wrong_id("4711"),
    "answers_with_text_for_a_number": wrong_id('"1"'),
    "answers_without_id": wrong_id("null"),
    "answers_id_null": wrong_id("null"),
    "answers_id_null_on_a_stream": wrong_id("null"),
    "refuses_without_id": wrong_id("null"),
    "refuses_with_id_null": wrong_id("null"),
    "fails_without_id": differ(fails('HTTP 500: {"jsonrpc"'), refused('"whose?"')),
    "answers_id_object": wrong_id('{"a": 1}'),
    "answers_id_true": wrong_id("true"),
    "answers_without_result": no_response('{"jsonrpc": "2.0", "id": 1}'),
    "answers_without_version": decides("wire-schema-valid FAILURE", 'lacks the member "jsonrpc"'),
    "answers_both": refused('"and a result"'),
    "answers_twice_in_an_array": differ(
        decides("wire-schema-valid FAILURE", "an array, and 2025-11-25 has no batches"), no_response("[{")
    ),
    "answers_twice_on_a_stream": GOOD,
    "asks_instead_of_answering": differ(
        no_response('{"jsonrpc": "2.0", "id": "a", "method": "sampling/createMessage"'),
        fails('the server sent the request "sampling/createMessage", and servers send none on this wire'),
    ),
    "has_an_error_of_text": no_code('"no"'),
    "has_an_error_of_number": no_code("7"),
    "has_an_error_of_true": no_code("true"),
    "has_an_error_of_list": no_code("[1]"),
    "has_an_error_of_nothing": no_code("{}"),
    "has_an_error_of_code_text": no_code('{"code": "-32603", "message": "x"}'),
    "has_an_error_of_code_fraction": no_code('{"code": -32603.5, "message": "x"}'),
    "has_an_error_of_code_missing": no_code('{"message": "x"}'),
    "has_an_error_of_code_null": no_code('{"code": null, "message": "x"}'),
    "has_an_error_of_code_infinite": no_code('{"code": "inf", "message": ""}'),
    "has_an_error_of_message_number": refused('""'),
    "has_an_error_of_message_missing": refused('""'),
    "has_an_error_of_null": no_object("null"),
}

NO_VERSION = (
    "expected one of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, got initialize was answered with a version"
)
NO_HEADER = "notifications/initialized was not accepted: no header Mcp-Session-Id can carry what the peer gave for it"

# At /<behaviour>/always, and on the stateful wire alone
HANDSHAKES: dict[str, Verdict] = {
    "shakes_hands_with_version_object": decides(NO_VERSION, '{"a": 1}'),
    "shakes_hands_with_version_list": decides(NO_VERSION, '["2025-11-25"]'),
    "shakes_hands_with_version_number": decides(NO_VERSION, "2025"),
    "shakes_hands_with_version_unknown": decides(NO_VERSION, r'"1999-01-01\u001b[31m"'),
    "shakes_hands_with_capabilities_list": decides("InitializeResult /result/capabilities: expected an object"),
    "shakes_hands_with_info_text": decides("initialize was answered incompletely"),
    "has_a_session_of_other_bytes": decides(NO_HEADER, r"caf\u00e9"),
    "has_a_session_of_utf_8": decides(NO_HEADER, r"caf\u00e9\u4e2d"),
    "has_a_session_with_blanks": GOOD,
    "has_a_large_session": GOOD,
    "refuses_the_notification": decides(r'notifications/initialized was not accepted: HTTP 500: "<p>\u001b[31mno"'),
    "never_ends_its_session": GOOD,
}

# With what the transcript has of the stream
GET_STREAMS: dict[str, tuple[Verdict, str]] = {
    "get_never_answers": (GOOD, '"method": "GET"'),
    "get_closes": (GOOD, "the GET stream ended: no proper HTTP answer came"),
    "get_streams_for_ever": (GOOD, "the GET stream ended: the stream has no end"),
    "get_streams_comments_for_ever": (GOOD, "the GET stream ended: the answer is too large"),
    "get_ends_again_and_again": (GOOD, r'"Last-Event-ID": "a\u0001b"'),
    "get_names_events_in_chinese": (GOOD, r'"Last-Event-ID": "\u4e2d"'),
    "get_waits_for_ages": (GOOD, '"content-type": "text/event-stream"'),
    "get_answers_too": (GOOD, "a response nobody waits for: id 3"),
    "get_sends_junk": (
        decides("wire-schema-valid FAILURE", "on the GET stream: no JSON-RPC message: null without"),
        "the data of an event is not JSON",
    ),
    "get_sends_no_json": (
        decides(
            "wire-schema-valid FAILURE", "on the GET stream: no JSON-RPC message: the data of an event is not JSON"
        ),
        "the data of an event is not JSON",
    ),
    "get_asks_with_junk": (
        decides("wire-schema-valid FAILURE", "on the GET stream: JSONRPCRequest /id: expected a string"),
        "a request whose id is none",
    ),
}


def test_every_behaviour_has_its_verdict() -> None:
    assert BEHAVIOURS.keys() == EXPECTED.keys() | HANDSHAKES.keys() | GET_STREAMS.keys()
    assert GET_STREAMS.keys() == OF_THE_GET_STREAM


@pytest.mark.parametrize("revision", WIRES, ids=str)
@pytest.mark.parametrize("behaviour", EXPECTED)
def test_a_broken_answer_gets_its_verdict(base: str, behaviour: str, revision: Revision) -> None:
    expected = EXPECTED[behaviour]
    verdict = expected[revision] if isinstance(expected, dict) else expected
    timeout = TIMEOUT if verdict.by_time else PATIENCE
    outcome = run(f"{base}/{behaviour}", revision, timeout=timeout)
    require(outcome, verdict)
    assert outcome.seconds < timeout + LATE_SECONDS


@pytest.mark.parametrize("behaviour", HANDSHAKES)
def test_a_broken_handshake_gets_its_verdict(base: str, behaviour: str) -> None:
    require(run(f"{base}/{behaviour}/always", STATEFUL, timeout=PATIENCE), HANDSHAKES[behaviour])


@pytest.mark.parametrize("behaviour", GET_STREAMS)
def test_a_broken_get_stream_gets_its_verdict(base: str, behaviour: str) -> None:
    verdict, noted = GET_STREAMS[behaviour]
    require(run(f"{base}/{behaviour}", STATEFUL, scenario=listening(noted), timeout=PATIENCE), verdict)


def listening(noted: str) -> Scenario:
    """Return a scenario that listens until the transcript has `noted`, and then makes a request."""

    async def body(peer: Peer, checks: Checks) -> None:
        await peer.connect()
        while noted not in dumps(peer.http.recorder.entries):  # noqa: ASYNC110 -- a transcript wakes nobody
            await asyncio.sleep(0.01)
        checks.decide(LISTENED, bool(await peer.request("tools/list")), expected="a result")

    return server_scenario(name="listening", purpose="", decides=(LISTENED,), introduced_in="2025-03-26")(body)


LISTENED = Requirement(id="listened", name="Listened", level=Level.MUST, text="The server still answers.", spec=())


@pytest.mark.parametrize(
    "behaviour",
    [
        "never_answers",
        "closes_without_an_answer",
        "resets_the_connection",
        "sends_an_empty_object",
        "has_nan",
        "sends_html",
    ],
)
def test_a_broken_answer_to_everything_is_charged_to_the_server(base: str, behaviour: str) -> None:
    outcome = run(f"{base}/{behaviour}/always", STATEFUL, timeout=TIMEOUT)
    require(outcome, decides("no end after POST" if behaviour == "never_answers" else "initialize brought no answer"))


@pytest.mark.parametrize("behaviour", ["answers_twice_in_an_array", "answers_twice_on_a_stream", "get_answers_too"])
def test_a_second_answer_is_noted_and_changes_nothing(base: str, behaviour: str) -> None:
    scenario = listening("a response nobody waits for: id ") if behaviour == "get_answers_too" else None
    outcome = run(f"{base}/{behaviour}", STATEFUL, scenario=scenario, timeout=PATIENCE)
    assert "tools-list" not in said(outcome)
    notes = [entry["note"] for entry in map(as_entry, outcome.transcript) if entry["kind"] == "note"]
    assert any(str(note).startswith("a response nobody waits for: id ") for note in notes)


def as_entry(value: object) -> dict[str, object]:
    assert isinstance(value, dict)
    return value


def require(outcome: Outcome, verdict: Verdict) -> None:
    """Check an outcome, and what holds of every outcome."""
    text = said(outcome)
    assert outcome.ending is verdict.ending, text
    for words in verdict.words:
        assert words in text
    assert bool(text) is (outcome.ending is not Ending.PASSED or bool(verdict.words))
    assert not is_about_the_harness(outcome), text
    assert fit_to_show(outcome), text
    assert len(dumps(outcome.transcript)) < 8_000_000
    line = packed(outcome)
    assert line.isascii()
    assert line.isprintable()
    json.loads(line)
    assert unpacked(line).ending is outcome.ending
