"""DPoP: proofs that a client holds a key, and access tokens that are bound to it.

Source: RFC 9449.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
import string
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, shown
from pytest_mcp_conformance.oauth import jwts, keys
from pytest_mcp_conformance.oauth.jwts import Flaw, InvalidToken

if TYPE_CHECKING:
    from joserfc.jwk import Key

HEADER = "dpop"
SCHEME = "dpop"
NONCE_HEADER = "DPoP-Nonce"
PROOF_TYPE = "dpop+jwt"
# MUST be asymmetric, never none: RFC 9449, 4.2. More than is advertised, as a client is not told not to use them.
ALGORITHMS = frozenset(
    {"ES256", "ES384", "ES512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "EdDSA", "Ed25519"}
)
IAT_WINDOW_S = 300  # either side of now: what a proof and our clock may be apart
TOKEN_LIFETIME_S = 3600
DEFAULT_PORTS = {"http": 80, "https": 443}
PERCENT = re.compile(r"%([0-9A-Fa-f]{2})")
UNRESERVED = frozenset(f"{string.ascii_letters}{string.digits}-._~")


@dataclass(frozen=True, kw_only=True)
class Proof:
    """A proof that holds for one request.

    :ivar jkt: the thumbprint of the key that signed it.
    :ivar nonce: as it came, which may be anything.
    """

    jti: str
    jkt: str
    claims: JsonObject

    @property
    def nonce(self) -> JsonValue:
        """The nonce that the client took from a server, if it has one."""
        return self.claims.get("nonce")


def check_proof(value: str | None, *, method: str, uri: str, now: float) -> Proof:
    """Return the proof that a request carries in its DPoP header.

    :param value: of the header; several headers are joined with commas.
    :param uri: of the request, without query and fragment.
    :param now: seconds since the epoch.
    :raises InvalidToken: there is none, or it does not hold.

    Source: RFC 9449, 4.3, with the form of the claims from 4.2.
    """
    if not value:
        raise InvalidToken(Flaw.FORM, "no DPoP header")
    # MUST be one header: RFC 9449, 4.3, item 1. No JWT has a comma.
    if "," in value:
        raise InvalidToken(Flaw.FORM, "more than one DPoP header")
    header = jwts.read(value).header
    # MUST say that it is a proof: RFC 9449, 4.3, item 4
    if header.get("typ") != PROOF_TYPE:
        raise InvalidToken(Flaw.TYPE, f"typ is {shown(header.get('typ'))}, not {PROOF_TYPE}")
    algorithm = header.get("alg")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise InvalidToken(Flaw.ALGORITHM, f"alg is {shown(algorithm)}, which is not accepted")
    key = _key_of(header)
    claims = jwts.verify(value, key, algorithms=ALGORITHMS).claims
    jwts.check_times(claims, now=now, leeway=0)
    return _of_request(claims, key, method=method, uri=uri, now=now)


def check_binding(proof: Proof, token: str) -> None:
    """Hold a proof that comes with an access token to that token, and the token to the key of the proof.

    :raises InvalidToken: the proof is not for this token, or the token not for this key.

    Source: RFC 9449, 4.3, item 12, and 7.1.
    """
    ath = proof.claims.get("ath")
    if ath != token_hash(token):
        raise InvalidToken(Flaw.CLAIM, f"ath is {shown(ath)}, which is not the hash of the access token")
    try:
        bound = as_object(jwts.read(token).claims.get("cnf")).get("jkt")
    except InvalidToken as error:
        raise InvalidToken(Flaw.KEY, "the access token is not bound to a key") from error
    if bound != proof.jkt:
        raise InvalidToken(
            Flaw.KEY, f"the access token is bound to {shown(bound)}, the key of the proof is {proof.jkt}"
        )


def token_hash(token: str) -> str:
    """Return what `ath` has to be for an access token."""
    digest = hashlib.sha256(token.encode("ascii", "replace")).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def bound_token(key: Key, *, jkt: str, issuer: str, audience: str, subject: str, scope: str | None, now: float) -> str:
    """Return an access token that is bound to the key with the thumbprint `jkt`.

    :param key: that of the authorization server, which signs.

    Source: RFC 9449, 6.1; RFC 9068, 2.
    """
    issued = math.floor(now)
    claims: JsonObject = {
        "iss": issuer,
        "aud": audience,
        "sub": subject,
        "iat": issued,
        "exp": issued + TOKEN_LIFETIME_S,
        "cnf": {"jkt": jkt},
    }
    return jwts.sign(claims | ({"scope": scope} if scope else {}), key, typ="at+jwt")


def same_target(left: str, right: str) -> bool:
    """Tell whether two URIs are the same target.

    Capitals in the host, a default port, characters encoded without need, dot segments and one slash at the end say nothing.

    SHOULD be compared normalized: RFC 9449, 4.3; RFC 3986, 6.2.2 and 6.2.3
    """
    return _normalized(left) == _normalized(right)


def _key_of(header: JsonObject) -> Key:
    jwk = header.get("jwk")
    if not isinstance(jwk, dict):
        raise InvalidToken(Flaw.KEY, f"jwk is {shown(jwk)}, not a public key")
    # MUST NOT be a private key: RFC 9449, 4.3, item 7
    if "d" in jwk:
        raise InvalidToken(Flaw.KEY, "jwk has a private key")
    return keys.from_jwk(jwk)


def _of_request(claims: JsonObject, key: Key, *, method: str, uri: str, now: float) -> Proof:
    jti, htm, htu = (claims.get(name) for name in ("jti", "htm", "htu"))
    if not isinstance(jti, str):
        raise InvalidToken(Flaw.CLAIM, f"jti is {shown(jti)}, not a text")
    if htm != method:
        raise InvalidToken(Flaw.CLAIM, f"htm is {shown(htm)}, not {method}")
    # MUST be without query and fragment: RFC 9449, 4.2
    if not isinstance(htu, str) or "?" in htu or "#" in htu or not same_target(htu, uri):
        raise InvalidToken(Flaw.CLAIM, f"htu is {shown(htu)}, not {uri}")
    issued = jwts.time_of(claims, "iat")
    if issued is None or abs(issued - math.floor(now)) > IAT_WINDOW_S:
        raise InvalidToken(Flaw.CLAIM, f"iat is {shown(issued)}, more than {IAT_WINDOW_S} s from {math.floor(now)}")
    return Proof(jti=jti, jkt=keys.thumbprint(key), claims=claims)


def _normalized(uri: str) -> str:
    try:
        parts = urlsplit(uri)
        port = parts.port
    except ValueError:
        return uri
    host = (parts.hostname or "").lower()
    if port is not None and port != DEFAULT_PORTS.get(parts.scheme):
        host = f"{host}:{port}"
    path = _without_dots(PERCENT.sub(_decoded, parts.path)).removesuffix("/")
    return urlunsplit((parts.scheme, host, path, parts.query, parts.fragment))


def _decoded(encoded: re.Match[str]) -> str:
    character = chr(int(encoded[1], 16))
    return character if character in UNRESERVED else encoded[0].upper()


def _without_dots(path: str) -> str:
    """Source: RFC 3986, 5.2.4."""
    kept: list[str] = []
    for segment in path.split("/")[1:]:
        if segment == "..":
            kept = kept[:-1]
        elif segment != ".":
            kept.append(segment)
    return "".join(f"/{segment}" for segment in kept)
