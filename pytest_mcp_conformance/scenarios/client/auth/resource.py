"""The protected resource: that its metadata are of the server that the client talks to.

Specification: https://www.rfc-editor.org/rfc/rfc9728.html#section-3.3
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth.events import AuthorizationRequested, ResourceMetadataRead
from pytest_mcp_conformance.oauth.metadata import ResourceMetadata
from pytest_mcp_conformance.scenarios.client.auth import references
from pytest_mcp_conformance.scenarios.client.auth.observed import (
    METADATA_READ,
    OF_ACCESS,
    OF_CODE,
    OF_REGISTRATION,
    OF_TOKEN,
    PRM_READ,
    optional,
)
from pytest_mcp_conformance.scenarios.client.auth.staging import put
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.stage import Stage

FOREIGN_RESOURCE = "https://evil.example.com/mcp"

REJECTED = Requirement(
    id="resource-mismatch-rejected",
    name="Client rejects mismatched resource",
    level=Level.MUST,
    text="The client asks for no authorization where the metadata are of another resource.",
    spec=(references.RFC_8707, references.RESOURCE_PARAMETER),
)
DECIDES = (
    REJECTED,
    PRM_READ,
    optional(METADATA_READ),
    *OF_REGISTRATION,
    *map(optional, (*OF_CODE, *OF_TOKEN, *OF_ACCESS)),
)


@client_scenario(
    name="auth/resource-mismatch",
    introduced_in="2026-07-28",
    purpose="The protected resource metadata are of another server.",
    task="Connect and read the protected resource metadata. They name another resource: stop before the authorization.",
    decides=DECIDES,
    allows_client_error=True,
)
async def resource_mismatch(stage: Stage, checks: Checks) -> None:
    cast = await put(stage, checks, DECIDES, metadata=ResourceMetadata(resource=FOREIGN_RESOURCE))
    await stage.client(cast.url)
    read = bool(cast.log.of(ResourceMetadataRead))
    asked = bool(cast.log.of(AuthorizationRequested))
    details: JsonObject = {
        "prmResource": FOREIGN_RESOURCE,
        "expectedBehavior": "no authorization request",
        "authorizationRequestMade": asked,
        "prmRequested": read,
        "propertyReached": read,
    }
    if not read:
        details["stopReason"] = "prm-not-requested"
        reason = "the client did not read the protected resource metadata"
        checks.untestable(REJECTED, reason, details=details)
        return
    details["stopReason"] = "proceeded-to-authorization" if asked else "declined-after-reading-prm"
    # MUST NOT be used where the resource is not the one that was asked for: RFC 9728, 3.3
    checks.decide(REJECTED, not asked, expected="no authorization request", got="one", details=details)
