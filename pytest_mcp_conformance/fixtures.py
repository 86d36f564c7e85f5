"""The fixtures for a project's own tests, there wherever the plugin is installed. Light: every pytest run loads this."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from pytest_mcp_conformance.options import Options

if TYPE_CHECKING:
    from pytest_mcp_conformance.own_tests.connecting import Connect
    from pytest_mcp_conformance.own_tests.mocking import StartMockServer
    from pytest_mcp_conformance.running import ServerUnderTest
    from pytest_mcp_conformance.running_authorization import AuthorizationServerUnderTest
    from pytest_mcp_conformance.stage import ClientTarget

OPTIONS = pytest.StashKey[Options]()
WORKER_OPTIONS = "mcp_options"  # on their way to a worker of pytest-xdist
UNREADY = pytest.StashKey[bool]()  # of a session whose target did not come up

NO_TARGET = "there is nothing to test; no scenario ran"  # why a session ends at once

NO_AUTHORIZATION_SERVER = (
    "there is no authorization server to test. Give --mcp-authorization or --mcp-authorization-reference, or override the"
    " fixture mcp_authorization in the root conftest.py."
)


@pytest.fixture(scope="session")
def mcp_server(request: pytest.FixtureRequest) -> Iterator[ServerUnderTest]:
    """The server under test, ready: a URL, a started command, or the reference server, as the options say.

    Override it in the root `conftest.py` to test a server that your own fixtures start: return or yield a
    `ServerUnderTest` and run pytest with `--mcp-suite` or another option that selects scenarios.
    """
    from pytest_mcp_conformance.exceptions import Misuse, PeerUnreachable
    from pytest_mcp_conformance.running import ServerUnderTest  # loads the HTTP client
    from pytest_mcp_conformance.targets import server_target

    options = request.config.stash[OPTIONS]
    unready = None
    try:
        target = server_target(options)
        url = target.start()
    except (Misuse, PeerUnreachable) as error:
        unready = str(error)
    if unready is not None:  # outside the handler: the reader needs one message, not a chain of two
        request.session.stash[UNREADY] = True
        pytest.fail(f"{unready}\nNothing is said about conformance.", pytrace=False)
    try:
        yield ServerUnderTest(
            url=url, headers=options.headers, obituary=target.obituary, may_die=options.server_cmd is not None
        )
    finally:
        broken_off = request.session.exitstatus == pytest.ExitCode.INTERRUPTED
        target.stop(hurried=broken_off)


@pytest.fixture(scope="session")
def mcp_client(request: pytest.FixtureRequest) -> ClientTarget:
    """The client under test: a command, or the reference client, as the options say.

    Override it in the root `conftest.py` to test a client that no command line starts: return a `ClientTarget` and run
    pytest with the argument `mcp/client`.
    """
    from pytest_mcp_conformance.exceptions import Misuse
    from pytest_mcp_conformance.targets import client_target

    unready = None
    try:
        return client_target(request.config.stash[OPTIONS])
    except Misuse as error:
        unready = str(error)
    request.session.stash[UNREADY] = True
    pytest.fail(f"{unready}\nNothing is said about conformance.", pytrace=False)


@pytest.fixture(scope="session")
def mcp_authorization(request: pytest.FixtureRequest) -> Iterator[AuthorizationServerUnderTest]:
    """The authorization server under test: one that runs, or the reference, as the options say.

    Override it in the root `conftest.py` to drive the user's part by a program: return an `AuthorizationServerUnderTest`
    with a `Consent` of your own and run pytest with the argument `mcp/authorization`.
    """
    from pytest_mcp_conformance.asking_aloud import teller
    from pytest_mcp_conformance.targets.authorization import authorization_server

    options = request.config.stash[OPTIONS]
    if options.leg != "authorization":
        request.session.stash[UNREADY] = True
        pytest.fail(f"{NO_AUTHORIZATION_SERVER}\nNothing is said about conformance.", pytrace=False)
    with authorization_server(options, teller(request.config)) as server:
        yield server


@pytest.fixture
def mcp_connect(request: pytest.FixtureRequest, mcp_server: ServerUnderTest) -> Connect:
    """Connections to the server under test, recorded and judged, each at a revision of its own.

    They are entered: `async with mcp_connect("2025-11-25") as peer: ...`. In a test without a coroutine, `with` gives a peer
    that blocks. On leaving, the session is closed, and the test fails if a message of the server broke the schema.
    """
    from pytest_mcp_conformance.own_tests.connecting import connector

    return connector(request.node, mcp_server)


@pytest.fixture
def mcp_mock_server(request: pytest.FixtureRequest) -> Iterator[StartMockServer]:
    """Servers for the test of a client, started where the test asks for one.

    For example: `server = mcp_mock_server(tools=[MockTool(name="add", returns="3")])`. Each runs on a port of its own until
    the end of the test, does as it is told and all else by the specification. It keeps and judges what the client sends, and
    leaves it to the test to look.
    """
    from pytest_mcp_conformance.own_tests.mocking import mock_servers

    with mock_servers(request.node) as start:
        yield start
