"""The stateless wire: what a request must say, in which words it is refused, and what it brings back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_mcp_conformance.reference.server import ReferenceServer
from tests.reference.clients import META, Stateful, http_to, initialize, request, stateless

NAME = {"name": "test_input_required_result_multi_round", "arguments": {}}
FORMS: dict[str, Any] = {"elicitation": {}}


def accepted(**content: Any) -> dict[str, Any]:
    return {"action": "accept", "content": content}


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"mcp-protocol-version": "2025-11-25"}, 400, -32020),
        ({"mcp-method": "tools/call"}, 400, -32020),
        ({"mcp-method": "SERVER/DISCOVER"}, 400, -32020),
        ({"accept": "text/html"}, 406, -32600),
        ({"accept": "application/json"}, 406, -32600),
        ({"content-type": "text/plain"}, 415, -32600),
        ({"origin": "https://example.com"}, 403, -32600),
        ({"origin": "null"}, 403, -32600),
        ({"host": "example.com"}, 403, -32600),
    ],
)
async def test_a_header_that_is_wrong_is_refused(headers: dict[str, str], status: int, code: int) -> None:
    asked = stateless("server/discover")
    async with http_to(ReferenceServer()) as http:
        answer = await http.post("/mcp", json=asked["json"], headers=asked["headers"] | headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize("header", ["mcp-protocol-version", "mcp-method", "mcp-name"])
async def test_a_header_that_is_missing_is_refused(header: str) -> None:
    asked = stateless("tools/call", {"name": "test_simple_text"})
    headers = {name: value for name, value in asked["headers"].items() if name != header}
    async with http_to(ReferenceServer()) as http:
        answer = await http.post("/mcp", json=asked["json"], headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020)


async def test_a_name_in_base64_form_is_the_same_name() -> None:
    asked = stateless("tools/call", {"name": "test_simple_text"})
    headers = asked["headers"] | {"mcp-name": "=?base64?dGVzdF9zaW1wbGVfdGV4dA==?="}
    async with http_to(ReferenceServer()) as http:
        assert "result" in (await http.post("/mcp", json=asked["json"], headers=headers)).json()


@pytest.mark.parametrize("version", ["v999", "2024-11-05"])
async def test_a_version_that_is_not_spoken_is_refused_with_those_that_are(version: str) -> None:
    asked = stateless("server/discover")
    asked["json"]["params"]["_meta"][f"{META}protocolVersion"] = version
    asked["headers"]["mcp-protocol-version"] = version
    async with http_to(ReferenceServer()) as http:
        refused = await http.post("/mcp", **asked)
        known = (await http.post("/mcp", **stateless("server/discover"))).json()["result"]["supportedVersions"]
    assert refused.status_code == 400
    assert refused.json()["error"]["data"] == {"supported": known, "requested": version}


async def test_both_wires_are_served_at_once() -> None:
    async with http_to(ReferenceServer()) as http:
        client = await Stateful.connect(http)
        modern = await http.post("/mcp", **stateless("tools/list"))
        assert (await client.result("ping")) == {}
        assert modern.json()["result"]["resultType"] == "complete"
        gone = await http.post("/mcp", **stateless("initialize", initialize()["params"]))
        assert (gone.status_code, gone.json()["error"]["code"]) == (404, -32601)


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
async def test_only_post_is_served(method: str) -> None:
    async with http_to(ReferenceServer()) as http:
        answer = await http.request(method, "/mcp", headers={"mcp-protocol-version": "2026-07-28"})
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


async def test_a_response_is_refused_and_a_notification_is_taken() -> None:
    headers = {"mcp-protocol-version": "2026-07-28"}
    response = {"jsonrpc": "2.0", "id": 1, "result": {}}
    async with http_to(ReferenceServer()) as http:
        assert (await http.post("/mcp", json=response, headers=headers)).status_code == 400
        note = {"jsonrpc": "2.0", "method": "notifications/whatever"}
        taken = await http.post("/mcp", json=note, headers=headers)
    assert (taken.status_code, taken.content) == (202, b"")


async def test_two_rounds_are_answered_without_memory() -> None:
    """What the first round brought travels in the state, so that any server with the key can go on."""
    async with http_to(ReferenceServer()) as http:

        async def ask(**more: Any) -> Any:
            return (await http.post("/mcp", **stateless("tools/call", NAME | more, capabilities=FORMS))).json()

        first = (await ask())["result"]
        second = (await ask(inputResponses={"step1": accepted(name="Alice")}, requestState=first["requestState"]))[
            "result"
        ]
        third = await ask(inputResponses={"step2": accepted(color="blue")}, requestState=second["requestState"])
    assert (list(first["inputRequests"]), list(second["inputRequests"])) == (["step1"], ["step2"])
    assert third["result"]["content"][0]["text"] == "Alice likes blue"


async def test_state_opens_for_its_own_request_until_it_lapses() -> None:
    now = [1000.0]
    other = {"name": "test_input_required_result_request_state", "arguments": {}}
    async with http_to(ReferenceServer(clock=lambda: now[0])) as http, http_to(ReferenceServer()) as stranger:
        first = (await http.post("/mcp", **stateless("tools/call", NAME, capabilities=FORMS))).json()["result"]
        state = first["requestState"]
        retry = {"inputResponses": {"step1": accepted(name="Alice")}, "requestState": state}

        async def code(params: dict[str, Any], client: Any = http) -> Any:
            answer = (await client.post("/mcp", **stateless("tools/call", params, capabilities=FORMS))).json()
            return answer.get("error", {}).get("code")

        assert await code(NAME | retry) is None
        assert await code(NAME | retry | {"requestState": state + "0"}) == -32602
        assert await code(NAME | retry | {"requestState": "A" + state}) == -32602
        assert await code(NAME | retry | {"requestState": 5}) == -32602
        assert await code(other | retry) == -32602
        assert await code(NAME | retry | {"arguments": {"x": 1}}) == -32602
        assert await code(NAME | retry, stranger) == -32602
        now[0] += 301
        assert await code(NAME | retry) == -32602


async def test_an_answer_without_its_state_is_asked_for_again() -> None:
    given = NAME | {"inputResponses": {"step1": accepted(name="Mallory")}}
    async with http_to(ReferenceServer()) as http:
        result = (await http.post("/mcp", **stateless("tools/call", given, capabilities=FORMS))).json()["result"]
    assert (result["resultType"], list(result["inputRequests"])) == ("input_required", ["step1"])


async def test_what_cannot_be_asked_is_refused_with_the_capability_that_is_missing() -> None:
    form = {"name": "test_input_required_result_elicitation", "arguments": {}}
    async with http_to(ReferenceServer()) as http:
        without: list[dict[str, Any]] = [{}, {"elicitation": {"url": {}}}]
        for capabilities in without:
            answer = await http.post("/mcp", **stateless("tools/call", form, capabilities=capabilities))
            needed = answer.json()["error"]["data"]["requiredCapabilities"]
            assert (answer.status_code, needed) == (400, {"elicitation": {"form": {}}})


async def test_mirrored_arguments_are_compared_by_type() -> None:
    arguments = {"count": 42, "dryRun": False, "region": "us-east1"}
    right = {"mcp-param-count": "42.0", "mcp-param-dry-run": "false", "mcp-param-region": "us-east1"}
    asked = stateless("tools/call", {"name": "execute", "arguments": arguments})
    async with http_to(ReferenceServer()) as http:

        async def code(**changed: str | None) -> Any:
            headers = asked["headers"] | right | {name.replace("_", "-"): value for name, value in changed.items()}
            sent = {name: value for name, value in headers.items() if value is not None}
            answer = await http.post("/mcp", json=asked["json"], headers=sent)
            return answer.json().get("error", {}).get("code")

        assert await code() is None
        assert await code(mcp_param_unknown="ignored") is None
        assert await code(mcp_param_region=None) == -32020
        assert await code(mcp_param_region="eu-west1") == -32020
        assert await code(mcp_param_dry_run="False") == -32020
        assert await code(mcp_param_count="0x2a") == -32020


async def test_lists_come_in_pages_and_strange_cursors_are_refused() -> None:
    async with http_to(ReferenceServer(page_size=2)) as http:
        seen: list[str] = []
        params: dict[str, Any] = {}
        while True:
            result = (await http.post("/mcp", **stateless("prompts/list", params))).json()["result"]
            seen += [prompt["name"] for prompt in result["prompts"]]
            assert (result["ttlMs"], result["cacheScope"]) == (60_000, "public")
            if "nextCursor" not in result:
                break
            params = {"cursor": result["nextCursor"]}
        assert len(seen) == len(set(seen)) == 5
        for cursor in ("", "x", "dG9vbHM6Mg==", 7, None):
            answer = await http.post("/mcp", **stateless("prompts/list", {"cursor": cursor}))
            assert answer.json()["error"]["code"] == -32602


async def test_a_body_that_is_too_large_or_no_json_is_refused() -> None:
    headers = {"content-type": "application/json"}
    async with http_to(ReferenceServer()) as http:
        assert (await http.post("/mcp", content=b" " * 5_000_000, headers=headers)).status_code == 413
        broken = await http.post("/mcp", content=b'{"jsonrpc": NaN}', headers=headers)
    assert (broken.status_code, broken.json()["error"]["code"], "id" in broken.json()) == (400, -32700, False)


async def test_an_unknown_log_level_is_refused_and_a_known_one_is_a_threshold() -> None:
    def asked(level: str) -> Any:
        made = stateless("tools/call", {"name": "test_logging_tool"})
        made["json"]["params"]["_meta"][f"{META}logLevel"] = level
        return made

    async with http_to(ReferenceServer()) as http:
        assert (await http.post("/mcp", **asked("loud"))).json()["error"]["code"] == -32602
        assert "notifications/message" in (await http.post("/mcp", **asked("info"))).text
        assert "notifications/message" not in (await http.post("/mcp", **asked("warning"))).text


async def test_a_request_dies_with_its_connection() -> None:
    server = ReferenceServer()
    asked = stateless("tools/call", {"name": "slow_compute", "arguments": {"seconds": 60}})
    sent: list[Any] = []
    events = iter([{"type": "http.request", "body": json.dumps(asked["json"]).encode()}, {"type": "http.disconnect"}])

    async def receive() -> Any:
        return next(events)

    async def send(event: Any) -> None:
        sent.append(event)

    headers = [(name.encode(), value.encode()) for name, value in asked["headers"].items()]
    headers += [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
    await server({"type": "http", "method": "POST", "path": "/mcp", "headers": headers}, receive, send)
    assert sent == []


@pytest.mark.parametrize(
    "message",
    [
        5,
        {},
        {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        request("ping", id_=None),
        request("ping", id_=1.5),
        request("ping", id_=True),
        {"jsonrpc": "2.0", "id": 1, "method": 7},
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": None},
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "result": {}},
        [request("ping")],
    ],
    ids=str,
)
async def test_what_is_no_message_is_refused(message: Any) -> None:
    async with http_to(ReferenceServer()) as http:
        answer = await http.post("/mcp", json=message, headers={"mcp-protocol-version": "2026-07-28"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32600)
