"""Authorization servers that answer anything: a verdict comes, in bounded time, and nothing is sent where it must not go."""

from __future__ import annotations

import gzip
from typing import Any

import pytest

from pytest_mcp_conformance.authorization import FollowedConsent
from pytest_mcp_conformance.model import Ending, Outcome
from pytest_mcp_conformance.scenarios.authorization.code_grant import _address_problems
from tests.authorization.runs import CODE_GRANT, METADATA, run, settings
from tests.authorization.scripted import WELL_KNOWN, Asked, Told, consenting, metadata, scripted

OPENID = "/.well-known/openid-configuration"
SCENARIOS = {METADATA: "authorization-server-metadata", CODE_GRANT: "authorization-code-grant"}
TOKENS = {"access_token": "a-token", "token_type": "Bearer"}


class Nobody:
    """A user who must not be asked."""

    within = 1.0

    async def give(self, url: str, *, client_id: str, redirect_uri: str) -> None:
        """See `Consent.give`."""
        raise AssertionError(url)


def failure(outcome: Outcome, check: str) -> str:
    """Return why `check` failed; nothing else must have."""
    assert (outcome.ending, outcome.reason) == (Ending.FAILED, None), outcome.reason
    assert [each.id for each in outcome.checks if each.status.value == "FAILURE"] == [check]
    return next(each.message or "" for each in outcome.checks if each.id == check)


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize(
    ("told", "why"),
    [
        pytest.param(Told(body="<html>"), "the body is no JSON object", id="html"),
        pytest.param(Told(body=b"\xff\xfe\x00"), "the body is no JSON object", id="bytes"),
        pytest.param(Told(body="null"), "the body is no JSON object", id="null"),
        pytest.param(Told(body=7), "the body is no JSON object", id="number"),
        pytest.param(Told(body="["), "the body is no JSON object", id="cut"),
        pytest.param(Told(body="[" * 5000 + "]" * 5000), "the body is no JSON object", id="deep"),
        pytest.param(Told(body={}), "authorization_endpoint is absent", id="empty"),
        pytest.param(Told(body=[{}]), "authorization_endpoint is absent", id="list"),
        pytest.param(Told(headers={"Content-Type": "text/html"}, body={}), 'Content-Type is "text/html"', id="type"),
        pytest.param(Told(body=b"{" + b" " * 65536, endless=True), "too large", id="huge"),
        pytest.param(
            Told(headers={"Content-Encoding": "gzip"}, body=gzip.compress(b" " * 40_000_000)), "too large", id="bomb"
        ),
        pytest.param(
            Told(status=302, headers={"Location": WELL_KNOWN}),
            "no well-known URL answers with status 200 (status 302, status 404)",
            id="redirect-loop",
        ),
        pytest.param(Told(status=500), "no well-known URL answers with status 200 (status 500, status 404)", id="500"),
    ],
)
async def test_metadata_that_is_none_is_a_failure(name: str, told: Told, why: str) -> None:
    with scripted({WELL_KNOWN: lambda _: told}) as server:
        outcome = await run(name, settings(server.url), consent=Nobody())
    assert why in failure(outcome, SCENARIOS[name])


@pytest.mark.parametrize("value", [7, None, True, "", [], {}, ["S256"], "code S256"])
@pytest.mark.parametrize(
    "member",
    [
        *("issuer", "authorization_endpoint", "token_endpoint", "response_types_supported"),
        "code_challenge_methods_supported",
    ],
)
async def test_a_member_of_another_type_is_told_and_breaks_nothing(member: str, value: Any) -> None:
    answer = metadata(**{member: value})
    good = (member, value) in [
        ("code_challenge_methods_supported", ["S256"]),
        ("authorization_endpoint", "code S256"),
        ("token_endpoint", "code S256"),
    ]
    with scripted({WELL_KNOWN: answer}) as server:
        outcome = await run(METADATA, settings(server.url))
    assert outcome.ending is (Ending.WARNED if good else Ending.FAILED)
    if not good:
        assert f"{member} is " in failure(outcome, SCENARIOS[METADATA])


async def test_the_first_answer_with_200_is_final() -> None:
    """A bad document is not mended by a good one at another well-known URL."""
    with scripted({WELL_KNOWN: lambda _: Told(body={}), OPENID: metadata()}) as server:
        outcome = await run(METADATA, settings(server.url))
    assert failure(outcome, SCENARIOS[METADATA])
    assert [each.path for each in server.asked] == [WELL_KNOWN]


async def test_a_well_known_url_that_does_not_answer_leads_to_the_next() -> None:
    with scripted({WELL_KNOWN: lambda _: Told(body=b" ", endless=True, status=404), OPENID: metadata()}) as server:
        outcome = await run(METADATA, settings(server.url))
    assert outcome.ending is Ending.WARNED  # for it does not take client metadata documents
    assert [each.path for each in server.asked] == [WELL_KNOWN, OPENID]


async def test_the_path_of_the_issuer_is_put_where_it_belongs() -> None:
    with scripted({}) as server:
        await run(METADATA, settings(f"{server.url}/tenant/"))
    assert [each.path for each in server.asked] == [
        f"{WELL_KNOWN}/tenant",
        f"{OPENID}/tenant",
        f"/tenant{OPENID}",
    ]


@pytest.mark.parametrize("name", SCENARIOS)
async def test_where_nobody_listens_nothing_can_be_said(name: str) -> None:
    with scripted({}) as server:
        pass
    outcome = await run(name, settings(server.url))
    assert (outcome.ending, outcome.checks) == (Ending.COULD_NOT_RUN, ())


@pytest.mark.parametrize(
    "endpoint",
    [
        *("file:///etc/passwd", "javascript:alert(1)", "ftp://127.0.0.1/", "/authorize", "http://", "http://["),
        *("http://127.0.0.1/\x1b[2J", "http://127.0.0.1/\nopen", "http://127.0.0.1/ä", "http://127.0.0.1/#here"),
        *("http://user:pass@127.0.0.1/", "http://127.0.0.1:99999/", "http://127.0.0.1:0/"),
    ],
)
@pytest.mark.parametrize("member", ["authorization_endpoint", "token_endpoint"])
async def test_an_endpoint_that_no_client_can_use_is_a_failure_and_no_user_is_sent_there(
    member: str, endpoint: str
) -> None:
    with scripted({WELL_KNOWN: metadata(**{member: endpoint})}) as server:
        outcome = await run(CODE_GRANT, settings(server.url), consent=Nobody())
    message = failure(outcome, CODE_GRANT)
    assert member in message
    assert message.isprintable()
    assert message.isascii()


def test_an_issuer_behind_tls_has_no_endpoint_without() -> None:
    there = "http://auth.example.com/token"
    assert _address_problems("token_endpoint", there, "https://auth.example.com") != []
    assert _address_problems("token_endpoint", there, "http://auth.example.com") == []
    assert _address_problems("token_endpoint", "https://other.example.com/token", "https://auth.example.com") == []


async def test_an_endpoint_may_be_of_another_origin_and_have_a_query() -> None:
    with scripted({"/token": lambda _: Told(body=TOKENS)}) as other:
        there = {"authorization_endpoint": f"{other.url}/authorize?tenant=1", "token_endpoint": f"{other.url}/token"}
        with scripted({WELL_KNOWN: metadata(**there)}) as server:
            outcome = await run(CODE_GRANT, settings(server.url))
    assert outcome.ending is Ending.PASSED
    assert [each.query.partition("&")[0] for each in other.to("/authorize")] == ["tenant=1"]


def page(body: str) -> Told:
    return Told(headers={"Content-Type": "text/html"}, body=body)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        pytest.param(Told(status=302, headers={"Location": "/authorize"}), "after at most 10 pages", id="loop"),
        pytest.param(Told(status=302, headers={"Location": "http://192.0.2.1/"}), "http://192.0.2.1/", id="elsewhere"),
        pytest.param(Told(status=302, headers={"Location": "file:///etc/passwd"}), "file:///etc/passwd", id="file"),
        pytest.param(Told(status=302, headers={"Location": "http://["}), "what is no URL", id="no-url"),
        pytest.param(Told(status=302), "status 302 and neither", id="no-location"),
        pytest.param(Told(status=500), "status 500 and neither", id="500"),
        pytest.param(page("<p>Hello"), "status 200 and neither", id="no-form"),
        pytest.param(
            page("<form><input name=user><input type=password name=word>"), 'fields for "user, word"', id="log-in"
        ),
        pytest.param(page("<form action='http://192.0.2.1/'><button>"), "http://192.0.2.1/", id="form-elsewhere"),
        pytest.param(Told(body=b"<p>" * 9999, endless=True), "too large", id="huge"),
    ],
)
async def test_a_browser_without_a_person_goes_nowhere_else_and_gives_up(told: Told, why: str) -> None:
    with scripted({"/authorize": lambda _: told}) as server:
        outcome = await run(CODE_GRANT, settings(server.url))
    assert why in failure(outcome, CODE_GRANT)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        pytest.param(Told(status=307, headers={"Location": "/elsewhere"}), "status 307", id="redirect"),
        pytest.param(Told(status=400, body={"error": "invalid_grant"}), '{"error": "invalid_grant"}', id="refused"),
        pytest.param(Told(body="access_token=a&token_type=b"), "no JSON object", id="form"),
        pytest.param(Told(body=[TOKENS]), "no JSON object", id="list"),
        pytest.param(Told(body="null"), "no JSON object", id="null"),
        pytest.param(Told(body={**TOKENS, "access_token": 7}), "no text as access_token", id="number"),
        pytest.param(Told(body={**TOKENS, "token_type": None}), "no text as token_type", id="type-null"),
        pytest.param(Told(headers={"Cache-Control": "no-cache"}, body=TOKENS), "without no-store", id="no-cache"),
        pytest.param(Told(body=b" " * 65536, endless=True), "too large", id="huge"),
    ],
)
async def test_a_token_response_that_is_none_is_a_failure(told: Told, why: str) -> None:
    with scripted({"/token": lambda _: told}) as server:
        outcome = await run(CODE_GRANT, settings(server.url))
    assert why in failure(outcome, CODE_GRANT)
    assert server.to("/elsewhere") == []


async def test_a_secret_is_used_where_public_clients_are_served_too() -> None:
    methods = metadata(token_endpoint_auth_methods_supported=["none", "client_secret_basic"])
    with scripted({WELL_KNOWN: methods, "/token": lambda _: Told(body=TOKENS)}) as server:
        outcome = await run(CODE_GRANT, settings(server.url, client_id="me", client_secret="a b:c"))
    (asked,) = server.to("/token")
    assert outcome.ending is Ending.PASSED
    assert asked.headers["Authorization"] == "Basic bWU6YSUyMGIlM0Fj"  # me:a%20b%3Ac
    assert (asked.parameter("client_id"), asked.parameter("client_secret")) == ("", "")


async def test_a_server_that_takes_no_secret_is_not_applicable_to_a_client_that_has_one() -> None:
    with scripted({WELL_KNOWN: metadata(token_endpoint_auth_methods_supported=["private_key_jwt"])}) as server:
        outcome = await run(CODE_GRANT, settings(server.url, client_secret="a-secret"), consent=Nobody())
    assert outcome.ending is Ending.NOT_APPLICABLE
    assert outcome.reason == ('no method of client authentication that can be used here is among ["private_key_jwt"]')


async def test_without_a_client_there_is_nothing_to_go_through() -> None:
    with scripted({}) as server:
        outcome = await run(CODE_GRANT, settings(server.url, client_id=None), consent=Nobody())
    assert (outcome.ending, server.asked) == (Ending.NOT_APPLICABLE, [])


async def test_the_resource_is_sent_in_both_requests() -> None:
    def token(asked: Asked) -> Told:
        return Told(body=TOKENS if asked.parameter("resource") == "https://mcp.example.com/mcp" else {})

    with scripted({"/token": token}) as server:
        outcome = await run(CODE_GRANT, settings(server.url, resource="https://mcp.example.com/mcp"))
    assert outcome.ending is Ending.PASSED
    assert [each.parameter("resource") for each in server.to("/authorize")] == ["https://mcp.example.com/mcp"]


async def test_a_browser_without_a_person_sends_the_form_of_a_page() -> None:
    form = "<form action='/decide' method=POST><input type=hidden name=state value='{}'><input type=hidden name=redirect_uri"
    ask = lambda asked: page(  # noqa: E731 -- a line
        form.format(asked.parameter("state"))
        + f" value='{asked.parameter('redirect_uri')}'><button name=a value=yes></button><button name=a value=no></button>"
    )
    with scripted({"/authorize": ask, "/decide": consenting, "/token": lambda _: Told(body=TOKENS)}) as server:
        outcome = await run(CODE_GRANT, settings(server.url), consent=FollowedConsent())
    assert outcome.ending is Ending.PASSED
    assert [each.body.rpartition("&")[2] for each in server.to("/decide")] == ["a=yes"]
