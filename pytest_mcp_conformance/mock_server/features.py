"""From a script to what answers each method that both wires have."""

from __future__ import annotations

import base64
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.mock_server.call import MockCall
from pytest_mcp_conformance.mock_server.metadata import check_mirrored_arguments
from pytest_mcp_conformance.mock_server.script import Answer, Handler, MockPrompt, MockResource, MockTool, Script
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.serving.incoming import optional_object, text
from pytest_mcp_conformance.serving.refusals import RESOURCE_NOT_FOUND, Refusal, invalid_params
from pytest_mcp_conformance.serving.schemas import complaint

T = TypeVar("T")


def handlers(script: Script) -> Mapping[str, Answer | Handler]:
    """Return what answers each method: what the script says, else what its tools, resources and prompts amount to."""
    found: dict[str, Answer | Handler] = {}
    if script.tools:
        found |= {"tools/list": _listing("tools", script.tools), "tools/call": _calling(script.tools)}
    if script.resources:
        found |= {
            "resources/list": _listing("resources", script.resources),
            "resources/templates/list": _listing("resourceTemplates", ()),
            "resources/read": _reading(script.resources),
        }
    if script.prompts:
        found |= {"prompts/list": _listing("prompts", script.prompts), "prompts/get": _getting(script.prompts)}
    return found | dict(script.answers)


async def given(source: T | Callable[[MockCall], T | Awaitable[T]], call: MockCall) -> T:
    """Return what the script has there: as it is, or what its function gives for `call`."""
    value: Any = source(call) if callable(source) else source
    found: T = await value if inspect.isawaitable(value) else value
    return found


def _listing(member: str, entries: Sequence[MockTool | MockResource | MockPrompt]) -> Handler:
    def listed(call: MockCall) -> Answer:
        # SHOULD be -32602 for a cursor that was never given out: 2025-11-25, server/utilities/pagination#error-handling
        if "cursor" in call.params:
            raise invalid_params("There is one page, and no cursor leads to it")
        found: list[JsonValue] = [entry.definition() for entry in entries]
        return {member: found}

    return listed


def _calling(tools: Sequence[MockTool]) -> Handler:
    named = {tool.name: tool for tool in tools}

    async def called(call: MockCall) -> Answer:
        name = text(call.params, "name")
        tool = named.get(name)
        if tool is None:
            # SHOULD be -32602 for an unknown tool: 2025-11-25, server/tools#error-handling
            raise invalid_params(f"Unknown tool: {name}")
        arguments = optional_object(call.params, "arguments")
        if call.revision.stateless:
            check_mirrored_arguments(call.headers, tool.input_schema, arguments)
        # MUST validate what a tool is given: all revisions, server/tools#security-considerations
        problem = complaint(tool.input_schema, arguments)
        if problem is not None and call.revision < Revision.V2025_11_25:
            raise invalid_params(f"Invalid arguments: {problem}")
        if problem is not None:
            # SHOULD be an error of the tool, for a model to correct: 2025-11-25, server/tools#error-handling
            return {"content": [{"type": "text", "text": f"Invalid arguments: {problem}"}], "isError": True}
        answer: str | Answer = await given(tool.returns, call)
        return {"content": [{"type": "text", "text": answer}]} if isinstance(answer, str) else answer

    return called


def _reading(resources: Sequence[MockResource]) -> Handler:
    found = {resource.uri: resource for resource in resources}

    async def read(call: MockCall) -> Answer:
        uri = text(call.params, "uri")
        resource = found.get(uri)
        if resource is None:
            # SHOULD be these: 2025-11-25 and 2026-07-28, server/resources#error-handling
            code = json_rpc.INVALID_PARAMS if call.revision.stateless else RESOURCE_NOT_FOUND
            raise Refusal(code, "Resource not found", {"uri": uri})
        contents: str | bytes | Answer = await given(resource.contents, call)
        return {"contents": [_content(resource, contents)]} if isinstance(contents, str | bytes) else contents

    return read


def _content(resource: MockResource, contents: str | bytes) -> JsonObject:
    described: JsonObject = {"uri": resource.uri, "mimeType": resource.mime_type}
    if isinstance(contents, str):
        return described | {"text": contents}
    return described | {"blob": base64.b64encode(contents).decode()}


def _getting(prompts: Sequence[MockPrompt]) -> Handler:
    named = {prompt.name: prompt for prompt in prompts}

    async def got(call: MockCall) -> Answer:
        name = text(call.params, "name")
        prompt = named.get(name)
        # SHOULD be -32602 for an unknown prompt and for a missing argument: 2025-11-25, server/prompts#error-handling
        if prompt is None:
            raise invalid_params(f"Unknown prompt: {name}")
        missing = [argument for argument in prompt.arguments if argument not in call.arguments]
        if missing:
            raise invalid_params(f"Missing arguments: {', '.join(missing)}")
        answer: str | Answer = await given(prompt.returns, call)
        if isinstance(answer, str):
            return {"messages": [{"role": "user", "content": {"type": "text", "text": answer}}]}
        return answer

    return got
