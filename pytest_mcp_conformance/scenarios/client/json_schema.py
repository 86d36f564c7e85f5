"""JSON Schema: what a client does with the input schema of a tool. It fetches nothing, and loses no keyword.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
"""

from __future__ import annotations

from collections.abc import Sequence

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown, as_list, as_object
from pytest_mcp_conformance.mock_server import Answer, MockCall, MockServer, MockTool, Received, Script
from pytest_mcp_conformance.mock_server.app import ENDPOINT
from pytest_mcp_conformance.model import Level, Requirement, Revision, SpecRef
from pytest_mcp_conformance.scenarios.client.answered_calls import CALL_ANSWERED, decide_answered
from pytest_mcp_conformance.scenarios.client.tool_lists import TAKEN, ToolList, definition
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.scenarios.server.json_schema import BINDING_FROM, DIALECT, SEP_1613, SEP_2106
from pytest_mcp_conformance.scenarios.server.json_schema import TOOL as LISTED_TOOL
from pytest_mcp_conformance.serving.http import HttpReply, HttpRequest, json_reply
from pytest_mcp_conformance.stage import Stage

CANARY = "/canary/profile-schema.json"
PROFILE: JsonObject = {"$schema": DIALECT, "type": "object", "properties": {"displayName": {"type": "string"}}}
ECHO = "json_schema_echo"

FETCHES_NOTHING = Requirement(
    id="sep-2106-no-network-ref-deref",
    name="NoNetworkRefDereference",
    level=Level.MUST,
    text="A client that lists a tool whose schema refers to a network address does not fetch it.",
    spec=(
        SpecRef(
            id="SEP-2106",
            url="https://modelcontextprotocol.io/seps/2106-json-schema-2020-12#security-implications",
        ),
    ),
)


def _kept(id_: str, name: str, text: str, spec: tuple[SpecRef, ...]) -> Requirement:
    return Requirement(id=id_, name=f"JsonSchema2020_12Client{name}", level=Level.MUST, text=text, spec=spec)


LISTED = _kept("json-schema-2020-12-client-tool-found", "ToolFound", "The client lists the tools.", SEP_1613)
ECHOED = _kept(
    "json-schema-2020-12-client-echo-completed",
    "EchoCompleted",
    "The client sends back the schema that it has.",
    SEP_1613,
)
DIALECT_KEPT = _kept(
    "json-schema-2020-12-client-$schema-preserved", "$SchemaPreserved", "$schema is still there.", SEP_1613
)
DEFS_KEPT = _kept(
    "json-schema-2020-12-client-$defs-preserved", "$DefsPreserved", "$defs still has its definition.", SEP_1613
)
ADDITIONAL_KEPT = _kept(
    "json-schema-2020-12-client-additionalProperties-preserved",
    "AdditionalPropertiesPreserved",
    "additionalProperties is still false.",
    SEP_1613,
)
COMPOSITION_KEPT = _kept(
    "sep-2106-client-composition-keywords-preserved",
    "CompositionKeywordsPreserved",
    "allOf and the anyOf inside it are still there.",
    SEP_2106,
)
CONDITION_KEPT = _kept(
    "sep-2106-client-conditional-keywords-preserved",
    "ConditionalKeywordsPreserved",
    "if, then and else are still there.",
    SEP_2106,
)
ANCHOR_KEPT = _kept(
    "sep-2106-client-anchor-keyword-preserved",
    "AnchorKeywordPreserved",
    "The definition still has its $anchor.",
    SEP_2106,
)
KEPT = (DIALECT_KEPT, DEFS_KEPT, ADDITIONAL_KEPT, COMPOSITION_KEPT, CONDITION_KEPT, ANCHOR_KEPT)


@client_scenario(
    name="json-schema-ref-no-deref",
    introduced_in="2026-07-28",
    purpose="The client lists a tool whose input schema refers to a network address, and does not fetch it.",
    task="List the tools, and end. The tool need not be called.",
    decides=(FETCHES_NOTHING,),
)
async def json_schema_ref_no_deref(stage: Stage, checks: Checks) -> None:
    given = False

    def listed(call: MockCall) -> Answer:
        nonlocal given
        answer = ToolList([_looking_up(f"{server.url.removesuffix(ENDPOINT)}{CANARY}")])(call)
        given = True
        return answer

    script = Script(
        answers={"tools/list": listed, "tools/call": TAKEN}, revisions=stage.revisions, intercept=serve_profile
    )
    server = await stage.mock(script)
    await stage.client(server.url)
    decide_fetching(server, checks, listed=given)


def _looking_up(profile: str) -> JsonObject:
    """Return the tool, on whose server `profile` lies."""
    schema: JsonObject = {
        "$schema": DIALECT,
        "type": "object",
        "$defs": {"userId": {"type": "string", "pattern": "^[a-z0-9-]+$"}},
        "properties": {"id": {"$ref": "#/$defs/userId"}, "profile": {"$ref": profile}},
        "required": ["id"],
    }
    return definition("lookup_user", schema, "Looks up a user")


def serve_profile(http: HttpRequest) -> HttpReply | None:
    """Answer a request for the schema that nobody should fetch: whoever fetches it gets it."""
    return json_reply(PROFILE) if http.path == CANARY else None


def decide_fetching(server: MockServer, checks: Checks, *, listed: bool) -> None:
    """Decide what a client fetched.

    :param listed: whether it got the list of tools.
    """
    if not listed:
        checks.untestable(FETCHES_NOTHING, "no tools/list could be answered", details={"toolsListed": False})
        return
    fetched: list[JsonValue] = [
        {"method": each.method, "userAgent": each.headers.get("user-agent")}
        for each in server.http_requests
        if each.path == CANARY
    ]
    checks.decide(
        FETCHES_NOTHING,
        not fetched,
        expected="no request for the schema at the network address",
        got=fetched,
        details={"toolsListed": True, "canaryRequestCount": len(fetched), "canaryRequests": fetched},
    )


ECHOING = MockTool(
    name=ECHO,
    description="Takes the input schema of another tool, as the client has it",
    input_schema={
        "type": "object",
        "properties": {"schema": {"type": "object", "description": "The schema"}},
        "required": ["schema"],
    },
    returns="The schema was taken",
)
LISTED_MOCK = MockTool(
    name=LISTED_TOOL.name,
    description="A tool with many keywords in its schema",
    input_schema=LISTED_TOOL.input_schema,
    returns="The call was taken",
)


@client_scenario(
    name="json-schema-2020-12-preservation",
    introduced_in="2025-11-25",
    purpose="The input schema of a tool survives the client's reading: no keyword of JSON Schema 2020-12 is lost.",
    task=f"List the tools, take the input schema of {LISTED_TOOL.name} as your library has it, call {ECHO} with it as the"
    " argument schema, and end.",
    decides=(LISTED, ECHOED, *KEPT, CALL_ANSWERED),
)
async def json_schema_preservation(stage: Stage, checks: Checks) -> None:
    offered = (LISTED_MOCK, ECHOING)
    tools = ToolList([each.definition() for each in offered])
    server = await stage.mock(Script(tools=offered, answers={"tools/list": tools}, revisions=stage.revisions))
    await stage.client(server.url)
    checks.decide(
        LISTED,
        tools.given,
        expected="a tools/list that can be answered",
        got=Shown("one that was refused" if "tools/list" in server.methods else "none"),
        details={"toolsListCalled": tools.given},
    )
    decide_echo(echoed(server.requests), stage.revision, checks)
    decide_answered(server, checks, ECHO)


def echoed(requests: Sequence[Received]) -> JsonValue:
    """Return the schema that was sent back last, or null."""
    calls = [each for each in requests if each.method == "tools/call" and each.params.get("name") == ECHO]
    schemas = [as_object(each.params.get("arguments")).get("schema") for each in calls]
    return next((schema for schema in reversed(schemas) if isinstance(schema, dict | list)), None)


def decide_echo(echo: JsonValue, revision: Revision, checks: Checks) -> None:
    """Decide what is left of the schema. Null is none; an array holds no keyword."""
    checks.decide(
        ECHOED,
        echo is not None,
        expected=f"a call of {ECHO} with a schema",
        got=Shown("none"),
        details={"echoCompleted": echo is not None},
    )
    if echo is None:
        for requirement in KEPT:
            checks.skip(requirement, "no schema was sent back")
        return
    schema = as_object(echo)
    dialect, definitions = schema.get("$schema"), as_object(schema.get("$defs"))
    names: list[JsonValue] = [*definitions]
    checks.decide(
        DIALECT_KEPT,
        dialect == DIALECT,
        expected=f"$schema to be {DIALECT}",
        got=echo,
        details={"hasSchema": "$schema" in schema, "schemaValue": dialect},
    )
    checks.decide(
        DEFS_KEPT,
        "address" in definitions,
        expected="$defs with the member address",
        got=echo,
        details={"hasDefs": "$defs" in schema, "defsKeys": names},
    )
    additional = schema.get("additionalProperties")
    checks.decide(
        ADDITIONAL_KEPT,
        additional is False,
        expected="additionalProperties to be false",
        got=echo,
        details={"hasAdditionalProps": "additionalProperties" in schema, "value": additional},
    )
    _decide_sep_2106(schema, revision, checks)


def _decide_sep_2106(schema: JsonObject, revision: Revision, checks: Checks) -> None:
    """Decide the keywords that SEP-2106 named; before it binds, a lost one is no failure."""
    all_of = as_list(schema.get("allOf"))
    nested = any(isinstance(as_object(part).get("anyOf"), list) for part in all_of)
    condition = {keyword: keyword in schema for keyword in ("if", "then", "else")}
    address = as_object(as_object(schema.get("$defs")).get("address"))
    rules: tuple[tuple[Requirement, bool, str, JsonObject], ...] = (
        (
            COMPOSITION_KEPT,
            nested,
            "allOf with an anyOf inside it",
            {"hasAllOf": bool(all_of), "hasNestedAnyOf": nested},
        ),
        (
            CONDITION_KEPT,
            all(condition.values()),
            "if, then and else",
            {"hasIf": condition["if"], "hasThen": condition["then"], "hasElse": condition["else"]},
        ),
        (
            ANCHOR_KEPT,
            "$anchor" in address,
            "$anchor in the definition address",
            {"hasAnchor": "$anchor" in address, "anchorValue": address.get("$anchor")},
        ),
    )
    for requirement, holds, expected, found in rules:
        details: JsonObject = {**found, "targetProtocolVersion": revision.value}
        if holds or revision >= BINDING_FROM:
            checks.decide(requirement, holds, expected=expected, got=schema, details=details)
        else:
            checks.skip(requirement, f"{expected} is required from {BINDING_FROM.value} on", details=details)
