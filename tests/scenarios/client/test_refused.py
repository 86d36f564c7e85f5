"""What a server refused was not done: a client shows nothing by a request that got no result."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.mock_server import MockTool, Script
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.recorder import Origin, Recorder
from pytest_mcp_conformance.scenarios.client.skills import MANIFEST
from pytest_mcp_conformance.stage import Stage
from tests.scenarios.client.odd_client import Odd, OddClient, outcome, stateless

STATEFUL, STATELESS = Revision.V2025_11_25, Revision.V2026_07_28


async def post(client: Odd, method: str, params: JsonObject | None = None, *, without: str = "", id_: int = 1) -> None:
    """Send a request of the stateless wire without one of its headers."""
    body, headers = stateless(method, params, id_=id_)
    await client.post(body, {name: value for name, value in headers.items() if name != without})


@pytest.mark.parametrize("header", ["mcp-protocol-version", "mcp-method"])
@pytest.mark.parametrize(
    ("scenario", "method", "decided"),
    [
        ("sep-2640-client-no-prefetch", "skills/list", {"sep-2640-host-no-prefetch"}),
        ("sep-2640-client-verify-digest", "skills/list", {"sep-2640-host-verify-digest"}),
        ("json-schema-ref-no-deref", "tools/list", {"sep-2106-no-network-ref-deref"}),
        (
            "http-invalid-tool-headers",
            "tools/list",
            {"sep-2243-invalid-tool-tools-list-gate", "sep-2243-client-reject-invalid-tool"},
        ),
    ],
)
async def test_a_list_that_was_refused_is_none(scenario: str, method: str, decided: set[str], header: str) -> None:
    async def lists(client: Odd) -> None:
        await post(client, method, without=header)

    found = await outcome(scenario, STATELESS, lists)
    assert {check.id for check in found.checks if check.status.value == "FAILURE"} >= decided


async def test_a_manifest_that_was_refused_was_not_verified() -> None:
    async def loads(client: Odd) -> None:
        await post(client, "skills/list")
        await post(client, "resources/read", {"uri": MANIFEST}, without="mcp-name", id_=2)

    found = await outcome("sep-2640-client-verify-digest", STATELESS, loads)
    (check,) = [each for each in found.checks if each.id == "sep-2640-host-verify-digest"]
    assert check.status.value == "FAILURE"
    assert str(check.message).endswith("nothing to verify: a read of it was refused")


# Which requests were answered.


async def answered(script: Script, revision: Revision, client: OddClient) -> list[tuple[str | None, object]]:
    """Return method and id of the requests of `client` whose result went out."""
    recorder = Recorder(revision=revision, requester=Origin.IMPLEMENTATION)
    stage = Stage(scenario="x", revision=revision, target=client, recorder=recorder, timeout=10)
    try:
        server = await stage.mock(script)
        await stage.client(server.url)
        return [(each.method, each.id) for each in server.answered]
    finally:
        await stage.close()


@pytest.mark.parametrize("streams", [False, True])
async def test_a_request_is_answered_when_its_result_went_out(*, streams: bool) -> None:
    async def calls(client: Odd) -> None:
        await post(client, "tools/list", id_=1)
        await post(client, "tools/call", {"name": "add"}, id_=2)
        await post(client, "tools/call", {"name": "add"}, without="mcp-method", id_=3)
        await post(client, "tools/call", {"name": "other"}, id_=4)
        await post(client, "made/up", id_=5)

    script = Script(tools=[MockTool(name="add", returns="1")], revisions=(STATELESS,), streams=streams)
    assert await answered(script, STATELESS, OddClient(calls)) == [("tools/list", 1), ("tools/call", 2)]


async def test_the_id_is_that_of_the_request_itself_not_of_another() -> None:
    async def calls(client: Odd) -> None:
        await post(client, "tools/call", {"name": "other"}, id_=7)
        await post(client, "tools/call", {"name": "add"}, id_=7)

    script = Script(tools=[MockTool(name="add", returns="1")], revisions=(STATELESS,))
    assert await answered(script, STATELESS, OddClient(calls)) == [("tools/call", 7)]


async def test_a_batch_has_an_answer_for_each() -> None:
    async def calls(client: Odd) -> None:
        await client.initialize(version="2025-03-26")
        await client.post(
            [
                {"jsonrpc": "2.0", "id": 1, "method": "ping"},
                {"jsonrpc": "2.0", "id": 2, "method": "made/up"},
                {"jsonrpc": "2.0", "id": "3", "method": "tools/list"},
            ]
        )

    script = Script(tools=[MockTool(name="add")], revisions=(Revision.V2025_03_26,))
    found = await answered(script, Revision.V2025_03_26, OddClient(calls))
    assert found == [("initialize", 0), ("ping", 1), ("tools/list", "3")]
