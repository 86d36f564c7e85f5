"""Where a scenario of the client leg plays: servers are put on the stage, then the client under test runs against them.

The client is a command, the reference client of this package, or a person's own who is told the URL. Which one it is, is a
`ClientTarget`, and no scenario knows it.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from pytest_mcp_conformance.exceptions import PeerUnreachable
from pytest_mcp_conformance.json_values import JsonObject, dumps
from pytest_mcp_conformance.mock_server import MockEndpoint, MockServer, RecordedApp, Script
from pytest_mcp_conformance.mock_server.app import ENDPOINT
from pytest_mcp_conformance.mock_server.recorded import Answering
from pytest_mcp_conformance.model import DRAFT, ClientEnd, Revision
from pytest_mcp_conformance.protocol.recorder import Recorder
from pytest_mcp_conformance.serving.hosting import serve
from pytest_mcp_conformance.serving.venue import LOCAL, Venue

CONTEXT = "MCP_CONFORMANCE_CONTEXT"
STOP_SECONDS = 3.0  # for one server to end; more than open connections get


@dataclass(frozen=True, kw_only=True)
class Call:
    """One run of a client: what it is told."""

    url: str
    scenario: str
    revision: Revision
    context: JsonObject | None = None

    @property
    def environment(self) -> dict[str, str]:
        """The variables that tell it: names and values are published."""
        told = {"MCP_CONFORMANCE_SCENARIO": self.scenario, "MCP_CONFORMANCE_PROTOCOL_VERSION": self.revision.value}
        if self.context is None:
            return told
        return told | {CONTEXT: dumps({"name": self.scenario, **self.context})}


class ClientTarget(Protocol):
    """A client under test."""

    @property
    def description(self) -> str:
        """What it is, for the reader of a report: a noun phrase."""
        ...

    async def run(self, call: Call, *, within: float) -> ClientEnd:
        """Let the client run, and return how it ended: by itself, or after `within` seconds by force, with all it started.

        :raises PeerUnreachable: it cannot be started; the message says why and what to do.
        """
        ...


@dataclass
class Stage:
    """The stage of one run.

    :param timeout: seconds that the client gets.
    :param venue: where its servers listen.
    :ivar recorder: keeps and judges all traffic of all servers of this run.
    :ivar mocks: the MCP servers that were put on it.
    :ivar end: how the client ended, once it has.
    """

    scenario: str
    revision: Revision
    target: ClientTarget
    recorder: Recorder
    timeout: float
    venue: Venue = LOCAL
    mocks: list[MockServer] = field(default_factory=list)
    end: ClientEnd | None = None
    _apps: list[RecordedApp] = field(default_factory=list, init=False)
    _serving: list[tuple[asyncio.Event, asyncio.Task[None]]] = field(default_factory=list, init=False)
    _sockets: list[socket.socket] = field(default_factory=list, init=False)

    @property
    def revisions(self) -> tuple[Revision, ...]:
        """What a server of this run speaks: the revision of the run, and on the stateful wire what came before it."""
        if self.revision.stateless:
            return (DRAFT,)
        return tuple(each for each in Revision if each <= self.revision)

    @property
    def connected(self) -> bool:
        """Whether a request of the client has come to any server."""
        return any(app.requests for app in self._apps)

    async def mock(self, script: Script) -> MockServer:
        """Put an MCP server on the stage that does as `script` says; it speaks what its `revisions` say."""
        endpoint = MockEndpoint(script, self.recorder, public=self.venue.public)
        base, app = await self._put(endpoint.answer, endpoint.close, () if self.mocks else self.venue.reserved)
        server = MockServer(f"{base}{ENDPOINT}", app, endpoint, self.recorder)
        self.mocks.append(server)
        return server

    async def serve(self, answering: Answering, *, close: Callable[[], None] = lambda: None) -> str:
        """Put a server on the stage that answers HTTP requests in its own way; return its URL, without a path.

        :param close: ends what it keeps open.
        """
        base, _ = await self._put(answering, close)
        return base

    async def client(self, url: str, *, context: JsonObject | None = None) -> ClientEnd:
        """Let the client under test run against `url`, and return how it ended.

        :param context: what it is told in MCP_CONFORMANCE_CONTEXT.
        :raises PeerUnreachable: it cannot be started, or failed before it sent a request.
        """
        call = Call(url=url, scenario=self.scenario, revision=self.revision, context=context)
        self.end = end = await self.target.run(call, within=self.timeout)
        if end.watched and not (self.connected or end.timed_out or end.exit_code == 0):
            raise PeerUnreachable(f"{self.target.description} {end.told} before a request of it came to {url}.")
        return end

    async def close(self) -> None:
        """Stop all servers. A fault of one is a fault of ours, and kept as such."""
        for shutdown, _ in self._serving:
            shutdown.set()
        tasks = [task for _, task in self._serving]
        try:
            if tasks:
                await asyncio.wait(tasks, timeout=STOP_SECONDS)
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            for sock in self._sockets:
                sock.close()
        self.recorder.faults.extend(each for each in ended if isinstance(each, Exception))

    async def _put(
        self, answering: Answering, close: Callable[[], None], reserved: tuple[socket.socket, ...] = ()
    ) -> tuple[str, RecordedApp]:
        app = RecordedApp(answering, self.recorder, close=close, venue=self.venue)
        sockets = reserved or self.venue.listen()
        self._sockets.extend(sockets)
        shutdown = asyncio.Event()
        self._serving.append((shutdown, asyncio.create_task(serve(app, sockets[0], shutdown, *sockets[1:]))))
        self._apps.append(app)
        return self.venue.url(sockets), app
