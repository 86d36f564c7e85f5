"""How a request is refused.

Source: RFC 6749, 4.1.2.1 (authorization endpoint) and 5.2 (token endpoint).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Refused(Exception):
    """A request that is answered with an error.

    :param code: one of the registered error codes.
    :param told: in words, for a developer.
    """

    code: str
    told: str
    status: int = 400


class Untrusted(Refused):
    """An authorization request whose redirect URI cannot be trusted: the user is told, and sent nowhere."""


def invalid_request(told: str) -> Refused:
    """Refuse a request that lacks a parameter, repeats one, or is malformed."""
    return Refused("invalid_request", told)


def invalid_client(told: str) -> Refused:
    """Refuse a client that is unknown or did not authenticate."""
    return Refused("invalid_client", told, status=401)


def invalid_grant(told: str) -> Refused:
    """Refuse a code or refresh token that is not (or no longer) good, or not for this client."""
    return Refused("invalid_grant", told)


def invalid_target(told: str) -> Refused:
    """Refuse a resource. Source: RFC 8707, 2."""
    return Refused("invalid_target", told)
