"""Puts the two servers of an authorization scenario on the stage: who issues tokens, and who asks for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.mock_server import MockServer, MockTool, Script
from pytest_mcp_conformance.mock_server.script import Interceptor
from pytest_mcp_conformance.model import Requirement
from pytest_mcp_conformance.oauth.authorization_server import AuthorizationServer
from pytest_mcp_conformance.oauth.events import Event, Log
from pytest_mcp_conformance.oauth.metadata import ResourceMetadata
from pytest_mcp_conformance.oauth.protected_resource import Admission, BearerAdmission, ProtectedResource
from pytest_mcp_conformance.oauth.server_setup import ServerSetup
from pytest_mcp_conformance.oauth.tokens import TokenStore
from pytest_mcp_conformance.scenarios.client.auth.observed import Observer
from pytest_mcp_conformance.stage import Stage

TEST_TOOL = MockTool(name="test-tool", description="Says test", input_schema={"type": "object"}, returns="test")


@dataclass(frozen=True, kw_only=True)
class Cast:
    """The servers of a run.

    :ivar url: that the client under test is told.
    """

    log: Log
    tokens: TokenStore
    authorization: AuthorizationServer
    resource: ProtectedResource
    server: MockServer

    @property
    def url(self) -> str:
        """The endpoint of the MCP server."""
        return self.server.url


def new_log(
    stage: Stage,
    checks: Checks,
    decides: tuple[Requirement, ...],
    listener: Callable[[Event], None] = lambda _event: None,
) -> Log:
    """Return a log of what comes; what is decided about every request is decided at once, then `listener` is told."""
    observer = Observer(checks, stage.revision, decides)

    def told(event: Event) -> None:
        observer(event)
        listener(event)

    return Log(listener=told)


async def put_authorization_server(
    stage: Stage, setup: ServerSetup, log: Log, tokens: TokenStore
) -> AuthorizationServer:
    """Put an authorization server on a port of its own."""
    server = AuthorizationServer(setup, log=log, tokens=tokens)
    server.base = await stage.serve(server.answer)
    return server


async def put_mcp_server(
    stage: Stage, resource: ProtectedResource, *, intercept: Interceptor | None = None
) -> MockServer:
    """Put the MCP server behind its gate on a port of its own.

    It asks for no initialize before other requests, because here it is the way to the token that is under test.
    """
    script = Script(
        tools=[TEST_TOOL], revisions=stage.revisions, sessions=False, intercept=intercept or resource.intercept
    )
    server = await stage.mock(script)
    resource.base = server.url.removesuffix("/mcp")
    return server


async def put(
    stage: Stage,
    checks: Checks,
    decides: tuple[Requirement, ...],
    *,
    setup: ServerSetup | None = None,
    metadata: ResourceMetadata | None = None,
    admission: Admission | None = None,
    listener: Callable[[Event], None] = lambda _event: None,
) -> Cast:
    """Put an authorization server and an MCP server that asks for its tokens on the stage.

    :param decides: what the scenario decides: see `Observer`.
    :param metadata: of the MCP server; the issuer is filled in.
    :param listener: is told of each event, after what is decided about every request.
    """
    log, tokens = new_log(stage, checks, decides, listener), TokenStore()
    authorization = await put_authorization_server(stage, setup or ServerSetup(), log, tokens)
    described = replace(metadata or ResourceMetadata(), authorization_servers=(authorization.trusted_issuer,))
    resource = ProtectedResource(described, log=log, tokens=tokens, admission=admission or BearerAdmission())
    server = await put_mcp_server(stage, resource)
    return Cast(log=log, tokens=tokens, authorization=authorization, resource=resource, server=server)
