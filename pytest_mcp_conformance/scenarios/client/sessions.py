"""Sessions: what a client sends once it has initialized, on the stateful wire. Additions.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import Shown
from pytest_mcp_conformance.mock_server import Received
from pytest_mcp_conformance.mock_server.metadata import VERSION_HEADER, declared_version
from pytest_mcp_conformance.model import Level, Requirement, Revision, SpecRef
from pytest_mcp_conformance.protocol.json_rpc import Kind
from pytest_mcp_conformance.serving.http import HttpRequest

SPECIFICATION = "https://modelcontextprotocol.io/specification/2025-11-25/basic"
SESSION_HEADER = "MCP-Session-Id"
INITIALIZE, READY, PING = "initialize", "notifications/initialized", "ping"
PROBE = "server/discover"  # of a client that speaks the stateless wire as well
OVERTAKING_SECONDS = 0.5  # requests on two connections may come in another order than they were sent in

INITIALIZED = Requirement(
    id="x-initialized-before-requests",
    name="ClientInitializedBeforeRequests",
    level=Level.MUST,
    text="After initialize the client sends notifications/initialized, before any request but ping.",
    spec=(SpecRef(id="MCP-Initialization", url=f"{SPECIFICATION}/lifecycle#initialization"),),
    addition=True,
)
SESSION_ID = Requirement(
    id="x-session-id-on-every-request",
    name="ClientSessionIdOnEveryRequest",
    level=Level.MUST,
    text="Every later request, GET and DELETE included, has the session id that initialize was answered with.",
    spec=(SpecRef(id="MCP-Session-Management", url=f"{SPECIFICATION}/transports#session-management"),),
    addition=True,
)
VERSION = (SpecRef(id="MCP-Protocol-Version-Header", url=f"{SPECIFICATION}/transports#protocol-version-header"),)
VERSION_SENT = Requirement(
    id="x-version-header-on-every-request",
    name="ClientVersionHeaderOnEveryRequest",
    level=Level.MUST,
    text="Every later request, GET and DELETE included, has the header MCP-Protocol-Version.",
    spec=VERSION,
    addition=True,
)
VERSION_NEGOTIATED = Requirement(
    id="x-version-header-is-negotiated",
    name="ClientVersionHeaderIsNegotiated",
    level=Level.SHOULD,
    text="The header MCP-Protocol-Version names the version that initialize was answered with.",
    spec=VERSION,
    addition=True,
)
SESSION_RULES = (INITIALIZED, SESSION_ID, VERSION_SENT, VERSION_NEGOTIATED)


@dataclass(frozen=True, kw_only=True)
class Later:
    """An HTTP request after the first answer to initialize.

    :ivar messages: that it carried.
    :ivar session: the id of the session that it belongs to; without the header, the latest.
    """

    http: HttpRequest
    messages: tuple[Received, ...]
    session: str

    @property
    def shown(self) -> str:
        """The request, for the reader of a message."""
        return " ".join([self.http.method, *(each.method for each in self.messages if each.method is not None)])


def decide_sessions(
    requests: Sequence[Received], https: Sequence[HttpRequest], began: Mapping[str, HttpRequest], checks: Checks
) -> None:
    """Decide what a client did in its sessions.

    :param https: all HTTP requests, in their order.
    :param began: the HTTP request that each session began with, in their order.
    """
    openings = {id_: next(each for each in requests if each.http is http) for id_, http in began.items()}
    if not openings:
        return  # what initialize has to be is decided elsewhere
    later = _later(requests, https, began)
    for id_, opening in openings.items():
        _decide_ready(opening, [each for each in later if each.session == id_], checks)
    if not later:
        for requirement in (SESSION_ID, VERSION_SENT, VERSION_NEGOTIATED):
            checks.skip(requirement, "no request came after initialize")
        return
    strays = [each for each in later if each.http.headers.get(SESSION_HEADER) not in began]
    # MUST be on all HTTP requests: 2025-03-26 to 2025-11-25, basic/transports#session-management, item 2
    checks.decide(
        SESSION_ID,
        not strays,
        expected=f"the id of the session in {SESSION_HEADER}",
        got=[{"request": each.shown, SESSION_HEADER: each.http.headers.get(SESSION_HEADER)} for each in strays],
        entry=strays[0].http.entry if strays else None,
    )
    _decide_version(openings, later, checks)


def _later(requests: Sequence[Received], https: Sequence[HttpRequest], began: Mapping[str, HttpRequest]) -> list[Later]:
    """Return what came after the first answer to initialize and belongs to its session or a later one."""
    found: list[Later] = []
    latest: str | None = None
    for http in https:
        latest = next((id_ for id_, first in began.items() if first is http), latest)
        messages = tuple(each for each in requests if each.http is http)
        if latest is None or any(map(_stands_alone, messages)):
            continue
        named = http.headers.get(SESSION_HEADER)
        # A ping may be sent before initialize is answered: basic/lifecycle#initialization
        early = named is None and any(each.method == PING for each in messages)
        if http.method in ("POST", "GET", "DELETE") and http.path == next(iter(began.values())).path and not early:
            found.append(
                Later(http=http, messages=messages, session=named if named is not None and named in began else latest)
            )
    return found


def _stands_alone(message: Received) -> bool:
    """Tell whether a message belongs to no session: it begins one, or is of the stateless wire."""
    return message.method in (INITIALIZE, PROBE) or declared_version(message.message) is not None


def _decide_ready(opening: Received, later: list[Later], checks: Checks) -> None:
    """Decide on one session.

    The initialization phase, of which the notification is the end, MUST be the first interaction: 2025-03-26 to 2025-11-25,
    basic/lifecycle#initialization.
    """
    messages = [message for each in later for message in each.messages]
    ready = next((each for each in messages if each.method == READY), None)
    working = [each for each in messages if each.kind is Kind.REQUEST and each.method != PING]
    # SHOULD disconnect where it does not support the version: 2025-11-25, basic/lifecycle#version-negotiation
    if ready is None and not working and opening.params.get("protocolVersion") != opening.revision.value:
        checks.skip(INITIALIZED, "the client left a session in another version than it asked for")
        return
    early = [each for each in working if ready is None or ready.http.at - each.http.at > OVERTAKING_SECONDS]
    checks.decide(
        INITIALIZED,
        ready is not None and not early,
        expected=f"{READY} before other requests",
        got=[each.method for each in messages if each.method is not None] or Shown("nothing"),
        entry=early[0].http.entry if early else None,
    )


def _decide_version(openings: Mapping[str, Received], later: list[Later], checks: Checks) -> None:
    owing = [each for each in later if openings[each.session].revision >= Revision.V2025_06_18]
    if not owing:
        for requirement in (VERSION_SENT, VERSION_NEGOTIATED):
            checks.skip(requirement, "the header is of 2025-06-18 and later")
        return
    without = [each for each in owing if each.http.headers.get(VERSION_HEADER) is None]
    # MUST be on all later requests: 2025-06-18 to 2025-11-25, basic/transports#protocol-version-header
    checks.decide(
        VERSION_SENT,
        not without,
        expected=f"{VERSION_HEADER}, on every request",
        got=[each.shown for each in without],
        entry=without[0].http.entry if without else None,
    )
    named = [(each, each.http.headers.get(VERSION_HEADER)) for each in owing if each not in without]
    if not named:
        checks.skip(VERSION_NEGOTIATED, f"no request had {VERSION_HEADER}")
        return
    others = [
        (each, {VERSION_HEADER: value, "negotiated": openings[each.session].revision.value, "request": each.shown})
        for each, value in named
        if value != openings[each.session].revision.value
    ]
    # SHOULD be the negotiated one: 2025-06-18 to 2025-11-25, basic/transports#protocol-version-header
    checks.decide(
        VERSION_NEGOTIATED,
        not others,
        expected=f"the negotiated version in {VERSION_HEADER}",
        got=[told for _, told in others],
        entry=others[0][0].http.entry if others else None,
    )
