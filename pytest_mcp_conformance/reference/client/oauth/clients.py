"""Who the client is at an authorization server: what it was given, its metadata document, or what it registered as.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote_plus

from pytest_mcp_conformance.json_values import JsonObject, shown
from pytest_mcp_conformance.reference.client.failing import ClientFailure
from pytest_mcp_conformance.reference.client.oauth.asking import ask, text_of
from pytest_mcp_conformance.reference.client.oauth.assertions import client_assertions
from pytest_mcp_conformance.reference.client.oauth.faults import OAuthFault
from pytest_mcp_conformance.reference.client.oauth.identifiers import same_issuer
from pytest_mcp_conformance.reference.client.oauth.server import AUTHORIZATION_CODE, AuthorizationServer

if TYPE_CHECKING:
    import httpx

NAME = "pytest-mcp-conformance reference client"
METADATA_DOCUMENT = "https://conformance-test.local/client-metadata.json"  # an agreed name; nobody has to serve it
REDIRECT_URI = "http://localhost:3000/callback"  # nobody listens there: the code is read where it is sent from

NONE = "none"
BASIC = "client_secret_basic"
POST = "client_secret_post"
PRIVATE_KEY_JWT = "private_key_jwt"
PREFERRED = (NONE, BASIC, POST)  # a native application keeps no secret
ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


@dataclass(frozen=True, kw_only=True)
class Client:
    """The client as one authorization server knows it.

    :ivar method: how it authenticates at the token endpoint.
    :ivar assertion: makes what it presents there, for the issuer that it is given; of `private_key_jwt` alone.
    """

    id: str
    secret: str | None = None
    method: str = NONE
    assertion: Callable[[str], str] | None = None


def authenticated(
    client: Client, server: AuthorizationServer, faults: Container[str] = frozenset()
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the headers and the members of the form by which `client` authenticates in a token request.

    Source: OAuth 2.1 (draft 13), 2.4; RFC 7523, 2.2.
    """
    method = client.method
    if OAuthFault.OTHER_AUTHENTICATION in faults:
        method = BASIC if method == POST else POST
    secret = client.secret or ("invented" if method != NONE else "")
    if method == BASIC:
        # MUST encode both as in a form before they are joined: RFC 6749, 2.3.1
        joined = f"{quote_plus(client.id)}:{quote_plus(secret)}".encode()
        # MUST NOT be by more than one method: RFC 6749, 2.3
        again = {"client_id": client.id, "client_secret": secret} if OAuthFault.AUTHENTICATES_TWICE in faults else {}
        return {"Authorization": f"Basic {base64.b64encode(joined).decode()}"}, again
    if method == POST:
        return {}, {"client_id": client.id, "client_secret": secret}
    if method == PRIVATE_KEY_JWT and client.assertion is not None:
        # The assertion says which client it is.
        presented = {"client_assertion": client.assertion(server.issuer)}
        if OAuthFault.ASSERTION_TYPE_UNNAMED not in faults:
            presented["client_assertion_type"] = ASSERTION_TYPE
        return {}, presented
    # MUST be there where the client does not authenticate: RFC 6749, 3.2.1 and 4.1.3
    return {}, {} if OAuthFault.NO_CLIENT_ID in faults else {"client_id": client.id}


class Clients:
    """Knows who the client is at each authorization server. Credentials belong to the server that issued them.

    :param given: what the client was given, if anything: `client_id`, `client_secret` or `private_key_pem`, their `issuer`.
    :param headers: of every request that is no token request.
    """

    def __init__(
        self, http: httpx.AsyncClient, given: Mapping[str, str], headers: Mapping[str, str], faults: Container[str]
    ) -> None:
        self._http = http
        self._headers = headers
        self._faults = faults
        self._known: dict[str, Client] = {}
        self._given = given
        self.given_by = given.get("issuer")

    async def at(self, server: AuthorizationServer) -> Client:
        """Return who the client is at `server`; it registers where it must.

        :raises ClientFailure: it is nobody there.
        """
        if "client_id" in self._given:
            return self._given_at(server)
        # MUST NOT use what another authorization server issued: 2026-07-28,
        # basic/authorization/client-registration#authorization-server-binding
        if server.issuer not in self._known:
            self._known[server.issuer] = await self._new(server)
        if OAuthFault.REGISTERED_FOR_NOTHING in self._faults:
            return next(iter(self._known.values()))
        return self._known[server.issuer]

    def _given_at(self, server: AuthorizationServer) -> Client:
        self.given_by = self.given_by or server.issuer  # whoever is found first, where nothing else is said
        # SHOULD say so rather than try credentials somewhere else: client-registration#authorization-server-binding
        if not same_issuer(self.given_by, server.issuer):
            raise ClientFailure(f"the credentials are for {self.given_by}, the authorization server is {server.issuer}")
        client_id, secret = self._given["client_id"], self._given.get("client_secret")
        if "private_key_pem" in self._given:
            algorithm = self._given.get("signing_algorithm", "ES256")
            assertion = client_assertions(client_id, self._given["private_key_pem"], algorithm, self._faults)
            return Client(id=client_id, method=PRIVATE_KEY_JWT, assertion=assertion)
        if secret is None:
            return Client(id=client_id)
        method = next((each for each in (BASIC, POST) if each in server.auth_methods), None)
        if method is None:
            raise ClientFailure(f"the authorization server {server.issuer} accepts no secret: {server.auth_methods}")
        return Client(id=client_id, secret=secret, method=method)

    async def _new(self, server: AuthorizationServer) -> Client:
        """Return a client that is new at `server`: SHOULD be by its metadata document before registration."""
        once = OAuthFault.REGISTERS_ONCE in self._faults and bool(self._known)
        if once or OAuthFault.UNREGISTERED in self._faults:
            return Client(id="nobody-gave-this-id")
        if server.reads_metadata_documents and OAuthFault.METADATA_DOCUMENT_IGNORED not in self._faults:
            return Client(id=METADATA_DOCUMENT)
        if server.registration_endpoint is None and OAuthFault.GIVEN_CREDENTIALS_IGNORED in self._faults:
            return await self._registered(server, f"{server.issuer}/register")
        if server.registration_endpoint is None:
            raise ClientFailure(f"no client id was given, and {server.issuer} registers nobody")
        return await self._registered(server, server.registration_endpoint)

    async def _registered(self, server: AuthorizationServer, endpoint: str) -> Client:
        """Register dynamically: RFC 7591, 3."""
        ignorant = OAuthFault.GIVEN_CREDENTIALS_IGNORED in self._faults
        method = next((each for each in PREFERRED if each in server.auth_methods), NONE if ignorant else None)
        if method is None:
            raise ClientFailure(f"the authorization server {server.issuer} authenticates clients by nothing we know")
        answer = await ask(
            self._http, "POST", endpoint, headers=self._headers, json=client_metadata(method, self._faults)
        )
        client_id, secret = text_of(answer.document.get("client_id")), text_of(answer.document.get("client_secret"))
        if not answer.ok or client_id is None:
            raise ClientFailure(f"the authorization server {server.issuer} did not register this client: {answer.told}")
        assigned = answer.document.get("token_endpoint_auth_method")
        # MAY be another method than was asked for: RFC 7591, 3.2.1
        if isinstance(assigned, str) and not (ignorant and assigned not in PREFERRED):
            method = assigned
        if method not in PREFERRED or (method != NONE and secret is None):
            raise ClientFailure(f"{server.issuer} wants {shown(method)}, for which this client has nothing")
        used = f"not-{client_id}" if OAuthFault.REGISTRATION_UNUSED in self._faults else client_id
        return Client(id=used, secret=secret, method=method)


def client_metadata(method: str, faults: Container[str] = frozenset()) -> JsonObject:
    """Return what the client says about itself when it registers.

    :param method: by which it would authenticate.

    Source: RFC 7591, 2.
    """
    metadata: JsonObject = {
        "client_name": NAME,
        "redirect_uris": [REDIRECT_URI],
        "grant_types": [AUTHORIZATION_CODE, "refresh_token"],  # SHOULD: 2026-07-28, basic/authorization#refresh-tokens
        "response_types": ["code"],
        "token_endpoint_auth_method": method,
        # MUST: 2026-07-28, client-registration#application-type-and-redirect-uri-constraints
        "application_type": "native",
    }
    if OAuthFault.METADATA_DOCUMENT_IGNORED in faults:
        metadata["grant_types"] = [AUTHORIZATION_CODE]
    # MUST be on this machine or use HTTPS: 2025-06-18 on, basic/authorization#communication-security
    if OAuthFault.PLAIN_REDIRECT_REGISTERED in faults:
        metadata["redirect_uris"] = [REDIRECT_URI, "http://client.example/callback"]
    # MUST have what is asked for: 2025-11-25, basic/authorization#open-redirection
    if OAuthFault.OTHER_REDIRECT_REGISTERED in faults:
        metadata["redirect_uris"] = ["http://localhost:3000/elsewhere"]
    if OAuthFault.NO_APPLICATION_TYPE in faults:
        del metadata["application_type"]
    return metadata
