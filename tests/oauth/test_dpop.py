"""Which proofs hold."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.oauth import dpop, jwts, keys
from pytest_mcp_conformance.oauth.dpop import Proof, check_binding, check_proof
from pytest_mcp_conformance.oauth.jwts import InvalidToken
from tests.oauth.making import NOW, corrupted, ec_key, okp_key, other_key, rsa_key, secret, token

URI = "http://localhost:8000/mcp"
TOKEN = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"
CLAIMS: JsonObject = {"jti": "1", "htm": "POST", "htu": URI, "iat": int(NOW)}


def header(**changes: Any) -> JsonObject:
    whole = {"typ": "dpop+jwt", "alg": "ES256", "jwk": ec_key().as_dict(), **changes}
    return {name: value for name, value in whole.items() if value is not ...}


def proof(**changes: Any) -> str:
    claims = {name: value for name, value in {**CLAIMS, **changes}.items() if value is not ...}
    return token(header(), claims, ec_key())


def checked(value: str | None, method: str = "POST", uri: str = URI) -> Proof:
    return check_proof(value, method=method, uri=uri, now=NOW)


def test_a_proof_tells_its_id_its_key_and_its_nonce() -> None:
    found = checked(proof(nonce="n"))
    assert (found.jti, found.jkt, found.nonce) == ("1", ec_key().thumbprint(), "n")
    assert checked(proof()).nonce is None


GOOD: dict[str, Callable[[], str]] = {
    "plain": proof,
    "a slash more": lambda: proof(htu=f"{URI}/"),
    "scheme and host in capitals": lambda: proof(htu="HTTP://LOCALHOST:8000/mcp"),
    "a letter encoded": lambda: proof(htu="http://localhost:8000/%6Dc%70"),
    "dot segments": lambda: proof(htu="http://localhost:8000/./a/../mcp"),
    "iat at the edge of the window": lambda: proof(iat=int(NOW) - 300),
    "iat ahead of us": lambda: proof(iat=int(NOW) + 300),
    "iat with a fraction": lambda: proof(iat=NOW),
    "exp to come": lambda: proof(exp=int(NOW) + 1),
    "RS256": lambda: token(header(alg="RS256", jwk=rsa_key().as_dict()), CLAIMS, rsa_key()),
    "a large RSA key": lambda: token(header(alg="PS256", jwk=rsa_key(4096).as_dict()), CLAIMS, rsa_key(4096)),
    "ES512": lambda: token(header(alg="ES512", jwk=ec_key("P-521").as_dict()), CLAIMS, ec_key("P-521")),
    "EdDSA": lambda: token(header(alg="EdDSA", jwk=okp_key().as_dict()), CLAIMS, okp_key()),
    "Ed25519": lambda: token(header(alg="Ed25519", jwk=okp_key().as_dict()), CLAIMS, okp_key()),
    "a key with more members": lambda: token(
        header(jwk={**ec_key().as_dict(), "kid": "k", "use": "sig", "x-of-mine": 1}), CLAIMS, ec_key()
    ),
}
BAD: dict[str, tuple[Callable[[], str | None], str]] = {
    "none": (lambda: None, "no DPoP header"),
    "an empty one": (lambda: "", "no DPoP header"),
    "two": (lambda: f"{proof()}, {proof()}", "more than one"),
    "no JWT": (lambda: "proof", "no JWT"),
    "another typ": (lambda: token(header(typ="JWT"), CLAIMS, ec_key()), "typ"),
    "no typ": (lambda: token(header(typ=...), CLAIMS, ec_key()), "typ"),
    "alg none": (lambda: token(header(alg="none"), CLAIMS, None), "alg"),
    "a symmetric algorithm": (
        lambda: token(header(alg="HS256", jwk=secret().as_dict(private=True)), CLAIMS, secret()),
        "alg",
    ),
    "a symmetric key": (
        lambda: corrupted(token(header(jwk=secret().as_dict(private=True)), CLAIMS, ec_key())),
        "symmetric",
    ),
    "no key": (lambda: token(header(jwk=...), CLAIMS, ec_key()), "jwk"),
    "a private key": (lambda: token(header(jwk=ec_key().as_dict(private=True)), CLAIMS, ec_key()), "private"),
    "another's key": (lambda: token(header(jwk=other_key().as_dict()), CLAIMS, ec_key()), "signature"),
    "a corrupted signature": (lambda: corrupted(proof()), "signature"),
    "a key for encryption": (
        lambda: token(header(jwk={**ec_key().as_dict(), "key_ops": ["deriveKey"]}), CLAIMS, ec_key()),
        "signature",
    ),
    "no jti": (lambda: proof(jti=...), "jti"),
    "jti a number": (lambda: proof(jti=1), "jti"),
    "another method": (lambda: proof(htm="GET"), "htm"),
    "a method in small letters": (lambda: proof(htm="post"), "htm"),
    "no htu": (lambda: proof(htu=...), "htu"),
    "htu a list": (lambda: proof(htu=[URI]), "htu"),
    "another path": (lambda: proof(htu="http://localhost:8000/token"), "htu"),
    "another port": (lambda: proof(htu="http://localhost:8001/mcp"), "htu"),
    "another scheme": (lambda: proof(htu="https://localhost:8000/mcp"), "htu"),
    "two slashes more": (lambda: proof(htu=f"{URI}//"), "htu"),
    "a slash encoded": (lambda: proof(htu="http://localhost:8000%2Fmcp"), "htu"),
    "another slash encoded": (lambda: proof(htu=f"{URI}%2F"), "htu"),
    "a segment more": (lambda: proof(htu="http://localhost:8000/a/./mcp"), "htu"),
    "a query": (lambda: proof(htu=f"{URI}?a"), "htu"),
    "an empty query": (lambda: proof(htu=f"{URI}?"), "htu"),
    "a fragment": (lambda: proof(htu=f"{URI}#"), "htu"),
    "no URI": (lambda: proof(htu="http://[localhost/mcp"), "htu"),
    "no port": (lambda: proof(htu="http://localhost:port/mcp"), "htu"),
    "no iat": (lambda: proof(iat=...), "iat"),
    "iat a text": (lambda: proof(iat=str(NOW)), "iat"),
    "iat an hour old": (lambda: proof(iat=int(NOW) - 3600), "iat"),
    "iat just outside of the window": (lambda: proof(iat=int(NOW) + 301), "iat"),
    "exp over": (lambda: proof(exp=int(NOW)), "exp"),
    "nbf to come": (lambda: proof(nbf=int(NOW) + 1), "nbf"),
}


@pytest.mark.parametrize("case", GOOD)
def test_a_good_proof_holds(case: str) -> None:
    assert checked(GOOD[case]()).jti == "1"


@pytest.mark.parametrize("case", BAD)
def test_a_bad_proof_is_refused(case: str) -> None:
    value, told = BAD[case]
    with pytest.raises(InvalidToken, match=told):
        checked(value())


def test_the_default_port_is_none() -> None:
    assert dpop.same_target("http://host:80/mcp", "http://HOST/mcp")
    assert dpop.same_target("https://host:443/", "https://host")
    assert not dpop.same_target("http://host:443/mcp", "http://host/mcp")
    assert dpop.same_target("no uri [", "no uri [")


def test_the_vectors_of_rfc_9449() -> None:
    jwk: JsonObject = {
        "kty": "EC",
        "crv": "P-256",
        "x": "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",
        "y": "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA",
    }
    assert keys.thumbprint(keys.from_jwk(jwk)) == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"
    assert dpop.token_hash(TOKEN) == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo"


def bound(jkt: str) -> str:
    return dpop.bound_token(other_key(), jkt=jkt, issuer="http://as", audience=URI, subject="s", scope="a b", now=NOW)


def test_a_bound_token_says_so() -> None:
    jwt = jwts.verify(bound("thumb"), other_key(), algorithms=jwts.ES256)
    assert jwt.header["typ"] == "at+jwt"
    assert jwt.claims == {
        "iss": "http://as",
        "aud": URI,
        "sub": "s",
        "iat": int(NOW),
        "exp": int(NOW) + 3600,
        "cnf": {"jkt": "thumb"},
        "scope": "a b",
    }


def test_a_proof_is_for_one_token_and_the_token_for_its_key() -> None:
    good = bound(ec_key().thumbprint())
    check_binding(checked(proof(ath=dpop.token_hash(good))), good)


@pytest.mark.parametrize(
    ("value", "ath", "told"),
    [
        (bound(ec_key().thumbprint()), None, "ath"),
        (bound(ec_key().thumbprint()), dpop.token_hash("other"), "ath"),
        (bound(other_key().thumbprint()), ..., "is bound to"),
        ("test-token-1", ..., "not bound"),
        (token({"alg": "ES256"}, {}, ec_key()), ..., "is bound to"),
        (token({"alg": "ES256"}, {"cnf": ec_key().thumbprint()}, ec_key()), ..., "is bound to"),
        ("é\ud800", ..., "not bound"),
    ],
)
def test_a_token_without_the_proof_of_its_key_is_refused(value: str, ath: object, told: str) -> None:
    shown = checked(proof(ath=dpop.token_hash(value) if ath is ... else ath))
    with pytest.raises(InvalidToken, match=told):
        check_binding(shown, value)


def test_no_key_makes_checking_slow() -> None:
    """A modulus as large as a header holds, with an exponent as large: refused by size, not by working it out."""
    digits = "_" * 5400
    value = token(header(alg="RS256", jwk={"kty": "RSA", "n": digits, "e": digits}), CLAIMS, rsa_key())
    started = time.monotonic()
    with pytest.raises(InvalidToken):
        checked(value)
    assert time.monotonic() - started < 0.5


def test_anything_in_a_members_place_is_refused_without_raising() -> None:
    junk: list[object] = [None, True, 0, 1e999, "", "x" * 100, [], [[]], {}, {"kty": "EC"}, "\ud800"]
    good_header, refused = header(), 0
    for name in ("typ", "alg", "jwk", "kid", "jku", "x5c", "b64", "cty"):
        for value in junk:
            raw = json.dumps(good_header | {name: value}).encode()
            refused += _refused(f"{_segment(raw)}.{proof().split('.', 1)[1]}")
    for name in ("crv", "x", "y", "kty", "use", "key_ops", "alg", "kid", "n", "e"):
        for value in junk:
            raw = json.dumps(good_header | {"jwk": {**ec_key().as_dict(), name: value}}).encode()
            refused += _refused(f"{_segment(raw)}.{proof().split('.', 1)[1]}")
    assert refused == 18 * len(junk)


def _segment(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _refused(value: str) -> bool:
    try:
        checked(value)
    except InvalidToken:
        return True
    return False
