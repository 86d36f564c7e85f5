"""What the authorizer does at each refusal."""

from __future__ import annotations

import asyncio
import base64
import json
from dataclasses import replace

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import ECKey

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import DRAFT
from pytest_mcp_conformance.reference.client.failing import ClientFailure
from tests.reference.client.oauth.played import ISSUER, RESOURCE_METADATA, SERVER, Played, form_of, refusal

OTHER = "https://other.example"
MISSING = 'Bearer error="insufficient_scope", scope="write"'


def claims(jwt: str) -> dict[str, object]:
    part = jwt.split(".")[1]
    read: dict[str, object] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return read


async def test_a_refusal_leads_to_a_token_that_goes_to_the_server_alone() -> None:
    client = Played().client()
    assert client.headers("POST", SERVER) == {}
    assert await client.authorize(refusal(client))
    assert client.headers("POST", SERVER) == {"Authorization": "Bearer token-1"}
    assert client.headers("POST", "https://evil.example/mcp") == {}


async def test_requests_that_are_refused_together_authorize_once() -> None:
    played = Played()
    client = played.client()
    same = [refusal(client) for _ in range(3)]
    assert await asyncio.gather(*(client.authorize(each) for each in same)) == [True, True, True]
    assert len(played.asked("/authorize")) == 1


async def test_a_server_without_pkce_is_refused() -> None:
    played = Played()
    played.add_server(ISSUER, code_challenge_methods_supported=["plain"])
    client = played.client()
    with pytest.raises(ClientFailure, match="PKCE"):
        await client.authorize(refusal(client))
    assert not played.asked("/authorize")


async def test_a_refresh_token_is_used_before_the_user_is_asked_again() -> None:
    played = Played(token=lambda _: {"refresh_token": f"refresh-{played.issued}"})
    client = played.client()
    await client.authorize(refusal(client))
    await client.authorize(refusal(client))
    first, second = map(form_of, played.asked("/token"))
    assert (second["grant_type"], second["refresh_token"], second["resource"]) == ("refresh_token", "refresh-1", SERVER)
    assert first["grant_type"] == "authorization_code"
    await client.authorize(refusal(client))
    assert form_of(played.asked("/token")[-1])["refresh_token"] == "refresh-2"
    assert len(played.asked("/authorize")) == 1


async def test_a_refresh_token_without_a_successor_is_used_again() -> None:
    played = Played(token=lambda _: {"refresh_token": "only"} if played.issued == 1 else {})
    client = played.client()
    for _ in range(3):
        await client.authorize(refusal(client))
    assert [form_of(each).get("refresh_token") for each in played.asked("/token")] == [None, "only", "only"]


async def test_a_refresh_token_that_is_refused_leads_to_a_new_authorization() -> None:
    def token(request: httpx.Request) -> httpx.Response | JsonObject:
        if form_of(request)["grant_type"] == "refresh_token":
            return httpx.Response(400, json={"error": "invalid_grant"})
        return {"refresh_token": "spent"}

    played = Played(token=token)
    client = played.client()
    await client.authorize(refusal(client))
    assert await client.authorize(refusal(client))
    assert len(played.asked("/authorize")) == 2


async def test_missing_scopes_are_asked_for_with_those_from_before() -> None:
    played = Played()
    client = played.client()
    await client.authorize(refusal(client, 'Bearer scope="read"'))
    assert await client.authorize(refusal(client, MISSING, status=403))
    assert [each.url.params["scope"] for each in played.asked("/authorize")] == ["read", "read write"]


@pytest.mark.parametrize(
    "challenge",
    [
        'Bearer error="insufficient_scope", scope="read"',
        'Bearer error="insufficient_scope"',
        'Bearer error="access_denied", scope="write"',
        "Bearer",
    ],
)
async def test_a_403_that_another_token_cannot_help_is_final(challenge: str) -> None:
    played = Played()
    client = played.client()
    await client.authorize(refusal(client, 'Bearer scope="read"'))
    assert not await client.authorize(refusal(client, challenge, status=403))
    assert len(played.asked("/authorize")) == 1


async def test_a_request_is_given_up_after_a_few_times() -> None:
    client = Played().client()
    await client.authorize(refusal(client))
    assert await client.authorize(refusal(client, MISSING, status=403, times=3))
    assert not await client.authorize(refusal(client, MISSING.replace("write", "more"), status=403, times=4))


async def test_another_authorization_server_gets_a_registration_of_its_own() -> None:
    played = Played()
    played.add_server(OTHER)
    client = played.client()
    await client.authorize(refusal(client))
    played.documents[RESOURCE_METADATA] = {"resource": SERVER, "authorization_servers": [OTHER]}
    await client.authorize(refusal(client))
    assert [each.url.host for each in played.asked("/register")] == ["as.example", "other.example"]
    assert [each.url.params["client_id"] for each in played.asked("/authorize")] == [
        "client-of-as.example",
        "client-of-other.example",
    ]


@pytest.mark.parametrize("credentials", [{"client_secret": "s"}, {"private_key_pem": "k"}, {}])
async def test_given_credentials_are_for_their_issuer_alone(credentials: JsonObject) -> None:
    played = Played()
    client = played.client(context={"client_id": "me", "issuer": OTHER, **credentials})
    with pytest.raises(ClientFailure, match="credentials are for"):
        await client.authorize(refusal(client))
    assert not played.asked("/register")


async def test_among_several_servers_the_one_that_gave_the_credentials_is_chosen() -> None:
    played = Played()
    played.add_server(OTHER, token_endpoint_auth_methods_supported=["client_secret_basic"])
    played.documents[RESOURCE_METADATA] = {"resource": SERVER, "authorization_servers": [ISSUER, OTHER]}
    client = played.client(context={"client_id": "me:you", "client_secret": "a b%", "issuer": OTHER})
    await client.authorize(refusal(client))
    (request,) = played.asked("/token")
    assert request.url.host == "other.example"
    assert base64.b64decode(request.headers["Authorization"].removeprefix("Basic ")) == b"me%3Ayou:a+b%25"
    assert "client_id" not in form_of(request)


async def test_a_metadata_document_comes_before_a_registration() -> None:
    played = Played()
    played.add_server(ISSUER, client_id_metadata_document_supported=True)
    client = played.client()
    await client.authorize(refusal(client))
    assert not played.asked("/register")
    assert played.asked("/authorize")[0].url.params["client_id"].startswith("https://")


async def test_where_no_metadata_are_announced_they_are_looked_for() -> None:
    played = Played()
    client = played.client()
    assert await client.authorize(refusal(client, "Bearer"))
    assert str(played.requests[0].url) == RESOURCE_METADATA


async def test_announced_metadata_that_are_not_there_end_the_client() -> None:
    played = Played()
    client = played.client()
    with pytest.raises(ClientFailure, match="which the challenge names"):
        await client.authorize(refusal(client, 'Bearer resource_metadata="https://mcp.example/nowhere"'))


async def test_a_server_of_the_first_revision_is_its_own_authorization_server() -> None:
    played = Played()
    del played.documents[RESOURCE_METADATA]
    client = played.client()
    assert await client.authorize(refusal(client, "Bearer"))
    asked = [(each.url.host, each.url.path) for each in played.requests]
    assert asked[2:] == [
        ("mcp.example", "/.well-known/oauth-authorization-server"),
        ("mcp.example", "/register"),
        ("mcp.example", "/authorize"),
        ("mcp.example", "/token"),
    ]


async def test_the_stateless_revision_has_no_servers_of_the_first() -> None:
    played = Played()
    del played.documents[RESOURCE_METADATA]
    client = played.client(revision=DRAFT)
    with pytest.raises(ClientFailure, match="no metadata of the resource"):
        await client.authorize(refusal(client, "Bearer"))


async def test_a_token_of_an_unknown_type_is_not_used() -> None:
    client = Played(token=lambda _: {"token_type": "mac"}).client()
    with pytest.raises(ClientFailure, match="unknown type"):
        await client.authorize(refusal(client))


async def test_a_bound_token_goes_with_a_new_proof_each_time() -> None:
    played = Played(token=lambda _: {"token_type": "DPoP"})
    played.add_server(ISSUER, dpop_signing_alg_values_supported=["ES256"])
    client = played.client()
    await client.authorize(refusal(client))
    first, second = client.headers("POST", SERVER), client.headers("GET", SERVER)
    assert first["Authorization"] == "DPoP token-1"
    assert claims(first["DPoP"])["jti"] != claims(second["DPoP"])["jti"]
    assert (claims(second["DPoP"])["htm"], claims(second["DPoP"])["htu"]) == ("GET", SERVER)
    assert "nonce" not in claims(first["DPoP"])
    assert await client.authorize(refusal(client, 'DPoP error="use_dpop_nonce"', nonce="n1"))
    assert claims(client.headers("POST", SERVER)["DPoP"])["nonce"] == "n1"
    assert len(played.asked("/token")) == 1
    assert "ath" not in claims(played.asked("/token")[0].headers["DPoP"])


async def test_a_token_endpoint_that_is_never_content_with_its_nonce_is_asked_twice() -> None:
    def token(_: httpx.Request) -> httpx.Response:
        return httpx.Response(400, json={"error": "use_dpop_nonce"}, headers={"DPoP-Nonce": "always-this"})

    played = Played(token=token)
    played.add_server(ISSUER, dpop_signing_alg_values_supported=["ES256"])
    client = played.client()
    with pytest.raises(ClientFailure, match="use_dpop_nonce"):
        await client.authorize(refusal(client))
    nonces = [claims(each.headers["DPoP"]).get("nonce") for each in played.asked("/token")]
    assert nonces == [None, "always-this"]


async def test_a_token_endpoint_that_always_wants_another_nonce_is_given_up() -> None:
    def token(_: httpx.Request) -> httpx.Response:
        nonce = f"n{played.issued}"
        return httpx.Response(400, json={"error": "use_dpop_nonce"}, headers={"DPoP-Nonce": nonce})

    played = Played(token=token)
    played.add_server(ISSUER, dpop_signing_alg_values_supported=["ES256"])
    client = played.client()
    with pytest.raises(ClientFailure, match="use_dpop_nonce"):
        await client.authorize(refusal(client))
    assert len(played.asked("/token")) == 3


async def test_given_credentials_without_an_issuer_stay_with_the_first_that_got_them() -> None:
    played = Played()
    played.add_server(OTHER)
    client = played.client(context={"client_id": "me"})
    await client.authorize(refusal(client))
    played.documents[RESOURCE_METADATA] = {"resource": SERVER, "authorization_servers": [OTHER]}
    with pytest.raises(ClientFailure, match="credentials are for"):
        await client.authorize(refusal(client))


async def test_a_key_signs_who_the_client_is_for_the_issuer() -> None:
    key = ECKey.generate_key("P-256")
    played = Played()
    played.add_server(ISSUER, grant_types_supported=["client_credentials"])
    client = played.client(context={"client_id": "me", "private_key_pem": key.as_pem(private=True).decode()})
    await client.authorize(refusal(client, 'Bearer scope="read"'))
    form = form_of(played.asked("/token")[0])
    assertion = jwt.decode(form["client_assertion"], key)
    assert (assertion.claims["iss"], assertion.claims["sub"], assertion.claims["aud"]) == ("me", "me", ISSUER)
    assert assertion.claims["exp"] > assertion.claims["iat"]
    assert (form["grant_type"], form["scope"], form["resource"]) == ("client_credentials", "read", SERVER)
    assert "client_id" not in form


async def test_a_key_that_is_none_ends_the_client() -> None:
    played = Played()
    played.add_server(ISSUER, grant_types_supported=["client_credentials"])
    client = played.client(context={"client_id": "me", "private_key_pem": "junk"})
    with pytest.raises(ClientFailure, match="private key"):
        await client.authorize(refusal(client))


async def test_a_workload_that_is_refused_does_not_try_again() -> None:
    played = Played(token=lambda _: httpx.Response(400, json={"error": "invalid_grant"}))
    played.add_server(ISSUER, grant_types_supported=["urn:ietf:params:oauth:grant-type:jwt-bearer"])
    client = played.client(context={"client_id": "me", "valid_jwt": "a.b.c"})
    with pytest.raises(ClientFailure, match="invalid_grant"):
        await client.authorize(refusal(client))
    assert len(played.asked("/token")) == 1


@pytest.mark.parametrize("document", [{"access_token": 7}, {"access_token": "x", "token_type": None}, {}])
async def test_a_token_response_of_wrong_types_ends_the_client(document: JsonObject) -> None:
    client = Played(token=lambda _: httpx.Response(200, json=document)).client()
    with pytest.raises(ClientFailure, match="token"):
        await client.authorize(refusal(client))


async def test_a_refusal_of_older_credentials_is_repeated_with_the_newer_ones() -> None:
    played = Played()
    client = played.client()
    old = refusal(client)
    await client.authorize(old)
    assert await client.authorize(replace(old, authorization="Bearer older"))
    assert played.issued == 1
