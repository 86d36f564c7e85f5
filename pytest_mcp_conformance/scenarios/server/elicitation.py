"""Elicitation: a tool asks the user for input, through a form that the client shows.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown, as_object, shown
from pytest_mcp_conformance.model import Level, Needs, Requirement, SpecRef, Tool
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.elicitation_forms import (
    default_fault,
    legacy_enum_fault,
    titled_multi_fault,
    titled_single_fault,
    untitled_multi_fault,
    untitled_single_fault,
)
from pytest_mcp_conformance.scenarios.server.tool_results import call_tool, content_of, require_tool_result

ISSUES = "https://github.com/modelcontextprotocol/modelcontextprotocol/issues"
DEFAULTS = SpecRef(id="SEP-1034", url=f"{ISSUES}/1034")
ENUMS = SpecRef(id="SEP-1330", url=f"{ISSUES}/1330")

TOOLS_CALL_ELICITATION = Requirement(
    id="tools-call-elicitation",
    name="ToolsCallElicitation",
    level=Level.MUST,
    text="A tool can ask the user for input while it runs, and then returns content.",
    spec=(
        SpecRef(
            id="MCP-Elicitation",
            url="https://modelcontextprotocol.io/specification/2025-06-18/client/elicitation",
        ),
    ),
)
DEFAULTS_GENERAL = Requirement(
    id="elicitation-sep1034-general",
    name="ElicitationSEP1034General",
    level=Level.MUST,
    text="The tool asks with a well-formed form during the call.",
    spec=(DEFAULTS,),
    exceptional=True,
)
STRING_DEFAULT = Requirement(
    id="elicitation-sep1034-string-default",
    name="ElicitationSEP1034StringDefault",
    level=Level.MUST,
    text="A string property of a form keeps its default.",
    spec=(DEFAULTS,),
)
INTEGER_DEFAULT = Requirement(
    id="elicitation-sep1034-integer-default",
    name="ElicitationSEP1034IntegerDefault",
    level=Level.MUST,
    text="An integer property of a form keeps its default.",
    spec=(DEFAULTS,),
)
NUMBER_DEFAULT = Requirement(
    id="elicitation-sep1034-number-default",
    name="ElicitationSEP1034NumberDefault",
    level=Level.MUST,
    text="A number property of a form keeps its default.",
    spec=(DEFAULTS,),
)
ENUM_DEFAULT = Requirement(
    id="elicitation-sep1034-enum-default",
    name="ElicitationSEP1034EnumDefault",
    level=Level.MUST,
    text="An enum property of a form keeps its default, which is one of its values.",
    spec=(DEFAULTS,),
)
BOOLEAN_DEFAULT = Requirement(
    id="elicitation-sep1034-boolean-default",
    name="ElicitationSEP1034BooleanDefault",
    level=Level.MUST,
    text="A boolean property of a form keeps its default.",
    spec=(DEFAULTS,),
)
ENUMS_GENERAL = Requirement(
    id="elicitation-sep1330-general",
    name="ElicitationSEP1330General",
    level=Level.MUST,
    text="The tool asks with a well-formed form during the call.",
    spec=(ENUMS,),
    exceptional=True,
)
UNTITLED_SINGLE = Requirement(
    id="elicitation-sep1330-untitled-single",
    name="ElicitationSEP1330UntitledSingle",
    level=Level.MUST,
    text="One choice without titles is a string with enum.",
    spec=(ENUMS,),
)
TITLED_SINGLE = Requirement(
    id="elicitation-sep1330-titled-single",
    name="ElicitationSEP1330TitledSingle",
    level=Level.MUST,
    text="One choice with titles is a string with oneOf, each entry a const and a title.",
    spec=(ENUMS,),
)
LEGACY_ENUM_NAMES = Requirement(
    id="elicitation-sep1330-legacy-enumnames",
    name="ElicitationSEP1330LegacyEnumNames",
    level=Level.MUST,
    text="The legacy choice with titles is a string with enum and as many enumNames.",
    spec=(ENUMS,),
)
UNTITLED_MULTI = Requirement(
    id="elicitation-sep1330-untitled-multi",
    name="ElicitationSEP1330UntitledMulti",
    level=Level.MUST,
    text="Several choices without titles are an array whose items are strings with enum.",
    spec=(ENUMS,),
)
TITLED_MULTI = Requirement(
    id="elicitation-sep1330-titled-multi",
    name="ElicitationSEP1330TitledMulti",
    level=Level.MUST,
    text="Several choices with titles are an array whose items have anyOf, each entry a const and a title.",
    spec=(ENUMS,),
)


@server_scenario(
    name="tools-call-elicitation",
    introduced_in="2025-06-18",
    removed_in="2026-07-28",
    purpose="A tool asks the user for input through the client while it runs.",
    decides=(TOOLS_CALL_ELICITATION,),
    needs=Needs(
        tools=(
            Tool(
                name="test_elicitation",
                input_schema={
                    "type": "object",
                    "properties": {"message": {"type": "string"}},
                    "required": ["message"],
                },
                behaviour="sends elicitation/create during the call, with the message and a form of two required strings:"
                " username and email",
                returns="one text content that tells action and content of the client's answer",
            ),
        ),
        capabilities=("tools",),
    ),
)
async def tools_call_elicitation(peer: Peer, checks: Checks) -> None:
    asked = fill_in(peer, {"username": "testuser", "email": "test@example.com"})
    result = await call_tool(peer, "test_elicitation", {"message": "Please provide your information"})
    requested = bool(asked)
    require_tool_result(result, peer.judged_by)
    checks.decide(
        TOOLS_CALL_ELICITATION,
        requested and bool(content_of(result)),
        expected="a well-formed elicitation/create during the call, and content in its result",
        got=result if requested else Shown("no such request"),
        details={"elicitationRequested": requested, "result": result},
    )


@server_scenario(
    name="elicitation-sep1034-defaults",
    introduced_in="2025-11-25",
    removed_in="2026-07-28",
    purpose="The server's elicitation schema carries default values for all primitive types.",
    decides=(DEFAULTS_GENERAL, STRING_DEFAULT, INTEGER_DEFAULT, NUMBER_DEFAULT, ENUM_DEFAULT, BOOLEAN_DEFAULT),
    charged=DEFAULTS_GENERAL,
    needs=Needs(
        tools=(
            Tool(
                name="test_elicitation_sep1034_defaults",
                behaviour="sends elicitation/create during the call, with a form of five properties: name (string, default"
                " «John Doe»), age (integer, default 30), score (number, default 95.5), status (string, enum active, inactive,"
                " pending, default active), verified (boolean, default true)",
                returns="one text content",
            ),
        ),
        capabilities=("tools",),
    ),
)
async def elicitation_defaults(peer: Peer, checks: Checks) -> None:
    properties = await properties_asked_for(
        peer,
        "test_elicitation_sep1034_defaults",
        {"name": "Jane Smith", "age": 25, "score": 88.0, "status": "inactive", "verified": False},
    )
    for requirement, field, kind, default in (
        (STRING_DEFAULT, "name", "string", "John Doe"),
        (INTEGER_DEFAULT, "age", "integer", 30),
        (NUMBER_DEFAULT, "score", "number", 95.5),
        (ENUM_DEFAULT, "status", "string", "active"),
        (BOOLEAN_DEFAULT, "verified", "boolean", True),
    ):
        schema = properties.get(field)
        fault = default_fault(schema, kind, default, one_of_enum=requirement is ENUM_DEFAULT)
        decide_property(checks, requirement, field, schema, fault)


@server_scenario(
    name="elicitation-sep1330-enums",
    introduced_in="2025-11-25",
    removed_in="2026-07-28",
    purpose="The server's elicitation schema uses each of the five enum forms correctly.",
    decides=(ENUMS_GENERAL, UNTITLED_SINGLE, TITLED_SINGLE, LEGACY_ENUM_NAMES, UNTITLED_MULTI, TITLED_MULTI),
    charged=ENUMS_GENERAL,
    needs=Needs(
        tools=(
            Tool(
                name="test_elicitation_sep1330_enums",
                behaviour="sends elicitation/create during the call, with a form of five properties: untitledSingle (string,"
                " enum option1, option2, option3), titledSingle (string, oneOf with const value1, value2, value3 and a title"
                " each), legacyEnum (string, enum opt1, opt2, opt3 and three enumNames), untitledMulti (array, items as"
                " untitledSingle), titledMulti (array, items with anyOf like the oneOf of titledSingle)",
                returns="one text content",
            ),
        ),
        capabilities=("tools",),
    ),
)
async def elicitation_enums(peer: Peer, checks: Checks) -> None:
    properties = await properties_asked_for(
        peer,
        "test_elicitation_sep1330_enums",
        {
            "untitledSingle": "option1",
            "titledSingle": "value1",
            "legacyEnum": "opt1",
            "untitledMulti": ["option1", "option2"],
            "titledMulti": ["value1", "value2"],
        },
    )
    for requirement, field, fault_of in (
        (UNTITLED_SINGLE, "untitledSingle", untitled_single_fault),
        (TITLED_SINGLE, "titledSingle", titled_single_fault),
        (LEGACY_ENUM_NAMES, "legacyEnum", legacy_enum_fault),
        (UNTITLED_MULTI, "untitledMulti", untitled_multi_fault),
        (TITLED_MULTI, "titledMulti", titled_multi_fault),
    ):
        schema = properties.get(field)
        decide_property(checks, requirement, field, schema, fault_of(schema))


def fill_in(peer: Peer, content: JsonObject) -> list[JsonObject]:
    """Have every well-formed form of the server filled in with `content`; return the list in which their params arrive."""
    asked: list[JsonObject] = []

    def accept(params: JsonObject) -> JsonObject:
        asked.append(params)
        return {"action": "accept", "content": content}

    peer.answer("elicitation/create", accept)
    return asked


async def properties_asked_for(peer: Peer, tool: str, content: JsonObject) -> JsonObject:
    """Call a tool that asks the user for input, and return the properties of the form that it sent last.

    :raises Nonconforming: it sent none, or a malformed one (which the peer refuses), or the call failed.
    """
    asked = fill_in(peer, content)
    result = await call_tool(peer, tool, {})
    require_tool_result(result, peer.judged_by)
    if not asked:
        wanted = "a well-formed elicitation/create with a form during the call"
        raise Nonconforming("no well-formed form was sent", wanted, shown(result))
    return as_object(as_object(asked[-1].get("requestedSchema")).get("properties"))


def decide_property(checks: Checks, requirement: Requirement, field: str, schema: JsonValue, fault: str | None) -> None:
    """Decide one property of a form."""
    checks.decide(
        requirement,
        fault is None,
        expected=f"the property {field} with {fault}",
        got=schema,
        details={"field": field, "schema": schema},
    )
