"""Mock servers of a test: started where the test asks for them, stopped at its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Protocol

import pytest

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.mock_server import (
    Answer,
    Handler,
    MockPrompt,
    MockResource,
    MockServer,
    MockTool,
    Script,
    running_mock,
)
from pytest_mcp_conformance.mock_server.script import SERVER_INFO
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.own_tests.connecting import revision_named
from pytest_mcp_conformance.own_tests.transcripts import Kept, keep

__tracebackhide__ = True  # what fails is told where the test called


class StartMockServer(Protocol):
    """The fixture `mcp_mock_server`."""

    def __call__(
        self,
        *,
        tools: Sequence[MockTool] = (),
        resources: Sequence[MockResource] = (),
        prompts: Sequence[MockPrompt] = (),
        answers: Mapping[str, Answer | Handler] | None = None,
        revisions: Sequence[str] = tuple(Revision),
        capabilities: JsonObject | None = None,
        instructions: str | None = None,
        server_info: JsonObject = SERVER_INFO,
        sessions: bool = True,
        streams: bool = False,
    ) -> MockServer:
        """Start a server on a free port and return it.

        :param answers: by method, in the place of what would be answered: a result, a `Refusal`, an `HttpReply`, or a
            function from a `MockCall` to one of these.
        :param revisions: what it speaks; an endpoint may have both wires.
        :param capabilities: what it declares; without them, what the rest amounts to.
        :param sessions: whether initialize issues a session, without which nothing else is served.
        :param streams: whether requests are answered by event streams also where one JSON object would do.
        :raises Misuse: there is no such revision.
        """
        ...


@contextmanager
def mock_servers(item: pytest.Item) -> Iterator[StartMockServer]:
    """Give what starts the mock servers of one test; they stop when it is left."""
    started: list[MockServer] = []
    with ExitStack() as running:

        def start(
            *,
            tools: Sequence[MockTool] = (),
            resources: Sequence[MockResource] = (),
            prompts: Sequence[MockPrompt] = (),
            answers: Mapping[str, Answer | Handler] | None = None,
            revisions: Sequence[str] = tuple(Revision),
            capabilities: JsonObject | None = None,
            instructions: str | None = None,
            server_info: JsonObject = SERVER_INFO,
            sessions: bool = True,
            streams: bool = False,
        ) -> MockServer:
            script = Script(
                tools=tools,
                resources=resources,
                prompts=prompts,
                answers=answers or {},
                revisions=tuple(revision_named(each, "mcp_mock_server") for each in revisions),
                capabilities=capabilities,
                instructions=instructions,
                server_info=server_info,
                sessions=sessions,
                streams=streams,
            )
            server = running.enter_context(running_mock(script))
            started.append(server)
            keep(item, Kept(title=f"MCP mock server {server.url}", entries=server.transcript))
            return server

        yield start
    for server in started:
        if server.faults:  # ours, not the client's: they keep their traceback
            raise server.faults[0]
