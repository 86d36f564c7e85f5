"""Keys that the harness makes, and keys that come from a client.

A key on P-256 takes a fraction of a millisecond. So each run has keys of its own, and none is kept.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, cast

from pytest_mcp_conformance.json_values import JsonObject, shown
from pytest_mcp_conformance.oauth.jwts import MAX_RSA_BITS, MIN_RSA_BITS, Flaw, InvalidToken

if TYPE_CHECKING:
    from joserfc.jwk import DictKey, ECKey, Key


def new_key() -> ECKey:
    """Return a fresh key on P-256, for ES256."""
    from joserfc.jwk import ECKey

    return ECKey.generate_key("P-256")


def private_pem(key: ECKey) -> str:
    """Return the private key as PEM in the form of PKCS #8, as a client is given it."""
    return key.as_pem(private=True).decode()


def from_jwk(jwk: JsonObject) -> Key:
    """Return the public key that a client sent as JWK.

    :raises InvalidToken: it is none that can verify a signature of others.
    """
    from joserfc.errors import JoseError, SecurityWarning
    from joserfc.jwk import JWKRegistry, OctKey, RSAKey

    try:
        with warnings.catch_warnings():  # of short RSA keys, which are refused below
            warnings.simplefilter("ignore", SecurityWarning)
            key = JWKRegistry.import_key(cast("DictKey", jwk))  # which is for the library to see
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise InvalidToken(Flaw.KEY, f"jwk is no key: {shown(str(error))}") from error
    # MUST be asymmetric: RFC 9449, 4.2
    if isinstance(key, OctKey):
        raise InvalidToken(Flaw.KEY, "jwk is a symmetric key")
    if isinstance(key, RSAKey) and not MIN_RSA_BITS <= key.raw_value.key_size <= MAX_RSA_BITS:
        told = f"jwk has {key.raw_value.key_size} bits, and accepted are {MIN_RSA_BITS} to {MAX_RSA_BITS}"
        raise InvalidToken(Flaw.KEY, told)
    return key


def thumbprint(key: Key) -> str:
    """Return the SHA-256 thumbprint of a key, as `jkt` has it.

    Source: RFC 7638, 3; RFC 9449, 6.1.
    """
    return key.thumbprint()


def public_jwk(key: ECKey) -> JsonObject:
    """Return the public key as JWK, as a key set has it.

    Source: RFC 7517, 4.
    """
    return cast("JsonObject", key.as_dict(private=False, use="sig", alg="ES256"))
