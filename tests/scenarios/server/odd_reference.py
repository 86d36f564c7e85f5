"""The reference server with odd replies to single requests: for what no fault of it and no real server would send."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object
from pytest_mcp_conformance.model import Leg, Outcome, Revision, Scenario
from pytest_mcp_conformance.reference.server import ENDPOINT, ReferenceServer
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running import ServerUnderTest, run_server_scenario
from pytest_mcp_conformance.serving.asgi import Event, Scope
from pytest_mcp_conformance.verdict import ON_ALL_TRAFFIC, collapsed

SCENARIO_SECONDS = 20.0
JSON, EVENTS, HTML = "application/json", "text/event-stream", "text/html"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request that came; `turn` counts those of its method before it."""

    message: JsonObject
    headers: Mapping[str, str]
    turn: int

    @property
    def method(self) -> str:
        """The method."""
        return str(self.message.get("method"))

    @property
    def params(self) -> JsonObject:
        """The params; empty if they are no object."""
        return as_object(self.message.get("params"))

    @property
    def name(self) -> JsonValue:
        """The name of the tool or prompt."""
        return self.params.get("name")


@dataclass(frozen=True, kw_only=True)
class Odd:
    """A reply, byte by byte. `cut` drops the connection instead; `seconds` pass between its parts, and after the last."""

    parts: tuple[bytes, ...] = ()
    status: int = 200
    type: str = JSON
    seconds: float = 0.0
    cut: bool = False


Oddity: TypeAlias = Callable[[Asked], Odd | None]


def reply(message: JsonValue, *, status: int = 200, type: str = JSON) -> Odd:  # noqa: A002 -- the header's name
    """Return a reply that is this JSON."""
    return Odd(parts=(json.dumps(message).encode(),), status=status, type=type)


def text(body: str, *, status: int = 200, type: str = HTML) -> Odd:  # noqa: A002 -- the header's name
    """Return a reply that is this text."""
    return Odd(parts=(body.encode(),), status=status, type=type)


def events(*messages: JsonValue, status: int = 200, seconds: float = 0.0) -> Odd:
    """Return a stream of these messages."""
    parts = tuple(f"data: {json.dumps(message)}\n\n".encode() for message in messages)
    return Odd(parts=parts, status=status, type=EVENTS, seconds=seconds)


def result(asked: Asked, value: JsonValue) -> JsonObject:
    """Return the response with this result."""
    return {"jsonrpc": "2.0", "id": asked.message.get("id"), "result": value}


def error(asked: Asked, code: JsonValue, data: JsonValue = None, **members: JsonValue) -> JsonObject:
    """Return the response with an error; `members` replace those of the message."""
    body: JsonObject = {"code": code, "message": "refused"} | ({} if data is None else {"data": data})
    return {"jsonrpc": "2.0", "id": asked.message.get("id"), "error": body, **members}


def to(
    method: str,
    make: Callable[[Asked], Odd],
    *,
    id: JsonValue = None,  # noqa: A002 -- the member's name
    name: JsonValue = None,
    turn: int | None = None,
) -> Oddity:
    """Return the oddity of a method, where given only for a request with this id, of this name, or at this turn."""

    def oddity(asked: Asked) -> Odd | None:
        meant = (
            asked.method == method
            and id in (None, asked.message.get("id"))
            and name in (None, asked.name)
            and turn in (None, asked.turn)
        )
        return make(asked) if meant else None

    return oddity


def all_of(*oddities: Oddity) -> Oddity:
    """Return several oddities as one."""
    return lambda asked: next(filter(None, (oddity(asked) for oddity in oddities)), None)


@dataclass
class OddReference:
    """Serves the reference, but for the requests to which `oddity` has a reply. A connection carries one request."""

    oddity: Oddity
    reference: ReferenceServer
    _turns: Counter[str] = field(default_factory=Counter)
    _open: set[asyncio.Task[Any]] = field(default_factory=set)

    async def connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the request of a connection."""
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                await self._answer(reader, writer)
        finally:
            self._open.discard(task)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def close(self) -> None:
        """End every connection."""
        self.reference.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
        headers = {name.lower(): value.removeprefix(" ") for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        odd = self._odd(body, headers) if body else None
        if odd is None:
            await self._pass(first, headers, body, reader, writer)
        elif odd.cut:
            writer.transport.abort()
        else:
            await _write(odd, writer)

    def _odd(self, body: bytes, headers: Mapping[str, str]) -> Odd | None:
        message = as_object(json.loads(body))
        method = str(message.get("method"))
        odd = self.oddity(Asked(message=message, headers=headers, turn=self._turns[method]))
        self._turns[method] += 1
        return odd

    async def _pass(
        self,
        first: str,
        headers: Mapping[str, str],
        body: bytes,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        """Have the reference answer, as an ASGI server would."""
        method, path, _ = first.split(" ")
        raw = [(name.encode(), value.strip().encode("latin-1")) for name, value in headers.items()]
        waiting: list[Event] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Event:
            if waiting:
                return waiting.pop()
            await reader.read()
            return {"type": "http.disconnect"}

        async def send(event: Event) -> None:
            if event["type"] == "http.response.start":
                _head(writer, event["status"], {name.decode(): value.decode() for name, value in event["headers"]})
            else:
                writer.write(event.get("body", b""))
                await writer.drain()

        scope: Scope = {"type": "http", "method": method, "path": path, "headers": raw, "query_string": b""}
        await self.reference(scope, receive, send)


def _head(writer: asyncio.StreamWriter, status: int, headers: Mapping[str, str]) -> None:
    lines = [f"HTTP/1.1 {status} Status", *(f"{name}: {value}" for name, value in headers.items()), "Connection: close"]
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))


async def _write(odd: Odd, writer: asyncio.StreamWriter) -> None:
    _head(writer, odd.status, {"content-type": odd.type})
    for part in odd.parts:
        writer.write(part)
        await writer.drain()
        await asyncio.sleep(odd.seconds)


@contextmanager
def odd_server(oddity: Oddity, *faults: str) -> Iterator[str]:
    """Serve the reference with an oddity in a thread of its own; give the URL."""
    odd = OddReference(oddity, ReferenceServer(faults))
    ready: Future[tuple[str, asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def serve() -> None:
        stopped = asyncio.Event()
        async with await asyncio.start_server(odd.connection, "127.0.0.1", 0) as server:
            url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}{ENDPOINT}"
            ready.set_result((url, asyncio.get_running_loop(), stopped))
            await stopped.wait()
            server.close()
            await odd.close()

    thread = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
    thread.start()
    url, loop, stopped = ready.result(timeout=SCENARIO_SECONDS)
    try:
        yield url
    finally:
        loop.call_soon_threadsafe(stopped.set)
        thread.join(SCENARIO_SECONDS)


def outcome(scenario: str, oddity: Oddity, *faults: str) -> Outcome:
    """Run a scenario at 2026-07-28 against the odd server."""
    known: Scenario = scenarios(Leg.SERVER)[scenario]
    with odd_server(oddity, *faults) as url:
        run = run_server_scenario(known, Revision.V2026_07_28, ServerUnderTest(url=url), timeout=SCENARIO_SECONDS)
        found = asyncio.run(run)
    assert found.reason is None, found.reason
    return found


def unlike_the_reference(scenario: str, oddity: Oddity, *faults: str) -> dict[str, str]:
    """Run a scenario against the odd server; return the checks that are no SUCCESS, the worst of each id.

    What a run did not reach is ABSENT. Left out is what is decided on all traffic: the odd replies are judged by what they say.
    """
    found = outcome(scenario, oddity, *faults)
    decided = {name: check for name, check in collapsed(found.checks).items() if name not in ON_ALL_TRAFFIC}
    unlike = {name: check.status.value for name, check in decided.items() if check.status != "SUCCESS"}
    return unlike | dict.fromkeys(found.unreached, "ABSENT")
