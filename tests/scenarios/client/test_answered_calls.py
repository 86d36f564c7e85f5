"""A call that a server refuses is no call: what `x-call-answered` says, and what it leaves to other checks."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.model import Check, Revision
from pytest_mcp_conformance.scenarios.client import custom_headers, json_schema, sse_polling
from pytest_mcp_conformance.serving.streams import RETRY_MS
from tests.scenarios.client.odd_client import Doing, Odd, outcome, stateless

STATEFUL, STATELESS = Revision.V2025_11_25, Revision.V2026_07_28
ADD: JsonObject = {"name": "add_numbers", "arguments": {"a": 2, "b": 3}}


async def decided(scenario: str, revision: Revision, doing: Doing) -> Check:
    """Return the check of a run."""
    found = await outcome(scenario, revision, doing)
    (check,) = [each for each in found.checks if each.id == "x-call-answered"]
    assert check.addition
    return check


def calling(*calls: JsonObject, without: Sequence[str] = ()) -> Doing:
    """Return a client of the stateless wire; its first call lacks the headers `without`."""

    async def do(client: Odd) -> None:
        await client.post(*stateless("tools/list"))
        for number, params in enumerate(calls):
            body, headers = stateless("tools/call", params, id_=number)
            lacking = without if number == 0 else ()
            await client.post(body, {name: value for name, value in headers.items() if name not in lacking})

    return do


@pytest.mark.parametrize(
    ("doing", "status"),
    [
        (calling(ADD), "SUCCESS"),
        (calling(ADD, without=["mcp-protocol-version"]), "FAILURE"),
        (calling(ADD, without=["mcp-method"]), "FAILURE"),
        (calling(ADD, without=["mcp-name"]), "FAILURE"),
        (calling(ADD, ADD, without=["mcp-name"]), "SUCCESS"),
        (calling({**ADD, "name": "no_such_tool"}), "FAILURE"),
        (calling({**ADD, "name": ["add_numbers"]}), "FAILURE"),
        (calling(), "SKIPPED"),
    ],
    ids=["well", "no version", "no method", "no name", "said again, well", "another tool", "no text", "no call"],
)
async def test_a_call_is_answered_on_the_stateless_wire(doing: Doing, status: str) -> None:
    assert (await decided("tools_call", STATELESS, doing)).status.value == status


@pytest.mark.parametrize(
    ("lacks", "named", "status"),
    [("", "add_numbers", "SUCCESS"), ("mcp-session-id", "add_numbers", "FAILURE"), ("", "no_such_tool", "FAILURE")],
)
async def test_a_call_is_answered_on_the_stateful_wire(lacks: str, named: str, status: str) -> None:
    async def calls(client: Odd) -> None:
        await client.initialize()
        client.headers.pop(lacks, None)
        await client.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {**ADD, "name": named}})

    check = await decided("tools_call", STATEFUL, calls)
    assert check.status.value == status
    if status == "FAILURE":
        assert str(check.message).endswith(f'got {{"calls without a result": ["{named}"]}}')


@pytest.mark.parametrize(
    ("names", "status"),
    [
        ((custom_headers.ALL_VALUES, custom_headers.WITH_NULL), "SUCCESS"),
        ((custom_headers.ALL_VALUES,), "SUCCESS"),  # that the other one was not called is decided elsewhere
        ((), "SKIPPED"),
    ],
)
async def test_each_tool_that_was_called_has_an_answer(names: tuple[str, ...], status: str) -> None:
    calls: list[JsonObject] = [{"name": name, "arguments": {}} for name in names]
    assert (await decided("http-custom-headers", STATELESS, calling(*calls))).status.value == status


async def test_one_of_two_tools_is_not_enough() -> None:
    calls: list[JsonObject] = [
        {"name": name, "arguments": {}} for name in (custom_headers.ALL_VALUES, custom_headers.WITH_NULL)
    ]
    check = await decided("http-custom-headers", STATELESS, calling(*calls, without=["mcp-protocol-version"]))
    assert check.status.value == "FAILURE"
    assert str(check.got).endswith(f'["{custom_headers.ALL_VALUES}"]}}')


async def test_where_the_task_names_no_tool_any_will_do() -> None:
    calls: list[JsonObject] = [{"name": "my-hyphenated-tool"}, {"name": "test_headers"}]
    check = await decided("http-standard-headers", STATELESS, calling(*calls, without=["mcp-name"]))
    assert check.status.value == "SUCCESS"


async def test_an_error_of_the_tool_is_a_result() -> None:
    calls: list[JsonObject] = [{"name": json_schema.ECHO, "arguments": {"schema": 5}}]
    check = await decided("json-schema-2020-12-preservation", STATELESS, calling(*calls))
    assert check.status.value == "SUCCESS"


# The response on a stream that the client comes back to.


def coming_back(*last: str | None) -> Doing:
    """Return a client that calls, and comes back with these ids of events; `its own` stands for the one that it got."""

    async def do(client: Odd) -> None:
        await client.initialize()
        params: JsonValue = {"name": sse_polling.TOOL, "arguments": {}}
        closed = await client.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        found = re.search("^id: (.*)$", closed.text, re.MULTILINE)
        assert found is not None
        await asyncio.sleep(RETRY_MS / 1000)
        for each in last:
            said = {} if each is None else {"last-event-id": each.replace("its own", found[1])}
            await client.http.get(client.url, headers={"accept": "text/event-stream", **client.headers, **said})

    return do


@pytest.mark.parametrize(
    ("last", "status"),
    [
        (["its own"], "SUCCESS"),
        ([None, "its own"], "SUCCESS"),
        (["made up", "its own"], "SUCCESS"),
        (["made up"], "WARNING"),
        (["7-7"], "WARNING"),
        ([None], "WARNING"),
        ([], "WARNING"),
    ],
    ids=str,
)
async def test_a_client_that_comes_back_gets_the_response(last: list[str | None], status: str) -> None:
    assert (await decided("sse-retry", STATEFUL, coming_back(*last))).status.value == status


async def test_without_a_call_there_is_no_response_to_come_back_for() -> None:
    assert (await decided("sse-retry", STATEFUL, Odd.initialize)).status.value == "SKIPPED"
