"""Refresh tokens: what a client says that wants some.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#refresh-tokens
"""

from __future__ import annotations

from dataclasses import replace

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, Shown, as_list
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth.events import REFRESH_TOKEN, AuthorizationRequested, Event, Registered
from pytest_mcp_conformance.oauth.metadata import ResourceMetadata, ServerMetadata
from pytest_mcp_conformance.oauth.server_setup import ServerSetup
from pytest_mcp_conformance.scenarios.client.auth import references
from pytest_mcp_conformance.scenarios.client.auth.observed import WHOLE_FLOW
from pytest_mcp_conformance.scenarios.client.auth.staging import put
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.stage import Stage

OFFLINE_ACCESS = "offline_access"
OFFERED = ("mcp:basic", OFFLINE_ACCESS)
NOT_OFFERED = ("mcp:basic", "mcp:read")

GRANT_TYPES = Requirement(
    id="sep-2207-client-metadata-grant-types",
    name="Client metadata includes refresh_token grant type",
    level=Level.SHOULD,
    text="The metadata of a client that wants refresh tokens list refresh_token among its grant types.",
    spec=(references.REFRESH_TOKENS,),
)
REGISTERED_GRANT_TYPES = replace(GRANT_TYPES, name=f"{GRANT_TYPES.name} (DCR)")
REQUESTED = Requirement(
    id="sep-2207-offline-access-requested",
    name="Client requests offline_access scope",
    level=Level.MAY,
    text="The client asks for offline_access where the authorization server lists it.",
    spec=(references.REFRESH_TOKENS,),
)
NOT_REQUESTED = Requirement(
    id="sep-2207-offline-access-not-requested",
    name="Client does not request unsupported offline_access",
    level=Level.MUST,
    text="The client does not ask for offline_access where the authorization server does not list it.",
    spec=(references.REFRESH_TOKENS,),
)
OFFERED_DECIDES = (GRANT_TYPES, REQUESTED, *WHOLE_FLOW)
NOT_OFFERED_DECIDES = (NOT_REQUESTED, *WHOLE_FLOW)


@client_scenario(
    name="auth/offline-access-scope",
    introduced_in="2026-07-28",
    purpose="The authorization server lists offline_access.",
    task="Connect and authorize, with refresh_token among the grant types of the client; offline_access may be asked for.",
    decides=OFFERED_DECIDES,
    charged=REQUESTED,
)
async def offline_access_offered(stage: Stage, checks: Checks) -> None:
    def listener(event: Event) -> None:
        if isinstance(event, Registered):
            _decide_grant_types(checks, event)
        elif isinstance(event, AuthorizationRequested):
            # MAY ask for it: 2026-07-28, basic/authorization#refresh-tokens
            checks.decide(
                REQUESTED,
                OFFLINE_ACCESS in event.scopes,
                expected=f"a scope with {OFFLINE_ACCESS}",
                got=event.scope,
                details=_about_scope(OFFERED, event),
            )

    cast = await put(
        stage,
        checks,
        OFFERED_DECIDES,
        setup=ServerSetup(metadata=ServerMetadata(scopes=OFFERED, client_id_documents=True)),
        metadata=ResourceMetadata(scopes=("mcp:basic",)),
        listener=listener,
    )
    await stage.client(cast.url)
    if not cast.log.of(Registered):
        told = "the client did not register here, so its metadata are not known"
        checks.inform(GRANT_TYPES, told, details={"registrationMethod": "unknown"})
    if not cast.log.of(AuthorizationRequested):
        checks.fail(REQUESTED, expected="an authorization request", got=Shown("none"))


@client_scenario(
    name="auth/offline-access-not-supported",
    introduced_in="2026-07-28",
    purpose="The authorization server lists other scopes than offline_access.",
    task="Connect and authorize without offline_access; use the server.",
    decides=NOT_OFFERED_DECIDES,
)
async def offline_access_not_offered(stage: Stage, checks: Checks) -> None:
    def listener(event: Event) -> None:
        if isinstance(event, AuthorizationRequested):
            # MAY be added only where it is listed: 2026-07-28, basic/authorization#refresh-tokens
            checks.decide(
                NOT_REQUESTED,
                OFFLINE_ACCESS not in event.scopes,
                expected=f"a scope without {OFFLINE_ACCESS}",
                got=event.scope,
                details=_about_scope(NOT_OFFERED, event),
            )

    cast = await put(
        stage,
        checks,
        NOT_OFFERED_DECIDES,
        setup=ServerSetup(metadata=ServerMetadata(scopes=NOT_OFFERED)),
        metadata=ResourceMetadata(scopes=NOT_OFFERED),
        listener=listener,
    )
    await stage.client(cast.url)
    if not cast.log.of(AuthorizationRequested):
        checks.fail(NOT_REQUESTED, expected="an authorization request", got=Shown("none"))


def _decide_grant_types(checks: Checks, event: Registered) -> None:
    # SHOULD have it: 2026-07-28, basic/authorization#refresh-tokens
    named = event.metadata.get("grant_types")
    shown = " ".join(str(each) for each in as_list(named)) or "none"
    checks.decide(
        REGISTERED_GRANT_TYPES,
        REFRESH_TOKEN in as_list(named),
        expected=f"grant_types with {REFRESH_TOKEN}",
        got=named,
        details={"registrationMethod": "DCR", "grantTypes": shown},
    )


def _about_scope(supported: tuple[str, ...], event: AuthorizationRequested) -> JsonObject:
    return {"asScopesSupported": " ".join(supported), "requestedScope": event.scope or "none"}
