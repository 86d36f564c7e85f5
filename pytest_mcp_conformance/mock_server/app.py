"""A mock server as what answers HTTP requests: one endpoint, the wires of its script.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#compatibility-matrix
"""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, NotJson, as_object, loads, shown
from pytest_mcp_conformance.mock_server.metadata import VERSION_HEADER, declared_version
from pytest_mcp_conformance.mock_server.received import Received
from pytest_mcp_conformance.mock_server.responding import Responder
from pytest_mcp_conformance.mock_server.script import Script
from pytest_mcp_conformance.mock_server.stateful import StatefulWire
from pytest_mcp_conformance.mock_server.stateless import StatelessWire
from pytest_mcp_conformance.model import DRAFT, Revision
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.json_rpc import Kind, kind_of
from pytest_mcp_conformance.protocol.recorder import Origin, Recorder
from pytest_mcp_conformance.serving import guards
from pytest_mcp_conformance.serving.asgi import Receive, Send
from pytest_mcp_conformance.serving.http import Headers, HttpRequest, json_reply, send_reply
from pytest_mcp_conformance.serving.incoming import readable_id
from pytest_mcp_conformance.serving.refusals import Refusal

ENDPOINT = "/mcp"


class MockEndpoint:
    """Answers the HTTP requests of clients as the specification says, and as the script bends it.

    :ivar received: the messages of clients, in the order in which they came.
    :param public: pages of other origins are answered, too: see `Venue`.
    """

    def __init__(self, script: Script, recorder: Recorder, *, public: bool = False) -> None:
        self.received: list[Received] = []
        self.responder = Responder(script, recorder)
        self._script = script
        self._recorder = recorder
        self._public = public
        self._stateful = StatefulWire(script, self.responder, recorder)
        self._stateless = StatelessWire(script, self.responder, recorder)

    async def answer(self, http: HttpRequest, receive: Receive, send: Send) -> None:
        """Answer one request."""
        body: JsonValue = None
        problem: NotJson | None = None
        if http.method == "POST" and http.path == ENDPOINT:
            try:
                body = loads(http.body)
                self._take_in(http, body)
            except NotJson as error:
                problem = error
        reply = self._script.intercept(http)
        if reply is not None:
            await send_reply(send, reply)
            return
        try:
            self._guard(http, problem)
            await self._route(http, body, receive, send)
        except Refusal as refusal:
            await self._refuse(refusal, http, body, send)

    @property
    def sessions(self) -> dict[str, HttpRequest]:
        """The sessions that were issued, by id, each with the HTTP request that it began with."""
        return dict(self._stateful.issued)

    def end_sessions(self) -> None:
        """End every session. Called in the loop that serves."""
        self._stateful.end_sessions()

    def close(self) -> None:
        """End every session and every open stream."""
        self._stateful.end_sessions()
        self._stateless.close()

    def _take_in(self, http: HttpRequest, body: JsonValue) -> None:
        """Keep and judge what a client sent, before anything is said to it."""
        revision = self._judged_by(http.headers, body)
        batch = isinstance(body, list) and not revision.stateless
        for message in body if isinstance(body, list) and batch else [body]:
            self.received.append(Received(message=message, revision=revision, http=http))
        last = self.received[-1] if self.received else None
        method = last and last.method
        what = "a batch" if isinstance(body, list) else method or "no request"
        what = what if what.isprintable() else shown(what)
        is_response = kind_of(body) is Kind.RESPONSE
        self._recorder.judge(
            body,
            Origin.IMPLEMENTATION,
            context="from the client: a response" if is_response else f"from the client: {what}",
            request_method=self._stateful.asked(http.headers, body) if is_response else None,
            revision=revision,
        )

    def _judged_by(self, headers: Headers, body: JsonValue) -> Revision:
        return DRAFT if self._is_stateless(headers, body) else self._stateful.judged_by(headers, body)

    def _guard(self, http: HttpRequest, problem: NotJson | None) -> None:
        headers = http.headers
        # MUST be 403 for a foreign Origin: 2025-11-25, basic/transports#security-warning
        local = guards.is_local_origin(headers.get("origin")) and guards.is_local_host(headers.get("host"))
        if not (self._public or local):
            raise Refusal(json_rpc.INVALID_REQUEST, "This server answers pages of this machine only", status=403)
        if http.path != ENDPOINT:
            raise Refusal(json_rpc.INVALID_REQUEST, f"The endpoint is {ENDPOINT}", status=404)
        # SHOULD be 405 for GET and DELETE: 2026-07-28, basic/transports/streamable-http#earlier-streamable-http-revisions
        if http.method not in self._methods(headers):
            raise Refusal(json_rpc.INVALID_REQUEST, f"{http.method} is not served here", status=405)
        if http.method == "POST" and not guards.is_json(headers.get("content-type")):
            raise Refusal(json_rpc.INVALID_REQUEST, "The body is application/json", status=415)
        if http.method == "POST" and not guards.accepts_answers(headers):
            told = "The answer is application/json or text/event-stream, and both must be accepted"
            raise Refusal(json_rpc.INVALID_REQUEST, told, status=406)
        if problem is not None:
            raise Refusal(json_rpc.PARSE_ERROR, f"The body is {problem}", status=400)

    def _methods(self, headers: Headers) -> tuple[str, ...]:
        """Return the HTTP methods that there are for a client of this version."""
        modern = headers.get(VERSION_HEADER) == DRAFT or not self._script.stateful
        return ("POST",) if modern else ("POST", "GET", "DELETE")

    async def _route(self, http: HttpRequest, body: JsonValue, receive: Receive, send: Send) -> None:
        if http.method == "GET":
            await self._stateful.get(http, receive, send)
        elif http.method == "DELETE":
            await self._stateful.delete(http, send)
        elif self._is_stateless(http.headers, body):
            await self._stateless.post(http, body, receive, send)
        else:
            await self._stateful.post(http, body, receive, send)

    def _is_stateless(self, headers: Headers, body: JsonValue) -> bool:
        """Tell which wire serves a request.

        MUST serve what has `_meta` of the stateless wire by that wire, initialize by the other: 2026-07-28, basic/versioning
        """
        if not (self._script.stateless and self._script.stateful):
            return self._script.stateless
        header, declared = headers.get(VERSION_HEADER), declared_version(body)
        if declared is None and as_object(body).get("method") == "initialize":
            return False
        if header in [each.value for each in self._script.stateful]:
            return declared is not None and declared != header
        return header is not None or declared is not None

    async def _refuse(self, refusal: Refusal, http: HttpRequest, body: JsonValue, send: Send) -> None:
        status = refusal.status or 400
        error: JsonObject = refusal.as_error(readable_id(body))
        # MAY be without id, which schemas before 2025-11-25 do not have: all revisions, basic/transports
        revision = max(self._judged_by(http.headers, body), Revision.V2025_11_25)
        self._recorder.judge(error, Origin.HARNESS, context=f"to the client, with HTTP {status}", revision=revision)
        served = [method for method in self._methods(http.headers) if method != http.method]
        headers = {"allow": ", ".join(served)} if status == 405 else {}
        await send_reply(send, json_reply(error, status=status, headers=headers))
