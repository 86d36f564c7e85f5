"""Token requests: how one is sent, proven and authenticated, and what comes back.

Source: OAuth 2.1 (draft 13), 3.2; RFC 8707, 2.2; RFC 9449, 5 and 8.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_mcp_conformance.json_values import shown
from pytest_mcp_conformance.reference.client.failing import ClientFailure
from pytest_mcp_conformance.reference.client.oauth.asking import Answer, ask, text_of
from pytest_mcp_conformance.reference.client.oauth.assertions import PROOF_ALGORITHM, Proofs
from pytest_mcp_conformance.reference.client.oauth.clients import Client, authenticated
from pytest_mcp_conformance.reference.client.oauth.faults import OAuthFault
from pytest_mcp_conformance.reference.client.oauth.scopes import Scopes
from pytest_mcp_conformance.reference.client.oauth.server import AuthorizationServer

if TYPE_CHECKING:
    import httpx

MAX_NONCES = 2  # that one token request follows: the first, and one that took its place meanwhile

BEARER = "Bearer"
DPOP = "DPoP"
SCHEMES = {"bearer": BEARER, "dpop": DPOP}  # by token types, whose case means nothing: RFC 6749, 5.1


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a token is for.

    :ivar resource: the identifier of the MCP server.
    :ivar scopes: what it should allow; none: whatever the authorization server thinks fit.
    """

    server: AuthorizationServer
    resource: str
    scopes: Scopes = ()


@dataclass(frozen=True, kw_only=True)
class Token:
    """An access token.

    :ivar scheme: by which it is presented.
    :ivar issuer: of the authorization server that it is from.
    :ivar scopes: that were asked for.
    """

    text: str
    scheme: str
    issuer: str
    scopes: Scopes = ()
    refresh: str | None = None

    @property
    def authorization(self) -> str:
        """The value of the Authorization header that presents it."""
        return f"{self.scheme} {self.text}"


class TokenEndpoint:
    """Asks token endpoints for tokens.

    :ivar http: for what grants have to ask elsewhere.
    :ivar faults: what is done wrong on purpose, by name.
    """

    def __init__(self, http: httpx.AsyncClient, proofs: Proofs, faults: Container[str] = frozenset()) -> None:
        self.http = http
        self.faults = faults
        self._proofs = proofs

    async def token(self, wanted: Wanted, client: Client, grant: Mapping[str, str]) -> Token:
        """Ask for a token that is bound to the wanted resource, and return it.

        :param grant: the members of the form that say what the client offers for it.
        :raises ClientFailure: it is refused.
        """
        resource = resource_parameter(wanted.resource, self.faults)
        if OAuthFault.OTHER_RESOURCE_IN_TOKEN in self.faults:
            resource += "/"
        # MUST name the resource in every token request: 2025-11-25, basic/authorization#resource-parameter-implementation
        named = {} if OAuthFault.NO_RESOURCE_IN_TOKEN in self.faults else {"resource": resource}
        answer = await self._answer(wanted.server, client, {**grant, **named})
        return self._read(answer, wanted)

    async def _answer(self, server: AuthorizationServer, client: Client, form: Mapping[str, str]) -> Answer:
        url = server.token_endpoint
        proves = PROOF_ALGORITHM in server.proof_algorithms and OAuthFault.TOKEN_WITHOUT_PROOF not in self.faults
        nonces = 0
        while True:
            headers, credentials = authenticated(client, server, self.faults)
            if proves:
                headers["DPoP"] = self._proofs.proof("POST", url)
            answer = await ask(self.http, "POST", url, headers=headers, form={**form, **credentials})
            other = proves and self._proofs.note_nonce(url, answer.headers.get("dpop-nonce"))
            asks_for_nonce = answer.document.get("error") == "use_dpop_nonce"
            nonces += 1
            if not (other and asks_for_nonce) or nonces > MAX_NONCES or OAuthFault.TOKEN_NONCE_IGNORED in self.faults:
                return answer

    def _read(self, answer: Answer, wanted: Wanted) -> Token:
        text, refresh = text_of(answer.document.get("access_token")), text_of(answer.document.get("refresh_token"))
        kind, issuer = answer.document.get("token_type"), wanted.server.issuer
        if not answer.ok or text is None:
            raise ClientFailure(f"the authorization server {issuer} gave no token: {answer.told}")
        scheme = SCHEMES.get(kind.lower()) if isinstance(kind, str) else None
        # MUST NOT use a token whose type is not understood: RFC 6749, 7.1
        if scheme is None:
            raise ClientFailure(f"the authorization server {issuer} gave a token of an unknown type: {shown(kind)}")
        return Token(
            text=text,
            scheme=scheme,
            issuer=issuer,
            scopes=wanted.scopes,
            refresh=refresh,
        )


def resource_parameter(resource: str, faults: Container[str] = frozenset()) -> str:
    """Return what is sent as `resource`: the identifier, to the letter.

    MUST be the canonical URI of the server: 2025-11-25, basic/authorization#resource-parameter-implementation
    """
    if OAuthFault.RESOURCE_WITH_FRAGMENT in faults:
        return f"{resource}#fragment"
    return f"{resource}/" if OAuthFault.RESOURCE_WITH_SLASH in faults else resource


def scope_parameter(scopes: Scopes) -> dict[str, str]:
    """Return the parameter that asks for `scopes`; it is left out where there are none."""
    return {"scope": " ".join(scopes)} if scopes else {}
