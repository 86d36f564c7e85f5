"""JSON Web Tokens: signed, read, and verified against one key.

The signatures are joserfc's work, which is imported when the first token is signed or read. Here stands what is let through to
it: tokens of a bounded size, algorithms that the caller names, no critical extensions.

Source: RFC 7515, RFC 7519; RFC 8725 for what must not be accepted.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, NotJson, is_number, loads, shown

if TYPE_CHECKING:
    from joserfc.jwk import Key
    from joserfc.jws import CompactSignature, JWSRegistry

MAX_CHARACTERS = 16 * 1024  # of a token: far above one with the largest key in its header, far below what would hurt
MIN_RSA_BITS = 2048  # RFC 7518, 3.3 and 3.5
MAX_RSA_BITS = 16384  # what OpenSSL verifies at all

ES256 = frozenset({"ES256"})


class Flaw(StrEnum):
    """What is wrong with a token, as far as that decides what is answered."""

    FORM = "form"
    TYPE = "type"
    ALGORITHM = "algorithm"
    KEY = "key"
    SIGNATURE = "signature"
    AUDIENCE = "audience"
    EXPIRED = "expired"
    CLAIM = "claim"


class InvalidToken(Exception):
    """A token, or what came in its place, is not good; the message is one line and safe to show."""

    def __init__(self, flaw: Flaw, message: str) -> None:
        super().__init__(message)
        self.flaw = flaw


@dataclass(frozen=True, kw_only=True)
class Jwt:
    """What a token says. Whether that can be believed depends on the function that it comes from."""

    header: JsonObject = field(default_factory=dict)
    claims: JsonObject = field(default_factory=dict)


def sign(claims: JsonObject, key: Key, *, typ: str | None = None) -> str:
    """Return `claims` as a token that is signed with ES256; `key` is an EC key on P-256."""
    from joserfc import jwt

    return jwt.encode({"alg": "ES256"} | ({"typ": typ} if typ else {}), claims, key, default_type=None)


def read(token: str) -> Jwt:
    """Return what a token says, without a look at its signature.

    :raises InvalidToken: it is none.
    """
    return _contents(_parts(token))


def verify(token: str, key: Key, *, algorithms: frozenset[str]) -> Jwt:
    """Return what a token says whose signature is good.

    MUST accept only algorithms that the caller names, and those only with keys of their kind: RFC 8725, 3.1

    :raises InvalidToken: it is none, or `key` did not sign it.
    """
    from joserfc import jws
    from joserfc.errors import JoseError, SecurityWarning

    parts = _parts(token)
    jwt = _contents(parts)
    algorithm = jwt.header.get("alg")
    if not isinstance(algorithm, str) or algorithm not in algorithms:
        told = f"alg is {shown(algorithm)}, and accepted are {', '.join(sorted(algorithms))}"
        raise InvalidToken(Flaw.ALGORITHM, told)
    if "crit" in jwt.header:  # MUST be refused where it is not understood: RFC 7515, 4.1.11
        raise InvalidToken(Flaw.FORM, "the header has critical extensions")
    try:
        with warnings.catch_warnings():  # of EdDSA, which RFC 9864 replaces with names of its curves
            warnings.simplefilter("ignore", SecurityWarning)
            good = jws.validate_compact(parts, key, registry=_registry(algorithms))
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise InvalidToken(Flaw.SIGNATURE, f"the signature cannot be verified: {shown(str(error))}") from error
    if not good:
        raise InvalidToken(Flaw.SIGNATURE, "the signature is not that of the key")
    return jwt


def check_audience(claims: JsonObject, accepted: Iterable[str]) -> None:
    """Hold a token to being meant for the one who reads it.

    MUST be refused without an audience that names the reader: RFC 7519, 4.1.3; RFC 7523, 3, item 3

    :raises InvalidToken: no audience is one of `accepted`.
    """
    audience = claims.get("aud")
    named = audience if isinstance(audience, list) else [audience]
    wanted = list(accepted)
    if not any(each in wanted for each in named if isinstance(each, str)):
        raise InvalidToken(Flaw.AUDIENCE, f"aud is {shown(audience)}, not {' or '.join(wanted)}")


def check_times(claims: JsonObject, *, now: float, leeway: int) -> None:
    """Hold a token to the times that it names itself: iat is a number, nbf has come, exp has not.

    :param now: seconds since the epoch.
    :param leeway: seconds that the clocks of two machines may be apart.
    :raises InvalidToken: one of them does not hold.

    Source: RFC 7519, 4.1.4 to 4.1.6.
    """
    time_of(claims, "iat")
    not_before, expires = time_of(claims, "nbf"), time_of(claims, "exp")
    if not_before is not None and not_before > now + leeway:
        raise InvalidToken(Flaw.CLAIM, f"nbf is {shown(not_before)}, which has not come")
    if expires is not None and expires <= now - leeway:
        raise InvalidToken(Flaw.EXPIRED, f"exp is {shown(expires)}, which is over")


def time_of(claims: JsonObject, name: str) -> float | None:
    """Return the time `name`, in seconds since the epoch, or nothing where the claim is missing.

    :raises InvalidToken: it is no number.
    """
    if name not in claims:
        return None
    value: JsonValue = claims[name]
    if not is_number(value) or not math.isfinite(value):
        raise InvalidToken(Flaw.CLAIM, f"{name} is {shown(value)}, which is no time")
    return value


def _parts(token: str) -> CompactSignature:
    from joserfc import jws
    from joserfc.errors import JoseError

    if len(token) > MAX_CHARACTERS:
        raise InvalidToken(Flaw.FORM, f"longer than can be read: {len(token)} characters")
    try:
        return jws.extract_compact(token.encode(), registry=_registry(frozenset()))
    except (JoseError, ValueError, TypeError, RecursionError) as error:
        raise InvalidToken(Flaw.FORM, f"no JWT: {shown(str(error))}") from error


def _contents(parts: CompactSignature) -> Jwt:
    header: object = parts.headers()
    try:
        claims = loads(parts.payload)
    except NotJson as error:
        raise InvalidToken(Flaw.FORM, f"no JWT: the payload is {error}") from error
    if not isinstance(header, dict) or not isinstance(claims, dict):
        raise InvalidToken(Flaw.FORM, "no JWT: header and payload are JSON objects")
    return Jwt(header=header, claims=claims)


def _registry(algorithms: frozenset[str]) -> JWSRegistry:
    from joserfc.jws import JWSRegistry

    # MUST ignore header members that are not understood: RFC 7515, 4
    registry = JWSRegistry(algorithms=algorithms, strict_check_header=False)
    registry.max_header_length = registry.max_signature_length = MAX_CHARACTERS
    return registry
