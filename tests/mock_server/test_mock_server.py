"""What a mock server does by itself, what it can be told, and what it knows afterwards."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from typing import Any, TypeAlias

import httpx
import pytest

from pytest_mcp_conformance.exceptions import ErrorAnswer, Misuse
from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.mock_server import (
    MockCall,
    MockPrompt,
    MockResource,
    MockServer,
    MockTool,
    Script,
    running_mock,
)
from pytest_mcp_conformance.mock_server.script import implied_capabilities
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.peer import Peer, open_peer
from pytest_mcp_conformance.protocol.http import Http
from pytest_mcp_conformance.protocol.recorder import Recorder
from pytest_mcp_conformance.serving.http import HttpReply
from pytest_mcp_conformance.serving.refusals import Refusal

Start: TypeAlias = "Callable[..., MockServer]"
Connected: TypeAlias = "Callable[..., Peer]"

STATEFUL, STATELESS = Revision.V2025_11_25, Revision.V2026_07_28
BOTH = pytest.mark.parametrize("revision", [STATEFUL, STATELESS])
SAY = MockTool(name="say", returns="hello")
HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
META = "io.modelcontextprotocol/"


@pytest.fixture
def start() -> Iterator[Start]:
    with ExitStack() as running:
        yield lambda **script: running.enter_context(running_mock(Script(**script)))


@pytest.fixture
async def peer_to() -> AsyncIterator[Connected]:
    """Give connections as our own harness makes them."""
    peers: list[Peer] = []

    def connected(server: MockServer, revision: Revision) -> Peer:
        peers.append(open_peer(Http(Recorder(revision=revision)), server.url, revision))
        return peers[-1]

    yield connected
    for peer in peers:
        await peer.close()
        await peer.http.close()


def post(server: MockServer, message: Any, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    content = message if isinstance(message, bytes) else json.dumps(message).encode()
    return httpx.post(server.url, content=content, headers=HEADERS | named, verify=False)  # no TLS to be set up


def initialize(version: str = "2025-11-25") -> dict[str, Any]:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


def modern(method: str, params: dict[str, Any] | None = None, **meta: Any) -> dict[str, Any]:
    said = {f"{META}protocolVersion": "2026-07-28", f"{META}clientCapabilities": {}}
    said |= {f"{META}{name}": value for name, value in meta.items()}
    kept = {name: value for name, value in said.items() if value is not None}
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": {**(params or {}), "_meta": kept}}


# What it does by itself


@BOTH
async def test_it_has_what_it_is_given(start: Start, peer_to: Connected, revision: Revision) -> None:
    server = start(
        tools=[SAY],
        resources=[MockResource(uri="demo://a", contents="text"), MockResource(uri="demo://b", contents=b"\x00")],
        prompts=[MockPrompt(name="greet", arguments=("name",), returns=lambda call: f"Hello {call.arguments['name']}")],
        instructions="Be kind",
    )
    peer = peer_to(server, revision)
    said = await peer.discover()
    assert said["capabilities"] == {"tools": {}, "resources": {}, "prompts": {}}
    assert said["instructions"] == "Be kind"
    assert [tool["name"] for tool in (await peer.request("tools/list"))["tools"]] == ["say"]  # type: ignore[index,union-attr,call-overload]
    assert (await peer.request("tools/call", {"name": "say"}))["content"] == [{"type": "text", "text": "hello"}]
    read = await peer.request("resources/read", {"uri": "demo://b"})
    assert read["contents"] == [{"uri": "demo://b", "mimeType": "text/plain", "blob": "AA=="}]
    got = await peer.request("prompts/get", {"name": "greet", "arguments": {"name": "Ada"}})
    assert got["messages"] == [{"role": "user", "content": {"type": "text", "text": "Hello Ada"}}]
    assert (await peer.request("resources/templates/list"))["resourceTemplates"] == []
    assert not peer.http.recorder.violations
    assert not server.violations
    assert not server.bent


REFUSED: list[tuple[str, JsonObject, int]] = [
    ("nobody/has", {}, -32601),
    ("prompts/list", {}, -32601),
    ("tools/call", {"name": "other"}, -32602),
    ("tools/call", {}, -32602),
    ("tools/list", {"cursor": "x"}, -32602),
]


@BOTH
async def test_it_refuses_what_it_does_not_have(start: Start, peer_to: Connected, revision: Revision) -> None:
    peer = peer_to(start(tools=[SAY]), revision)
    for method, params, code in REFUSED:
        answer = await peer.ask(method, params)
        assert answer.error is not None
        assert answer.error.code == code
    unknown = await peer.ask("nobody/has")
    assert unknown.status == (404 if revision.stateless else 200)


async def test_arguments_are_validated(start: Start, peer_to: Connected) -> None:
    schema: JsonObject = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    server = start(tools=[MockTool(name="add", input_schema=schema, returns="1")])
    result = await peer_to(server, STATEFUL).request("tools/call", {"name": "add", "arguments": {"a": "x"}})
    assert result["isError"] is True
    older = await peer_to(server, Revision.V2025_03_26).ask("tools/call", {"name": "add", "arguments": {}})
    assert older.error is not None
    assert older.error.code == -32602


def test_a_session_is_needed_and_ends(start: Start) -> None:
    server = start(tools=[SAY])
    opened = post(server, initialize())
    session = opened.headers["mcp-session-id"]
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    assert post(server, listing).status_code == 400
    assert post(server, listing, mcp_session_id="other").status_code == 404
    assert post(server, listing, mcp_session_id=session).status_code == 200
    assert post(server, initialize(), mcp_session_id=session).status_code == 400
    noted = post(server, {"jsonrpc": "2.0", "method": "notifications/initialized"}, mcp_session_id=session)
    assert (noted.status_code, noted.content) == (202, b"")
    assert post(server, listing, mcp_session_id=session, mcp_protocol_version="1999-01-01").status_code == 400
    assert httpx.delete(server.url, headers={"mcp-session-id": session}).status_code == 204
    assert post(server, listing, mcp_session_id=session).status_code == 404


def test_sessions_can_be_ended_from_the_test(start: Start) -> None:
    server = start(tools=[SAY])
    server.end_sessions()
    session = post(server, initialize()).headers["mcp-session-id"]
    server.end_sessions()
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    assert post(server, ping, mcp_session_id=session).status_code == 404


def test_there_is_no_stream_to_get(start: Start) -> None:
    server = start(tools=[SAY], sessions=False)
    refused = httpx.get(server.url, headers={"accept": "text/event-stream"})
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST, DELETE")
    assert httpx.delete(server.url).status_code == 405
    assert httpx.put(server.url).status_code == 405
    only_modern = httpx.get(start(revisions=(STATELESS,)).url)
    assert (only_modern.status_code, only_modern.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b"{", {}, 400, -32700),
        (b"[]", {}, 400, -32600),
        (b'"text"', {}, 400, -32600),
        (initialize(), {"origin": "http://evil.example"}, 403, -32600),
        (initialize(), {"content_type": "text/plain"}, 415, -32600),
        (initialize(), {"accept": "application/json"}, 406, -32600),
        ([initialize()], {}, 400, -32600),
        ({"jsonrpc": "2.0", "method": "initialize"}, {}, 400, -32600),
        ({**initialize(), "params": {}}, {}, 200, -32602),
    ],
    ids=str,
)
def test_it_refuses_what_cannot_be_accepted(
    start: Start, body: Any, headers: dict[str, str], status: int, code: int
) -> None:
    server = start(tools=[SAY])
    answer = post(server, body, **headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert not server.bent
    assert len(server.http_requests) == 1


MODERN = {"mcp_protocol_version": "2026-07-28"}
CALL = MODERN | {"mcp_method": "tools/call"}


@pytest.mark.parametrize(
    ("message", "headers", "status", "code"),
    [
        (modern("tools/list"), MODERN | {"mcp_method": "tools/list"}, 200, None),
        (modern("tools/list"), {"mcp_method": "tools/list"}, 400, -32020),
        (modern("tools/list"), MODERN, 400, -32020),
        (modern("tools/list"), CALL, 400, -32020),
        (modern("tools/call", {"name": "say"}), CALL, 400, -32020),
        (modern("tools/call", {"name": "say"}), CALL | {"mcp_name": "=?base64?c2F5?="}, 200, None),
        (modern("tools/list", protocolVersion="2026-01-01"), MODERN | {"mcp_method": "tools/list"}, 400, -32020),
        (modern("tools/list", protocolVersion="2030-01-01"),
         {"mcp_protocol_version": "2030-01-01", "mcp_method": "tools/list"}, 400, -32022),
        (modern("tools/list", clientCapabilities=None), MODERN | {"mcp_method": "tools/list"}, 400, -32602),
        (modern("tools/list", protocolVersion=None), MODERN | {"mcp_method": "tools/list"}, 400, -32602),
        (modern("ping"), MODERN | {"mcp_method": "ping"}, 404, -32601),
        ({"jsonrpc": "2.0", "id": 7, "result": {}}, MODERN, 400, -32600),
        ({"jsonrpc": "2.0", "method": "notifications/cancelled"}, MODERN, 202, None),
    ],
    ids=range(13),
)  # fmt: skip
def test_a_request_that_stands_alone_says_all_about_itself(
    start: Start, message: Any, headers: dict[str, str], status: int, code: int | None
) -> None:
    answer = post(start(tools=[SAY]), message, **headers)
    assert answer.status_code == status
    assert (answer.json().get("error", {}).get("code") if answer.content else None) == code


def test_which_revisions_it_speaks_is_said(start: Start) -> None:
    only_modern = start(revisions=(STATELESS,))
    refused = post(only_modern, initialize())
    assert (refused.status_code, refused.json()["error"]["data"]) == (400, {"supported": ["2026-07-28"]})
    old = start(revisions=(Revision.V2025_03_26, Revision.V2025_06_18))
    assert post(old, initialize("2025-11-25")).json()["result"]["protocolVersion"] == "2025-06-18"
    assert post(old, initialize("2025-03-26")).json()["result"]["protocolVersion"] == "2025-03-26"
    refused = post(old, modern("tools/list"), mcp_protocol_version="2026-07-28", mcp_method="tools/list")
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, -32600)  # no error of a modern server


@pytest.mark.parametrize(
    ("message", "headers"),
    [
        (initialize(), {}),
        (initialize(), {"mcp_protocol_version": "2026-07-28"}),
        (initialize(), {"mcp_protocol_version": "2026-07-28", "mcp_method": "initialize"}),
        (modern("initialize"), {"mcp_protocol_version": "2026-07-28", "mcp_method": "initialize"}),
    ],
)
def test_any_refusal_of_initialize_names_the_versions(start: Start, message: Any, headers: dict[str, str]) -> None:
    refused = post(start(revisions=(STATELESS,)), message, **headers)
    assert refused.status_code in (400, 404)
    assert refused.json()["error"]["data"] == {"supported": ["2026-07-28"]}


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
def test_initialize_is_of_the_stateful_wire_whatever_header_it_has(start: Start, version: str) -> None:
    answer = post(start(), initialize(), mcp_protocol_version=version)
    assert answer.json()["result"]["protocolVersion"] == "2025-11-25"


def test_an_integer_is_one_however_it_is_spelled(start: Start) -> None:
    async def ask(call: MockCall) -> JsonObject:
        return await call.ask("roots/list")

    server = start(tools=[SAY], answers={"house/ask": ask}, sessions=False)
    assert post(server, initialize() | {"id": 1.0}).json()["id"] == 1
    headers = {"mcp_protocol_version": "2026-07-28", "mcp_method": "tools/list"}
    assert post(server, modern("tools/list") | {"id": 7.0}, **headers).json()["id"] == 7
    with httpx.stream(
        "POST", server.url, json={"jsonrpc": "2.0", "id": 2.0, "method": "house/ask"}, headers=HEADERS
    ) as stream:
        lines = stream.iter_lines()
        assert '"id": 1' in next(line for line in lines if "roots/list" in line)
        assert post(server, {"jsonrpc": "2.0", "id": 1.0, "result": {"roots": []}}).status_code == 202
        assert any('"id": 2, "result"' in line for line in lines)
    assert server.violations == ()
    assert post(server, modern("tools/list") | {"id": 7.5}, **headers).status_code == 400


def test_batches_are_of_the_first_revision(start: Start) -> None:
    server = start()
    first = post(server, initialize("2025-03-26")).headers["mcp-session-id"]
    batch = [{"jsonrpc": "2.0", "id": number, "method": "ping"} for number in (1, 2)]
    answered = post(server, batch, mcp_session_id=first).json()
    assert sorted(each["id"] for each in answered) == [1, 2]
    assert server.methods == ("initialize", "ping", "ping")
    later = post(server, initialize()).headers["mcp-session-id"]
    assert post(server, batch, mcp_session_id=later).status_code == 400


# What it can be told


@BOTH
async def test_a_method_is_answered_as_the_script_says(start: Start, peer_to: Connected, revision: Revision) -> None:
    async def later(call: MockCall) -> JsonObject:
        await asyncio.sleep(0)
        return {"told": call.params["word"]}

    server = start(
        answers={
            "house/data": {"a": 1},
            "house/function": later,
            "house/error": Refusal(-32000, "closed", {"until": "noon"}),
            "house/http": HttpReply(status=503, headers={"retry-after": "1"}),
        }
    )
    peer = peer_to(server, revision)
    assert (await peer.request("house/data"))["a"] == 1
    assert (await peer.request("house/function", {"word": "yes"}))["told"] == "yes"
    with pytest.raises(ErrorAnswer) as refused:
        await peer.request("house/error")
    assert refused.value.error is not None
    assert (refused.value.error.code, refused.value.error.data) == (-32000, {"until": "noon"})
    answer = await peer.ask("house/http")
    assert (answer.status, answer.headers["retry-after"]) == (503, "1")


@BOTH
async def test_a_function_that_fails_is_answered_and_kept(start: Start, peer_to: Connected, revision: Revision) -> None:
    def broken(_: MockCall) -> str:
        raise KeyError("nothing")

    server = start(tools=[MockTool(name="broken", returns=broken)])
    answer = await peer_to(server, revision).ask("tools/call", {"name": "broken"})
    assert answer.error is not None
    assert answer.error.code == -32603
    assert "KeyError: 'nothing'" in answer.error.message
    assert [type(error) for error in server.script_errors] == [KeyError]


def test_results_of_the_newest_revision_have_its_members_unless_the_script_says_otherwise(start: Start) -> None:
    listing = MODERN | {"mcp_method": "tools/list"}
    result = post(start(tools=[SAY]), modern("tools/list"), **listing).json()["result"]
    assert (result["resultType"], result["ttlMs"], result["cacheScope"]) == ("complete", 0, "private")
    assert result["_meta"][f"{META}serverInfo"]["name"] == "conformance-mock-server"
    server = start(answers={"tools/list": {"tools": [], "resultType": 5, "ttlMs": -1}})
    bent = post(server, modern("tools/list"), **listing).json()["result"]
    assert (bent["resultType"], bent["ttlMs"]) == (5, -1)
    assert [violation.context for violation in server.bent] == ["to the client, in answer to tools/list"]
    assert server.violations == ()


def test_initialize_can_be_bent(start: Start) -> None:
    server = start(answers={"initialize": {"protocolVersion": "1.0"}})
    assert post(server, initialize()).json()["result"] == {"protocolVersion": "1.0"}
    refusing = start(answers={"initialize": Refusal(-32000, "no")})
    answer = post(refusing, initialize())
    assert (answer.json()["error"]["code"], "mcp-session-id" in answer.headers) == (-32000, False)


async def test_what_a_function_sends_first_comes_first(start: Start, peer_to: Connected) -> None:
    async def ask(call: MockCall) -> str:
        call.notify("notifications/message", {"level": "info", "data": "wait"})
        result = await call.ask("roots/list")
        return f"{len(result['roots'])} roots"  # type: ignore[arg-type]

    server = start(tools=[MockTool(name="ask", returns=ask)])
    peer = peer_to(server, STATEFUL)
    peer.answer("roots/list", lambda _: {"roots": [{"uri": "file:///a"}]})
    result = await peer.request("tools/call", {"name": "ask"})
    assert result["content"] == [{"type": "text", "text": "1 roots"}]
    assert [each["method"] for each in peer.notifications] == ["notifications/message"]
    assert not server.violations
    refused = await peer_to(server, STATEFUL).ask("tools/call", {"name": "ask"})
    assert refused.error is not None
    assert "ErrorAnswer: roots/list was refused" in refused.error.message
    modern_call = await peer_to(server, STATELESS).ask("tools/call", {"name": "ask"})
    assert modern_call.error is not None
    assert isinstance(server.script_errors[-1], Misuse)


async def test_a_cancelled_request_is_not_answered(start: Start, peer_to: Connected) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    async def wait(_: MockCall) -> str:
        try:
            await asyncio.Event().wait()
        finally:
            loop.call_soon_threadsafe(ended.set)
        raise AssertionError

    peer = peer_to(start(tools=[MockTool(name="wait", returns=wait)]), STATEFUL)
    answer = await peer.ask("tools/call", {"name": "wait"}, within=0.05)
    assert answer.problem is not None
    async with asyncio.timeout(5):
        await ended.wait()


def test_it_declares_what_the_script_amounts_to() -> None:
    answers: Any = {"completion/complete": {}, "logging/setLevel": {}, "resources/subscribe": {}, "house/own": {}}
    assert implied_capabilities(Script(answers=answers)) == {
        "completions": {},
        "logging": {},
        "resources": {"subscribe": True},
    }
    assert Script(tools=[SAY], capabilities={}).declared() == {}


# What it knows afterwards


def test_what_breaks_the_schema_is_kept_and_refused(start: Start) -> None:
    server = start(tools=[SAY], sessions=False)
    answer = post(
        server,
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 5}},
        mcp_protocol_version="2025-11-25",
    )
    assert answer.json()["error"]["code"] == -32602
    (violation,) = server.violations
    assert (violation.context, violation.revision) == ("from the client: tools/call", STATEFUL)
    assert "name" in violation.errors[0]


def test_a_response_is_judged_by_the_request_it_answers(start: Start) -> None:
    async def ask(call: MockCall) -> JsonObject:
        return await call.ask("roots/list")

    server = start(answers={"house/ask": ask}, sessions=False)
    message = {"jsonrpc": "2.0", "id": 1, "method": "house/ask"}
    with httpx.stream("POST", server.url, json=message, headers=HEADERS) as stream:
        lines = stream.iter_lines()
        assert '"id": 1' in next(line for line in lines if "roots/list" in line)
        assert post(server, {"jsonrpc": "2.0", "id": 1, "result": {"roots": 5}}).status_code == 202
        assert any('"roots": 5' in line for line in lines)
    assert [violation.context for violation in server.violations] == ["from the client: a response"]


def test_everything_that_came_is_there_in_order(start: Start) -> None:
    server = start(tools=[SAY])
    session = post(server, initialize()).headers["mcp-session-id"]
    post(server, {"jsonrpc": "2.0", "id": "x", "method": "ping"}, mcp_session_id=session)
    post(server, b"no json", mcp_session_id=session)
    httpx.get(server.url, headers={"mcp-session-id": session})
    assert [(each.method, each.id) for each in server.requests] == [("initialize", 1), ("ping", "x")]
    assert server.requests[1].headers.get("Mcp-Session-Id") == session
    assert [each.method for each in server.http_requests] == ["POST", "POST", "POST", "GET"]
    kinds = [(entry["from"], entry["kind"]) for entry in server.transcript() if isinstance(entry, dict)]
    assert kinds[:3] == [("implementation", "request"), ("harness", "response"), ("harness", "body")]


def test_it_stops_while_a_request_waits(start: Start) -> None:
    async def wait(_: MockCall) -> JsonObject:
        await asyncio.Event().wait()
        raise AssertionError

    with running_mock(Script(answers={"house/wait": wait}, sessions=False)) as server, httpx.Client() as client:
        message = {"jsonrpc": "2.0", "id": 1, "method": "house/wait"}
        with pytest.raises(httpx.ReadTimeout):
            client.post(server.url, json=message, headers=HEADERS, timeout=0.1)
    with pytest.raises(httpx.ConnectError):
        httpx.get(server.url)
