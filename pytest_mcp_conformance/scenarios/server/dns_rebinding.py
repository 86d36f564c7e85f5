"""DNS rebinding: a server on this machine refuses a foreign Host and Origin and accepts its own.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from urllib.parse import urlsplit

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, Shown, as_object
from pytest_mcp_conformance.model import Level, Needs, Requirement, SpecRef
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.protocol.http import HttpAnswer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.event_streams import judge_request, messages_in
from pytest_mcp_conformance.scenarios.server.raw_sessions import (
    BODY_SECONDS,
    HANDSHAKE_SECONDS,
    INITIALIZED,
    POST_HEADERS,
    Session,
    accepted,
    end_session,
    initialize_request,
)

SECURITY = (
    SpecRef(
        id="MCP-DNS-Rebinding-Protection",
        url="https://modelcontextprotocol.io/docs/2025-11-25/tutorials/security/security_best_practices#local-mcp-server-compromise",
    ),
    SpecRef(
        id="MCP-Transport-Security",
        url="https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning",
    ),
)
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
FOREIGN_HOST = "evil.example.com"
DEFAULT_PORTS = {"http": 80, "https": 443}

REBINDING_REJECTED = Requirement(
    id="localhost-host-rebinding-rejected",
    name="DNSRebindingRejected",
    level=Level.MUST,
    text="A request with the Host and Origin of another site is refused with 4xx.",
    spec=SECURITY,
)
VALID_HOST_ACCEPTED = Requirement(
    id="localhost-host-valid-accepted",
    name="LocalhostHostAccepted",
    level=Level.MUST,
    text="A request with the server's own Host and Origin is accepted.",
    spec=SECURITY,
)


@server_scenario(
    name="dns-rebinding-protection",
    introduced_in="2025-11-25",
    purpose="A server on localhost refuses a foreign Host and Origin and accepts its own.",
    decides=(REBINDING_REJECTED, VALID_HOST_ACCEPTED),
    needs=Needs(other=("the host of the server's URL is localhost, 127.0.0.1 or [::1]",)),
)
async def dns_rebinding_protection(peer: Peer, checks: Checks) -> None:
    if urlsplit(peer.url).hostname not in LOCAL_NAMES:
        for requirement in (REBINDING_REJECTED, VALID_HOST_ACCEPTED):
            checks.fail(
                requirement,
                expected=f"a server at one of {', '.join(sorted(LOCAL_NAMES))}",
                got=peer.url,
                details={"serverUrl": peer.url, "reason": "non-localhost-url"},
            )
        return
    await decide_foreign(peer, checks)
    await decide_own(peer, checks)


async def decide_foreign(peer: Peer, checks: Checks) -> None:
    """Send an opening request as a page of another site makes the browser send it."""
    origin = origin_headers(FOREIGN_HOST)
    message, headers = opening(peer)
    details = told(origin)
    wanted = "4xx in answer to a foreign Host and Origin"
    judge_request(peer, message)
    try:
        answer = await probe(peer, message, headers | origin)
    except Nonconforming as error:
        checks.fail(REBINDING_REJECTED, expected=wanted, got=Shown(error.message), details=details)
        return
    # MUST answer 403 to an Origin that is invalid: 2025-11-25, basic/transports#security-warning. A server that judges by Host
    # instead is protected as well, and no status is named for that: any 4xx will do.
    checks.decide(
        REBINDING_REJECTED,
        400 <= answer.status < 500,
        expected=wanted,
        got=Shown(f"HTTP {answer.status}"),
        details=details | {"statusCode": answer.status, "body": answer.json()},
    )


async def decide_own(peer: Peer, checks: Checks) -> None:
    """Open a conversation with the Host and Origin of the server itself."""
    origin = origin_headers(own_host(peer.url))
    message, headers = opening(peer)
    details = told(origin)
    wanted = "2xx in answer to the server's own Host and Origin"
    judge_request(peer, message)
    try:
        answer = await probe(peer, message, headers | origin)
        status = answer.status
        details |= {"statusCode": status, "body": answer.json()}
        messages = messages_in(peer, answer, message) if answer.ok else []
        if answer.ok and not peer.revision.stateless:
            result = next((as_object(each)["result"] for each in messages if "result" in as_object(each)), None)
            session = Session.opened(peer, answer.headers, result)
            status, details["initializedNotification"] = await initialized(peer, session, headers | origin)
            wanted = "2xx in answer to notifications/initialized with the server's own Host and Origin"
    except Nonconforming as error:
        checks.fail(VALID_HOST_ACCEPTED, expected=wanted, got=Shown(error.message), details=details)
        return
    checks.decide(VALID_HOST_ACCEPTED, accepted(status), expected=wanted, got=Shown(f"HTTP {status}"), details=details)


async def initialized(peer: Peer, session: Session, headers: Mapping[str, str]) -> tuple[int, JsonObject]:
    """Go on with `session`, and end it; return the status of the notification and what was seen.

    :raises Nonconforming: no HTTP response came.
    """
    judge_request(peer, INITIALIZED, judged_by=session.judged_by)
    reply = await probe(peer, INITIALIZED, {**headers, **session.headers})
    await end_session(peer, session)
    return reply.status, {"statusCode": reply.status, "body": reply.json(), "sessionIdSent": session.id}


async def probe(peer: Peer, message: JsonObject, headers: Mapping[str, str]) -> HttpAnswer:
    """POST `message`, follow no redirection, and return the answer: without its body where that does not end in time.

    What comes is recorded and not judged by the schema here: what the body of a refusal says is left to the server.

    :raises Nonconforming: no HTTP response came in time.
    """
    try:
        async with (
            asyncio.timeout(HANDSHAKE_SECONDS),
            peer.http.open("POST", peer.url, headers=headers, body=message) as stream,
        ):
            try:
                async with asyncio.timeout(BODY_SECONDS):
                    return await stream.read()
            except TimeoutError:
                return HttpAnswer(status=stream.status, headers=stream.headers, body=b"")
    except TimeoutError:
        raise Nonconforming(f"no HTTP response came within {HANDSHAKE_SECONDS:g} s") from None


def opening(peer: Peer) -> tuple[JsonObject, dict[str, str]]:
    """Return the request that opens a conversation on this wire, and its headers.

    The version header is due on requests after initialize (2025-06-18 to 2025-11-25, basic/transports#protocol-version-header).
    A server may refuse one with a version that it does not speak, before it could answer with another one.
    """
    if peer.revision.stateless:
        return peer.message("server/discover", id=1), peer.headers("server/discover")
    return initialize_request(peer, "conformance-dns-rebinding-test"), POST_HEADERS


def origin_headers(host: str) -> dict[str, str]:
    """Return the headers that tell which site a request is sent to, and from a page of which site."""
    return {"Host": host, "Origin": f"http://{host}"}


def told(origin: Mapping[str, str]) -> JsonObject:
    """Return what details tell of `origin`."""
    return {"hostHeader": origin["Host"], "originHeader": origin["Origin"]}


def own_host(url: str) -> str:
    """Return host and port of `url` as a browser sends them: without the port that its scheme implies."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2].lower()
    return host.removesuffix(f":{DEFAULT_PORTS.get(parts.scheme, '')}")
