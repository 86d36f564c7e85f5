"""Whatever a server sends, the client ends with a line that says what is wrong, and without a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from pytest_mcp_conformance.mock_server import Script
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.serving.http import HttpReply, HttpRequest
from tests.reference.client.running import STATEFUL, STATELESS, Ended, run

BOTH = pytest.mark.parametrize("revision", [STATEFUL, STATELESS], ids=str)
JSON, STREAM = {"content-type": "application/json"}, {"content-type": "text/event-stream"}


def opened(revision: Revision, **capabilities: object) -> object:
    """Return a proper answer to the first request."""
    if revision.stateless:
        return {"resultType": "complete", "supportedVersions": [revision], "capabilities": capabilities}
    return {"protocolVersion": revision, "capabilities": capabilities, "serverInfo": {"name": "x", "version": "1"}}


def against(
    revision: Revision, answer: Callable[[HttpRequest, object], HttpReply | None], **capabilities: object
) -> Ended:
    """Run the client against a server that opens the conversation properly, and then answers as `answer` says."""

    def intercept(http: HttpRequest) -> HttpReply | None:
        message = json.loads(http.body or b"{}")
        if message.get("method") in ("initialize", "server/discover"):
            body = {"jsonrpc": "2.0", "id": message["id"], "result": opened(revision, **capabilities)}
            return HttpReply(status=200, headers=JSON, body=json.dumps(body).encode())
        if "id" not in message:
            return HttpReply(status=202 if http.method == "POST" else 405)
        return answer(http, message["id"])

    return run(Script(intercept=intercept), revision)


REPLIES = {
    "nothing": HttpReply(status=200),
    "nothing of type JSON": HttpReply(status=200, headers=JSON),
    "no JSON": HttpReply(status=200, headers=JSON, body=b"<html>"),
    "no UTF-8": HttpReply(status=200, headers=JSON, body=b'"\xff"'),
    "null": HttpReply(status=200, headers=JSON, body=b"null"),
    "a number": HttpReply(status=200, headers=JSON, body=b"7"),
    "an empty batch": HttpReply(status=200, headers=JSON, body=b"[]"),
    "deep JSON": HttpReply(status=200, headers=JSON, body=b"[" * 100_000),
    "another type": HttpReply(status=200, headers={"content-type": "text/html"}, body=b"{}"),
    "a request": HttpReply(status=200, headers=JSON, body=b'{"jsonrpc":"2.0","id":1,"method":"roots/list"}'),
    "true as id": HttpReply(status=200, headers=JSON, body=b'{"jsonrpc":"2.0","id":true,"result":{}}'),
    "an object as id": HttpReply(status=200, headers=JSON, body=b'{"jsonrpc":"2.0","id":{},"result":{}}'),
    "an error that is none": HttpReply(status=200, headers=JSON, body=b'{"jsonrpc":"2.0","id":2,"error":"no"}'),
    "an empty stream": HttpReply(status=200, headers=STREAM),
    "a stream of junk": HttpReply(status=200, headers=STREAM, body=b"data: {\n\n\xff\xfe\n\ndata: 1\nid: \0\n\n"),
    "a stream of an id": HttpReply(status=200, headers=STREAM, body=b"id: \xe2\x98\x83\nretry: 0\ndata:\n\n"),
    "half an event": HttpReply(status=200, headers=STREAM, body=b'data: {"jsonrpc":"2.0","id":2,"result":{}}\n'),
    "a redirect": HttpReply(status=307, headers={"location": "http://127.0.0.1:9/"}),
    "a redirect to nowhere": HttpReply(status=301, headers={"location": "http://[::"}),
    "no access": HttpReply(status=403),
    "a status alone": HttpReply(status=500, body=b"\xff" * 100),
    "an error without code": HttpReply(status=400, headers=JSON, body=b'{"error":{"code":1e999}}'),
    "no gzip": HttpReply(status=200, headers=JSON | {"content-encoding": "gzip"}, body=b"no gzip"),
}


@BOTH
@pytest.mark.parametrize("name", REPLIES)
def test_an_answer_that_is_none_ends_the_client(name: str, revision: Revision) -> None:
    ended = against(revision, lambda _http, _id: REPLIES[name], tools={})
    assert ended.code == 1
    assert ended.said.count("\n") == 1
    assert "Traceback" not in ended.said


NO_LISTS: list[object] = [None, 7, "x", [], {}, {"tools": None}, {"tools": {}}, {"tools": [], "nextCursor": "again"}]
USELESS = [1, None, {}, {"name": 7}, {"name": "t", "inputSchema": {"$ref": "http://127.0.0.1:9/"}}]


def listing(revision: Revision, result: object) -> Ended:
    def answer(_http: HttpRequest, id_: object) -> HttpReply:
        body = {"jsonrpc": "2.0", "id": id_, "result": result}
        return HttpReply(status=200, headers=JSON, body=json.dumps(body).encode())

    return against(revision, answer, tools={})


@BOTH
@pytest.mark.parametrize("result", NO_LISTS, ids=json.dumps)
def test_a_list_that_is_none_or_has_no_end_ends_the_client(result: object, revision: Revision) -> None:
    ended = listing(revision, result)
    assert (ended.code, ended.said.count("\n")) == (1, 1)


@BOTH
def test_entries_that_are_no_tools_are_passed_over(revision: Revision) -> None:
    ended = listing(revision, {"tools": USELESS})
    assert (ended.code, ended.called) == (0, [])


@BOTH
@pytest.mark.parametrize("schema", [None, 7, [], {"$ref": 7}, {"properties": 7, "required": 7}, {"required": [{}]}])
def test_a_tool_without_a_schema_is_called_without_arguments(schema: object, revision: Revision) -> None:
    ended = listing(revision, {"tools": [{"name": "t", "inputSchema": schema}]})
    assert (ended.code, ended.called) == (0, [("t", {})])


@BOTH
def test_junk_in_place_of_capabilities_is_survived(revision: Revision) -> None:
    ended = against(revision, lambda _http, _id: None, tools=7, resources=None, prompts=[])
    assert (ended.code, ended.said) == (0, "")


@pytest.mark.parametrize(
    "result", [None, 7, {}, {"protocolVersion": 7}, {"protocolVersion": "2026-07-28"}], ids=json.dumps
)
def test_junk_in_place_of_a_handshake_ends_the_client(result: object) -> None:
    def intercept(http: HttpRequest) -> HttpReply:
        return HttpReply(
            status=200, headers=JSON, body=json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode()
        )

    assert run(Script(intercept=intercept), STATEFUL).code == 1


def test_a_session_id_that_no_header_can_carry_ends_the_client() -> None:
    def intercept(http: HttpRequest) -> HttpReply:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": opened(STATEFUL)}).encode()
        return HttpReply(status=200, headers=JSON | {"mcp-session-id": "säs sion"}, body=body)

    ended = run(Script(intercept=intercept), STATEFUL)
    assert (ended.code, len(ended.server.http_requests)) == (1, 1)
    assert ended.said.startswith("the server assigns the session id ")
