"""Standard headers: Mcp-Method and Mcp-Name repeat the body, and the server compares (SEP-2243).

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#request-metadata
"""

from __future__ import annotations

from itertools import count

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, truthy
from pytest_mcp_conformance.model import Level, Needs, Requirement, SpecRef
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.peer.api import Headers
from pytest_mcp_conformance.peer.headers import header_value
from pytest_mcp_conformance.peer.stateless import DEFAULT_CAPABILITIES
from pytest_mcp_conformance.protocol.json_rpc import HEADER_MISMATCH
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.header_verdicts import (
    PAGE,
    Rejection,
    decide_acceptance,
    decide_rejection,
    rejection,
)
from pytest_mcp_conformance.scenarios.server.stateless_probes import Probes, Reply, meta, stateless

VALIDATION = SpecRef(id="SEP-2243-Server-Validation", url=f"{PAGE}#server-validation")
CASE = SpecRef(id="SEP-2243-Case-Sensitivity", url=f"{PAGE}#case-sensitivity")
FIELD_VALUES = SpecRef(id="RFC-9110-5.5-Field-Values", url="https://www.rfc-editor.org/rfc/rfc9110#section-5.5")

FIRST_ID = 100
OTHER_NAME = "wrong_tool_name"
MISSING = "(missing)"  # what details show in the place of a header that was not sent


def _standard(name: str, text: str, place: SpecRef = VALIDATION) -> Rejection:
    return rejection(
        name,
        text,
        place,
        status_id="sep-2243-server-reject-invalid-headers",
        code_id="sep-2243-server-reject-error-code",
        code_level=Level.SHOULD,
    )


def _accepts(id: str, name: str, text: str, place: SpecRef) -> Requirement:  # noqa: A002
    return Requirement(id=id, name=name, level=Level.MUST, text=text, spec=(place,))


SETUP = Requirement(
    id="sep-2243-server-standard-setup",
    name="HttpHeaderValidationSetup",
    level=Level.MUST,
    text="tools/list is answered with a result.",
    spec=(VALIDATION,),
    exceptional=True,
)
OTHER_METHOD_HEADER = _standard("ServerRejectsMismatchedMethodHeader", "A request whose Mcp-Method is another method")
NO_METHOD_HEADER = _standard("ServerRejectsMissingMethodHeader", "A request without Mcp-Method")
OTHER_NAME_HEADER = _standard("ServerRejectsMismatchedNameHeader", "A tool call whose Mcp-Name is another name")
NO_NAME_HEADER = _standard("ServerRejectsMissingNameHeader", "A tool call without Mcp-Name")
OTHER_CASE = _standard("ServerRejectsCaseMismatchValue", "A request whose Mcp-Method has another case", CASE)
SPACES_AROUND = _accepts(
    "sep-2243-server-accepts-whitespace-header-value",
    "ServerAcceptsWhitespaceHeaderValue",
    "Spaces around the value of a header are no part of it.",
    FIELD_VALUES,
)
LOWER_CASE_NAME = _accepts(
    "sep-2243-header-name-case-insensitive",
    "ServerAcceptsLowercaseHeaderName",
    "A header name in lower case is the same name.",
    CASE,
)
UPPER_CASE_NAME = _accepts(
    "sep-2243-header-name-case-insensitive",
    "ServerAcceptsUppercaseHeaderName",
    "A header name in upper case is the same name.",
    CASE,
)
MISMATCH_CODE = Requirement(
    id="x-header-mismatch-code",
    name="HeaderMismatchCode",
    level=Level.MUST,
    text=f"Every request whose standard headers are missing or wrong is refused with error {HEADER_MISMATCH}.",
    spec=(SpecRef(id="MCP-Server-Validation", url=f"{PAGE}#server-validation"),),
    addition=True,
)
REJECTIONS = (OTHER_METHOD_HEADER, NO_METHOD_HEADER, OTHER_NAME_HEADER, NO_NAME_HEADER, OTHER_CASE)


async def _send(
    probes: Probes, method: str, headers: Headers, params: JsonObject | None = None, *, wrong: bool = False
) -> Reply:
    """Send a request whose `headers` replace the usual ones; `wrong` tells that they contradict the body."""
    carried = {**(params or {}), "_meta": meta(probes.peer, clientCapabilities=DEFAULT_CAPABILITIES)}
    return await probes.send(method, carried, headers=headers, malformed=wrong, from_peer=params is not None)


@server_scenario(
    name="http-header-validation",
    introduced_in="2026-07-28",
    pending=True,
    purpose="The server compares Mcp-Method and Mcp-Name with the body: names in any case, values exactly.",
    decides=(
        SETUP,
        *(each for pair in REJECTIONS for each in (pair.status, pair.code)),
        SPACES_AROUND,
        LOWER_CASE_NAME,
        UPPER_CASE_NAME,
        MISMATCH_CODE,
    ),
    needs=Needs(
        methods=(
            "tools/list",
            "tools/call, where the first listed tool with a name of visible ASCII takes {} as arguments",
        )
    ),
)
async def http_header_validation(peer: Peer, checks: Checks) -> None:
    wire = stateless(peer)
    listed = await wire.ask("tools/list")
    if listed.status is None or not truthy(as_object(listed.message).get("result")):
        error = as_object(listed.message).get("error")
        details: JsonObject | None = None if listed.status is None else {"httpStatus": listed.status, "error": error}
        checks.fail(SETUP, expected="a result of tools/list", got=listed.shown(), details=details)
        if listed.status is not None:
            _names_untestable(checks, "tools/list has no result")
        return
    probes = Probes(wire, count(FIRST_ID))
    await other_methods(probes, checks)
    await tool_names(probes, as_list(as_object(listed.result).get("tools")), checks)
    await cases(probes, checks)
    decide_codes(probes, checks)


async def other_methods(probes: Probes, checks: Checks) -> None:
    """Contradict the method, and leave it out."""
    for decided, header in ((OTHER_METHOD_HEADER, "prompts/list"), (NO_METHOD_HEADER, None)):
        reply = await _send(probes, "tools/list", {"Mcp-Method": header}, wrong=True)
        details: JsonObject = {"requestBodyMethod": "tools/list", "mcpMethodHeader": header or MISSING}
        decide_rejection(checks, decided, reply, details)


async def tool_names(probes: Probes, tools: list[JsonValue], checks: Checks) -> None:
    """Contradict the name of the tool, put spaces around it, and leave it out."""
    if not tools:
        _names_untestable(checks, "the server lists no tools")
        return
    name = best_name(tools)
    if name is None:
        _names_untestable(checks, "no tool that the server lists has a name")
        return
    call: JsonObject = {"name": name, "arguments": {}}

    reply = await _send(probes, "tools/call", {"Mcp-Name": OTHER_NAME}, call, wrong=True)
    details: JsonObject = {"requestBodyName": name, "mcpNameHeader": OTHER_NAME}
    decide_rejection(checks, OTHER_NAME_HEADER, reply, details)

    # Spaces around a value are no part of it: RFC 9110, 5.5
    padded = f"  {header_value(name)}  "
    reply = await _send(probes, "tools/call", {"Mcp-Name": padded}, call)
    reason = "spaces around the value of a header are no part of it"
    decide_acceptance(checks, SPACES_AROUND, reply, {"headerValue": padded, "bodyValue": name, "reason": reason})

    reply = await _send(probes, "tools/call", {"Mcp-Name": None}, call, wrong=True)
    reason = "tools/call requires Mcp-Name"
    decide_rejection(
        checks, NO_NAME_HEADER, reply, {"requestBodyName": name, "mcpNameHeader": MISSING, "reason": reason}
    )


def best_name(tools: list[JsonValue]) -> str | None:
    """Return the first name of a tool that a header carries as it is, else the first name, which travels encoded."""
    names = [name for tool in tools if isinstance(name := as_object(tool).get("name"), str)]
    return next((name for name in names if header_value(name) == name), names[0] if names else None)


async def cases(probes: Probes, checks: Checks) -> None:
    """Write the name of a header in another case, and then its value."""
    # MUST compare header names without case, values with it: 2026-07-28,
    # basic/transports/streamable-http#case-sensitivity
    for decided, written in ((LOWER_CASE_NAME, "mcp-method"), (UPPER_CASE_NAME, "MCP-METHOD")):
        reply = await _send(probes, "tools/list", {written: "tools/list"})
        decide_acceptance(checks, decided, reply, {"headerNameUsed": written})
    reply = await _send(probes, "tools/list", {"Mcp-Method": "TOOLS/LIST"}, wrong=True)
    decide_rejection(checks, OTHER_CASE, reply, {"headerValue": "TOOLS/LIST", "bodyValue": "tools/list"})


def decide_codes(probes: Probes, checks: Checks) -> None:
    """Decide the code as the revision has it: a MUST, where the published check follows the SHOULD of its proposal."""
    wrong = [reply.shown() for reply in probes.replies if reply.malformed and not reply.has_code(HEADER_MISMATCH)]
    checks.decide(MISMATCH_CODE, not wrong, expected=f"error {HEADER_MISMATCH} each time", got=wrong)


def _names_untestable(checks: Checks, reason: str) -> None:
    for requirement in (OTHER_NAME_HEADER.status, SPACES_AROUND, NO_NAME_HEADER.status):
        checks.untestable(requirement, reason)
