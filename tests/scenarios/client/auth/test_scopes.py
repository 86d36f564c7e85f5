"""Scopes: odd requests, odd answers to challenges."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_mcp_conformance.model import Status
from tests.scenarios.client.auth.visitor import Visitor, outcome, statuses


@pytest.mark.parametrize(
    ("scenario", "scope", "status"),
    [
        ("scope-from-www-authenticate", "mcp:basic", "SUCCESS"),
        ("scope-from-www-authenticate", "x mcp:basic  y", "SUCCESS"),
        ("scope-from-www-authenticate", "mcp:basics", "WARNING"),
        ("scope-from-www-authenticate", "", "WARNING"),
        ("scope-from-www-authenticate", None, "WARNING"),
        ("scope-from-scopes-supported", "mcp:write mcp:read mcp:basic more", "SUCCESS"),
        ("scope-from-scopes-supported", "mcp:write mcp:read", "WARNING"),
        ("scope-from-scopes-supported", None, "WARNING"),
        ("scope-omitted-when-undefined", None, "SUCCESS"),
        ("scope-omitted-when-undefined", "", "SUCCESS"),
        ("scope-omitted-when-undefined", "  ", "SUCCESS"),
        ("scope-omitted-when-undefined", "openid", "WARNING"),
        ("offline-access-not-supported", "mcp:basic", "SUCCESS"),
        ("offline-access-not-supported", None, "SUCCESS"),
        ("offline-access-not-supported", "mcp:basic offline_access", "FAILURE"),
    ],
)
async def test_what_is_asked_for(scenario: str, scope: str | None, status: str) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.enter(scope=scope)

    id_ = "sep-2207-offline-access-not-requested" if scenario.startswith("offline") else scenario
    assert (await statuses(scenario, visit))[id_] == status


async def test_a_warning_stays_after_a_second_request() -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.enter()
        assert (await visitor.ask()).status_code == 403
        assert visitor.told["scope"] == "mcp:basic"
        await visitor.redeem((await visitor.authorize(scope=visitor.told["scope"]))["code"])
        assert (await visitor.ask()).status_code == 200

    assert (await statuses("scope-from-www-authenticate", visit))["scope-from-www-authenticate"] == "WARNING"


STEP_UP = ("scope-step-up-initial", "scope-step-up-escalation", "sep-2350-scope-union-on-reauth")


async def _step_up(visitor: Visitor, first: str | None, second: str | None) -> None:
    await visitor.ask()
    await visitor.enter(scope=first)
    assert (await visitor.call_tool()).status_code == 403
    assert visitor.told["scope"] == "mcp:write"
    await visitor.redeem((await visitor.authorize(scope=second))["code"])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("mcp:basic", "mcp:basic mcp:write", "SSS"),
        ("mcp:basic", "mcp:write", "SSW"),
        ("mcp:profile", "mcp:profile mcp:write", "WSW"),
        ("mcp:basic", "mcp:basic", "SWS"),
        ("mcp:basic", None, "SWW"),
    ],
)
async def test_stepping_up(first: str | None, second: str | None, expected: str) -> None:
    async def visit(visitor: Visitor) -> None:
        await _step_up(visitor, first, second)

    found = await statuses("scope-step-up", visit)
    assert "".join(found[id_][0] for id_ in STEP_UP) == expected
    older = await statuses("scope-step-up", visit, revision="2025-11-25")
    assert "".join(older.get(id_, "-")[0] for id_ in STEP_UP) == f"{expected[:2]}-"


async def test_two_requests_up_front_are_no_escalation() -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.enter(scope="mcp:basic")
        await visitor.authorize(scope="mcp:basic mcp:write")

    found = await statuses("scope-step-up", visit)
    assert [found[id_] for id_ in STEP_UP] == ["SUCCESS", "FAILURE", "FAILURE"]


async def test_who_never_comes_to_the_call_is_judged_by_what_it_asked_for_instead() -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.enter(scope="mcp:profile")
        assert (await visitor.ask()).status_code == 403
        await visitor.authorize(scope="mcp:profile")

    found = await statuses("scope-step-up", visit)
    assert [found[id_] for id_ in STEP_UP] == ["WARNING"] * 3


async def test_a_challenge_names_what_the_operation_needs() -> None:
    async def visit(visitor: Visitor) -> None:
        for method in ("initialize", "notifications/initialized"):
            assert (await visitor.ask(method)).status_code not in (401, 403)
        await visitor.ask()
        await visitor.enter(scope="mcp:write")
        assert (await visitor.call_tool()).status_code == 200
        assert (await visitor.ask()).status_code == 403
        assert visitor.told["scope"] == "mcp:basic"

    assert (await statuses("scope-step-up", visit))["scope-step-up-initial"] == "WARNING"


@pytest.mark.parametrize(
    ("attempts", "status"), [(0, "FAILURE"), (1, "SUCCESS"), (3, "SUCCESS"), (4, "FAILURE"), (6, "FAILURE")]
)
async def test_attempts_are_counted(attempts: int, status: str) -> None:
    async def visit(visitor: Visitor) -> None:
        assert (await visitor.ask()).status_code == 401
        await visitor.look_up()
        await visitor.register()
        for attempt in range(attempts):
            await visitor.redeem((await visitor.authorize(scope="mcp:admin"))["code"])
            assert (await visitor.ask()).status_code == (403 if attempt < 3 else 410)

    found = await outcome("scope-retry-limit", visit)
    assert [check.status.value for check in found.checks if check.id == "scope-retry-limit"] == [status]
    remarks = [check for check in found.checks if check.id == "scope-retry-auth-attempt"]
    assert [(check.name, check.status) for check in remarks] == [
        (f"Authorization attempt {number + 1}", Status.INFO) for number in range(attempts)
    ]


@pytest.mark.parametrize(
    ("grant_types", "status"),
    [
        (["authorization_code", "refresh_token"], "SUCCESS"),
        (["authorization_code"], "WARNING"),
        (None, "WARNING"),
        ("refresh_token", "WARNING"),
        ([["refresh_token"]], "WARNING"),
        ({"refresh_token": 1}, "WARNING"),
    ],
)
async def test_grant_types_are_a_list_with_refresh_token(grant_types: Any, status: str) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        await visitor.register(grant_types=grant_types)
        await visitor.authorize(scope="mcp:basic offline_access")

    found = await statuses("offline-access-scope", visit)
    assert found["sep-2207-client-metadata-grant-types"] == status
    assert found["sep-2207-offline-access-requested"] == "SUCCESS"
