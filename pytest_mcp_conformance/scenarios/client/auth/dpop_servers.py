"""The token endpoint and the protected resource of the DPoP scenarios: they judge proofs, and keep what they saw.

Specification: RFC 9449, 5 to 9.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_mcp_conformance.oauth import dpop, keys
from pytest_mcp_conformance.oauth.errors import OAuthError
from pytest_mcp_conformance.oauth.events import AUTHORIZATION_CODE, AccessRequested
from pytest_mcp_conformance.oauth.jwts import InvalidToken
from pytest_mcp_conformance.oauth.protected_resource import Challenge
from pytest_mcp_conformance.oauth.server_setup import Granted, TokenRequest, opaque_bearer_token
from pytest_mcp_conformance.oauth.tokens import Token

if TYPE_CHECKING:
    from joserfc.jwk import ECKey

DPOP = "DPoP"
INVALID_PROOF = "invalid_dpop_proof"
USE_NONCE = "use_dpop_nonce"
SUBJECT = "conformance-test-subject"
ANY_RESOURCE = "urn:conformance-test-resource"  # of a client that asked for none


@dataclass
class Nonce:
    """The nonce that a server demands in proofs.

    :ivar demanded: whether it had to say so.
    :ivar honoured: whether a valid proof with it came.
    """

    value: str
    demanded: bool = False
    honoured: bool = False

    def is_missing(self, proof: dpop.Proof, *, counts: bool = True) -> bool:
        """Tell whether a valid proof lacks the nonce, and keep that it came; one that does not count leaves no trace."""
        missing = proof.nonce != self.value
        if counts:
            self.demanded = self.demanded or missing
            self.honoured = self.honoured or not missing
        return missing

    @property
    def headers(self) -> dict[str, str]:
        """The header field that tells the client."""
        return {dpop.NONCE_HEADER: self.value}


@dataclass
class ProvingTokenEndpoint:
    """Binds tokens to the key of the proof that comes with the request.

    A request without a proof gets an unbound token, so that what the client does with it can be seen.

    :ivar requests: how many had a code.
    :ivar fault: what was wrong with the first of them that had no valid proof. It stays: one request without is one too many.
    """

    nonce: Nonce | None = None
    requests: int = 0
    fault: str | None = None
    _proof: dpop.Proof | None = None  # of the request at hand: `mint` follows `judge` at once
    _key: ECKey = field(default_factory=keys.new_key)

    def judge(self, request: TokenRequest) -> OAuthError | None:
        """Refuse a request whose proof is not good, or lacks the nonce (a `Guard`)."""
        counts = request.grant_type == AUTHORIZATION_CODE
        self.requests += counts
        value = request.http.headers.get(dpop.HEADER)
        self._proof = None
        try:
            self._proof = dpop.check_proof(value, method="POST", uri=request.endpoint, now=time.time())
        except InvalidToken as error:
            if counts:
                self.fault = self.fault or str(error)
            if value is None:
                return None
            return OAuthError(error=INVALID_PROOF, description="The DPoP proof is not good")
        if self.nonce is not None and self.nonce.is_missing(self._proof, counts=counts):
            # MUST be 400 with the nonce in a header: RFC 9449, 8
            return OAuthError(error=USE_NONCE, description="The DPoP proof needs the nonce", headers=self.nonce.headers)
        return None

    def mint(self, request: TokenRequest, granted: Granted) -> Token:
        """Return a token that is bound to the key of the proof (a `Mint`)."""
        if self._proof is None:
            return opaque_bearer_token(request, granted)
        value = dpop.bound_token(
            self._key,
            jkt=self._proof.jkt,
            issuer=request.issuer,
            audience=request.parameters.get("resource") or ANY_RESOURCE,
            subject=SUBJECT,
            scope=" ".join(granted.scopes) or None,
            now=time.time(),
        )
        return Token(
            value=value,
            issuer=request.issuer,
            scopes=granted.scopes,
            client_id=granted.client_id,
            resources=granted.resources,
            type=DPOP,
            lifetime_seconds=dpop.TOKEN_LIFETIME_S,
        )


@dataclass
class ProvingResource:
    """Looks at the proof of every MCP request with a token, and lets it through all the same, so that more requests come.

    :ivar schemes: by which tokens were presented, one for each request.
    :ivar fault: what was wrong with the first proof that was not good.
    :ivar jtis: the ids of valid proofs.
    :ivar replayed: whether one of them came twice.
    """

    nonce: Nonce | None = None
    schemes: list[str] = field(default_factory=list)
    fault: str | None = None
    jtis: set[str] = field(default_factory=set)
    replayed: bool = False

    @property
    def only_dpop(self) -> bool:
        """Whether no other scheme was used. The scheme is compared without case: RFC 9110, 11.1."""
        return all(scheme.lower() == dpop.SCHEME for scheme in self.schemes)

    def admit(self, request: AccessRequested) -> Challenge | None:
        """Decide on one request (an `Admission`)."""
        if request.scheme is None:
            return Challenge(scheme=DPOP)
        self.schemes.append(request.scheme)
        try:
            proof = self._proof(request)
        except InvalidToken as error:
            self.fault = self.fault or str(error)
            return None
        # MUST be unique for the same request within the time that a proof is accepted: RFC 9449, 4.2 and 11.1
        self.replayed = self.replayed or proof.jti in self.jtis
        self.jtis.add(proof.jti)
        if self.nonce is not None and self.nonce.is_missing(proof):
            # MUST be 401 with the nonce in a header: RFC 9449, 9
            told = "The DPoP proof needs the nonce"
            return Challenge(scheme=DPOP, error=USE_NONCE, description=told, headers=self.nonce.headers)
        return None

    def _proof(self, request: AccessRequested) -> dpop.Proof:
        http = request.http
        proof = dpop.check_proof(http.headers.get(dpop.HEADER), method=http.method, uri=request.url, now=time.time())
        dpop.check_binding(proof, request.presented or "")
        return proof
