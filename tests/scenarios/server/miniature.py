"""A server of a few lines that answers as a test says, on both wires: for replies that no real server gives."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import TypeAlias

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object
from pytest_mcp_conformance.protocol import json_rpc


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A JSON-RPC error."""

    code: int
    message: str = "refused"
    data: JsonValue = None


@dataclass(frozen=True, kw_only=True)
class Http:
    """An HTTP response as it is. `broken` ends it before its announced length, `open` leaves it unended until the end.

    The status 0 stands for a connection that is closed without a response, -1 for one that stays silent.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    broken: bool = False
    open: bool = False


@dataclass(frozen=True, kw_only=True)
class Streamed:
    """A stream of events: these messages, and then the result."""

    before: tuple[JsonValue, ...]
    result: JsonValue


@dataclass(frozen=True, kw_only=True)
class Asking:
    """A stream of events: a request to the client, and after its answer the result."""

    method: str
    params: JsonValue
    result: JsonValue


@dataclass(frozen=True, kw_only=True)
class Turns:
    """A reply for each time; the last one stays."""

    replies: tuple[Reply, ...]


Reply: TypeAlias = "JsonValue | Refusal | Http | Streamed | Asking | Turns"
Replies: TypeAlias = "Mapping[str, Reply]"


def events(*lines: str, broken: bool = False, open: bool = False) -> Http:  # noqa: A002 -- what the stream is
    """Return a stream of events, written as its lines."""
    body = "".join(f"{line}\n" for line in lines).encode()
    return Http(body=body, headers={"Content-Type": "text/event-stream"}, broken=broken, open=open)


def message_event(message: JsonValue) -> tuple[str, str]:
    """Return the lines of an event that carries `message`."""
    return f"data: {json.dumps(message)}", ""


@dataclass
class Miniature:
    """Answers each method with what `replies` has under its name, `DELETE` and `GET` too; unknown ones with -32601.

    :param session: the id that initialize hands out; none for a server without sessions.
    :param speaks: the one version that it knows: another one in a header is refused with 400. None knows every version.
    """

    replies: Replies
    session: str | None = "session-1"
    speaks: str | None = None
    _live: set[str] = field(default_factory=set)
    _times: dict[str, int] = field(default_factory=dict)
    _answers: dict[str, asyncio.Event] = field(default_factory=dict)
    _numbers: count[int] = field(default_factory=count)
    _over: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[str]:
        """Serve at a free port; give the URL."""
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0)
        try:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
        finally:
            server.close()
            for waited_for in (self._over, *self._answers.values()):
                waited_for.set()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").strip().split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            await self._answer(first.partition(" ")[0], headers, body, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client went away, as it may at any time
        finally:
            writer.close()

    async def _answer(self, verb: str, headers: Mapping[str, str], body: bytes, writer: asyncio.StreamWriter) -> None:
        message: JsonObject = as_object(json.loads(body)) if body else {}
        method = str(message.get("method", verb if verb != "POST" else ""))
        session = headers.get("mcp-session-id")
        reply = self._reply(method)
        if isinstance(reply, Http):
            await self._write(writer, reply)
        elif self.speaks is not None and headers.get("mcp-protocol-version", self.speaks) != self.speaks:
            await self._write(writer, Http(status=400))
        elif self.session is not None and session is not None and session not in self._live:
            await self._write(writer, Http(status=404))
        elif verb == "DELETE":
            self._live.discard(str(session))
            await self._write(writer, Http(status=200))
        elif verb != "POST":
            await self._write(writer, Http(status=405))
        elif "id" not in message or not method:
            if not method and (waiting := self._answers.get(str(message.get("id")))):
                waiting.set()
            await self._write(writer, Http(status=202))
        else:
            await self._respond(message, reply, writer)

    def _reply(self, method: str) -> Reply:
        reply = self.replies.get(method, Refusal(code=json_rpc.METHOD_NOT_FOUND))
        time = self._times[method] = self._times.get(method, -1) + 1
        return reply.replies[min(time, len(reply.replies) - 1)] if isinstance(reply, Turns) else reply

    async def _respond(self, message: JsonObject, reply: Reply, writer: asyncio.StreamWriter) -> None:
        id_ = message["id"]
        match reply:
            case Refusal():
                body: JsonObject = json_rpc.error(id_, reply.code, reply.message, reply.data)
            case Streamed():
                messages: list[JsonValue] = [*reply.before, {"jsonrpc": "2.0", "id": id_, "result": reply.result}]
                lines = [line for each in messages for line in message_event(each)]
                await self._write(writer, events(*lines))
                return
            case Asking():
                await self._ask(id_, reply, writer)
                return
            case _:
                body = {"jsonrpc": "2.0", "id": id_, "result": reply}  # type: ignore[dict-item] # nothing else is left
        headers = {"Content-Type": "application/json"}
        if message["method"] == "initialize":
            if "initialize" not in self.replies:
                body = json_rpc.result(id_, _handshake(message, self.speaks))
            if self.session is not None:
                self._live.add(self.session)
                headers["Mcp-Session-Id"] = self.session
        await self._write(writer, Http(body=json.dumps(body).encode(), headers=headers))

    async def _ask(self, id_: JsonValue, reply: Asking, writer: asyncio.StreamWriter) -> None:
        asked = f"asked-{next(self._numbers)}"
        answered = self._answers[asked] = asyncio.Event()
        request: JsonObject = {"jsonrpc": "2.0", "id": asked, "method": reply.method, "params": reply.params}
        await self._write(writer, events(*message_event(request), open=True), wait=False)
        await answered.wait()
        lines = message_event({"jsonrpc": "2.0", "id": id_, "result": reply.result})
        writer.write("".join(f"{line}\n" for line in lines).encode())
        await writer.drain()

    async def _write(self, writer: asyncio.StreamWriter, answer: Http, *, wait: bool = True) -> None:
        """Write a response; one that stays open has no length and ends with its connection."""
        if answer.status <= 0:
            if answer.status < 0:
                await self._over.wait()
            return
        head = [f"HTTP/1.1 {answer.status} Status", "Connection: close"]
        head += [f"{name}: {value}" for name, value in answer.headers.items()]
        if not answer.open:
            head.append(f"Content-Length: {len(answer.body) + answer.broken}")
        writer.write("\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + answer.body)
        await writer.drain()
        if answer.open and wait:
            await self._over.wait()


def _handshake(request: JsonObject, speaks: str | None) -> JsonObject:
    """Return an initialize result in the version that the server speaks, or that was asked for."""
    version = speaks or as_object(request.get("params")).get("protocolVersion")
    return {
        "protocolVersion": version,
        "capabilities": {},
        "serverInfo": {"name": "miniature", "version": "1.0.0"},
    }
