"""Running the reference server: in a thread of this process, or until a signal comes."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pytest_mcp_conformance.reference.server.app import ENDPOINT, ReferenceServer
from pytest_mcp_conformance.serving.hosting import base_url, in_thread, local_socket, serve

__all__ = ["local_socket", "running_server", "serve", "url_of"]


def url_of(sock: socket.socket) -> str:
    """Return the URL of the endpoint behind `sock`."""
    return f"{base_url(sock)}{ENDPOINT}"


@contextmanager
def running_server(faults: Iterable[str] = (), *, server: ReferenceServer | None = None) -> Iterator[str]:
    """Run a reference server in a thread of its own; yield its URL.

    :param server: to be used instead of a new one with `faults`.
    """
    with in_thread(server or ReferenceServer(faults), name="mcp-reference-server") as url:
        yield f"{url}{ENDPOINT}"
