"""A mock server that runs, as a test sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from pytest_mcp_conformance.json_values import JsonValue, dumps
from pytest_mcp_conformance.mock_server.app import ENDPOINT, MockEndpoint
from pytest_mcp_conformance.mock_server.received import Received
from pytest_mcp_conformance.mock_server.recorded import RecordedApp
from pytest_mcp_conformance.mock_server.script import Script
from pytest_mcp_conformance.mock_server.stateful import SESSION_HEADER
from pytest_mcp_conformance.model import LATEST_STATEFUL
from pytest_mcp_conformance.protocol.json_rpc import Kind
from pytest_mcp_conformance.protocol.recorder import Origin, Recorder, Violation
from pytest_mcp_conformance.serving.hosting import in_thread
from pytest_mcp_conformance.serving.http import HttpRequest

WAIT_SECONDS = 5.0  # for the thread of the server to do what it is told


class MockServer:
    """A server that a client under test talks to. It may be looked at from any thread, at any time.

    :ivar url: of the endpoint.
    """

    def __init__(self, url: str, app: RecordedApp, endpoint: MockEndpoint, recorder: Recorder) -> None:
        self.url = url
        self._app = app
        self._endpoint = endpoint
        self._recorder = recorder

    @property
    def requests(self) -> tuple[Received, ...]:
        """The JSON-RPC messages that clients sent, notifications and responses included, in the order in which they came."""
        return tuple(self._endpoint.received)

    @property
    def methods(self) -> tuple[str, ...]:
        """The JSON-RPC methods of what clients sent, in order."""
        return tuple(each.method for each in self.requests if each.method is not None)

    @property
    def answered(self) -> tuple[Received, ...]:
        """The JSON-RPC requests whose result went out, on whatever stream: one that was refused is not among them."""
        requests = {http.entry: http for http in self.http_requests}
        sent = {(entry, id_) for entry, id_ in self._app.results}
        resumed = {  # by a GET, whose stream began with another request of the session
            (http.headers.get(SESSION_HEADER), id_)
            for entry, id_ in sent
            if (http := requests.get(entry)) is not None and http.method == "GET"
        }
        return tuple(
            each
            for each in self.requests
            if each.kind is Kind.REQUEST
            and (
                (each.http.entry, dumps(each.id)) in sent
                or (each.headers.get(SESSION_HEADER), dumps(each.id)) in resumed
            )
        )

    @property
    def http_requests(self) -> tuple[HttpRequest, ...]:
        """The HTTP requests that came: also GET and DELETE, and bodies that are no JSON."""
        return tuple(self._app.requests)

    @property
    def sessions(self) -> dict[str, HttpRequest]:
        """The sessions that were issued, ended ones too, by id: the HTTP request that each began with."""
        return self._endpoint.sessions

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Messages of clients that break the schema of their revision."""
        return tuple(each for each in self._recorder.violations if each.origin is Origin.IMPLEMENTATION)

    @property
    def bent(self) -> tuple[Violation, ...]:
        """Answers of the script that break the schema: on purpose, or by mistake."""
        return tuple(each for each in self._recorder.violations if each.origin is Origin.HARNESS)

    @property
    def script_errors(self) -> tuple[Exception, ...]:
        """What functions of the script raised that is no answer. The client was told -32603."""
        return tuple(self._endpoint.responder.script_errors)

    @property
    def faults(self) -> tuple[BaseException, ...]:
        """What went wrong in the mock server itself."""
        return tuple(self._recorder.faults)

    def transcript(self) -> tuple[JsonValue, ...]:
        """Return all that travelled, one entry each, as `wire.jsonl` has them."""
        return self._recorder.transcript()

    def end_sessions(self) -> None:
        """End every session: the next request in one is answered with 404, and a client has to begin anew."""
        if self._app.loop is not None:
            asyncio.run_coroutine_threadsafe(self._end_sessions(), self._app.loop).result(WAIT_SECONDS)

    async def _end_sessions(self) -> None:
        self._endpoint.end_sessions()


@contextmanager
def running_mock(script: Script) -> Iterator[MockServer]:
    """Run a mock server on a free port, in a thread of its own."""
    recorder = Recorder(revision=LATEST_STATEFUL, requester=Origin.IMPLEMENTATION)
    endpoint = MockEndpoint(script, recorder)
    app = RecordedApp(endpoint.answer, recorder, close=endpoint.close)
    with in_thread(app, name="mcp-mock-server") as url:
        yield MockServer(f"{url}{ENDPOINT}", app, endpoint, recorder)
