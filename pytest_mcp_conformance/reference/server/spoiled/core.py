"""Spoiled answers of what every revision has: utilities, tools, resources, prompts, caching hints, forms."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.protocol.json_rpc import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.spoiled.spoiling import Named, Refused, Spoiled, Step
from pytest_mcp_conformance.serving.refusals import Refusal

RICH_TOOL = "json_schema_2020_12_tool"
DEFAULTS_TOOL = "test_elicitation_sep1034_defaults"
CHOICES_TOOL = "test_elicitation_sep1330_enums"


def _tool(name: str, *at: Step, to: JsonValue = None, removed: bool = False) -> tuple[Spoiled, ...]:
    """Deform what a tool returns."""
    return (Spoiled(method="tools/call", name=name, at=("result", *at), to=to, removed=removed),)


def _result(method: str, *at: Step, to: JsonValue = None, removed: bool = False) -> tuple[Spoiled, ...]:
    """Deform the result of a method."""
    return (Spoiled(method=method, at=("result", *at), to=to, removed=removed),)


def _resource(uri: str, *at: Step, to: JsonValue = None, removed: bool = False) -> tuple[Spoiled, ...]:
    """Deform the first content of a resource."""
    where: tuple[Step, ...] = ("result", "contents", 0, *at)
    return (Spoiled(method="resources/read", name=uri, at=where, to=to, removed=removed),)


def _prompt(name: str, *at: Step, to: JsonValue = None, removed: bool = False) -> tuple[Spoiled, ...]:
    """Deform a prompt."""
    return (Spoiled(method="prompts/get", name=name, at=("result", *at), to=to, removed=removed),)


def _rich_schema(*at: Step, to: JsonValue = None, removed: bool = False) -> tuple[Spoiled, ...]:
    """Deform the schema of the tool that has the rich one, as it is listed."""
    return _result("tools/list", "tools", Named(name=RICH_TOOL), "inputSchema", *at, to=to, removed=removed)


def _form(tool: str, *at: Step, to: JsonValue = None, removed: bool = False) -> tuple[Spoiled, ...]:
    """Deform a property of the form that a tool asks with."""
    where: tuple[Step, ...] = ("requestedSchema", "properties", *at)
    return (Spoiled(method="elicitation/create", name=tool, at=where, to=to, removed=removed),)


TEXT: JsonObject = {"type": "text", "text": "No resource here."}
TITLED: list[JsonValue] = [{"const": "option1", "title": "Option 1"}]

SPOILED: Mapping[Fault, tuple[Spoiled, ...]] = {
    Fault.ERROR_WITHOUT_MESSAGE: (Spoiled(has="error", at=("error", "message"), removed=True),),
    Fault.INITIALIZE_WITH_500: (Spoiled(method="initialize", status=500),),
    Fault.INITIALIZE_UNKNOWN_VERSION: _result("initialize", "protocolVersion", to="1999-12-31"),
    Fault.SERVER_WEBSITE_NO_URI: _result("initialize", "serverInfo", "websiteUrl", to="somewhere"),
    Fault.PING_WITH_MEMBER: _result("ping", "pong", to=True),
    Fault.SET_LEVEL_WITH_MEMBER: _result("logging/setLevel", "level", to="info"),
    Fault.COMPLETION_WITHOUT_VALUES: _result("completion/complete", "completion", "values", to={}),
    Fault.TOOL_WITHOUT_DESCRIPTION: _result("tools/list", "tools", 0, "description", removed=True),
    Fault.TOOL_NAME_WITH_SLASH: _result("tools/list", "tools", Named(name="execute"), "name", to="exe/cute"),
    Fault.TEXT_EMPTY: _tool("test_simple_text", "content", 0, "text", to=""),
    Fault.IMAGE_WITHOUT_DATA: _tool("test_image_content", "content", 0, "data", to=""),
    Fault.AUDIO_OF_ANOTHER_TYPE: _tool("test_audio_content", "content", 0, "mimeType", to="audio/x-wav"),
    Fault.EMBEDDED_WITHOUT_TYPE: _tool("test_embedded_resource", "content", 0, "resource", "mimeType", removed=True),
    Fault.MIXED_WITHOUT_RESOURCE: _tool("test_multiple_content_types", "content", 2, removed=True),
    Fault.TOOL_ERROR_UNMARKED: _tool("test_error_handling", "isError", removed=True),
    Fault.RESOURCE_WITHOUT_NAME: _result("resources/list", "resources", 0, "name", to=""),
    Fault.TEXT_RESOURCE_WITHOUT_TYPE: _resource("test://static-text", "mimeType", removed=True),
    Fault.BINARY_RESOURCE_EMPTY: _resource("test://static-binary", "blob", to=""),
    Fault.TEMPLATE_UNFILLED: _resource("test://template/*", "text", to="Data for ID: {id}"),
    Fault.MISSING_RESOURCE_UNNAMED: (
        Spoiled(method="resources/read", code=INVALID_PARAMS, at=("error", "data"), removed=True),
    ),
    Fault.PROMPT_WITHOUT_DESCRIPTION: _result("prompts/list", "prompts", 0, "description", removed=True),
    Fault.PROMPT_WITHOUT_MESSAGES: _prompt("test_simple_prompt", "messages", to=[]),
    Fault.PROMPT_ARGUMENTS_IGNORED: _prompt(
        "test_prompt_with_arguments", "messages", 0, "content", "text", to="Prompt with arguments: arg1, arg2"
    ),
    Fault.PROMPT_WITHOUT_RESOURCE: _prompt("test_prompt_with_embedded_resource", "messages", 0, "content", to=TEXT),
    Fault.PROMPT_IMAGE_EMPTY: _prompt("test_prompt_with_image", "messages", 0, "content", "data", to=""),
    Fault.TOOLS_LIST_WITHOUT_TTL: _result("tools/list", "ttlMs", removed=True),
    Fault.PROMPTS_LIST_WITHOUT_TTL: _result("prompts/list", "ttlMs", removed=True),
    Fault.RESOURCES_LIST_WITHOUT_TTL: _result("resources/list", "ttlMs", removed=True),
    Fault.TEMPLATES_LIST_WITHOUT_TTL: _result("resources/templates/list", "ttlMs", removed=True),
    Fault.RESOURCE_WITHOUT_TTL: _result("resources/read", "ttlMs", removed=True),
    Fault.TTL_NEGATIVE: _result("tools/list", "ttlMs", to=-1),
    Fault.CACHE_SCOPE_UNKNOWN: _result("tools/list", "cacheScope", to="shared"),
    Fault.RICH_TOOL_RENAMED: _result("tools/list", "tools", Named(name=RICH_TOOL), "name", to="json_schema_tool"),
    Fault.SCHEMA_OTHER_DIALECT: _rich_schema("$schema", to="http://json-schema.org/draft-07/schema#"),
    Fault.SCHEMA_WITHOUT_DEFINITIONS: _rich_schema("$defs", removed=True),
    Fault.SCHEMA_DEFINITIONS_NO_OBJECT: _rich_schema("$defs", to="see the manual"),
    Fault.SCHEMA_OPEN: _rich_schema("additionalProperties", to=True),
    Fault.SCHEMA_WITHOUT_COMPOSITION: _rich_schema("allOf", removed=True),
    Fault.SCHEMA_WITHOUT_CONDITION: _rich_schema("else", removed=True),
    Fault.SCHEMA_WITHOUT_ANCHOR: _rich_schema("$defs", "address", "$anchor", removed=True),
    Fault.DEFAULT_STRING_OTHER: _form(DEFAULTS_TOOL, "name", "default", to="Jane Doe"),
    Fault.DEFAULT_INTEGER_OTHER: _form(DEFAULTS_TOOL, "age", "default", to=31),
    Fault.DEFAULT_NUMBER_OTHER: _form(DEFAULTS_TOOL, "score", "default", to=95),
    Fault.DEFAULT_CHOICE_OTHER: _form(DEFAULTS_TOOL, "status", "default", to="pending"),
    Fault.DEFAULT_BOOLEAN_OTHER: _form(DEFAULTS_TOOL, "verified", "default", to=False),
    Fault.UNTITLED_SINGLE_WITH_NAMES: _form(CHOICES_TOOL, "untitledSingle", "enumNames", to=["One", "Two", "Three"]),
    Fault.TITLED_SINGLE_UNTITLED: _form(
        CHOICES_TOOL, "titledSingle", to={"type": "string", "enum": ["value1", "value2", "value3"]}
    ),
    Fault.LEGACY_NAMES_TOO_FEW: _form(CHOICES_TOOL, "legacyEnum", "enumNames", to=["One", "Two"]),
    Fault.UNTITLED_MULTI_TITLED: _form(CHOICES_TOOL, "untitledMulti", "items", to={"anyOf": TITLED}),
    Fault.TITLED_MULTI_UNTITLED: _form(
        CHOICES_TOOL, "titledMulti", "items", to={"type": "string", "enum": ["value1", "value2", "value3"]}
    ),
}

REFUSED: Mapping[Fault, Refused] = {
    Fault.COMPLETION_REFUSED: Refused(
        method="completion/complete", refusal=Refusal(METHOD_NOT_FOUND, "Completion is not served")
    ),
    Fault.SUBSCRIBE_REFUSED: Refused(
        method="resources/subscribe", refusal=Refusal(METHOD_NOT_FOUND, "Subscriptions are not served")
    ),
    Fault.UNSUBSCRIBE_REFUSED: Refused(
        method="resources/unsubscribe", refusal=Refusal(METHOD_NOT_FOUND, "Subscriptions are for ever")
    ),
    Fault.TOOLS_LIST_UNAVAILABLE: Refused(
        method="tools/list", refusal=Refusal(INTERNAL_ERROR, "The tools are busy", status=503)
    ),
    Fault.RECONNECTION_TOOL_MISSING: Refused(
        method="tools/call", name="test_reconnection", refusal=Refusal(INVALID_PARAMS, "Unknown tool", status=400)
    ),
    Fault.RECONNECTION_TOOL_500: Refused(
        method="tools/call", name="test_reconnection", refusal=Refusal(INTERNAL_ERROR, "Broken tool", status=500)
    ),
}
