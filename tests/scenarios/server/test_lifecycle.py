"""Lifecycle and DNS rebinding: odd handshakes, odd session ids, odd ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_mcp_conformance.json_values import JsonObject, as_list, as_object
from pytest_mcp_conformance.model import Leg, Revision
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running import ServerUnderTest, run_server_scenario
from pytest_mcp_conformance.scenarios.server import dns_rebinding, lifecycle
from pytest_mcp_conformance.scenarios.server.dns_rebinding import own_host
from pytest_mcp_conformance.scenarios.server.lifecycle import visible_ascii
from pytest_mcp_conformance.scenarios.server.raw_sessions import accepted
from tests.scenarios.server.miniature import Http, Refusal, Replies, Reply, Turns, events
from tests.scenarios.server.odd_replies import Odd, outcome_of, statuses_of


@pytest.mark.parametrize("text", ["!", "~", "abc-123", "!~", ""])
def test_visible_ascii(text: str) -> None:
    assert visible_ascii(text)


@pytest.mark.parametrize("text", ["a b", "a\t", "\x7f", "é", "a\u2028", "\x1f"])
def test_anything_else_is_not_visible_ascii(text: str) -> None:
    assert not visible_ascii(text)


@pytest.mark.parametrize(
    ("status", "holds"), [(199, False), (200, True), (202, True), (299, True), (300, False), (404, False)]
)
def test_accepted_is_2xx(status: int, *, holds: bool) -> None:
    assert accepted(status) is holds


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://127.0.0.1:3000/mcp", "127.0.0.1:3000"),
        ("http://localhost/mcp", "localhost"),
        ("http://localhost:80/mcp", "localhost"),
        ("http://localhost:8080/mcp", "localhost:8080"),
        ("https://localhost:443/", "localhost"),
        ("https://localhost:80/", "localhost:80"),
        ("http://[::1]:3000/mcp", "[::1]:3000"),
        ("http://[::1]/mcp", "[::1]"),
        ("http://me:secret@LOCALHOST:3000/mcp", "localhost:3000"),
    ],
)
def test_the_host_as_a_browser_sends_it(url: str, host: str) -> None:
    assert own_host(url) == host


HANDSHAKE: JsonObject = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "serverInfo": {"name": "miniature", "version": "1.0.0"},
}
ELSEWHERE = Http(status=307, headers={"Location": "/moved"})
INITIALIZE, SESSION_ID = "server-initialize", "server-session-id-visible-ascii"


def initializing(
    fact: str, statuses: tuple[str, str | None], *, session: str | None = "session-1", **replies: Reply
) -> Odd:
    initialized, session_id = statuses
    return Odd(
        fact=fact,
        scenario="server-initialize",
        revision="2025-11-25",
        replies={name.replace("__", "/"): reply for name, reply in replies.items()},
        session=session,
        statuses={INITIALIZE: initialized} | ({SESSION_ID: session_id} if session_id else {}),
    )


def handshake(**changed: object) -> JsonObject:
    kept = {**HANDSHAKE, **changed}
    return {name: value for name, value in kept.items() if value is not ...}  # type: ignore[misc]


INITIALIZATIONS = [
    initializing("a session", ("SUCCESS", "SUCCESS")),
    initializing("no session", ("SUCCESS", "INFO"), session=None),
    initializing("an empty session id", ("SUCCESS", "INFO"), session=""),
    initializing("a space in the session id", ("SUCCESS", "FAILURE"), session="a b"),
    # No request can carry it, so the first session already breaks down.
    initializing("a letter beyond ASCII in the session id", ("FAILURE", None), session="é"),
    initializing("another known version", ("SUCCESS", "SUCCESS"), initialize=handshake(protocolVersion="2024-11-05")),
    initializing("a newer version", ("FAILURE", None), initialize=handshake(protocolVersion="2026-07-28")),
    initializing("a number as version", ("FAILURE", None), initialize=handshake(protocolVersion=20251125)),
    initializing("a list as version", ("FAILURE", None), initialize=handshake(protocolVersion=["2025-11-25"])),
    initializing("no capabilities", ("FAILURE", None), initialize=handshake(capabilities=...)),
    initializing("no serverInfo", ("FAILURE", None), initialize=handshake(serverInfo=...)),
    initializing("a nameless server", ("FAILURE", None), initialize=handshake(serverInfo={"version": "1"})),
    initializing("a refusal", ("FAILURE", None), initialize=Refusal(code=-32603)),
    initializing(
        "a second refusal", ("SUCCESS", "SUCCESS"), initialize=Turns(replies=(HANDSHAKE, Refusal(code=-32603)))
    ),
    initializing(
        "a second handshake with 500", ("SUCCESS", "INFO"), initialize=Turns(replies=(HANDSHAKE, Http(status=500)))
    ),
    initializing("initialized refused", ("FAILURE", None), notifications__initialized=Http(status=400)),
    initializing("initialized accepted with 200", ("SUCCESS", "SUCCESS"), notifications__initialized=Http(status=200)),
    initializing(
        "a redirected second handshake",
        ("SUCCESS", "SUCCESS"),
        initialize=Turns(replies=(HANDSHAKE, ELSEWHERE, HANDSHAKE)),
    ),
    initializing("DELETE refused", ("SUCCESS", "SUCCESS"), DELETE=Http(status=500)),
]

ACCEPTED, DELETED, DEAD = (
    f"server-session-{what}" for what in ("initialized-accepted", "delete-accepted", "terminated-returns-404")
)
BROKEN, SESSIONLESS = "server-session-lifecycle-error", "server-session-lifecycle-skipped"


def ending(fact: str, statuses: dict[str, str], replies: Replies, session: str | None = "session-1") -> list[Odd]:
    return [
        Odd(
            fact=fact,
            scenario="server-session-lifecycle",
            revision=revision,
            replies=replies,
            session=session,
            statuses=statuses,
        )
        for revision in ("2025-03-26", "2025-06-18", "2025-11-25")
    ]


def ended(deleted: str, dead: str) -> dict[str, str]:
    return {ACCEPTED: "SUCCESS", DELETED: deleted, DEAD: dead}


LIFECYCLES = [
    *ending("an end as it should be", ended("SUCCESS", "SUCCESS"), {}),
    *ending(
        "DELETE answered with 204",
        ended("SUCCESS", "SUCCESS"),
        {"DELETE": Http(status=204), "tools/list": Http(status=404)},
    ),
    *ending("no sessions", {SESSIONLESS: "INFO"}, {}, session=None),
    *ending("an empty session id", {SESSIONLESS: "INFO"}, {}, session=""),
    *ending("initialize with 500", {BROKEN: "FAILURE"}, {"initialize": Http(status=500)}),
    *ending("initialize with 404", {BROKEN: "FAILURE"}, {"initialize": Http(status=404)}),
    *ending("initialize that breaks off in its head", {BROKEN: "FAILURE"}, {"initialize": Http(status=0)}),
    *ending("a version that is no text", ended("SUCCESS", "SUCCESS"), {"initialize": handshake(protocolVersion=5)}),
    *ending(
        "an initialize that is refused in a session", ended("SUCCESS", "SUCCESS"), {"initialize": Refusal(code=-32603)}
    ),
    *ending(
        "initialized refused",
        {ACCEPTED: "FAILURE", DELETED: "SKIPPED", DEAD: "SKIPPED"},
        {"notifications/initialized": Http(status=400)},
    ),
    *ending(
        "initialized answered with 204", ended("SUCCESS", "SUCCESS"), {"notifications/initialized": Http(status=204)}
    ),
    *ending("DELETE not allowed", ended("SKIPPED", "SKIPPED"), {"DELETE": Http(status=405)}),
    *ending("DELETE with 500", ended("WARNING", "SKIPPED"), {"DELETE": Http(status=500)}),
    *ending("DELETE with 302", ended("WARNING", "SKIPPED"), {"DELETE": Http(status=302)}),
    *ending("DELETE unknown and the session alive", ended("WARNING", "SKIPPED"), {"DELETE": Http(status=404)}),
    *ending(
        "DELETE unknown and the session gone",
        ended("SUCCESS", "SUCCESS"),
        {"DELETE": Http(status=404), "tools/list": Http(status=404)},
    ),
    *ending("a redirected DELETE", ended("SUCCESS", "SUCCESS"), {"DELETE": Turns(replies=(ELSEWHERE, None))}),
    *ending("the session survives", ended("SUCCESS", "FAILURE"), {"DELETE": Http(status=200)}),
    *ending("a dead session is a bad request", ended("SUCCESS", "FAILURE"), {"tools/list": Http(status=400)}),
    *ending(
        "DELETE breaks off",
        {ACCEPTED: "SUCCESS", BROKEN: "FAILURE"},
        {"DELETE": Http(status=0)},
    ),
    *ending(
        "the request after the end breaks off",
        {ACCEPTED: "SUCCESS", BROKEN: "FAILURE"},
        {"tools/list": Http(status=0)},
    ),
]

REJECTED, OWN = "localhost-host-rebinding-rejected", "localhost-host-valid-accepted"


def rebinding(
    fact: str, foreign: Reply, own: Reply, statuses: tuple[str, str], *, initialized: Reply = None
) -> list[Odd]:
    """Return a server that answers the two opening requests so, on both wires; `initialized` matters on one of them."""
    rejected, accepted_own = statuses
    opening = Turns(replies=(foreign, own))
    more: Replies = {} if initialized is None else {"notifications/initialized": initialized}
    return [
        Odd(
            fact=fact,
            scenario="dns-rebinding-protection",
            revision=revision,
            replies={method: opening, **more},
            statuses={REJECTED: rejected, OWN: accepted_own},
        )
        for revision, method in (("2025-11-25", "initialize"), ("2026-07-28", "server/discover"))
        if revision == "2025-11-25" or initialized is None
    ]


REBINDINGS = [
    *rebinding("403 and an answer", Http(status=403), HANDSHAKE, ("SUCCESS", "SUCCESS")),
    *rebinding("421 and an answer", Http(status=421), HANDSHAKE, ("SUCCESS", "SUCCESS")),
    *rebinding(
        "400 with JSON that is no message",
        Http(status=400, body=b'{"detail": "no"}'),
        HANDSHAKE,
        ("SUCCESS", "SUCCESS"),
    ),
    *rebinding("500 and an answer", Http(status=500), HANDSHAKE, ("FAILURE", "SUCCESS")),
    *rebinding("a redirection and an answer", Http(status=302), HANDSHAKE, ("FAILURE", "SUCCESS")),
    *rebinding("a redirection of its own", Http(status=403), ELSEWHERE, ("SUCCESS", "FAILURE")),
    *rebinding("answers for everybody", HANDSHAKE, HANDSHAKE, ("FAILURE", "SUCCESS")),
    *rebinding("answers for nobody", Http(status=403), Http(status=403), ("SUCCESS", "FAILURE")),
    *rebinding("a refusal with 200", Http(status=403), Refusal(code=-32603), ("SUCCESS", "SUCCESS")),
    *rebinding("no HTTP for others", Http(status=0), HANDSHAKE, ("FAILURE", "SUCCESS")),
    *rebinding("no HTTP at all", Http(status=0), Http(status=0), ("FAILURE", "FAILURE")),
    *rebinding(
        "initialized refused", Http(status=403), HANDSHAKE, ("SUCCESS", "FAILURE"), initialized=Http(status=403)
    ),
    *rebinding(
        "initialized with 200", Http(status=403), HANDSHAKE, ("SUCCESS", "SUCCESS"), initialized=Http(status=200)
    ),
    *rebinding(
        "initialized without HTTP", Http(status=403), HANDSHAKE, ("SUCCESS", "FAILURE"), initialized=Http(status=0)
    ),
]


@pytest.mark.parametrize("odd", [*INITIALIZATIONS, *LIFECYCLES, *REBINDINGS], ids=str)
async def test_an_odd_reply_gets_exactly_its_statuses(odd: Odd) -> None:
    assert await statuses_of(odd) == odd.statuses


OLDER = "2025-06-18"
OLDER_HANDSHAKE = handshake(protocolVersion=OLDER)


@pytest.mark.parametrize(
    "odd",
    [
        replace(initializing("an older version", ("SUCCESS", "SUCCESS")), speaks=OLDER),
        *(replace(odd, speaks=OLDER) for odd in ending("an older version", ended("SUCCESS", "SUCCESS"), {})),
        *(
            replace(odd, speaks=OLDER)
            for odd in rebinding("an older version", Http(status=403), OLDER_HANDSHAKE, ("SUCCESS", "SUCCESS"))
            if odd.revision == "2025-11-25"
        ),
    ],
    ids=str,
)
async def test_the_version_header_has_what_was_negotiated_and_nothing_before(odd: Odd) -> None:
    """A server that speaks one version MAY refuse every other in the header with 400, which initialize does not need."""
    assert await statuses_of(odd) == odd.statuses


async def test_the_messages_of_a_session_opened_by_hand_are_judged_by_its_version() -> None:
    batch = Http(body=b"[]", headers={"Content-Type": "application/json"})
    alive: Replies = {"DELETE": Http(status=200), "tools/list": batch}
    for odd in ending("a session that survives", ended("SUCCESS", "FAILURE"), alive):
        outcome = await outcome_of(replace(odd, speaks=OLDER))
        wire = next(check for check in outcome.checks if check.id == "wire-schema-valid")
        assert wire.status == "FAILURE"
        violations = as_list(as_object(wire.details)["violations"])
        assert [as_object(each)["specVersion"] for each in violations] == [OLDER]


async def test_a_second_initialize_is_judged() -> None:
    bad: JsonObject = {**HANDSHAKE, "instructions": 5}
    odd = initializing("bad", ("SUCCESS", "SUCCESS"), initialize=Turns(replies=(HANDSHAKE, bad)))
    outcome = await outcome_of(odd)
    assert {check.id: check.status for check in outcome.checks}["wire-schema-valid"] == "FAILURE"


async def test_a_second_initialize_without_an_answer_fails_the_session_id(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifecycle, "HEAD_SECONDS", 0.05)
    silent = initializing("silence", ("SUCCESS", "FAILURE"), initialize=Turns(replies=(HANDSHAKE, Http(status=-1))))
    assert await statuses_of(silent) == silent.statuses


async def test_a_body_that_does_not_end_leaves_the_status_to_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dns_rebinding, "BODY_SECONDS", 0.05)
    for odd in rebinding("an open stream", Http(status=403), events(open=True), ("SUCCESS", "SUCCESS")):
        assert await statuses_of(odd) == odd.statuses


async def test_an_answer_that_does_not_come_fails_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dns_rebinding, "HANDSHAKE_SECONDS", 0.05)
    for odd in rebinding("silence", Http(status=-1), Http(status=-1), ("FAILURE", "FAILURE")):
        assert await statuses_of(odd) == odd.statuses


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
async def test_a_server_elsewhere_fails_both_without_a_request(revision: str) -> None:
    outcome = await run_server_scenario(
        scenarios(Leg.SERVER)["dns-rebinding-protection"],
        Revision(revision),
        ServerUnderTest(url="https://example.com/mcp"),
        timeout=1,
    )
    assert {check.id: (check.status, check.details) for check in outcome.checks} == {
        check: ("FAILURE", {"serverUrl": "https://example.com/mcp", "reason": "non-localhost-url"})
        for check in (REJECTED, OWN)
    }
    assert not outcome.transcript
