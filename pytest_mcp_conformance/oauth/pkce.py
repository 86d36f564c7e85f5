"""Proof Key for Code Exchange: that who redeems a code is who asked for it.

Specification: RFC 7636, 4; 2025-11-25, basic/authorization#authorization-code-protection.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass

S256 = "S256"


def challenge_of(verifier: str) -> str:
    """Return the code challenge of the method S256 for `verifier`: RFC 7636, 4.2."""
    # a verifier is ASCII; another one gets a challenge all the same, which then fits nothing
    digest = hashlib.sha256(verifier.encode("utf-8", errors="replace")).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


@dataclass(frozen=True, kw_only=True)
class Proof:
    """What a token request proves: the challenge of the authorization request, and the verifier that came with the code.

    Judged by S256 whatever method was named: MUST use S256 where technically capable: 2025-11-25,
    basic/authorization#authorization-code-protection.
    """

    challenge: str | None
    verifier: str | None

    @property
    def computed(self) -> str | None:
        """The challenge that fits the verifier."""
        return None if self.verifier is None else challenge_of(self.verifier)

    @property
    def holds(self) -> bool:
        """Whether there are both, and one fits the other."""
        return self.challenge is not None and self.challenge == self.computed
