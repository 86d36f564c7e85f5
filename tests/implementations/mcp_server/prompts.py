"""Prompts: plain, with arguments, with a resource, with an image, and one that asks back (2026-07-28)."""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import mcp_types as types
from asking import ask, elicitation, form_value
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from media import PNG
from toolbox import Context

Params = types.GetPromptRequestParams
PromptResult = types.GetPromptResult | types.InputRequiredResult
PromptFunction = Callable[[Context, Params], Awaitable[PromptResult]]

WORDS = ("testValue1", "testValue2", "testing")  # what completion offers for every argument


@dataclass(frozen=True, kw_only=True)
class ListedPrompt:
    """What prompts/list tells about a prompt, and the function that prompts/get runs."""

    listing: types.Prompt
    get: PromptFunction
    asks_back: bool

    def missing(self, arguments: dict[str, str]) -> list[str]:
        """Name the required arguments that are not there."""
        return [argument.name for argument in self.listing.arguments or () if argument.name not in arguments]


PROMPTS: dict[str, ListedPrompt] = {}


def prompt(name: str, *arguments: str, asks_back: bool = False) -> Callable[[PromptFunction], PromptFunction]:
    """Add the decorated function as the prompt `name`, all `arguments` required; its docstring is the description."""

    def add(function: PromptFunction) -> PromptFunction:
        listing = types.Prompt(
            name=name,
            description=inspect.getdoc(function),
            arguments=[types.PromptArgument(name=argument, required=True) for argument in arguments],
        )
        PROMPTS[name] = ListedPrompt(listing=listing, get=function, asks_back=asks_back)
        return function

    return add


def messages(*contents: types.ContentBlock) -> types.GetPromptResult:
    """Return the result of a prompt: one message of the user for each content."""
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content) for content in contents])


@prompt("test_simple_prompt")
async def simple(_context: Context, _params: Params) -> PromptResult:
    """Say one sentence."""
    return messages(types.TextContent(text="This is a simple prompt for testing."))


@prompt("test_prompt_with_arguments", "arg1", "arg2")
async def with_arguments(_context: Context, params: Params) -> PromptResult:
    """Repeat two arguments."""
    arguments = params.arguments or {}
    words = f"Prompt with arguments: arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'"
    return messages(types.TextContent(text=words))


@prompt("test_prompt_with_embedded_resource", "resourceUri")
async def with_embedded_resource(_context: Context, params: Params) -> PromptResult:
    """Show a resource and ask about it."""
    resource = types.TextResourceContents(
        uri=(params.arguments or {})["resourceUri"],
        mime_type="text/plain",
        text="Embedded resource content for testing.",
    )
    question = types.TextContent(text="Please process the embedded resource above.")
    return messages(types.EmbeddedResource(resource=resource), question)


@prompt("test_prompt_with_image")
async def with_image(_context: Context, _params: Params) -> PromptResult:
    """Show an image and ask about it."""
    question = types.TextContent(text="Please analyze the image above.")
    return messages(types.ImageContent(data=PNG, mime_type="image/png"), question)


@prompt("test_input_required_result_prompt", asks_back=True)
async def asking_back(context: Context, params: Params) -> PromptResult:
    """Ask for a context first, then use it."""
    topic = form_value(params, "user_context", "context")
    if topic is None:
        question = elicitation("What context should the prompt use?", context={"type": "string"})
        return ask(context, {"user_context": question})
    return messages(types.TextContent(text=f"Prompt with context: {topic}"))


def prompts_at(revision: str) -> dict[str, ListedPrompt]:
    """Return the prompts of a protocol revision: only 2026-07-28 has a result that asks back."""
    asking_is_possible = revision in MODERN_PROTOCOL_VERSIONS
    return {name: prompt for name, prompt in PROMPTS.items() if asking_is_possible or not prompt.asks_back}


def find_prompt(context: Context, name: str) -> ListedPrompt:
    """Return the prompt `name`.

    :raises MCPError: there is none.
    """
    found = prompts_at(context.protocol_version).get(name)
    if found is None:
        # SHOULD answer an unknown name with -32602: 2025-11-25, server/prompts#error-handling
        raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {name}")
    return found


async def list_prompts(context: Context, _params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
    """Answer prompts/list."""
    listed = prompts_at(context.protocol_version).values()
    return types.ListPromptsResult(prompts=[prompt.listing for prompt in listed])


async def get_prompt(context: Context, params: Params) -> PromptResult:
    """Answer prompts/get."""
    found = find_prompt(context, params.name)
    missing = found.missing(params.arguments or {})
    if missing:
        # SHOULD answer missing arguments with -32602: 2025-11-25, server/prompts#error-handling
        raise MCPError(types.INVALID_PARAMS, f"Missing arguments of {params.name}: {', '.join(missing)}")
    return await found.get(context, params)


async def complete(context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
    """Answer completion/complete: the words that begin like what was typed."""
    if isinstance(params.ref, types.PromptReference):
        find_prompt(context, params.ref.name)
    values = [word for word in WORDS if word.startswith(params.argument.value)]
    return types.CompleteResult(completion=types.Completion(values=values, total=len(values), has_more=False))
