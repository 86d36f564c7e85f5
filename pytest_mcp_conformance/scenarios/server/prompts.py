"""Prompts: what a server lists and what the messages of a prompt hold.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/server/prompts
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks, lacking
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, dumps
from pytest_mcp_conformance.model import Level, Needs, Prompt, Requirement, SpecRef
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario

PAGE = "https://modelcontextprotocol.io/specification/2025-06-18/server/prompts"
GETTING = SpecRef(id="MCP-Prompts-Get", url=f"{PAGE}#getting-a-prompt")

WITH_ARGUMENTS = Prompt(
    name="test_prompt_with_arguments",
    arguments=("arg1", "arg2"),
    returns="one message of role user with the text «Prompt with arguments: arg1='<arg1>', arg2='<arg2>'»",
)

PROMPTS_LIST = Requirement(
    id="prompts-list",
    name="PromptsList",
    level=Level.MUST,
    text="prompts/list returns an array of prompts, each with name and description.",
    spec=(SpecRef(id="MCP-Prompts-List", url=f"{PAGE}#listing-prompts"),),
)
PROMPTS_GET_SIMPLE = Requirement(
    id="prompts-get-simple",
    name="PromptsGetSimple",
    level=Level.MUST,
    text="A prompt without arguments is fetched as messages, each with role and content.",
    spec=(GETTING,),
)
PROMPTS_GET_WITH_ARGS = Requirement(
    id="prompts-get-with-args",
    name="PromptsGetWithArgs",
    level=Level.MUST,
    text="The arguments of prompts/get appear in the messages of the prompt.",
    spec=(GETTING,),
)
PROMPTS_GET_EMBEDDED_RESOURCE = Requirement(
    id="prompts-get-embedded-resource",
    name="PromptsGetEmbeddedResource",
    level=Level.MUST,
    text="A message of a prompt can embed a resource.",
    spec=(SpecRef(id="MCP-Prompts-Embedded-Resources", url=f"{PAGE}#embedded-resources"),),
)
PROMPTS_GET_WITH_IMAGE = Requirement(
    id="prompts-get-with-image",
    name="PromptsGetWithImage",
    level=Level.MUST,
    text="A message of a prompt can hold an image with data and mimeType.",
    spec=(SpecRef(id="MCP-Prompts-Image", url=f"{PAGE}#image-content"),),
)


@server_scenario(
    name="prompts-list",
    introduced_in="2025-06-18",
    purpose="prompts/list returns prompts with name and description.",
    decides=(PROMPTS_LIST,),
    needs=Needs(methods=("prompts/list, with a description for every prompt",), capabilities=("prompts",)),
)
async def prompts_list(peer: Peer, checks: Checks) -> None:
    prompts = (await peer.request("prompts/list")).get("prompts")
    incomplete = [prompt for prompt in as_list(prompts) if lacking(prompt, "name", "description")]
    checks.decide(
        PROMPTS_LIST,
        isinstance(prompts, list) and not incomplete,
        expected="an array of prompts with name and description",
        got=incomplete or prompts,
        details={
            "promptCount": len(as_list(prompts)),
            "prompts": [as_object(prompt).get("name") for prompt in as_list(prompts)],
        },
    )


@server_scenario(
    name="prompts-get-simple",
    introduced_in="2025-06-18",
    purpose="A prompt without arguments can be fetched.",
    decides=(PROMPTS_GET_SIMPLE,),
    needs=Needs(
        prompts=(
            Prompt(
                name="test_simple_prompt",
                returns="one message of role user with the text «This is a simple prompt for testing.»",
            ),
        ),
        capabilities=("prompts",),
    ),
)
async def prompts_get_simple(peer: Peer, checks: Checks) -> None:
    # MAY be fetched without the member arguments, which is optional: all revisions, schema, GetPromptRequest
    result = await peer.request("prompts/get", {"name": "test_simple_prompt"})
    messages = as_list(result.get("messages"))
    incomplete = [message for message in messages if lacking(message, "role", "content")]
    checks.decide(
        PROMPTS_GET_SIMPLE,
        bool(messages) and not incomplete,
        expected="messages with role and content",
        got=incomplete or result.get("messages"),
        details={"messageCount": len(messages)},
    )


@server_scenario(
    name="prompts-get-with-args",
    introduced_in="2025-06-18",
    purpose="A prompt's arguments are substituted into its messages.",
    decides=(PROMPTS_GET_WITH_ARGS,),
    needs=Needs(
        prompts=(WITH_ARGUMENTS,),
        capabilities=("prompts",),
    ),
)
async def prompts_get_with_args(peer: Peer, checks: Checks) -> None:
    values = {"arg1": "testValue1", "arg2": "testValue2"}
    result = await peer.request("prompts/get", {"name": WITH_ARGUMENTS.name, "arguments": {**values}})
    messages = as_list(result.get("messages"))
    checks.decide(
        PROMPTS_GET_WITH_ARGS,
        all(value in dumps(messages) for value in values.values()),
        expected="messages in which testValue1 and testValue2 appear",
        got=result.get("messages"),
        details={"messageCount": len(messages), "messages": messages},
    )


@server_scenario(
    name="prompts-get-embedded-resource",
    introduced_in="2025-06-18",
    purpose="A prompt returns an embedded resource.",
    decides=(PROMPTS_GET_EMBEDDED_RESOURCE,),
    needs=Needs(
        prompts=(
            Prompt(
                name="test_prompt_with_embedded_resource",
                arguments=("resourceUri",),
                returns="a message of role user with an embedded resource (uri: the argument, mimeType: text/plain, text:"
                " «Embedded resource content for testing.»), and one with the text «Please process the embedded resource"
                " above.»",
            ),
        ),
        capabilities=("prompts",),
    ),
)
async def prompts_get_embedded_resource(peer: Peer, checks: Checks) -> None:
    result = await peer.request(
        "prompts/get",
        {"name": "test_prompt_with_embedded_resource", "arguments": {"resourceUri": "test://example-resource"}},
    )
    messages = as_list(result.get("messages"))
    checks.decide(
        PROMPTS_GET_EMBEDDED_RESOURCE,
        any(embeds_a_resource(content) for content in contents_of(messages)),
        expected="a message whose content is an embedded resource",
        got=result.get("messages"),
        details={"messageCount": len(messages), "messages": messages},
    )


@server_scenario(
    name="prompts-get-with-image",
    introduced_in="2025-06-18",
    purpose="A prompt returns image content.",
    decides=(PROMPTS_GET_WITH_IMAGE,),
    needs=Needs(
        prompts=(
            Prompt(
                name="test_prompt_with_image",
                returns="a message of role user with an image (data: Base64 of a small PNG, mimeType: image/png), and one with"
                " the text «Please analyze the image above.»",
            ),
        ),
        capabilities=("prompts",),
    ),
)
async def prompts_get_with_image(peer: Peer, checks: Checks) -> None:
    result = await peer.request("prompts/get", {"name": "test_prompt_with_image"})
    messages = as_list(result.get("messages"))
    checks.decide(
        PROMPTS_GET_WITH_IMAGE,
        any(
            content.get("type") == "image" and not lacking(content, "data", "mimeType")
            for content in contents_of(messages)
        ),
        expected="a message whose content is an image with data and mimeType",
        got=result.get("messages"),
        details={"messageCount": len(messages)},
    )


def contents_of(messages: list[JsonValue]) -> list[JsonObject]:
    """Return the content of each message; an empty one where it is no object."""
    return [as_object(as_object(message).get("content")) for message in messages]


def embeds_a_resource(content: JsonObject) -> bool:
    """Tell whether a message's content is an embedded resource, by its type or by what it holds."""
    return content.get("type") == "resource" or "resource" in content
