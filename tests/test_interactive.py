"""A scenario that is served for a client that is no command: a page, a phone, a worker."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO

import httpx
import pytest

from pytest_mcp_conformance.interactive import Asked, request_line
from pytest_mcp_conformance.serving.http import Headers, HttpRequest
from tests.reporting.chromium import PROGRAM, browser

SERVE = (sys.executable, "-m", "pytest_mcp_conformance.cli", "serve")
REFERENCE_CLIENT = (sys.executable, "-m", "pytest_mcp_conformance.reference.client")
STATELESS = "2026-07-28"
PAGE = "https://app.example"
PATIENCE_SECONDS = 20
META = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientInfo": {"name": "page", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
LISTS = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}
HEADERS = {
    "Accept": "application/json, text/event-stream",
    "Content-Type": "application/json",
    "MCP-Protocol-Version": STATELESS,
    "Mcp-Method": "tools/list",
}
PREFLIGHT = {
    "Origin": PAGE,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,mcp-method",
}


class Served:
    """A scenario that is served.

    :ivar told: what was said before a client could come.
    """

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.told = [self._line()]
        while not self.told[-1].startswith("Let the client run"):
            self.told.append(self._line())
        self.url = next(line for line in self.told if line.startswith("url: ")).removeprefix("url: ")

    @property
    def variables(self) -> dict[str, str]:
        """What the person exports for the client."""
        exported = [line.removeprefix("export ") for line in self.told if line.startswith("export ")]
        return dict(line.split("=", 1) for line in exported)

    def end(self) -> tuple[int, str]:
        """End it as Ctrl+C does; return the exit code and what was printed since."""
        self._process.send_signal(signal.SIGINT)
        printed, _ = self._process.communicate(timeout=PATIENCE_SECONDS)
        return self._process.returncode, printed

    def lose_its_reader(self) -> None:
        """Read no further, as `| head` does."""
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "it ended before it served"
        return line.rstrip("\n")


@contextmanager
def serving(
    *arguments: str,
    scenario: str = "tools_call",
    folder: Path | None = None,
    encoding: str = "utf-8",
    errors: IO[str] | None = None,
) -> Iterator[Served]:
    """Serve a scenario.

    :param encoding: of its output.
    :param errors: where its standard error goes, if not where that of this process goes.
    """
    command = [*SERVE, scenario, *arguments]
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=errors, env=environment, encoding=encoding
    ) as process:
        try:
            yield Served(process)
        finally:
            if process.poll() is None:
                process.kill()


def origin_of(served: Served) -> str:
    return served.url.removesuffix("/mcp")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


# Pages of other origins.


def test_a_preflight_is_allowed_and_is_no_request_of_the_client(tmp_path: Path) -> None:
    with serving("-o", "out", scenario="sep-2640-client-no-prefetch", folder=tmp_path) as served:
        answer = httpx.options(served.url, headers=PREFLIGHT)
        code, printed = served.end()
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-allow-methods"] == "POST"
    assert answer.headers["access-control-allow-headers"] == PREFLIGHT["Access-Control-Request-Headers"]
    assert "content-length" not in answer.headers
    assert printed.startswith("OPTIONS /mcp 204\n")
    assert "got no request; the client was not started" in printed
    assert code == 1
    (wire,) = (tmp_path / "out").glob("*/wire.jsonl")
    kept = [json.loads(line) for line in wire.read_text().splitlines()]
    assert [(entry["kind"], entry.get("method"), entry.get("status")) for entry in kept] == [
        ("request", "OPTIONS", None),
        ("response", None, 204),
    ]


@pytest.mark.parametrize("host", [None, "a-name.example"])
def test_a_page_of_another_origin_is_answered_under_any_name_and_may_read_what_mcp_says_in_headers(
    host: str | None,
) -> None:
    with serving("--spec-version", STATELESS) as served:
        named = {"Host": host} if host else {}
        answer = httpx.post(served.url, headers={**HEADERS, "Origin": PAGE, **named}, json=LISTS)
        _, printed = served.end()
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "*"
    exposed = {name.strip().lower() for name in answer.headers["access-control-expose-headers"].split(",")}
    assert {"mcp-session-id", "www-authenticate", "mcp-protocol-version"} <= exposed
    assert printed.startswith("POST /mcp tools/list 200\n")


def test_every_server_of_a_scenario_and_every_answer_is_open_to_pages() -> None:
    with serving(scenario="auth/basic-cimd") as served:
        refused = httpx.post(served.url, headers={"Origin": PAGE})
        metadata = httpx.get(f"{origin_of(served)}/.well-known/oauth-protected-resource/mcp", headers={"Origin": PAGE})
        (issuer,) = metadata.json()["authorization_servers"]
        preflight = httpx.options(f"{issuer}/token", headers=PREFLIGHT)
        lost = httpx.get(f"{issuer}/nothing-here", headers={"Origin": PAGE})
        served.end()
    assert [each.status_code for each in (refused, metadata, preflight, lost)] == [401, 200, 204, 404]
    assert "www-authenticate" in refused.headers
    assert {each.headers["access-control-allow-origin"] for each in (refused, metadata, preflight, lost)} == {"*"}
    assert not issuer.startswith(origin_of(served))


def test_a_stream_is_open_to_pages() -> None:
    with serving(scenario="sse-retry") as served, httpx.Client(headers={"Origin": PAGE}) as page:
        message = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "page", "version": "1"}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": message}
        begun = page.post(served.url, headers={"Accept": HEADERS["Accept"]}, json=body)
        session = {"Mcp-Session-Id": begun.headers["mcp-session-id"], "MCP-Protocol-Version": "2025-11-25"}
        page.headers.update({"Accept": HEADERS["Accept"], **session})
        page.post(served.url, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
        (tool,) = page.post(served.url, json={"jsonrpc": "2.0", "id": 2, "method": "tools/list"}).json()["result"][
            "tools"
        ]
        call = {"name": tool["name"], "arguments": {}}
        body = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": call}
        with page.stream("POST", served.url, json=body) as stream:
            assert stream.headers["content-type"] == "text/event-stream"
            assert stream.headers["access-control-allow-origin"] == "*"
        served.end()


PROGRAM_OF_THE_PAGE = """
(async () => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "page", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const ask = async (id, method, params) => {
    const headers = {
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json",
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": method,
    };
    if (params.name) headers["Mcp-Name"] = params.name;
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } });
    const answer = await fetch(URL_OF_THE_SERVER, { method: "POST", headers, body });
    return (await answer.json()).result;
  };
  const [tool] = (await ask(1, "tools/list", {})).tools;
  const result = await ask(2, "tools/call", { name: tool.name, arguments: { a: 2, b: 3 } });
  return result.content[0].text;
})()
"""


class Site(BaseHTTPRequestHandler):
    """A site with one page."""

    def do_GET(self) -> None:
        """Answer with the page."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>A client</title>")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the name of the parameter there
        """Say nothing."""


@pytest.mark.skipif(PROGRAM is None, reason="Chromium is not installed")
def test_a_page_in_a_browser_is_a_client() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as site, serving("--spec-version", STATELESS) as served:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        with browser() as page:
            page.visit(f"http://127.0.0.1:{site.server_port}/")
            said = page.run(PROGRAM_OF_THE_PAGE.replace("URL_OF_THE_SERVER", json.dumps(served.url)))
        site.shutdown()
        code, printed = served.end()
    assert said == "The sum is 5"
    assert f"tools_call@{STATELESS}: passed" in printed
    assert "POST /mcp tools/call 200" in printed
    assert "OPTIONS /mcp 204" in printed
    assert code == 0


# Where it listens.


def test_the_port_is_that_of_the_mcp_server_and_a_second_server_has_another() -> None:
    port = free_port()
    with serving("--port", str(port), scenario="auth/basic-cimd") as served:
        assert served.url == f"http://localhost:{port}/mcp"
        with socket.create_connection(("127.0.0.1", port)):
            pass
        metadata = httpx.get(f"http://localhost:{port}/.well-known/oauth-protected-resource/mcp").json()
        served.end()
    assert all(f":{port}" not in issuer for issuer in metadata["authorization_servers"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--port", "{taken}"], "--port {taken} is taken on localhost. Choose another, or leave the option out"),
        (["--host", "127.0.0.1", "--port", "{taken}"], "--port {taken} is taken on 127.0.0.1."),
        (["--port", "0"], "argument --port: 0: give a whole number from 1 to 65535."),
        (["--port", "65536"], "argument --port: 65536: give a whole number from 1 to 65535."),
        (["--port", "http"], "argument --port: http: give a whole number from 1 to 65535."),
        (["--host", ""], "--host is empty. Give an address of this machine, or leave the option out."),
        (["--host", "192.0.2.77"], "--host 192.0.2.77: Cannot assign requested address. Give an address of this"),
        (["--host", "no-such-host.invalid"], "--host no-such-host.invalid: "),
        (["--host", "a..b"], "--host a..b: "),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_where_it_cannot_listen_that_is_one_error(arguments: list[str], told: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [*SERVE, "tools_call", *(word.replace("{taken}", port) for word in arguments)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert told.replace("{taken}", port) in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 has to be set up")
def test_another_address_is_served_under_that_address() -> None:
    with serving("--host", "127.0.0.2") as served:
        assert served.url.startswith("http://127.0.0.2:")
        subprocess.run(
            [*REFERENCE_CLIENT, served.url], env=os.environ | served.variables, check=True, timeout=PATIENCE_SECONDS
        )
        code, printed = served.end()
    assert "tools_call@2025-11-25: passed" in printed
    assert code == 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 has to be set up")
def test_what_servers_say_of_each_other_has_that_address_too() -> None:
    with serving("--host", "127.0.0.2", scenario="auth/basic-cimd") as served:
        challenge = httpx.post(served.url).headers["www-authenticate"]
        (issuer,) = httpx.get(f"{origin_of(served)}/.well-known/oauth-protected-resource/mcp").json()[
            "authorization_servers"
        ]
        metadata = httpx.get(f"{issuer}/.well-known/oauth-authorization-server").json()
        served.end()
    assert f'resource_metadata="{origin_of(served)}/' in challenge
    assert metadata["token_endpoint"].startswith("http://127.0.0.2:")


def test_all_addresses_are_served_under_one_that_others_know_and_the_person_is_told() -> None:
    with serving("--host", "0.0.0.0", "--spec-version", STATELESS) as served:
        host, _, port = served.url.removeprefix("http://").removesuffix("/mcp").rpartition(":")
        assert host not in ("0.0.0.0", "localhost")
        for name in {host, "127.0.0.1"}:
            assert httpx.post(f"http://{name}:{port}/mcp", headers=HEADERS, json=LISTS).status_code == 200
        served.end()
    assert "It listens on 0.0.0.0: whoever reaches this machine there can talk to it." in served.told


@pytest.mark.parametrize("arguments", [[], ["--host", "127.0.0.1"]])
def test_nobody_is_warned_of_what_this_machine_alone_reaches(arguments: list[str]) -> None:
    with serving(*arguments) as served:
        served.end()
    assert not any("whoever reaches" in line for line in served.told)


# What the person reads.


def test_a_failure_reads_as_in_a_run_and_says_how_to_serve_it_again() -> None:
    port = free_port()
    with serving("--spec-version", STATELESS, "--port", str(port)) as served:
        httpx.post(served.url, headers=HEADERS, json={**LISTS, "params": {}})
        code, printed = served.end()
    assert code == 1
    assert "\n    ✗ FAILURE tool-add-numbers  expected a call" in printed
    assert (
        "\n  tool-add-numbers: expected a call of add_numbers with numbers a and b, got no call of a tool   [MUST"
        in printed
    )
    assert "\n      https://modelcontextprotocol.io/specification/" in printed
    assert "\ndecided wire-schema-valid:\n  > POST http://localhost:" in printed
    assert "\n  the last message of the client was refused:\n" in printed
    assert f"\nagain: mcp-conformance serve tools_call --spec-version {STATELESS} --port {port}\n" in printed
    assert printed.endswith(f"tools_call@{STATELESS}: failed\n")


def test_the_line_that_serves_again_is_the_one_that_served() -> None:
    asked = Asked(scenario="tools_call", version="draft", force=True, host="0.0.0.0", port=8000, results="my out")
    assert asked.line == (
        "mcp-conformance serve tools_call --spec-version draft --force --host 0.0.0.0 --port 8000 -o 'my out'"
    )
    assert Asked(scenario="tools_call").line == "mcp-conformance serve tools_call"


def test_a_client_does_not_hear_that_nobody_reads_and_the_results_are_there(tmp_path: Path) -> None:
    said = tmp_path / "errors"
    with said.open("w") as errors, serving("-o", "out", folder=tmp_path, errors=errors) as served:
        served.lose_its_reader()
        subprocess.run(
            [*REFERENCE_CLIENT, served.url], env=os.environ | served.variables, check=True, timeout=PATIENCE_SECONDS
        )
        code, _ = served.end()
    assert code == 0
    (written,) = (tmp_path / "out").glob("*/checks.json")
    assert {check["status"] for check in json.loads(written.read_text())} == {"SUCCESS"}
    assert said.read_text() == ""


def test_what_the_encoding_of_the_output_lacks_is_spelled_out(tmp_path: Path) -> None:
    with serving("-o", "out", folder=tmp_path, encoding="ascii") as served:
        code, printed = served.end()
    assert code == 1
    assert "\n    \\u2717 FAILURE tool-add-numbers  " in printed
    assert len(list((tmp_path / "out").glob("*/checks.json"))) == 1


def test_results_that_cannot_be_written_are_told_after_the_checks(tmp_path: Path) -> None:
    said = tmp_path / "errors"
    with said.open("w") as errors, serving("-o", "out", folder=tmp_path, errors=errors) as served:
        (tmp_path / "out").rmdir()
        (tmp_path / "out").write_text("in the way")
        code, printed = served.end()
    assert code == pytest.ExitCode.USAGE_ERROR
    assert printed.endswith("tools_call@2025-11-25: failed\n")
    assert said.read_text().endswith("--output-dir out: Not a directory. Give a folder that can be made.\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-o", ""], "--output-dir names no folder. Leave the option out to do without."),
        (["--spec-version="], "--spec-version is empty. Name a revision, or leave the option out"),
    ],
)
def test_an_empty_value_is_refused(tmp_path: Path, arguments: list[str], told: str) -> None:
    ended = subprocess.run(
        [*SERVE, "tools_call", *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert told in ended.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "line"),
    [
        ("POST", "/mcp", b'{"method": "tools/call"}', 200, "POST /mcp tools/call 200"),
        ("POST", "/mcp", b'{"id": 1, "result": {}}', 202, "POST /mcp response 202"),
        ("POST", "/mcp", b'[{"method": "ping"}]', 200, "POST /mcp batch 200"),
        ("POST", "/token", b"grant_type=x", 400, "POST /token 400"),
        ("GET", "/mcp", b"", None, "GET /mcp no answer"),
        ("POST", "/mcp", b'{"method": "\\u001b[2J"}', 400, r'POST /mcp "\u001b[2J" 400'),
        ("POST", "/mcp", b'{"method": "\xc3\xa4"}', 400, r'POST /mcp "\u00e4" 400'),
        ("POST", "/mcp", b'{"method": 7}', 400, "POST /mcp 400"),
        ("GET", "/\x1b", b"", 404, r'GET "/\u001b" 404'),
    ],
)
def test_a_request_is_one_line_that_moves_no_cursor(
    method: str, path: str, body: bytes, status: int | None, line: str
) -> None:
    assert request_line(HttpRequest(method=method, path=path, headers=Headers(()), body=body), status) == line
