"""The authorizer: decides at each refusal what to do about it, and keeps what came of it.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
"""

from __future__ import annotations

import asyncio
from collections.abc import Container, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.reference.client.authorizing import Refused
from pytest_mcp_conformance.reference.client.failing import ClientFailure
from pytest_mcp_conformance.reference.client.oauth.assertions import Proofs
from pytest_mcp_conformance.reference.client.oauth.authorization_code import by_authorization_code
from pytest_mcp_conformance.reference.client.oauth.challenges import Challenge, challenge_of
from pytest_mcp_conformance.reference.client.oauth.clients import Clients
from pytest_mcp_conformance.reference.client.oauth.faults import OAuthFault
from pytest_mcp_conformance.reference.client.oauth.grants import (
    CLIENT_CREDENTIALS,
    by_client_credentials,
    by_enterprise_identity,
    by_workload_identity,
)
from pytest_mcp_conformance.reference.client.oauth.resource import ProtectedResource, find_resource
from pytest_mcp_conformance.reference.client.oauth.scopes import (
    Scopes,
    first_scopes,
    stepped_up,
    with_offline_access,
)
from pytest_mcp_conformance.reference.client.oauth.server import (
    AUTHORIZATION_CODE,
    AuthorizationServer,
    find_old_server,
    find_server,
)
from pytest_mcp_conformance.reference.client.oauth.token_endpoint import BEARER, DPOP, Token, TokenEndpoint, Wanted

if TYPE_CHECKING:
    import httpx

MAX_REFUSALS = 3  # of one request, before they count as permanent: once for want of a token, of a nonce, of a scope
INVENTED = "Bearer invented-by-the-client"


class OAuth:
    """Obtains access tokens for the MCP server at `url`.

    :param http: sends all requests of the authorization; follows no redirects.
    :param context: what the harness gave: credentials, keys, identities.
    :param revision: that the client asks for.
    :param faults: what is done wrong on purpose, by name.
    """

    def __init__(
        self,
        http: httpx.AsyncClient,
        url: str,
        *,
        context: JsonObject,
        revision: Revision,
        faults: Container[str] = frozenset(),
    ) -> None:
        self._http = http
        self._url = url
        ignored = OAuthFault.GIVEN_CREDENTIALS_IGNORED in faults
        given = {name: value for name, value in context.items() if isinstance(value, str)}
        self._given: Mapping[str, str] = {} if ignored else given
        self._revision = revision
        self._faults = faults
        # SHOULD, so that a server can answer by revision: 2025-03-26, basic/authorization#server-metadata-discovery-headers
        self._headers = {"MCP-Protocol-Version": revision.value}
        self._proofs = Proofs(faults)
        self._clients = Clients(http, self._given, self._headers, faults)
        self._endpoint = TokenEndpoint(http, self._proofs, faults)
        self._servers: dict[str, AuthorizationServer] = {}
        self._token: Token | None = None
        self._asking = asyncio.Lock()

    def headers(self, method: str, url: str) -> Mapping[str, str]:
        """See `Authorizer.headers`."""
        authorization = self._authorization
        # MUST NOT send a token to anybody but the server that it is for
        if authorization is None or url != self._url:
            return {}
        if OAuthFault.TOKEN_WITH_POST_ALONE in self._faults and method != "POST":
            return {}
        if self._token is None or self._token.scheme != DPOP:
            return {"Authorization": authorization}
        # MUST be a new proof with each request: RFC 9449, 7.1
        return {"Authorization": authorization, "DPoP": self._proofs.proof(method, url, self._token.text)}

    async def authorize(self, refused: Refused) -> bool:
        """See `Authorizer.authorize`."""
        async with self._asking:
            if refused.authorization != self._authorization:
                return True  # another request has obtained credentials in the meantime
            challenge = challenge_of(refused.headers.get_list("www-authenticate"))
            if refused.times > MAX_REFUSALS and OAuthFault.STEPS_UP_WITHOUT_END not in self._faults:
                return False  # SHOULD limit how often: 2025-11-25, basic/authorization#step-up-authorization-flow
            if self._has_new_nonce(refused):
                return OAuthFault.SERVER_NONCE_IGNORED not in self._faults
            if refused.status == HTTPStatus.FORBIDDEN:
                return await self._step_up(challenge)
            await self._renew(challenge)
            return True

    @property
    def _authorization(self) -> str | None:
        """The Authorization header as it is sent now."""
        if self._token is None:
            return INVENTED if OAuthFault.INVENTED_TOKEN_FIRST in self._faults else None
        if OAuthFault.BOUND_TOKEN_AS_BEARER in self._faults:
            return f"{BEARER} {self._token.text}"
        return self._token.authorization

    def _has_new_nonce(self, refused: Refused) -> bool:
        """Take over the nonce of a refusal; tell whether a proof with it may be what was missing: RFC 9449, 9."""
        if self._token is None or self._token.scheme != DPOP:
            return False
        return self._proofs.note_nonce(refused.url, refused.headers.get("dpop-nonce"))

    async def _step_up(self, challenge: Challenge) -> bool:
        """Authorize again for the scopes that were missing, if that can help."""
        if self._token is None or challenge.error != "insufficient_scope":
            return False
        scopes = stepped_up(self._token.scopes, challenge.scopes, self._faults)
        unchanged = set(challenge.scopes) <= set(self._token.scopes)
        if unchanged and OAuthFault.STEPS_UP_WITHOUT_END not in self._faults:
            return False  # all of it has been asked for already
        resource, server = await self._parties(challenge)
        self._token = await self._obtained(Wanted(server=server, resource=resource.identifier, scopes=scopes))
        return True

    async def _renew(self, challenge: Challenge) -> None:
        """Obtain a token for want of a valid one: by refreshing, or from the beginning."""
        resource, server = await self._parties(challenge)
        scopes = self._scopes(challenge, resource, server)
        wanted = Wanted(server=server, resource=resource.identifier, scopes=scopes)
        refreshed = await self._refreshed(wanted)
        self._token = refreshed or await self._obtained(wanted)
        # MUST NOT be in a query: 2025-03-26 on, basic/authorization#token-requirements
        if OAuthFault.TOKEN_IN_QUERY in self._faults:
            self._http.params = {"access_token": self._token.text}

    def _scopes(self, challenge: Challenge, resource: ProtectedResource, server: AuthorizationServer) -> Scopes:
        if self._token is not None and self._token.issuer == server.issuer:
            return stepped_up(self._token.scopes, challenge.scopes)
        scopes = first_scopes(challenge.scopes, resource.scopes, self._faults)
        return with_offline_access(scopes, server.scopes, self._faults)

    async def _parties(self, challenge: Challenge) -> tuple[ProtectedResource, AuthorizationServer]:
        """Return the resource and its authorization server, as they are now: either may have changed.

        :raises ClientFailure: they cannot be found, or are not what they say.
        """
        resource = await find_resource(
            self._http, self._url, challenge.resource_metadata, headers=self._headers, faults=self._faults
        )
        if resource is None:
            return await self._old_parties()
        if OAuthFault.FIRST_SERVER_KEPT in self._faults and self._servers:
            return resource, next(iter(self._servers.values()))
        # MAY choose among several: here the one that issued what we were given, else the first
        ours = [each for each in resource.issuers if each == self._clients.given_by]
        issuer = next(iter(ours), resource.issuers[0])
        if issuer not in self._servers:
            self._servers[issuer] = await find_server(self._http, issuer, headers=self._headers, faults=self._faults)
        return resource, self._servers[issuer]

    async def _old_parties(self) -> tuple[ProtectedResource, AuthorizationServer]:
        """Return both where there are no metadata of the resource: then it is a server of the first revision.

        The revision is not known before a server has answered initialize, which it may refuse without a token.

        Source: 2025-03-26, basic/authorization#authorization-base-url.
        """
        # Nobody of the first revision speaks a stateless one.
        if self._revision.stateless and OAuthFault.OLD_WAYS_AT_ANY_REVISION not in self._faults:
            raise ClientFailure(f"there are no metadata of the resource at {self._url}")
        server = await find_old_server(self._http, self._url, headers=self._headers, faults=self._faults)
        return ProtectedResource(identifier=self._url, issuers=(server.issuer,)), server

    async def _refreshed(self, wanted: Wanted) -> Token | None:
        """Return a token for the refresh token that we have, if it is still good for one: OAuth 2.1 (draft 13), 4.3."""
        held = self._token
        covered = held is not None and set(wanted.scopes) <= set(held.scopes)
        if held is None or held.refresh is None or held.issuer != wanted.server.issuer or not covered:
            return None
        client = await self._clients.at(wanted.server)
        grant = {"grant_type": "refresh_token", "refresh_token": held.refresh}
        try:
            token = await self._endpoint.token(wanted, client, grant)
        except ClientFailure:
            return None
        # MAY come with another refresh token, which then takes the place of the one that was used
        return token if token.refresh else replace(token, refresh=held.refresh)

    async def _obtained(self, wanted: Wanted) -> Token:
        """Return a new token, by the grant for which we were given something."""
        endpoint, given = self._endpoint, self._given
        client = await self._clients.at(wanted.server)
        if "idp_id_token" in given:
            return await by_enterprise_identity(endpoint, wanted, client, given)
        if "valid_jwt" in given:
            return await by_workload_identity(endpoint, wanted, client, given)
        grants = wanted.server.grants
        if "client_id" in given and CLIENT_CREDENTIALS in grants and AUTHORIZATION_CODE not in grants:
            return await by_client_credentials(endpoint, wanted, client)
        return await by_authorization_code(endpoint, wanted, client)
