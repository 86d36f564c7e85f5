"""What scenarios share that look at responses and their events, and not only at the messages in them.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from http import HTTPStatus

from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, NotJson, as_object, loads, same
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.protocol.http import HttpAnswer, HttpStream
from pytest_mcp_conformance.protocol.json_rpc import Kind, kind_of
from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM
from pytest_mcp_conformance.protocol.recorder import Origin
from pytest_mcp_conformance.protocol.sse import Event, SseParser

BODILESS = frozenset({HTTPStatus.NO_CONTENT, HTTPStatus.RESET_CONTENT})  # 2xx without a body by definition


def streams_events(stream: HttpStream) -> bool:
    """Tell whether a response says that it is a stream of events."""
    return stream.content_type == EVENT_STREAM


def has_body(stream: HttpStream) -> bool:
    """Tell whether a response is 2xx and has a body to read."""
    return stream.ok and stream.status not in BODILESS


def judge_request(peer: Peer, message: JsonObject, *, judged_by: Revision | None = None) -> None:
    """Judge a message of ours that is about to be sent by `peer.http`.

    :param judged_by: the revision of a session that was opened by hand; that of `peer` if none.
    """
    context = f"to the server: {message['method']}"
    peer.http.recorder.judge(message, Origin.HARNESS, context=context, revision=judged_by or peer.judged_by)


def message_in(
    peer: Peer, carrier: bytes | Event, request: JsonObject, *, judged_by: Revision | None = None
) -> JsonValue:
    """Return the message that a body or an event carries in answer to `request`; judge it.

    What is no JSON carries none; the empty object is data without a message, and is not judged.

    :param judged_by: as for `judge_request`.
    """
    revision = judged_by or peer.judged_by
    context = f"from the server, in answer to {request['method']}"
    try:
        message = carrier.value() if isinstance(carrier, Event) else loads(carrier)
    except NotJson as error:
        if isinstance(carrier, Event):
            peer.http.recorder.unreadable(carrier, error, context=context, revision=revision)
        return None
    if message != {}:
        peer.http.recorder.judge(
            message,
            Origin.IMPLEMENTATION,
            context=context,
            request_method=str(request["method"]) if _answers(message, request) else None,
            revision=revision,
        )
    return message


async def read_response(
    peer: Peer, stream: HttpStream, request: JsonObject, *, within: float, judged_by: Revision | None = None
) -> JsonObject:
    """Read an answer up to the response to `request`, judge what comes, and return the response; empty if there is none.

    What is no 2xx is left alone: the body of a refusal may say anything.

    :param within: seconds, after which what came is all that counts.
    :param judged_by: as for `judge_request`.
    """
    if not has_body(stream):
        return {}
    try:
        async with asyncio.timeout(within):
            if not streams_events(stream):
                return as_object(message_in(peer, (await stream.read()).body, request, judged_by=judged_by))
            async with aclosing(stream.events()) as events:
                async for event in events:
                    message = message_in(peer, event, request, judged_by=judged_by)
                    if _answers(message, request):
                        return as_object(message)
    except TimeoutError:
        peer.http.recorder.note(f"{request['method']}: left after {within:g} s")
    except Nonconforming as error:
        peer.http.recorder.note(f"{request['method']}: {error}")
    return {}


def _answers(message: JsonValue, request: JsonObject) -> bool:
    return kind_of(message) is Kind.RESPONSE and same(as_object(message).get("id"), request["id"])


def messages_in(peer: Peer, answer: HttpAnswer, request: JsonObject) -> list[JsonValue]:
    """Return the messages of a whole response, a single one or those of its events; judge them."""
    carriers: Sequence[bytes | Event] = [answer.body]
    if answer.content_type == EVENT_STREAM:
        parser = SseParser()
        carriers = [*parser.feed(answer.body), *parser.finish()]
    return [message for each in carriers if (message := message_in(peer, each, request)) is not None]
