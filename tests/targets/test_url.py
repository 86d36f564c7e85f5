"""A server that somebody else runs."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from pytest_mcp_conformance.exceptions import Misuse, PeerUnreachable
from pytest_mcp_conformance.targets.listening import Endpoint, Unresolved, free_port, resolve, why_silent
from pytest_mcp_conformance.targets.url import UrlTarget


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        yield sock


@pytest.fixture
def deaf() -> Iterator[socket.socket]:
    """A socket whose queue is full, so that connecting to it takes for ever."""
    with socket.socket() as sock, socket.socket() as first, socket.socket() as second:
        sock.bind(("127.0.0.1", 0))
        sock.listen(0)
        for client in (first, second):
            client.settimeout(0)
            client.connect_ex(sock.getsockname())
        yield sock


def test_a_server_that_listens_is_ready(listener: socket.socket) -> None:
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    target = UrlTarget(url)
    assert target.start() == url
    assert target.description == f"the server at {url}"
    assert target.obituary() is None
    target.stop()
    target.stop()


def test_one_of_a_hosts_addresses_is_enough(listener: socket.socket) -> None:
    port = listener.getsockname()[1]
    both = tuple(Endpoint(family, (host, port)) for family, host in FAMILIES)
    assert why_silent(both, within=5) is None
    assert why_silent(both[::-1], within=5) is None


FAMILIES = ((socket.AF_INET, "127.0.0.2"), (socket.AF_INET, "127.0.0.1"))


def test_where_nothing_listens_the_error_names_url_and_reason_and_comes_soon() -> None:
    url = f"http://127.0.0.1:{free_port()}/mcp"
    started = time.monotonic()
    with pytest.raises(PeerUnreachable) as raised:
        UrlTarget(url).start()
    assert time.monotonic() - started < 2
    assert str(raised.value) == (
        f"nothing listens at {url}: 127.0.0.1: Connection refused. Start the server first, or have it started with"
        " --mcp-server-cmd."
    )


def test_a_server_that_comes_up_at_the_same_moment_is_waited_for() -> None:
    port = free_port()
    sockets: list[socket.socket] = []
    tries: list[int] = []

    def look(endpoints: tuple[Endpoint, ...], *, within: float) -> str | None:
        tries.append(1)
        if len(tries) == 2:
            sockets.append(socket.create_server(("127.0.0.1", port)))
        return why_silent(endpoints, within=within)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pytest_mcp_conformance.targets.url.why_silent", look)
        UrlTarget(f"http://127.0.0.1:{port}/", patience=20).start()
    sockets[0].close()
    assert len(tries) == 2


def test_a_server_that_does_not_take_the_connection_is_given_up(deaf: socket.socket) -> None:
    url = f"http://127.0.0.1:{deaf.getsockname()[1]}/mcp"
    with pytest.raises(PeerUnreachable, match=r"127\.0\.0\.1: no connection within 0\.2 s"):
        UrlTarget(url, patience=0, connect_within=0.2).start()


def test_a_host_without_address_is_named() -> None:
    with pytest.raises(
        PeerUnreachable, match=r"nothing listens at http://no-such-host\.invalid/mcp: the host 'no-such-"
    ):
        UrlTarget("http://no-such-host.invalid/mcp").start()


def test_a_resolver_that_hangs_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()

    def hang(*_: Any, **__: Any) -> Any:
        released.wait(60)
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    try:
        with pytest.raises(Unresolved, match=r"looking up the host 'example\.org' took more than 0\.05 s"):
            resolve("example.org", 80, within=0.05)
    finally:
        released.set()


def test_a_url_that_cannot_be_used_is_refused_before_the_start() -> None:
    with pytest.raises(Misuse):
        UrlTarget("example.org")
