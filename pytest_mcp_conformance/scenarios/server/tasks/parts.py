"""Scenarios in parts: each part holds a conversation of its own and decides its own requirements, whatever befalls the others.

Tasks take time. The parts therefore run at the same time, and what they decide is recorded in the order of the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import Requirement
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.side_by_side import side_by_side

Part: TypeAlias = Callable[[Peer, Checks], Coroutine[Any, Any, None]]


async def connected(peer: Peer, checks: Checks, bootstrap: Requirement, capabilities: JsonObject) -> Peer | None:
    """Return a client with `capabilities` that is connected; where the server refuses, fail `bootstrap` and return nothing."""
    client = peer.another(capabilities=capabilities)
    with failing(checks, bootstrap, expected="a connection"):
        await client.connect()
        return client
    return None


async def in_parts(client: Peer, checks: Checks, *parts: Part) -> None:
    """Run all of `parts` at once and record their decisions in order."""
    apart = [checks.apart() for _ in parts]
    try:
        await side_by_side(*(part(client, own) for part, own in zip(parts, apart, strict=True)))
    finally:
        for own in apart:
            checks.recorded += own.recorded


@contextmanager
def failing(checks: Checks, *requirements: Requirement, expected: str) -> Iterator[None]:
    """Go on after the block if the server breaks the conversation in it: `requirements` fail then, whatever their level."""
    try:
        yield
    except Nonconforming as error:
        for requirement in requirements:
            checks.fail(requirement, expected=error.expected or expected, got=error.got or error.message)
