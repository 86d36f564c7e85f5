"""Custom headers: Mcp-Param-* repeat annotated arguments of a tool, and the server compares (SEP-2243).

Specification:
https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#custom-headers-from-tool-parameters
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown, as_list, as_object, truthy
from pytest_mcp_conformance.model import Level, Needs, Requirement, SpecRef
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.peer.stateless import DEFAULT_CAPABILITIES
from pytest_mcp_conformance.protocol.json_rpc import HEADER_MISMATCH
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.header_verdicts import (
    BAD_REQUEST,
    PAGE,
    Rejection,
    decide_acceptance,
    decide_rejection,
    rejection,
)
from pytest_mcp_conformance.scenarios.server.stateless_probes import Probes, Reply, meta, stateless

ENCODING = SpecRef(id="SEP-2243-Value-Encoding", url=f"{PAGE}#value-encoding")
CUSTOM = SpecRef(id="SEP-2243-Custom-Headers", url=f"{PAGE}#server-behavior-for-custom-headers")

DECODE, MATCH = "sep-2243-server-decode-base64", "sep-2243-server-validate-param-match"
CHARACTERS, MISMATCH = "sep-2243-server-reject-invalid-param-chars", "sep-2243-server-reject-param-mismatch"

ANNOTATION = "x-mcp-header"
FIRST_ID = 200
STRANGE_VALUE = "test-default"  # of required arguments that are neither number nor boolean
PLAIN_VALUE = "test-value"
OTHER_VALUE = "other-value"


def _rule(id: str, name: str, text: str, place: SpecRef, *, exceptional: bool = False) -> Requirement:  # noqa: A002
    return Requirement(id=id, name=name, level=Level.MUST, text=text, spec=(place,), exceptional=exceptional)


def _rejects(name: str, text: str, place: SpecRef, *, status_id: str) -> Rejection:
    return rejection(name, text, place, status_id=status_id, code_id=MISMATCH, code_level=Level.MUST)


SETUP = _rule(
    "sep-2243-server-custom-setup",
    "HttpCustomHeaderServerValidationSetup",
    "tools/list is answered with a result.",
    CUSTOM,
    exceptional=True,
)
NO_TOOL = _rule(
    "sep-2243-server-no-xmcp-tool",
    "HttpCustomHeaderServerNoTool",
    f"A listed tool has an argument with {ANNOTATION}.",
    CUSTOM,
    exceptional=True,
)
NO_STRING = _rule(
    "sep-2243-server-no-string-param",
    "HttpCustomHeaderServerNoStringParam",
    f"The first tool with {ANNOTATION} has it on an argument of type string.",
    CUSTOM,
    exceptional=True,
)
VALID_BASE64 = _rule(
    DECODE, "ServerAcceptsValidBase64", "A value in Base64 form is decoded before it is compared.", ENCODING
)
NO_PADDING = _rejects("ServerRejectsInvalidBase64Padding", "Base64 without its padding", ENCODING, status_id=CHARACTERS)
NO_BASE64 = _rejects("ServerRejectsInvalidBase64Chars", "Base64 with other characters", ENCODING, status_id=CHARACTERS)
NO_PREFIX = _rule(
    MATCH, "ServerLiteralMissingBase64Prefix", "A value without the prefix of the Base64 form is plain text.", ENCODING
)
NO_SUFFIX = _rule(
    MATCH, "ServerLiteralMissingBase64Suffix", "A value without the suffix of the Base64 form is plain text.", ENCODING
)
NO_HEADER = _rejects(
    "ServerRejectsMissingCustomHeader", "A call with an annotated argument and no header", CUSTOM, status_id=MATCH
)
OTHER_HEADER = Requirement(
    id="x-param-header-value-mismatch",
    name="ParamHeaderValueMismatch",
    level=Level.MUST,
    text=f"A call whose header says another value than its argument is refused with HTTP 400 and {HEADER_MISMATCH}.",
    spec=(SpecRef(id="MCP-Custom-Headers", url=f"{PAGE}#server-behavior-for-custom-headers"),),
    addition=True,
)


def _in_the_place_of_all(name: str) -> tuple[Requirement, ...]:
    text = "The header of an annotated argument is decoded, compared, and refused where it is wrong."
    return tuple(_rule(id_, name, text, CUSTOM, exceptional=True) for id_ in (DECODE, MATCH, CHARACTERS, MISMATCH))


NOT_TESTABLE = _in_the_place_of_all("NotTestable")
NOT_OBSERVED = _in_the_place_of_all("NotObserved")


ANNOTATED_TOOL = (
    f"a tool with a string argument that has {ANNOTATION}, on the first page of tools/list and before other tools with"
    " annotations; the argument takes any text, other required arguments take 0, false or"
    f" {STRANGE_VALUE!r} by their type; a call is answered with any result"
)


@dataclass(frozen=True, kw_only=True)
class Annotated:
    """A tool with an annotated string argument, and how to call it."""

    tool: JsonValue
    argument: str
    header: str
    suffix: str
    others: JsonObject  # required arguments beside it
    other_headers: dict[str, str | None]


@server_scenario(
    name="http-custom-header-server-validation",
    introduced_in="2026-07-28",
    pending=True,
    purpose="The server decodes Mcp-Param-* headers, compares them with the arguments and refuses wrong or missing ones.",
    decides=(
        SETUP,
        NO_TOOL,
        NO_STRING,
        VALID_BASE64,
        *(NO_PADDING.status, NO_PADDING.code, NO_BASE64.status, NO_BASE64.code),
        *(NO_PREFIX, NO_SUFFIX, NO_HEADER.status, NO_HEADER.code),
        *NOT_TESTABLE,
        *NOT_OBSERVED,
        OTHER_HEADER,
    ),
    needs=Needs(
        methods=("tools/list", "tools/call"),
        other=(ANNOTATED_TOOL,),
    ),
)
async def http_custom_header_server_validation(peer: Peer, checks: Checks) -> None:
    wire = stateless(peer)
    listed = await wire.ask("tools/list")
    if listed.status is None or not truthy(as_object(listed.message).get("result")):
        error = as_object(listed.message).get("error")
        details: JsonObject | None = None if listed.status is None else {"httpStatus": listed.status, "error": error}
        checks.fail(SETUP, expected="a result of tools/list", got=listed.shown(), details=details)
    else:
        found = annotated_string(as_list(as_object(listed.result).get("tools")), checks)
        if found is None:
            return
        probes = Probes(wire, count(FIRST_ID))
        await base64_values(probes, found, checks)
        await missing_header(probes, found, checks)
        await other_value(probes, found, checks)
    decided = {check.id for check in checks.recorded}
    for requirement in NOT_OBSERVED:
        if requirement.id not in decided:
            checks.fail(requirement, expected="an answer that decides it", got=Shown("none"))


def annotated_string(tools: list[JsonValue], checks: Checks) -> Annotated | None:
    """Return the first tool with annotations and its first annotated string argument; record it if there is none."""
    tool = next((as_object(each) for each in tools if header_names(each)), None)
    if tool is None:
        _nothing_annotated(checks, NO_TOOL, f"no listed tool has an argument with {ANNOTATION}")
        return None
    marked = header_names(tool)
    schema = as_object(tool.get("inputSchema"))
    types = {name: as_object(value).get("type") for name, value in as_object(schema.get("properties")).items()}
    argument = next((name for name in marked if types.get(name) == "string"), None)
    if argument is None:
        _nothing_annotated(checks, NO_STRING, f"the first tool with {ANNOTATION} has it on no string argument")
        return None
    required = [name for name in as_list(schema.get("required")) if isinstance(name, str) and name != argument]
    others = {name: _some_value(types.get(name)) for name in required}
    return Annotated(
        tool=tool.get("name"),
        argument=argument,
        header=f"Mcp-Param-{marked[argument]}",
        suffix=marked[argument],
        others=others,
        other_headers={f"Mcp-Param-{marked[name]}": _as_text(others[name]) for name in required if name in marked},
    )


def header_names(tool: JsonValue) -> dict[str, str]:
    """Return the header suffix of every annotated argument, top level only."""
    properties = as_object(as_object(as_object(tool).get("inputSchema")).get("properties"))
    return {
        name: str(as_object(value)[ANNOTATION]) for name, value in properties.items() if ANNOTATION in as_object(value)
    }


def _some_value(kind: JsonValue) -> JsonValue:
    return 0 if kind in ("number", "integer") else False if kind == "boolean" else STRANGE_VALUE


def _as_text(value: JsonValue) -> str:
    # Numbers in decimal, booleans in lower case: 2026-07-28, basic/transports/streamable-http#value-encoding
    return str(value).lower() if isinstance(value, bool) else str(value)


def _nothing_annotated(checks: Checks, requirement: Requirement, reason: str) -> None:
    for each in (requirement, *NOT_TESTABLE):
        checks.untestable(each, reason)


async def base64_values(probes: Probes, found: Annotated, checks: Checks) -> None:
    """Send values in Base64 form: a good one, two that do not decode, and two that only resemble the form."""
    # MUST decode before comparing: 2026-07-28, basic/transports/streamable-http#value-encoding
    reply, details = await _call(probes, found, "Hello", "=?base64?SGVsbG8=?=", wrong=False)
    decide_acceptance(checks, VALID_BASE64, reply, details)
    # MUST reject invalid characters: 2026-07-28, basic/transports/streamable-http#server-behavior-for-custom-headers
    for decided, header in ((NO_PADDING, "=?base64?SGVsbG8?="), (NO_BASE64, "=?base64?SGVs!!!bG8=?=")):
        reply, details = await _call(probes, found, "Hello", header, wrong=True)
        decide_rejection(checks, decided, reply, details)
    # The marks MUST be there exactly as written: 2026-07-28, basic/transports/streamable-http#value-encoding
    for literal, text in ((NO_PREFIX, "SGVsbG8="), (NO_SUFFIX, "=?base64?SGVsbG8=")):
        reply, details = await _call(probes, found, text, text, wrong=False)
        decide_acceptance(checks, literal, reply, details)


async def missing_header(probes: Probes, found: Annotated, checks: Checks) -> None:
    """Leave the header out. MUST be rejected: 2026-07-28, ...streamable-http#server-behavior-for-custom-headers."""
    reply, _ = await _call(probes, found, PLAIN_VALUE, None, wrong=True)
    details: JsonObject = {
        "toolName": found.tool,
        "paramName": found.argument,
        "bodyValue": PLAIN_VALUE,
        "expectedHeader": found.header,
        "mcpParamHeader": "(missing)",
    }
    decide_rejection(checks, NO_HEADER, reply, details)


async def other_value(probes: Probes, found: Annotated, checks: Checks) -> None:
    """Say another value. MUST be rejected: 2026-07-28, ...streamable-http#server-behavior-for-custom-headers."""
    reply, _ = await _call(probes, found, PLAIN_VALUE, OTHER_VALUE, wrong=True)
    checks.decide(
        OTHER_HEADER,
        reply.status == BAD_REQUEST and reply.has_code(HEADER_MISMATCH),
        expected=f"HTTP {BAD_REQUEST} and error {HEADER_MISMATCH}",
        got=reply.shown(),
    )


async def _call(
    probes: Probes, found: Annotated, value: str, header: str | None, *, wrong: bool
) -> tuple[Reply, JsonObject]:
    params: JsonObject = {
        "name": found.tool,
        "arguments": {**found.others, found.argument: value},
        "_meta": meta(probes.peer, clientCapabilities=DEFAULT_CAPABILITIES),
    }
    headers = {**found.other_headers, found.header: header}
    reply = await probes.send("tools/call", params, headers=headers, malformed=wrong, from_peer=True)
    details: JsonObject = {
        "toolName": found.tool,
        "paramName": found.argument,
        "bodyValue": value,
        "headerSuffix": found.suffix,
        "headerValue": header,
    }
    return reply, details
