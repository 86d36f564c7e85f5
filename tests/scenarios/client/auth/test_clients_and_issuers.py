"""Who the client is, and whom it trusts."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.scenarios.client.auth.visitor import Visitor, outcome, statuses


@pytest.mark.parametrize(
    ("scenario", "presented", "status"),
    [
        ("basic", "basic", "SUCCESS"),
        ("basic", "post", "FAILURE"),
        ("basic", "none", "FAILURE"),
        ("basic", "both", "SUCCESS"),  # judged as Basic, as published
        ("basic", "lower", "SUCCESS"),
        ("basic", "colon", "FAILURE"),
        ("post", "post", "SUCCESS"),
        ("post", "basic", "FAILURE"),
        ("post", "none", "FAILURE"),
        ("none", "none", "SUCCESS"),
        ("none", "post", "FAILURE"),
        ("none", "basic", "FAILURE"),
        ("none", "assertion", "FAILURE"),
    ],
)
async def test_the_method_is_the_one_that_is_supported(scenario: str, presented: str, status: str) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        await visitor.register()
        code = (await visitor.authorize())["code"]
        secret = visitor.client.get("client_secret", "made up")
        header = httpx.BasicAuth(visitor.client["client_id"], secret)._auth_header
        changes: dict[str, dict[str, Any]] = {
            "basic": {"auth": (visitor.client["client_id"], secret)},
            "both": {"auth": (visitor.client["client_id"], secret), "client_secret": secret},
            "lower": {"auth": _Header(header.replace("Basic", "basic"))},
            "colon": {"auth": _Header("Basic bWU=")},
            "post": {"client_secret": secret},
            "none": {"client_secret": None},
            "assertion": {"client_secret": None, "client_assertion": "a.b.c"},
        }
        await visitor.redeem(code, **changes[presented])

    assert (await statuses(f"token-endpoint-auth-{scenario}", visit))["token-endpoint-auth-method"] == status


class _Header(httpx.Auth):
    """Sends an Authorization header as it is."""

    def __init__(self, value: str) -> None:
        self.value = value

    def auth_flow(self, request: httpx.Request) -> Any:
        request.headers["authorization"] = self.value
        yield request


@pytest.mark.parametrize(
    ("auth", "body", "status", "answer"),
    [
        (True, {}, "SUCCESS", 200),
        (False, {"client_id": "pre-registered-client", "client_secret": "pre-registered-secret"}, "FAILURE", 401),
        (False, {"client_id": "pre-registered-client"}, "FAILURE", 401),
        (("pre-registered-client", "wrong"), {}, "FAILURE", 401),
        (("another", "pre-registered-secret"), {}, "FAILURE", 401),
    ],
)
async def test_the_credentials_of_the_context(auth: Any, body: dict[str, str], status: str, answer: int) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        assert "registration_endpoint" not in visitor.server
        context = visitor.call.context or {}
        assert context["issuer"] == visitor.server["issuer"]
        visitor.client = {"client_id": context["client_id"]}
        given = (context["client_id"], context["client_secret"]) if auth is True else auth or None
        found = await visitor.redeem((await visitor.authorize())["code"], auth=given, **body)
        assert found.status_code == answer

    assert (await statuses("pre-registration", visit))["pre-registration-auth"] == status


async def test_who_registers_where_nobody_is_told_to_gets_no_token() -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        visitor.server["registration_endpoint"] = visitor.server["issuer"] + "/register"
        await visitor.register()
        auth = (visitor.client["client_id"], visitor.client["client_secret"])
        assert (await visitor.redeem((await visitor.authorize())["code"], auth=auth)).status_code == 401

    found = await statuses("pre-registration", visit)
    assert (found["pre-registration-auth"], found["client-registration"]) == ("FAILURE", "SUCCESS")


@pytest.mark.parametrize(
    ("client_id", "status"),
    [
        ("https://conformance-test.local/client-metadata.json", "SUCCESS"),
        ("https://conformance-test.local/client-metadata.json/", "WARNING"),
        ("http://conformance-test.local/client-metadata.json", "WARNING"),
        (None, "WARNING"),
    ],
)
async def test_the_url_of_the_client(client_id: str | None, status: str) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        await visitor.authorize(client_id=client_id)

    assert (await statuses("basic-cimd", visit))["cimd-client-id-used"] == status


REJECTIONS = {
    "iss-supported-missing": "sep-2468-client-reject-missing-iss",
    "iss-wrong-issuer": "sep-2468-client-compare-iss-supported",
    "iss-unexpected": "sep-2468-client-compare-iss-unadvertised",
    "iss-normalized": "sep-2468-client-no-normalization",
}


@pytest.mark.parametrize(("scenario", "check"), REJECTIONS.items())
@pytest.mark.parametrize("goes_on", [False, True])
async def test_a_response_that_is_not_in_order(scenario: str, check: str, *, goes_on: bool) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        await visitor.register()
        await visitor.authorize()
        if goes_on:  # any token request counts, whatever it holds
            await visitor.redeem("made up", grant_type="nothing")

    assert (await statuses(scenario, visit))[check] == ("FAILURE" if goes_on else "SUCCESS")


@pytest.mark.parametrize(("scenario", "check"), REJECTIONS.items())
async def test_who_did_not_read_the_metadata_could_not_reject(scenario: str, check: str) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        issuer = (await visitor.http.get(visitor.told["resource_metadata"])).json()["authorization_servers"][0]
        visitor.server = {"authorization_endpoint": f"{issuer}/authorize"}
        await visitor.authorize()

    found = await outcome(scenario, visit)
    [decided] = [each for each in found.checks if each.id == check]
    assert (decided.details or {})["stopReason"] == "as-metadata-not-requested"


@pytest.mark.parametrize("step", ["register", "authorize", "token", None])
async def test_metadata_of_another_issuer_are_not_used(step: str | None) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        if step == "register":
            await visitor.register()
        elif step == "authorize":
            await visitor.authorize()
        elif step == "token":
            await visitor.redeem("made up")

    found = await statuses("metadata-issuer-mismatch", visit)
    assert found["sep-2468-client-validate-metadata-issuer"] == ("FAILURE" if step else "SUCCESS")


@pytest.mark.parametrize("goes_on", [False, True])
async def test_metadata_of_another_resource_lead_to_no_authorization(*, goes_on: bool) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        await visitor.register()
        if goes_on:
            await visitor.authorize()

    expected = "FAILURE" if goes_on else "SUCCESS"
    assert (await statuses("resource-mismatch", visit))["resource-mismatch-rejected"] == expected


MIGRATION = (
    "sep-2352-reregister-on-as-change",
    "sep-2352-no-reuse-on-as-change",
    "sep-2352-no-cross-as-credential-reuse",
)


@pytest.mark.parametrize(
    ("registers", "reuses", "expected"),
    [
        (True, None, "SSS"),
        (True, "authorize", "SFF"),
        (True, "token", "SFF"),
        (True, "basic", "SFF"),
        (False, "authorize", "FFF"),
        (False, None, "FSS"),
    ],
)
async def test_the_way_to_another_authorization_server(*, registers: bool, reuses: str | None, expected: str) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.enter()
        previous = visitor.client["client_id"]
        assert (await visitor.ask()).status_code == 200
        assert (await visitor.ask()).status_code == 401
        await visitor.look_up()
        if registers:
            await visitor.register()
        elif reuses is None:
            visitor.client = {"client_id": "made up"}
        if reuses == "authorize":
            visitor.client = {"client_id": previous}
        code = (await visitor.authorize())["code"]
        if reuses == "token":
            await visitor.redeem(code, client_id=previous)
        elif reuses == "basic":
            await visitor.redeem(code, auth=(previous, "x"))
        else:
            assert (await visitor.redeem(code)).status_code == 200
            assert (await visitor.call_tool()).status_code == 200

    found = await statuses("authorization-server-migration", visit)
    assert "".join(found[id_][0] for id_ in MIGRATION) == expected


async def test_who_never_comes_to_the_new_server_has_kept_nothing_apart() -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.enter()
        await visitor.ask()
        await visitor.ask()
        await visitor.look_up()
        await visitor.register()

    found = await statuses("authorization-server-migration", visit)
    assert [found[id_] for id_ in MIGRATION] == ["SUCCESS", "FAILURE", "FAILURE"]
