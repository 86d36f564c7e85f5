"""Scope challenges: what a client does when its token is not enough.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#scope-challenge-handling
"""

from __future__ import annotations

from dataclasses import replace

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, Shown
from pytest_mcp_conformance.model import DRAFT, Level, Requirement
from pytest_mcp_conformance.oauth.events import AccessRequested, AuthorizationRequested, Log
from pytest_mcp_conformance.oauth.metadata import ResourceMetadata
from pytest_mcp_conformance.oauth.protected_resource import (
    INSUFFICIENT_SCOPE,
    Challenge,
    is_bearer,
    needs_no_token,
    objection,
)
from pytest_mcp_conformance.scenarios.client.auth import references
from pytest_mcp_conformance.scenarios.client.auth.authorization_request import AS_REGISTERED
from pytest_mcp_conformance.scenarios.client.auth.observed import (
    METADATA_READ,
    OF_CODE,
    OF_REGISTRATION,
    OF_TOKEN,
    PRM_READ,
    WHOLE_FLOW,
)
from pytest_mcp_conformance.scenarios.client.auth.scopes import LISTS, of_each_authorization
from pytest_mcp_conformance.scenarios.client.auth.staging import put
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.serving.http import HttpReply, json_reply
from pytest_mcp_conformance.stage import Stage

BASIC, WRITE, ADMIN = "mcp:basic", "mcp:write", "mcp:admin"
MAX_ATTEMPTS = 3  # authorization requests of one client: «no more than a few times», and three are a few

INITIAL = Requirement(
    id="scope-step-up-initial",
    name="Client initial scope selection for step-up auth",
    level=Level.SHOULD,
    text="The first authorization request asks for the scope of the first challenge.",
    spec=(references.SCOPE_SELECTION,),
)
ESCALATION = Requirement(
    id="scope-step-up-escalation",
    name="Client scope escalation for step-up auth",
    level=Level.SHOULD,
    text="A client whose token lacks a scope asks for it in another authorization request.",
    spec=(references.SCOPE_CHALLENGE,),
)
UNION = Requirement(
    id="sep-2350-scope-union-on-reauth",
    name="Client accumulates previously-granted scopes on re-authorization",
    level=Level.SHOULD,
    text="A client that asks for a further scope asks for those that it had as well.",
    spec=(references.SCOPE_CHALLENGE,),
    since=DRAFT,
)
STEP_UP_DECIDES = (INITIAL, ESCALATION, UNION, *WHOLE_FLOW)

RETRY_LIMIT = Requirement(
    id="scope-retry-limit",
    name="Client retry limit for scope escalation",
    level=Level.SHOULD,
    text="A client whose scopes never suffice gives up after a few attempts.",
    spec=(references.SCOPE_CHALLENGE,),
)
ATTEMPT = Requirement(
    id="scope-retry-auth-attempt",
    name="Authorization attempt",
    level=Level.MAY,
    text="The client asked for authorization.",
    spec=(references.SCOPE_CHALLENGE,),
)
RETRY_DECIDES = (RETRY_LIMIT, ATTEMPT, PRM_READ, METADATA_READ, *OF_REGISTRATION, *OF_CODE, AS_REGISTERED, *OF_TOKEN)


def _by_operation(request: AccessRequested) -> Challenge | None:
    """Ask for a scope of its own for calling a tool, and for a basic one for all else.

    SHOULD name the scopes that the operation needs: 2025-11-25, basic/authorization#runtime-insufficient-scope-errors
    """
    if needs_no_token(request):
        return None
    needed = WRITE if request.rpc_method == "tools/call" else BASIC
    challenge = objection(request, (needed,))
    if challenge is None:
        return None
    return replace(challenge, scope=needed if challenge.status == INSUFFICIENT_SCOPE.status else BASIC)


@client_scenario(
    name="auth/scope-step-up",
    introduced_in="2025-11-25",
    lists=LISTS,
    purpose="Listing tools needs one scope, calling one needs another.",
    task="List the tools, call test-tool. It needs another scope: authorize again, with the scopes so far and that; repeat it.",
    decides=STEP_UP_DECIDES,
)
async def step_up(stage: Stage, checks: Checks) -> None:
    cast = await put(
        stage, checks, STEP_UP_DECIDES, metadata=ResourceMetadata(scopes=("mcp:profile",)), admission=_by_operation
    )
    await stage.client(cast.url)
    requests = cast.log.of(AuthorizationRequested)
    first, second = requests[0] if requests else None, _after_escalation(cast.log)
    after = f"an authorization request after the challenge for {WRITE}"
    _decide_scope(checks, INITIAL, first, BASIC, "an authorization request", told={"expectedScope": BASIC})
    _decide_scope(checks, ESCALATION, second, WRITE, after, told={"challengedScope": WRITE})
    if UNION.applies_at(stage.revision):
        # SHOULD ask for the union of what it asked for before and the challenge: 2026-07-28,
        # basic/authorization#step-up-authorization-flow, 2
        told: JsonObject = {"previouslyGranted": BASIC, "challengedScope": WRITE}
        _decide_scope(checks, UNION, second, BASIC, after, told=told)


def _after_escalation(log: Log) -> AuthorizationRequested | None:
    """Return the authorization request that answers the refusal of a tool call for want of its scope.

    Of a client that never came to the call, it is the first one after another such refusal. Requests that a client makes
    before are none of them: they answer nothing.
    """
    return _first_after(log, "tools/call") or _first_after(log, None)


def _first_after(log: Log, rpc_method: str | None) -> AuthorizationRequested | None:
    """Return the first authorization request after `rpc_method`, or any method, was refused for want of a scope."""
    refused = False
    for event in log.events:
        if refused and isinstance(event, AuthorizationRequested):
            return event
        if isinstance(event, AccessRequested) and event.status == INSUFFICIENT_SCOPE.status:
            refused = refused or rpc_method in (None, event.rpc_method)
    return None


def _decide_scope(
    checks: Checks,
    requirement: Requirement,
    request: AuthorizationRequested | None,
    scope: str,
    awaited: str,
    *,
    told: JsonObject,
) -> None:
    if request is None:
        checks.fail(requirement, expected=awaited, got=Shown("none"))
        return
    checks.decide(
        requirement,
        scope in request.scopes,
        expected=f"a scope with {scope}",
        got=request.scope,
        details={**told, "requestedScope": request.scope or "none"},
    )


@client_scenario(
    name="auth/scope-retry-limit",
    introduced_in="2025-11-25",
    lists=LISTS,
    purpose="A scope is challenged again and again, whatever the client gets.",
    task="Connect and use the server, authorizing where it asks for it; give up after a few attempts.",
    decides=RETRY_DECIDES,
    allows_client_error=True,
)
async def retry_limit(stage: Stage, checks: Checks) -> None:
    refused = 0
    attempts = 0

    def never_enough(request: AccessRequested) -> Challenge | HttpReply | None:
        nonlocal refused
        if needs_no_token(request):
            return None
        if not is_bearer(request):
            return Challenge(scope=ADMIN)
        refused += 1
        if refused > MAX_ATTEMPTS:
            return _over()
        return replace(INSUFFICIENT_SCOPE, scope=ADMIN)

    def count(request: AuthorizationRequested) -> None:
        nonlocal attempts
        attempts += 1
        asked = request.scope or "none"
        checks.inform(
            replace(ATTEMPT, name=f"{ATTEMPT.name} {attempts}"),
            f"authorization request {attempts}",
            details={"attemptNumber": attempts, "requestedScope": asked},
        )

    cast = await put(
        stage,
        checks,
        RETRY_DECIDES,
        metadata=ResourceMetadata(scopes=(ADMIN,)),
        admission=never_enough,
        listener=of_each_authorization(count),
    )
    await stage.client(cast.url)
    # SHOULD retry no more than a few times: 2025-11-25, basic/authorization#step-up-authorization-flow, 4. Published
    # results call it a failure.
    details = {"authorizationAttempts": attempts, "maxAllowed": MAX_ATTEMPTS}
    if 1 <= attempts <= MAX_ATTEMPTS:
        checks.succeed(RETRY_LIMIT, details={**details})
    else:
        expected = f"1 to {MAX_ATTEMPTS} authorization requests"
        checks.fail(RETRY_LIMIT, expected=expected, got=attempts, details={**details} if attempts else None)


def _over() -> HttpReply:
    """End the scenario for a client that would go on for ever."""
    return json_reply({"error": "gone", "error_description": "The scope was refused often enough"}, status=410)
