"""Runs of the authorization leg, as tests need them: a few words each."""

from __future__ import annotations

import asyncio
import functools
from dataclasses import replace

from pytest_mcp_conformance.authorization import AuthorizationSettings, Consent, FollowedConsent
from pytest_mcp_conformance.model import Leg, Outcome, Revision
from pytest_mcp_conformance.reference.authorization import PUBLIC, running_authorization_server
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running_authorization import AuthorizationServerUnderTest, run_authorization_scenario
from pytest_mcp_conformance.verdict import collapsed

METADATA = "authorization-server-metadata-endpoint"
CODE_GRANT = "authorization-code-grant"
FREE_PORT = 0  # which no settings file may have: nobody could register its redirect URI
AT_ONCE = FollowedConsent(within=20.0)


def settings(url: str, **members: str | int | None) -> AuthorizationSettings:
    """Return settings with the public client of the reference, and what is given in its place."""
    made = AuthorizationSettings(url=url, client_id=PUBLIC.id, port=FREE_PORT)
    return replace(made, **members)  # type: ignore[arg-type]


async def run(
    name: str,
    of: AuthorizationSettings,
    *,
    consent: Consent = AT_ONCE,
    revision: Revision = Revision.V2025_11_25,
    within: float = 10.0,
) -> Outcome:
    """Run one scenario."""
    target = AuthorizationServerUnderTest(settings=of, consent=consent)
    return await run_authorization_scenario(scenarios(Leg.AUTHORIZATION)[name], revision, target, timeout=within)


@functools.cache
def statuses(name: str, revision: Revision, fault: str | None) -> dict[str, str]:
    """Run a scenario against a reference of its own and return the status of each check."""
    with running_authorization_server([fault] if fault else []) as url:
        outcome = asyncio.run(run(name, settings(url), revision=revision))
    assert outcome.reason is None, outcome.reason
    return {id_: check.status.value for id_, check in collapsed(outcome.checks).items()}
