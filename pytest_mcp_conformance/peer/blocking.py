"""A peer for code without coroutines: every call waits for its answer, in an event loop of a thread of its own.

Between the calls the loop goes on: it takes what the server sends, and answers its requests.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.peer.api import Headers, Peer, ServerRequestHandler
from pytest_mcp_conformance.protocol.json_rpc import Answer

T = TypeVar("T")

__tracebackhide__ = True  # what fails is told where the test called, not where the thread waits

JOIN_SECONDS = 10.0  # then the thread is lost, and saying so is better than hanging


class Loop:
    """An event loop that runs in another thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` in the loop and return what it returned."""
        running = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return running.result()
        except BaseException:
            running.cancel()  # Ctrl+C: nobody waits for it any more
            raise


@contextmanager
def loop_in_thread() -> Iterator[Loop]:
    """Run an event loop in a thread of its own until it is left."""
    loop = asyncio.new_event_loop()

    def serve() -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_forever()
            loop.run_until_complete(loop.shutdown_asyncgens())
        finally:
            loop.close()

    thread = threading.Thread(target=serve, name="mcp-connection", daemon=True)
    thread.start()
    try:
        yield Loop(loop)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(JOIN_SECONDS)
        if thread.is_alive():
            raise RuntimeError("The thread of a connection does not stop")


class BlockingPeer:
    """The part of `Peer` that tests without coroutines need, with calls that wait. The methods do what those of `Peer` do."""

    def __init__(self, peer: Peer, loop: Loop) -> None:
        self._peer = peer
        self._loop = loop

    @property
    def url(self) -> str:
        """The endpoint."""
        return self._peer.url

    @property
    def revision(self) -> Revision:
        """What was asked for."""
        return self._peer.revision

    @property
    def notifications(self) -> list[JsonObject]:
        """Those that came so far, in the order of arrival."""
        return list(self._peer.notifications)

    @property
    def session_id(self) -> str | None:
        """The session that the server issued."""
        return self._peer.session_id

    def request(
        self,
        method: str,
        params: JsonObject | None = None,
        *,
        headers: Headers | None = None,
        within: float | None = None,
    ) -> JsonObject:
        """Send a request and return its result: see `Peer.request`."""
        return self._loop.run(self._peer.request(method, params, headers=headers, within=within))

    def ask(
        self,
        method: str,
        params: JsonObject | None = None,
        *,
        headers: Headers | None = None,
        within: float | None = None,
        malformed: bool = False,
    ) -> Answer:
        """Send a request and return what came: see `Peer.ask`."""
        return self._loop.run(self._peer.ask(method, params, headers=headers, within=within, malformed=malformed))

    def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Send a notification: see `Peer.notify`."""
        self._loop.run(self._peer.notify(method, params))

    def discover(self) -> JsonObject:
        """Return what the server says of itself: see `Peer.discover`."""
        return self._loop.run(self._peer.discover())

    def answer(self, method: str, handler: ServerRequestHandler) -> None:
        """Answer requests of the server, in the thread of the connection: see `Peer.answer`."""
        self._peer.answer(method, handler)
