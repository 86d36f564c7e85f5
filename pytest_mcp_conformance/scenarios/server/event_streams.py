"""What scenarios share that look at the events of a stream, and not only at the messages in them.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
"""

from __future__ import annotations

from http import HTTPStatus

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, NotJson, as_object, loads, same
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.peer.exchange import EVENT_STREAM
from pytest_mcp_conformance.protocol.http import HttpStream
from pytest_mcp_conformance.protocol.recorder import Origin
from pytest_mcp_conformance.protocol.sse import Event

BODILESS = frozenset({HTTPStatus.NO_CONTENT, HTTPStatus.RESET_CONTENT})  # 2xx without a body by definition


def streams_events(stream: HttpStream) -> bool:
    """Tell whether a response says that it is a stream of events."""
    return stream.content_type == EVENT_STREAM


def has_body(stream: HttpStream) -> bool:
    """Tell whether a response is 2xx and has a body to read."""
    return stream.ok and stream.status not in BODILESS


def judge_request(peer: Peer, message: JsonObject) -> None:
    """Judge a request of ours that is about to be sent by `peer.http`."""
    context = f"to the server: {message['method']}"
    peer.http.recorder.judge(message, Origin.HARNESS, context=context, revision=peer.revision)


def message_in(peer: Peer, event: Event, request: JsonObject) -> JsonValue:
    """Return the message that an event on the stream of `request` carries, and judge it; null if it carries none."""
    try:
        message = loads(event.data)
    except NotJson:
        return None
    answers = same(as_object(message).get("id"), request["id"])
    if event.data.strip() != "{}":
        peer.http.recorder.judge(
            message,
            Origin.IMPLEMENTATION,
            context=f"from the server, in an event of the stream of {request['method']}",
            request_method=str(request["method"]) if answers else None,
            revision=peer.revision,
        )
    return message
