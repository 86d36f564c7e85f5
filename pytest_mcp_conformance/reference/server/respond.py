"""From a request to its response: finding the handler, running it, and turning what goes wrong into an error."""

from __future__ import annotations

from dataclasses import replace

from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.reference.server.calls import Call, Handler
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.spoiled import refuse, spoil
from pytest_mcp_conformance.serving.exchange import Reply
from pytest_mcp_conformance.serving.http import HttpReply
from pytest_mcp_conformance.serving.refusals import Refusal


async def respond(call: Call, handler: Handler) -> Reply:
    """Run `handler` and return the response. A request is always answered, whatever happens inside."""
    faults = call.world.faults
    reply = await _reply(call, handler)
    if Fault.MALFORMED_NOTIFICATION in faults and "result" in reply.message:
        call.exchange.send(json_rpc.notification("notifications/progress", {}))
    return spoil(faults, call.request, reply)


def declared(reply: HttpReply, faults: frozenset[Fault]) -> HttpReply:
    """Return the answer to a POST with the type that it is to have."""
    if Fault.ANSWER_WITHOUT_TYPE not in faults:
        return reply
    return replace(reply, headers={name: value for name, value in reply.headers.items() if name != "content-type"})


async def _reply(call: Call, handler: Handler) -> Reply:
    try:
        refuse(call.world.faults, call.request)
        result = await handler(call)
    except Refusal as refusal:
        return Reply(message=refusal.as_error(call.request.id), status=call.status_of(refusal))
    except Exception:  # noqa: BLE001 -- the client hears of it, in words that give nothing away
        failure = Refusal(json_rpc.INTERNAL_ERROR, "Internal error")
        return Reply(message=failure.as_error(call.request.id), status=call.status_of(failure))
    return Reply(message=json_rpc.result(call.request.id, call.finish(result)))
