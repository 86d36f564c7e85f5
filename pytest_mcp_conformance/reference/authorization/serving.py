"""Running the reference authorization server in a thread of this process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pytest_mcp_conformance.reference.authorization.app import ReferenceAuthorizationServer
from pytest_mcp_conformance.serving.hosting import in_thread


@contextmanager
def running_authorization_server(
    faults: Iterable[str] = (), *, server: ReferenceAuthorizationServer | None = None
) -> Iterator[str]:
    """Run a reference authorization server in a thread of its own; yield its issuer.

    :param server: to be used instead of a new one with `faults`.
    """
    with in_thread(server or ReferenceAuthorizationServer(faults), name="mcp-reference-authorization-server") as url:
        yield url
