"""Connections of a test to the server under test: recorded, judged by the schema of the revision, closed at the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from types import TracebackType
from typing import Protocol

import pytest

from pytest_mcp_conformance.exceptions import Misuse, Nonconforming, PeerUnreachable
from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import DRAFT, Revision
from pytest_mcp_conformance.own_tests.transcripts import Kept, keep
from pytest_mcp_conformance.peer import Peer, open_peer
from pytest_mcp_conformance.peer.blocking import BlockingPeer, loop_in_thread
from pytest_mcp_conformance.protocol.http import Http
from pytest_mcp_conformance.protocol.recorder import Origin, Recorder, Violation, without_secrets
from pytest_mcp_conformance.running import CLOSING_SECONDS, ServerUnderTest, secrets_of

__tracebackhide__ = True  # what fails is told where the test called


class Connect(Protocol):
    """The fixture `mcp_connect`."""

    def __call__(
        self,
        revision: str,
        *,
        validate: bool = True,
        capabilities: JsonObject | None = None,
        client_info: JsonObject | None = None,
    ) -> Connection:
        """Return a connection at `revision`, to be entered by `async with`, or by `with` where there is no coroutine.

        :param validate: fail the test for messages of the server that break the schema.
        :param capabilities: what the client declares.
        :raises Misuse: there is no such revision.
        """
        ...


def connector(item: pytest.Item, server: ServerUnderTest) -> Connect:
    """Return the connections of one test."""

    def connect(
        revision: str,
        *,
        validate: bool = True,
        capabilities: JsonObject | None = None,
        client_info: JsonObject | None = None,
    ) -> Connection:
        asked = revision_named(revision, "mcp_connect")
        recorder = Recorder(revision=asked, secrets=secrets_of(server.headers))
        http = Http(recorder, headers=server.headers)
        peer = open_peer(http, server.url, asked, capabilities=capabilities, client_info=client_info)
        keep(item, Kept(title=f"MCP {asked.value}, {server.url}", entries=recorder.transcript))
        return Connection(peer, server, validate=validate)

    return connect


def revision_named(name: str, where: str) -> Revision:
    """Return the revision called `name`, or the newest for `draft`.

    :param where: what was called, for the message.
    :raises Misuse: there is none.
    """
    if name == "draft":
        return DRAFT
    if name not in set(Revision):
        raise Misuse(f"{where}: there is no revision {name!r}. Possible: {', '.join([*Revision, 'draft'])}.")
    return Revision(name)


class Connection:
    """A connection that is entered once; `async with` gives a `Peer`, `with` a `BlockingPeer`."""

    def __init__(self, peer: Peer, server: ServerUnderTest, *, validate: bool) -> None:
        self._peer = peer
        self._recorder = peer.http.recorder
        self._server = server
        self._validate = validate
        self._entered = False
        self._conversation = self._connected()
        self._blocking = self._connected_in_thread()

    async def __aenter__(self) -> Peer:
        self._enter_once()
        if not _asyncio_runs():
            raise Misuse("mcp_connect runs on asyncio. Let this test run on it, or use `with` in a function.")
        return await self._conversation.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._conversation.__aexit__(kind, error, trace)

    def __enter__(self) -> BlockingPeer:
        self._enter_once()
        if _asyncio_runs():
            raise Misuse("`with mcp_connect(...)` would block the event loop of this test. Write `async with`.")
        return self._blocking.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._blocking.__exit__(kind, error, trace)

    def _enter_once(self) -> None:
        if self._entered:
            raise Misuse("A connection is entered once. Call mcp_connect for another one.")
        self._entered = True

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Peer]:
        try:
            await self._peer.connect()
            yield self._peer
        except BaseException as error:
            await self._close()
            self._tell_beside(error)
            raise
        await self._close()
        self._judge()

    @contextmanager
    def _connected_in_thread(self) -> Iterator[BlockingPeer]:
        with loop_in_thread() as loop:
            try:
                loop.run(self._peer.connect())
                yield BlockingPeer(self._peer, loop)
            except BaseException as error:
                loop.run(self._close())
                self._tell_beside(error)
                raise
            loop.run(self._close())
        self._judge()

    async def _close(self) -> None:
        """End the session and every connection; what the server does about it decides nothing."""
        try:
            async with asyncio.timeout(CLOSING_SECONDS):
                await self._peer.close()
        except TimeoutError:
            self._recorder.note("closing took too long and was given up")
        finally:
            await self._peer.http.close()

    def _judge(self) -> None:
        """Fail the test for what was wrong with the messages."""
        if self._recorder.faults:  # ours, not the server's: they keep their traceback
            raise self._recorder.faults[0]
        if told := self._violations():
            pytest.fail(told, pytrace=False)

    def _tell_beside(self, error: BaseException) -> None:
        """Tell what else is known beside the failure that the test ends in anyway."""
        for remark in (_compared(error), self._obituary(error), self._violations()):
            if remark:
                error.add_note(remark)

    def _violations(self) -> str | None:
        found = [each for each in self._recorder.violations if each.origin is Origin.IMPLEMENTATION]
        if not found or not self._validate:
            return None
        return str(without_secrets(violations_text(found), self._recorder.secrets))

    def _obituary(self, error: BaseException) -> str | None:
        return self._server.obituary() if isinstance(error, PeerUnreachable | Nonconforming) else None


def violations_text(violations: Sequence[Violation]) -> str:
    """Return what a reader needs of messages that break the schema."""
    number = len(violations)
    lines = [f"{number} {'message' if number == 1 else 'messages'} of the server broke the schema"]
    for each in violations:
        lines.append(f"  {each.context}, by {each.revision.value}:")
        lines += [f"    {text}" for text in each.errors]
    return "\n".join(lines)


def _compared(error: BaseException) -> str | None:
    if isinstance(error, Nonconforming) and error.expected:
        return f"expected {error.expected}, got {error.got}"
    return None


def _asyncio_runs() -> bool:
    """Tell whether this code is called by an event loop of asyncio."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
