"""Access tokens: what was issued, to whom, and for what. Opaque by default, and good only if they were issued."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

BEARER = "Bearer"
LIFETIME_SECONDS = 3600
TOKEN_BYTES = 24  # of randomness, for codes and tokens


def random_text(prefix: str) -> str:
    """Return a text that nobody guesses, and whose prefix tells the reader of a transcript what it is."""
    return f"{prefix}-{secrets.token_urlsafe(TOKEN_BYTES)}"


@dataclass(frozen=True, kw_only=True)
class Token:
    """An issued access token.

    :ivar issuer: of the authorization server that issued it.
    :ivar resources: what it was asked for, in the words of the client.
    :ivar type: how it is presented, as the token response says.
    """

    value: str
    issuer: str
    scopes: tuple[str, ...] = ()
    client_id: str | None = None
    resources: tuple[str, ...] = ()
    type: str = BEARER
    lifetime_seconds: int = LIFETIME_SECONDS


@dataclass
class TokenStore:
    """The tokens of one run: authorization servers put them in, protected resources look them up."""

    issued: dict[str, Token] = field(default_factory=dict)

    def add(self, token: Token) -> None:
        """Keep a token that is about to be handed out."""
        self.issued[token.value] = token

    def find(self, value: str | None) -> Token | None:
        """Return the token that was issued as `value`, or nothing."""
        return self.issued.get(value or "")
