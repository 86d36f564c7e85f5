"""The recorder of one run: what travelled, whether it was well formed, and whose message it was.

Every byte that a run exchanges passes here, raw requests included. The recorder keeps the transcript (the lines of
`wire.jsonl`), judges each message by the JSON schema of the run's revision, and counts.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, NotJson, dumps, loads, shown
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.sse import Event
from pytest_mcp_conformance.protocol.wire_schema import violations

KEPT_CHARACTERS = 64 * 1024  # of one body or event in the transcript; verdicts see all of it
KEPT_EVENTS = 500  # of one stream; an endless one must not push out what comes after it
KEPT_ENTRIES = 2_000  # of one run
KEPT_BYTES = 4 * 1024 * 1024  # of headers and bodies of one run
KEPT_VIOLATIONS = 100  # of one run, by each side
REDACTED = "(redacted)"


class Origin(StrEnum):
    """Who sent a message."""

    HARNESS = "harness"
    IMPLEMENTATION = "implementation"


@dataclass(frozen=True, kw_only=True)
class Violation:
    """One message that breaks the schema. `context` tells direction and method; of a long message the start is kept."""

    origin: Origin
    revision: Revision
    context: str
    errors: tuple[str, ...]
    message: JsonValue

    def as_json(self) -> JsonObject:
        """Return the violation as the published `details` write it."""
        return {
            "origin": self.origin.value,
            "specVersion": self.revision.value,
            "context": self.context,
            "errors": list(self.errors),
            "message": self.message,
        }


@dataclass
class Recorder:
    """Keeps and judges the traffic of one scenario run.

    :param revision: what messages are judged by; a connection that negotiates another revision names its own.
    :param secrets: values that must not appear in the transcript, wherever a peer may repeat them.
    :param clock: seconds, monotonic.
    :ivar violations: the first ones of either side; `violated` counts all.
    :ivar faults: what broke in our own background work; the run is then a harness error.
    """

    revision: Revision
    secrets: tuple[str, ...] = ()
    clock: Callable[[], float] = time.monotonic
    entries: list[JsonObject] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    violated: Counter[Origin] = field(default_factory=Counter)
    messages: int = 0
    faults: list[BaseException] = field(default_factory=list)
    _started: float = 0.0
    _dropped: int = 0
    _room: int = KEPT_BYTES
    _events: Counter[int] = field(default_factory=Counter)
    _left_out: dict[int, JsonObject] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._started = self.clock()

    @property
    def last(self) -> int | None:
        """The number of the newest transcript entry."""
        return len(self.entries) - 1 if self.entries else None

    def request(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None, *, malformed: bool) -> int:
        """Keep a request that is about to be sent. `malformed` marks what a scenario bends on purpose. Return its number."""
        entry: JsonObject = {"method": method, "url": url, "headers": self._headers(headers), "body": self._body(body)}
        if malformed:
            entry["malformedOnPurpose"] = True
        return self._keep(Origin.HARNESS, "request", entry)

    def response(self, answers: int, status: int, headers: Mapping[str, str]) -> None:
        """Keep the head of the response to request `answers`."""
        self._keep(
            Origin.IMPLEMENTATION, "response", {"answers": answers, "status": status, "headers": self._headers(headers)}
        )

    def body(self, answers: int, content: bytes) -> None:
        """Keep the body of the response to request `answers`."""
        if content:
            self._keep(Origin.IMPLEMENTATION, "body", {"answers": answers, "body": self._body(content)})

    def event(self, answers: int, event: Event) -> None:
        """Keep one event of the stream that answers request `answers`."""
        self._events[answers] += 1
        if (left_out := self._events[answers] - KEPT_EVENTS) > 0:
            if left_out == 1:
                self.note("")
                self._left_out[answers] = self.entries[-1]
            self._left_out[answers]["note"] = f"{left_out} more events of the stream that answers {answers}, not kept"
            return
        entry: JsonObject = {
            "answers": answers,
            "event": event.event,
            "data": self._body(event.data.encode(errors="replace")),
        }
        if event.id is not None:
            entry["id"] = event.id
        if event.retry_ms is not None:
            entry["retry"] = event.retry_ms
        if not event.complete:
            entry["cutOff"] = True
        self._keep(Origin.IMPLEMENTATION, "event", entry)

    def note(self, text: str) -> None:
        """Keep a remark of the harness: a connection that broke, a wait that ran out."""
        self._keep(Origin.HARNESS, "note", {"note": text})

    def judge(
        self,
        message: JsonValue,
        origin: Origin,
        *,
        context: str,
        request_method: str | None = None,
        revision: Revision | None = None,
    ) -> bool:
        """Judge one message by the schema, count it, and tell whether it is valid."""
        self.messages += 1
        judged_by = revision or self.revision
        errors = violations(message, revision=judged_by, request_method=request_method)
        if errors:
            self.violated[origin] += 1
            if self.violated[origin] <= KEPT_VIOLATIONS:
                kept = message if len(dumps(message)) <= KEPT_CHARACTERS else shown(message)
                self.violations.append(
                    Violation(origin=origin, revision=judged_by, context=context, errors=errors, message=kept)
                )
        return not errors

    def transcript(self) -> tuple[JsonValue, ...]:
        """Return the entries, without secrets."""
        if not self.secrets:
            return tuple(self.entries)
        return tuple(without_secrets(entry, self.secrets) for entry in self.entries)

    def _keep(self, origin: Origin, kind: str, members: JsonObject) -> int:
        number = len(self.entries)
        if number >= KEPT_ENTRIES:
            self._dropped += 1 if self._dropped else 2  # the last one kept makes room for the remark
            self.entries[-1] = {"from": Origin.HARNESS.value, "kind": "note", "note": f"{self._dropped} more, not kept"}
            return number - 1
        elapsed_ms = round((self.clock() - self._started) * 1000, 1)
        self.entries.append({"number": number, "ms": elapsed_ms, "from": origin.value, "kind": kind, **members})
        return number

    def _headers(self, headers: Mapping[str, str]) -> JsonValue:
        size = sum(len(name) + len(value) for name, value in headers.items())
        return dict(headers) if self._fits(size) else f"... ({size} characters)"

    def _body(self, content: bytes | None) -> JsonValue:
        return _body(content, whole=self._fits(min(len(content or b""), KEPT_CHARACTERS)))

    def _fits(self, size: int) -> bool:
        """Take room for `size` bytes, where there is as much left."""
        fits = size <= self._room
        self._room -= size if fits else 0
        return fits


def _body(content: bytes | None, *, whole: bool) -> JsonValue:
    """Return a body as the transcript shows it: JSON as JSON, other text as text, a long one cut, or its length alone."""
    if not content:
        return None
    if not whole:
        return f"... ({len(content)} bytes)"
    if len(content) > KEPT_CHARACTERS:
        return content[:KEPT_CHARACTERS].decode(errors="replace") + f"... ({len(content)} bytes)"
    try:
        return loads(content)
    except NotJson:
        return content.decode(errors="replace")


def without_secrets(value: JsonValue, secrets: tuple[str, ...]) -> JsonValue:
    """Return `value` with every secret blotted out, wherever it stands in a text or in the name of a member."""
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, REDACTED)
        return value
    if isinstance(value, list):
        return [without_secrets(entry, secrets) for entry in value]
    if isinstance(value, dict):
        return {str(without_secrets(key, secrets)): without_secrets(member, secrets) for key, member in value.items()}
    return value
