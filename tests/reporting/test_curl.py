"""The line that repeats a request."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from typing import Any

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.reference.server import running_server
from pytest_mcp_conformance.reporting.curl import curl_line
from pytest_mcp_conformance.reporting.exchanges import Exchange

STATELESS, STATEFUL = Revision.V2026_07_28, Revision.V2025_11_25
DISCOVER: JsonObject = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "server/discover",
    "params": {
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "it's", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    },
}
HEADERS: JsonObject = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "server/discover",
}


def exchange(body: JsonValue = None, *, number: int = 0, **members: Any) -> Exchange:
    request = {"number": number, "method": "POST", "url": "http://a/mcp", "headers": HEADERS, "body": body, **members}
    return Exchange(request=request, head=None, answers=())


def message(method: str, **params: JsonValue) -> JsonObject:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@pytest.mark.parametrize(
    ("sent", "revision", "repeats"),
    [
        pytest.param(exchange(message("tools/list")), STATELESS, True, id="stateless"),
        pytest.param(exchange(message("tools/list"), number=9), STATELESS, True, id="stateless, any of them"),
        pytest.param(exchange(message("tasks/get", taskId="x")), STATELESS, False, id="of a task"),
        pytest.param(exchange(message("tools/call", requestState="x")), STATELESS, False, id="a second round"),
        pytest.param(exchange(message("tools/call", inputResponses={})), STATELESS, False, id="with answers"),
        pytest.param(exchange(message("initialize"), number=9), STATEFUL, True, id="initialize"),
        pytest.param(exchange(message("tools/list")), STATEFUL, True, id="the first of a run"),
        pytest.param(exchange(message("tools/list"), number=3), STATEFUL, False, id="after initialize"),
        pytest.param(exchange(message("x"), headers={"mcp-session-id": "1"}), STATEFUL, False, id="in a session"),
        pytest.param(exchange(method="GET"), STATELESS, False, id="a stream"),
        pytest.param(exchange("{not json"), STATELESS, True, id="malformed text"),
        pytest.param(exchange('{"a": "bbb... (70000 bytes)'), STATELESS, False, id="cut in the transcript"),
        pytest.param(exchange("... (70000 bytes)"), STATELESS, False, id="left out of the transcript"),
        pytest.param(exchange(message("x"), headers="... (9000 characters)"), STATELESS, False, id="headers left out"),
        pytest.param(exchange(message("x" * 3000)), STATELESS, False, id="too long"),
        pytest.param(exchange("a\x1b[31m"), STATELESS, False, id="control characters"),
        pytest.param(exchange(message("x", token="(redacted)")), STATELESS, False, id="a secret left out"),
    ],
)
def test_a_line_is_given_where_one_request_is_enough(sent: Exchange, revision: Revision, *, repeats: bool) -> None:
    line = curl_line(sent, revision, secret_headers=())
    assert (line is not None) is repeats
    if line is not None:
        assert "\n" not in line


def test_the_line_has_every_header_and_no_secret() -> None:
    line = curl_line(exchange({"a": "it's"}, headers={"X-Empty": ""}), STATELESS, secret_headers=["Authorization"])
    assert line is not None
    assert shlex.split(line) == [
        "curl", "-sSiN", "http://a/mcp", "-H", "X-Empty;", "-H", "Content-Type:", "-H", "Authorization: ...",
        "--data-raw", '{"a": "it\'s"}',
    ]  # fmt: skip


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_line_does_what_it_says() -> None:
    with running_server() as url:
        line = curl_line(exchange(DISCOVER, url=url), STATELESS, secret_headers=["X-Key"])
        assert line is not None
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=20, check=True)
    assert done.stdout.startswith("HTTP/1.1 200")
    assert '"supportedVersions"' in done.stdout
