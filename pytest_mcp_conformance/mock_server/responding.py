"""From a request to what answers it: finding the answer in the script, running it, giving it the shape of the revision."""

from __future__ import annotations

import traceback
from collections.abc import Mapping

from pytest_mcp_conformance.json_values import JsonObject, as_object
from pytest_mcp_conformance.mock_server.call import MockCall
from pytest_mcp_conformance.mock_server.features import given, handlers
from pytest_mcp_conformance.mock_server.metadata import SERVER_INFO
from pytest_mcp_conformance.mock_server.script import Answer, Handler, Script
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.recorder import Origin, Recorder
from pytest_mcp_conformance.protocol.wire_schema import violations
from pytest_mcp_conformance.serving.exchange import Exchange, Reply
from pytest_mcp_conformance.serving.http import HttpReply
from pytest_mcp_conformance.serving.incoming import Request
from pytest_mcp_conformance.serving.refusals import (
    Refusal,
    invalid_params,
    unknown_method,
)

# MUST say how long they may be kept, and by whom: 2026-07-28, server/utilities/caching#cacheable-results
CACHEABLE = frozenset(
    {"server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read"}
)
NOT_KEPT: JsonObject = {"ttlMs": 0, "cacheScope": "private"}

# MUST be these on the stateless wire: 2026-07-28, basic/transports/streamable-http#protocol-version-header and
# #server-validation, basic#_meta. Every other error travels with 200.
STATUS: Mapping[int, int] = {
    json_rpc.METHOD_NOT_FOUND: 404,
    json_rpc.HEADER_MISMATCH: 400,
    json_rpc.MISSING_CAPABILITY: 400,
    json_rpc.UNSUPPORTED_VERSION: 400,
}


class Responder:
    """Answers requests by a script.

    :ivar script_errors: what functions of the script raised that is no answer.
    """

    def __init__(self, script: Script, recorder: Recorder) -> None:
        self.script_errors: list[Exception] = []
        self._script = script
        self._handlers = handlers(script)
        self._recorder = recorder

    async def respond(self, call: MockCall, request: Request, *, default: Answer | Handler | None) -> Reply | HttpReply:
        """Return the response to `request`.

        :param default: what answers it where the script says nothing.
        """
        answer = await self._answer(call, request, self._handlers.get(request.method, default))
        if isinstance(answer, HttpReply):
            return answer
        if isinstance(answer, Refusal):
            status = answer.status or (STATUS.get(answer.code, 200) if call.revision.stateless else 200)
            return Reply(message=self.judged(answer.as_error(request.id), request, call.revision), status=status)
        result = finished(answer, request.method, call.revision, self._script.server_info)
        return Reply(message=self.judged(json_rpc.result(request.id, result), request, call.revision))

    def judged(self, message: JsonObject, request: Request, revision: Revision) -> JsonObject:
        """Judge what answers a request, and return it."""
        self._recorder.judge(
            message,
            Origin.HARNESS,
            context=f"to the client, in answer to {request.method}",
            request_method=request.method,
            revision=revision,
        )
        return message

    async def _answer(self, call: MockCall, request: Request, handler: Answer | Handler | None) -> Answer:
        if handler is None:
            return unknown_method(request.method)
        wrong = violations(_as_sent(request), revision=call.revision)
        if wrong:
            return invalid_params("; ".join(wrong))
        try:
            answer: Answer = await given(handler, call)
        except Refusal as refusal:
            return refusal
        except Exception as error:  # noqa: BLE001 -- whatever a function of the script raises, the client gets an answer
            self.script_errors.append(error)
            told = "".join(traceback.format_exception_only(error)).strip()
            self._recorder.note(f"the script failed over {request.method}: {told}")
            return Refusal(json_rpc.INTERNAL_ERROR, f"The script of the mock server failed: {told}")
        return answer


def deliver(reply: Reply | HttpReply, exchange: Exchange, *, streams: bool) -> None:
    """Send a response; with `streams` on an event stream, where the HTTP status is not part of what is said."""
    if isinstance(reply, HttpReply):
        exchange.answer_with(reply)
        return
    if streams and reply.status == 200:
        exchange.open_stream()
    exchange.answer(reply)


def finished(result: JsonObject, method: str, revision: Revision, server_info: JsonObject) -> JsonObject:
    """Return `result` with what results of `revision` carry; what it says itself stays."""
    if not revision.stateless:
        return result
    # MUST have a type, SHOULD name the server: 2026-07-28, basic#result-responses and basic#_meta
    complete: JsonObject = {"resultType": "complete", **result}
    complete["_meta"] = {SERVER_INFO: server_info, **as_object(result.get("_meta"))}
    cacheable = method in CACHEABLE and complete["resultType"] == "complete"
    return {**NOT_KEPT, **complete} if cacheable else complete


def _as_sent(request: Request) -> JsonObject:
    return json_rpc.request(request.id, request.method, request.params)
