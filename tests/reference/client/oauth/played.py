"""An MCP server and its authorization servers in one function, for tests of the authorizer: no sockets, every request kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode

import httpx

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import LATEST_STATEFUL, Revision
from pytest_mcp_conformance.reference.client.authorizing import Refused
from pytest_mcp_conformance.reference.client.oauth import OAuth

SERVER = "https://mcp.example/mcp"
ISSUER = "https://as.example"
RESOURCE_METADATA = "https://mcp.example/.well-known/oauth-protected-resource/mcp"
CHALLENGE = f'Bearer resource_metadata="{RESOURCE_METADATA}"'


def form_of(request: httpx.Request) -> dict[str, str]:
    """Return the form in a request."""
    return dict(parse_qsl(request.content.decode()))


@dataclass
class Played:
    """The servers.

    :ivar documents: what is at which URL.
    :ivar replies: what is answered there instead, by the URL without its query.
    :ivar token: makes the answer to a token request, beyond `access_token`.
    """

    documents: dict[str, JsonObject] = field(default_factory=dict)
    replies: dict[str, httpx.Response] = field(default_factory=dict)
    token: Callable[[httpx.Request], httpx.Response | JsonObject] = lambda _request: {}
    requests: list[httpx.Request] = field(default_factory=list)
    issued: int = 0

    def __post_init__(self) -> None:
        self.documents.setdefault(RESOURCE_METADATA, {"resource": SERVER, "authorization_servers": [ISSUER]})
        self.add_server(ISSUER)

    def add_server(self, issuer: str, **more: object) -> None:
        """Add an authorization server, or replace its metadata."""
        self.documents[f"{issuer}/.well-known/oauth-authorization-server"] = {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/authorize",
            "token_endpoint": f"{issuer}/token",
            "registration_endpoint": f"{issuer}/register",
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            **more,  # type: ignore[dict-item]
        }

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer one request."""
        self.requests.append(request)
        instead = self.replies.get(str(request.url).partition("?")[0])
        if instead is not None:
            return httpx.Response(instead.status_code, headers=instead.headers, content=instead.content)
        match request.url.path:
            case "/register":
                return httpx.Response(201, json={"client_id": f"client-of-{request.url.host}"})
            case "/authorize":
                answer = {"code": "code", "state": request.url.params["state"]}
                location = f"{request.url.params['redirect_uri']}?{urlencode(answer)}"
                return httpx.Response(302, headers={"Location": location})
            case "/token":
                self.issued += 1
                made = self.token(request)
                if isinstance(made, httpx.Response):
                    return made
                return httpx.Response(
                    200, json={"access_token": f"token-{self.issued}", "token_type": "Bearer", **made}
                )
            case _:
                document = self.documents.get(str(request.url))
                return httpx.Response(404) if document is None else httpx.Response(200, json=document)

    def client(self, *, context: JsonObject | None = None, revision: Revision = LATEST_STATEFUL) -> OAuth:
        """Return an authorizer that knows nothing but these servers."""
        http = httpx.AsyncClient(transport=httpx.MockTransport(self.answer))
        return OAuth(http, SERVER, context=context or {}, revision=revision)

    def asked(self, path: str) -> list[httpx.Request]:
        """Return the requests to one path of any host."""
        return [request for request in self.requests if request.url.path == path]


def refusal(
    client: OAuth, challenge: str = CHALLENGE, *, status: int = 401, times: int = 1, nonce: str | None = None
) -> Refused:
    """Return the refusal of a request that carried what `client` sends now."""
    headers = [("WWW-Authenticate", challenge), *([("DPoP-Nonce", nonce)] if nonce else [])]
    return Refused(
        url=SERVER,
        status=status,
        headers=httpx.Headers(headers),
        body=b"",
        authorization=client.headers("POST", SERVER).get("Authorization"),
        times=times,
    )
