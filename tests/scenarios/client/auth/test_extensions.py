"""The extensions of authorization: what is accepted, what is not, and that nothing a client sends breaks them."""

from __future__ import annotations

import base64
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc.jwk import ECKey, Key

from pytest_mcp_conformance.model import Ending
from pytest_mcp_conformance.oauth.dpop import token_hash
from tests.oauth.making import ec_key, okp_key, other_key, token
from tests.scenarios.client.auth.small_clients import Found, outcome, statuses

JWT = "auth/client-credentials-jwt"
BASIC = "auth/client-credentials-basic"
ENTERPRISE = "auth/enterprise-managed-authorization"
WORKLOAD = "auth/wif-jwt-bearer"
DPOP = "auth/dpop"
DPOP_NONCE = "auth/dpop-nonce"

JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
VERIFIER = "a-verifier-of-forty-three-characters-or-more"
CHALLENGE = token_hash(VERIFIER)  # the same rule: SHA-256 in base64url


# Client credentials


def assertion(found: Found, **changes: Any) -> dict[str, str]:
    now = int(time.time())
    client = found.context["client_id"]
    claims = {"iss": client, "sub": client, "aud": found.server["issuer"], "iat": now, "exp": now + 60} | changes
    signed = token({"alg": "ES256"}, claims, ECKey.import_key(found.context["private_key_pem"]))
    return {
        "grant_type": "client_credentials",
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": signed,
    }


@pytest.mark.parametrize("audience", ["issuer", "token_endpoint"])
async def test_an_assertion_may_be_for_the_issuer_or_for_the_token_endpoint(audience: str) -> None:
    async def acting(found: Found) -> None:
        answer = await found.token(assertion(found, aud=found.server[audience]))
        await found.ping(authorization=f"Bearer {answer.json()['access_token']}")

    found = await statuses(JWT, acting)
    assert (found["client-credentials-jwt-verified"], found["valid-bearer-token"]) == ("SUCCESS", "SUCCESS")


async def test_a_good_assertion_after_a_bad_one_does_not_mend_it() -> None:
    async def acting(found: Found) -> None:
        await found.token(assertion(found, aud="https://another.example"))
        await found.token(assertion(found))

    assert (await statuses(JWT, acting))["client-credentials-jwt-verified"] == "FAILURE"


async def test_an_assertion_without_exp_fails_the_addition_alone() -> None:
    async def acting(found: Found) -> None:
        form = assertion(found)
        client = found.context["client_id"]
        claims = {"iss": client, "sub": client, "aud": found.server["issuer"]}
        form["client_assertion"] = token({"alg": "ES256"}, claims, ECKey.import_key(found.context["private_key_pem"]))
        await found.token(form)

    found = await statuses(JWT, acting)
    assert [id_ for id_, status in found.items() if status == "FAILURE"] == ["x-client-assertion-expires"]


@pytest.mark.parametrize(
    ("scheme", "secret", "status"),
    [
        ("Basic", "conformance-test-secret", "SUCCESS"),
        ("basic", "conformance-test-secret", "SUCCESS"),
        ("Basic", "conformance%2Dtest%2dsecret", "SUCCESS"),
        ("Bearer", "conformance-test-secret", "FAILURE"),
        ("Basic", "conformance-test-secret:more", "FAILURE"),
        ("Basic", "%zz", "FAILURE"),
    ],
)
async def test_basic_credentials_are_read_as_their_rules_say(scheme: str, secret: str, status: str) -> None:
    async def acting(found: Found) -> None:
        encoded = base64.b64encode(f"{found.context['client_id']}:{secret}".encode()).decode()
        await found.token({"grant_type": "client_credentials"}, authorization=f"{scheme} {encoded}")

    assert (await statuses(BASIC, acting))["client-credentials-basic-auth"] == status


# Enterprise-managed authorization


async def exchanged(found: Found, **changes: str) -> dict[str, Any]:
    form = {
        "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
        "requested_token_type": "urn:ietf:params:oauth:token-type:id-jag",
        "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
        "subject_token": found.context["idp_id_token"],
        "audience": found.server["issuer"],
        "resource": found.resource,
    } | changes
    answer = await found.http.post(found.context["idp_token_endpoint"], data=form)
    body: dict[str, Any] = answer.json()
    return body


async def presented(found: Found, grant: str) -> int:
    pair = f"{found.context['client_id']}:{found.context['client_secret']}".encode()
    headers = {"authorization": f"Basic {base64.b64encode(pair).decode()}"}
    return (await found.token({"grant_type": JWT_BEARER, "assertion": grant}, **headers)).status_code


async def test_the_provider_says_what_it_gives_and_by_which_keys() -> None:
    async def acting(found: Found) -> None:
        issuer = found.context["idp_issuer"]
        metadata = (await found.http.get(f"{issuer}/.well-known/openid-configuration")).json()
        assert metadata["issuer"] == issuer
        assert metadata["token_endpoint"] == found.context["idp_token_endpoint"]
        (key,) = (await found.http.get(metadata["jwks_uri"])).json()["keys"]
        assert "d" not in key
        body = await exchanged(found)
        assert (body["token_type"], body["expires_in"]) == ("N_A", 300)
        assert body["issued_token_type"] == "urn:ietf:params:oauth:token-type:id-jag"
        assert await presented(found, body["access_token"]) == 200

    found = await statuses(ENTERPRISE, acting)
    assert (found["complete-flow-token-exchange"], found["complete-flow-jwt-bearer"]) == ("SUCCESS", "SUCCESS")


async def test_the_first_of_two_grants_is_as_good_as_the_second() -> None:
    async def acting(found: Found) -> None:
        first, second = (await exchanged(found))["access_token"], (await exchanged(found))["access_token"]
        assert [await presented(found, grant) for grant in (first, second)] == [200, 200]

    assert (await statuses(ENTERPRISE, acting))["complete-flow-jwt-bearer"] == "SUCCESS"


@pytest.mark.parametrize("name", ["audience", "resource"])
async def test_a_grant_for_another_server_is_no_grant_here(name: str) -> None:
    async def acting(found: Found) -> None:
        body = await exchanged(found, **{name: "https://another.example/mcp"})
        assert await presented(found, body["access_token"]) == 400

    found = await statuses(ENTERPRISE, acting)
    assert (found["complete-flow-token-exchange"], found["complete-flow-jwt-bearer"]) == ("SUCCESS", "FAILURE")


async def test_an_id_token_that_the_client_signed_itself_is_refused() -> None:
    async def acting(found: Found) -> None:
        claims = {"iss": found.context["idp_issuer"], "aud": found.context["idp_client_id"], "sub": "root"}
        for forged in (
            token({"alg": "ES256"}, claims, other_key()),
            token({"alg": "none"}, claims, None),
        ):
            assert (await exchanged(found, subject_token=forged))["error"] == "invalid_grant"

    assert (await statuses(ENTERPRISE, acting))["complete-flow-token-exchange"] == "FAILURE"


# Workload identity


async def test_what_comes_after_a_refusal_is_looked_at_for_nothing_else() -> None:
    async def acting(found: Found) -> None:
        await found.token({"grant_type": JWT_BEARER, "assertion": found.context["expired_jwt"]})
        await found.token({"grant_type": JWT_BEARER, "assertion": found.context["wrong_audience_jwt"]})
        await found.token({"grant_type": "client_credentials"})
        await found.token({"grant_type": JWT_BEARER, "assertion": found.context["valid_jwt"]})

    found = await statuses(WORKLOAD, acting)
    assert {id_: status for id_, status in found.items() if id_.startswith("wif-")} == {
        "wif-assertion-expired": "FAILURE",
        "wif-no-retry": "WARNING",
        "wif-grant-fallback": "WARNING",
    }


@pytest.mark.parametrize(
    ("scope", "error"), [("wif.rejected", "invalid_scope"), ("a wif.trigger-unauthorized", "unauthorized_client")]
)
async def test_a_scope_that_is_refused_says_nothing_against_the_assertion(scope: str, error: str) -> None:
    async def acting(found: Found) -> None:
        form = {"grant_type": JWT_BEARER, "assertion": found.context["valid_jwt"], "scope": scope}
        assert (await found.token(form)).json()["error"] == error

    assert (await statuses(WORKLOAD, acting))["wif-assertion-verified"] == "SUCCESS"


# DPoP


def proof(uri: str, key: Key | None = None, alg: str = "ES256", **claims: Any) -> str:
    key = key or ec_key()
    said = {"jti": str(time.monotonic_ns()), "htm": "POST", "htu": uri, "iat": int(time.time())} | claims
    header: dict[str, Any] = {"typ": "dpop+jwt", "alg": alg, "jwk": key.as_dict(private=False)}
    return token(header, said, key)


async def code(found: Found) -> dict[str, str]:
    back = "http://127.0.0.1:9876/callback"
    query = {"response_type": "code", "client_id": "client", "redirect_uri": back, "resource": found.resource}
    query |= {"code_challenge": CHALLENGE, "code_challenge_method": "S256"}
    answer = await found.http.get(found.server["authorization_endpoint"], params=query)
    (value,) = parse_qs(urlsplit(answer.headers["location"]).query)["code"]
    form = {"grant_type": "authorization_code", "code": value, "redirect_uri": back, "client_id": "client"}
    return form | {"code_verifier": VERIFIER, "resource": found.resource}


async def bound(found: Found, key: Key | None = None, alg: str = "ES256") -> str:
    answer = await found.token(await code(found), dpop=proof(found.token_endpoint, key, alg))
    assert answer.json()["token_type"] == "DPoP"
    return str(answer.json()["access_token"])


def failed(found: dict[str, str]) -> list[str]:
    return sorted(id_.removeprefix("sep-1932-client-") for id_, status in found.items() if status == "FAILURE")


@pytest.mark.parametrize(("key", "alg"), [(ec_key(), "ES256"), (okp_key(), "Ed25519"), (okp_key(), "EdDSA")])
async def test_any_asymmetric_key_will_do(key: Key, alg: str) -> None:
    async def acting(found: Found) -> None:
        value = await bound(found, key, alg)
        for _ in range(2):
            shown = proof(found.url, key, alg, ath=token_hash(value))
            assert (await found.ping(authorization=f"dpop {value}", dpop=shown)).status_code == 200

    assert failed(await statuses(DPOP, acting)) == []


async def test_a_request_without_a_token_is_told_the_scheme_and_counts_for_nothing() -> None:
    async def acting(found: Found) -> None:
        answer = await found.ping()
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith('DPoP resource_metadata="http://')

    assert failed(await statuses(DPOP, acting)) == ["dpop-auth-scheme", "fresh-proof", "token-request-proof"]


async def test_one_token_request_without_a_proof_is_one_too_many() -> None:
    async def acting(found: Found) -> None:
        assert (await found.token(await code(found))).json()["token_type"] == "Bearer"
        value = await bound(found)
        await found.ping(authorization=f"DPoP {value}", dpop=proof(found.url, ath=token_hash(value)))

    assert failed(await statuses(DPOP, acting)) == ["token-request-proof"]


async def test_a_refused_proof_leaves_the_code_unspent() -> None:
    async def acting(found: Found) -> None:
        form = await code(found)
        refused = await found.token(form, dpop=proof(found.token_endpoint, htm="GET"))
        assert (refused.status_code, refused.json()["error"]) == (400, "invalid_dpop_proof")
        assert (await found.token(form, dpop=proof(found.token_endpoint))).status_code == 200

    assert "token-request-proof" in failed(await statuses(DPOP, acting))


async def test_each_server_demands_a_nonce_of_its_own() -> None:
    async def acting(found: Found) -> None:
        form = await code(found)
        first = await found.token(form, dpop=proof(found.token_endpoint))
        assert (first.status_code, first.json()["error"]) == (400, "use_dpop_nonce")
        nonce = first.headers["dpop-nonce"]
        value = (await found.token(form, dpop=proof(found.token_endpoint, nonce=nonce))).json()["access_token"]
        scheme, ath = f"DPoP {value}", token_hash(value)
        second = await found.ping(authorization=scheme, dpop=proof(found.url, ath=ath, nonce=nonce))
        assert (second.status_code, second.json()["error"]) == (401, "use_dpop_nonce")
        assert second.headers["www-authenticate"].startswith('DPoP error="use_dpop_nonce"')
        own = second.headers["dpop-nonce"]
        assert own != nonce
        third = await found.ping(authorization=scheme, dpop=proof(found.url, ath=ath, nonce=own))
        assert third.status_code == 200

    assert failed(await statuses(DPOP_NONCE, acting)) == []


async def test_nonces_are_of_one_run() -> None:
    nonces: set[str] = set()

    async def acting(found: Found) -> None:
        answer = await found.token(await code(found), dpop=proof(found.token_endpoint))
        nonces.add(answer.headers["dpop-nonce"])

    await statuses(DPOP_NONCE, acting)
    await statuses(DPOP_NONCE, acting)
    assert len(nonces) == 2


# Whatever a client sends

JUNK = [
    "",
    "x",
    "a.b.c",
    "..",
    "eyJhbGciOiJub25lIn0.e30.",
    "eyJhbGciOlsiRVMyNTYiXX0.e30.AA",
    "W10.W10.W10",
    "A" * 20_000,
    f"{base64.urlsafe_b64encode(b'[' * 6000).decode().rstrip('=')}.e30.AA",
]
GRANTS = ["", "authorization_code", "client_credentials", JWT_BEARER, "urn:ietf:params:oauth:grant-type:token-exchange"]
BODIES: list[tuple[str, bytes]] = [
    ("application/json", b"[]"),
    ("application/json", b'{"grant_type": {"a": 1}, "assertion": [null], "client_assertion": 1e999}'),
    ("application/json", b"[" * 5000),
    ("application/x-www-form-urlencoded", b"grant_type=%ff&assertion=%00&subject_token=%ed%a0%80"),
    ("application/x-www-form-urlencoded", b"assertion=a&assertion=b&grant_type=client_credentials"),
    ("text/plain", b"\xff\xfe"),
]


@pytest.mark.parametrize("name", [JWT, BASIC, ENTERPRISE, WORKLOAD, DPOP, DPOP_NONCE])
async def test_nothing_that_a_client_sends_breaks_a_scenario(name: str) -> None:
    async def acting(found: Found) -> None:
        endpoints = [found.token_endpoint, found.context.get("idp_token_endpoint", found.token_endpoint)]
        for endpoint in endpoints:
            for junk in JUNK:
                for grant in GRANTS:
                    names = ("assertion", "client_assertion", "subject_token", "code", "scope", "resource")
                    form = dict.fromkeys(names, junk) | {"grant_type": grant}
                    headers = {"dpop": junk, "authorization": f"Basic {junk}".strip()}
                    answer = await found.http.post(endpoint, data=form, headers=headers)
                    assert answer.status_code < 500
            for kind, body in BODIES:
                answer = await found.http.post(endpoint, content=body, headers={"content-type": kind})
                assert answer.status_code < 500
        for junk in JUNK:
            for scheme in ("DPoP", "Bearer", ""):
                answer = await found.ping(authorization=f"{scheme} {junk}".strip(), dpop=junk)
                assert answer.status_code < 500

    found = await outcome(name, acting)
    assert found.ending is Ending.FAILED, found.reason
