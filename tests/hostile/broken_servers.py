"""A server that is right about everything but one request, which it answers as the path of its URL says.

    python -m tests.hostile.broken_servers

writes its port. At `/<behaviour>` it breaks tools/list, at `/<behaviour>/later` every POST after the handshake, at
`/<behaviour>/always` every request, and a behaviour of the GET stream shows itself there. It is a process of its own, so that
nothing it does is counted as ours, and it speaks HTTP by hand, because no library would send most of this.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
import zlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

MEGABYTE = 1024 * 1024
JSON = "application/json"
EVENTS = "text/event-stream"
TYPE = f"Content-Type: {JSON}\r\n"

TOOLS = [
    {"name": name, "description": f"Tool {name}", "inputSchema": {"type": "object"}} for name in ("first", "second")
]
RESULT = {"tools": TOOLS, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


@dataclass
class Asked:
    """One request, and the way back."""

    verb: str
    path: str
    headers: dict[str, str]
    message: Any
    writer: asyncio.StreamWriter
    more: asyncio.Event

    @property
    def id(self) -> Any:
        """The id of the message."""
        return self.message.get("id") if isinstance(self.message, dict) else None

    @property
    def method(self) -> Any:
        """The method of the message."""
        return self.message.get("method") if isinstance(self.message, dict) else None

    @property
    def origin(self) -> str:
        """Where this server is."""
        return f"http://{self.headers['host']}"

    async def send(self, *parts: bytes | str) -> None:
        """Send these bytes, as fast as the client takes them."""
        for part in parts:
            self.writer.write(part if isinstance(part, bytes) else part.encode())
            await self.writer.drain()

    async def head(self, *fields: str, status: str = "200 OK", version: str = "1.1") -> None:
        """Send the head of an answer, after which the connection ends."""
        await self.send("\r\n".join([f"HTTP/{version} {status}", *fields, "Connection: close", "", ""]))

    async def body(self, content: bytes | str, *fields: str, type: str | None = JSON, status: str = "200 OK") -> None:  # noqa: A002
        """Send an answer in one piece."""
        content = content if isinstance(content, bytes) else content.encode()
        types = [f"Content-Type: {type}"] if type is not None else []
        await self.head(*types, f"Content-Length: {len(content)}", *fields, status=status)
        await self.send(content)

    async def answer(self, **members: Any) -> None:
        """Answer with a response: see `response`."""
        await self.body(json.dumps(self.response(**members)))

    def response(self, **members: Any) -> dict[str, Any]:
        """Return a good response; `members` replace or, if none, drop those of it."""
        good = {"jsonrpc": "2.0", "id": self.id, "result": RESULT}
        return {name: value for name, value in {**good, **members}.items() if value is not DROPPED}

    async def text(self, result: str) -> None:
        """Answer with the JSON text of a result."""
        await self.body(f'{{"jsonrpc": "2.0", "id": {json.dumps(self.id)}, "result": {result}}}')

    async def stream(self, *parts: bytes | str) -> None:
        """Answer with an event stream that ends with its connection."""
        await self.head(f"Content-Type: {EVENTS}")
        await self.send(*parts)


DROPPED = object()

Behaviour = Callable[[Asked], Awaitable[None]]

BEHAVIOURS: dict[str, Behaviour] = {}
OF_THE_GET_STREAM: set[str] = set()


def behaviour(function: Behaviour) -> Behaviour:
    BEHAVIOURS[function.__name__] = function
    return function


def of_the_get_stream(function: Behaviour) -> Behaviour:
    OF_THE_GET_STREAM.add(function.__name__)
    return behaviour(function)


def named(name: str, act: Behaviour) -> None:
    BEHAVIOURS[name] = act


def event(message: Any, *lines: str) -> str:
    return "".join([*(f"{line}\n" for line in lines), f"data: {json.dumps(message)}\n\n"])


NOTIFICATION = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}


async def for_ever() -> None:
    await asyncio.Event().wait()


# Nothing wrong


@behaviour
async def conforms(asked: Asked) -> None:
    await asked.answer()


@behaviour
async def speaks_http_1_0(asked: Asked) -> None:
    await asked.head(f"Content-Type: {JSON}", version="1.0")
    await asked.send(json.dumps(asked.response()))


@behaviour
async def answers_on_a_stream(asked: Asked) -> None:
    await asked.stream(": hello\n\n", "id: 1\ndata:\n\n", event(asked.response(), "event: message", "id: 2"))


@behaviour
async def splits_the_data_of_an_event(asked: Asked) -> None:
    lines = json.dumps(asked.response(), indent=1).splitlines()
    await asked.stream("".join(f"data: {line}\r\n" for line in lines), "\r\n")


@behaviour
async def leaves_out_the_last_blank_line(asked: Asked) -> None:
    await asked.stream(event(asked.response()).rstrip("\n"))


@behaviour
async def compresses(asked: Asked) -> None:
    await asked.body(gzip.compress(json.dumps(asked.response()).encode()), "Content-Encoding: gzip")


@behaviour
async def deflates(asked: Asked) -> None:
    await asked.body(zlib.compress(json.dumps(asked.response()).encode()), "Content-Encoding: deflate")


@behaviour
async def deflates_without_a_head(asked: Asked) -> None:
    packer = zlib.compressobj(wbits=-15)
    content = packer.compress(json.dumps(asked.response()).encode()) + packer.flush()
    await asked.body(content, "Content-Encoding: deflate")


@behaviour
async def compresses_twice(asked: Asked) -> None:
    content = gzip.compress(gzip.compress(json.dumps(asked.response()).encode()))
    await asked.body(content, "Content-Encoding: gzip, gzip")


@behaviour
async def names_the_identity(asked: Asked) -> None:
    await asked.body(json.dumps(asked.response()), "Content-Encoding: identity")


@behaviour
async def informs_first(asked: Asked) -> None:
    await asked.send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 3)
    await asked.answer()


@behaviour
async def gives_its_id_as_a_fraction(asked: Asked) -> None:
    await asked.answer(id=float(asked.id))


@behaviour
async def closes_on_the_next_request(asked: Asked) -> None:
    content = json.dumps(asked.response())
    await asked.send(f"HTTP/1.1 200 OK\r\n{TYPE}Content-Length: {len(content)}\r\n\r\n{content}")
    await asked.more.wait()


def redirect_named(name: str, status: str) -> None:
    async def redirects(asked: Asked) -> None:
        if asked.path.endswith("/there"):
            await asked.answer()
        else:
            await asked.body("", f"Location: {asked.path}/there", status=status)

    named(name, redirects)


for code, phrase in (
    (301, "Moved Permanently"),
    (302, "Found"),
    (307, "Temporary Redirect"),
    (308, "Permanent Redirect"),
):
    redirect_named(f"redirects_with_{code}", f"{code} {phrase}")


# The connection


@behaviour
async def never_answers(asked: Asked) -> None:
    await for_ever()


@behaviour
async def closes_without_an_answer(asked: Asked) -> None:
    return


@behaviour
async def resets_the_connection(asked: Asked) -> None:
    asked.writer.transport.abort()


@behaviour
async def closes_inside_the_head(asked: Asked) -> None:
    await asked.send("HTTP/1.1 200 OK\r\nContent-Ty")


@behaviour
async def closes_inside_the_body(asked: Asked) -> None:
    await asked.head(f"Content-Type: {JSON}", "Content-Length: 1000")
    await asked.send('{"jsonrpc": "2.0", ')


@behaviour
async def closes_inside_a_chunk(asked: Asked) -> None:
    await asked.head(f"Content-Type: {JSON}", "Transfer-Encoding: chunked")
    await asked.send('400\r\n{"jsonrpc": "2.0", ')


@behaviour
async def closes_inside_an_event(asked: Asked) -> None:
    await asked.stream(event(NOTIFICATION), 'data: {"jsonrpc": "2.0", ')


@behaviour
async def streams_no_json_beside_its_answer(asked: Asked) -> None:
    await asked.stream("data: hello\x1b[31m\n\n", event(asked.response()))


@behaviour
async def streams_no_utf_8_beside_its_answer(asked: Asked) -> None:
    await asked.stream(event(NOTIFICATION).encode().replace(b"info", b"in\xff"), event(asked.response()))


@behaviour
async def closes_a_chunked_stream_inside_an_event(asked: Asked) -> None:
    await asked.head(f"Content-Type: {EVENTS}", "Transfer-Encoding: chunked")
    await asked.send("19\r\ndata: {'jsonrpc': '2.0', \r\n")


@behaviour
async def stays_silent_inside_the_body(asked: Asked) -> None:
    await asked.head(f"Content-Type: {JSON}", "Content-Length: 1000")
    await asked.send("{")
    await for_ever()


@behaviour
async def stays_silent_on_the_stream(asked: Asked) -> None:
    await asked.stream(event(NOTIFICATION))
    await for_ever()


@behaviour
async def drips(asked: Asked) -> None:
    await asked.head(f"Content-Type: {JSON}", "Content-Length: 100000")
    while True:
        await asked.send(" ")
        await asyncio.sleep(0.02)


# Without end


async def endlessly(asked: Asked, *parts: bytes | str) -> None:
    block = b"".join(part if isinstance(part, bytes) else part.encode() for part in parts)
    block *= max(1, 64 * 1024 // len(block))
    while True:
        await asked.send(block)


@behaviour
async def streams_comments_for_ever(asked: Asked) -> None:
    await asked.stream()
    await endlessly(asked, ": still here\n\n")


@behaviour
async def streams_lines_of_comment_for_ever(asked: Asked) -> None:
    await asked.stream()
    await endlessly(asked, ": still here\n")


@behaviour
async def streams_blank_lines_for_ever(asked: Asked) -> None:
    await asked.stream()
    await endlessly(asked, "\n")


@behaviour
async def streams_notifications_for_ever(asked: Asked) -> None:
    await asked.stream()
    await endlessly(asked, event(NOTIFICATION))


@behaviour
async def streams_requests_for_ever(asked: Asked) -> None:
    await asked.stream()
    await endlessly(asked, event({"jsonrpc": "2.0", "id": 1, "method": "ping"}))


@behaviour
async def streams_numbers_for_ever(asked: Asked) -> None:
    await asked.stream()
    await endlessly(asked, "data:1\n\n")


@behaviour
async def streams_junk_for_ever(asked: Asked) -> None:
    await asked.stream()
    await endlessly(asked, "data:}\n\n")


@behaviour
async def streams_one_line_for_ever(asked: Asked) -> None:
    await asked.stream("data: ")
    await endlessly(asked, "x")


@behaviour
async def streams_one_event_for_ever(asked: Asked) -> None:
    await asked.stream()
    await endlessly(asked, "data: x\n")


@behaviour
async def streams_empty_data_lines_for_ever(asked: Asked) -> None:
    await asked.stream()
    await endlessly(asked, "data\n")


@behaviour
async def sends_headers_for_ever(asked: Asked) -> None:
    await asked.send("HTTP/1.1 200 OK\r\n")
    await endlessly(asked, "X-More: and more\r\n")


@behaviour
async def sends_one_header_for_ever(asked: Asked) -> None:
    await asked.send("HTTP/1.1 200 OK\r\nX-More: ")
    await endlessly(asked, "x")


@behaviour
async def informs_for_ever(asked: Asked) -> None:
    await endlessly(asked, "HTTP/1.1 103 Early Hints\r\n\r\n")


@behaviour
async def sends_a_body_for_ever(asked: Asked) -> None:
    await asked.head(f"Content-Type: {JSON}")
    await endlessly(asked, " ")


@behaviour
async def sends_tiny_chunks_for_ever(asked: Asked) -> None:
    await asked.head(f"Content-Type: {JSON}", "Transfer-Encoding: chunked")
    await endlessly(asked, "1\r\n \r\n")


@behaviour
async def sends_an_error_page_for_ever(asked: Asked) -> None:
    await asked.head("Content-Type: text/html", status="500 Internal Server Error")
    await endlessly(asked, "<p>sorry</p>")


# Too much


async def sends_tools(asked: Asked, megabytes: int) -> None:
    tool = json.dumps({**TOOLS[0], "description": "x" * 900})
    number = megabytes * MEGABYTE // (len(tool) + 2)
    block = ", ".join([tool] * 1000)
    text = json.dumps(asked.response(result={**RESULT, "tools": ["HERE"]}))
    before, after = text.split('"HERE"')
    await asked.head(f"Content-Type: {JSON}")
    await asked.send(before)
    for _ in range(number // 1000):
        await asked.send(block, ", ")
    await asked.send(tool, after)


@behaviour
async def sends_50_megabytes(asked: Asked) -> None:
    await sends_tools(asked, 50)


@behaviour
async def sends_200_megabytes(asked: Asked) -> None:
    await sends_tools(asked, 200)


@behaviour
async def sends_7_megabytes_of_brackets(asked: Asked) -> None:
    await asked.text('{"tools": [' + "[]," * (7 * MEGABYTE // 3) + "[]]}")


@behaviour
async def sends_almost_too_many_values(asked: Asked) -> None:
    await asked.text('{"tools": [' + "[]," * 95_000 + "[]]}")


def zeros(total: int, *, wbits: int) -> Iterator[bytes]:
    """Give the compressed form of `total` zeros without compressing them all."""
    packer = zlib.compressobj(9, wbits=wbits)
    yield packer.compress(bytes(MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)
    for _ in range(total // MEGABYTE - 1):
        yield block


@behaviour
async def sends_10_gigabytes_of_zeros_compressed(asked: Asked) -> None:
    await asked.head(f"Content-Type: {JSON}", "Content-Encoding: gzip")
    await asked.send(*zeros(10_000 * MEGABYTE, wbits=31))


@behaviour
async def streams_10_gigabytes_of_zeros_compressed(asked: Asked) -> None:
    await asked.head(f"Content-Type: {EVENTS}", "Content-Encoding: deflate")
    await asked.send(*zeros(10_000 * MEGABYTE, wbits=15))


@behaviour
async def sends_10_gigabytes_of_zeros_compressed_twice(asked: Asked) -> None:
    await asked.head(f"Content-Type: {JSON}", "Content-Encoding: gzip, gzip")
    packer = zlib.compressobj(9, wbits=31)
    for block in zeros(10_000 * MEGABYTE, wbits=31):
        await asked.send(packer.compress(block))
    await asked.send(packer.flush())


@behaviour
async def names_a_thousand_encodings(asked: Asked) -> None:
    await asked.body("{}", f"Content-Encoding: {', '.join(['gzip'] * 1000)}")


@behaviour
async def sends_many_headers(asked: Asked) -> None:
    await asked.body(json.dumps(asked.response()), *(f"X-Header-{number}: {number}" for number in range(100_000)))


@behaviour
async def sends_a_large_header(asked: Asked) -> None:
    await asked.body(json.dumps(asked.response()), f"X-Large: {'x' * 10 * MEGABYTE}")


@behaviour
async def sends_many_cookies(asked: Asked) -> None:
    cookies = (f"Set-Cookie: name{number}={'=;' * 10}; Expires=junk" for number in range(1000))
    await asked.body(json.dumps(asked.response()), *cookies)


# What is no HTTP


def raw_named(name: str, content: bytes | str) -> None:
    async def sends(asked: Asked) -> None:
        good = json.dumps(asked.response())
        text = content.encode() if isinstance(content, str) else content
        await asked.send(text.replace(b"GOOD", good.encode()).replace(b"LENGTH", str(len(good)).encode()))

    named(name, sends)


raw_named("speaks_ssh", "SSH-2.0-OpenSSH_9.6\r\n\r\n")
raw_named("speaks_tls", b"\x15\x03\x01\x00\x02\x02\x16")
raw_named("sends_binary", bytes(range(256)) * 16)
raw_named("speaks_icy", f"ICY 200 OK\r\n{TYPE}\r\nGOOD")
raw_named("speaks_http_2", f"HTTP/2.0 200 OK\r\n{TYPE}Content-Length: LENGTH\r\n\r\nGOOD")
raw_named("has_a_word_for_a_status", f"HTTP/1.1 OK OK\r\n{TYPE}\r\nGOOD")
raw_named("has_status_42", f"HTTP/1.1 42 Odd\r\n{TYPE}\r\nGOOD")
raw_named("has_status_999", f"HTTP/1.1 999 Odd\r\n{TYPE}Content-Length: LENGTH\r\n\r\nGOOD")
raw_named("has_a_header_without_colon", f"HTTP/1.1 200 OK\r\n{TYPE}nonsense\r\n\r\nGOOD")
raw_named("has_a_header_with_nul", f"HTTP/1.1 200 OK\r\n{TYPE}X-A: a\0b\r\nContent-Length: LENGTH\r\n\r\nGOOD")
raw_named("has_two_lengths", f"HTTP/1.1 200 OK\r\n{TYPE}Content-Length: 5\r\nContent-Length: 6\r\n\r\nGOOD")
raw_named("has_a_negative_length", f"HTTP/1.1 200 OK\r\n{TYPE}Content-Length: -5\r\n\r\nGOOD")
raw_named("has_a_length_of_5000_digits", f"HTTP/1.1 200 OK\r\n{TYPE}Content-Length: {'9' * 5000}\r\n\r\nGOOD")
raw_named("has_a_bad_chunk", f"HTTP/1.1 200 OK\r\n{TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\nGOOD\r\n0\r\n\r\n")
raw_named("has_a_huge_chunk", f"HTTP/1.1 200 OK\r\n{TYPE}Transfer-Encoding: chunked\r\n\r\n{'f' * 5000}\r\nGOOD")
raw_named("has_an_unknown_transfer_encoding", f"HTTP/1.1 200 OK\r\n{TYPE}Transfer-Encoding: magic\r\n\r\nGOOD")
raw_named(
    "switches_protocols",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n\x81\x00",
)
raw_named("sends_no_content", "HTTP/1.1 204 No Content\r\n\r\n")
raw_named("sends_more_than_its_length", f"HTTP/1.1 200 OK\r\n{TYPE}Content-Length: LENGTH\r\n\r\nGOODGOODGOOD")


# Encodings and types


@behaviour
async def claims_gzip(asked: Asked) -> None:
    await asked.body(json.dumps(asked.response()), "Content-Encoding: gzip")


@behaviour
async def cuts_off_gzip(asked: Asked) -> None:
    await asked.body(gzip.compress(json.dumps(asked.response()).encode())[:-20], "Content-Encoding: gzip")


@behaviour
async def uses_an_encoding_nobody_asked_for(asked: Asked) -> None:
    await asked.body(json.dumps(asked.response()), "Content-Encoding: br")


@behaviour
async def sends_html(asked: Asked) -> None:
    await asked.body("<html>\x1b[2J\x07Oops</html>", type="text/html", status="500 Internal Server Error")


@behaviour
async def sends_html_with_200(asked: Asked) -> None:
    await asked.body("<html>\x1b[2J\x07Log in</html>", type="text/html")


@behaviour
async def sends_plain_text(asked: Asked) -> None:
    await asked.body(json.dumps(asked.response()), type="text/plain")


@behaviour
async def names_no_type(asked: Asked) -> None:
    await asked.body(json.dumps(asked.response()), type=None)


@behaviour
async def sends_utf_16(asked: Asked) -> None:
    await asked.body(json.dumps(asked.response()).encode("utf-16"), type=f"{JSON}; charset=utf-16")


@behaviour
async def sends_a_byte_order_mark(asked: Asked) -> None:
    await asked.body(b"\xef\xbb\xbf" + json.dumps(asked.response()).encode())


@behaviour
async def sends_invalid_utf_8(asked: Asked) -> None:
    await asked.body(json.dumps(asked.response()).encode().replace(b"first", b"fir\xffst"))


@behaviour
async def streams_invalid_utf_8(asked: Asked) -> None:
    await asked.stream(event(asked.response()).encode().replace(b"first", b"fir\xffst"))


@behaviour
async def sends_a_surrogate_in_utf_8(asked: Asked) -> None:
    await asked.body(json.dumps(asked.response()).encode().replace(b"first", b"\xed\xa0\x80"))


@behaviour
async def escapes_a_lone_surrogate(asked: Asked) -> None:
    await asked.text(json.dumps(RESULT).replace("first", "\\ud800"))


@behaviour
async def streams_a_lone_surrogate(asked: Asked) -> None:
    await asked.stream(event(asked.response()).replace("first", "\\udfff"))


@behaviour
async def has_control_characters_everywhere(asked: Asked) -> None:
    text = "\x1b[31m\x07\u202e\x9b\r\n\u2028"
    await asked.answer(result=DROPPED, error={"code": -32603, "message": text, "data": {text: text}})


@behaviour
async def requests_with_control_characters(asked: Asked) -> None:
    request = {"jsonrpc": "1.0", "id": [1], "method": "\x1b[31m\x07\ud800\n", "params": 7}
    await asked.stream(event(request), event(asked.response()))


# Redirects


def location_named(name: str, location: str) -> None:
    async def redirects(asked: Asked) -> None:
        fields = [f"Location: {location.replace('ORIGIN', asked.origin)}"]
        await asked.body("", *fields, status="307 Temporary Redirect")

    named(name, redirects)


location_named("redirects_elsewhere", "http://127.0.0.1:1/mcp")
location_named("redirects_to_another_name", "http://localhost/mcp")
location_named("redirects_to_another_scheme", "https://127.0.0.1/mcp")
location_named("redirects_to_credentials", "http://user:password@127.0.0.1:1/")
location_named("redirects_to_no_url", "http://[::1")
location_named("redirects_to_a_script", "javascript:alert(1)")
location_named("redirects_to_nowhere", "")
location_named("redirects_to_a_long_path", "/" + "x" * 60_000)


@behaviour
async def redirects_for_ever(asked: Asked) -> None:
    await asked.body("", f"Location: {asked.path}", status="307 Temporary Redirect")


@behaviour
async def redirects_to_a_get(asked: Asked) -> None:
    await asked.body("", f"Location: {asked.path}/there", status="303 See Other")


# JSON


def result_named(name: str, text: str) -> None:
    async def answers(asked: Asked) -> None:
        await asked.text(text)

    named(name, answers)


def body_named(name: str, text: str) -> None:
    async def answers(asked: Asked) -> None:
        await asked.body(text)

    named(name, answers)


def nested(levels: int) -> str:
    return json.dumps(RESULT)[:-1] + ', "deep": ' + "[" * levels + "]" * levels + "}"


def with_number(text: str) -> str:
    return json.dumps(RESULT)[:-1] + f', "number": {text}}}'


result_named("nests_100_levels", nested(100))
result_named("nests_2000_levels", nested(2_000))
result_named("nests_1000000_levels", nested(1_000_000))
result_named("nests_objects", json.dumps(RESULT)[:-1] + ', "deep": ' + '{"a":' * 5000 + "1" + "}" * 5000 + "}")
body_named("opens_a_million_brackets", "[" * 1_000_000)
result_named("has_a_number_beyond_floats", with_number("1e999"))
result_named("has_a_number_of_5000_digits", with_number("9" * 5_000))
result_named("has_a_number_of_a_million_digits", with_number("9" * 1_000_000))
result_named("has_a_fraction_of_a_million_digits", with_number(f"0.{'3' * 1_000_000}"))
result_named("has_nan", with_number("NaN"))
result_named("lists_tools_beyond_floats", '{"tools": [1e999, -1e999], "ttlMs": 1e999}')
result_named("repeats_a_member", json.dumps(RESULT)[:-1] + ', "tools": "gone"}')
result_named("has_a_result_of_null", "null")
result_named("has_a_result_of_list", "[]")
result_named("has_a_result_of_number", "7")
result_named("has_a_result_of_text", '"tools"')
result_named("has_a_result_of_false", "false")
result_named("has_an_empty_result", "{}")
result_named("lists_tools_as_object", '{"tools": {"name": "x"}}')
result_named("lists_junk", '{"tools": [null, 1, "x", [], {}, {"name": null}, {"name": {}, "inputSchema": []}]}')
body_named("sends_an_empty_body", "")
body_named("sends_blanks", " \r\n ")
body_named("sends_half_a_message", '{"jsonrpc": "2.0", "id": 1, "result": {')
body_named("sends_two_messages", '{"jsonrpc": "2.0"} {"jsonrpc": "2.0"}')
body_named("sends_null", "null")
body_named("sends_true", "true")
body_named("sends_a_number", "7")
body_named("sends_text", '"hello\\u001b[31m"')
body_named("sends_an_empty_array", "[]")
body_named("sends_an_array_of_junk", '[null, 1, "x", [], {}]')
body_named("sends_an_empty_object", "{}")


# Responses


def response_named(name: str, **members: Any) -> None:
    async def answers(asked: Asked) -> None:
        await asked.answer(**members)

    named(name, answers)


response_named("answers_another_id", id=4711)
response_named("answers_without_id", id=DROPPED)
response_named("answers_id_null", id=None)
response_named("refuses_without_id", id=DROPPED, result=DROPPED, error={"code": -32603, "message": "whose?"})
response_named("refuses_with_id_null", id=None, result=DROPPED, error={"code": -32603, "message": "whose?"})
response_named("answers_id_object", id={"a": 1})
response_named("answers_id_true", id=True)
response_named("answers_without_result", result=DROPPED)
response_named("answers_without_version", jsonrpc=DROPPED)
response_named("answers_both", error={"code": -32603, "message": "and a result"})
for kind, value in {
    "text": "no",
    "number": 7,
    "true": True,
    "list": [1],
    "nothing": {},
    "code_text": {"code": "-32603", "message": "x"},
    "code_fraction": {"code": -32603.5, "message": "x"},
    "code_missing": {"message": "x"},
    "code_null": {"code": None, "message": "x"},
    "message_number": {"code": -32603, "message": 7},
    "message_missing": {"code": -32603},
    "null": None,
}.items():
    response_named(f"has_an_error_of_{kind}", result=DROPPED, error=value)


@behaviour
async def has_an_error_of_code_infinite(asked: Asked) -> None:
    await asked.body(f'{{"jsonrpc": "2.0", "id": {asked.id}, "error": {{"code": 1e999, "message": ""}}}}')


@behaviour
async def answers_with_text_for_a_number(asked: Asked) -> None:
    await asked.answer(id=str(asked.id))


@behaviour
async def answers_another_id_on_a_stream(asked: Asked) -> None:
    await asked.stream(event(asked.response(id=4711)))


@behaviour
async def answers_id_null_on_a_stream(asked: Asked) -> None:
    await asked.stream(event(asked.response(id=None)))


@behaviour
async def fails_without_id(asked: Asked) -> None:
    error = {"jsonrpc": "2.0", "error": {"code": -32603, "message": "whose?"}}
    await asked.body(json.dumps(error), status="500 Odd")


@behaviour
async def answers_twice_in_an_array(asked: Asked) -> None:
    await asked.body(json.dumps([asked.response(), asked.response(result={"tools": []})]))


@behaviour
async def answers_twice_on_a_stream(asked: Asked) -> None:
    await asked.stream(event(asked.response()), event(asked.response(result={"tools": []})))


@behaviour
async def asks_instead_of_answering(asked: Asked) -> None:
    await asked.stream(event({"jsonrpc": "2.0", "id": "a", "method": "sampling/createMessage", "params": {}}))


# The handshake, at /<behaviour>/always


HANDSHAKE = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "broken", "version": "1"}}
JUNK: dict[str, dict[str, Any]] = {
    "version_object": {"protocolVersion": {"a": 1}},
    "version_list": {"protocolVersion": ["2025-11-25"]},
    "version_number": {"protocolVersion": 2025},
    "version_unknown": {"protocolVersion": "1999-01-01\x1b[31m"},
    "capabilities_list": {"capabilities": [1]},
    "info_text": {"serverInfo": "broken"},
}
for member, junk in JUNK.items():
    response_named(f"shakes_hands_with_{member}", result={**HANDSHAKE, **junk})


def session_named(name: str, session: bytes) -> None:
    async def shakes_hands(asked: Asked) -> None:
        if asked.method == "initialize":
            content = json.dumps(asked.response(result=HANDSHAKE)).encode()
            length = str(len(content)).encode()
            fields = [TYPE.strip().encode(), b"Content-Length: " + length, b"Mcp-Session-Id: " + session]
            await asked.send(b"\r\n".join([b"HTTP/1.1 200 OK", *fields, b"", content]))
        else:
            await answer_well(asked)

    named(name, shakes_hands)


session_named("has_a_session_of_other_bytes", b"caf\xe9")
session_named("has_a_session_of_utf_8", "caf\u00e9\u4e2d".encode())
session_named("has_a_session_with_blanks", b"a b\tc")
session_named("has_a_large_session", b"x" * 90_000)


@behaviour
async def refuses_the_notification(asked: Asked) -> None:
    if asked.method == "notifications/initialized":
        await asked.body("<p>\x1b[31mno", type="text/html", status="500 Internal Server Error")
    else:
        await answer_well(asked)


@behaviour
async def never_ends_its_session(asked: Asked) -> None:
    if asked.verb == "DELETE":
        await for_ever()
    elif asked.method == "initialize":
        await asked.body(json.dumps(asked.response(result=HANDSHAKE)), "Mcp-Session-Id: s")
    else:
        await answer_well(asked)


# The GET stream


@of_the_get_stream
async def get_never_answers(asked: Asked) -> None:
    await for_ever()


@of_the_get_stream
async def get_closes(asked: Asked) -> None:
    return


@of_the_get_stream
async def get_streams_for_ever(asked: Asked) -> None:
    await asked.stream()
    await endlessly(asked, event(NOTIFICATION, "id: \u4e2d", "retry: 0"))


@of_the_get_stream
async def get_streams_comments_for_ever(asked: Asked) -> None:
    await asked.stream()
    await endlessly(asked, ": x\n\n")


@of_the_get_stream
async def get_ends_again_and_again(asked: Asked) -> None:
    await asked.stream("retry: 0\nid: a\x01b\n\n")


@of_the_get_stream
async def get_names_events_in_chinese(asked: Asked) -> None:
    await asked.stream("retry: 0\nid: \u4e2d\n\n")


@of_the_get_stream
async def get_waits_for_ages(asked: Asked) -> None:
    await asked.stream(f"retry: {'9' * 400}\nid: 1\n\n")


@of_the_get_stream
async def get_answers_too(asked: Asked) -> None:
    await asked.stream(
        "retry: 10\n\n", *(event(asked.response(id=number, result={"tools": []})) for number in range(4))
    )
    await for_ever()


@of_the_get_stream
async def get_sends_junk(asked: Asked) -> None:
    await asked.stream(
        *(f"data: {text}\n\n" for text in ("null", "7", "[[]]", "}", "[null]", '{"id": 1, "method": 1}'))
    )
    await for_ever()


@of_the_get_stream
async def get_sends_no_json(asked: Asked) -> None:
    await asked.stream("id: 1\ndata:\n\n", "data: hello\n\n")
    await for_ever()


@of_the_get_stream
async def get_asks_with_junk(asked: Asked) -> None:
    request = {"jsonrpc": "2.0", "id": {"a": []}, "method": "\ud800\x1b[31m", "params": [1]}
    await asked.stream(*(event(request) for _ in range(3)))
    await for_ever()


# Serving


async def answer_well(asked: Asked) -> None:
    """Answer as a server without sessions and without a GET stream."""
    if asked.verb != "POST":
        await asked.body("", status="405 Method Not Allowed")
    elif asked.id is None:
        await asked.body("", status="202 Accepted")
    elif asked.method == "initialize":
        params = asked.message.get("params")
        version = params.get("protocolVersion") if isinstance(params, dict) else None
        await asked.answer(result={**HANDSHAKE, "protocolVersion": version or HANDSHAKE["protocolVersion"]})
    else:
        await asked.answer()


async def answer(asked: Asked) -> None:
    _, name, *steps = asked.path.split("/")
    breaks = BEHAVIOURS.get(name, answer_well)
    if name in OF_THE_GET_STREAM:
        broken = asked.verb == "GET"
    else:
        shakes_hands = asked.method in {"initialize", "notifications/initialized"}
        later = "later" in steps and asked.verb == "POST" and not shakes_hands
        broken = "always" in steps or later or (asked.verb == "POST" and asked.method == "tools/list")
    await (breaks if broken else answer_well)(asked)


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one request a connection; end when the client does."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        verb, path, _ = head[0].split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        message = None
        with suppress(ValueError):
            message = json.loads(body)
        asked = Asked(verb, path, headers, message, writer, asyncio.Event())
        await until_either(answer(asked), until_closed(reader, asked.more))
    except (OSError, asyncio.IncompleteReadError):
        return
    finally:
        with suppress(OSError):
            writer.close()


async def until_closed(reader: asyncio.StreamReader, more: asyncio.Event) -> None:
    while await reader.read(65536):
        more.set()


async def until_either(*work: Awaitable[object]) -> None:
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def main() -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=4 * MEGABYTE)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
