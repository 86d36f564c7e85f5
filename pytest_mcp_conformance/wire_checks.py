"""The checks that every run gets from its recorder: was all traffic well formed, on either side, and rightly declared."""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, Shown, shown
from pytest_mcp_conformance.model import Level, Requirement, Revision, SpecRef
from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM, JSON
from pytest_mcp_conformance.protocol.recorder import MistypedAnswer, Origin, Recorder, Violation

SHOWN_VIOLATIONS = 3  # in a message; details have all of them


def wire_schema_valid(revision: Revision) -> Requirement:
    """Return the requirement on the implementation's messages."""
    return Requirement(
        id="wire-schema-valid",
        name="WireSchemaValid",
        level=Level.MUST,
        text="Every message of the implementation is valid by the JSON schema of the revision.",
        spec=(_schema(revision),),
    )


def wire_schema_harness_error(revision: Revision) -> Requirement:
    """Return the requirement on our own messages. It is decided only when it is broken."""
    return Requirement(
        id="wire-schema-harness-error",
        name="WireSchemaHarnessError",
        level=Level.MUST,
        text="Every message of the harness that is not malformed on purpose is valid by the JSON schema of the revision.",
        spec=(_schema(revision),),
        exceptional=True,
    )


def response_content_type(revision: Revision) -> Requirement:
    """Return the requirement on the HTTP answers to requests.

    MUST be one of the two: 2025-03-26 to 2025-11-25, basic/transports#sending-messages-to-the-server, item 5; 2026-07-28,
    basic/transports/streamable-http#sending-messages, item 6.
    """
    page = "basic/transports/streamable-http#sending-messages"
    if not revision.stateless:
        page = "basic/transports#sending-messages-to-the-server"
    return Requirement(
        id="x-response-content-type",
        name="ResponseContentType",
        level=Level.MUST,
        text="Every 2xx answer to a request is declared to be application/json or text/event-stream.",
        spec=(SpecRef(id="MCP-HTTP-Sending", url=f"https://modelcontextprotocol.io/specification/{revision}/{page}"),),
        addition=True,
    )


def decide_wire(recorder: Recorder, revision: Revision, checks: Checks) -> None:
    """Decide them from what `recorder` saw; nothing is decided of what it did not see."""
    if recorder.answered:
        checks.decide(
            response_content_type(revision),
            not recorder.mistyped,
            expected=f"answers of type {JSON} or {EVENT_STREAM}",
            got=_types(recorder.mistyped),
        )
    if not recorder.messages:
        return
    theirs = [each for each in recorder.violations if each.origin is Origin.IMPLEMENTATION]
    ours = [each for each in recorder.violations if each.origin is Origin.HARNESS]
    checks.decide(
        wire_schema_valid(revision),
        not theirs,
        expected="messages that are valid by the schema",
        got=_lines(theirs, recorder.violated[Origin.IMPLEMENTATION]),
        details={"messagesValidated": recorder.messages, **_listed(theirs)},
    )
    if ours:
        checks.fail(
            wire_schema_harness_error(revision),
            expected="valid messages of this harness (a fault of ours, not of the implementation)",
            got=_lines(ours, recorder.violated[Origin.HARNESS]),
            details=_listed(ours),
        )


def _listed(violations: list[Violation]) -> JsonObject:
    return {"violations": [violation.as_json() for violation in violations]}


def _lines(violations: list[Violation], number: int) -> Shown:
    texts = [f"{each.context}: {'; '.join(each.errors)}" for each in violations[:SHOWN_VIOLATIONS]]
    more = number - SHOWN_VIOLATIONS
    return Shown(" | ".join(texts) + (f" | and {more} more" if more > 0 else ""))


def _types(answers: list[MistypedAnswer]) -> Shown:
    texts = [f"{each.method}: {shown(each.type) if each.type else 'no type'}" for each in answers[:SHOWN_VIOLATIONS]]
    more = len(answers) - SHOWN_VIOLATIONS
    return Shown(" | ".join(texts) + (f" | and {more} more" if more > 0 else ""))


def _schema(revision: Revision) -> SpecRef:
    folder = "draft" if revision.stateless else revision.value  # as the published suite writes it
    base = "https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema"
    return SpecRef(id="MCP-Schema", url=f"{base}/{folder}/schema.json")
