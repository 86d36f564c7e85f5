"""The authorization request, and what is done with every answer to it."""

from __future__ import annotations

import base64
import hashlib
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from pytest_mcp_conformance.reference.client.failing import ClientFailure
from pytest_mcp_conformance.reference.client.oauth.authorization_code import (
    Attempt,
    check_iss,
    code_of,
    request_parameters,
    with_parameters,
)
from pytest_mcp_conformance.reference.client.oauth.clients import REDIRECT_URI, Client
from pytest_mcp_conformance.reference.client.oauth.server import AuthorizationServer
from pytest_mcp_conformance.reference.client.oauth.token_endpoint import Wanted

ISSUER = "https://as.example"
SERVER = AuthorizationServer(issuer=ISSUER, token_endpoint=f"{ISSUER}/token")
PROMISING = AuthorizationServer(issuer=ISSUER, token_endpoint=f"{ISSUER}/token", sends_iss=True)
ATTEMPT = Attempt(server=SERVER, state="the-state", verifier="the-verifier")


def answer(**parameters: str) -> str:
    return code_of(f"{REDIRECT_URI}?{urlencode(parameters)}", ATTEMPT)


def test_the_request_has_challenge_state_and_resource_and_no_scope_unless_there_is_one() -> None:
    wanted = Wanted(server=SERVER, resource="https://mcp.example/mcp")
    parameters = request_parameters(ATTEMPT, wanted, Client(id="me"))
    hashed = hashlib.sha256(b"the-verifier").digest()
    assert parameters == {
        "response_type": "code",
        "client_id": "me",
        "redirect_uri": REDIRECT_URI,
        "state": "the-state",
        "code_challenge": base64.urlsafe_b64encode(hashed).decode().rstrip("="),
        "code_challenge_method": "S256",
        "resource": "https://mcp.example/mcp",
    }


def test_offline_access_asks_for_consent() -> None:
    wanted = Wanted(server=SERVER, resource="https://mcp.example/mcp", scopes=("a", "offline_access"))
    parameters = request_parameters(ATTEMPT, wanted, Client(id="me"))
    assert (parameters["scope"], parameters["prompt"]) == ("a offline_access", "consent")


def test_what_an_authorization_endpoint_has_in_its_query_stays() -> None:
    url = with_parameters("https://as.example/authorize?tenant=1&state=old#x", {"state": "new"})
    assert dict(parse_qsl(urlsplit(url).query)) == {"tenant": "1", "state": "new"}
    assert not urlsplit(url).fragment


def test_a_code_is_read_from_the_answer_to_the_request() -> None:
    assert answer(code="the-code", state="the-state") == "the-code"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"code": "c"}, "another state"),
        ({"code": "c", "state": "other"}, "another state"),
        ({"state": "the-state"}, "no code"),
        ({"state": "the-state", "code": ""}, "no code"),
        ({"state": "the-state", "error": "access_denied", "error_description": "no"}, "access_denied.*no"),
        ({"state": "the-state", "code": "c", "iss": "https://evil.example"}, "is from"),
    ],
)
def test_an_answer_that_is_not_ours_or_no_code_is_refused(parameters: dict[str, str], message: str) -> None:
    with pytest.raises(ClientFailure, match=message):
        answer(**parameters)


def test_an_error_from_another_issuer_is_not_shown() -> None:
    with pytest.raises(ClientFailure) as failed:
        answer(state="the-state", error="scary_words", iss="https://evil.example")
    assert "scary_words" not in str(failed.value)


@pytest.mark.parametrize(
    "location",
    [
        "https://evil.example/callback?code=c&state=the-state",
        "http://localhost:3001/callback?code=c&state=the-state",
        "http://localhost:3000/callback/more?code=c&state=the-state",
        "",
    ],
)
def test_an_answer_somewhere_else_is_refused(location: str) -> None:
    with pytest.raises(ClientFailure, match="not back to"):
        code_of(location, ATTEMPT)


def test_a_repeated_parameter_is_refused() -> None:
    with pytest.raises(ClientFailure, match="more than one"):
        code_of(f"{REDIRECT_URI}?code=a&code=b&state=the-state", ATTEMPT)


@pytest.mark.parametrize(("server", "iss"), [(PROMISING, ISSUER), (SERVER, ISSUER), (SERVER, None)])
def test_an_issuer_that_is_right_or_was_not_promised_is_accepted(server: AuthorizationServer, iss: str | None) -> None:
    check_iss(iss, server)


@pytest.mark.parametrize(
    ("server", "iss"),
    [
        (PROMISING, None),
        (PROMISING, "https://evil.example"),
        (SERVER, "https://evil.example"),
        (PROMISING, f"{ISSUER}/"),
        (PROMISING, "https://AS.example"),
        (PROMISING, "https://as.example:443"),
        (PROMISING, ""),
    ],
)
def test_an_issuer_that_is_missing_or_another_is_refused(server: AuthorizationServer, iss: str | None) -> None:
    with pytest.raises(ClientFailure, match="authorization request"):
        check_iss(iss, server)
