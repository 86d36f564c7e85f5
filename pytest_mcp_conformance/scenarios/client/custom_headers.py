"""Custom headers: Mcp-Param-* repeat the annotated arguments of a tool call (SEP-2243).

Specification:
https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#custom-headers-from-tool-parameters
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, is_integer, is_number
from pytest_mcp_conformance.mock_server import Received, Script
from pytest_mcp_conformance.model import DRAFT, Level, Requirement, SpecRef
from pytest_mcp_conformance.protocol.mirrored_values import PREFIX, SUFFIX
from pytest_mcp_conformance.scenarios.client.answered_calls import CALL_ANSWERED, decide_answered
from pytest_mcp_conformance.scenarios.client.tool_lists import ToolList, definition
from pytest_mcp_conformance.scenarios.client.unobserved import not_observed
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.serving.mirrored_headers import ANNOTATION, says
from pytest_mcp_conformance.stage import Stage

PARAM = "Mcp-Param-"
ALL_VALUES, WITH_NULL = "test_custom_headers", "test_custom_headers_null"

# Of an argument: the type in the schema, the name of its header if it has one, and the value that the client is told to send.
ARGUMENTS: dict[str, tuple[str, str | None, JsonValue]] = {
    "region": ("string", "Region", "us-west1"),
    "priority": ("integer", "Priority", 42),
    "verbose": ("boolean", "Verbose", False),
    "debug": ("boolean", "Debug", True),
    "empty_val": ("string", "EmptyVal", ""),
    "method_val": ("string", "Method", "test-method"),
    "float_val": ("number", None, 3.14159),
    "non_ascii_val": ("string", "NonAscii", "Hello, 世界"),
    "whitespace_val": ("string", "Whitespace", " padded "),
    "leading_space_val": ("string", "LeadingSpace", " us-west1"),
    "trailing_space_val": ("string", "TrailingSpace", "us-west1 "),
    "internal_space_val": ("string", "InternalSpace", "us west 1"),
    "control_char_val": ("string", "ControlChar", "line1\nline2"),
    "crlf_val": ("string", "CrLf", "line1\r\nline2"),
    "tab_val": ("string", "Tab", "\tindented"),
    "query": ("string", None, "SELECT * FROM users"),
}
FEW = ("region", "priority", "verbose", "query")
REQUIRED: list[JsonValue] = ["region", "priority", "query"]
KEPT_MS = 300_000  # long enough for a client to call by the list that it has

PAGE = "https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http"
CUSTOM = (SpecRef(id="SEP-2243-Custom-Headers", url=f"{PAGE}#custom-headers-from-tool-parameters"),)
ENCODING = (SpecRef(id="SEP-2243-Value-Encoding", url=f"{PAGE}#value-encoding"),)

MIRRORS, ENCODES, BASE64 = (
    "sep-2243-client-mirrors-designated-params",
    "sep-2243-client-encode-values",
    "sep-2243-client-base64-unsafe",
)


def _rule(id_: str, name: str, text: str, spec: tuple[SpecRef, ...] = CUSTOM) -> Requirement:
    return Requirement(id=id_, name=name, level=Level.MUST, text=text, spec=spec)


def needs_base64(value: str) -> bool:
    """Tell whether a header cannot carry `value` as it is.

    MUST be in Base64 form: 2026-07-28, basic/transports/streamable-http#value-encoding
    """
    return value != value.strip() or not all(" " <= character <= "~" for character in value)


def repeats_argument(suffix: str, value: JsonValue) -> Requirement:
    """Return the requirement on one header. Which one it is depends on the value that was sent."""
    if isinstance(value, bool) or is_number(value):
        id_, how = ENCODES, "as text"
    elif isinstance(value, str) and needs_base64(value):
        id_, how = BASE64, "in Base64 form"
    else:
        id_, how = MIRRORS, "as it is"
    return _rule(id_, f"ClientCustomHeader_{suffix}", f"{PARAM}{suffix} repeats its argument {how}.", ENCODING)


SUPPORTS = _rule(
    "sep-2243-client-supports-custom-headers",
    "ClientSupportsCustomHeaders",
    f"A call with annotated arguments has {PARAM}* headers.",
)
NUMBER_KEPT_OUT = _rule(
    MIRRORS, "ClientCustomHeaderNoMirrorNumber", "An argument of type number without an annotation is not repeated."
)
UNANNOTATED_KEPT_OUT = _rule(
    MIRRORS, "ClientCustomHeaderNoMirrorUnannotated", "An argument without an annotation is not repeated."
)
NULL_OMITTED = _rule(
    "sep-2243-client-omit-null", "ClientCustomHeaderOmitNull", "An argument that is null has no header."
)
REPEATED = {
    name: repeats_argument(suffix, value) for name, (_, suffix, value) in ARGUMENTS.items() if suffix is not None
}
ONE_OF_EACH = (SUPPORTS, REPEATED["region"], REPEATED["priority"], REPEATED["non_ascii_val"], NULL_OMITTED)


def _schema(names: Sequence[str]) -> JsonObject:
    properties: JsonObject = {}
    for name in names:
        kind, suffix, _ = ARGUMENTS[name]
        described: JsonObject = {"type": kind, "description": f"The argument {name}"}
        properties[name] = described if suffix is None else {**described, ANNOTATION: suffix}
    return {"type": "object", "properties": properties, "required": REQUIRED}


CALLS: JsonObject = {
    "toolCalls": [
        {"name": ALL_VALUES, "arguments": {name: value for name, (_, _, value) in ARGUMENTS.items()}},
        {
            "name": WITH_NULL,
            "arguments": {"region": "us-east1", "priority": 1, "verbose": None, "query": "SELECT 1"},
        },
    ]
}


@client_scenario(
    name="http-custom-headers",
    introduced_in="2026-07-28",
    purpose=f"The client repeats annotated arguments of a tool call in {PARAM}* headers, encoded where they have to be, and"
    " nothing else.",
    task="List the tools, make the calls of toolCalls in MCP_CONFORMANCE_CONTEXT with their arguments as they are, and end.",
    decides=(SUPPORTS, *REPEATED.values(), NUMBER_KEPT_OUT, UNANNOTATED_KEPT_OUT, NULL_OMITTED, CALL_ANSWERED),
)
async def http_custom_headers(stage: Stage, checks: Checks) -> None:
    # A server refuses a call whose headers are wrong. This one takes it, so that one wrong header hides no other.
    tools = ToolList(
        [
            definition(ALL_VALUES, _schema([*ARGUMENTS]), "Takes values of all kinds"),
            definition(WITH_NULL, _schema(FEW), "Takes an argument that may be left out"),
        ],
        more={"ttlMs": KEPT_MS},
    )
    server = await stage.mock(Script(answers=tools.taking_every_call(), revisions=(DRAFT,)))
    await stage.client(server.url, context=CALLS)
    calls = [each for each in server.requests if each.method == "tools/call"]
    decide_calls(calls, checks)
    decide_answered(server, checks, ALL_VALUES, WITH_NULL)


def decide_calls(calls: Sequence[Received], checks: Checks) -> None:
    """Decide all calls, by the arguments that they carry."""
    before = len(checks.recorded)
    for call in calls:
        if call.params.get("name") == ALL_VALUES:
            _decide_headers(call, checks)
        elif call.params.get("name") == WITH_NULL:
            checks.decide(
                NULL_OMITTED,
                call.headers.get(f"{PARAM}Verbose") is None,
                expected=f"no {PARAM}Verbose",
                got=call.headers.get(f"{PARAM}Verbose"),
            )
    decided = {check.id for check in checks.recorded[before:]}
    for requirement in ONE_OF_EACH:
        if requirement.id not in decided:
            not_observed(checks, requirement, "no call was received that could show it")


def _decide_headers(call: Received, checks: Checks) -> None:
    arguments = as_object(call.params.get("arguments"))
    mirrored = {name: value for name, value in call.headers.as_mapping().items() if name.startswith(PARAM.lower())}
    checks.decide(SUPPORTS, bool(mirrored), expected=f"{PARAM}* headers", got=mirrored)
    for name, (_, suffix, _) in ARGUMENTS.items():
        value = arguments.get(name)
        if name == "float_val":
            _decide_absence(NUMBER_KEPT_OUT, f"{PARAM}FloatVal", call, checks)
        elif name == "query":
            _decide_absence(UNANNOTATED_KEPT_OUT, f"{PARAM}Query", call, checks)
        elif suffix is not None and value is not None:
            _decide_repetition(suffix, value, call.headers.get(f"{PARAM}{suffix}"), checks)


def _decide_absence(requirement: Requirement, header: str, call: Received, checks: Checks) -> None:
    value = call.headers.get(header)
    checks.decide(requirement, value is None, expected=f"no {header}", got=value)


def _decide_repetition(suffix: str, value: JsonValue, header: str | None, checks: Checks) -> None:
    encoded = isinstance(value, str) and needs_base64(value)
    checks.decide(
        repeats_argument(suffix, value),
        header is not None and repeats(header, value),
        expected=f"{PARAM}{suffix} to repeat the argument" + (" in Base64 form" if encoded else ""),
        got={"argument": value, "header": header},
        details={
            "headerName": f"{PARAM}{suffix}",
            "rawHeaderValue": header,
            "bodyValue": value,
            "valueType": _type_of(value),
            "needsBase64": encoded,
        },
    )


def repeats(header: str, value: JsonValue) -> bool:
    """Tell whether a header repeats an argument; a plain value may be in Base64 form, too."""
    if isinstance(value, str) and needs_base64(value) and not is_base64_form(header):
        return False
    return says(decoded(header), value)


def is_base64_form(header: str) -> bool:
    """Tell whether a header has the marks of the Base64 form."""
    return header.startswith(PREFIX) and header.endswith(SUFFIX) and len(header) >= len(PREFIX) + len(SUFFIX)


def decoded(header: str) -> str:
    """Return what a header says. Missing padding and the alphabet of URLs are tolerated, as published."""
    if not is_base64_form(header):
        return header
    text = header[len(PREFIX) : -len(SUFFIX)].replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return header


def _type_of(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    return "integer" if is_integer(value) else "number" if is_number(value) else "other"
