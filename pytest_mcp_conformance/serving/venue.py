"""Where the servers of a run listen, whom they answer, and who hears of it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from pytest_mcp_conformance.serving.hosting import LOCALHOST, listening_sockets, name_of
from pytest_mcp_conformance.serving.http import HttpRequest

Heard: TypeAlias = "Callable[[HttpRequest, int | None], None]"
"""Is told of a request and the status of its answer, once the answer begins; none where none was given."""


@dataclass(frozen=True, kw_only=True)
class Venue:
    """What holds for every server of one run.

    :ivar host: what they listen on: `localhost`, which is both loopback addresses, or an address or name of this machine.
    :ivar reserved: bound sockets for the first MCP server; without them it takes a free port, as the others do.
    :ivar public: pages of every origin are answered, and under every name of the host. A look at the Host header keeps out
        pages that get around the rules of origins (DNS rebinding); where all may ask, there is nothing to get around.
    """

    host: str = LOCALHOST
    reserved: tuple[socket.socket, ...] = ()
    public: bool = False
    heard: Heard = lambda _request, _status: None

    def listen(self) -> tuple[socket.socket, ...]:
        """Return listening sockets on a free port."""
        return listening_sockets(self.host)

    def url(self, sockets: tuple[socket.socket, ...]) -> str:
        """Return the URL, without a path, under which others reach what listens on `sockets`."""
        return f"http://{name_of(self.host, sockets[0])}:{sockets[0].getsockname()[1]}"


LOCAL = Venue()
