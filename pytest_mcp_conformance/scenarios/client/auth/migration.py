"""Migration: a protected resource changes its authorization server while a client uses it.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration#authorization-server-binding
"""

from __future__ import annotations

from dataclasses import replace

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth.authorization_server import AuthorizationServer
from pytest_mcp_conformance.oauth.events import AccessRequested, AuthorizationRequested, Log, Registered, TokenRequested
from pytest_mcp_conformance.oauth.metadata import ResourceMetadata
from pytest_mcp_conformance.oauth.protected_resource import (
    INVALID_TOKEN,
    Challenge,
    ProtectedResource,
    needs_no_token,
    objection,
)
from pytest_mcp_conformance.oauth.server_setup import ServerSetup
from pytest_mcp_conformance.oauth.tokens import TokenStore
from pytest_mcp_conformance.scenarios.client.auth import references
from pytest_mcp_conformance.scenarios.client.auth.observed import WHOLE_FLOW
from pytest_mcp_conformance.scenarios.client.auth.staging import new_log, put_authorization_server, put_mcp_server
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.stage import Stage

SCOPE = "mcp:basic"

REREGISTERS = Requirement(
    id="sep-2352-reregister-on-as-change",
    name="Client re-registers with the new authorization server",
    level=Level.MUST,
    text="The client registers with the new authorization server.",
    spec=(references.DYNAMIC_REGISTRATION,),
)
NO_REUSE = Requirement(
    id="sep-2352-no-reuse-on-as-change",
    name="Client does not reuse the previous AS client credentials",
    level=Level.MUST,
    text="The client does not use at the new authorization server what the previous one gave it.",
    spec=(references.DYNAMIC_REGISTRATION,),
)
NOT_PORTABLE = Requirement(
    id="sep-2352-no-cross-as-credential-reuse",
    name="Client does not assume credentials are portable across authorization servers",
    level=Level.MUST,
    text="The client keeps the credentials of each authorization server apart.",
    spec=(references.DYNAMIC_REGISTRATION,),
)
DECIDES = (REREGISTERS, NO_REUSE, NOT_PORTABLE, *WHOLE_FLOW)


@client_scenario(
    name="auth/authorization-server-migration",
    introduced_in="2026-07-28",
    purpose="After the first request with a token the server has another authorization server, and takes only its tokens.",
    task=(
        "Authorize, list the tools, call test-tool. When the token is refused, look up the authorization server again, "
        "register there, authorize, and repeat the call."
    ),
    decides=DECIDES,
)
async def authorization_server_migration(stage: Stage, checks: Checks) -> None:
    log, tokens = new_log(stage, checks, DECIDES), TokenStore()
    previous = await put_authorization_server(stage, ServerSetup(), log, tokens)
    following = await put_authorization_server(stage, ServerSetup(), log, tokens)
    resource = ProtectedResource(_entrusted_to(previous), log=log, tokens=tokens)
    moved = False

    def admit_and_move(request: AccessRequested) -> Challenge | None:
        nonlocal moved
        if needs_no_token(request):
            return None
        challenge = objection(request)
        if challenge is None and moved and request.token is not None and request.token.issuer != following.issuer:
            challenge = INVALID_TOKEN
        if challenge is not None:
            return replace(challenge, scope=SCOPE)
        moved = True
        resource.metadata = _entrusted_to(following)
        return None

    resource.admission = admit_and_move
    server = await put_mcp_server(stage, resource)
    await stage.client(server.url)
    _decide(checks, log, previous.base, following.base)


def _entrusted_to(server: AuthorizationServer) -> ResourceMetadata:
    return ResourceMetadata(authorization_servers=(server.issuer,))


def _decide(checks: Checks, log: Log, previous: str, following: str) -> None:
    # MUST re-register, MUST NOT reuse credentials of another authorization server: 2026-07-28,
    # basic/authorization/client-registration#authorization-server-binding
    registered = bool(log.of(Registered, server=following))
    checks.decide(REREGISTERS, registered, expected="a registration with the new server", got=Shown("none"))
    ids = {event.client.id for event in log.of(Registered, server=previous)}
    authorizing, redeeming = log.of(AuthorizationRequested, server=following), log.of(TokenRequested, server=following)
    reasons = [
        reason
        for reason, missing in (
            ("the client did not register with the previous authorization server", not ids),
            ("the client did not come to the new authorization server", not (authorizing or redeeming)),
        )
        if missing
    ]
    if reasons:
        for requirement in (NO_REUSE, NOT_PORTABLE):
            checks.untestable(requirement, reasons[0])
        return
    at_authorize = any(event.parameters.get("client_id") in ids for event in authorizing)
    at_token = any(ids & {event.credentials.client_id, event.parameters.get("client_id")} for event in redeeming)
    previous_ids: list[JsonValue] = [*sorted(ids)]
    details: JsonObject = {
        "previousClientId": previous_ids[0] if len(previous_ids) == 1 else previous_ids,
        "seenAtAuthorize": at_authorize,
        "seenAtToken": at_token,
    }
    for requirement in (NO_REUSE, NOT_PORTABLE):
        checks.decide(
            requirement,
            not (at_authorize or at_token),
            expected="no client_id of the previous authorization server",
            got=details,
            details=details,
        )
