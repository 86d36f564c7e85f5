"""What a client does after initialize, by tables of requests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.mock_server import Received
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.scenarios.client.sessions import decide_sessions
from pytest_mcp_conformance.serving.http import HttpRequest
from tests.scenarios.client.deciding import by_id, http

OLD, AGREED = Revision.V2025_03_26, Revision.V2025_11_25
IN_SESSION: dict[str, str | None] = {"mcp-session-id": "one", "mcp-protocol-version": AGREED.value}
GOOD = {
    "x-initialized-before-requests": "SUCCESS",
    "x-session-id-on-every-request": "SUCCESS",
    "x-version-header-on-every-request": "SUCCESS",
    "x-version-header-is-negotiated": "SUCCESS",
}


class Conversation:
    """The requests of a client, one a second."""

    def __init__(self, *, agreed: Revision = AGREED, asked: str = AGREED.value) -> None:
        self.requests: list[Received] = []
        self.https: list[HttpRequest] = []
        self.began: dict[str, HttpRequest] = {}
        self.agreed = agreed
        self.initialize("one", asked)

    def initialize(self, session: str, asked: str) -> None:
        """Begin a session."""
        self.began[session] = self.post("initialize", {}, params={"protocolVersion": asked})

    def post(
        self, method: str, headers: dict[str, str | None] | None = None, *, later: float = 1.0, params: JsonValue = None
    ) -> HttpRequest:
        """Send a message."""
        sent = self.bare("POST", headers, later=later)
        body: JsonObject = {"jsonrpc": "2.0", "method": method, "params": params}
        message = body if method.startswith("notifications/") else {**body, "id": 1}
        self.requests.append(Received(message=message, revision=self.agreed, http=sent))
        return sent

    def bare(self, method: str, headers: dict[str, str | None] | None = None, *, later: float = 1.0) -> HttpRequest:
        """Send an HTTP request without a message."""
        fields = {**IN_SESSION} if headers is None else headers
        at = (self.https[-1].at if self.https else 0.0) + later
        self.https.append(http(method, fields, at=at))
        return self.https[-1]

    def decided(self) -> dict[str, str]:
        """Return the statuses by id."""
        checks = Checks()
        decide_sessions(self.requests, self.https, self.began, checks)
        return by_id(checks)


def ready() -> Conversation:
    """Return a conversation that is initialized."""
    conversation = Conversation()
    conversation.post("notifications/initialized")
    return conversation


def test_a_client_may_do_all_that_a_session_has() -> None:
    talk = ready()
    talk.bare("GET")
    talk.post("tools/list")
    talk.bare("DELETE")
    assert talk.decided() == GOOD


def test_without_a_session_nothing_is_decided() -> None:
    checks = Checks()
    decide_sessions([], [http("GET")], {}, checks)
    assert checks.recorded == []


@pytest.mark.parametrize(
    ("methods", "later", "status"),
    [
        (("ping", "notifications/initialized", "tools/list"), 1.0, "SUCCESS"),
        (("tools/list", "notifications/initialized"), 0.1, "SUCCESS"),  # one overtook the other
        (("tools/list", "notifications/initialized"), 1.0, "FAILURE"),
        (("tools/list",), 1.0, "FAILURE"),
        (("ping",), 1.0, "FAILURE"),
        (("notifications/cancelled",), 1.0, "FAILURE"),
        ((), 1.0, "FAILURE"),
    ],
)
def test_a_client_says_that_it_is_ready_before_it_works(methods: tuple[str, ...], later: float, status: str) -> None:
    talk = Conversation()
    for method in methods:
        talk.post(method, later=later)
    assert talk.decided()["x-initialized-before-requests"] == status


def test_a_client_may_leave_where_the_version_is_another() -> None:
    talk = Conversation(asked="2030-01-01")
    talk.bare("DELETE")
    assert talk.decided() == GOOD | {"x-initialized-before-requests": "SKIPPED"}


def test_a_session_does_not_count_for_another() -> None:
    talk = ready()
    talk.initialize("two", AGREED.value)
    talk.post("tools/list", IN_SESSION | {"mcp-session-id": "two"})
    assert talk.decided() == GOOD | {"x-initialized-before-requests": "FAILURE"}


SESSION, SENT, NEGOTIATED = (
    "x-session-id-on-every-request",
    "x-version-header-on-every-request",
    "x-version-header-is-negotiated",
)
CHANGED: list[tuple[str, dict[str, str | None], dict[str, str]]] = [
    ("POST", {"mcp-session-id": None}, {SESSION: "FAILURE"}),
    ("GET", {"mcp-session-id": None}, {SESSION: "FAILURE"}),
    ("DELETE", {"mcp-session-id": "another"}, {SESSION: "FAILURE"}),
    ("GET", {"mcp-protocol-version": None}, {SENT: "FAILURE"}),
    ("DELETE", {"mcp-protocol-version": None}, {SENT: "FAILURE"}),
    ("POST", {"mcp-protocol-version": "2025-06-18"}, {NEGOTIATED: "WARNING"}),
    ("POST", {"mcp-protocol-version": ""}, {NEGOTIATED: "WARNING"}),
    ("OPTIONS", {"mcp-session-id": None, "mcp-protocol-version": None}, {}),
]


@pytest.mark.parametrize(("method", "changes", "expected"), CHANGED, ids=str)
def test_what_every_request_carries(method: str, changes: dict[str, str | None], expected: dict[str, str]) -> None:
    talk = ready()
    talk.bare(method, {**IN_SESSION, **changes})
    assert talk.decided() == GOOD | expected


@pytest.mark.parametrize("method", ["initialize", "server/discover", "ping"])
def test_what_may_come_without_a_session(method: str) -> None:
    talk = ready()
    talk.post(method, {})
    assert talk.decided() == GOOD


def test_a_request_of_the_stateless_wire_is_of_no_session() -> None:
    talk = ready()
    meta: JsonObject = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    talk.post("tools/list", {"mcp-protocol-version": "2026-07-28"}, params={"_meta": meta})
    assert talk.decided() == GOOD


def test_what_came_before_the_session_is_not_of_it() -> None:
    talk = ready()
    talk.https.insert(0, replace(talk.https[0], method="GET"))
    assert talk.decided() == GOOD


def test_the_first_revision_has_no_version_header() -> None:
    talk = Conversation(agreed=OLD, asked=OLD.value)
    talk.post("notifications/initialized", {"mcp-session-id": "one"})
    assert talk.decided() == GOOD | {SENT: "SKIPPED", NEGOTIATED: "SKIPPED"}
