"""Mcp-Method and Mcp-Name beside the bodies that they repeat."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.mock_server import Received
from pytest_mcp_conformance.scenarios.client.standard_headers import decide_every_header, decide_headers, names
from tests.scenarios.client.deciding import by_name, message, request, unwell


def decided(*requests: Received) -> Checks:
    checks = Checks()
    decide_headers(requests, checks)
    return checks


def call(headers: dict[str, str | None]) -> Received:
    return request("tools/call", {"name": "test_headers"}, headers)


def test_what_was_sent_is_decided_and_the_rest_skipped() -> None:
    checks = decided(call({"mcp-method": "tools/call", "mcp-name": "test_headers"}))
    found = by_name(checks)
    assert len(checks.recorded) == 11
    assert {name for name, status in found.items() if status == "SUCCESS"} == {
        "ClientMcpMethodHeader_tools_call",
        "ClientMcpNameHeader_tools_call",
    }
    assert set(found.values()) == {"SUCCESS", "SKIPPED"}
    assert {check.id for check in checks.recorded} == {"sep-2243-client-includes-standard-headers"}


METHOD, NAME = "ClientMcpMethodHeader_tools_call", "ClientMcpNameHeader_tools_call"
ODD: list[tuple[dict[str, str | None], list[str]]] = [
    ({}, [METHOD, NAME]),
    ({"mcp-method": "tools/call"}, [NAME]),
    ({"mcp-method": "", "mcp-name": ""}, [METHOD, NAME]),
    ({"mcp-method": "TOOLS/CALL", "mcp-name": "test_headers"}, [METHOD]),
    ({"mcp-method": "tools/call", "mcp-name": "Test_Headers"}, [NAME]),
    ({"mcp-method": "=?base64?dG9vbHMvY2FsbA==?=", "mcp-name": "=?base64?dGVzdF9oZWFkZXJz?="}, [METHOD]),
    ({"mcp-method": "tools/call", "mcp-name": "=?base64?!?="}, [NAME]),
]


@pytest.mark.parametrize(("headers", "names_of_checks"), ODD, ids=str)
def test_a_wrong_header_fails(headers: dict[str, str | None], names_of_checks: list[str]) -> None:
    assert unwell(decided(call(headers))) == names_of_checks


def test_only_the_first_request_of_a_method_counts() -> None:
    good = {"mcp-method": "tools/call", "mcp-name": "test_headers"}
    assert unwell(decided(call({**good}), call({}))) == []
    assert unwell(decided(call({}), call({**good}))) == [METHOD, NAME]


def test_a_method_that_nobody_expects_is_decided_under_its_name() -> None:
    found = by_name(decided(request("tasks/list"), request("\x1b[31m")))
    assert found["ClientMcpMethodHeader_tasks_list"] == found["ClientMcpMethodHeader_other"] == "FAILURE"


def test_notifications_need_no_header_but_a_wrong_one_fails() -> None:
    body: JsonObject = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    name = "ClientMcpMethodHeader_notifications_initialized"
    assert by_name(decided(message(body), request("ping", None, {"mcp-method": "ping"})))[name] == "SKIPPED"
    assert by_name(decided(message(body, {"mcp-method": "ping"})))[name] == "FAILURE"


@pytest.mark.parametrize("body", [None, [], "text", {"method": 5}, {"id": 1, "result": {}}], ids=repr)
def test_nothing_that_could_be_looked_at_fails(body: JsonValue) -> None:
    assert unwell(decided(message(body), request("server/discover"))) == ["ClientMcpMethodHeader_tools_list"]


def test_the_uri_of_a_resource_is_its_name() -> None:
    uri = "file:///path/to/file%20name.txt"
    headers: dict[str, str | None] = {"mcp-method": "resources/read", "mcp-name": uri}
    assert unwell(decided(request("resources/read", {"uri": uri}, headers))) == []
    assert unwell(decided(request("resources/read", {"uri": [uri]}, headers))) == ["ClientMcpNameHeader_resources_read"]


def test_a_name_may_be_in_base64_form() -> None:
    assert names("a", "a")
    assert names("=?base64?YQ==?=", "a")
    assert not names("", "")


GOOD: dict[str, str | None] = {"mcp-method": "tools/call", "mcp-name": "test_headers"}
EVERY: list[tuple[Received, str, str]] = [
    (call(GOOD), "SUCCESS", "SUCCESS"),
    (call({"mcp-method": "tools/call", "mcp-name": "=?base64?dGVzdF9oZWFkZXJz?="}), "SUCCESS", "SUCCESS"),
    (call({**GOOD, "mcp-method": "tools/list"}), "FAILURE", "SUCCESS"),
    (call({**GOOD, "mcp-method": None}), "FAILURE", "SUCCESS"),
    (call({**GOOD, "mcp-name": "another"}), "SUCCESS", "FAILURE"),
    (call({**GOOD, "mcp-name": None}), "SUCCESS", "FAILURE"),
    (request("server/discover"), "FAILURE", "SUCCESS"),
    (request("initialize"), "SUCCESS", "SUCCESS"),  # of an earlier revision
    (request("tools/call", {"name": 7}, {"mcp-method": "tools/call"}), "SUCCESS", "SUCCESS"),
    (message({"jsonrpc": "2.0", "method": "notifications/cancelled"}), "SUCCESS", "SUCCESS"),
]


@pytest.mark.parametrize(("second", "of_method", "of_target"), EVERY)
def test_every_request_counts(second: Received, of_method: str, of_target: str) -> None:
    checks = Checks()
    decide_every_header([call(GOOD), second], checks)
    assert [check.status.value for check in checks.recorded] == [of_method, of_target]


def test_nothing_is_said_of_requests_that_never_came() -> None:
    checks = Checks()
    decide_every_header([], checks)
    assert [check.status.value for check in checks.recorded] == ["SKIPPED", "SKIPPED"]
