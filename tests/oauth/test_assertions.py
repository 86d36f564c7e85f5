"""Which assertions are good, and by which rule others are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from joserfc.jwk import Key

from pytest_mcp_conformance.oauth import assertions, jwts
from pytest_mcp_conformance.oauth.jwts import Flaw, InvalidToken, Jwt
from tests.oauth.making import NOW, corrupted, ec_key, other_key, secret, token

ISSUER = "http://localhost:8001"
TOKEN_ENDPOINT = f"{ISSUER}/token"
IDP = "http://localhost:8002"
RESOURCE = "http://localhost:8000/mcp"
SECOND = int(NOW)


def refusal(check: Callable[[], object]) -> tuple[Flaw, str]:
    with pytest.raises(InvalidToken) as caught:
        check()
    return caught.value.flaw, str(caught.value)


def client_assertion(key: Key | None = None, **changes: Any) -> str:
    claims = {"iss": "client", "sub": "client", "aud": ISSUER, "iat": SECOND, "exp": SECOND + 300, "jti": "1"} | changes
    return token({"alg": "ES256"}, {name: value for name, value in claims.items() if value is not ...}, key or ec_key())


def check_client(value: str) -> Jwt:
    return assertions.check_client_assertion(value, ec_key(), issuer=ISSUER, token_endpoint=TOKEN_ENDPOINT, now=NOW)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"aud": f"{ISSUER}/"},
        {"aud": TOKEN_ENDPOINT},
        {"aud": [ISSUER, "https://other"]},
        {"exp": SECOND - 29},
        {"nbf": SECOND + 30},
        {"iat": ..., "jti": ..., "exp": ...},
        {"iss": 1, "sub": None},
    ],
)
def test_a_client_assertion_that_is_good(changes: dict[str, Any]) -> None:
    """Who it speaks of is for the caller to see."""
    check_client(client_assertion(**changes))


@pytest.mark.parametrize(
    ("value", "flaw"),
    [
        ("assertion", Flaw.FORM),
        (client_assertion(other_key()), Flaw.SIGNATURE),
        (corrupted(client_assertion()), Flaw.SIGNATURE),
        (token({"alg": "none"}, {"aud": ISSUER}, None), Flaw.ALGORITHM),
        (token({"alg": "HS256"}, {"aud": ISSUER}, secret()), Flaw.ALGORITHM),
        (client_assertion(aud=...), Flaw.AUDIENCE),
        (client_assertion(aud=f"{ISSUER}//"), Flaw.AUDIENCE),
        (client_assertion(aud=RESOURCE), Flaw.AUDIENCE),
        (client_assertion(exp=SECOND - 30), Flaw.EXPIRED),
        (client_assertion(nbf=SECOND + 31), Flaw.CLAIM),
    ],
)
def test_a_client_assertion_that_is_not(value: str, flaw: Flaw) -> None:
    assert refusal(lambda: check_client(value))[0] is flaw


def id_token(issuer: str = IDP, audience: str = "idp-client", now: float = NOW) -> str:
    return assertions.id_token(ec_key(), issuer=issuer, audience=audience, subject="user@example.com", now=now)


def check_id_token(value: str) -> Jwt:
    return assertions.check_id_token(value, ec_key(), issuer=IDP, audience="idp-client", now=NOW)


def test_an_id_token_comes_back_as_it_was_given() -> None:
    claims = check_id_token(id_token()).claims
    assert claims["sub"] == claims["email"] == "user@example.com"
    assert claims["exp"] == SECOND + 3600


@pytest.mark.parametrize(
    ("value", "flaw"),
    [
        (id_token(issuer=f"{IDP}/"), Flaw.CLAIM),
        (id_token(audience="another"), Flaw.AUDIENCE),
        (id_token(now=NOW - 3600), Flaw.EXPIRED),
        (corrupted(id_token()), Flaw.SIGNATURE),
        (token({"alg": "none"}, jwts.read(id_token()).claims, None), Flaw.ALGORITHM),
    ],
)
def test_an_id_token_that_is_not_good(value: str, flaw: Flaw) -> None:
    assert refusal(lambda: check_id_token(value))[0] is flaw


EXCHANGE = {
    "subject_token": "a.b.c",
    "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
    "requested_token_type": "urn:ietf:params:oauth:token-type:id-jag",
    "audience": ISSUER,
    "resource": RESOURCE,
}


def test_an_exchange_has_what_it_needs() -> None:
    assert assertions.exchange_fault(EXCHANGE) is None


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"subject_token": ""}, "no subject_token"),
        ({"subject_token_type": "urn:ietf:params:oauth:token-type:saml2"}, "subject_token_type"),
        ({"subject_token_type": ""}, "subject_token_type"),
        ({"requested_token_type": "urn:ietf:params:oauth:token-type:access_token"}, "requested_token_type"),
        ({"audience": ""}, "no audience"),
        ({"resource": ""}, "no resource"),
    ],
)
def test_an_exchange_that_lacks_something(changes: dict[str, str], fault: str) -> None:
    assert (assertions.exchange_fault(EXCHANGE | changes) or "").startswith(fault)


def id_jag(audience: str = ISSUER, resource: str = RESOURCE, client_id: str = "client", now: float = NOW) -> str:
    return assertions.id_jag(
        ec_key(), issuer=IDP, subject="u", audience=audience, resource=resource, client_id=client_id, now=now
    )


def check_id_jag(value: str) -> Jwt:
    return assertions.check_id_jag(value, ec_key(), issuer=ISSUER, client_id="client", resource=RESOURCE, now=NOW)


def test_a_grant_is_what_the_extension_says() -> None:
    jwt = check_id_jag(id_jag())
    assert jwt.header == {"alg": "ES256", "typ": "oauth-id-jag+jwt"}
    assert jwt.claims.keys() == {"iss", "sub", "aud", "resource", "client_id", "jti", "exp", "iat"}
    assert jwt.claims["exp"] == SECOND + 300
    assert check_id_jag(id_jag(audience=f"{ISSUER}/")).claims["jti"] != jwt.claims["jti"]


@pytest.mark.parametrize(
    ("value", "flaw", "told"),
    [
        ("grant", Flaw.FORM, "no JWT"),
        (id_token(), Flaw.TYPE, "typ is null"),
        (token({"alg": "ES256", "typ": "oauth-id-jag+jwt"}, {}, other_key()), Flaw.SIGNATURE, "signature"),
        (token({"alg": "none", "typ": "oauth-id-jag+jwt"}, {}, None), Flaw.ALGORITHM, "alg"),
        (id_jag(audience=TOKEN_ENDPOINT), Flaw.AUDIENCE, "aud"),
        (id_jag(now=NOW - 331), Flaw.EXPIRED, "exp"),
        (id_jag(client_id="another"), Flaw.CLAIM, "client_id"),
        (id_jag(resource="http://localhost:8000"), Flaw.CLAIM, "resource"),
    ],
)
def test_a_grant_that_is_not_good(value: str, flaw: Flaw, told: str) -> None:
    found, message = refusal(lambda: check_id_jag(value))
    assert found is flaw
    assert told in message


def workload_token(audience: str = ISSUER, lifetime: int = 300) -> str:
    return assertions.workload_token(
        ec_key(), issuer="https://idp.example", subject="w", audience=audience, now=NOW, lifetime=lifetime
    )


def check_workload(value: str) -> Jwt:
    return assertions.check_workload_token(value, ec_key(), issuer=ISSUER, now=NOW)


def test_a_workload_token_is_good() -> None:
    assert check_workload(workload_token()).claims["sub"] == "w"
    check_workload(workload_token(lifetime=-4))


@pytest.mark.parametrize(
    ("value", "flaw"),
    [
        ("workload", Flaw.FORM),
        (workload_token(lifetime=-60), Flaw.EXPIRED),
        (workload_token(lifetime=-5), Flaw.EXPIRED),
        (workload_token(audience="https://wrong.example"), Flaw.AUDIENCE),
        (workload_token(audience="https://wrong.example", lifetime=-60), Flaw.AUDIENCE),
        (corrupted(workload_token(lifetime=-60)), Flaw.SIGNATURE),
        (token({"alg": "ES256"}, {"aud": ISSUER, "iat": "now", "exp": 0}, ec_key()), Flaw.CLAIM),
    ],
)
def test_a_workload_token_that_is_not_good(value: str, flaw: Flaw) -> None:
    assert refusal(lambda: check_workload(value))[0] is flaw
