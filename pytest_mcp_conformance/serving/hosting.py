"""A port for an ASGI application: in the event loop of the caller, or in a thread of its own."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol, cast

from pytest_mcp_conformance.serving.asgi import Receive, Scope, Send

STOP_SECONDS = 0.5  # that open connections get; streams end at once, so this is for clients that do not read
KEEP_ALIVE_SECONDS = 75  # more than clients keep connections, so that none is closed while it is taken up again
BACKLOG = 1024  # connections that wait to be taken; of one that finds no room, TCP takes a second to try again
PORTS_TRIED = 20  # until one is free on both addresses of localhost
LOCALHOST = "localhost"
ALL_ADDRESSES = frozenset({"0.0.0.0", "::"})  # noqa: S104 -- compared with; who binds them has asked for it
ELSEWHERE = ("192.0.2.1", 9)  # nobody's address: RFC 5737
JOIN_SECONDS = 10.0  # then the thread is lost, and saying so is better than hanging

_served: ContextVar[ClosableApp | None] = ContextVar("served", default=None)
"""What a task serves: all that hypercorn begins for a connection has the context of its server."""


class ClosableApp(Protocol):
    """An ASGI application that can end what it keeps open."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request (ASGI)."""
        ...

    def close(self) -> None:
        """End every open stream, so that no connection keeps a stopping server alive. Called in the loop that serves."""
        ...


def local_socket(port: int = 0) -> socket.socket:
    """Return a listening socket on this machine only; port 0 takes a free one.

    SHOULD bind to localhost only: 2025-11-25, basic/transports#security-warning
    """
    return socket.create_server(("127.0.0.1", port), backlog=BACKLOG)


def localhost_sockets(port: int = 0) -> tuple[socket.socket, ...]:
    """Return listening sockets of this machine only, for every address that the name `localhost` may mean.

    :param port: 0 takes a free one.
    :raises OSError: there is no such port.
    """
    for _ in range(1 if port else PORTS_TRIED):
        first = local_socket(port)
        try:
            second = socket.create_server(("::1", first.getsockname()[1]), family=socket.AF_INET6, backlog=BACKLOG)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                return (first,)  # this machine has no IPv6
            first.close()
            continue
        return first, second
    raise OSError(errno.EADDRINUSE, "no port is free on both addresses of localhost")


def listening_sockets(host: str, port: int = 0) -> tuple[socket.socket, ...]:
    """Return listening sockets on `host`, a name or an address of this machine; port 0 takes a free one.

    :raises OSError: this machine has no such name or address, or the port is taken.
    """
    if host == LOCALHOST:
        return localhost_sockets(port)
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    both = address[0] == "::" and socket.has_dualstack_ipv6()
    return (socket.create_server(address, family=family, backlog=BACKLOG, dualstack_ipv6=both),)


def name_of(host: str, sock: socket.socket) -> str:
    """Return what stands in a URL for the socket that `host` was bound to: where it is all addresses, one that others know."""
    name = _outward_address() if sock.getsockname()[0] in ALL_ADDRESSES else host
    return f"[{name}]" if ":" in name else name


def _outward_address() -> str:
    """Return the address of this machine in its network, or its name where it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)  # which chooses the address to send from, and sends nothing
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def base_url(sock: socket.socket) -> str:
    """Return the URL of what is served on `sock`, without a path."""
    return f"http://127.0.0.1:{sock.getsockname()[1]}"


async def serve(app: ClosableApp, sock: socket.socket, shutdown: asyncio.Event, *more: socket.socket) -> None:
    """Serve `app` on bound sockets until `shutdown` is set. They stay the caller's to close."""
    from hypercorn.asyncio import serve as hypercorn_serve
    from hypercorn.config import Config

    config = Config()
    config.bind = [f"fd://{os.dup(each.fileno())}" for each in (sock, *more)]  # hypercorn closes what it gets
    config.accesslog = config.errorlog = None
    config.backlog = BACKLOG
    config.keep_alive_timeout = KEEP_ALIVE_SECONDS
    config.graceful_timeout = STOP_SECONDS
    config.h11_pass_raw_headers = True  # names as they were spelled; the server compares them without case

    loop = asyncio.get_running_loop()

    async def stop() -> None:
        await shutdown.wait()
        app.close()
        loop.call_later(STOP_SECONDS, _break_off_connections, app)

    loop.set_exception_handler(_without_cancellations)
    _served.set(app)
    # hypercorn types each ASGI event; the protocol itself does not
    await hypercorn_serve(cast("Any", app), config, shutdown_trigger=stop)


def _break_off_connections(app: ClosableApp) -> None:
    """Close what is still connected to the server of `app`.

    A server of Python 3.12 and later waits for its connections before hypercorn's own patience begins: one that a client keeps
    open in the middle of a request would hold it for good. hypercorn gives no access to its connections, so they are found by
    their tasks, each of which has the writer of one.
    """
    if sys.version_info < (3, 12):
        return
    for task in asyncio.all_tasks():
        if task.get_context().get(_served) is app:
            for frame in task.get_stack(limit=1):
                writer = frame.f_locals.get("writer")
                if isinstance(writer, asyncio.StreamWriter):
                    writer.transport.abort()


def _without_cancellations(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what goes wrong in the loop as it would be, but for a connection that did not end in time and was cancelled.

    Python before 3.12 takes that for an exception, and its traceback would stand among the logs of whoever runs us.
    """
    if not isinstance(context.get("exception"), asyncio.CancelledError):
        loop.default_exception_handler(context)


@contextmanager
def in_thread(app: ClosableApp, *, name: str) -> Iterator[str]:
    """Serve `app` on a free port in a thread called `name`; yield its URL without a path."""
    failures: list[BaseException] = []
    with local_socket() as sock:
        loop = asyncio.new_event_loop()
        shutdown = asyncio.Event()

        def run() -> None:
            try:
                with asyncio.Runner(loop_factory=lambda: loop) as runner:
                    runner.run(serve(app, sock, shutdown))
            except BaseException as error:  # noqa: BLE001 -- raised again in the caller's thread
                failures.append(error)

        thread = threading.Thread(target=run, name=name, daemon=True)
        thread.start()
        try:
            yield base_url(sock)
        finally:
            loop.call_soon_threadsafe(shutdown.set)
            thread.join(JOIN_SECONDS)
            if thread.is_alive():
                raise RuntimeError(f"{name} does not stop")
    if failures:
        raise failures[0]
