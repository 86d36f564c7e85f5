"""The prompts of the reference server.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/server/prompts
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.reference.server import content
from pytest_mcp_conformance.reference.server.calls import Call
from pytest_mcp_conformance.reference.server.input_requests import elicit, form_content
from pytest_mcp_conformance.reference.server.revisions import known_members
from pytest_mcp_conformance.serving.incoming import optional_object
from pytest_mcp_conformance.serving.refusals import invalid_params


@dataclass(frozen=True, kw_only=True)
class Argument:
    """An argument that a prompt requires, and the values that completion proposes for it."""

    name: str
    proposals: tuple[str, ...] = ()

    def as_json(self) -> JsonObject:
        """Return the argument as prompts/list shows it."""
        return {"name": self.name, "description": f"Used in the prompt as {self.name}.", "required": True}


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """A prompt; `messages` gets the call and the arguments.

    `description` may have placeholders for the counters of the world: what it says changes with them.
    """

    name: str
    description: str
    messages: Callable[[Call, Mapping[str, str]], Awaitable[tuple[JsonObject, ...]]]
    arguments: tuple[Argument, ...] = ()

    def definition(self, revision: Revision, counters: dict[str, int]) -> JsonObject:
        """Return the entry of prompts/list."""
        arguments: list[JsonValue] = [argument.as_json() for argument in self.arguments]
        entry: JsonObject = {
            "name": self.name,
            "title": self.name.removeprefix("test_").replace("_", " ").capitalize(),
            "description": self.description.format_map(counters),
            "arguments": arguments,
        }
        return known_members(entry, revision)

    async def get(self, call: Call) -> JsonObject:
        """Return the result of prompts/get.

        SHOULD refuse missing arguments with -32602: 2025-11-25, server/prompts#error-handling

        :raises Refusal: an argument is missing, or no string.
        """
        given = optional_object(call.params, "arguments")
        values = {name: value for name, value in given.items() if isinstance(value, str)}
        missing = [argument.name for argument in self.arguments if argument.name not in values]
        if missing or len(values) < len(given):
            raise invalid_params(f"The arguments of {self.name} are strings, and these are required: {missing}")
        messages: list[JsonValue] = [*await self.messages(call, values)]
        return {"description": self.description.format_map(call.world.counters), "messages": messages}


async def _simple(_call: Call, _values: Mapping[str, str]) -> tuple[JsonObject, ...]:
    return (content.user_message(content.text("This is a simple prompt for testing.")),)


async def _with_arguments(_call: Call, values: Mapping[str, str]) -> tuple[JsonObject, ...]:
    said = f"Prompt with arguments: arg1='{values['arg1']}', arg2='{values['arg2']}'"
    return (content.user_message(content.text(said)),)


async def _with_resource(_call: Call, values: Mapping[str, str]) -> tuple[JsonObject, ...]:
    resource = content.embedded(values["resourceUri"], "text/plain", "Embedded resource content for testing.")
    return (
        content.user_message(resource),
        content.user_message(content.text("Please process the embedded resource above.")),
    )


async def _with_image(_call: Call, _values: Mapping[str, str]) -> tuple[JsonObject, ...]:
    return content.user_message(content.image()), content.user_message(content.text("Please analyze the image above."))


CONTEXT_FORM = elicit("What context should the prompt use?", {"context": {"type": "string"}}, required=("context",))


async def _with_input(call: Call, _values: Mapping[str, str]) -> tuple[JsonObject, ...]:
    filled = form_content((await call.ask({"user_context": CONTEXT_FORM}))["user_context"]) or {}
    return (content.user_message(content.text(f"Prompt with context: {filled.get('context', 'none')}")),)


PROMPTS = (
    Prompt(
        name="test_simple_prompt",
        description="One message. The prompts have changed {prompt_changes} time(s).",
        messages=_simple,
    ),
    Prompt(
        name="test_prompt_with_arguments",
        description="One message with two arguments in it.",
        messages=_with_arguments,
        arguments=(
            Argument(name="arg1", proposals=("test", "testValue1", "testing")),
            Argument(name="arg2", proposals=("testValue2",)),
        ),
    ),
    Prompt(
        name="test_prompt_with_embedded_resource",
        description="A resource, and what to do with it.",
        messages=_with_resource,
        arguments=(Argument(name="resourceUri", proposals=("test://static-text", "test://watched-resource")),),
    ),
    Prompt(name="test_prompt_with_image", description="An image, and what to do with it.", messages=_with_image),
    Prompt(
        name="test_input_required_result_prompt",
        description="One message with a context that the user is asked for.",
        messages=_with_input,
    ),
)


def prompt_named(name: str) -> Prompt:
    """Return the prompt called `name`.

    :raises Refusal: there is none.
    """
    found = next((prompt for prompt in PROMPTS if prompt.name == name), None)
    if found is None:
        raise invalid_params(f"Unknown prompt: {name}")
    return found
