"""JWTs that the client signs: to authenticate at a token endpoint, and to prove that it has the key of a token.

The library that signs is imported only where something is signed.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from collections.abc import Callable, Container, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit, urlunsplit

from pytest_mcp_conformance.reference.client.failing import ClientFailure
from pytest_mcp_conformance.reference.client.oauth.faults import OAuthFault

if TYPE_CHECKING:
    from joserfc.jwk import ECKey

ASSERTION_SECONDS = 300  # for which a client assertion holds: no more than one request needs
PROOF_ALGORITHM = "ES256"
PROOF_CURVE = "P-256"
KEY_TYPES: Mapping[str, Literal["EC", "OKP", "RSA"]] = {"ES": "EC", "Ed": "OKP", "RS": "RSA", "PS": "RSA"}


def client_assertions(
    client_id: str, private_key: str, algorithm: str, faults: Container[str] = frozenset()
) -> Callable[[str], str]:
    """Return what makes a client assertion for an issuer.

    :param private_key: PEM.
    :raises ClientFailure: it is no key, or not one for `algorithm`.

    Source: RFC 7523, 3.
    """
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import import_key

    kind = KEY_TYPES.get(algorithm[:2])
    if kind is None:
        raise ClientFailure(f"nothing can be signed by the algorithm {algorithm!r}")
    try:
        key = import_key(private_key, kind)
    except (JoseError, ValueError, TypeError) as error:
        raise ClientFailure(f"the private key that was given cannot be read: {error}") from error

    def assertion(issuer: str) -> str:
        now = int(time.time())
        claims = {
            # MUST both be the client id; the audience identifies the authorization server
            "iss": "somebody-else" if OAuthFault.ASSERTION_ISSUER_OTHER in faults else client_id,
            "sub": "somebody-else" if OAuthFault.ASSERTION_SUBJECT_OTHER in faults else client_id,
            "aud": "https://another.example" if OAuthFault.ASSERTION_FOR_ANOTHER in faults else issuer,
            "iat": now,
            "exp": now + ASSERTION_SECONDS,
            "jti": secrets.token_urlsafe(16),
        }
        if OAuthFault.ASSERTION_WITHOUT_END in faults:
            del claims["exp"]
        try:
            return jwt.encode({"alg": algorithm}, claims, key, algorithms=[algorithm])
        except (JoseError, ValueError) as error:
            raise ClientFailure(f"the key that was given does not sign by {algorithm!r}: {error}") from error

    return assertion


class Proofs:
    """Proofs of possession of one key, which lives as long as this object: RFC 9449.

    :ivar nonces: what each server wants to see in the next proof, by its origin.
    """

    def __init__(self, faults: Container[str] = frozenset()) -> None:
        self.nonces: dict[str, str] = {}
        self._faults = faults
        self._kept: dict[str | None, str] = {}

    @cached_property
    def _key(self) -> ECKey:
        from joserfc.jwk import ECKey

        return ECKey.generate_key(PROOF_CURVE)

    def proof(self, method: str, url: str, access_token: str | None = None) -> str:
        """Return a proof for one request.

        :param access_token: that the request presents.

        Source: RFC 9449, 4.2.
        """
        from joserfc import jwt

        nonce = self.nonces.get(_origin(url))
        if access_token is not None and OAuthFault.PROOF_REUSED in self._faults and nonce in self._kept:
            return self._kept[nonce]
        # MUST have an id of its own, method and URL of the request (without query and fragment), and the time
        claims: dict[str, str | int] = {
            "jti": secrets.token_urlsafe(16),
            "htm": method,
            "htu": urlunsplit((*urlsplit(url)[:3], "", "")),
            "iat": int(time.time()),
        }
        if access_token is not None:
            # MUST be the hash of the token that it goes with
            claims["ath"] = base64url(hashlib.sha256(access_token.encode()).digest())
        if nonce is not None:
            claims["nonce"] = nonce
        header = {"typ": "dpop+jwt", "alg": PROOF_ALGORITHM, "jwk": self._key.as_dict(private=False)}
        made = jwt.encode(header, claims, self._key, algorithms=[PROOF_ALGORITHM])
        if access_token is not None:
            self._kept[nonce] = made
        return made

    def note_nonce(self, url: str, nonce: str | None) -> bool:
        """Remember the nonce that the server at `url` sent, if any; tell whether it is another than before.

        Source: RFC 9449, 8 and 9.
        """
        if not nonce or self.nonces.get(_origin(url)) == nonce:
            return False
        self.nonces[_origin(url)] = nonce
        return True


def base64url(data: bytes) -> str:
    """Return `data` in base64url without padding: RFC 7515, 2."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
