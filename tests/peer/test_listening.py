"""Responses that are read while they arrive: what counts as a message, and when to stop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.peer import open_peer
from pytest_mcp_conformance.peer.listening import Heard, hear
from pytest_mcp_conformance.protocol.http import Http
from pytest_mcp_conformance.protocol.recorder import Origin, Recorder

META: JsonObject = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
REQUEST: JsonObject = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "it", "_meta": META}}
NAMELESS: JsonObject = {**REQUEST, "params": {"_meta": META}}
EVENTS, JSON = "text/event-stream", "application/json"


@asynccontextmanager
async def answering(*parts: str, type: str, hold: bool = False) -> AsyncIterator[str]:  # noqa: A002 -- the header's name
    """Serve a body part by part, and then, to `hold` the connection, nothing."""
    held = asyncio.Event()

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {type}\r\nConnection: close\r\n\r\n".encode())
        for part in parts:
            writer.write(part.encode())
            await writer.drain()
            await asyncio.sleep(0)
        if hold:
            await held.wait()
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(connection, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
        held.set()


async def heard(
    *parts: str,
    type: str,  # noqa: A002 -- the header's name
    hold: bool = False,
    within: float = 5.0,
    enough: int = 99,
    recorder: Recorder | None = None,
    request: JsonObject = REQUEST,
) -> Heard:
    """Return what is heard of such a response."""
    http = Http(recorder or Recorder(revision=Revision.V2026_07_28))
    try:
        async with answering(*parts, type=type, hold=hold) as url:
            peer = open_peer(http, url, Revision.V2026_07_28)
            return await hear(peer, request, headers={}, within=within, enough=lambda messages: len(messages) >= enough)
    finally:
        await http.close()


@pytest.mark.parametrize(
    ("parts", "type", "messages"),
    [
        (('data: {"a": 1}\n\n', 'data: {"b": 2}\n\n'), EVENTS, [{"a": 1}, {"b": 2}]),
        (('data: {"a":\ndata: 1}\n\n',), EVENTS, [{"a": 1}]),
        ((": hello\n\n", "id: 1\ndata:\n\n", "data: no\n\n", "data: null\n\n"), EVENTS, [None]),
        (('data: {"a"', ": 1}\n\n"), EVENTS, [{"a": 1}]),
        (('data: {"a": 1}',), EVENTS, [{"a": 1}]),
        (('{"a": 1}\n', '{"b": 2}\n'), JSON, [{"a": 1}, {"b": 2}]),
        (('{"a": 1}\n', "no\n", '{"b": 2}'), JSON, [{"a": 1}, {"b": 2}]),
        (('{\n "a": [\n  {}\n ]\n}\n',), JSON, [{"a": [{}]}]),
        (('{"a": 1}',), JSON, [{"a": 1}]),
        (('event: message\ndata: {"a": 1}\n\n', ': ping\n\ndata: {"b": 2}\n\n'), JSON, [{"a": 1}, {"b": 2}]),
        (("<h1>no</h1>\n",), "text/html", []),
        ((), JSON, []),
    ],
    ids=[
        "events",
        "an event over two lines",
        "events without a message",
        "an event in two parts",
        "an event cut off",
        "lines",
        "lines with one that is no JSON",
        "JSON over several lines",
        "JSON",
        "events under another type",
        "HTML",
        "nothing",
    ],
)
async def test_messages_are_read_from_every_form(parts: tuple[str, ...], type: str, messages: list[JsonValue]) -> None:  # noqa: A002
    assert (await heard(*parts, type=type)).messages == messages


async def test_an_event_that_is_no_json_breaks_the_schema() -> None:
    recorder = Recorder(revision=Revision.V2026_07_28)
    await heard("id: 1\ndata:\n\n", "data: no\n\n", type=EVENTS, recorder=recorder)
    (violation,) = recorder.violations
    assert (violation.origin, violation.message) == (Origin.IMPLEMENTATION, '"no"')
    assert violation.context == "from the server, in answer to tools/call"
    assert violation.errors[0].startswith("no JSON-RPC message: the data of an event is not JSON")


@pytest.mark.parametrize(("request_", "origins"), [(REQUEST, []), (NAMELESS, [Origin.HARNESS])])
async def test_the_request_is_judged_too(request_: JsonObject, origins: list[Origin]) -> None:
    recorder = Recorder(revision=Revision.V2026_07_28)
    await heard(type=EVENTS, recorder=recorder, request=request_)
    assert [each.origin for each in recorder.violations] == origins


async def test_listening_ends_with_its_time_and_keeps_what_came() -> None:
    found = await heard('data: {"a": 1}\n\n', type=EVENTS, hold=True, within=0.1)
    assert (found.messages, found.status) == ([{"a": 1}], 200)
    assert found.messages_within(5.0) == [{"a": 1}]
    assert found.messages_within(-1.0) == []


async def test_listening_ends_when_enough_has_come() -> None:
    found = await heard('data: {"a": 1}\n\n', 'data: {"b": 2}\n\n', type=EVENTS, hold=True, enough=1)
    assert found.messages == [{"a": 1}]
