"""The rules that servers of these scenarios go by, one table each."""

from __future__ import annotations

import base64

import pytest

from pytest_mcp_conformance.oauth.client_authentication import Credentials, presented, refusal
from pytest_mcp_conformance.oauth.clients import (
    CLIENT_SECRET_BASIC,
    CLIENT_SECRET_POST,
    NONE,
    PRIVATE_KEY_JWT,
    Client,
)
from pytest_mcp_conformance.oauth.parameters import of_query
from pytest_mcp_conformance.oauth.pkce import Proof, challenge_of
from pytest_mcp_conformance.oauth.redirect_uris import is_usable, with_parameters
from pytest_mcp_conformance.oauth.resources import objection
from pytest_mcp_conformance.oauth.scopes import lacking, words

VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


def basic(text: bytes) -> str:
    return f"Basic {base64.b64encode(text).decode()}"


def test_the_challenge_of_rfc_7636_appendix_b() -> None:
    assert challenge_of(VERIFIER) == CHALLENGE


@pytest.mark.parametrize(
    ("challenge", "verifier", "holds"),
    [
        (CHALLENGE, VERIFIER, True),
        (CHALLENGE, f"{VERIFIER}x", False),
        (VERIFIER, VERIFIER, False),  # plain
        (f"{CHALLENGE}=", VERIFIER, False),
        (None, VERIFIER, False),
        (CHALLENGE, None, False),
        (None, None, False),
        (CHALLENGE, "\udcff", False),
    ],
)
def test_a_proof_holds_by_s256_alone(challenge: str | None, verifier: str | None, *, holds: bool) -> None:
    assert Proof(challenge=challenge, verifier=verifier).holds is holds


@pytest.mark.parametrize(
    "uri",
    [
        "http://localhost:3000/callback",
        "https://app.example/cb?a=1",
        "com.example.app:/oauth",
        "urn:ietf:wg:oauth:2.0:oob",
        "http://[::1]:1/",
        "https://app.example/ü",
        "https://app.example/cb#",
    ],
)
def test_a_browser_can_be_sent_to_an_absolute_uri(uri: str) -> None:
    assert is_usable(uri)


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "/callback",
        "callback",
        "//app.example/cb",
        "http://",
        "http:///cb",
        "https://app.example/cb#here",
        "http://localhost:99999/",
        "http://localhost:x/",
        "http://[::1/",
        "http://localhost/\r\nset-cookie: a=b",
        "http://local host/",
        "http://localhost/\x00",
    ],
)
def test_and_to_nothing_else(uri: str) -> None:
    assert not is_usable(uri)


@pytest.mark.parametrize(
    ("uri", "location"),
    [
        ("http://h/cb", "http://h/cb?code=a+b&iss=http%3A%2F%2Fi"),
        ("http://h/cb?x=1&code=old", "http://h/cb?x=1&code=a+b&iss=http%3A%2F%2Fi"),
        ("http://h/cb?x=", "http://h/cb?x=&code=a+b&iss=http%3A%2F%2Fi"),
        ("app:/cb", "app:/cb?code=a+b&iss=http%3A%2F%2Fi"),
        ("http://h/ü", "http://h/%C3%BC?code=a+b&iss=http%3A%2F%2Fi"),
    ],
)
def test_what_the_query_has_stays_and_is_not_there_twice(uri: str, location: str) -> None:
    assert with_parameters(uri, {"code": "a b", "iss": "http://i"}) == location


@pytest.mark.parametrize(
    ("scope", "listed"),
    [
        (None, ()),
        ("", ()),
        ("  ", ()),
        ("a", ("a",)),
        ("b a", ("b", "a")),
        (" a  b a ", ("a", "b")),
        ("a\tb", ("a\tb",)),
        ("\t", ()),
    ],
)
def test_scopes_are_words_between_spaces(scope: str | None, listed: tuple[str, ...]) -> None:
    assert words(scope) == listed


@pytest.mark.parametrize(
    ("held", "needed", "missing"), [("a b", "a", ""), ("a", "a b c", "b c"), ("", "a", "a"), ("a", "", "")]
)
def test_what_is_lacking_is_told_in_its_order(held: str, needed: str, missing: str) -> None:
    assert lacking(words(held), words(needed)) == words(missing)


@pytest.mark.parametrize(
    "uri",
    [
        "https://mcp.example.com/mcp",
        "https://mcp.example.com",
        "https://mcp.example.com/",
        "HTTPS://MCP.example.com:8443",
        "https://mcp.example.com/a?b=c",
        "urn:mcp:server",
        "https://mcp.example.com#",
    ],
)
def test_a_resource_is_an_absolute_uri(uri: str) -> None:
    assert objection(uri) is None


@pytest.mark.parametrize(
    ("uri", "problem"),
    [
        ("mcp.example.com", "it is no absolute URI"),
        ("/mcp", "it is no absolute URI"),
        ("https://mcp.example.com#fragment", "it has a fragment"),
        ("https:///mcp", "it names no host"),
        ("http://[", "it is no URI"),
        ("http://h:x/", "it is no URI"),
        ("https://mcp example.com", "it is no absolute URI"),
    ],
)
def test_and_nothing_else_is(uri: str, problem: str) -> None:
    assert objection(uri) == problem


@pytest.mark.parametrize(
    ("authorization", "body", "found"),
    [
        (None, "", Credentials(method=NONE, client_id=None)),
        (None, "client_id=me", Credentials(method=NONE, client_id="me")),
        ("Bearer abc", "client_id=me", Credentials(method=NONE, client_id="me")),
        (
            None,
            "client_id=me&client_secret=s",
            Credentials(method=CLIENT_SECRET_POST, client_id="me", secret="s"),
        ),
        (None, "client_id=me&client_secret=", Credentials(method=NONE, client_id="me")),
        (basic(b"me:s"), "", Credentials(method=CLIENT_SECRET_BASIC, client_id="me", secret="s")),
        (
            basic(b"m%3Ae:s%20+%2B:x"),
            "",
            Credentials(method=CLIENT_SECRET_BASIC, client_id="m:e", secret="s  +:x"),
        ),
        (
            basic(b"me:s").replace("Basic", "bAsIc"),
            "",
            Credentials(method=CLIENT_SECRET_BASIC, client_id="me", secret="s"),
        ),
        (basic(b"me:s!").rstrip("="), "", Credentials(method=CLIENT_SECRET_BASIC, client_id="me", secret="s!")),
        (
            basic(b"me:s"),
            "client_secret=s",
            Credentials(method=CLIENT_SECRET_BASIC, client_id="me", secret="s", several=True),
        ),
        (
            None,
            "client_assertion=a&client_assertion_type=t",
            Credentials(method=PRIVATE_KEY_JWT, client_id=None, assertion="a", assertion_type="t"),
        ),
        (
            None,
            "client_secret=s&client_assertion=a",
            Credentials(method=CLIENT_SECRET_POST, client_id=None, secret="s", several=True),
        ),
        (
            basic(b"me"),
            "",
            Credentials(
                method=CLIENT_SECRET_BASIC,
                client_id="me",
                problem="the credentials have no colon between id and secret",
            ),
        ),
        (
            "Basic me:s",
            "",
            Credentials(method=CLIENT_SECRET_BASIC, client_id=None, problem="the credentials are no base64"),
        ),
        (
            "Basic é",
            "",
            Credentials(method=CLIENT_SECRET_BASIC, client_id=None, problem="the credentials are no base64"),
        ),
        (
            "Basic",
            "",
            Credentials(
                method=CLIENT_SECRET_BASIC,
                client_id="",
                problem="the credentials have no colon between id and secret",
            ),
        ),
        (basic(b"\xff:s"), "", Credentials(method=CLIENT_SECRET_BASIC, client_id="\ufffd", secret="s")),
    ],
)
def test_what_a_token_request_presents(authorization: str | None, body: str, found: Credentials) -> None:
    parameters = of_query(body)
    assert parameters is not None
    assert presented(authorization, parameters) == found


CONFIDENTIAL = Client(id="me", secret="s", auth_method=CLIENT_SECRET_BASIC)
PUBLIC = Client(id="me")


@pytest.mark.parametrize(
    ("client", "credentials", "error"),
    [
        (CONFIDENTIAL, Credentials(method=CLIENT_SECRET_BASIC, client_id="me", secret="s"), None),
        (
            CONFIDENTIAL,
            Credentials(method=CLIENT_SECRET_BASIC, client_id="me", secret="t"),
            "The secret is not that of the client",
        ),
        (
            CONFIDENTIAL,
            Credentials(method=CLIENT_SECRET_BASIC, client_id="me", secret=None, problem="no colon"),
            "The secret is not that of the client",
        ),
        (
            CONFIDENTIAL,
            Credentials(method=CLIENT_SECRET_POST, client_id="me", secret="s"),
            "This client authenticates by client_secret_basic",
        ),
        (
            CONFIDENTIAL,
            Credentials(method=CLIENT_SECRET_BASIC, client_id="me", secret="s", several=True),
            "More than one way of authentication was used",
        ),
        (None, Credentials(method=CLIENT_SECRET_BASIC, client_id="you", secret="s"), "The client is not known"),
        (PUBLIC, Credentials(method=NONE, client_id="me"), None),
        (
            PUBLIC,
            Credentials(method=CLIENT_SECRET_POST, client_id="me", secret="s"),
            "This client authenticates by none",
        ),
    ],
)
def test_who_is_authenticated(client: Client | None, credentials: Credentials, error: str | None) -> None:
    refused = refusal(credentials, client)
    assert (refused.description if refused else None) == error
    if refused:
        assert (refused.error, refused.status) == ("invalid_client", 401)
        assert ("www-authenticate" in refused.headers) is (credentials.method == CLIENT_SECRET_BASIC)
