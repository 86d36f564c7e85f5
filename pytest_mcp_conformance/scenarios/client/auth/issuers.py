"""Issuers: that the answer comes from the authorization server that was asked.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#authorization-response-validation
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, Shown
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth.authorize import iss_of
from pytest_mcp_conformance.oauth.events import (
    AuthorizationRequested,
    Registered,
    ServerMetadataRead,
    TokenRequested,
)
from pytest_mcp_conformance.oauth.metadata import IssuerSent, ServerMetadata
from pytest_mcp_conformance.oauth.server_setup import ServerSetup
from pytest_mcp_conformance.scenarios.client.auth import references
from pytest_mcp_conformance.scenarios.client.auth.observed import (
    CUT_SHORT,
    METADATA_READ,
    OF_ACCESS,
    OF_CODE,
    OF_REGISTRATION,
    OF_TOKEN,
    PRM_READ,
    WHOLE_FLOW,
    optional,
)
from pytest_mcp_conformance.scenarios.client.auth.staging import put
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.stage import Stage

GO_ON = "Connect, authorize and use the server."
STOP = "Connect and authorize. The authorization response is not to be trusted: stop, without a token request."
ATTACKER = "https://attacker.example.com"


def _about_iss(id_: str, name: str, text: str) -> Requirement:
    return Requirement(id=id_, name=name, level=Level.MUST, text=text, spec=(references.RFC_9207,))


ACCEPTS = _about_iss(
    "sep-2468-client-compare-iss-supported",
    "Client accepts matching iss when advertised",
    "The client goes on where iss is the issuer.",
)
PROCEEDS = _about_iss(
    "sep-2468-client-proceed-no-iss",
    "Client proceeds when iss absent and not advertised",
    "The client goes on without iss where the metadata do not announce it.",
)
REJECTS_MISSING = _about_iss(
    "sep-2468-client-reject-missing-iss",
    "Client rejects missing iss when required",
    "The client rejects a response without iss where the metadata announce it.",
)
REJECTS_WRONG = _about_iss(
    "sep-2468-client-compare-iss-supported",
    "Client rejects mismatched iss",
    "The client rejects a response whose iss is another issuer.",
)
REJECTS_UNEXPECTED = _about_iss(
    "sep-2468-client-compare-iss-unadvertised",
    "Client compares unadvertised iss and rejects mismatch",
    "The client rejects a response whose iss is another issuer also where the metadata do not announce it.",
)
REJECTS_NORMALIZED = _about_iss(
    "sep-2468-client-no-normalization",
    "Client compares iss without URL normalization",
    "The client compares iss with the issuer character by character.",
)
VALIDATES_METADATA = Requirement(
    id="sep-2468-client-validate-metadata-issuer",
    name="Client validates metadata issuer against well-known URL",
    level=Level.MUST,
    text="The client does not use metadata whose issuer is not the one that they were looked up for.",
    spec=(references.RFC_8414, references.METADATA_DISCOVERY),
)

ACCEPTS_DECIDES = (ACCEPTS, *WHOLE_FLOW)
PROCEEDS_DECIDES = (PROCEEDS, *WHOLE_FLOW)
MISSING_DECIDES = (REJECTS_MISSING, *CUT_SHORT)
WRONG_DECIDES = (REJECTS_WRONG, *CUT_SHORT)
UNEXPECTED_DECIDES = (REJECTS_UNEXPECTED, *CUT_SHORT)
NORMALIZED_DECIDES = (REJECTS_NORMALIZED, *CUT_SHORT)
METADATA_DECIDES = (
    VALIDATES_METADATA,
    PRM_READ,
    METADATA_READ,
    *OF_REGISTRATION,
    *map(optional, (*OF_CODE, *OF_TOKEN, *OF_ACCESS)),
)


@client_scenario(
    name="auth/iss-supported",
    introduced_in="2026-07-28",
    purpose="The metadata announce iss, and it is the issuer.",
    task=GO_ON,
    decides=ACCEPTS_DECIDES,
)
async def supported(stage: Stage, checks: Checks) -> None:
    await _accepted(stage, checks, ServerSetup(), ACCEPTS_DECIDES)


@client_scenario(
    name="auth/iss-not-advertised",
    introduced_in="2026-07-28",
    purpose="The metadata do not announce iss, and there is none.",
    task=GO_ON,
    decides=PROCEEDS_DECIDES,
)
async def not_advertised(stage: Stage, checks: Checks) -> None:
    setup = ServerSetup(metadata=ServerMetadata(names_issuer=None), iss=IssuerSent.NONE)
    await _accepted(stage, checks, setup, PROCEEDS_DECIDES)


@client_scenario(
    name="auth/iss-supported-missing",
    introduced_in="2026-07-28",
    purpose="The metadata announce iss, and there is none.",
    task=STOP,
    decides=MISSING_DECIDES,
    allows_client_error=True,
)
async def supported_missing(stage: Stage, checks: Checks) -> None:
    await _rejected(stage, checks, ServerSetup(iss=IssuerSent.NONE), MISSING_DECIDES)


@client_scenario(
    name="auth/iss-wrong-issuer",
    introduced_in="2026-07-28",
    purpose="The metadata announce iss, and it is another issuer.",
    task=STOP,
    decides=WRONG_DECIDES,
    allows_client_error=True,
)
async def wrong_issuer(stage: Stage, checks: Checks) -> None:
    await _rejected(stage, checks, ServerSetup(iss=IssuerSent.FOREIGN), WRONG_DECIDES)


@client_scenario(
    name="auth/iss-unexpected",
    introduced_in="2026-07-28",
    purpose="The metadata do not announce iss, and it is there all the same, and another issuer.",
    task=STOP,
    decides=UNEXPECTED_DECIDES,
    allows_client_error=True,
)
async def unexpected(stage: Stage, checks: Checks) -> None:
    setup = ServerSetup(metadata=ServerMetadata(names_issuer=None), iss=IssuerSent.FOREIGN)
    await _rejected(stage, checks, setup, UNEXPECTED_DECIDES)


@client_scenario(
    name="auth/iss-normalized",
    introduced_in="2026-07-28",
    purpose="The metadata announce iss, and it is the issuer with a slash at the end, which is another one.",
    task=STOP,
    decides=NORMALIZED_DECIDES,
    allows_client_error=True,
)
async def normalized(stage: Stage, checks: Checks) -> None:
    await _rejected(stage, checks, ServerSetup(iss=IssuerSent.WITH_SLASH), NORMALIZED_DECIDES)


async def _accepted(stage: Stage, checks: Checks, setup: ServerSetup, decides: tuple[Requirement, ...]) -> None:
    """Decide `decides[0]`: a response that is in order leads to a token request."""
    cast = await put(stage, checks, decides, setup=setup)
    await stage.client(cast.url)
    went_on = bool(cast.log.of(TokenRequested))
    checks.decide(
        decides[0], went_on, expected="a token request", got=Shown("none"), details={"tokenRequestMade": went_on}
    )


async def _rejected(stage: Stage, checks: Checks, setup: ServerSetup, decides: tuple[Requirement, ...]) -> None:
    """Decide `decides[0]`: a response that is not in order leads nowhere.

    MUST compare before the code goes to any token endpoint: 2026-07-28,
    basic/authorization#authorization-response-validation
    """
    cast = await put(stage, checks, decides, setup=setup)
    await stage.client(cast.url)
    issuer = cast.authorization.issuer
    read = bool(cast.log.of(ServerMetadataRead))
    asked = bool(cast.log.of(AuthorizationRequested))
    went_on = bool(cast.log.of(TokenRequested))
    details: JsonObject = {
        "recordedIssuer": issuer,
        "serverAdvertisedSupport": bool(setup.metadata.names_issuer),
        "issSentInRedirect": iss_of(setup.iss, issuer) or False,
        "metadataRequested": read,
        "authReached": asked,
        "tokenRequestMade": went_on,
        "propertyReached": read and asked,
    }
    if not read:
        details["stopReason"] = "as-metadata-not-requested"
        reason = "the client did not read the metadata of the authorization server"
        checks.untestable(decides[0], reason, details=details)
    elif not asked:
        details["stopReason"] = "authorization-endpoint-not-reached"
        checks.untestable(decides[0], "the client did not come to the authorization endpoint", details=details)
    else:
        reason = "transmitted-code-to-token-endpoint" if went_on else "declined-before-token-request"
        details["stopReason"] = reason
        checks.decide(decides[0], not went_on, expected="no token request", got="one", details=details)


@client_scenario(
    name="auth/metadata-issuer-mismatch",
    introduced_in="2026-07-28",
    purpose="The metadata of the authorization server call another one the issuer.",
    task="Connect and look up the authorization server. Its metadata are not to be trusted: stop.",
    decides=METADATA_DECIDES,
    allows_client_error=True,
)
async def metadata_issuer_mismatch(stage: Stage, checks: Checks) -> None:
    metadata = ServerMetadata(issuer=ATTACKER, endpoints_path="/mismatched-as")
    cast = await put(stage, checks, METADATA_DECIDES, setup=ServerSetup(metadata=metadata))
    await stage.client(cast.url)
    read = bool(cast.log.of(ServerMetadataRead))
    endpoints = (*cast.log.of(Registered), *cast.log.of(AuthorizationRequested), *cast.log.of(TokenRequested))
    details: JsonObject = {
        "expectedIssuer": cast.authorization.trusted_issuer,
        "metadataIssuer": ATTACKER,
        "metadataRequested": read,
        "metadataEndpointsUsed": bool(endpoints),
        "propertyReached": read,
    }
    if not read:
        details["stopReason"] = "as-metadata-not-requested"
        reason = "the client did not read the metadata of the authorization server"
        checks.untestable(VALIDATES_METADATA, reason, details=details)
        return
    details["stopReason"] = "used-poisoned-metadata-endpoints" if endpoints else "declined-poisoned-metadata"
    # MUST NOT be used then: 2026-07-28,
    # basic/authorization/authorization-server-discovery#authorization-server-metadata-discovery; RFC 8414, 3.3
    checks.decide(
        VALIDATES_METADATA,
        not endpoints,
        expected="no request to an endpoint of these metadata",
        got=[event.http.path for event in endpoints],
        details=details,
    )
