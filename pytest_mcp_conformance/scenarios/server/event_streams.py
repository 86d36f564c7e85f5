"""What scenarios share that look at responses and their events, and not only at the messages in them.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
"""

from __future__ import annotations

from http import HTTPStatus

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, NotJson, as_object, loads, same
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.peer.exchange import EVENT_STREAM
from pytest_mcp_conformance.protocol.http import HttpAnswer, HttpStream
from pytest_mcp_conformance.protocol.recorder import Origin
from pytest_mcp_conformance.protocol.sse import SseParser

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


def message_in(peer: Peer, text: str, request: JsonObject) -> JsonValue:
    """Return the message that `text`, a body or the data of an event, carries in answer to `request`; judge it.

    Text that is no JSON carries none; the empty object is data without a message, and is not judged.
    """
    try:
        message = loads(text)
    except NotJson:
        return None
    if message != {}:
        answers = same(as_object(message).get("id"), request["id"])
        peer.http.recorder.judge(
            message,
            Origin.IMPLEMENTATION,
            context=f"from the server, in answer to {request['method']}",
            request_method=str(request["method"]) if answers else None,
            revision=peer.revision,
        )
    return message


def messages_in(peer: Peer, answer: HttpAnswer, request: JsonObject) -> list[JsonValue]:
    """Return the messages of a whole response, a single one or those of its events; judge them."""
    if answer.content_type != EVENT_STREAM:
        texts = [answer.body.decode(errors="replace")]
    else:
        parser = SseParser()
        texts = [event.data for event in (*parser.feed(answer.body), *parser.finish())]
    return [message for text in texts if (message := message_in(peer, text, request)) is not None]
