"""Scopes: what a client asks for at first.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#scope-selection-strategy
"""

from __future__ import annotations

from collections.abc import Callable

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonValue, Shown
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth.events import AuthorizationRequested, Event
from pytest_mcp_conformance.oauth.metadata import ResourceMetadata
from pytest_mcp_conformance.oauth.protected_resource import BearerAdmission
from pytest_mcp_conformance.oauth.scopes import lacking
from pytest_mcp_conformance.scenarios.client.auth import references
from pytest_mcp_conformance.scenarios.client.auth.observed import WHOLE_FLOW
from pytest_mcp_conformance.scenarios.client.auth.staging import put
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.stage import Stage

LISTS = frozenset({"core", "auth", "sep-835"})
CHALLENGED = "mcp:basic"
SUPPORTED = ("mcp:basic", "mcp:read", "mcp:write")

FROM_CHALLENGE = Requirement(
    id="scope-from-www-authenticate",
    name="Client scope selection from WWW-Authenticate header",
    level=Level.SHOULD,
    text="The client asks for the scopes that the challenge names.",
    spec=(references.SCOPE_SELECTION,),
)
FROM_METADATA = Requirement(
    id="scope-from-scopes-supported",
    name="Client scope selection from scopes_supported",
    level=Level.SHOULD,
    text="Without scopes in the challenge, the client asks for all that the protected resource metadata list.",
    spec=(references.SCOPE_SELECTION,),
)
OMITTED = Requirement(
    id="scope-omitted-when-undefined",
    name="Client scope omission when scopes_supported undefined",
    level=Level.SHOULD,
    text="Where neither the challenge nor the metadata name scopes, the client leaves the parameter out.",
    spec=(references.SCOPE_SELECTION,),
)
CHALLENGE_DECIDES = (FROM_CHALLENGE, *WHOLE_FLOW)
METADATA_DECIDES = (FROM_METADATA, *WHOLE_FLOW)
OMITTED_DECIDES = (OMITTED, *WHOLE_FLOW)


def of_each_authorization(decide: Callable[[AuthorizationRequested], None]) -> Callable[[Event], None]:
    """Return a listener that decides on every authorization request."""

    def listener(event: Event) -> None:
        if isinstance(event, AuthorizationRequested):
            decide(event)

    return listener


@client_scenario(
    name="auth/scope-from-www-authenticate",
    introduced_in="2025-11-25",
    lists=LISTS,
    purpose="The challenge names a scope, and a token without it is refused.",
    task="Connect and authorize with the scope of the challenge; list the tools and call test-tool.",
    decides=CHALLENGE_DECIDES,
)
async def from_challenge(stage: Stage, checks: Checks) -> None:
    def decide(request: AuthorizationRequested) -> None:
        # SHOULD use the scope of the challenge first of all: 2025-11-25, basic/authorization#scope-selection-strategy, 1
        checks.decide(
            FROM_CHALLENGE,
            CHALLENGED in request.scopes,
            expected=f"a scope with {CHALLENGED}",
            got=request.scope,
            details={"expectedScope": CHALLENGED, "requestedScope": request.scope or "none"},
        )

    admission = BearerAdmission(scopes=(CHALLENGED,))
    cast = await put(stage, checks, CHALLENGE_DECIDES, admission=admission, listener=of_each_authorization(decide))
    await stage.client(cast.url)
    if not cast.log.of(AuthorizationRequested):
        checks.fail(FROM_CHALLENGE, expected="an authorization request", got=Shown("none"))


@client_scenario(
    name="auth/scope-from-scopes-supported",
    introduced_in="2025-11-25",
    lists=LISTS,
    purpose="The challenge names no scope, the protected resource metadata list three.",
    task="Connect and authorize with all scopes that the protected resource metadata list; use the server.",
    decides=METADATA_DECIDES,
)
async def from_metadata(stage: Stage, checks: Checks) -> None:
    supported: list[JsonValue] = [*SUPPORTED]

    def decide(request: AuthorizationRequested) -> None:
        # SHOULD use all of them then: 2025-11-25, basic/authorization#scope-selection-strategy, 2
        missing: list[JsonValue] = [*lacking(request.scopes, SUPPORTED)]
        checks.decide(
            FROM_METADATA,
            not missing,
            expected=f"a scope with {', '.join(SUPPORTED)}",
            got=request.scope,
            details={
                "scopesSupported": supported,
                "requestedScope": request.scope or "none",
                **({"missingScopes": missing} if missing else {}),
            },
        )

    cast = await put(
        stage,
        checks,
        METADATA_DECIDES,
        metadata=ResourceMetadata(scopes=SUPPORTED),
        listener=of_each_authorization(decide),
    )
    await stage.client(cast.url)
    if not cast.log.of(AuthorizationRequested):
        checks.fail(FROM_METADATA, expected="an authorization request", got=Shown("none"))


@client_scenario(
    name="auth/scope-omitted-when-undefined",
    introduced_in="2025-11-25",
    lists=LISTS,
    purpose="Nothing names a scope.",
    task="Connect and authorize without a scope parameter; use the server.",
    decides=OMITTED_DECIDES,
)
async def omitted(stage: Stage, checks: Checks) -> None:
    def decide(request: AuthorizationRequested) -> None:
        # SHOULD leave it out then: 2025-11-25, basic/authorization#scope-selection-strategy, 2
        checks.decide(
            OMITTED,
            not request.scopes,
            expected="no scope",
            got=request.scope,
            details={"scopeParameter": request.scope or "omitted"},
        )

    cast = await put(stage, checks, OMITTED_DECIDES, listener=of_each_authorization(decide))
    await stage.client(cast.url)
    if not cast.log.of(AuthorizationRequested):
        checks.fail(OMITTED, expected="an authorization request", got=Shown("none"))
