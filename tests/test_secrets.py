"""Credentials of the target reach the target and no outcome, also where the target repeats them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from pytest_mcp_conformance.json_values import SHOWN_CHARACTERS, shown
from pytest_mcp_conformance.model import Ending, Leg, Revision
from pytest_mcp_conformance.outcome_json import packed
from pytest_mcp_conformance.protocol.recorder import without_secrets
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
    assert secrets_of({"X-Debug": "1"}) == ()
    assert secrets_of({"Authorization": "Bearer abcdef"}) == ("Bearer abcdef", "abcdef")


@pytest.mark.parametrize("shift", range(0, 12, 3))
def test_a_credential_on_the_edge_where_a_text_is_cut_is_blotted_out(shift: int) -> None:
    text = shown("x" * (SHOWN_CHARACTERS - shift - 2) + SECRET * 2)
    left = without_secrets(text, secrets_of({"Authorization": SECRET}))
    assert isinstance(left, str)
    assert "s3cr" not in left
    assert "characters)" in left
