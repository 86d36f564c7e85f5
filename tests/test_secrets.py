"""Credentials of the target reach the target and no outcome, also where the target repeats them."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from pytest_mcp_conformance.json_values import SHOWN_CHARACTERS, JsonValue, shown
from pytest_mcp_conformance.model import Ending, Leg, Revision
from pytest_mcp_conformance.outcome_json import packed
from pytest_mcp_conformance.protocol.recorder import SECRET_CHARACTERS, without_secrets
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running import ServerUnderTest, run_server_scenario, secrets_of

SECRET = 'top"s3cr3t'


class Repeating(BaseHTTPRequestHandler):
    """Answers everything with an error that repeats the credential it got."""

    def do_POST(self) -> None:
        """Repeat the credential."""
        self.rfile.read(int(self.headers["Content-Length"]))
        body = f"refused: {self.headers['Authorization']}".encode()
        self.send_response(401)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the name of the base class
        """Say nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Repeating)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/mcp"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("revision", [Revision.V2025_11_25, Revision.V2026_07_28])
def test_a_repeated_credential_is_blotted_out_of_the_whole_outcome(url: str, revision: Revision) -> None:
    server = ServerUnderTest(url=url, headers={"Authorization": f"Bearer {SECRET}"})
    run = run_server_scenario(scenarios(Leg.SERVER)["tools-list"], revision, server, timeout=5)
    outcome = asyncio.run(run)
    assert outcome.ending is Ending.FAILED
    assert "refused: (redacted)" in packed(outcome)
    assert "s3cr3t" not in packed(outcome)


def test_short_values_are_no_secrets() -> None:
    assert secrets_of({"X-Debug": "1", "X-Quoted": '"'}) == ()
    assert secrets_of({"Authorization": "Bearer abcdef"}) == ("Bearer abcdef", "abcdef")


@pytest.mark.parametrize(
    ("headers", "repeated"),
    [
        ({"Authorization": "Basic bWU6dG9wLXMzY3IzdA=="}, "top-s3cr3t"),
        ({"Authorization": "basic bWU6dG9wLXMzY3IzdA"}, "no such user: me:top-s3cr3t"),
        ({"Cookie": "a=1; session=top-s3cr3t; b=2"}, '{"session": "top-s3cr3t"}'),
        ({"X-Api-Key": "top/s3cr3t+1"}, "/login?key=top%2fs3cr3t%2b1"),
        ({"Authorization": "Bearer top<s3cr3t>"}, "<p>top&lt;s3cr3t&gt;</p>"),
    ],
)
def test_what_is_in_a_header_is_found_by_itself(headers: dict[str, str], repeated: str) -> None:
    left = without_secrets(repeated, secrets_of(headers))
    assert "s3cr3t" not in str(left)


@pytest.mark.parametrize("value", ["Basic ?", "Basic ", "Basic", "Basic \u00e4\u00e4", "basic YWJj", ""])
def test_credentials_that_are_none_are_no_error(value: str) -> None:
    assert (value in secrets_of({"Authorization": value})) is (len(value) >= SECRET_CHARACTERS)


def test_a_long_secret_does_not_make_cutting_slow() -> None:
    secrets = secrets_of({"Authorization": f"Bearer {'ab' * 8000}"})
    texts: list[JsonValue] = [f"{'ab' * 30_000}... (70000 characters)" for _ in range(20)]
    started = time.process_time()
    assert "abababab" not in str(without_secrets(texts, secrets))
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize("shift", range(0, 12, 3))
def test_a_credential_on_the_edge_where_a_text_is_cut_is_blotted_out(shift: int) -> None:
    text = shown("x" * (SHOWN_CHARACTERS - shift - 2) + SECRET * 2)
    left = without_secrets(text, secrets_of({"Authorization": SECRET}))
    assert isinstance(left, str)
    assert "s3cr" not in left
    assert "characters)" in left
