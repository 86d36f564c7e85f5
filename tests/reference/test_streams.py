"""Streams that are resumed, cancelled, taken over, bounded."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from pytest_mcp_conformance.reference.server import ReferenceServer, running_server
from pytest_mcp_conformance.serving.streams import EVENTS_KEPT, EventId, EventStream
from tests.reference.clients import ACCEPT, Stateful, events, http_to, initialize, request, stateless

INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


@pytest.fixture
def url() -> Iterator[str]:
    with running_server() as url:
        yield url


def connect(url: str, **capabilities: Any) -> dict[str, str]:
    """Open a session over a socket; return the headers that belong to it."""
    answer = httpx.post(url, json=initialize(capabilities=capabilities), headers=ACCEPT)
    headers = ACCEPT | {"mcp-session-id": answer.headers["mcp-session-id"]}
    assert httpx.post(url, json=INITIALIZED, headers=headers).status_code == 202
    return headers


def test_a_result_waits_for_the_client_that_comes_back(url: str) -> None:
    headers = connect(url)
    call = request("tools/call", {"name": "test_reconnection", "arguments": {}}, id_="late")
    with httpx.stream("POST", url, json=call, headers=headers) as answer:
        seen = list(events(answer.iter_lines()))
    assert [(event["data"], event["retry"]) for event in seen] == [("", "500")]
    with httpx.stream("GET", url, headers=headers | {"last-event-id": seen[-1]["id"]}) as answer:
        resumed = [json.loads(event["data"]) for event in events(answer.iter_lines())]
    assert [message["id"] for message in resumed] == ["late"]


def test_only_the_stream_that_was_lost_is_replayed(url: str) -> None:
    headers = connect(url)
    ids = []
    for name in ("test_tool_with_logging", "test_reconnection"):
        with httpx.stream("POST", url, json=request("tools/call", {"name": name}), headers=headers) as answer:
            ids.append([event["id"] for event in events(answer.iter_lines())])
    logging, _ = ids
    with httpx.stream("GET", url, headers=headers | {"last-event-id": logging[1]}) as answer:
        assert [event["id"] for event in events(answer.iter_lines())] == logging[2:]


@pytest.mark.parametrize("last", ["nonsense", "99-1", "1-99", ""])
def test_an_unknown_event_cannot_be_resumed_from(url: str, last: str) -> None:
    assert httpx.get(url, headers=connect(url) | {"last-event-id": last}).status_code == 400


def test_changes_wait_for_a_stream_and_then_go_there(url: str) -> None:
    headers = connect(url)
    touch = request("tools/call", {"name": "test_touch_resource", "arguments": {}})
    subscribe = request("resources/subscribe", {"uri": "test://watched-resource"})
    httpx.post(url, json=touch, headers=headers)  # nobody has subscribed
    assert httpx.post(url, json=subscribe, headers=headers).json()["result"] == {}
    httpx.post(url, json=touch, headers=headers)
    with httpx.stream("GET", url, headers=headers) as answer:
        stream = (event for event in events(answer.iter_lines()) if event["data"])
        assert json.loads(next(stream)["data"])["params"] == {"uri": "test://watched-resource"}
        httpx.post(url, json=touch, headers=headers)
        assert json.loads(next(stream)["data"])["method"] == "notifications/resources/updated"


def test_a_cancelled_request_gets_no_response_and_the_request_it_made_is_cancelled_too(url: str) -> None:
    headers = connect(url, sampling={})
    call = request("tools/call", {"name": "test_sampling", "arguments": {"prompt": "x"}}, id_=7)
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
    found = []
    with httpx.stream("POST", url, json=call, headers=headers) as answer:
        for event in events(answer.iter_lines()):
            if event["data"]:
                found.append(json.loads(event["data"]))
            if found and "id" in found[-1]:
                assert httpx.post(url, json=cancel, headers=headers).status_code == 202
    asked, cancelled = found
    assert asked["method"] == "sampling/createMessage"
    assert (cancelled["method"], cancelled["params"]["requestId"]) == ("notifications/cancelled", asked["id"])


def test_a_request_id_is_not_used_twice_at_a_time(url: str) -> None:
    """The first call is under way as long as nobody answers what it asks."""
    headers = connect(url, sampling={})
    call = request("tools/call", {"name": "test_sampling", "arguments": {"prompt": "x"}}, id_=7)
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
    with httpx.stream("POST", url, json=call, headers=headers) as answer:
        told = (json.loads(event["data"]) for event in events(answer.iter_lines()) if event["data"])
        assert next(told)["method"] == "sampling/createMessage"
        assert httpx.post(url, json=call, headers=headers).status_code == 400
        assert httpx.post(url, json=cancel, headers=headers).status_code == 202
        assert [each["method"] for each in told] == ["notifications/cancelled"]


async def test_a_response_that_nobody_waits_for_is_dropped() -> None:
    async with http_to(ReferenceServer()) as http:
        client = await Stateful.connect(http)
        assert (await client.post({"jsonrpc": "2.0", "id": 5, "result": {}})).status_code == 202
        assert (await client.post({"jsonrpc": "2.0", "id": 5, "result": {}, "error": {}})).status_code == 400


def test_a_stream_keeps_the_latest_events_and_knows_what_it_lost() -> None:
    stream = EventStream(1)
    for _ in range(EVENTS_KEPT + 1):
        stream.send({})
    assert not stream.holds(0)
    assert stream.holds(1)
    assert stream.holds(EVENTS_KEPT + 1)
    assert not stream.holds(EVENTS_KEPT + 2)


def test_an_event_id_reads_back() -> None:
    assert EventId.read(str(EventId(stream=3, event=14))) == EventId(stream=3, event=14)


def test_a_subscription_is_acknowledged_tagged_filtered_and_ended(url: str) -> None:
    wanted = {"toolsListChanged": True, "resourceSubscriptions": ["test://a"], "taskIds": []}
    tasks: dict[str, Any] = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
    listen = stateless("subscriptions/listen", {"notifications": wanted}, id_="sub", capabilities=tasks)
    with httpx.stream("POST", url, **listen) as answer:
        stream = events(answer.iter_lines())
        acknowledged = json.loads(next(stream)["data"])
        for uri in ("test://ab", "test://a/b"):
            httpx.post(url, **stateless("tools/call", {"name": "test_touch_resource", "arguments": {"uri": uri}}))
        httpx.post(url, **stateless("tools/call", {"name": "test_trigger_prompt_change"}))
        httpx.post(url, **stateless("tools/call", {"name": "test_trigger_tool_change"}))
        told = [json.loads(next(stream)["data"]) for _ in range(2)]
    assert acknowledged["params"]["notifications"] == {"toolsListChanged": True, "resourceSubscriptions": ["test://a"]}
    assert [message["method"] for message in told] == [
        "notifications/resources/updated",
        "notifications/tools/list_changed",
    ]
    assert {message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] for message in told} == {"sub"}


def test_a_server_that_stops_says_so_to_its_listeners_and_does_not_wait_for_anybody() -> None:
    server = running_server()
    url = server.__enter__()
    listen = stateless("subscriptions/listen", {"notifications": {}}, id_="sub")
    work = stateless("tools/call", {"name": "slow_compute", "arguments": {"seconds": 60}})
    with httpx.stream("POST", url, **listen) as answer, ThreadPoolExecutor(1) as pool:
        stream = events(answer.iter_lines())
        next(stream)
        slow = pool.submit(httpx.post, url, **work)
        time.sleep(0.1)  # the call has to arrive; there is nothing to see of it from here
        began = time.monotonic()
        server.__exit__(None, None, None)
        assert time.monotonic() - began < 2
        cancelled, response = (json.loads(event["data"]) for event in stream)
        slow.exception()
    assert cancelled["params"]["requestId"] == "sub"
    assert (response["id"], response["result"]["resultType"]) == ("sub", "complete")
