"""The values that are fresh for each authorization request.

Source: RFC 7636, 4.1 and 4.2; RFC 6749, 10.12.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from dataclasses import dataclass, field

RANDOM_BYTES = 32  # RECOMMENDED: RFC 7636, 4.1


def _random() -> str:
    return secrets.token_urlsafe(RANDOM_BYTES)


@dataclass(frozen=True, kw_only=True)
class Fresh:
    """State and code verifier of one authorization request."""

    state: str = field(default_factory=_random)
    verifier: str = field(default_factory=_random, repr=False)

    @property
    def challenge(self) -> str:
        """The code challenge of the method S256."""
        digest = hashlib.sha256(self.verifier.encode("ascii")).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")
