"""The reference authorization server keeps the rules that the leg's scenarios cannot see: what it must refuse, it refuses."""

from __future__ import annotations

import base64
import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from pytest_mcp_conformance.authorization.forms import first_form
from pytest_mcp_conformance.reference.authorization import CONFIDENTIAL, PUBLIC, ReferenceAuthorizationServer
from tests.authorization.scripted import Told, scripted

ISSUER = "http://127.0.0.1:8000"
CALLBACK = "http://127.0.0.1:4711/callback"
VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
REQUEST = {
    "response_type": "code",
    "client_id": PUBLIC.id,
    "state": "st/te +",
    "redirect_uri": CALLBACK,
    "code_challenge": CHALLENGE,
    "code_challenge_method": "S256",
}
BASIC = (CONFIDENTIAL.id, str(CONFIDENTIAL.secret))


@dataclass
class Clock:
    """Time that passes when a test says so."""

    now: float = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def http(clock: Clock) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=ReferenceAuthorizationServer(clock=clock))
    async with httpx.AsyncClient(transport=transport, base_url=ISSUER) as client:
        yield client


async def asked(http: httpx.AsyncClient, **changes: Any) -> httpx.Response:
    parameters = {name: value for name, value in {**REQUEST, **changes}.items() if value is not None}
    return await http.get("/authorize", params=parameters)


async def decided(http: httpx.AsyncClient, page: httpx.Response, decision: str = "allow") -> dict[str, str]:
    form = first_form(page.text)
    assert form is not None, page.text
    answer = await http.post("/authorize", data={**dict(form.fields), "decision": decision})
    assert answer.status_code == 303
    return redirected(answer)


def redirected(answer: httpx.Response) -> dict[str, str]:
    location = answer.headers["location"]
    assert location.startswith(f"{CALLBACK}?")
    return dict(parse_qsl(urlsplit(location).query, strict_parsing=True))


async def code(http: httpx.AsyncClient, **changes: Any) -> str:
    return (await decided(http, await asked(http, **changes)))["code"]


async def redeemed(http: httpx.AsyncClient, code_: str, *, auth: Any = None, **changes: Any) -> httpx.Response:
    form = {"grant_type": "authorization_code", "code": code_, "redirect_uri": CALLBACK, "code_verifier": VERIFIER}
    form |= {} if auth else {"client_id": PUBLIC.id}
    given = {name: value for name, value in {**form, **changes}.items() if value is not None}
    return await http.post("/token", data=given, auth=auth)


def refusal(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["cache-control"] == "no-store"
    return answer.status_code, answer.json()["error"]


async def test_a_user_who_agrees_sends_the_client_a_code_that_is_good_for_tokens(http: httpx.AsyncClient) -> None:
    answer = await decided(http, await asked(http, scope="mcp", resource="https://mcp.example.com/mcp"))
    assert (answer["state"], answer["iss"]) == ("st/te +", ISSUER)
    tokens = await redeemed(http, answer["code"], resource="https://mcp.example.com/mcp")
    assert tokens.status_code == 200
    assert (tokens.json()["token_type"], tokens.json()["scope"]) == ("Bearer", "mcp")
    assert tokens.headers["cache-control"] == "no-store"


async def test_a_user_who_does_not_agree_sends_the_client_an_error(http: httpx.AsyncClient) -> None:
    answer = await decided(http, await asked(http), "deny")
    assert (answer["error"], answer["state"], answer["iss"]) == ("access_denied", "st/te +", ISSUER)


@pytest.mark.parametrize(
    "change",
    [
        {"client_id": "unknown"},
        {"client_id": None},
        {"redirect_uri": None},
        {"redirect_uri": "http://127.0.0.1:4711/other"},
        {"redirect_uri": "http://127.0.0.1:4711/callback/"},
        {"redirect_uri": "http://127.0.0.1:4711/callback?a=b"},
        {"redirect_uri": "http://localhost:4711/callback"},
        {"redirect_uri": "http://127.0.0.1.example.com:4711/callback"},
        {"redirect_uri": "http://127.0.0.1:4711@example.com/callback"},
        {"redirect_uri": "https://127.0.0.1:4711/callback"},
        {"redirect_uri": [CALLBACK, CALLBACK]},
    ],
    ids=str,
)
async def test_nobody_is_sent_to_an_address_that_is_not_registered(http: httpx.AsyncClient, change: Any) -> None:
    answer = await asked(http, **change)
    assert (answer.status_code, "location" in answer.headers, first_form(answer.text)) == (400, False, None)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": None}, "invalid_request"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"scope": "everything"}, "invalid_scope"),
        ({"scope": ["mcp", "mcp"]}, "invalid_request"),
        ({"resource": "/mcp"}, "invalid_target"),
        ({"resource": "https://mcp.example.com/#a"}, "invalid_target"),
        ({"nonce": ["a", "b"]}, "invalid_request"),
    ],
    ids=str,
)
async def test_what_cannot_be_asked_is_told_to_the_client(http: httpx.AsyncClient, change: Any, error: str) -> None:
    answer = redirected(await asked(http, **change))
    assert (answer["error"], answer["state"], answer["iss"]) == (error, "st/te +", ISSUER)


async def test_a_question_is_answered_once(http: httpx.AsyncClient) -> None:
    page = await asked(http)
    await decided(http, page)
    form = first_form(page.text)
    assert form is not None
    assert (await http.post("/authorize", data=dict(form.fields))).status_code == 400
    assert (await http.post("/authorize", data={"ticket": "made-up", "decision": "allow"})).status_code == 400


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"code_verifier": "w" * 43}, (400, "invalid_grant")),
        ({"code_verifier": CHALLENGE}, (400, "invalid_grant")),
        ({"code_verifier": "v" * 42}, (400, "invalid_request")),
        ({"code_verifier": None}, (400, "invalid_request")),
        ({"redirect_uri": "http://127.0.0.1:4712/callback"}, (400, "invalid_grant")),
        ({"redirect_uri": None}, (400, "invalid_request")),
        ({"code": "made-up"}, (400, "invalid_grant")),
        ({"grant_type": "password"}, (400, "unsupported_grant_type")),
        ({"grant_type": None}, (400, "invalid_request")),
        ({"client_id": CONFIDENTIAL.id}, (401, "invalid_client")),
        ({"client_id": CONFIDENTIAL.id, "client_secret": CONFIDENTIAL.secret}, (400, "invalid_grant")),
        ({"client_id": PUBLIC.id, "client_secret": "made-up"}, (401, "invalid_client")),
        ({"client_id": "unknown"}, (401, "invalid_client")),
        ({"client_id": None}, (401, "invalid_client")),
        ({"resource": "https://mcp.example.com/mcp"}, (400, "invalid_target")),
    ],
    ids=str,
)
async def test_a_code_is_good_only_as_it_was_asked_for(
    http: httpx.AsyncClient, change: Any, expected: tuple[int, str]
) -> None:
    assert refusal(await redeemed(http, await code(http), **change)) == expected


async def test_a_code_is_good_once_and_what_came_of_it_ends_with_the_second_time(http: httpx.AsyncClient) -> None:
    code_ = await code(http)
    tokens = (await redeemed(http, code_)).json()
    assert refusal(await redeemed(http, code_)) == (400, "invalid_grant")
    form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"], "client_id": PUBLIC.id}
    assert refusal(await http.post("/token", data=form)) == (400, "invalid_grant")


async def test_a_code_is_good_for_a_minute(http: httpx.AsyncClient, clock: Clock) -> None:
    code_ = await code(http)
    clock.now += 61
    assert refusal(await redeemed(http, code_)) == (400, "invalid_grant")


async def test_a_refresh_token_is_replaced_and_an_old_one_ends_the_grant(http: httpx.AsyncClient) -> None:
    form = {"grant_type": "refresh_token", "client_id": PUBLIC.id}
    first = (await redeemed(http, await code(http))).json()
    second = (await http.post("/token", data=form | {"refresh_token": first["refresh_token"]})).json()
    assert len({first["access_token"], second["access_token"], first["refresh_token"], second["refresh_token"]}) == 4
    assert refusal(await http.post("/token", data=form | {"refresh_token": first["refresh_token"]})) == (
        400,
        "invalid_grant",
    )
    assert refusal(await http.post("/token", data=form | {"refresh_token": second["refresh_token"]})) == (
        400,
        "invalid_grant",
    )


async def test_a_refresh_token_is_for_its_client_and_for_no_more_than_was_granted(http: httpx.AsyncClient) -> None:
    tokens = (await redeemed(http, await code(http))).json()
    form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    assert refusal(await http.post("/token", data=form, auth=BASIC)) == (400, "invalid_grant")
    wider = form | {"client_id": PUBLIC.id, "scope": "mcp"}
    assert refusal(await http.post("/token", data=wider)) == (400, "invalid_grant")
    elsewhere = form | {"client_id": PUBLIC.id, "resource": "https://mcp.example.com/mcp"}
    assert refusal(await http.post("/token", data=elsewhere)) == (400, "invalid_target")


async def test_a_confidential_client_authenticates_in_either_way_and_not_in_both(http: httpx.AsyncClient) -> None:
    async def of_it() -> str:
        return await code(http, client_id=CONFIDENTIAL.id)

    posted = {"client_id": CONFIDENTIAL.id, "client_secret": CONFIDENTIAL.secret}
    assert (await redeemed(http, await of_it(), auth=BASIC)).status_code == 200
    assert (await redeemed(http, await of_it(), **posted)).status_code == 200
    assert refusal(await redeemed(http, await of_it(), auth=BASIC, **posted)) == (400, "invalid_request")
    assert refusal(await redeemed(http, await of_it(), auth=BASIC, client_id=PUBLIC.id)) == (400, "invalid_request")
    refused = await redeemed(http, await of_it(), auth=(CONFIDENTIAL.id, "wrong"))
    assert refusal(refused) == (401, "invalid_client")
    assert refused.headers["www-authenticate"].startswith("Basic ")


@pytest.mark.parametrize("authorization", ["Basic", "Basic %", "Basic bm8=", "Bearer abc", "Basic /w==", ""])
async def test_an_authorization_header_that_cannot_be_read_is_refused(
    http: httpx.AsyncClient, authorization: str
) -> None:
    form = {"grant_type": "authorization_code", "code": "a"}
    answer = await http.post("/token", data=form, headers={"Authorization": authorization})
    assert refusal(answer) == (401, "invalid_client")


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        (b'{"grant_type": "authorization_code"}', "application/json"),
        (b"grant_type=a", ""),
        (b"grant_type=a&grant_type=b", "application/x-www-form-urlencoded"),
        (b"&".join([b"a=b"] * 99), "application/x-www-form-urlencoded"),
        (b"\xff\x00", "application/x-www-form-urlencoded"),
    ],
)
async def test_junk_at_the_token_endpoint_is_refused(
    http: httpx.AsyncClient, content: bytes, content_type: str
) -> None:
    answer = await http.post("/token", content=content, headers={"Content-Type": content_type})
    assert refusal(answer)[0] in (400, 401)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("GET", "/token", 405),
        ("PUT", "/authorize", 405),
        ("POST", "/.well-known/oauth-authorization-server", 405),
        ("POST", "/authorize", 400),
    ],
)
async def test_nothing_else_is_served(http: httpx.AsyncClient, method: str, path: str, status: int) -> None:
    assert (await http.request(method, path)).status_code == status


async def test_too_large_a_form_and_a_foreign_host_are_refused(http: httpx.AsyncClient) -> None:
    assert (await http.post("/token", content=b"a" * 100_000)).status_code == 413
    assert (await http.get("/authorize", headers={"Host": "example.com"})).status_code == 403


@pytest.mark.parametrize(
    ("document", "status"),
    [
        ({}, 200),
        ({"redirect_uris": ["http://127.0.0.1/other"]}, 400),
        ({"redirect_uris": []}, 400),
        ({"redirect_uris": "http://127.0.0.1/callback"}, 400),
        ({"client_id": "http://127.0.0.1/another"}, 400),
        ({"client_secret": "abc"}, 400),
        ({"padding": "a" * 20_000}, 400),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_a_client_is_named_by_the_url_of_its_metadata(
    http: httpx.AsyncClient, document: Any, status: int
) -> None:
    def told(asked_: Any) -> Told:
        url = f"http://{asked_.headers['Host']}/client.json"
        return Told(body={"client_id": url, "redirect_uris": [CALLBACK], **document})

    with scripted({"/client.json": told}) as host:
        client_id = f"{host.url}/client.json"
        page = await asked(http, client_id=client_id)
        assert page.status_code == status
        if status == 200:
            answer = await decided(http, page)
            assert (await redeemed(http, answer["code"], client_id=client_id)).status_code == 200


async def test_metadata_of_a_client_is_fetched_from_nowhere_but_a_plain_https_url(http: httpx.AsyncClient) -> None:
    with scripted({}) as host:
        missing = f"{host.url}/client.json"
        for client_id in (missing, host.url, f"{missing}#a", "file:///etc/passwd", "http://example.com/c", "http://["):
            assert (await asked(http, client_id=client_id)).status_code == 400
    assert [each.path for each in host.asked] == ["/client.json"]


async def test_what_a_client_is_called_is_no_html(http: httpx.AsyncClient) -> None:
    def told(asked_: Any) -> Told:
        url = f"http://{asked_.headers['Host']}/<script>"
        return Told(body={"client_id": url, "redirect_uris": [CALLBACK]})

    with scripted({"/<script>": told, "/%3Cscript%3E": told}) as host:
        page = await asked(http, client_id=f"{host.url}/<script>")
    assert page.status_code == 200
    assert "<script>" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]


def test_the_command_serves_with_its_faults_until_a_signal_comes() -> None:
    command = [sys.executable, "-m", "pytest_mcp_conformance.reference.authorization", "--fault", "pkce-unannounced"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        issuer = process.stdout.readline().strip()
        document = httpx.get(f"{issuer}/.well-known/oauth-authorization-server").json()
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(5) == 0
    assert (document["issuer"], "code_challenge_methods_supported" in document) == (issuer, False)
