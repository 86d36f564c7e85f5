"""An authorization server: it does as its setup says, keeps a log of what it was asked, and fetches nothing.

Specification: OAuth 2.1; RFC 8414; RFC 7591; RFC 9207; all revisions, basic/authorization.
"""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.oauth import authorize, registration, token
from pytest_mcp_conformance.oauth.client_authentication import presented, refusal
from pytest_mcp_conformance.oauth.clients import Client
from pytest_mcp_conformance.oauth.errors import OAuthError, invalid_request
from pytest_mcp_conformance.oauth.events import (
    AUTHORIZATION_CODE,
    AuthorizationRequested,
    Log,
    NotServed,
    Registered,
    ServerMetadataRead,
    TokenRequested,
)
from pytest_mcp_conformance.oauth.parameters import Parameters, json_object, of_body, of_query
from pytest_mcp_conformance.oauth.pkce import Proof
from pytest_mcp_conformance.oauth.routes import Route, answered
from pytest_mcp_conformance.oauth.server_setup import Granted, ServerSetup, TokenRequest
from pytest_mcp_conformance.oauth.tokens import Token, TokenStore
from pytest_mcp_conformance.serving.asgi import Receive, Send
from pytest_mcp_conformance.serving.http import HttpReply, HttpRequest, json_reply, send_reply

NOT_FOUND = OAuthError(error="not_found", description="There is nothing here", status=404)


class AuthorizationServer:
    """Answers the HTTP requests of clients and of their browsers.

    :ivar base: its URL without a path; whoever puts it on a port says so.
    :ivar clients: those that it knows, by id.
    """

    def __init__(self, setup: ServerSetup, *, log: Log, tokens: TokenStore) -> None:
        self.base = ""
        self.setup = setup
        self.log = log
        self.tokens = tokens
        self.clients: dict[str, Client] = {client.id: client for client in setup.clients}
        self._codes: dict[str, authorize.Code] = {}
        self._latest_challenge: str | None = None
        self._routes = self._all_routes()

    @property
    def issuer(self) -> str:
        """Who it says it is."""
        return self.setup.metadata.issuer_at(self.base)

    @property
    def trusted_issuer(self) -> str:
        """Who it is: what a protected resource names it."""
        return f"{self.base}{self.setup.metadata.path}"

    async def answer(self, http: HttpRequest, _receive: Receive, send: Send) -> None:
        """Answer one request (for `Stage.serve`)."""
        reply = self.reply(http)
        if reply is None:
            self.log.add(NotServed(server=self.base, http=http))
            reply = NOT_FOUND.reply()
        await send_reply(send, reply)

    def reply(self, http: HttpRequest) -> HttpReply | None:
        """Return the answer to a request, or nothing where it is for none of the paths of this server."""
        return answered(self._routes, http)

    def _all_routes(self) -> dict[str, Route]:
        metadata = self.setup.metadata
        routes = {
            f"{metadata.endpoints}/authorize": Route("GET", self._authorize),
            f"{metadata.endpoints}/token": Route("POST", self._token),
            f"{metadata.endpoints}/register": Route("POST", self._register),
        }
        if metadata.location is not None:
            routes[metadata.location] = Route("GET", self._metadata)
        return routes

    def _metadata(self, http: HttpRequest) -> HttpReply:
        self.log.add(ServerMetadataRead(server=self.base, http=http))
        return json_reply(self.setup.metadata.document(self.base))

    def _register(self, http: HttpRequest) -> HttpReply:
        metadata = _metadata_of_client(http)
        if metadata is None:
            return registration.unreadable().reply()
        client = registration.registered(metadata, self.setup.metadata.auth_methods)
        self.clients[client.id] = client
        self.log.add(Registered(server=self.base, http=http, metadata=metadata, client=client))
        return registration.response(client)

    def _authorize(self, http: HttpRequest) -> HttpReply:
        parameters = of_query(http.query)
        if parameters is None:
            return invalid_request("The query cannot be read").reply()
        self._latest_challenge = parameters.get("code_challenge")
        client = self.clients.get(parameters.get("client_id") or "")
        redirect_uri = authorize.redirect_uri_of(parameters, client)
        refused = authorize.unanswerable() if redirect_uri is None else authorize.objection(parameters)
        self.log.add(
            AuthorizationRequested(server=self.base, http=http, parameters=parameters, client=client, refused=refused)
        )
        if redirect_uri is None:
            return authorize.unanswerable().reply()
        if refused is not None:
            answer = {"error": refused.error, "error_description": refused.description}
        else:
            code = authorize.code_for(parameters, redirect_uri)
            self._codes[code.value] = code
            answer = {"code": code.value}
        iss = authorize.iss_of(self.setup.iss, self.issuer)
        return authorize.response(redirect_uri, answer, state=parameters.get("state"), iss=iss)

    def _token(self, http: HttpRequest) -> HttpReply:
        parameters = of_body(http)
        if parameters is None:
            return invalid_request("The body is a form, application/x-www-form-urlencoded").reply()
        request = self._token_request(http, parameters)
        proof = self._proof(parameters)
        issued: Token | None = None
        match self._granted(request):
            case Granted() as granted:
                issued = self.setup.mint(request, granted)
                self.tokens.add(issued)
                refused, reply = None, token.response(issued, self.setup.more_in_token_response)
            case OAuthError() as error:
                refused, reply = error, error.reply()
            case HttpReply() as other:
                refused, reply = None, other
        self.log.add(
            TokenRequested(
                server=self.base,
                http=http,
                parameters=parameters,
                credentials=request.credentials,
                proof=proof,
                refused=refused,
                token=issued,
            )
        )
        return reply

    def _token_request(self, http: HttpRequest, parameters: Parameters) -> TokenRequest:
        credentials = presented(http.headers.get("authorization"), parameters)
        return TokenRequest(
            server=self.base,
            issuer=self.issuer,
            endpoint=f"{self.base}{self.setup.metadata.endpoints}/token",
            http=http,
            parameters=parameters,
            credentials=credentials,
            client=self.clients.get(credentials.client_id or ""),
        )

    def _proof(self, parameters: Parameters) -> Proof:
        """Return what a request proves of the code that it presents; without a known code, of the latest one asked for."""
        code = self._codes.get(parameters.get("code") or "")
        challenge = code.challenge if code is not None else self._latest_challenge
        return Proof(challenge=challenge, verifier=parameters.get("code_verifier"))

    def _granted(self, request: TokenRequest) -> Granted | OAuthError | HttpReply:
        # MUST NOT be there more than once: RFC 6749, 3.2
        if request.parameters.repeated:
            return invalid_request("A parameter is there more than once")
        for guard in self.setup.guards:
            refused = guard(request)
            if refused is not None:
                return refused
        if self.setup.authenticates:
            refused = refusal(request.credentials, request.client)
            if refused is not None:
                return refused
        grant = self.setup.grants.get(request.grant_type or "")
        if grant is not None:
            return grant(request)
        if request.grant_type == AUTHORIZATION_CODE:
            return token.redeemed(request, self._codes.get(request.parameters.get("code") or ""))
        return token.no_grant(request, self.setup.metadata.grant_types)


def _metadata_of_client(http: HttpRequest) -> JsonObject | None:
    """Return what a client says about itself: JSON, or the form that published servers take as well."""
    found = json_object(http)
    if found is not None:
        return found
    parameters = of_body(http)
    return None if parameters is None else parameters.as_json()
