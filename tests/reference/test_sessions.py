"""Sessions: who has one, who has not, and what a revision means for it."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.reference.server import ReferenceServer
from tests.reference.clients import Stateful, http_to, initialize, messages, request

CANCEL = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2024-11-05", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("tomorrow", "2025-11-25"),
    ],
)
async def test_initialize_is_answered_in_the_version_asked_for_or_the_latest(asked: str, answered: str) -> None:
    async with http_to(ReferenceServer()) as http:
        result = (await http.post("/mcp", json=initialize(asked))).json()["result"]
    assert result["protocolVersion"] == answered


async def test_a_request_needs_a_session_that_is_alive() -> None:
    async with http_to(ReferenceServer()) as http:
        client = await Stateful.connect(http)
        ping = request("ping")
        assert (await http.post("/mcp", json=ping)).status_code == 400
        assert (await http.post("/mcp", json=ping, headers={"mcp-session-id": "made-up"})).status_code == 404
        assert (await client.post(ping)).json()["result"] == {}
        assert (await http.delete("/mcp", headers=client.session)).status_code == 204
        assert (await client.post(ping)).status_code == 404
        assert (await http.delete("/mcp", headers=client.session)).status_code == 404


async def test_an_unknown_version_header_is_refused_and_every_known_one_is_served() -> None:
    async with http_to(ReferenceServer()) as http:
        client = await Stateful.connect(http)
        refused = await client.post(request("ping"), **{"mcp-protocol-version": "1.0"})
        served = await client.post(request("ping"), **{"mcp-protocol-version": "2025-06-18"})
    assert (refused.status_code, served.status_code) == (400, 200)


async def test_a_batch_is_served_at_2025_03_26_only() -> None:
    batch = [request("ping", id_=1), {"jsonrpc": "2.0", "method": "notifications/x"}, request("ping", id_="two")]
    async with http_to(ReferenceServer()) as http:
        old, new = await Stateful.connect(http, "2025-03-26"), await Stateful.connect(http, "2025-06-18")
        answers = (await old.post(batch)).json()
        assert sorted(str(answer["id"]) for answer in answers) == ["1", "two"]
        assert (await old.post([batch[1]])).status_code == 202
        assert (await old.post([])).status_code == 400
        assert (await old.post([request("ping"), request("ping")])).status_code == 400
        assert (await new.post(batch)).status_code == 400


async def test_a_session_is_initialized_once() -> None:
    async with http_to(ReferenceServer()) as http:
        client = await Stateful.connect(http)
        assert (await client.post(initialize())).status_code == 400


async def test_results_hold_what_the_revision_knows() -> None:
    async with http_to(ReferenceServer()) as http:
        old = (await (await Stateful.connect(http, "2025-03-26")).result("tools/list"))["tools"]
        new = (await (await Stateful.connect(http, "2025-11-25")).result("tools/list"))["tools"]
    assert all("title" not in tool for tool in old)
    assert all("title" in tool for tool in new)
    assert {tool["name"] for tool in new} - {tool["name"] for tool in old} == {
        "test_elicitation_sep1034_defaults",
        "test_elicitation_sep1330_enums",
    }


@pytest.mark.parametrize(("version", "member"), [("2025-06-18", "error"), ("2025-11-25", "result")])
async def test_invalid_arguments_are_a_tool_error_from_2025_11_25_on(version: str, member: str) -> None:
    async with http_to(ReferenceServer()) as http:
        client = await Stateful.connect(http, version)
        call = request("tools/call", {"name": "execute", "arguments": {"count": "many"}})
        assert member in (await client.post(call)).json()


async def test_a_tool_asks_only_for_what_the_client_declared() -> None:
    call = request("tools/call", {"name": "test_sampling", "arguments": {"prompt": "x"}})
    async with http_to(ReferenceServer()) as http:
        client = await Stateful.connect(http, elicitation={})
        assert (await client.post(call)).json()["result"]["isError"] is True


async def test_a_tool_asks_nobody_before_the_client_is_initialized() -> None:
    call = request("tools/call", {"name": "test_sampling", "arguments": {"prompt": "x"}})
    async with http_to(ReferenceServer()) as http:
        opened = await http.post("/mcp", json=initialize(capabilities={"sampling": {}}))
        headers = {"mcp-session-id": opened.headers["mcp-session-id"]}
        assert (await http.post("/mcp", json=call, headers=headers)).json()["result"]["isError"] is True


async def test_a_batch_with_a_tool_that_speaks_is_answered_by_a_stream() -> None:
    call = request("tools/call", {"name": "test_tool_with_logging"}, id_="speaks")
    async with http_to(ReferenceServer()) as http:
        client = await Stateful.connect(http, "2025-03-26")
        answer = await client.post([request("ping", id_="quiet"), call])
    assert answer.headers["content-type"] == "text/event-stream"
    found = messages(answer.text)
    assert [message.get("id") for message in found if "result" in message] == ["quiet", "speaks"]
    assert sum(message.get("method") == "notifications/message" for message in found) == 3
