"""What an authorization server answers, and what its log says."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest

from pytest_mcp_conformance.oauth.authorization_server import AuthorizationServer
from pytest_mcp_conformance.oauth.clients import CLIENT_SECRET_BASIC, CLIENT_SECRET_POST, NONE, Client
from pytest_mcp_conformance.oauth.errors import OAuthError, invalid_grant
from pytest_mcp_conformance.oauth.events import (
    AuthorizationRequested,
    Registered,
    ServerMetadataRead,
    TokenRequested,
)
from pytest_mcp_conformance.oauth.metadata import OPENID_LOCATION, IssuerSent, ServerMetadata
from pytest_mcp_conformance.oauth.pkce import challenge_of
from pytest_mcp_conformance.oauth.server_setup import Granted, ServerSetup, TokenRequest
from pytest_mcp_conformance.oauth.tokens import Token
from pytest_mcp_conformance.serving.http import HttpReply
from tests.oauth.requests import (
    BASE,
    CALLBACK,
    FORM,
    JSON,
    as_json,
    authorized,
    form,
    redeemed,
    reply,
    request,
    sent_back,
    server,
    told,
)

VERIFIER = "a-verifier-of-at-least-forty-three-characters-in-all"
WELL_KNOWN = "/.well-known/oauth-authorization-server"


def test_metadata_are_those_of_the_setup_and_where_it_says() -> None:
    to = server()
    assert told(reply(to, request("GET", WELL_KNOWN))) == {
        "issuer": BASE,
        "authorization_endpoint": f"{BASE}/authorize",
        "token_endpoint": f"{BASE}/token",
        "registration_endpoint": f"{BASE}/register",
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
    }
    assert [event.url for event in to.log.of(ServerMetadataRead)] == [f"{BASE}{WELL_KNOWN}"]
    assert to.reply(request("GET", OPENID_LOCATION)) is None
    assert reply(to, request("GET", f"{WELL_KNOWN}/")).status == 200


def test_what_metadata_can_be_told_to_say() -> None:
    metadata = ServerMetadata(
        location="/t/.well-known/openid-configuration",
        path="/t",
        issuer="https://attacker.example.com",
        endpoints_path="/elsewhere",
        openid=True,
        registers=False,
        scopes=("a",),
        code_challenge_methods=None,
        names_issuer=None,
        client_id_documents=True,
        more={"dpop_signing_alg_values_supported": ["ES256"], "response_types_supported": ["code", "token"]},
    )
    to = server(ServerSetup(metadata=metadata))
    document = told(reply(to, request("GET", "/t/.well-known/openid-configuration")))
    assert document["issuer"] == "https://attacker.example.com" == to.issuer
    assert to.trusted_issuer == f"{BASE}/t"
    assert document["token_endpoint"] == f"{BASE}/elsewhere/token"
    assert document["jwks_uri"] == f"{BASE}/.well-known/jwks.json"
    assert document["scopes_supported"] == ["a"]
    assert document["client_id_metadata_document_supported"] is True
    assert document["response_types_supported"] == ["code", "token"]
    absent = {
        "registration_endpoint",
        "code_challenge_methods_supported",
        "authorization_response_iss_parameter_supported",
    }
    assert not absent & document.keys()
    assert reply(to, as_json("/elsewhere/register", {})).status == 201
    assert to.reply(request("GET", "/authorize")) is None


def test_without_a_location_there_are_no_metadata() -> None:
    to = server(ServerSetup(metadata=ServerMetadata(location=None)))
    assert to.reply(request("GET", WELL_KNOWN)) is None
    assert reply(to, as_json("/register", {})).status == 201


@pytest.mark.parametrize(
    ("method", "path", "status", "allow"),
    [
        ("HEAD", WELL_KNOWN, 200, None),
        ("OPTIONS", WELL_KNOWN, 204, "GET, HEAD, OPTIONS"),
        ("OPTIONS", "/token", 204, "POST, OPTIONS"),
        ("POST", WELL_KNOWN, 405, "GET, HEAD, OPTIONS"),
        ("POST", "/authorize", 405, "GET, HEAD, OPTIONS"),
        ("GET", "/token", 405, "POST, OPTIONS"),
        ("HEAD", "/register", 405, "POST, OPTIONS"),
        ("DELETE", "/token", 405, "POST, OPTIONS"),
    ],
)
def test_other_methods(method: str, path: str, status: int, allow: str | None) -> None:
    answer = reply(server(), request(method, path))
    assert (answer.status, answer.headers.get("allow"), answer.body) == (status, allow, b"")


def test_the_whole_flow() -> None:
    to = server()
    client = told(reply(to, as_json("/register", {"redirect_uris": [CALLBACK], "client_name": "n"})))
    back = authorized(
        to,
        client_id=client["client_id"],
        state="s t",
        scope="b a",
        resource="http://r",
        code_challenge=challenge_of(VERIFIER),
        code_challenge_method="S256",
    )
    assert back.keys() == {"code", "state", "iss"}
    assert (back["state"], back["iss"]) == ("s t", BASE)
    answer = redeemed(to, back["code"], client_id=client["client_id"], code_verifier=VERIFIER, resource="http://r")
    body = told(answer)
    token = body["access_token"]
    assert isinstance(token, str)
    assert body == {"access_token": token, "token_type": "Bearer", "expires_in": 3600, "scope": "b a"}
    assert answer.headers["cache-control"] == "no-store"
    issued = to.tokens.find(token)
    assert issued is not None
    assert (issued.issuer, issued.scopes, issued.resources) == (BASE, ("b", "a"), ("http://r",))
    [event] = to.log.of(TokenRequested)
    assert event.proof.holds
    assert (event.token, event.refused, event.grant_type) == (issued, None, "authorization_code")


def test_codes_and_tokens_are_never_the_same_twice() -> None:
    to = server()
    codes = {authorized(to)["code"] for _ in range(20)}
    tokens = {told(redeemed(to, code))["access_token"] for code in codes}
    assert (len(codes), len(tokens)) == (20, 20)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({}, None),
        ({"redirect_uri": None}, None),  # OAuth 2.1 does without
        ({"client_id": None}, None),  # told by Basic, or by nothing: published servers take that
        ({"code_verifier": "wrong"}, None),  # judged, and tolerated
        ({"resource": ["http://a", "http://b"]}, None),
        ({"client_id": "you"}, "invalid_grant"),
        ({"redirect_uri": f"{CALLBACK}/other"}, "invalid_grant"),
        ({"code": "made up"}, "invalid_grant"),
        ({"code": None}, "invalid_request"),
        ({"code": ""}, "invalid_request"),
        ({"grant_type": None}, "invalid_request"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "refresh_token", "refresh_token": "r"}, "invalid_grant"),  # the metadata list the grant
        ({"grant_type": "refresh_token"}, "invalid_request"),
        ({"client_id": ["me", "me"]}, "invalid_request"),
        ({"scope": ["a", "b"]}, "invalid_request"),
    ],
)
def test_who_gets_a_token_for_a_code(changes: dict[str, object], error: str | None) -> None:
    to = server()
    answer = redeemed(to, **{"code": authorized(to)["code"], **changes})  # type: ignore[arg-type]
    assert told(answer).get("error") == error
    assert answer.status == (200 if error is None else 400)
    [event] = to.log.of(TokenRequested)
    assert (event.refused is None) is (error is None)
    assert (event.token is None) is (error is not None)


def test_a_grant_that_the_metadata_do_not_list_is_unsupported() -> None:
    to = server(ServerSetup(metadata=ServerMetadata(grant_types=("authorization_code",))))
    answer = redeemed(to, "any", grant_type="refresh_token", refresh_token="r")
    assert (answer.status, told(answer)["error"]) == (400, "unsupported_grant_type")


def test_the_only_redirect_uri_that_is_registered_need_not_be_named() -> None:
    to = server()
    client = told(reply(to, as_json("/register", {"redirect_uris": [CALLBACK]})))["client_id"]
    for named, status in ((None, 200), (CALLBACK, 200), (f"{CALLBACK}/other", 400)):
        back = reply(to, request("GET", "/authorize", query=urlencode({"client_id": client, "response_type": "code"})))
        assert back.headers["location"].startswith(f"{CALLBACK}?code=")
        assert redeemed(to, sent_back(back)["code"], client_id=client, redirect_uri=named).status == status


@pytest.mark.parametrize(
    ("registered", "asked"),
    [
        ([], {}),
        ([CALLBACK, f"{CALLBACK}/other"], {}),
        (["/callback"], {}),
        ([f"{CALLBACK}#f"], {}),
        ([CALLBACK], {"client_id": "somebody-else"}),
        ([CALLBACK], {"client_id": ""}),
        ([CALLBACK], {"redirect_uri": [CALLBACK, CALLBACK]}),
        ([CALLBACK], {"redirect_uri": "nowhere"}),
    ],
)
def test_otherwise_a_redirect_uri_has_to_be_named(registered: list[str], asked: dict[str, object]) -> None:
    to = server()
    client = told(reply(to, as_json("/register", {"redirect_uris": registered})))["client_id"]
    query = urlencode({"response_type": "code", "client_id": client, **asked}, doseq=True)
    answer = reply(to, request("GET", "/authorize", query=query))
    assert (answer.status, told(answer)["error"]) == (400, "invalid_request")


def test_a_code_is_good_once() -> None:
    to = server()
    code = authorized(to)["code"]
    assert redeemed(to, code).status == 200
    assert told(redeemed(to, code))["error"] == "invalid_grant"


def test_a_code_that_was_refused_to_another_is_still_good() -> None:
    to = server()
    code = authorized(to)["code"]
    assert redeemed(to, code, client_id="you").status == 400
    assert redeemed(to, code).status == 200


def test_a_proof_is_of_the_code_that_is_presented() -> None:
    to = server()
    first = authorized(to, code_challenge=challenge_of("one"))["code"]
    authorized(to, code_challenge=challenge_of("two"))
    redeemed(to, first, code_verifier="one")
    redeemed(to, "made up", code_verifier="two")
    assert [event.proof.holds for event in to.log.of(TokenRequested)] == [True, True]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/plain", b"grant_type=authorization_code"),
        (JSON, b"{"),
        (JSON, b"[1]"),
        (JSON, b""),
        ("", b"grant_type=authorization_code"),
        (FORM, b"&".join(b"a=1" for _ in range(2000))),
    ],
)
@pytest.mark.parametrize("path", ["/token", "/register"])
def test_a_body_that_cannot_be_read_is_an_error_and_no_event(path: str, kind: str, body: bytes) -> None:
    to = server()
    answer = reply(to, request("POST", path, body=body, headers={"content-type": kind}))
    assert answer.status == 400
    assert told(answer)["error"] in ("invalid_request", "invalid_client_metadata")
    assert to.log.events == []


@pytest.mark.parametrize(
    "query",
    [
        "",
        "client_id=me",
        "redirect_uri=",
        "redirect_uri=nowhere",
        "redirect_uri=http%3A%2F%2Fh%2F%23f",
        "redirect_uri=http%3A%2F%2Fh%2F%0d%0aset-cookie%3a+a%3db",
        "redirect_uri=http%3A%2F%2Fh%2F&redirect_uri=http%3A%2F%2Fi%2F",
        "redirect_uri=%ff%00",
    ],
)
def test_where_nobody_can_be_sent_back_the_browser_shows_the_error(query: str) -> None:
    to = server()
    answer = reply(to, request("GET", "/authorize", query=query))
    assert (answer.status, told(answer)["error"]) == (400, "invalid_request")
    [event] = to.log.of(AuthorizationRequested)
    assert event.refused is not None


def test_other_errors_are_sent_back_with_state_and_issuer() -> None:
    to = server()
    back = authorized(to, scope=["a", "b"], state="s")
    assert back.keys() == {"error", "error_description", "state", "iss"}
    assert back["error"] == "invalid_request"


@pytest.mark.parametrize(
    ("sent", "iss"),
    [
        (IssuerSent.CORRECT, BASE),
        (IssuerSent.WITH_SLASH, f"{BASE}/"),
        (IssuerSent.FOREIGN, "https://evil.example.com"),
        (IssuerSent.NONE, None),
    ],
)
def test_what_a_response_says_of_the_issuer(sent: IssuerSent, iss: str | None) -> None:
    assert authorized(server(ServerSetup(iss=sent))).get("iss") == iss


def test_a_redirect_keeps_the_query_that_is_there() -> None:
    to = server()
    query = "redirect_uri=http%3A%2F%2Fh%2F%3Fa%3D1%26code%3Dold"
    back = sent_back(reply(to, request("GET", "/authorize", query=query)))
    assert back["a"] == "1"
    assert back["code"] != "old"


@pytest.mark.parametrize(
    ("methods", "asked", "given"),
    [
        ((NONE,), None, NONE),
        ((NONE,), CLIENT_SECRET_BASIC, NONE),
        ((CLIENT_SECRET_BASIC, NONE), None, CLIENT_SECRET_BASIC),
        ((CLIENT_SECRET_BASIC, CLIENT_SECRET_POST, NONE), CLIENT_SECRET_POST, CLIENT_SECRET_POST),
        ((CLIENT_SECRET_BASIC, CLIENT_SECRET_POST, NONE), NONE, NONE),
        ((CLIENT_SECRET_BASIC,), 7, CLIENT_SECRET_BASIC),
        ((CLIENT_SECRET_BASIC,), ["x"], CLIENT_SECRET_BASIC),
    ],
)
def test_a_client_gets_the_method_that_it_asks_for_where_there_is_it(
    methods: tuple[str, ...], asked: object, given: str
) -> None:
    to = server(ServerSetup(metadata=ServerMetadata(auth_methods=methods)))
    answer = reply(to, as_json("/register", {"token_endpoint_auth_method": asked}))
    body = told(answer)
    assert (answer.status, body["token_endpoint_auth_method"]) == (201, given)
    assert ("client_secret" in body) is (given != NONE)
    assert body.get("client_secret_expires_at") == (None if given == NONE else 0)


@pytest.mark.parametrize(
    ("metadata", "uris"),
    [
        ({"redirect_uris": [CALLBACK]}, [CALLBACK]),
        ({}, []),
        ({"redirect_uris": CALLBACK}, []),
        ({"redirect_uris": [1, CALLBACK, None]}, [CALLBACK]),
        ({"redirect_uris": {"a": 1}, "client_name": [], "grant_types": "x", "application_type": {"a": 1}}, []),
    ],
)
def test_any_object_registers(metadata: dict[str, object], uris: list[str]) -> None:
    to = server()
    answer = reply(to, as_json("/register", metadata))
    assert (answer.status, told(answer)["redirect_uris"]) == (201, uris)
    [event] = to.log.of(Registered)
    assert event.metadata == json.loads(json.dumps(metadata))
    assert to.clients[event.client.id] == event.client


def test_a_form_registers_as_well() -> None:
    to = server()
    assert reply(to, form("/register", {"redirect_uris": CALLBACK})).status == 201
    assert len(to.log.of(Registered)) == 1


KNOWN = Client(id="me", secret="s", auth_method=CLIENT_SECRET_BASIC)


@pytest.mark.parametrize(
    ("authorization", "status"), [("Basic bWU6cw==", 200), ("Basic bWU6dA==", 401), (None, 401), ("Basic ?", 401)]
)
def test_where_clients_authenticate_themselves_others_get_nothing(authorization: str | None, status: int) -> None:
    to = server(ServerSetup(clients=(KNOWN,), authenticates=True))
    code = authorized(to)["code"]
    headers = {} if authorization is None else {"authorization": authorization}
    answer = reply(to, form("/token", {"grant_type": "authorization_code", "code": code}, **headers))
    assert answer.status == status
    assert [event.credentials.secret for event in to.log.of(TokenRequested)] == [
        {"Basic bWU6cw==": "s", "Basic bWU6dA==": "t"}.get(authorization or "")
    ]


def _own_grant(request_: TokenRequest) -> Granted | OAuthError | HttpReply:
    match request_.parameters.get("assertion"):
        case "good":
            return Granted(scopes=("x",), client_id="me")
        case "other":
            return HttpReply(status=299)
        case _:
            return invalid_grant("no good")


def _nonce(request_: TokenRequest) -> OAuthError | None:
    if request_.http.headers.get("dpop") == "nonce":
        return None
    return OAuthError(error="use_dpop_nonce", description="With a nonce", headers={"dpop-nonce": "n"})


def _minted(request_: TokenRequest, granted: Granted) -> Token:
    return Token(value=f"minted for {request_.endpoint}", issuer=request_.issuer, scopes=granted.scopes, type="DPoP")


def _extended() -> AuthorizationServer:
    return server(
        ServerSetup(guards=(_nonce,), grants={"own": _own_grant}, mint=_minted, more_in_token_response={"more": 1})
    )


@pytest.mark.parametrize(
    ("assertion", "dpop", "status", "member", "value"),
    [
        ("good", "nonce", 200, "token_type", "DPoP"),
        ("good", "nonce", 200, "access_token", f"minted for {BASE}/token"),
        ("good", "nonce", 200, "more", 1),
        ("bad", "nonce", 400, "error", "invalid_grant"),
        ("good", "", 400, "error", "use_dpop_nonce"),
    ],
)
def test_further_grants_guards_and_tokens(assertion: str, dpop: str, status: int, member: str, value: object) -> None:
    to = _extended()
    answer = reply(to, form("/token", {"grant_type": "own", "assertion": assertion}, dpop=dpop))
    assert (answer.status, told(answer)[member]) == (status, value)
    assert answer.headers.get("dpop-nonce") == (None if dpop else "n")


def test_a_grant_may_answer_by_itself() -> None:
    to = _extended()
    assert reply(to, form("/token", {"grant_type": "own", "assertion": "other"}, dpop="nonce")).status == 299
    [event] = to.log.of(TokenRequested)
    assert (event.refused, event.token) == (None, None)
