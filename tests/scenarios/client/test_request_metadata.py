"""What a client says in each request, and what it does after its version was refused."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.mock_server import Received
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.scenarios.client.request_metadata import decide_metadata
from tests.scenarios.client.deciding import by_id, message, request
from tests.scenarios.client.odd_client import Odd, outcome, stateless

V = "2026-07-28"
P = "io.modelcontextprotocol/"
META: JsonObject = {
    f"{P}protocolVersion": V,
    f"{P}clientInfo": {"name": "c", "version": "1"},
    f"{P}clientCapabilities": {"roots": {}, "sampling": {}, "elicitation": {}},
}
HEADER = "sep-2575-http-client-sends-version-header"
POPULATES = "sep-2575-client-populates-meta"
INFO = "sep-2575-client-sends-client-info"
MATCHES = "sep-2575-http-version-header-matches-meta"
ROOTS, SAMPLING, ELICITATION = (
    f"sep-2575-client-declares-{name}-capability" for name in ("roots", "sampling", "elicitation")
)
RETRY = "sep-2575-client-retry-supported-version"
GOOD = dict.fromkeys((HEADER, POPULATES, INFO, MATCHES, ROOTS, SAMPLING, ELICITATION, RETRY), "SUCCESS")


def sent(header: str | None = V, **meta: JsonValue) -> Received:
    """Return a request, with changes in its _meta; what is "-" is left out."""
    said = META | {f"{P}{name}": value for name, value in meta.items()}
    kept: JsonObject = {name: value for name, value in said.items() if value != "-"}
    return request("tools/list", {"_meta": kept}, {"mcp-protocol-version": header})


def capabilities(**declared: JsonValue) -> Received:
    return sent(clientCapabilities=declared)


GOOD_ONE = sent()
NOTED = message({"jsonrpc": "2.0", "method": "notifications/odd"})
UNDECLARED = {ROOTS: "SKIPPED", SAMPLING: "SKIPPED", ELICITATION: "SKIPPED"}
ROWS: list[tuple[str, list[Received], dict[str, str]]] = [
    ("all well", [GOOD_ONE, GOOD_ONE], {}),
    ("no retry", [GOOD_ONE], {RETRY: "WARNING"}),
    ("another version refused", [sent("2030-01-01", protocolVersion="2030-01-01"), GOOD_ONE], {}),
    (
        "a retry with the refused version",
        [sent("2030-01-01", protocolVersion="2030-01-01")] * 2,
        {RETRY: "WARNING"},
    ),
    ("a wrong one at last", [GOOD_ONE, GOOD_ONE, sent("2025-11-25", protocolVersion="2025-11-25")], {RETRY: "WARNING"}),
    ("no header once", [sent(None), GOOD_ONE], {HEADER: "FAILURE"}),
    ("no version in _meta", [GOOD_ONE, sent(protocolVersion="-")], {POPULATES: "FAILURE", RETRY: "WARNING"}),
    ("an older header", [GOOD_ONE, sent("2025-11-25")], {MATCHES: "FAILURE", RETRY: "WARNING"}),
    ("anonymous once", [sent(clientInfo="-"), GOOD_ONE], {INFO: "WARNING"}),
    ("null as capabilities once", [sent(clientCapabilities=None), GOOD_ONE], {POPULATES: "FAILURE"}),
    ("a text as capabilities", [sent(clientCapabilities="x")] * 2, {POPULATES: "FAILURE", **UNDECLARED}),
    ("no capability", [capabilities()] * 2, UNDECLARED),
    ("roots once", [capabilities(roots={}), capabilities()], UNDECLARED | {ROOTS: "SUCCESS"}),
    (
        "odd values",
        [capabilities(roots="yes", sampling=[], elicitation=None), GOOD_ONE],
        {ROOTS: "FAILURE", SAMPLING: "FAILURE", ELICITATION: "FAILURE"},
    ),
    ("a version that is no text", [sent(protocolVersion=5), GOOD_ONE], {MATCHES: "FAILURE"}),
    ("notifications without anything", [NOTED, GOOD_ONE, NOTED, GOOD_ONE, NOTED], {}),
    ("a notification after the refusal", [GOOD_ONE, NOTED], {RETRY: "WARNING"}),
    (
        "neither header nor _meta",
        [request("initialize", {})],
        {HEADER: "FAILURE", POPULATES: "FAILURE", INFO: "WARNING", MATCHES: "SKIPPED", **UNDECLARED, RETRY: "WARNING"},
    ),
]


@pytest.mark.parametrize(("fact", "requests", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_every_request_is_decided(fact: str, requests: list[Received], expected: dict[str, str]) -> None:
    checks = Checks()
    decide_metadata(requests, checks)
    assert by_id(checks) == GOOD | expected
    assert len(checks.recorded) == 8


@pytest.mark.parametrize("body", [None, [], 5, "x", {}, {"params": [1]}, {"params": {"_meta": "x"}}], ids=repr)
def test_odd_bodies_are_requests_without_metadata(body: JsonValue) -> None:
    checks = Checks()
    decide_metadata([message(body), GOOD_ONE], checks)
    assert by_id(checks) == GOOD | {HEADER: "FAILURE", POPULATES: "FAILURE", INFO: "WARNING"}


@pytest.mark.parametrize("received", [[], [NOTED]], ids=["nothing", "a notification"])
def test_without_a_request_all_fail_unobserved(received: list[Received]) -> None:
    checks = Checks()
    decide_metadata(received, checks)
    assert by_id(checks) == dict.fromkeys(GOOD, "FAILURE")
    assert {check.name for check in checks.recorded} == {"NotObserved"}


async def test_the_first_request_is_refused_and_no_other() -> None:
    answers: list[tuple[int, JsonValue]] = []

    async def ask_twice(client: Odd) -> None:
        await client.post(b"no json")
        noted = await client.post({"jsonrpc": "2.0", "method": "notifications/odd"})
        assert noted.status_code == 202
        for id_ in ("one", 2):
            answer = await client.post(*stateless("tools/list", id_=id_))
            answers.append((answer.status_code, answer.json()))

    found = await outcome("request-metadata", Revision.V2026_07_28, ask_twice)
    data: JsonObject = {"supported": [V], "requested": V}
    refused: JsonObject = {"code": -32022, "message": "Unsupported protocol version", "data": data}
    assert answers[0] == (400, {"jsonrpc": "2.0", "id": "one", "error": refused})
    assert answers[1][0] == 200
    assert found.ending == "passed"
