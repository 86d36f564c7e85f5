"""Requests that stand alone: what each carries, what is discovered, what is refused and how, what is streamed.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic, .../server/discover, .../basic/versioning and
.../basic/transports/streamable-http
"""

from __future__ import annotations

from itertools import count

from pytest_mcp_conformance.checks import Checks, lacking
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, same, shown, truthy
from pytest_mcp_conformance.model import Needs, Requirement, Tool
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.protocol.json_rpc import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MISSING_CAPABILITY,
    UNSUPPORTED_VERSION,
)
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server import stateless_requirements as rules
from pytest_mcp_conformance.scenarios.server.stateless_listening import Listened
from pytest_mcp_conformance.scenarios.server.stateless_probes import SERVER_INFO, Probes, Reply, meta, stateless
from pytest_mcp_conformance.side_by_side import side_by_side

UNKNOWN_VERSION = "v999.0.0"
FIRST_FREE_ID = 701  # single requests have the ids that the published suite gives them, all below
BAD_REQUEST = 400
NOT_FOUND = 404
NEEDS_SAMPLING = "test_missing_capability"

NEEDS = Needs(
    methods=(
        "server/discover, tools/list, tools/call",
        "prompts/list, or exactly -32601 for it",
        "subscriptions/listen, or exactly -32601 where the server declares nothing to subscribe to",
    ),
    tools=(
        Tool(
            name=NEEDS_SAMPLING,
            returns="any result",
            behaviour=(
                "needs sampling: for a request whose clientCapabilities lack it, HTTP 400 and error -32021 with"
                " data.requiredCapabilities {sampling: {}}"
            ),
        ),
        Tool(
            name="test_streaming_elicitation",
            returns="any result",
            behaviour="may send notifications before the result, on one stream; sends no request",
        ),
        Tool(
            name="test_logging_tool",
            returns="any result",
            behaviour="logs with notifications/message, but only for a request with a log level in _meta",
        ),
        Tool(
            name="test_trigger_tool_change",
            returns="any result",
            behaviour="tells every subscription that asked for toolsListChanged: notifications/tools/list_changed",
        ),
        Tool(
            name="test_trigger_prompt_change",
            returns="any result",
            behaviour="tells every subscription that asked for promptsListChanged: notifications/prompts/list_changed",
        ),
    ),
)


@server_scenario(
    name="server-stateless",
    introduced_in="2026-07-28",
    purpose="Requests stand alone: metadata, discovery, versions, capabilities, removed methods, streams, subscriptions.",
    decides=rules.ALL,
    waits=1.5,
    needs=NEEDS,
)
async def server_stateless(peer: Peer, checks: Checks) -> None:
    probes = Probes(stateless(peer, peer.revision), count(FIRST_FREE_ID))
    discovery = await probes.send("server/discover", {"_meta": meta(probes.peer)}, id=201)
    listened = Listened.of(probes, discovery.result)
    await side_by_side(listened.listen(), _single_requests(probes, discovery, checks))
    await listened.confirm()
    listened.decide(checks, discovery)
    decide_error_ids(checks, probes)


async def _single_requests(probes: Probes, discovery: Reply, checks: Checks) -> None:
    await request_meta(probes, checks)
    tools = await capabilities_of_the_server(probes, discovery, checks)
    await versions(probes, discovery, checks)
    await capabilities_of_the_client(probes, tools, checks)
    await methods(probes, checks)


async def request_meta(probes: Probes, checks: Checks) -> None:
    """Leave out what a request must carry, and what it need not."""
    for id_, issue, requirement, params in (
        (101, "missing-meta", rules.NO_META, {}),
        (
            102,
            "missing-protocol-version",
            rules.NO_PROTOCOL_VERSION,
            {"_meta": meta(probes.peer, without="protocolVersion")},
        ),
        (
            104,
            "missing-client-capabilities",
            rules.NO_CLIENT_CAPABILITIES,
            {"_meta": meta(probes.peer, without="clientCapabilities")},
        ),
    ):
        reply = await probes.send("server/discover", dict(params), id=id_, malformed=True)
        decide_own_id(checks, reply)
        details = reply.details(fieldIssue=issue)
        # MUST be refused with -32602, on HTTP with 400: 2026-07-28, basic#_meta, per-request protocol fields
        checks.decide(
            requirement,
            reply.has_code(INVALID_PARAMS),
            expected=f"error {INVALID_PARAMS}",
            got=reply.shown(),
            details=details,
        )
        decide_status(checks, rules.META_INVALID_IS_400, reply, BAD_REQUEST, details)

    anonymous = await probes.send("server/discover", {"_meta": meta(probes.peer, without="clientInfo")}, id=105)
    # Not required: 2026-07-28, basic#_meta, per-request protocol fields
    checks.decide(
        rules.CLIENT_INFO_IS_OPTIONAL,
        not anonymous.refused and anonymous.status == 200,
        expected="HTTP 200 and no error",
        got=anonymous.shown(),
        details=anonymous.details(),
    )
    checks.decide(rules.ANONYMOUS_RESULT, bool(anonymous.result), expected="a result", got=anonymous.shown())


async def capabilities_of_the_server(probes: Probes, discovery: Reply, checks: Checks) -> list[JsonValue]:
    """Compare what is discovered with what is served. Return the names of the tools."""
    found = discovery.result
    # MUST be implemented: 2026-07-28, server/discover
    checks.decide(
        rules.IMPLEMENTS_DISCOVER,
        not lacking(found, "supportedVersions", "capabilities"),
        expected="a result with supportedVersions and capabilities",
        got=discovery.shown(),
        details={"result": discovery.body.get("result")},
    )
    version = probes.peer.revision.value
    checks.decide(
        rules.DISCOVER_LISTS_VERSION,
        version in as_list(found.get("supportedVersions")),
        expected=f"{version} in supportedVersions",
        got=found.get("supportedVersions"),
    )
    decide_identity(checks, discovery)

    capabilities = as_object(found.get("capabilities"))
    prompts = await probes.send("prompts/list", {"_meta": meta(probes.peer)}, id=203)
    checks.decide(
        rules.DECLARES_PROMPTS,
        prompts.arrived and (prompts.has_code(METHOD_NOT_FOUND) or truthy(capabilities.get("prompts"))),
        expected=f"the prompts capability, or error {METHOD_NOT_FOUND} to prompts/list",
        got=prompts.shown(),
        details=prompts.details(discoverCapabilities=capabilities),
    )
    tools = await probes.send("tools/list", {"_meta": meta(probes.peer)}, id=202)
    declared, listed = truthy(capabilities.get("tools")), isinstance(tools.result.get("tools"), list)
    checks.decide(
        rules.CAPABILITIES_MATCH,
        listed if declared else tools.has_code(METHOD_NOT_FOUND),
        expected="an array of tools, as declared" if declared else f"error {METHOD_NOT_FOUND}: no tools are declared",
        got=tools.shown(),
        details=tools.details(),
    )
    return [as_object(tool).get("name") for tool in as_list(tools.result.get("tools"))]


def decide_identity(checks: Checks, discovery: Reply) -> None:
    """SHOULD name itself in every result: 2026-07-28, basic#_meta, per-response protocol fields."""
    if not discovery.arrived:
        checks.skip(rules.IDENTIFIES_ITSELF, "discovery brought no answer", details={"note": "no answer"})
        return
    info = as_object(discovery.result.get("_meta")).get(SERVER_INFO)
    named = not lacking(info, "name", "version")
    misplaced = truthy(discovery.result.get("serverInfo"))
    checks.decide(
        rules.IDENTIFIES_ITSELF,
        named,
        expected=f"name and version in _meta[{SERVER_INFO!r}]"
        + (", not beside it, where drafts of this revision had them" if misplaced else ""),
        got=discovery.shown(),
        details={"serverInfo": info} if named else {"result": discovery.body.get("result")},
    )


async def versions(probes: Probes, discovery: Reply, checks: Checks) -> None:
    """Ask for a version that does not exist, and contradict ourselves about the version."""
    params: JsonObject = {"_meta": meta(probes.peer, protocolVersion=UNKNOWN_VERSION)}
    refused = await probes.send("server/discover", params, id=301, headers={"MCP-Protocol-Version": UNKNOWN_VERSION})
    decide_own_id(checks, refused)
    data = as_object(refused.error.get("data"))
    supported, known = data.get("supported"), as_list(discovery.result.get("supportedVersions"))
    # MUST list the supported versions: 2026-07-28, basic/versioning#protocol-version-negotiation
    complete = isinstance(supported, list) and bool(supported) and all(each in known for each in supported)
    checks.decide(
        rules.UNSUPPORTED_VERSION,
        complete and data.get("requested") == UNKNOWN_VERSION,
        expected=f"data with the supported versions of {shown(known)} and requested {UNKNOWN_VERSION}",
        got=refused.shown(),
        details=refused.details() if complete else None,
    )
    decide_status(checks, rules.UNSUPPORTED_VERSION_IS_400, refused, BAD_REQUEST, refused.details())
    # The code of UnsupportedProtocolVersionError: 2026-07-28, basic#error-codes
    checks.decide(
        rules.UNSUPPORTED_VERSION_CODE,
        refused.has_code(UNSUPPORTED_VERSION),
        expected=f"error {UNSUPPORTED_VERSION}",
        got=refused.shown(),
    )

    # MUST be refused with 400 and -32020: 2026-07-28, basic/transports/streamable-http#protocol-version-header
    differing = await probes.send("server/discover", params, id=302, malformed=True)
    decide_refusal(checks, rules.HEADER_MISMATCH, differing, BAD_REQUEST, HEADER_MISMATCH)


async def capabilities_of_the_client(probes: Probes, tools: list[JsonValue], checks: Checks) -> None:
    """Call a tool that needs what we do not declare."""
    reply = await probes.call(NEEDS_SAMPLING, id=401)
    decide_own_id(checks, reply)
    # MUST be refused with -32021 and what is missing, on HTTP with 400: 2026-07-28, basic#_meta
    as_it_should = reply.has_code(MISSING_CAPABILITY)
    if reply.arrived and not as_it_should and "result" not in reply.body and NEEDS_SAMPLING not in tools:
        checks.untestable(rules.UNDECLARED_CAPABILITY, f"there is no tool {NEEDS_SAMPLING}", details=reply.details())
    else:
        required = as_object(reply.error.get("data")).get("requiredCapabilities")
        checks.decide(
            rules.UNDECLARED_CAPABILITY,
            as_it_should and isinstance(as_object(required).get("sampling"), dict),
            expected=f"error {MISSING_CAPABILITY} with data.requiredCapabilities {{sampling: {{}}}}",
            got=reply.shown(),
            details=reply.details(),
        )
    if reply.arrived and not as_it_should:
        reason = f"the call was not refused with {MISSING_CAPABILITY}"
        checks.untestable(rules.UNDECLARED_CAPABILITY_IS_400, reason, details={"httpStatus": reply.status})
    else:
        decide_status(checks, rules.UNDECLARED_CAPABILITY_IS_400, reply, BAD_REQUEST, reply.details())


async def methods(probes: Probes, checks: Checks) -> None:
    """Send methods that this revision removed, and one that never was."""
    # MUST be refused with 404 and -32601: 2026-07-28, basic/transports/streamable-http#protocol-version-header
    for number, (method, requirement) in enumerate(rules.REMOVED_METHODS.items()):
        reply = await probes.send(method, {"_meta": meta(probes.peer)}, id=500 + number, malformed=True)
        decide_refusal(checks, requirement, reply, NOT_FOUND, METHOD_NOT_FOUND)
    unknown = await probes.send("unknown/method", {"_meta": meta(probes.peer)}, id=601)
    decide_refusal(checks, rules.UNKNOWN_METHOD, unknown, NOT_FOUND, METHOD_NOT_FOUND)


def decide_status(checks: Checks, requirement: Requirement, reply: Reply, status: int, details: JsonObject) -> None:
    """Decide by the HTTP status alone."""
    checks.decide(requirement, reply.status == status, expected=f"HTTP {status}", got=reply.shown(), details=details)


def decide_refusal(checks: Checks, requirement: Requirement, reply: Reply, status: int, code: int) -> None:
    """Decide by the HTTP status and the code of the error."""
    holds = reply.status == status and reply.has_code(code)
    checks.decide(
        requirement,
        holds,
        expected=f"HTTP {status} and error {code}",
        got=reply.shown(),
        details=reply.details() if holds else None,
    )


def decide_own_id(checks: Checks, reply: Reply) -> None:
    """Record an error whose id is not that of its request, as soon as it is seen."""
    if reply.refused and not same(reply.body.get("id"), reply.id):
        checks.fail(rules.ERROR_HAS_REQUEST_ID, expected=f"an error with id {reply.id}", got=reply.body)


def decide_error_ids(checks: Checks, probes: Probes) -> None:
    """Decide about the ids of errors, where none was wrong before."""
    if not any(check.id == rules.ERROR_HAS_REQUEST_ID.id for check in checks.recorded):
        observed: JsonObject = {"errorResponsesObserved": probes.errors}
        if probes.errors:
            checks.succeed(rules.ERROR_HAS_REQUEST_ID, details=observed)
        else:
            checks.untestable(rules.ERROR_HAS_REQUEST_ID, "the server answered with no error at all", details=observed)
    # MUST include the id of the request: 2026-07-28, basic#error-responses
    refusals = [reply for reply in probes.replies if reply.refused]
    if not refusals:
        checks.skip(rules.EVERY_ERROR_HAS_REQUEST_ID, "the server answered with no error at all")
        return
    wrong: list[JsonValue] = [reply.body for reply in refusals if not same(reply.body.get("id"), reply.id)]
    checks.decide(
        rules.EVERY_ERROR_HAS_REQUEST_ID, not wrong, expected="errors with the id of their request", got=wrong
    )
