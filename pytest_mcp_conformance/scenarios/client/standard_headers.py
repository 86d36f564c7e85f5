"""Standard headers: Mcp-Method and Mcp-Name repeat what the body of a request says (SEP-2243).

Specification:
https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.mock_server import MockPrompt, MockResource, MockTool, Received, Script
from pytest_mcp_conformance.model import DRAFT, Level, Requirement, SpecRef
from pytest_mcp_conformance.protocol.json_rpc import Kind
from pytest_mcp_conformance.scenarios.client.answered_calls import CALL_ANSWERED, decide_answered
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.serving.mirrored_headers import decode
from pytest_mcp_conformance.serving.refusals import Refusal
from pytest_mcp_conformance.stage import Stage

METHOD, NAME = "Mcp-Method", "Mcp-Name"
EXPECTED_METHODS = (
    "initialize",
    "notifications/initialized",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
)
NAMED_BY = {"tools/call": "name", "resources/read": "uri", "prompts/get": "name"}
EXEMPT = "server/discover"  # no published check is about it
SHORT_NAME = re.compile(r"[A-Za-z0-9_/-]{1,64}")  # of a method that a client made up, as part of the name of a check

SEP_2243 = (
    SpecRef(
        id="SEP-2243-Standard-Headers",
        url="https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers",
    ),
)


def _requirement(header: str, method: str, text: str) -> Requirement:
    return Requirement(
        id="sep-2243-client-includes-standard-headers",
        name=f"Client{header.replace('-', '')}Header_{method.replace('/', '_')}",
        level=Level.MUST,
        text=text,
        spec=SEP_2243,
    )


def names_method(method: str) -> Requirement:
    """Return the requirement that requests of `method` say so in their header."""
    known = method if SHORT_NAME.fullmatch(method) else "other"
    return _requirement(METHOD, known, f"A request with the method {known} has the header {METHOD} with this value.")


def names_target(method: str) -> Requirement:
    """Return the requirement that requests of `method` say in their header what they are about."""
    text = f"A request with the method {method} has the header {NAME} with the value of params.{NAMED_BY[method]}."
    return _requirement(NAME, method, text)


STANDARD_HEADERS = SpecRef(
    id="MCP-Standard-Request-Headers",
    url="https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers",
)
EVERY_METHOD = Requirement(
    id="x-every-request-names-method",
    name="ClientMcpMethodHeaderOnEveryRequest",
    level=Level.MUST,
    text=f"Every request, server/discover included, has its method in {METHOD}.",
    spec=(STANDARD_HEADERS,),
    addition=True,
)
EVERY_TARGET = Requirement(
    id="x-every-request-names-target",
    name="ClientMcpNameHeaderOnEveryRequest",
    level=Level.MUST,
    text=f"Every tools/call, resources/read and prompts/get has in {NAME} what it is about.",
    spec=(STANDARD_HEADERS,),
    addition=True,
)

METHODS = {method: names_method(method) for method in EXPECTED_METHODS}
TARGETS = {method: names_target(method) for method in NAMED_BY}


@client_scenario(
    name="http-standard-headers",
    introduced_in="2026-07-28",
    purpose="The client repeats the method of a request, and the name or URI that it is about, in Mcp-Method and Mcp-Name.",
    task="List tools, resources and prompts; call a tool, read a resource and get a prompt; end.",
    decides=(*METHODS.values(), *TARGETS.values(), EVERY_METHOD, EVERY_TARGET, CALL_ANSWERED),
    charged=METHODS["tools/list"],
)
async def http_standard_headers(stage: Stage, checks: Checks) -> None:
    nothing_needed: JsonObject = {"type": "object", "properties": {}, "required": []}
    server = await stage.mock(
        Script(
            tools=[
                MockTool(name="test_headers", input_schema=nothing_needed, returns="Called"),
                MockTool(name="my-hyphenated-tool", input_schema=nothing_needed, returns="Called"),
            ],
            resources=[
                MockResource(uri="file:///path/to/file%20name.txt", name="File with spaces", contents="Read"),
                MockResource(
                    uri="https://example.com/resource?id=123", name="Resource with query string", contents="Read"
                ),
            ],
            prompts=[MockPrompt(name="test_prompt", returns="Say hello")],
            revisions=(DRAFT,),
        )
    )
    await stage.client(server.url)
    decide_headers(server.requests, checks)
    decide_every_header(server.requests, checks)
    decide_answered(server, checks)


def decide_headers(requests: Sequence[Received], checks: Checks) -> None:
    """Decide the first request of every method."""
    firsts: dict[str, Received] = {}
    for request in requests:
        if request.method is not None and request.method != EXEMPT:
            firsts.setdefault(request.method, request)
    for method, request in firsts.items():
        _decide_method(method, request, checks)
        if method in TARGETS:
            _decide_target(method, request, checks)
    for method, requirement in METHODS.items():
        if method not in firsts:
            checks.skip(requirement, f"{method} was not sent")
    for method, requirement in TARGETS.items():
        if method not in firsts:
            checks.skip(requirement, f"{method} was not sent")
    if not firsts:
        checks.untestable(METHODS["tools/list"], "no request was received whose headers could be looked at")


def decide_every_header(requests: Sequence[Received], checks: Checks) -> None:
    """Decide all requests, not only the first of every method. Those of earlier revisions have no such headers."""
    modern = [each for each in requests if each.kind is Kind.REQUEST and each.method not in (None, "initialize")]
    # REQUIRED of all requests: 2026-07-28, basic/transports/streamable-http#standard-request-headers
    unnamed = [each for each in modern if each.headers.get(METHOD) != each.method]
    _decide_every(EVERY_METHOD, METHOD, modern, unnamed, checks)
    aimed = [each for each in modern if isinstance(_target(each), str)]
    astray = [each for each in aimed if not names(each.headers.get(NAME) or "", _target(each))]
    _decide_every(EVERY_TARGET, NAME, aimed, astray, checks)


def _target(request: Received) -> JsonValue:
    """Return what a request is about, where it says so."""
    return request.params.get(NAMED_BY.get(request.method or "", ""))


def _decide_every(
    requirement: Requirement, header: str, owing: Sequence[Received], wrong: Sequence[Received], checks: Checks
) -> None:
    if not owing:
        checks.skip(requirement, f"no request was sent that has {header}")
        return
    got: list[JsonValue] = [{"method": each.method, header: each.headers.get(header)} for each in wrong]
    entry = wrong[0].http.entry if wrong else None
    checks.decide(requirement, not wrong, expected=f"{header} on every request", got=got, entry=entry)


def _decide_method(method: str, request: Received, checks: Checks) -> None:
    requirement = METHODS.get(method) or names_method(method)
    header = request.headers.get(METHOD)
    # Header requirements of notifications are not defined: 2026-07-28, basic/transports/streamable-http#sending-messages
    if request.kind is Kind.NOTIFICATION and header is None:
        checks.skip(requirement, f"{METHOD} is not required of notifications")
        return
    checks.decide(
        requirement,
        header == method,
        expected=f"the method in {METHOD}",
        got={"method": method, METHOD: header},
        details={"expectedMethod": method, "actualHeader": header},
    )


def _decide_target(method: str, request: Received, checks: Checks) -> None:
    source = NAMED_BY[method]
    value, header = request.params.get(source), request.headers.get(NAME)
    checks.decide(
        TARGETS[method],
        header is not None and names(header, value),
        expected=f"params.{source} in {NAME}",
        got={source: value, NAME: header},
        details={
            "method": method,
            "sourceField": f"params.{source}",
            "expectedValue": value,
            "actualHeader": header,
        },
    )


def names(header: str, value: JsonValue) -> bool:
    """Tell whether a header says `value`, as it is or in Base64 form.

    MUST be decoded before it is compared, whether or not the form was necessary: 2026-07-28,
    basic/transports/streamable-http#value-encoding
    """
    try:
        return header != "" and decode(header) == value
    except Refusal:
        return False
