"""What was granted: codes, and the tokens that they were redeemed for.

Source: RFC 6749, 4.1.2, 4.1.3 and 6; RFC 7636, 4.6; RFC 9700, 4.14.2 (rotation).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.reference.authorization.errors import invalid_grant, invalid_request, invalid_target
from pytest_mcp_conformance.reference.authorization.faults import AuthorizationFault

CODE_SECONDS = 60.0  # RECOMMENDED at most ten minutes: RFC 6749, 4.1.2
TOKEN_SECONDS = 600
GRANTS_KEPT = 1_000  # the oldest are forgotten first
VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")  # RFC 7636, 4.1


@dataclass(kw_only=True)
class Grant:
    """What a user granted to a client.

    :ivar code: good for one redemption until `until`.
    :ivar refresh_token: the one that is good now; `spent` are those before it.
    """

    client_id: str
    redirect_uri: str
    challenge: str
    scope: str
    resources: tuple[str, ...]
    code: str
    until: float
    redeemed: bool = False
    revoked: bool = False
    refresh_token: str | None = None
    spent: set[str] = field(default_factory=set)


class Grants:
    """All grants of one server.

    :param clock: seconds since some fixed moment, for codes that expire.
    """

    def __init__(self, faults: frozenset[AuthorizationFault], *, clock: Callable[[], float]) -> None:
        self._faults = faults
        self._clock = clock
        self._grants: list[Grant] = []

    def add(
        self, *, client_id: str, redirect_uri: str, challenge: str, scope: str, resources: tuple[str, ...]
    ) -> Grant:
        """Keep what a user granted, and give it a code."""
        grant = Grant(
            client_id=client_id,
            redirect_uri=redirect_uri,
            challenge=challenge,
            scope=scope,
            resources=resources,
            code=secrets.token_urlsafe(32),
            until=self._clock() + CODE_SECONDS,
        )
        self._grants = [*self._grants[-GRANTS_KEPT + 1 :], grant]
        return grant

    def redeem(
        self, *, code: str, client_id: str, redirect_uri: str, verifier: str, resources: tuple[str, ...]
    ) -> JsonObject:
        """Return the token response for a code.

        :raises Refused: it is not for this client, redirect URI and verifier, or no longer good.
        """
        grant = next((each for each in self._grants if hmac.compare_digest(each.code.encode(), code.encode())), None)
        if grant is None or AuthorizationFault.TOKEN_REFUSED in self._faults:
            raise invalid_grant("There is no such code")
        if grant.redeemed:
            # SHOULD revoke the tokens of a code that is used twice: RFC 6749, 4.1.2
            grant.revoked = True
            raise invalid_grant("The code was used before")
        # MUST be issued to this client, and with this redirect URI: RFC 6749, 4.1.3
        if grant.client_id != client_id or grant.redirect_uri != redirect_uri:
            raise invalid_grant("The code is of another client or redirect URI")
        if self._clock() > grant.until:
            raise invalid_grant("The code has expired")
        if not VERIFIER.fullmatch(verifier):
            raise invalid_request("code_verifier has 43 to 128 unreserved characters")
        if not hmac.compare_digest(self._transformed(verifier), grant.challenge.encode()):
            raise invalid_grant("The code verifier is not that of the code challenge")
        self._check_resources(grant, resources)
        grant.redeemed = True
        return self._tokens(grant)

    def refresh(
        self, *, refresh_token: str, client_id: str, scope: str | None, resources: tuple[str, ...]
    ) -> JsonObject:
        """Return the token response for a refresh token, which is replaced.

        MUST rotate the refresh tokens of public clients: 2025-11-25, basic/authorization#token-theft

        :raises Refused: it is not for this client, or no longer good.
        """
        grant = next((each for each in self._grants if refresh_token in {each.refresh_token, *each.spent}), None)
        if grant is None or grant.client_id != client_id:
            raise invalid_grant("There is no such refresh token")
        if refresh_token in grant.spent:
            grant.revoked = True
        if grant.revoked:
            raise invalid_grant("The refresh token was revoked")
        if scope is not None and not set(scope.split()) <= set(grant.scope.split()):
            raise invalid_grant("More was asked for than was granted")
        self._check_resources(grant, resources)
        grant.spent.add(refresh_token)
        return self._tokens(grant)

    def _transformed(self, verifier: str) -> bytes:
        if AuthorizationFault.CHALLENGE_MISREAD in self._faults:
            return verifier.encode()
        return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")

    def _check_resources(self, grant: Grant, resources: tuple[str, ...]) -> None:
        """Source: RFC 8707, 2.2."""
        if not set(resources) <= set(grant.resources):
            raise invalid_target("A token was asked for a resource that was not granted")

    def _tokens(self, grant: Grant) -> JsonObject:
        grant.refresh_token = secrets.token_urlsafe(32)
        answer: JsonObject = {
            "access_token": secrets.token_urlsafe(32),
            "token_type": "Bearer",
            "expires_in": TOKEN_SECONDS,
            "refresh_token": grant.refresh_token,
        }
        if grant.scope:
            answer["scope"] = grant.scope
        return answer
