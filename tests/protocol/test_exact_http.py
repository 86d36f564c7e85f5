"""Header values that travel byte by byte, with the spaces around them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from pytest_mcp_conformance.exceptions import Nonconforming, PeerUnreachable
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol import exact_http
from pytest_mcp_conformance.protocol.http import Http
from pytest_mcp_conformance.protocol.recorder import Recorder

SPACES = {"Mcp-Name": "  name\t"}


@asynccontextmanager
async def answering(*answer: bytes) -> AsyncIterator[tuple[str, list[bytes]]]:
    """Serve these bytes to every connection; give the URL and what the connections brought."""
    heads: list[bytes] = []

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        for part in answer:
            writer.write(part)
            await writer.drain()
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(connection, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp?a=b", heads


@asynccontextmanager
async def client() -> AsyncIterator[Http]:
    http = Http(Recorder(revision=Revision.V2026_07_28), headers={"Authorization": "secret"})
    try:
        yield http
    finally:
        await http.close()


async def test_the_spaces_around_a_value_are_sent() -> None:
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    async with answering(answer) as (url, heads), client() as http:
        found = await http.fetch("POST", url, headers=SPACES, body={"a": 1})
    assert (found.status, found.body) == (200, b"{}")
    first, *lines = heads[0].split(b"\r\n")
    assert first == b"POST /mcp?a=b HTTP/1.1"
    assert b"Mcp-Name:   name\t" in lines
    assert b"Authorization: secret" in lines
    assert b"Content-Length: 8" in lines


async def test_a_chunked_body_after_an_informational_response_is_read() -> None:
    head = b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 400 No\r\nTransfer-Encoding: chunked\r\n\r\n"
    async with answering(head, b"3\r\nabc\r\n", b"0\r\n\r\n") as (url, _), client() as http:
        found = await http.fetch("POST", url, headers=SPACES)
    assert (found.status, found.body) == (400, b"abc")


@pytest.mark.parametrize(
    "answer",
    [b"", b"hello\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc"],
    ids=["nothing", "no HTTP", "half a body"],
)
async def test_what_is_no_whole_response_is_the_fault_of_the_peer(answer: bytes) -> None:
    async with answering(answer) as (url, _), client() as http:
        with pytest.raises(Nonconforming):
            await http.fetch("POST", url, headers=SPACES)


async def test_a_value_cannot_begin_another_header() -> None:
    async with answering() as (url, heads), client() as http:
        with pytest.raises(Nonconforming):
            await http.fetch("POST", url, headers={"Mcp-Name": "  a\r\nHost: b "})
    assert heads == []


async def test_nobody_there_is_no_fault_of_conformance() -> None:
    async with answering() as (url, _):
        pass
    async with client() as http:
        with pytest.raises(PeerUnreachable):
            await http.fetch("POST", url, headers=SPACES)


async def test_a_connection_that_does_not_close_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = asyncio.Event()

    async def never(_: asyncio.StreamWriter) -> None:
        await endless.wait()

    monkeypatch.setattr(exact_http, "CLOSING_SECONDS", 0.05)
    monkeypatch.setattr(asyncio.StreamWriter, "wait_closed", never)
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
    async with client() as http, asyncio.timeout(5), answering(answer) as (url, _):
        assert (await http.fetch("POST", url, headers=SPACES)).body == b"{}"
