"""Request metadata: what every request of the stateless wire says about itself, and how a client takes a refused version.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta and
https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#protocol-version-negotiation
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, NotJson, Shown, as_object, loads, truthy
from pytest_mcp_conformance.mock_server import Received, Script
from pytest_mcp_conformance.mock_server.app import ENDPOINT
from pytest_mcp_conformance.mock_server.metadata import CLIENT_CAPABILITIES, PROTOCOL_VERSION, VERSION_HEADER
from pytest_mcp_conformance.model import DRAFT, Level, Requirement, SpecRef
from pytest_mcp_conformance.protocol.json_rpc import Kind, kind_of
from pytest_mcp_conformance.protocol.recorder import Origin, Recorder
from pytest_mcp_conformance.scenarios.client.unobserved import not_observed
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.serving.http import HttpReply, HttpRequest, json_reply
from pytest_mcp_conformance.serving.incoming import readable_id
from pytest_mcp_conformance.serving.refusals import unsupported_version
from pytest_mcp_conformance.stage import Stage

CLIENT_INFO = "io.modelcontextprotocol/clientInfo"

PAGES = "https://modelcontextprotocol.io/specification/2026-07-28/basic"
HEADER_RULES = (SpecRef(id="SEP-2575", url=f"{PAGES}/transports/streamable-http#protocol-version-header"),)
META_RULES = (SpecRef(id="SEP-2575", url=f"{PAGES}#_meta"),)
CAPABILITY_RULES = (SpecRef(id="SEP-2575", url=f"{PAGES}#_meta"),)

SENDS_HEADER = Requirement(
    id="sep-2575-http-client-sends-version-header",
    name="ClientSendsVersionHeader",
    level=Level.MUST,
    text=f"Every POST has the header {VERSION_HEADER}.",
    spec=HEADER_RULES,
)
SENDS_META = Requirement(
    id="sep-2575-client-populates-meta",
    name="ClientPopulatesMeta",
    level=Level.MUST,
    text="The _meta of every request has the version of the protocol and the capabilities of the client.",
    spec=META_RULES,
)
SENDS_CLIENT_INFO = Requirement(
    id="sep-2575-client-sends-client-info",
    name="ClientSendsClientInfo",
    level=Level.SHOULD,
    text="The _meta of every request has the name and version of the client.",
    spec=META_RULES,
)
HEADER_MATCHES = Requirement(
    id="sep-2575-http-version-header-matches-meta",
    name="ClientVersionHeaderMatchesMeta",
    level=Level.MUST,
    text="Header and _meta of a request name the same version.",
    spec=HEADER_RULES,
)
RETRIES = Requirement(
    id="sep-2575-client-retry-supported-version",
    name="ClientRetrySupportedVersion",
    level=Level.SHOULD,
    text="A client whose version was refused goes on with one that the refusal names as supported.",
    spec=HEADER_RULES,
)


def _declares(capability: str) -> Requirement:
    return Requirement(
        id=f"sep-2575-client-declares-{capability}-capability",
        name=f"ClientDeclares{capability.capitalize()}Capability",
        level=Level.MUST,
        text=f"Where the client declares the capability {capability}, it does so with an object.",
        spec=CAPABILITY_RULES,
    )


DECLARES = {capability: _declares(capability) for capability in ("roots", "sampling", "elicitation")}
ALL = (SENDS_HEADER, SENDS_META, SENDS_CLIENT_INFO, HEADER_MATCHES, *DECLARES.values(), RETRIES)


@client_scenario(
    name="request-metadata",
    introduced_in="2026-07-28",
    purpose="Every request carries the version header and the members of _meta, and a client goes on after its version was"
    " refused.",
    task="Send requests as 2026-07-28 wants them, server/discover or tools/list. The first one is refused with -32022: choose a"
    " version from data.supported, although it is the one just refused, send the request again, and end.",
    decides=ALL,
)
async def request_metadata(stage: Stage, checks: Checks) -> None:
    refusal = FirstRefused(stage.recorder)
    answers: dict[str, JsonObject] = {"tools/list": {"tools": []}, "tools/call": {"content": []}}
    server = await stage.mock(Script(answers=answers, revisions=(DRAFT,), intercept=refusal))
    await stage.client(server.url)
    decide_metadata(server.requests, checks)


class FirstRefused:
    """Refuses the first message of a client that is no notification, because of its version, whatever else it is."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._refused = False

    def __call__(self, http: HttpRequest) -> HttpReply | None:
        """Refuse one request in the place of the endpoint, or leave it to the endpoint."""
        if self._refused or http.method != "POST" or http.path != ENDPOINT:
            return None
        try:
            message = loads(http.body)
        except NotJson:
            return None
        if kind_of(message) is Kind.NOTIFICATION:
            return None
        self._refused = True
        asked = http.headers.get(VERSION_HEADER) or _meta(message).get(PROTOCOL_VERSION)
        refusal = unsupported_version(asked if isinstance(asked, str) else "", [DRAFT.value])
        error = refusal.as_error(readable_id(message))
        self._recorder.judge(error, Origin.HARNESS, context="to the client, a refused version", revision=DRAFT)
        # MUST be 400: 2026-07-28, basic/transports/streamable-http#protocol-version-header
        return json_reply(error, status=400)


def decide_metadata(received: Sequence[Received], checks: Checks) -> None:
    """Decide all that a client sent, the refused request included.

    Notifications are left out: requests have these members of `_meta` (2026-07-28, basic#_meta), and which headers a
    notification has is not defined (2026-07-28, basic/transports/streamable-http#sending-messages).
    """
    requests = [each for each in received if each.kind is not Kind.NOTIFICATION]
    if not requests:
        for requirement in ALL:
            reason = "no request was received"
            not_observed(checks, requirement, reason, observed=False, requestsObserved=0)
        return
    _decide_every(
        SENDS_HEADER,
        requests,
        lambda each: each.headers.get(VERSION_HEADER) is not None,
        checks,
        expected=f"the header {VERSION_HEADER} on every request",
    )
    _decide_every(
        SENDS_META,
        requests,
        lambda each: _has_meta(_meta(each.message)),
        checks,
        expected=f"{PROTOCOL_VERSION} and {CLIENT_CAPABILITIES} in the _meta of every request",
    )
    _decide_every(
        SENDS_CLIENT_INFO,
        requests,
        lambda each: truthy(_meta(each.message).get(CLIENT_INFO)),
        checks,
        expected=f"{CLIENT_INFO} in the _meta of every request",
    )
    _decide_match(requests, checks)
    for capability, requirement in DECLARES.items():
        _decide_declared(capability, requirement, requests, checks)
    _decide_retry(requests, checks)


def _decide_every(
    requirement: Requirement,
    requests: Sequence[Received],
    holds: Callable[[Received], bool],
    checks: Checks,
    *,
    expected: str,
) -> None:
    wrong = [each for each in requests if not holds(each)]
    shown = (wrong or requests)[-1]
    details: JsonObject = {
        "method": shown.method,
        "headerVersion": shown.headers.get(VERSION_HEADER),
        "meta": _meta(shown.message),
    }
    checks.decide(requirement, not wrong, expected=expected, got=details, details=details)


def _has_meta(meta: JsonObject) -> bool:
    # MUST both be there, capabilities as an object: 2026-07-28, basic#_meta
    return truthy(meta.get(PROTOCOL_VERSION)) and isinstance(meta.get(CLIENT_CAPABILITIES), dict)


def _decide_match(requests: Sequence[Received], checks: Checks) -> None:
    pairs = [
        (header, version)
        for each in requests
        if (header := each.headers.get(VERSION_HEADER)) and truthy(version := _meta(each.message).get(PROTOCOL_VERSION))
    ]
    if not pairs:
        checks.skip(HEADER_MATCHES, "no request names a version in both places")
        return
    wrong = [pair for pair in pairs if pair[0] != pair[1]]
    header, version = (wrong or pairs)[-1]
    details: JsonObject = {"headerVersion": header, "metaVersion": version}
    checks.decide(HEADER_MATCHES, not wrong, expected="the same version in both places", got=details, details=details)


def _decide_declared(capability: str, requirement: Requirement, requests: Sequence[Received], checks: Checks) -> None:
    declared = [as_object(_meta(each.message).get(CLIENT_CAPABILITIES)) for each in requests]
    values = [each[capability] for each in declared if capability in each]
    if not values:
        checks.skip(requirement, f"the client does not declare {capability}")
        return
    wrong = [value for value in values if not isinstance(value, dict)]
    value = (wrong or values)[-1]
    checks.decide(
        requirement, not wrong, expected=f"{capability} to be an object", got=value, details={"capabilityValue": value}
    )


def _decide_retry(requests: Sequence[Received], checks: Checks) -> None:
    refused, *later = requests
    header = later[-1].headers.get(VERSION_HEADER) if later else None
    version = _meta(later[-1].message).get(PROTOCOL_VERSION) if later else None
    checks.decide(
        RETRIES,
        header == version == DRAFT.value,
        expected=f"the last request after the refusal to be of {DRAFT.value}",
        got={"header": header, "_meta": version} if later else Shown("no request after it"),
        details={
            "headerVersion": refused.headers.get(VERSION_HEADER),
            "retryHeaderVersion": header,
            "retryMetaVersion": version,
        },
    )


def _meta(message: JsonValue) -> JsonObject:
    return as_object(as_object(as_object(message).get("params")).get("_meta"))
