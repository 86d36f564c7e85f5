"""Discovery and the resource parameter: odd ways to the token."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scenarios.client.auth.visitor import RESOURCE_ROOT, WELL_KNOWN, Visitor, outcome, statuses

PARAMETER = (
    "resource-parameter-in-authorization",
    "resource-parameter-in-token",
    "resource-parameter-valid-uri",
    "resource-parameter-consistency",
    "resource-parameter-matches-prm",
)


@pytest.mark.parametrize(
    ("method", "path", "trapped"),
    [
        ("GET", RESOURCE_ROOT, True),
        ("HEAD", RESOURCE_ROOT, True),
        ("GET", f"{RESOURCE_ROOT}/", True),
        ("POST", RESOURCE_ROOT, False),
        ("GET", f"{RESOURCE_ROOT}/other", False),
    ],
)
async def test_looking_at_the_root_is_told_also_afterwards(method: str, path: str, *, trapped: bool) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.enter()
        assert (await visitor.http.request(method, f"{visitor.origin}{path}")).status_code == 404

    found = await statuses("metadata-default", visit)
    assert found.get("prm-priority-order") == ("FAILURE" if trapped else None)
    assert found["token-request"] == "SUCCESS"


@pytest.mark.parametrize(
    ("scenario", "location"),
    [("metadata-var2", f"{WELL_KNOWN}/tenant1"), ("metadata-var3", "/tenant1/.well-known/openid-configuration")],
)
async def test_looking_for_an_issuer_without_its_path_is_told(scenario: str, location: str) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        where = visitor.told.get("resource_metadata") or f"{visitor.origin}{RESOURCE_ROOT}"
        issuer: str = (await visitor.http.get(where)).json()["authorization_servers"][0]
        base = issuer.removesuffix("/tenant1")
        assert (await visitor.http.get(f"{base}{WELL_KNOWN}")).status_code == 404
        assert (await visitor.http.get(f"{base}{location}")).json()["issuer"] == issuer

    found = await statuses(scenario, visit)
    assert found["authorization-server-metadata-wrong-path"] == "FAILURE"
    assert found["authorization-server-metadata"] == "SUCCESS"


async def test_each_step_that_was_not_taken_is_told() -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()

    missing = {"authorization-server-metadata", "client-registration", "authorization-request", "token-request"}
    at_root = await statuses("metadata-var2", visit)
    assert {id_ for id_, status in at_root.items() if status == "FAILURE"} == {*missing, *PARAMETER[:2]}
    default = await statuses("metadata-default", visit)
    assert {id_ for id_, status in default.items() if status == "FAILURE"} == {
        *missing,
        *PARAMETER[:2],
        "prm-pathbased-requested",
    }


def _parameters(found: dict[str, str]) -> str:
    """Return the status of each check of the resource parameter as one letter, a dash for none."""
    return "".join(found.get(id_, "-")[0] for id_ in PARAMETER)


@pytest.mark.parametrize(
    ("authorizing", "redeeming", "expected"),
    [
        ("{}", "{}", "SSSSS"),
        (None, "{}", "FSS-S"),
        ("{}", None, "SFS-S"),
        (None, None, "FF---"),
        ("", "", "FF---"),
        ("{}/", "{}/", "SSSSF"),
        ("{}", "{}/", "SSSFF"),
        ("{}#here", "{}", "SSFFF"),
        ("nothing", "nothing", "SSFSF"),
        (["{}", "{}"], "{}", "SSSSS"),
        (["{}", "http://other.example/"], "{}", "SSSFF"),
        (["{}", "#"], ["#", "{}"], "SSFSF"),
    ],
)
async def test_the_resource_parameter(authorizing: Any, redeeming: Any, expected: str) -> None:
    def said(value: Any, resource: str) -> Any:
        if isinstance(value, list):
            return [each.format(resource) for each in value]
        return None if value is None else value.format(resource)

    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        resource = visitor.resource["resource"]
        await visitor.register()
        code = (await visitor.authorize(resource=said(authorizing, resource)))["code"]
        await visitor.redeem(code, resource=said(redeeming, resource))

    assert _parameters(await statuses("metadata-default", visit)) == expected


async def test_without_metadata_nothing_is_said_of_what_they_would_say() -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()

    async def guessing(visitor: Visitor) -> None:
        visitor.resource = {"resource": visitor.call.url}
        visitor.server = {"authorization_endpoint": f"{visitor.origin}/authorize"}
        await visitor.authorize()

    assert _parameters(await statuses("token-endpoint-auth-none", visit)) == "FF---"
    assert _parameters(await statuses("token-endpoint-auth-none", guessing)) == "FF---"


async def test_the_latest_requests_count() -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        await visitor.register()
        await visitor.redeem((await visitor.authorize(resource=None))["code"], resource=None)
        await visitor.redeem((await visitor.authorize())["code"])

    assert _parameters(await statuses("token-endpoint-auth-none", visit)) == "SSSSS"


@pytest.mark.parametrize("kind", ["native", "web"])
async def test_an_application_type_is_one_of_two(kind: str) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        await visitor.register(application_type=kind)

    assert (await statuses("basic-cimd", visit))["sep-837-application-type-present"] == "SUCCESS"
    assert "sep-837-application-type-present" not in await statuses("basic-cimd", visit, revision="2025-11-25")


@pytest.mark.parametrize("kind", ["Native", "", None, ["native"], {"native": True}])
async def test_and_nothing_else(kind: Any) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        await visitor.register(application_type=kind)

    assert (await statuses("basic-cimd", visit))["sep-837-application-type-present"] == "FAILURE"


async def test_every_request_is_decided_on() -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        await visitor.register()
        for challenge in ("one", None, "two"):
            await visitor.authorize(code_challenge=challenge, code_challenge_method=challenge and "plain")

    found = await outcome("metadata-default", visit)
    decided = [(check.id, check.status.value) for check in found.checks]
    assert [status for id_, status in decided if id_ == "pkce-code-challenge-sent"] == ["SUCCESS", "FAILURE", "SUCCESS"]
    assert [status for id_, status in decided if id_ == "pkce-s256-method-used"] == ["FAILURE"] * 3
    assert [status for id_, status in decided if id_ == "authorization-request"] == ["SUCCESS"] * 3


async def test_one_origin_serves_both_roles() -> None:
    async def visit(visitor: Visitor) -> None:
        assert (await visitor.ask()).headers["www-authenticate"] == "Bearer"
        visitor.server = (await visitor.http.get(f"{visitor.origin}{WELL_KNOWN}")).json()
        assert visitor.server["token_endpoint"] == f"{visitor.origin}/oauth/token"
        await visitor.register()
        back = await visitor.authorize()
        assert back["iss"] == visitor.origin
        await visitor.redeem(back["code"])
        assert (await visitor.ask()).status_code == 200
        for path in ("/token", RESOURCE_ROOT, "/authorize"):
            assert (await visitor.http.get(f"{visitor.origin}{path}")).status_code == 404

    found = await statuses("2025-03-26-oauth-metadata-backcompat", visit, revision="2025-03-26")
    assert set(found.values()) == {"SUCCESS"}


async def test_default_endpoints_ask_for_no_proof() -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        assert (await visitor.http.get(f"{visitor.origin}{WELL_KNOWN}")).status_code == 404
        visitor.server = {
            "registration_endpoint": f"{visitor.origin}/register",
            "authorization_endpoint": f"{visitor.origin}/authorize",
            "token_endpoint": f"{visitor.origin}/token",
        }
        await visitor.register()
        back = await visitor.authorize(code_challenge=None, code_challenge_method=None)
        assert "iss" not in back
        await visitor.redeem(back["code"], code_verifier=None)
        assert (await visitor.ask()).status_code == 200

    found = await statuses("2025-03-26-oauth-endpoint-fallback", visit, revision="2025-03-26")
    assert set(found.values()) == {"SUCCESS"}
    assert not [id_ for id_ in found if id_.startswith("pkce")]
