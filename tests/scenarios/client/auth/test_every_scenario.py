"""What holds of every authorization scenario: silence is no pass, and nothing that a client sends raises."""

from __future__ import annotations

import httpx
import pytest

from pytest_mcp_conformance.checks import UNTESTABLE
from pytest_mcp_conformance.model import Ending, Leg, Status
from pytest_mcp_conformance.registry import scenarios
from tests.scenarios.client.auth.visitor import WELL_KNOWN, Visitor, outcome, statuses

NAMES = [name.removeprefix("auth/") for name in scenarios(Leg.CLIENT) if name.startswith("auth/")]
REFUSING = {
    "resource-mismatch": "resource-mismatch-rejected",
    "iss-supported-missing": "sep-2468-client-reject-missing-iss",
    "iss-wrong-issuer": "sep-2468-client-compare-iss-supported",
    "iss-unexpected": "sep-2468-client-compare-iss-unadvertised",
    "iss-normalized": "sep-2468-client-no-normalization",
    "metadata-issuer-mismatch": "sep-2468-client-validate-metadata-issuer",
    "authorization-server-migration": "sep-2352-no-reuse-on-as-change",
}

PATHS = (
    "/mcp",
    "/",
    WELL_KNOWN,
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/authorize",
    "/authorize?scope=%ff&scope=%00&redirect_uri=%0d%0a&client_id=" + "x" * 5000,
    "/authorize?redirect_uri=http%3A%2F%2F%5B&code_challenge=a&code_challenge=b",
    "/token?grant_type=authorization_code",
    "/register",
    "/oauth/token",
    "/tenant1/token",
    "/mismatched-as/register",
)
BODIES: tuple[tuple[str, bytes], ...] = (
    ("application/json", b"{"),
    ("application/json", b"[[[[[]]]]]"),
    (
        "application/json",
        b'{"redirect_uris": {"a": []}, "grant_types": "refresh_token", "client_name": 7, "method": {}}',
    ),
    ("application/json", b'{"grant_type": "authorization_code", "code": ["\\ud800"], "code_verifier": "\\ud800"}'),
    ("application/json", b'{"application_type": {"native": 1}, "token_endpoint_auth_method": ["none"], "id": 1e999}'),
    ("application/x-www-form-urlencoded", b"grant_type=authorization_code&code=%ff%00&resource=%5B&resource=http://["),
    ("application/x-www-form-urlencoded", b"&&&=&=&grant_type&grant_type&client_assertion=x"),
    ("text/plain", b"\xff\xfe"),
    ("", b""),
)


@pytest.mark.parametrize("name", NAMES)
async def test_a_silent_client_passes_nothing(name: str) -> None:
    async def visit(_visitor: Visitor) -> None:
        pass

    found = await outcome(name, visit)
    assert found.ending is Ending.FAILED
    assert not [check.id for check in found.checks if check.status is Status.SUCCESS and not check.addition]


@pytest.mark.parametrize(("name", "check"), REFUSING.items())
async def test_who_stops_at_the_challenge_has_refused_nothing(name: str, check: str) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()

    found = await outcome(name, visit)
    [decided] = [each for each in found.checks if each.id == check]
    assert decided.status is Status.FAILURE
    assert (decided.message or "").startswith(UNTESTABLE)


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("name", NAMES)
async def test_junk_is_answered_and_judged(name: str, revision: str) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        bases = [visitor.origin]
        if "resource_metadata" in visitor.told:
            bases.append((await visitor.http.get(visitor.told["resource_metadata"])).json()["authorization_servers"][0])
        for base in bases:
            await _pelt(visitor.http, base)

    found = await outcome(name, visit, revision=revision)
    assert found.ending is Ending.FAILED


async def _pelt(http: httpx.AsyncClient, base: str) -> None:
    authorizations = ("Basic ?", "Bearer \xff", "DPoP a.b.c", "Bearer " + "x" * 5000)
    for number, path in enumerate(PATHS):
        for method in ("GET", "HEAD", "OPTIONS", "DELETE"):
            answer = await http.request(method, f"{base}{path}")
            assert answer.status_code < 500, (method, path)
        for kind, body in BODIES:
            headers = [
                (b"authorization", authorizations[number % len(authorizations)].encode("latin-1")),
                (b"content-type", kind.encode()),
                (b"dpop", b"a.b.c, d"),
            ]
            answer = await http.post(f"{base}{path}", content=body, headers=headers)
            assert answer.status_code < 500, (path, body)


async def test_a_made_up_token_is_refused_and_told() -> None:
    async def visit(visitor: Visitor) -> None:
        visitor.token = "test-token-made-up"
        assert (await visitor.ask()).status_code == 401
        assert visitor.told["error"] == "invalid_token"

    assert (await statuses("scope-step-up", visit))["invalid-bearer-token"] == "FAILURE"


async def test_nothing_that_a_client_names_is_fetched(unused_tcp_port: int) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        visitor.client = {"client_id": f"http://localhost:{unused_tcp_port}/client.json"}
        assert "code" in await visitor.authorize(redirect_uri=f"http://localhost:{unused_tcp_port}/callback")

    found = await outcome("offline-access-scope", visit)
    decided = [check for check in found.checks if check.id == "sep-2207-client-metadata-grant-types"]
    assert [check.status for check in decided] == [Status.INFO]
