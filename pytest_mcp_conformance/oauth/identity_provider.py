"""The identity provider of an enterprise: it gives a grant for another server in exchange for its own ID token.

Specification: RFC 8693, 2; OpenID Connect Discovery 1.0, 3; ext-auth, enterprise-managed-authorization, 4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.oauth import assertions, keys
from pytest_mcp_conformance.oauth.authorization_server import NOT_FOUND
from pytest_mcp_conformance.oauth.client_authentication import presented
from pytest_mcp_conformance.oauth.errors import NOT_STORED, OAuthError, invalid_request
from pytest_mcp_conformance.oauth.metadata import OPENID_LOCATION
from pytest_mcp_conformance.oauth.parameters import of_body
from pytest_mcp_conformance.oauth.routes import Route, answered
from pytest_mcp_conformance.oauth.server_setup import TokenRequest
from pytest_mcp_conformance.serving.asgi import Receive, Send
from pytest_mcp_conformance.serving.http import HttpReply, HttpRequest, json_reply, send_reply

if TYPE_CHECKING:
    from joserfc.jwk import ECKey

KEYS = "/.well-known/jwks.json"
TOKEN = "/token"  # noqa: S105 -- a path


class IdentityProvider:
    """Answers the HTTP requests of a client whose user has logged in before.

    Nobody logs in here: the authorization endpoint that its metadata must have is not there.

    :ivar base: its URL without a path, which is its issuer; whoever puts it on a port says so.
    :param exchange: returns the grant that a token request is answered with, or why there is none.
    """

    def __init__(self, key: ECKey, exchange: Callable[[TokenRequest], str | OAuthError]) -> None:
        self.base = ""
        self._key = key
        self._exchange = exchange

    @property
    def token_endpoint(self) -> str:
        """Where tokens are exchanged."""
        return f"{self.base}{TOKEN}"

    async def answer(self, http: HttpRequest, _receive: Receive, send: Send) -> None:
        """Answer one request (for `Stage.serve`)."""
        routes = {
            OPENID_LOCATION: Route("GET", lambda _http: json_reply(self._metadata())),
            KEYS: Route("GET", lambda _http: json_reply({"keys": [keys.public_jwk(self._key)]})),
            TOKEN: Route("POST", self._token),
        }
        await send_reply(send, answered(routes, http) or NOT_FOUND.reply())

    def _metadata(self) -> JsonObject:
        return {
            "issuer": self.base,
            "authorization_endpoint": f"{self.base}/authorize",
            "token_endpoint": self.token_endpoint,
            "jwks_uri": f"{self.base}{KEYS}",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
            "grant_types_supported": [assertions.TOKEN_EXCHANGE_GRANT],
        }

    def _token(self, http: HttpRequest) -> HttpReply:
        parameters = of_body(http)
        if parameters is None:
            return invalid_request("The body is a form, application/x-www-form-urlencoded").reply()
        request = TokenRequest(
            server=self.base,
            issuer=self.base,
            endpoint=self.token_endpoint,
            http=http,
            parameters=parameters,
            credentials=presented(http.headers.get("authorization"), parameters),
        )
        given = self._exchange(request)
        if isinstance(given, OAuthError):
            return given.reply()
        body: JsonObject = {
            "access_token": given,
            "issued_token_type": assertions.ID_JAG_TYPE,
            "token_type": "N_A",  # MUST be, as it is no access token: RFC 8693, 2.2.1
            "expires_in": assertions.ID_JAG_LIFETIME_S,
        }
        return json_reply(body, headers=NOT_STORED)
