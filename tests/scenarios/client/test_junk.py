"""Whatever a client sends, it is the client's fault."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.model import Ending, Leg, Revision
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.scenarios.client import elicitation_defaults
from tests.scenarios.client.odd_client import Odd, outcome, stateless

FAMILIES = (
    "custom_headers",
    "elicitation_defaults",
    "json_schema",
    "lifecycle",
    "multi_round_trip",
    "request_metadata",
    "skills",
    "sse_polling",
    "standard_headers",
    "tool_definitions",
    "tools",
)
MODULES = {f"pytest_mcp_conformance.scenarios.client.{family}" for family in FAMILIES}
NAMES = [name for name, scenario in scenarios(Leg.CLIENT).items() if scenario.module in MODULES]
METHODS = ("initialize", "notifications/initialized", "resources/read", "skills/list", "tools/call", "tools/list")
MEMBERS = (
    *("_meta", "arguments", "capabilities", "clientInfo", "cursor", "inputResponses", "name", "protocolVersion"),
    *("requestState", "uri"),
)
VALUES: tuple[JsonValue, ...] = (None, True, -1.5, 1e999, "", "\ud800", [], [None], {}, {"0": {}})
BODIES = (b"", b"\xff", b"{", b"NaN", b"[" * 300)
HEADERS = {
    "mcp-method": "=?base64?!?=",
    "mcp-name": "=?base64?/w==?=",
    "mcp-param-region": "=?base64?",
    "last-event-id": "-",
    "mcp-session-id": "none",
}


def junk() -> list[JsonValue]:
    """Return messages with such values in every place."""
    whole: list[JsonValue] = []
    for method in METHODS:
        for value in VALUES:
            inside: JsonObject = dict.fromkeys(MEMBERS, value)
            whole += [{"jsonrpc": "2.0", "id": 1, "method": method, "params": inside}]
    for value in VALUES:
        whole += [{"jsonrpc": "2.0", "id": value, "method": "tools/call", "params": value}]
        whole += [{"jsonrpc": "2.0", "id": 1, "method": value}]
        whole += [{"jsonrpc": "2.0", "id": 1, "result": value}, {"jsonrpc": "2.0", "id": 1, "error": value}]
    return whole


async def send_junk(client: Odd) -> None:
    """Send junk of every kind, in a session where there are sessions."""
    for body in BODIES:
        await client.post(body)
    for method in ("GET", "DELETE", "PUT"):
        await client.http.request(method, client.url, headers=HEADERS)
    batch: JsonValue = [{"jsonrpc": "2.0", "method": "tools/call", "id": 1}, None]
    for value in (*VALUES, batch):
        await client.post(value, HEADERS)
    began = await client.post({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    if "session" in began.text:
        await client.initialize()
    for number, each in enumerate(junk()):
        await client.post(each, {"mcp-protocol-version": "2026-07-28"} if number % 2 else None)


@pytest.mark.parametrize("name", NAMES)
async def test_junk_raises_nothing(name: str) -> None:
    scenario = scenarios(Leg.CLIENT)[name]
    found = await outcome(name, scenario.implied_revision, send_junk)
    assert found.ending is not Ending.HARNESS_ERROR, found.reason
    assert found.ending is not Ending.COULD_NOT_RUN, found.reason


@pytest.mark.parametrize("name", NAMES)
async def test_a_client_that_only_asks_around_does_not_pass(name: str) -> None:
    async def ask_around(client: Odd) -> None:
        await client.post(*stateless("server/discover"))

    found = await outcome(name, scenarios(Leg.CLIENT)[name].implied_revision, ask_around)
    # A client need not have the extension.
    expected = {Ending.NOT_APPLICABLE} if name.startswith("sep-2640-") else {Ending.FAILED, Ending.WARNED}
    assert found.ending in expected


# -- answers to forms


ANSWERS: list[tuple[JsonObject, str]] = [
    ({"result": {"action": "decline"}}, 'got {"action": "decline"}'),
    (
        {"result": {"action": "accept", "content": {"name": None}}},
        'got {"action": "accept", "content": {"name": null}}',
    ),
    ({"result": {"action": "accept", "content": [1]}}, 'got {"action": "accept", "content": [1]}'),
    ({"result": {"action": ["accept"]}}, 'got {"action": ["accept"]}'),
    ({"result": {}}, "got {}"),
    ({"error": {"code": -1, "message": "no"}}, 'got {"code": -1, "message": "no"}'),
    ({"result": None}, "got none within 0.2 s"),
    ({"error": None}, "got none within 0.2 s"),
]
FORM = "elicitation-sep1034-client-defaults"


@pytest.mark.parametrize(("answer", "told"), ANSWERS, ids=str)
async def test_an_odd_answer_to_a_form_fails(answer: JsonObject, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elicitation_defaults, "ANSWER_SECONDS", 0.2)

    async def answer_oddly(client: Odd) -> None:
        await client.initialize({"elicitation": {}})
        called = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": elicitation_defaults.TOOL}}
        async with client.http.stream(
            "POST", client.url, json=called, headers={"accept": "*/*", **client.headers}
        ) as stream:
            lines = stream.aiter_lines()
            async for line in lines:
                if "elicitation/create" in line:
                    await client.post({"jsonrpc": "2.0", "id": 1, **answer})

    found = await outcome(FORM, Revision.V2025_11_25, answer_oddly)
    general, *fields = (check for check in found.checks if check.id.startswith("client-elicitation-"))
    assert general.name == "ClientElicitationSEP1034General"
    assert general.message is not None
    assert general.message.endswith(told)
    assert [field.name for field in fields] == [
        f"clientelicitationsep1034{kind}default" for kind in ("string", "integer", "number", "enum", "boolean")
    ]
    assert {field.message for field in fields} == {"Not testable: the form was not accepted"}


async def test_a_client_that_leaves_the_form_open_fails() -> None:
    async def leave(client: Odd) -> None:
        await client.initialize({"elicitation": {}})
        called = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": elicitation_defaults.TOOL}}
        async with client.http.stream(
            "POST", client.url, json=called, headers={"accept": "*/*", **client.headers}
        ) as stream:
            async for line in stream.aiter_lines():
                if "elicitation/create" in line:
                    break

    found = await outcome(FORM, Revision.V2025_11_25, leave)
    messages = [check.message for check in found.checks if check.id == "client-elicitation-sep1034-general"]
    assert messages == ["expected an answer that accepts the form, got none before the client ended"]


@pytest.mark.parametrize("declared", [{}, {"elicitation": {"url": {}}}], ids=str)
async def test_a_client_that_takes_no_forms_is_not_asked_and_fails_in_words(declared: JsonObject) -> None:
    async def call(client: Odd) -> None:
        await client.initialize(declared)
        called: JsonObject = {"name": elicitation_defaults.TOOL}
        answer = await client.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": called})
        assert "elicitation/create" not in answer.text

    found = await outcome(FORM, Revision.V2025_11_25, call)
    told = "Not testable: the client does not declare elicitation with forms, and so cannot be asked for one"
    own = [check for check in found.checks if check.id.startswith("client-elicitation-")]
    assert {(check.status.value, check.message) for check in own} == {("FAILURE", told)}
    assert len(own) == 5
