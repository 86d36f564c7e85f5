"""HTTP requests as servers get them, and the servers that get them: no sockets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode, urlsplit

from pytest_mcp_conformance.json_values import JsonObject, as_object, loads
from pytest_mcp_conformance.oauth.authorization_server import AuthorizationServer
from pytest_mcp_conformance.oauth.events import Log
from pytest_mcp_conformance.oauth.server_setup import ServerSetup
from pytest_mcp_conformance.oauth.tokens import TokenStore
from pytest_mcp_conformance.serving.http import Headers, HttpReply, HttpRequest

BASE = "http://localhost:4000"
CALLBACK = "http://localhost:3000/callback"
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"


def request(
    method: str, path: str, *, query: str = "", body: bytes = b"", headers: Mapping[str, str] | None = None
) -> HttpRequest:
    raw = [(name.encode(), value.encode("latin-1")) for name, value in (headers or {}).items()]
    return HttpRequest(method=method, path=path, query=query, body=body, headers=Headers(raw))


def form(path: str, values: Mapping[str, object], **headers: str) -> HttpRequest:
    body = urlencode(values, doseq=True).encode()
    return request("POST", path, body=body, headers={"content-type": FORM, **headers})


def as_json(path: str, value: object) -> HttpRequest:
    return request("POST", path, body=json.dumps(value).encode(), headers={"content-type": JSON})


def server(setup: ServerSetup | None = None) -> AuthorizationServer:
    made = AuthorizationServer(setup or ServerSetup(), log=Log(), tokens=TokenStore())
    made.base = BASE
    return made


def reply(to: AuthorizationServer, http: HttpRequest) -> HttpReply:
    found = to.reply(http)
    assert found is not None
    return found


def told(answer: HttpReply) -> JsonObject:
    return as_object(loads(answer.body))


def sent_back(answer: HttpReply) -> dict[str, str]:
    """Return the parameters of a redirect to the callback."""
    assert answer.status == 302
    location = urlsplit(answer.headers["location"])
    return dict(parse_qsl(location.query))


def authorized(to: AuthorizationServer, **parameters: object) -> dict[str, str]:
    """Ask for a code; what is not named is as it should be, and `None` leaves it out."""
    whole = {"response_type": "code", "client_id": "me", "redirect_uri": CALLBACK, **parameters}
    query = urlencode({name: value for name, value in whole.items() if value is not None}, doseq=True)
    return sent_back(reply(to, request("GET", "/authorize", query=query)))


def redeemed(to: AuthorizationServer, code: str, **parameters: object) -> HttpReply:
    """Ask for a token; as `authorized`."""
    whole = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": CALLBACK,
        "client_id": "me",
        **parameters,
    }
    return reply(to, form("/token", {name: value for name, value in whole.items() if value is not None}))
