"""Running the reference server in a thread of this process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pytest_mcp_conformance.reference.server.app import ENDPOINT, ReferenceServer
from pytest_mcp_conformance.serving.hosting import in_thread


@contextmanager
def running_server(faults: Iterable[str] = (), *, server: ReferenceServer | None = None) -> Iterator[str]:
    """Run a reference server in a thread of its own; yield its URL.

    :param server: to be used instead of a new one with `faults`.
    """
    with in_thread(server or ReferenceServer(faults), name="mcp-reference-server") as url:
        yield f"{url}{ENDPOINT}"
