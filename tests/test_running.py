"""What is charged to the server and what to us, and that a run comes to its end."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from pytest_mcp_conformance import running
from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import PeerUnreachable
from pytest_mcp_conformance.json_values import dumps
from pytest_mcp_conformance.model import Body, Ending, Level, Outcome, Requirement, Revision, Status
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.protocol.http import Http
from pytest_mcp_conformance.reference.server import running_server
from pytest_mcp_conformance.running import ServerUnderTest, run_server_scenario
from pytest_mcp_conformance.scenarios.declaration import server_scenario

WIRES = (Revision.V2025_11_25, Revision.V2026_07_28)
REACHED = Requirement(id="reached", name="Reached", level=Level.MUST, text="The scenario got there.", spec=())
NO_URI = {"uri": "not a uri"}

each_wire = pytest.mark.parametrize("revision", WIRES, ids=str)


@pytest.fixture
def server() -> Iterator[ServerUnderTest]:
    with running_server() as url:
        yield ServerUnderTest(url=url)


def outcome(body: Body, server: ServerUnderTest, revision: Revision = Revision.V2026_07_28) -> Outcome:
    scenario = server_scenario(name="made-up", purpose="", decides=(REACHED,), introduced_in="2025-03-26")(body)
    return asyncio.run(run_server_scenario(scenario, revision, server, timeout=10))


@each_wire
def test_an_invalid_message_of_ours_is_a_harness_error(server: ServerUnderTest, revision: Revision) -> None:
    async def body(peer: Peer, checks: Checks) -> None:
        await peer.ask("resources/read", {**NO_URI})
        checks.succeed(REACHED)

    found = outcome(body, server, revision)
    assert found.ending is Ending.HARNESS_ERROR
    assert found.reason is not None
    assert found.reason.startswith("a message of this harness is not valid: to the server: resources/read: ")
    assert {check.id: check.status for check in found.checks}["wire-schema-harness-error"] is Status.FAILURE


@each_wire
def test_what_the_server_gave_makes_no_message_of_ours_invalid(server: ServerUnderTest, revision: Revision) -> None:
    async def body(peer: Peer, checks: Checks) -> None:
        answer = await peer.ask("resources/read", {**NO_URI}, from_peer=True)
        checks.decide(REACHED, answer.error is not None, expected="an error", got=answer.shown())

    found = outcome(body, server, revision)
    assert (found.ending, found.reason) == (Ending.PASSED, None)
    assert "wire-schema-harness-error" not in {check.id for check in found.checks}
    assert "sent with a value that the other side gave, and so not valid: ReadResourceRequest" in dumps(
        found.transcript
    )


def test_connections_that_do_not_close_are_given_up(server: ServerUnderTest, monkeypatch: pytest.MonkeyPatch) -> None:
    close = Http.close

    async def endless(self: Http) -> None:
        await close(self)
        await asyncio.Event().wait()

    async def body(peer: Peer, checks: Checks) -> None:
        await peer.request("tools/list")
        checks.succeed(REACHED)

    monkeypatch.setattr(running, "HTTP_CLOSING_SECONDS", 0.05)
    monkeypatch.setattr(Http, "close", endless)
    found = outcome(body, server)
    assert found.ending is Ending.PASSED
    assert "closing took too long and was given up" in dumps(found.transcript)


def test_what_became_of_the_server_is_asked_beside_the_event_loop() -> None:
    asked: list[threading.Thread] = []

    def obituary() -> str:
        asked.append(threading.current_thread())
        return "it is gone"

    async def body(peer: Peer, checks: Checks) -> None:
        raise PeerUnreachable("nothing answers")

    found = outcome(body, ServerUnderTest(url="http://127.0.0.1:1/mcp", obituary=obituary))
    assert (found.ending, found.reason) == (Ending.COULD_NOT_RUN, "nothing answers\nit is gone")
    assert asked
    assert threading.current_thread() not in asked
