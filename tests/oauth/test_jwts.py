"""What is let through as a JSON Web Token."""

from __future__ import annotations

import base64
import subprocess
import sys

import pytest
from joserfc.jwk import Key

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.oauth import jwts, keys
from pytest_mcp_conformance.oauth.jwts import ES256, MAX_CHARACTERS, Flaw, InvalidToken
from tests.oauth.making import NOW, corrupted, ec_key, okp_key, other_key, rsa_key, secret, token


def segment(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def flaw_of(value: str, key: Key, algorithms: frozenset[str] = ES256) -> Flaw | None:
    try:
        jwts.verify(value, key, algorithms=algorithms)
    except InvalidToken as error:
        return error.flaw if str(error).isprintable() else None
    return None


def test_what_is_signed_can_be_verified() -> None:
    key = keys.new_key()
    signed = jwts.sign({"sub": "wÖrker"}, key, typ="at+jwt")
    jwt = jwts.verify(signed, key, algorithms=ES256)
    assert jwt.header == {"alg": "ES256", "typ": "at+jwt"}
    assert jwt.claims == {"sub": "wÖrker"}
    assert jwts.read(jwts.sign({}, key)).header == {"alg": "ES256"}


def test_the_private_key_is_given_as_pkcs8() -> None:
    key = keys.new_key()
    pem = keys.private_pem(key)
    assert pem.startswith("-----BEGIN PRIVATE KEY-----\n")
    assert flaw_of(jwts.sign({}, type(key).import_key(pem)), key) is None


GOOD = token({"alg": "ES256"}, {"sub": "a"}, ec_key())
HEADER, PAYLOAD, SIGNATURE = GOOD.split(".")


def with_header(raw: bytes) -> str:
    return f"{segment(raw)}.{PAYLOAD}.{SIGNATURE}"


def with_payload(raw: bytes) -> str:
    return f"{HEADER}.{segment(raw)}.{SIGNATURE}"


NOT_GOOD = {
    "empty": ("", Flaw.FORM),
    "one word": ("token", Flaw.FORM),
    "two segments": (f"{HEADER}.{PAYLOAD}", Flaw.FORM),
    "four segments": (f"{GOOD}.{SIGNATURE}", Flaw.FORM),
    "five segments, as encrypted ones have": (f"{GOOD}.a.b", Flaw.FORM),
    "empty segments": ("..", Flaw.FORM),
    "padding": (f"{HEADER}==.{PAYLOAD}.{SIGNATURE}", Flaw.FORM),
    "beyond ASCII": (f"{HEADER}.é.{SIGNATURE}", Flaw.FORM),
    "a lone surrogate": (f"{HEADER}.\ud800.{SIGNATURE}", Flaw.FORM),
    "a header that is no JSON": (with_header(b"{"), Flaw.FORM),
    "a header that is a list": (with_header(b'["alg"]'), Flaw.FORM),
    "a header that is a text": (with_header(b'"alg"'), Flaw.FORM),
    "a header that is null": (with_header(b"null"), Flaw.FORM),
    "a header without alg": (with_header(b"{}"), Flaw.FORM),
    "a header of many levels": (with_header(b"[" * 9000), Flaw.FORM),
    "a payload of many levels": (with_payload(b"[" * 9000), Flaw.FORM),
    "a payload that is a list": (with_payload(b"[]"), Flaw.FORM),
    "a payload that is no UTF-8": (with_payload(bytes([0xFF])), Flaw.FORM),
    "a payload with NaN": (with_payload(b'{"exp":NaN}'), Flaw.FORM),
    "longer than the bound": (f"{HEADER}.{'A' * MAX_CHARACTERS}.{SIGNATURE}", Flaw.FORM),
    "a corrupted signature": (corrupted(GOOD), Flaw.SIGNATURE),
    "no signature": (f"{HEADER}.{PAYLOAD}.", Flaw.SIGNATURE),
    "a signature that is no base64": (f"{HEADER}.{PAYLOAD}.!", Flaw.SIGNATURE),
    "other contents": (with_payload(b'{"sub":"b"}'), Flaw.SIGNATURE),
    "another key": (token({"alg": "ES256"}, {}, other_key()), Flaw.SIGNATURE),
    "alg none": (token({"alg": "none"}, {"sub": "a"}, None), Flaw.ALGORITHM),
    "alg None": (with_header(b'{"alg":"None"}'), Flaw.ALGORITHM),
    "alg a list": (with_header(b'{"alg":["ES256"]}'), Flaw.ALGORITHM),
    "alg null": (with_header(b'{"alg":null}'), Flaw.ALGORITHM),
    "a symmetric algorithm": (token({"alg": "HS256"}, {}, secret()), Flaw.ALGORITHM),
    "an algorithm that was not named": (token({"alg": "RS256"}, {}, rsa_key()), Flaw.ALGORITHM),
    "a critical extension": (token({"alg": "ES256", "crit": ["b64"], "b64": True}, {}, ec_key()), Flaw.FORM),
    "a payload beside base64": (token({"alg": "ES256", "crit": ["b64"], "b64": False}, {}, ec_key()), Flaw.FORM),
    "a kid that is no text": (with_header(b'{"alg":"ES256","kid":1}'), Flaw.SIGNATURE),
}


@pytest.mark.parametrize("case", NOT_GOOD)
def test_what_is_not_good_is_refused(case: str) -> None:
    value, flaw = NOT_GOOD[case]
    assert flaw_of(value, ec_key()) is flaw


def test_the_public_key_is_no_secret() -> None:
    """HMAC with the public key as its secret is the classic confusion. A key on a curve is none, whatever is let through."""
    confused = token({"alg": "HS256"}, {}, secret())
    assert flaw_of(confused, ec_key()) is Flaw.ALGORITHM
    assert flaw_of(confused, ec_key(), frozenset({"ES256", "HS256"})) is Flaw.SIGNATURE


def test_an_algorithm_needs_a_key_of_its_kind() -> None:
    both = frozenset({"ES256", "ES384", "RS256"})
    assert flaw_of(token({"alg": "RS256"}, {}, rsa_key()), ec_key(), both) is Flaw.SIGNATURE
    assert flaw_of(token({"alg": "ES384"}, {}, ec_key("P-384")), ec_key(), both) is Flaw.SIGNATURE


def test_no_algorithm_named_means_none_accepted() -> None:
    assert flaw_of(GOOD, ec_key(), frozenset()) is Flaw.ALGORITHM


@pytest.mark.parametrize(
    ("algorithm", "key"),
    [
        ("ES384", ec_key("P-384")),
        ("ES512", ec_key("P-521")),
        ("RS256", rsa_key()),
        ("PS512", rsa_key()),
        ("EdDSA", okp_key()),
        ("Ed25519", okp_key()),
    ],
)
def test_other_algorithms_where_they_are_named(algorithm: str, key: Key) -> None:
    assert flaw_of(token({"alg": algorithm, "unknown": 1}, {}, key), key, frozenset({algorithm})) is None


@pytest.mark.parametrize(
    ("jwk", "told"),
    [
        ({}, "no key"),
        ({"kty": 1}, "no key"),
        ({"kty": []}, "no key"),
        ({"kty": "EC"}, "no key"),
        ({"kty": "EC", "crv": "P-257", "x": "AA", "y": "AA"}, "no key"),
        ({"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}, "no key"),
        ({"kty": "EC", "crv": "P-256", "x": "é", "y": "\ud800"}, "no key"),
        ({"kty": "EC", "crv": "P-256", "x": 1, "y": None}, "no key"),
        ({"kty": "EC", "crv": "P-256", "x": "", "y": ""}, "no key"),
        ({"kty": "OKP", "crv": "Ed25519", "x": "AA"}, "no key"),
        ({"kty": "OKP", "crv": "Ed25518", "x": "AA"}, "no key"),
        ({"kty": "RSA", "n": "AQ", "e": "AQ"}, "no key"),
        ({"kty": "RSA", "n": "", "e": ""}, "no key"),
        ({"kty": "oct", "k": "c2VjcmV0LXRoYXQtaXMtbG9uZy1lbm91Z2gtZm9yLUhT"}, "symmetric"),
        ({**ec_key().as_dict(), "use": "both"}, "no key"),
        ({**ec_key().as_dict(), "use": "sig", "key_ops": ["verify", 1]}, "no key"),
        (rsa_key(1024).as_dict(), "1024 bits"),
    ],
)
def test_a_jwk_that_is_no_public_key_is_refused(jwk: JsonObject, told: str) -> None:
    with pytest.raises(InvalidToken, match=told) as caught:
        keys.from_jwk(jwk)
    assert caught.value.flaw is Flaw.KEY


@pytest.mark.parametrize(
    "audience", ["https://as", ["https://other", "https://as"], [1, None, ["a"], {}, "https://as"]]
)
def test_an_audience_that_names_the_reader(audience: JsonValue) -> None:
    jwts.check_audience({"aud": audience}, ["https://as", "https://as/"])


@pytest.mark.parametrize(
    "audience", ["https://as/", "", None, [], [["https://as"]], {"https://as": 1}, 1, "https://as\n"]
)
def test_an_audience_that_does_not(audience: JsonValue) -> None:
    with pytest.raises(InvalidToken, match="aud is") as caught:
        jwts.check_audience({"aud": audience}, ["https://as"])
    assert caught.value.flaw is Flaw.AUDIENCE


def test_no_audience_names_nobody() -> None:
    with pytest.raises(InvalidToken, match="aud is null"):
        jwts.check_audience({}, ["https://as"])


@pytest.mark.parametrize(
    "claims",
    [
        {},
        {"iat": NOW, "nbf": NOW, "exp": NOW + 1},
        {"exp": NOW - 4},
        {"nbf": NOW + 5},
        {"nbf": int(NOW) + 5},
        {"iat": int(NOW) + 3600},
    ],
)
def test_times_that_hold(claims: JsonObject) -> None:
    jwts.check_times(claims, now=NOW, leeway=5)


@pytest.mark.parametrize(
    ("claims", "flaw"),
    [
        ({"exp": int(NOW) - 5}, Flaw.EXPIRED),
        ({"exp": -1}, Flaw.EXPIRED),
        ({"exp": "1900000000"}, Flaw.CLAIM),
        ({"exp": None}, Flaw.CLAIM),
        ({"exp": True}, Flaw.CLAIM),
        ({"exp": float("inf")}, Flaw.CLAIM),
        ({"exp": -1, "nbf": int(NOW) + 6}, Flaw.CLAIM),
        ({"nbf": int(NOW) + 6}, Flaw.CLAIM),
        ({"nbf": {}}, Flaw.CLAIM),
        ({"iat": []}, Flaw.CLAIM),
    ],
)
def test_times_that_do_not_hold(claims: JsonObject, flaw: Flaw) -> None:
    with pytest.raises(InvalidToken) as caught:
        jwts.check_times(claims, now=NOW, leeway=5)
    assert caught.value.flaw is flaw


def test_joserfc_is_loaded_when_a_token_is_made() -> None:
    """Whoever runs other scenarios does not wait for it."""
    script = (
        "import sys\n"
        "from pytest_mcp_conformance.model import Leg\n"
        "from pytest_mcp_conformance.registry import scenarios\n"
        "assert 'auth/dpop' in scenarios(Leg.CLIENT)\n"
        "print('joserfc' in sys.modules)\n"
        "from pytest_mcp_conformance.oauth import jwts, keys\n"
        "jwts.sign({}, keys.new_key())\n"
        "print('joserfc' in sys.modules)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["False", "True"]
