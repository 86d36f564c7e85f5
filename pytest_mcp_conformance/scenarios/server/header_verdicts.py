"""Whether a request was refused for its headers as it must be, or accepted in spite of a harmless oddity.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
"""

from __future__ import annotations

from dataclasses import dataclass

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import Level, Requirement, SpecRef
from pytest_mcp_conformance.protocol.json_rpc import HEADER_MISMATCH
from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM, media_type
from pytest_mcp_conformance.scenarios.server.stateless_probes import Reply

BAD_REQUEST = 400
PAGE = "https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http"


@dataclass(frozen=True, kw_only=True)
class Rejection:
    """The two requirements on one request that must be refused: by its HTTP status, and by the code of its error."""

    status: Requirement
    code: Requirement


def rejection(name: str, text: str, place: SpecRef, *, status_id: str, code_id: str, code_level: Level) -> Rejection:
    """Declare a rejection. The ids are shared by many; `name` tells them apart.

    :param text: what is wrong with the request, as the beginning of a sentence.
    """
    return Rejection(
        status=Requirement(
            id=status_id, name=name, level=Level.MUST, text=f"{text} is refused with HTTP 400.", spec=(place,)
        ),
        code=Requirement(
            id=code_id,
            name=f"{name}ErrorCode",
            level=code_level,
            text=f"{text} is refused with error {HEADER_MISMATCH}.",
            spec=(place,),
        ),
    )


def decide_rejection(checks: Checks, decided: Rejection, reply: Reply, details: JsonObject) -> None:
    """Decide both requirements; where no HTTP response came, only the first."""
    if not reply.arrived:
        checks.fail(decided.status, expected=f"HTTP {BAD_REQUEST}", got=reply.shown())
        return
    seen = observed(reply, details)
    # MUST be 400 with -32020: 2026-07-28, basic/transports/streamable-http#server-validation
    checks.decide(
        decided.status, reply.status == BAD_REQUEST, expected=f"HTTP {BAD_REQUEST}", got=reply.shown(), details=seen
    )
    checks.decide(
        decided.code,
        reply.has_code(HEADER_MISMATCH),
        expected=f"error {HEADER_MISMATCH}",
        got=reply.shown(),
        details=seen,
    )


def decide_acceptance(checks: Checks, requirement: Requirement, reply: Reply, details: JsonObject) -> None:
    """Decide that a request is not refused for its headers."""
    if not reply.arrived:
        checks.fail(requirement, expected="an answer without an error", got=reply.shown())
        return
    checks.decide(
        requirement,
        accepted(reply),
        expected="an answer without an error",
        got=reply.shown(),
        details=observed(reply, details),
    )


def accepted(reply: Reply) -> bool:
    """Tell whether a request was served. An error on an event stream may be about anything; only its code tells."""
    if reply.status is None or reply.status >= BAD_REQUEST:
        return False
    if media_type(reply.answer.headers) == EVENT_STREAM:
        return not reply.has_code(HEADER_MISMATCH)
    return "error" not in reply.body


def observed(reply: Reply, details: JsonObject) -> JsonObject:
    """Return `details` with what came, under the published names."""
    return {**details, "responseStatus": reply.status, "responseBody": reply.body or None}
