"""Tokens, codes and credentials on their way: what may be seen of them, and by whom."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from pytest_mcp_conformance.oauth.pkce import challenge_of
from pytest_mcp_conformance.scenarios.client.auth.code_protection import is_secure
from tests.scenarios.client.auth.visitor import Visitor, statuses

DEFAULT = "metadata-default"
CHECKS = ("x-token-in-every-request", "x-token-not-in-query")


async def entered(visitor: Visitor) -> None:
    """Get a token and use it once."""
    await visitor.ask()
    await visitor.enter()
    await visitor.ask()


@pytest.mark.parametrize(
    ("method", "rpc_method", "authorization", "query", "expected"),
    [
        ("GET", None, "Bearer {}", "", ("SUCCESS", "SUCCESS")),
        ("GET", None, "bearer  {}", "", ("SUCCESS", "SUCCESS")),
        ("GET", None, "", "", ("FAILURE", "SUCCESS")),
        ("GET", None, "Bearer", "", ("FAILURE", "SUCCESS")),
        ("GET", None, "Basic {}", "", ("FAILURE", "SUCCESS")),
        ("GET", None, "Bearer another", "", ("SUCCESS", "SUCCESS")),  # decided by invalid-bearer-token
        ("DELETE", None, "", "", ("FAILURE", "SUCCESS")),
        ("OPTIONS", None, "", "", ("SUCCESS", "SUCCESS")),  # of a browser, which sends no credentials with it
        ("POST", "tools/list", "", "", ("FAILURE", "SUCCESS")),
        ("POST", "initialize", "", "", ("SUCCESS", "SUCCESS")),  # of a further connection
        ("GET", None, "Bearer {}", "?access_token=x", ("SUCCESS", "FAILURE")),
        ("GET", None, "Bearer {}", "?key={}", ("SUCCESS", "FAILURE")),
        ("GET", None, "", "?access_token={}", ("FAILURE", "FAILURE")),
        ("GET", None, "Bearer {}", "?access_token=", ("SUCCESS", "SUCCESS")),
    ],
)
async def test_the_token_is_in_the_header_of_every_request(
    method: str, rpc_method: str | None, authorization: str, query: str, expected: tuple[str, str]
) -> None:
    async def visit(visitor: Visitor) -> None:
        await entered(visitor)
        headers = {"authorization": authorization.format(visitor.token)} if authorization else {}
        body = {"jsonrpc": "2.0", "id": 2, "method": rpc_method} if rpc_method else None
        url = visitor.call.url + query.format(visitor.token)
        await visitor.http.request(method, url, json=body, headers=headers)

    found = await statuses(DEFAULT, visit)
    assert tuple(found[check] for check in CHECKS) == expected


@pytest.mark.parametrize(
    ("verifier", "status"),
    [
        ("a" * 42, "FAILURE"),
        ("a" * 43, "SUCCESS"),
        ("-._~" * 32, "SUCCESS"),
        ("a" * 129, "FAILURE"),
        ("a" * 43 + "+", "FAILURE"),
        ("a" * 43 + "\n", "FAILURE"),
        ("ä" * 43, "FAILURE"),
    ],
)
async def test_the_form_of_a_verifier(verifier: str, status: str) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        await visitor.register()
        code = (await visitor.authorize(code_challenge=challenge_of(verifier)))["code"]
        await visitor.redeem(code, code_verifier=verifier)

    found = await statuses(DEFAULT, visit)
    assert (found["x-code-verifier-form"], found["pkce-verifier-matches-challenge"]) == (status, "SUCCESS")


@pytest.mark.parametrize(
    ("uri", "secure"),
    [
        ("https://client.example/callback", True),
        ("http://localhost:3000/callback", True),
        ("http://127.0.0.1/callback", True),
        ("http://[::1]:7/", True),
        ("com.example.client:/callback", True),
        ("http://client.example/callback", False),
        ("HTTP://client.example/callback", False),
        ("http://localhost.client.example/", False),
        ("http://10.0.0.1/", False),
        ("http://[", False),
        ("http:", False),
    ],
)
def test_where_a_code_may_be_sent(uri: str, secure: bool) -> None:  # noqa: FBT001 -- a column
    assert is_secure(uri) is secure


@pytest.mark.parametrize(
    ("registered", "asked", "status"),
    [
        (["https://client.example/callback"], "https://client.example/callback", "SUCCESS"),
        (["https://client.example/callback"], "http://client.example/callback", "FAILURE"),
        (["http://client.example/callback", 7], "http://localhost:3000/callback", "FAILURE"),
        ("http://client.example/callback", "http://localhost:3000/callback", "SUCCESS"),  # which is no list
    ],
)
async def test_every_redirect_uri_counts(registered: Any, asked: str, status: str) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        await visitor.register(redirect_uris=registered)
        await visitor.authorize(redirect_uri=asked)

    assert (await statuses(DEFAULT, visit))["x-redirect-uri-secure"] == status


@pytest.mark.parametrize(
    ("scenario", "check", "header", "body", "status"),
    [
        ("basic", "x-one-client-authentication", True, {}, "SUCCESS"),  # client_id alone authenticates nobody
        ("basic", "x-one-client-authentication", True, {"client_secret": "s"}, "FAILURE"),
        ("basic", "x-one-client-authentication", True, {"client_assertion": "a.b.c"}, "FAILURE"),
        ("none", "x-public-client-names-itself", False, {}, "SUCCESS"),
        ("none", "x-public-client-names-itself", False, {"client_id": None}, "FAILURE"),
        ("none", "x-public-client-names-itself", False, {"client_id": ""}, "FAILURE"),
        ("none", "x-public-client-names-itself", True, {"client_id": None}, None),
    ],
)
async def test_who_a_client_says_that_it_is(
    scenario: str,
    check: str,
    header: bool,  # noqa: FBT001 -- a column
    body: dict[str, str | None],
    status: str | None,
) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        await visitor.register()
        client_id, secret = visitor.client["client_id"], visitor.client.get("client_secret", "made up")
        auth = httpx.BasicAuth(client_id, secret) if header else None
        await visitor.redeem((await visitor.authorize())["code"], auth=auth, **body)

    assert (await statuses(f"token-endpoint-auth-{scenario}", visit)).get(check) == status
