"""How a scenario is declared: the decorators that turn a coroutine and its header into a `Scenario`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.model import Leg, Needs, Requirement, Revision, Scenario
from pytest_mcp_conformance.peer import Peer

ServerBody: TypeAlias = Callable[[Peer, Checks], Awaitable[None]]


def server_scenario(
    *,
    name: str,
    purpose: str,
    decides: tuple[Requirement, ...],
    introduced_in: str | None = None,
    removed_in: str | None = None,
    extension: str | None = None,
    pending: bool = False,
    lists: frozenset[str] = frozenset(),
    needs: Needs = Needs(),  # noqa: B008 -- a frozen value
    charged: Requirement | None = None,
    alone: bool = False,
    waits: float = 0.0,
) -> Callable[[ServerBody], Scenario]:
    """Declare a scenario of the server leg.

    The body talks to the server through its peer and decides requirements. Where the server breaks the conversation, the
    peer raises `Nonconforming` through the body, and `charged` fails (the first of `decides`, unless another is named).

    :param introduced_in: the first revision of the window; none for a scenario of an extension.
    :param removed_in: the first revision that no longer has it.
    """

    def declare(body: ServerBody) -> Scenario:
        return Scenario(
            name=name,
            leg=Leg.SERVER,
            purpose=purpose,
            decides=decides,
            body=body,
            charged=charged or decides[0],
            introduced_in=Revision(introduced_in) if introduced_in else None,
            removed_in=Revision(removed_in) if removed_in else None,
            extension=extension,
            pending=pending,
            lists=lists,
            needs=needs,
            alone=alone,
            waits=waits,
            module=body.__module__,
        )

    return declare
