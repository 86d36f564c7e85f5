"""How a scenario is declared: the decorators that turn a coroutine and its header into a `Scenario`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeAlias

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.model import Leg, Needs, Requirement, Revision, Scenario

if TYPE_CHECKING:  # a leg loads what it talks to, and not the HTTP client where it is none
    from pytest_mcp_conformance.authorization import AuthorizationPeer
    from pytest_mcp_conformance.peer import Peer
    from pytest_mcp_conformance.stage import Stage

AuthorizationBody: TypeAlias = "Callable[[AuthorizationPeer, Checks], Awaitable[None]]"
ClientBody: TypeAlias = "Callable[[Stage, Checks], Awaitable[None]]"
ServerBody: TypeAlias = "Callable[[Peer, Checks], Awaitable[None]]"


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


def client_scenario(
    *,
    name: str,
    purpose: str,
    task: str,
    decides: tuple[Requirement, ...],
    introduced_in: str | None = None,
    removed_in: str | None = None,
    extension: str | None = None,
    lists: frozenset[str] = frozenset(),
    charged: Requirement | None = None,
    allows_client_error: bool = False,
    alone: bool = False,
    waits: float = 0.0,
) -> Callable[[ClientBody], Scenario]:
    """Declare a scenario of the client leg.

    The body puts servers on its stage, lets the client under test run against them, and decides requirements from what
    came. Where nothing at all came, `charged` fails (the first of `decides`, unless another is named).

    :param task: what the client has to do, for its author: a sentence or two.
    :param allows_client_error: the client may end with an exit code other than 0, because it is meant to refuse something.
    """

    def declare(body: ClientBody) -> Scenario:
        return Scenario(
            name=name,
            leg=Leg.CLIENT,
            purpose=purpose,
            task=task,
            decides=decides,
            body=body,
            charged=charged or decides[0],
            introduced_in=Revision(introduced_in) if introduced_in else None,
            removed_in=Revision(removed_in) if removed_in else None,
            extension=extension,
            lists=lists,
            allows_client_error=allows_client_error,
            alone=alone,
            waits=waits,
            module=body.__module__,
        )

    return declare


def authorization_scenario(
    *,
    name: str,
    purpose: str,
    decides: tuple[Requirement, ...],
    introduced_in: str,
    needs: Needs = Needs(),  # noqa: B008 -- a frozen value
    charged: Requirement | None = None,
) -> Callable[[AuthorizationBody], Scenario]:
    """Declare a scenario of the authorization leg.

    The body is a client of the authorization server and decides requirements from what came. Where the server breaks the
    conversation, the peer raises `Nonconforming` through the body, and `charged` fails (the first of `decides`, unless another
    is named). It runs alone: there is one user, and one port that the browser comes back to.
    """

    def declare(body: AuthorizationBody) -> Scenario:
        return Scenario(
            name=name,
            leg=Leg.AUTHORIZATION,
            purpose=purpose,
            decides=decides,
            body=body,
            charged=charged or decides[0],
            introduced_in=Revision(introduced_in),
            needs=needs,
            alone=True,
            module=body.__module__,
        )

    return declare
