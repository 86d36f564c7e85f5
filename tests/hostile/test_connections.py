"""Requests on new connections, on kept ones, and with headers that only an exact transport sends."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from pytest_mcp_conformance.exceptions import Nonconforming, PeerUnreachable
from pytest_mcp_conformance.json_values import JsonObject, dumps
from pytest_mcp_conformance.protocol.http import Http, HttpAnswer
from pytest_mcp_conformance.protocol.recorder import Recorder
from tests.hostile.runs import STATELESS

PATIENCE = 10.0  # seconds; only a fault takes as long
PADDED = {"X-Padded": "  a  "}

T = TypeVar("T")


def asked(work: Callable[[Http], Awaitable[T]]) -> tuple[T, str]:
    """Do some work with a client; return what it returns, and the transcript."""

    async def all_of_it() -> tuple[T, str]:
        http = Http(Recorder(revision=STATELESS))
        try:
            return await work(http), dumps(http.recorder.transcript())
        finally:
            await http.close()

    return asyncio.run(all_of_it())


def ask(http: Http, url: str, headers: dict[str, str]) -> Awaitable[HttpAnswer]:
    message: JsonObject = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    return http.fetch("POST", url, headers=headers, body=message, within=PATIENCE)


@pytest.mark.parametrize("headers", [{}, PADDED], ids=["usual", "exact"])
def test_nobody_there_is_unreachable(headers: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(PeerUnreachable, match="nothing answers"):
        asked(lambda http: ask(http, f"http://127.0.0.1:{port}/", headers))


@pytest.mark.parametrize("headers", [{}, PADDED], ids=["usual", "exact"])
@pytest.mark.parametrize(
    "behaviour",
    [
        "closes_without_an_answer",
        "resets_the_connection",
        "closes_inside_the_head",
        "closes_inside_the_body",
        "speaks_ssh",
    ],
)
def test_a_broken_answer_is_no_answer(base: str, behaviour: str, headers: dict[str, str]) -> None:
    with pytest.raises(Nonconforming):
        asked(lambda http: ask(http, f"{base}/{behaviour}", headers))


@pytest.mark.parametrize("headers", [{}, PADDED], ids=["usual", "exact"])
def test_a_good_answer_is_one(base: str, headers: dict[str, str]) -> None:
    answer, _ = asked(lambda http: ask(http, f"{base}/conforms", headers))
    assert answer.status == 200


def test_a_request_on_a_connection_that_the_server_closes_is_sent_again(base: str) -> None:
    async def thrice(http: Http) -> list[int]:
        return [(await ask(http, f"{base}/closes_on_the_next_request", {})).status for _ in range(3)]

    statuses, transcript = asked(thrice)
    assert statuses == [200, 200, 200]
    assert transcript.count("sent again: the server had closed the connection") == 2


def test_a_request_on_a_new_connection_is_not_sent_again(base: str) -> None:
    async def twice(http: Http) -> None:
        for _ in range(2):
            with pytest.raises(Nonconforming):
                await ask(http, f"{base}/closes_without_an_answer", {})

    _, transcript = asked(twice)
    assert "sent again" not in transcript
    assert transcript.count('"kind": "request"') == 2


def test_cookies_are_not_kept(base: str) -> None:
    async def twice(http: Http) -> dict[str, str]:
        assert "set-cookie" in (await ask(http, f"{base}/sends_many_cookies", {})).headers
        async with http.open("GET", f"{base}/conforms") as stream:
            return dict(stream._response.request.headers)

    headers, _ = asked(twice)
    assert headers.keys() == {"host", "user-agent", "accept", "accept-encoding"}


def test_of_headers_of_one_name_the_last_is_sent(base: str) -> None:
    async def seen(http: Http) -> dict[str, str]:
        async with http.open("POST", f"{base}/conforms", headers={"accept": "a/b", "USER-AGENT": "me"}) as stream:
            return dict(stream._response.request.headers)

    headers, _ = asked(seen)
    assert (headers["accept"], headers["user-agent"]) == ("a/b", "me")
