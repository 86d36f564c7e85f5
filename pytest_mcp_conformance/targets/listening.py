"""Whether something listens at a host and port."""

from __future__ import annotations

import errno
import os
import selectors
import socket
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TypeAlias

RESOLVE_SECONDS = 5.0  # one try of the usual resolver

SocketAddress: TypeAlias = "tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]"


class Unresolved(Exception):
    """A host has no address; the message says why."""


@dataclass(frozen=True)
class Endpoint:
    """One address of a host, with the port."""

    family: socket.AddressFamily
    address: SocketAddress

    def __str__(self) -> str:
        return str(self.address[0])


def resolve(host: str, port: int, *, within: float = RESOLVE_SECONDS) -> tuple[Endpoint, ...]:
    """Return every address of `host`.

    :param within: seconds; the resolver itself cannot be interrupted, so it is left behind then.
    :raises Unresolved: there is none.
    """
    found: list[Endpoint] = []
    problem: list[str] = []

    def look_up() -> None:
        try:
            infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            problem.append(f"the host {host!r} has no address ({getattr(error, 'strerror', None) or error})")
        else:
            found.extend(Endpoint(info[0], info[4]) for info in infos)

    thread = threading.Thread(target=look_up, name="mcp-resolver", daemon=True)
    thread.start()
    thread.join(within)
    if not found:
        raise Unresolved(problem[0] if problem else f"looking up the host {host!r} took more than {within:g} s")
    return tuple(dict.fromkeys(found))


def why_silent(endpoints: tuple[Endpoint, ...], *, within: float) -> str | None:
    """Connect to all of `endpoints` at once; return why none of them answers, or nothing as soon as one does.

    :param within: seconds for all of them together.
    """
    deadline = time.monotonic() + within
    reasons: dict[Endpoint, str] = {}
    with ExitStack() as opened, selectors.DefaultSelector() as selector:
        for endpoint in endpoints:
            sock = opened.enter_context(socket.socket(endpoint.family, socket.SOCK_STREAM))
            sock.settimeout(0)
            code = sock.connect_ex(endpoint.address)
            if code == 0:
                return None
            if code == errno.EINPROGRESS:
                selector.register(sock, selectors.EVENT_WRITE, (endpoint, sock))
            else:
                reasons[endpoint] = os.strerror(code)
        while selector.get_map() and (left := deadline - time.monotonic()) > 0:
            for key, _ in selector.select(left):
                endpoint, sock = key.data
                code = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                if code == 0:
                    return None
                selector.unregister(sock)
                reasons[endpoint] = os.strerror(code)
    silent = f"no connection within {within:g} s"
    return _joined([(endpoint, reasons.get(endpoint, silent)) for endpoint in endpoints])


def _joined(reasons: list[tuple[Endpoint, str]]) -> str:
    """Write each reason once, with the addresses that it holds for."""
    by_reason: dict[str, list[str]] = {}
    for endpoint, reason in reasons:
        by_reason.setdefault(reason, []).append(str(endpoint))
    return "; ".join(f"{', '.join(addresses)}: {reason}" for reason, addresses in by_reason.items())


def free_port() -> int:
    """Return a port on which nothing listens on any address of this machine. Somebody else may take it at any time."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as sock:
        sock.bind(("", 0))
        port: int = sock.getsockname()[1]
        return port
