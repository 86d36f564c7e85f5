"""Discovery: from the 401 of an MCP server to the endpoints of its authorization server.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#authorization-server-discovery
"""

from __future__ import annotations

from dataclasses import replace

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import Shown
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth.events import (
    AuthorizationRequested,
    Event,
    Log,
    NotServed,
    Registered,
    ResourceMetadataRead,
    ServerMetadataRead,
    TokenRequested,
)
from pytest_mcp_conformance.oauth.metadata import (
    OAUTH_LOCATION,
    OPENID_LOCATION,
    RESOURCE_ROOT,
    ResourceMetadata,
    ServerMetadata,
)
from pytest_mcp_conformance.oauth.protected_resource import BearerAdmission
from pytest_mcp_conformance.oauth.server_setup import ServerSetup
from pytest_mcp_conformance.scenarios.client.auth import references
from pytest_mcp_conformance.scenarios.client.auth.authorization_request import AS_REGISTERED
from pytest_mcp_conformance.scenarios.client.auth.code_protection import CODE_PROTECTION, decide_code_protection
from pytest_mcp_conformance.scenarios.client.auth.observed import (
    APPLICATION_TYPE,
    AUTHORIZATION,
    METADATA_READ,
    OF_ACCESS,
    OF_CODE,
    OF_TOKEN,
    PRM_READ,
    REGISTRATION,
    TOKEN,
)
from pytest_mcp_conformance.scenarios.client.auth.resource_parameter import (
    RESOURCE_PARAMETER,
    decide_resource_parameter,
)
from pytest_mcp_conformance.scenarios.client.auth.staging import put
from pytest_mcp_conformance.scenarios.client.auth.token_use import TOKEN_USE, decide_token_use
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.stage import Stage

TENANT = "/tenant1"
UNUSUAL_LOCATION = "/custom/metadata/location.json"
LISTS = frozenset({"core", "auth", "metadata"})
TASK = (
    "Connect. The server asks for authorization: find its authorization server, register, get a token with the authorization"
    " code grant and PKCE, and use the server with it."
)

PRM_PRIORITY = Requirement(
    id="prm-priority-order",
    name="PRM Priority Order",
    level=Level.MUST,
    text="A client that is told where the protected resource metadata are does not look for them at the root.",
    spec=(references.RFC_9728, references.PRM_DISCOVERY),
    exceptional=True,
)
METADATA_WRONG_PATH = Requirement(
    id="authorization-server-metadata-wrong-path",
    name="AuthorizationServerMetadataWrongPath",
    level=Level.MUST,
    text="The client does not look for the metadata of an issuer with a path where those of one without are.",
    spec=(references.RFC_8414, references.METADATA_DISCOVERY),
    exceptional=True,
)
# The specification leaves registration open; these scenarios offer no other way to become known.
REGISTERED = replace(REGISTRATION, level=Level.MUST)

FLOW = (
    METADATA_READ,
    REGISTERED,
    APPLICATION_TYPE,
    *OF_CODE,
    AS_REGISTERED,
    *OF_TOKEN,
    *OF_ACCESS,
    *RESOURCE_PARAMETER,
)
DEFAULT_DECIDES = (PRM_READ, *FLOW, PRM_PRIORITY, *CODE_PROTECTION, *TOKEN_USE)
OPENID_DECIDES = (PRM_READ, *FLOW)
TENANT_DECIDES = (PRM_READ, *FLOW, METADATA_WRONG_PATH)

STEPS: tuple[tuple[Requirement, type[Event]], ...] = (
    (METADATA_READ, ServerMetadataRead),
    (REGISTERED, Registered),
    (AUTHORIZATION, AuthorizationRequested),
    (TOKEN, TokenRequested),
)
PRM_STEP: tuple[Requirement, type[Event]] = (PRM_READ, ResourceMetadataRead)


def decide_missing(checks: Checks, log: Log, steps: tuple[tuple[Requirement, type[Event]], ...] = STEPS) -> None:
    """Decide on the steps that the client did not take; those that it took were decided when it did."""
    for requirement, kind in steps:
        if not log.of(kind):
            checks.fail(requirement, expected="a request", got=Shown("none"))


def _looked_at(event: Event, path: str) -> bool:
    """Tell whether something was looked for at `path`, where nothing is."""
    reads = event.http.method in ("GET", "HEAD")
    return isinstance(event, NotServed) and reads and event.http.path.removesuffix("/") == path


@client_scenario(
    name="auth/metadata-default",
    introduced_in="2025-11-25",
    lists=LISTS,
    purpose="The challenge says where the protected resource metadata are; those of the authorization server are at its root.",
    task=TASK,
    decides=DEFAULT_DECIDES,
)
async def metadata_default(stage: Stage, checks: Checks) -> None:
    def listener(event: Event) -> None:
        # MUST use the URL of the challenge where there is one: 2025-11-25,
        # basic/authorization#protected-resource-metadata-discovery-requirements
        if event.server == cast.resource.base and _looked_at(event, RESOURCE_ROOT):
            _decide_trap(checks, PRM_PRIORITY, event, expected="no request for the metadata at the root")

    cast = await put(stage, checks, DEFAULT_DECIDES, listener=listener)
    await stage.client(cast.url)
    decide_missing(checks, cast.log, (PRM_STEP, *STEPS))
    decide_resource_parameter(checks, cast.log)
    decide_code_protection(checks, cast.log)
    decide_token_use(checks, cast)


@client_scenario(
    name="auth/metadata-var1",
    introduced_in="2025-11-25",
    lists=LISTS,
    purpose="The challenge says nothing: protected resource metadata at the path of the endpoint, OpenID metadata at the root.",
    task=TASK,
    decides=OPENID_DECIDES,
)
async def metadata_openid(stage: Stage, checks: Checks) -> None:
    cast = await put(
        stage,
        checks,
        OPENID_DECIDES,
        setup=ServerSetup(metadata=ServerMetadata(location=OPENID_LOCATION, openid=True)),
        admission=BearerAdmission(names_metadata=False),
    )
    await stage.client(cast.url)
    decide_missing(checks, cast.log, (PRM_STEP, *STEPS))
    decide_resource_parameter(checks, cast.log)


@client_scenario(
    name="auth/metadata-var2",
    introduced_in="2025-11-25",
    lists=LISTS,
    purpose="Protected resource metadata at the root, an issuer with a path, and its OAuth metadata with that path inserted.",
    task=TASK,
    decides=TENANT_DECIDES,
    charged=METADATA_READ,
)
async def metadata_at_root(stage: Stage, checks: Checks) -> None:
    await _of_tenant(
        stage,
        checks,
        ServerMetadata(location=f"{OAUTH_LOCATION}{TENANT}", path=TENANT),
        ResourceMetadata(location=RESOURCE_ROOT),
        BearerAdmission(names_metadata=False),
    )


@client_scenario(
    name="auth/metadata-var3",
    introduced_in="2025-11-25",
    lists=LISTS,
    purpose="Protected resource metadata where only the challenge says, and OpenID metadata below the path of the issuer.",
    task=TASK,
    decides=TENANT_DECIDES,
    charged=METADATA_READ,
)
async def metadata_anywhere(stage: Stage, checks: Checks) -> None:
    await _of_tenant(
        stage,
        checks,
        ServerMetadata(location=f"{TENANT}{OPENID_LOCATION}", path=TENANT, openid=True),
        ResourceMetadata(location=UNUSUAL_LOCATION),
        BearerAdmission(),
    )


async def _of_tenant(
    stage: Stage, checks: Checks, of_server: ServerMetadata, of_resource: ResourceMetadata, admission: BearerAdmission
) -> None:
    """Decide on the discovery of an issuer with a path."""

    def listener(event: Event) -> None:
        # MUST try the locations that are made from the whole issuer, in their order, and one of them is there:
        # 2025-11-25, basic/authorization#authorization-server-metadata-discovery
        if event.server == cast.authorization.base and _looked_at(event, OAUTH_LOCATION):
            _decide_trap(checks, METADATA_WRONG_PATH, event, expected="requests for metadata of the whole issuer")

    setup = ServerSetup(metadata=of_server)
    cast = await put(
        stage, checks, TENANT_DECIDES, setup=setup, metadata=of_resource, admission=admission, listener=listener
    )
    await stage.client(cast.url)
    decide_missing(checks, cast.log)
    decide_resource_parameter(checks, cast.log)


def _decide_trap(checks: Checks, requirement: Requirement, event: Event, *, expected: str) -> None:
    checks.fail(
        requirement, expected=expected, got=event.http.path, details={"url": event.url, "path": event.http.path}
    )
