"""Tool definitions: a client leaves out tools whose x-mcp-header annotations are invalid, and keeps the others (SEP-2243).

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#schema-extension
"""

from __future__ import annotations

from dataclasses import dataclass

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown
from pytest_mcp_conformance.mock_server import Script
from pytest_mcp_conformance.model import DRAFT, Level, Requirement, SpecRef
from pytest_mcp_conformance.scenarios.client.tool_lists import ToolList, definition
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.serving.mirrored_headers import ANNOTATION
from pytest_mcp_conformance.stage import Stage

VALID = "valid_tool"
SEP_2243 = (
    SpecRef(
        id="SEP-2243-x-mcp-header",
        url="https://modelcontextprotocol.io/specification/draft/server/tools#x-mcp-header",
    ),
)


def _rule(id_: str, name: str, text: str, *, exceptional: bool = False) -> Requirement:
    return Requirement(id=id_, name=name, level=Level.MUST, text=text, spec=SEP_2243, exceptional=exceptional)


LISTS = _rule(
    "sep-2243-invalid-tool-tools-list-gate",
    "ClientInvalidToolHeadersToolsList",
    "The client lists the tools.",
    exceptional=True,
)
KEEPS_VALID = _rule(
    "sep-2243-client-reject-invalid-tool",
    "ClientKeepsValidTool",
    "A tool with a valid annotation can be called, whatever is wrong with others.",
)

RULES = {
    "not-empty": "is not empty",
    "primitive-only": "stands only on arguments of type string, integer or boolean",
    "unique": "is unique in its tool, whatever the case of its letters",
    "charset": "has only characters that the name of a header may have",
}


@dataclass(frozen=True, kw_only=True)
class InvalidTool:
    """A tool that breaks one rule for annotations."""

    name: str
    properties: JsonObject
    requirement: Requirement

    @property
    def definition(self) -> JsonObject:
        """The tool as tools/list has it."""
        required: list[JsonValue] = [*self.properties]
        schema: JsonObject = {"type": "object", "properties": self.properties, "required": required}
        return definition(self.name, schema, "A tool that no client may offer")


def _breaking(rule: str, name: str, **properties: tuple[JsonObject, str]) -> InvalidTool:
    requirement = _rule(
        f"sep-2243-x-mcp-header-{rule}",
        f"ClientRejectsInvalidTool_{name}",
        f"A tool is left out unless the name in {ANNOTATION} {RULES[rule]}: {name} is not called.",
    )
    annotated: JsonObject = {
        argument: {**schema, ANNOTATION: header} for argument, (schema, header) in properties.items()
    }
    return InvalidTool(name=name, properties=annotated, requirement=requirement)


STRING: JsonObject = {"type": "string"}
STRINGS: JsonObject = {"type": "array", "items": {"type": "string"}}
INVALID = (
    _breaking("not-empty", "invalid_empty_header", value=(STRING, "")),
    _breaking("primitive-only", "invalid_object_header", data=({"type": "object"}, "Data")),
    _breaking("primitive-only", "invalid_array_header", items=(STRINGS, "Items")),
    _breaking("primitive-only", "invalid_null_header", nil=({"type": "null"}, "Nil")),
    _breaking("primitive-only", "invalid_number_header", score=({"type": "number"}, "Score")),
    _breaking("unique", "invalid_duplicate_same_case", field1=(STRING, "Region"), field2=(STRING, "Region")),
    _breaking("unique", "invalid_duplicate_diff_case", field1=(STRING, "MyField"), field2=(STRING, "myfield")),
    _breaking("charset", "invalid_space_in_name", value=(STRING, "My Region")),
    _breaking("charset", "invalid_colon_in_name", value=(STRING, "Region:Primary")),
    _breaking("charset", "invalid_non_ascii_name", value=(STRING, "Région")),
    _breaking("charset", "invalid_control_char_name", value=(STRING, "Region\t1")),
)
VALID_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"region": {"type": "string", ANNOTATION: "Region"}},
    "required": ["region"],
}


@client_scenario(
    name="http-invalid-tool-headers",
    introduced_in="2026-07-28",
    purpose=f"The client leaves out tools whose {ANNOTATION} annotations are invalid and keeps the one that is valid.",
    task="List the tools, and call every one that your library then offers, with arguments that its schema takes. A call that"
    " fails may be passed over.",
    decides=(LISTS, KEEPS_VALID, *(tool.requirement for tool in INVALID)),
    charged=KEEPS_VALID,
    allows_client_error=True,
)
async def http_invalid_tool_headers(stage: Stage, checks: Checks) -> None:
    # A server refuses a call whose headers are wrong. This one takes it, so that no client stops at the first tool.
    valid = definition(VALID, VALID_SCHEMA, "A tool with a valid annotation")
    tools = ToolList([valid, *(tool.definition for tool in INVALID)])
    server = await stage.mock(Script(answers=tools.taking_every_call(), revisions=(DRAFT,)))
    await stage.client(server.url)
    called = [each.params.get("name") for each in server.requests if each.method == "tools/call"]
    decide_offered(called, checks, listed=tools.given, lists="tools/list" in server.methods)


def decide_offered(called: list[JsonValue], checks: Checks, *, listed: bool, lists: bool) -> None:
    """Decide what a client offers, by what was called.

    :param listed: whether it got the list.
    :param lists: whether it asked for it.
    """
    if not listed:
        got = "one that was refused" if lists else "none"
        checks.fail(LISTS, expected="a tools/list that can be answered", got=Shown(got))
    checks.decide(KEEPS_VALID, VALID in called, expected=f"a call of {VALID}", got=called)
    for tool in INVALID:
        checks.decide(tool.requirement, tool.name not in called, expected=f"no call of {tool.name}", got=called)
