"""The reference server as an ASGI application: one endpoint, all revisions.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#compatibility-matrix
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from pytest_mcp_conformance.json_values import JsonValue, NotJson, loads
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM
from pytest_mcp_conformance.reference.server import metadata
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.pagination import PAGE_SIZE
from pytest_mcp_conformance.reference.server.revisions import (
    PROTOCOL_VERSION_HEADER,
    STATEFUL,
    SUPPORTED,
    revision_named,
)
from pytest_mcp_conformance.reference.server.stateful import StatefulWire
from pytest_mcp_conformance.reference.server.stateless import StatelessWire
from pytest_mcp_conformance.reference.server.world import World
from pytest_mcp_conformance.serving import guards
from pytest_mcp_conformance.serving.asgi import Receive, Scope, Send
from pytest_mcp_conformance.serving.http import (
    BodyTooLarge,
    Headers,
    HttpReply,
    HttpRequest,
    json_reply,
    read_body,
    send_reply,
)
from pytest_mcp_conformance.serving.incoming import readable_id
from pytest_mcp_conformance.serving.refusals import Refusal, unsupported_version

ENDPOINT = "/mcp"


class ReferenceServer:
    """A conforming MCP server, or one with the faults it is given.

    :param faults: names of what it is to do wrong.
    :param page_size: entries of one page of a list.
    :param clock: seconds since some fixed moment, for whatever expires.
    """

    def __init__(
        self, faults: Iterable[str] = (), *, page_size: int = PAGE_SIZE, clock: Callable[[], float] = time.time
    ) -> None:
        self.world = World(frozenset(Fault(name) for name in faults), page_size=page_size, clock=clock)
        self._stateful = StatefulWire(self.world)
        self._stateless = StatelessWire(self.world)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request (ASGI)."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    def close(self) -> None:
        """End every session and every open stream, so that no connection keeps a stopping server alive."""
        self.world.close()

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            event = await receive()
            if event["type"] == "lifespan.shutdown":
                self.close()
                await send({"type": "lifespan.shutdown.complete"})
                return
            await send({"type": "lifespan.startup.complete"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope["headers"])
        body: JsonValue = None
        try:
            self._guard(scope, headers)
            http = HttpRequest(method=scope["method"], path=scope["path"], headers=headers)
            if http.method == "POST":
                body = await self._body(headers, receive)
            await self._route(http, body, receive, send)
        except Refusal as refusal:
            status = refusal.status or 400
            allow = {"allow": ", ".join(methods_served(headers))} if status == 405 else {}
            await send_reply(send, json_reply(refusal.as_error(readable_id(body)), status=status, headers=allow))

    def _guard(self, scope: Scope, headers: Headers) -> None:
        # MUST be 403 for a foreign Origin: 2025-11-25, basic/transports#security-warning
        origin = headers.get("origin")
        local = guards.is_local_origin(origin) and guards.is_local_host(headers.get("host"))
        if Fault.FOREIGN_ORIGIN_SERVED in self.world.faults:
            local = True
        if Fault.EVERY_ORIGIN_REFUSED in self.world.faults and origin is not None:
            local = False
        if not local:
            raise Refusal(json_rpc.INVALID_REQUEST, "This server answers pages of this machine only", status=403)
        if scope["path"] != ENDPOINT:
            raise Refusal(json_rpc.INVALID_REQUEST, f"The endpoint is {ENDPOINT}", status=404)
        # SHOULD be 405 for GET and DELETE: 2026-07-28, basic/transports/streamable-http#earlier-streamable-http-revisions
        if scope["method"] not in methods_served(headers):
            raise Refusal(json_rpc.INVALID_REQUEST, f"{scope['method']} is not served here", status=405)

    async def _body(self, headers: Headers, receive: Receive) -> JsonValue:
        if not guards.is_json(headers.get("content-type")):
            raise Refusal(json_rpc.INVALID_REQUEST, "The body is application/json", status=415)
        if not guards.accepts_answers(headers):
            problem = "The answer is application/json or text/event-stream, and both must be accepted"
            raise Refusal(json_rpc.INVALID_REQUEST, problem, status=406)
        try:
            return loads(await read_body(receive))
        except BodyTooLarge as error:
            raise Refusal(json_rpc.INVALID_REQUEST, "The body is too large", status=413) from error
        except NotJson as error:
            raise Refusal(json_rpc.PARSE_ERROR, f"The body is {error}", status=400) from error

    async def _route(self, http: HttpRequest, body: JsonValue, receive: Receive, send: Send) -> None:
        if is_stateless(http.headers, body):
            await self._stateless.post(http, body, receive, send)
        elif http.method == "POST":
            await self._stateful.post(http, body, receive, send)
        elif http.method == "DELETE":
            await self._stateful.delete(http, send)
        elif guards.accepts(http.headers.get("accept"), EVENT_STREAM):
            await self._stateful.get(http, receive, send)
        else:
            raise Refusal(json_rpc.INVALID_REQUEST, "The answer is text/event-stream", status=406)


def methods_served(headers: Headers) -> tuple[str, ...]:
    """Return the HTTP methods that the endpoint has for clients of this version."""
    modern = headers.get(PROTOCOL_VERSION_HEADER) == Revision.V2026_07_28
    return ("POST",) if modern else ("GET", "POST", "DELETE")


def is_stateless(headers: Headers, body: JsonValue) -> bool:
    """Tell by which wire a request is served.

    MUST serve a request with `_meta` of the stateless wire by that wire: 2026-07-28, basic/versioning

    :raises Refusal: the version header names a version that is not served, on neither wire.
    """
    header, declared = headers.get(PROTOCOL_VERSION_HEADER), metadata.declared_version(body)
    legacy = revision_named(header) in STATEFUL
    if header == Revision.V2026_07_28 or (declared is not None and not (legacy and declared == header)):
        return True
    # MUST be 400 for an unsupported version: 2025-11-25, basic/transports#protocol-version-header
    if header is not None and revision_named(header) is None:
        raise unsupported_version(header, SUPPORTED)
    return False


def reference_app(faults: Iterable[str] = ()) -> ReferenceServer:
    """Return the reference server, with the named faults, as an ASGI application."""
    return ReferenceServer(faults)


__all__ = ["ENDPOINT", "HttpReply", "ReferenceServer", "reference_app"]
