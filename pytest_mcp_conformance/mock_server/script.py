"""What a mock server is told to be: data, and functions where data will not do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.serving.http import HttpReply, HttpRequest
from pytest_mcp_conformance.serving.refusals import Refusal

if TYPE_CHECKING:
    from pytest_mcp_conformance.mock_server.call import MockCall

SERVER_INFO: JsonObject = {"name": "conformance-mock-server", "version": "1.0.0"}

Answer: TypeAlias = "JsonObject | Refusal | HttpReply"
"""A result, a JSON-RPC error, or an HTTP response in the place of both."""

Handler: TypeAlias = "Callable[[MockCall], Answer | Awaitable[Answer]]"
"""Gives the answer to one request. It runs in the thread of the server, and may also raise a `Refusal`."""

Interceptor: TypeAlias = "Callable[[HttpRequest], HttpReply | None]"
"""Looks at an HTTP request before the endpoint does, and may answer it in its place."""

TextHandler: TypeAlias = "Callable[[MockCall], str | Answer | Awaitable[str | Answer]]"
"""As `Handler`, where a text stands for the simplest result that holds it."""

ContentHandler: TypeAlias = "Callable[[MockCall], str | bytes | Answer | Awaitable[str | bytes | Answer]]"
"""As `Handler`, where a text or bytes stand for the contents of a resource."""


@dataclass(frozen=True, kw_only=True)
class MockTool:
    """A tool. `returns` is its text, its whole result, an error, or a function that gives one of these.

    :ivar more: further members of the definition: `title`, `outputSchema`, `annotations`.
    """

    name: str
    description: str = "A tool of a mock server"
    input_schema: JsonObject = field(default_factory=lambda: {"type": "object", "properties": {}})
    returns: str | Answer | TextHandler = ""
    more: JsonObject = field(default_factory=dict)

    def definition(self) -> JsonObject:
        """Return the tool as tools/list has it."""
        return {"name": self.name, "description": self.description, "inputSchema": self.input_schema, **self.more}


@dataclass(frozen=True, kw_only=True)
class MockResource:
    """A resource. `contents` are a text, bytes, the whole result, an error, or a function that gives one of these.

    :ivar name: the URI if there is none.
    :ivar more: further members of the definition.
    """

    uri: str
    name: str = ""
    mime_type: str = "text/plain"
    contents: str | bytes | Answer | ContentHandler = ""
    more: JsonObject = field(default_factory=dict)

    def definition(self) -> JsonObject:
        """Return the resource as resources/list has it."""
        return {"uri": self.uri, "name": self.name or self.uri, "mimeType": self.mime_type, **self.more}


@dataclass(frozen=True, kw_only=True)
class MockPrompt:
    """A prompt. `returns` is the text of its one message, its whole result, an error, or a function that gives one of these.

    :ivar arguments: names of arguments, which are all required.
    :ivar more: further members of the definition.
    """

    name: str
    description: str = "A prompt of a mock server"
    arguments: tuple[str, ...] = ()
    returns: str | Answer | TextHandler = ""
    more: JsonObject = field(default_factory=dict)

    def definition(self) -> JsonObject:
        """Return the prompt as prompts/list has it."""
        arguments: list[JsonValue] = [{"name": name, "required": True} for name in self.arguments]
        return {"name": self.name, "description": self.description, "arguments": arguments, **self.more}


@dataclass(frozen=True, kw_only=True)
class Script:
    """All that a mock server is told.

    :ivar answers: by method, in the place of what would be answered: `initialize` and lists, too.
    :ivar revisions: what it speaks; an endpoint may have both wires.
    :ivar capabilities: what it declares; without them, what tools, resources, prompts and answers amount to.
    :ivar sessions: whether initialize issues a session, without which nothing else is served.
    :ivar streams: whether requests are answered by event streams also where one JSON object would do.
    :ivar intercept: answers HTTP requests in the place of the endpoint, on any path: an authorization gate, for example.
    """

    tools: Sequence[MockTool] = ()
    resources: Sequence[MockResource] = ()
    prompts: Sequence[MockPrompt] = ()
    answers: Mapping[str, Answer | Handler] = field(default_factory=dict)
    revisions: tuple[Revision, ...] = tuple(Revision)
    capabilities: JsonObject | None = None
    instructions: str | None = None
    server_info: JsonObject = field(default_factory=lambda: SERVER_INFO)
    sessions: bool = True
    streams: bool = False
    intercept: Interceptor = lambda _http: None

    @property
    def stateful(self) -> tuple[Revision, ...]:
        """The revisions that begin with initialize, newest first."""
        return tuple(sorted((each for each in self.revisions if not each.stateless), reverse=True))

    @property
    def stateless(self) -> bool:
        """Whether requests that stand alone are served."""
        return any(each.stateless for each in self.revisions)

    def declared(self) -> JsonObject:
        """Return the capabilities of the server."""
        return implied_capabilities(self) if self.capabilities is None else self.capabilities


# Which method makes a server declare what, beside tools, resources and prompts that it has.
CAPABILITY_OF = {
    "tools": "tools",
    "prompts": "prompts",
    "resources": "resources",
    "completion": "completions",
    "logging": "logging",
}


def implied_capabilities(script: Script) -> JsonObject:
    """Return what a server that does what `script` says has to declare.

    MUST be declared by a server that has the feature: 2025-11-25, basic/lifecycle#capability-negotiation
    """
    listed = {"tools": script.tools, "prompts": script.prompts, "resources": script.resources}
    declared: JsonObject = {name: {} for name, entries in listed.items() if entries}
    for method in script.answers:
        capability = CAPABILITY_OF.get(method.partition("/")[0])
        if capability is not None:
            declared.setdefault(capability, {})
    if "resources/subscribe" in script.answers:
        declared["resources"] = {"subscribe": True}
    return declared
