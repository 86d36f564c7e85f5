"""Tasks and skills: gates, answers bit by bit, lifetimes, digests that hold."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

import httpx

from pytest_mcp_conformance.reference.server import ReferenceServer
from tests.reference.clients import http_to, stateless

TASKS: dict[str, Any] = {"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}


async def ask(
    http: httpx.AsyncClient, method: str, params: dict[str, Any], capabilities: dict[str, Any] = TASKS
) -> Any:
    return (await http.post("/mcp", **stateless(method, params, capabilities=capabilities))).json()


async def test_a_tool_call_becomes_a_task_only_for_clients_that_can_take_one() -> None:
    call = {"name": "slow_compute", "arguments": {"seconds": 0}}
    async with http_to(ReferenceServer()) as http:
        assert (await ask(http, "tools/call", call))["result"]["resultType"] == "task"
        assert (await ask(http, "tools/call", call, {}))["result"]["resultType"] == "complete"
        refused = (await ask(http, "tools/call", {"name": "failing_job"}, {}))["error"]
    assert (refused["code"], refused["data"]["requiredCapabilities"]["extensions"]) == (-32021, TASKS["extensions"])


async def test_a_task_takes_its_answers_one_by_one() -> None:
    server = ReferenceServer()
    async with http_to(server) as http:
        task = (await ask(http, "tools/call", {"name": "multi_input"}))["result"]["taskId"]
        await asyncio.sleep(0)
        for key, left in (("first", ["second"]), ("second", [])):
            answers = {key: {"action": "accept", "content": {"name": key}}, "unknown": {}}
            updated = await ask(http, "tasks/update", {"taskId": task, "inputResponses": answers})
            assert updated["result"]["resultType"] == "complete"
            await asyncio.sleep(0)
            shown = (await ask(http, "tasks/get", {"taskId": task}))["result"]
            assert list(shown.get("inputRequests", {})) == left
        assert (shown["status"], shown["result"]["content"][0]["text"]) == ("completed", "Named first and second")
    server.close()


async def test_a_malformed_answer_is_refused_and_not_taken() -> None:
    server = ReferenceServer()
    async with http_to(server) as http:
        task = (await ask(http, "tools/call", {"name": "multi_input"}))["result"]["taskId"]
        await asyncio.sleep(0)
        answers = {"first": {"action": "accept", "content": {"name": 5}}}
        assert (await ask(http, "tasks/update", {"taskId": task, "inputResponses": answers}))["error"]["code"] == -32602
        assert len((await ask(http, "tasks/get", {"taskId": task}))["result"]["inputRequests"]) == 2
    server.close()


async def test_a_task_is_forgotten_when_its_time_is_over() -> None:
    now = [1000.0]
    async with http_to(ReferenceServer(clock=lambda: now[0])) as http:
        created = (await ask(http, "tools/call", {"name": "slow_compute", "arguments": {"seconds": 0}}))["result"]
        now[0] += created["ttlMs"] / 1000 - 1
        assert "result" in await ask(http, "tasks/get", {"taskId": created["taskId"]})
        now[0] += 2
        assert (await ask(http, "tasks/get", {"taskId": created["taskId"]}))["error"]["code"] == -32602


async def test_listening_to_tasks_needs_the_extension() -> None:
    async with http_to(ReferenceServer()) as http:
        answer = await ask(http, "subscriptions/listen", {"notifications": {"taskIds": ["x"]}}, {})
    assert answer["error"]["code"] == -32021


async def test_every_file_of_every_skill_has_the_digest_that_was_listed() -> None:
    async with http_to(ReferenceServer()) as http:
        skills: list[Any] = []
        params: dict[str, Any] = {}
        while "nextCursor" in (page := (await ask(http, "skills/list", params))["result"]):
            skills += page["skills"]
            params = {"cursor": page["nextCursor"]}
        skills += page["skills"]
        files = [file for skill in skills for file in skill["resources"]]
        for file in files:
            text = (await ask(http, "resources/read", {"uri": file["uri"]}))["result"]["contents"][0]["text"].encode()
            assert (file["digest"], file["size"]) == (f"sha256:{hashlib.sha256(text).hexdigest()}", len(text))
    assert (len(skills), len(files)) == (3, 7)


async def test_a_directory_shows_its_direct_children() -> None:
    async with http_to(ReferenceServer()) as http:
        shown = (await ask(http, "resources/directory/read", {"uri": "skill://release-notes/references"}))["result"]
        assert [child["uri"] for child in shown["resources"]] == ["skill://release-notes/references/sections.md"]
        for uri in ("skill://", "skill://release", "skill://release-notes/SKILL.md", "file:///etc"):
            assert (await ask(http, "resources/directory/read", {"uri": uri}))["error"]["code"] == -32602
