"""Calling tools: what the content of a result holds.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/server/tools#calling-tools
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks, first_of_type, lacking
from pytest_mcp_conformance.json_values import as_object, truthy
from pytest_mcp_conformance.model import Level, Needs, Requirement, SpecRef, Tool
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.tool_results import call_tool, content_of

SPECIFICATION = "https://modelcontextprotocol.io/specification"
CALLING = SpecRef(id="MCP-Tools-Call", url=f"{SPECIFICATION}/2025-06-18/server/tools#calling-tools")

WAV = "audio/wav"
MIXED = ("text", "image", "resource")

TOOLS_CALL_SIMPLE_TEXT = Requirement(
    id="tools-call-simple-text",
    name="ToolsCallSimpleText",
    level=Level.MUST,
    text="A tool that returns text returns content with a text.",
    spec=(CALLING,),
)
TOOLS_CALL_IMAGE = Requirement(
    id="tools-call-image",
    name="ToolsCallImage",
    level=Level.MUST,
    text="A tool that returns an image returns content with its data and mimeType.",
    spec=(CALLING,),
)
TOOLS_CALL_AUDIO = Requirement(
    id="tools-call-audio",
    name="ToolsCallAudio",
    level=Level.MUST,
    text=f"A tool that returns audio returns content with its data and the mimeType {WAV}.",
    spec=(CALLING,),
)
TOOLS_CALL_EMBEDDED_RESOURCE = Requirement(
    id="tools-call-embedded-resource",
    name="ToolsCallEmbeddedResource",
    level=Level.MUST,
    text="A tool that returns a resource returns content with its uri, mimeType and text or blob.",
    spec=(CALLING,),
)
TOOLS_CALL_MIXED_CONTENT = Requirement(
    id="tools-call-mixed-content",
    name="ToolsCallMixedContent",
    level=Level.MUST,
    text="A tool can return text, an image and a resource in one result.",
    spec=(CALLING,),
)
TOOLS_CALL_ERROR = Requirement(
    id="tools-call-error",
    name="ToolsCallError",
    level=Level.MUST,
    text="A tool that fails says so in its result, with isError and a text.",
    spec=(SpecRef(id="MCP-Error-Handling", url=f"{SPECIFICATION}/2025-06-18/basic/lifecycle"),),
)


@server_scenario(
    name="tools-call-simple-text",
    introduced_in="2025-06-18",
    purpose="A tool can be called without arguments and returns text content.",
    decides=(TOOLS_CALL_SIMPLE_TEXT,),
    needs=Needs(
        tools=(
            Tool(name="test_simple_text", returns="one text content: «This is a simple text response for testing.»"),
        ),
        capabilities=("tools",),
    ),
)
async def tools_call_simple_text(peer: Peer, checks: Checks) -> None:
    # MAY be called without the member arguments, which is optional: all revisions, schema, CallToolRequest
    result = await call_tool(peer, "test_simple_text")
    text = first_of_type(content_of(result), "text")
    checks.decide(
        TOOLS_CALL_SIMPLE_TEXT,
        not lacking(text, "text"),
        expected="content of type text with a text",
        got=result,
        details={"result": result},
    )


@server_scenario(
    name="tools-call-image",
    introduced_in="2025-06-18",
    purpose="A tool returns image content.",
    decides=(TOOLS_CALL_IMAGE,),
    needs=Needs(
        tools=(
            Tool(
                name="test_image_content",
                returns="one image content: data is the Base64 of a small PNG, mimeType image/png",
            ),
        ),
        capabilities=("tools",),
    ),
)
async def tools_call_image(peer: Peer, checks: Checks) -> None:
    result = await call_tool(peer, "test_image_content", {})
    image = as_object(first_of_type(content_of(result), "image"))
    checks.decide(
        TOOLS_CALL_IMAGE,
        not lacking(image, "data", "mimeType"),
        expected="content of type image with data and mimeType",
        got=result,
        details={"mimeType": image.get("mimeType"), "hasData": truthy(image.get("data"))},
    )


@server_scenario(
    name="tools-call-audio",
    introduced_in="2025-06-18",
    purpose="A tool returns audio content.",
    decides=(TOOLS_CALL_AUDIO,),
    needs=Needs(
        tools=(
            Tool(
                name="test_audio_content",
                returns=f"one audio content: data is the Base64 of a small WAV, mimeType {WAV}",
            ),
        ),
        capabilities=("tools",),
    ),
)
async def tools_call_audio(peer: Peer, checks: Checks) -> None:
    result = await call_tool(peer, "test_audio_content", {})
    audio = first_of_type(content_of(result), "audio")
    data = as_object(audio).get("data")
    checks.decide(
        TOOLS_CALL_AUDIO,
        not lacking(audio, "data") and as_object(audio).get("mimeType") == WAV,
        expected=f"content of type audio with data and the mimeType {WAV}",
        got=result,
        details={"hasAudioContent": audio is not None, "audioDataLength": len(data) if isinstance(data, str) else 0},
    )


@server_scenario(
    name="tools-call-embedded-resource",
    introduced_in="2025-06-18",
    purpose="A tool returns an embedded resource.",
    decides=(TOOLS_CALL_EMBEDDED_RESOURCE,),
    needs=Needs(
        tools=(
            Tool(
                name="test_embedded_resource",
                returns="one resource content: uri test://embedded-resource, mimeType text/plain, text «This is an embedded"
                " resource content.»",
            ),
        ),
        capabilities=("tools",),
    ),
)
async def tools_call_embedded_resource(peer: Peer, checks: Checks) -> None:
    result = await call_tool(peer, "test_embedded_resource", {})
    embedded = first_of_type(content_of(result), "resource")
    resource = as_object(as_object(embedded).get("resource"))
    checks.decide(
        TOOLS_CALL_EMBEDDED_RESOURCE,
        not lacking(resource, "uri", "mimeType") and len(lacking(resource, "text", "blob")) < len(("text", "blob")),
        expected="content of type resource, whose resource has uri, mimeType and text or blob",
        got=result,
        details={"hasResourceContent": embedded is not None, "resourceUri": resource.get("uri")},
    )


@server_scenario(
    name="tools-call-mixed-content",
    introduced_in="2025-06-18",
    purpose="A tool returns text, image and embedded resource in one result.",
    decides=(TOOLS_CALL_MIXED_CONTENT,),
    needs=Needs(
        tools=(
            Tool(
                name="test_multiple_content_types",
                returns="three contents: the text «Multiple content types test:», an image of mimeType image/png, and a"
                " resource with uri test://mixed-content-resource, mimeType application/json, text"
                ' {"test": "data", "value": 123}',
            ),
        ),
        capabilities=("tools",),
    ),
)
async def tools_call_mixed_content(peer: Peer, checks: Checks) -> None:
    result = await call_tool(peer, "test_multiple_content_types", {})
    content = content_of(result)
    missing = [kind for kind in MIXED if first_of_type(content, kind) is None]
    checks.decide(
        TOOLS_CALL_MIXED_CONTENT,
        not missing,
        expected=f"content of the types {', '.join(MIXED)}",
        got=result,
        details={"contentCount": len(content), "contentTypes": [as_object(entry).get("type") for entry in content]},
    )


@server_scenario(
    name="tools-call-error",
    introduced_in="2025-06-18",
    purpose="A failing tool reports its failure in the tool result, not as a protocol error.",
    decides=(TOOLS_CALL_ERROR,),
    needs=Needs(
        tools=(
            Tool(
                name="test_error_handling",
                returns="isError true and one text content: «This tool intentionally returns an error for testing»",
            ),
        ),
        capabilities=("tools",),
    ),
)
async def tools_call_error(peer: Peer, checks: Checks) -> None:
    result = await call_tool(peer, "test_error_handling", {})
    first = next(iter(content_of(result)), None)
    checks.decide(
        TOOLS_CALL_ERROR,
        result.get("isError") is True and not lacking(first, "text"),
        expected="isError true, and content whose first entry has a text",
        got=result,
        details={"result": result},
    )
