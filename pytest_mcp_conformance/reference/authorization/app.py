"""The reference authorization server as an ASGI application."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from pytest_mcp_conformance.protocol.media_types import media_type_of
from pytest_mcp_conformance.reference.authorization.consent import ConsentDesk, page
from pytest_mcp_conformance.reference.authorization.faults import AuthorizationFault
from pytest_mcp_conformance.reference.authorization.grants import Grants
from pytest_mcp_conformance.reference.authorization.metadata import AUTHORIZE, TOKEN, WELL_KNOWN, metadata_reply
from pytest_mcp_conformance.reference.authorization.token_endpoint import FORM, token_reply
from pytest_mcp_conformance.serving import guards
from pytest_mcp_conformance.serving.asgi import Receive, Scope, Send
from pytest_mcp_conformance.serving.http import (
    BodyTooLarge,
    Headers,
    HttpReply,
    HttpRequest,
    read_body,
    send_reply,
)

MAX_FORM_BYTES = 64 * 1024
METHODS = {WELL_KNOWN: ("GET",), AUTHORIZE: ("GET", "POST"), TOKEN: ("POST",)}


class ReferenceAuthorizationServer:
    """A conforming authorization server, or one with the faults it is given. Its issuer is the URL that it is reached under.

    :param faults: names of what it is to do wrong.
    :param clock: seconds since some fixed moment, for whatever expires.
    """

    def __init__(self, faults: Iterable[str] = (), *, clock: Callable[[], float] = time.monotonic) -> None:
        self.faults = frozenset(AuthorizationFault(name) for name in faults)
        self._grants = Grants(self.faults, clock=clock)
        self._desk = ConsentDesk(self._grants, self.faults)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request (ASGI)."""
        if scope["type"] == "lifespan":
            await _live(receive, send)
        elif scope["type"] == "http":
            await send_reply(send, await self._answer(scope, receive))

    def close(self) -> None:
        """Do nothing: no answer of this server stays open."""

    async def _answer(self, scope: Scope, receive: Receive) -> HttpReply:
        headers = Headers(scope["headers"])
        if not guards.is_local_host(headers.get("host")):
            return page("<h1>Not here</h1><p>This server answers on this machine only.</p>", status=403)
        path, method = scope["path"], scope["method"]
        if path not in METHODS:
            return page("<h1>Nothing is here</h1>", status=404)
        if method not in METHODS[path]:
            return HttpReply(status=405, headers={"allow": ", ".join(METHODS[path])})
        try:
            body = await read_body(receive, limit=MAX_FORM_BYTES) if method == "POST" else b""
        except BodyTooLarge:
            return HttpReply(status=413)
        query = scope["query_string"].decode("latin-1")
        http = HttpRequest(method=method, path=path, headers=headers, body=body, query=query)
        host, port = scope["server"]
        return await self._route(http, f"http://{host}:{port}")

    async def _route(self, http: HttpRequest, issuer: str) -> HttpReply:
        match http.path, http.method:
            case path, "GET" if path == WELL_KNOWN:
                return metadata_reply(issuer, self.faults)
            case path, "GET" if path == AUTHORIZE:
                return await self._desk.ask(http.query, issuer)
            case path, _ if path == AUTHORIZE:
                if media_type_of(http.headers.get("content-type")) != FORM:
                    return page("<h1>Not possible</h1><p>This is no answer to the question.</p>", status=400)
                return self._desk.decide(http.body.decode(errors="replace"), issuer)
            case _:
                return token_reply(http, self._grants, self.faults)


async def _live(receive: Receive, send: Send) -> None:
    while True:
        event = await receive()
        await send({"type": f"{event['type']}.complete"})
        if event["type"] == "lifespan.shutdown":
            return
