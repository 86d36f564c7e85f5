"""The recorder of one run: what travelled, whether it was well formed, and whose message it was.

Every byte that a run exchanges passes here, raw requests included. The recorder keeps the transcript (the lines of
`wire.jsonl`), judges each message by the JSON schema of the run's revision, and counts.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, NotJson, as_object, dumps, loads, shown
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.json_rpc import Kind, kind_of
from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM, JSON, media_type
from pytest_mcp_conformance.protocol.sse import Event
from pytest_mcp_conformance.protocol.wire_schema import violations

KEPT_CHARACTERS = 64 * 1024  # of one body or event in the transcript; verdicts see all of it
KEPT_EVENTS = 500  # of one stream; an endless one must not push out what comes after it
KEPT_ENTRIES = 2_000  # of one run
KEPT_BYTES = 4 * 1024 * 1024  # of headers and bodies of one run
KEPT_VIOLATIONS = 100  # of one run, by each side
REDACTED = "(redacted)"
CUT = "... ("  # what stands where a long text was cut: see `json_values.shown`
# What is shown of a response that is withheld: what servers say of every response.
OPEN_HEADERS = frozenset(
    {
        *("content-type", "content-length", "content-encoding", "transfer-encoding", "cache-control", "pragma", "vary"),
        *("date", "server", "connection", "keep-alive", "access-control-allow-origin", "strict-transport-security"),
    }
)
SECRET_CHARACTERS = 6  # shorter values are flags and counts; blotting them out would garble every transcript


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


@dataclass(frozen=True, kw_only=True)
class MistypedAnswer:
    """An HTTP answer to a JSON-RPC request for `method`, of a media type that it must not have; empty for none."""

    method: str
    status: int
    type: str


@dataclass
class Recorder:
    """Keeps and judges the traffic of one scenario run.

    :param revision: what messages are judged by; a connection that negotiates another revision names its own.
    :param secrets: values that must not appear in the transcript, wherever a peer may repeat them; more may come up.
    :param clock: seconds, monotonic.
    :param requester: who sends the HTTP requests of this run: ourselves to a server, the implementation where it is a client.
    :ivar violations: the first ones of either side; `violated` counts all.
    :ivar answered: how many of our JSON-RPC requests the server answered with HTTP 2xx; `mistyped` are those whose body is
        declared to be neither JSON nor an event stream.
    :ivar faults: what broke in our own background work; the run is then a harness error.
    """

    revision: Revision
    secrets: tuple[str, ...] = ()
    clock: Callable[[], float] = time.monotonic
    requester: Origin = Origin.HARNESS
    entries: list[JsonObject] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    violated: Counter[Origin] = field(default_factory=Counter)
    messages: int = 0
    answered: int = 0
    mistyped: list[MistypedAnswer] = field(default_factory=list)
    faults: list[BaseException] = field(default_factory=list)
    _started: float = field(default=0.0, init=False)
    _dropped: int = field(default=0, init=False)
    _asked: dict[int, str] = field(default_factory=dict, init=False)
    _room: int = field(default=KEPT_BYTES, init=False)
    _events: Counter[int] = field(default_factory=Counter, init=False)
    _left_out: dict[int, JsonObject] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._started = self.clock()

    @property
    def _responder(self) -> Origin:
        return Origin.IMPLEMENTATION if self.requester is Origin.HARNESS else Origin.HARNESS

    @property
    def last(self) -> int | None:
        """The number of the newest transcript entry."""
        return len(self.entries) - 1 if self.entries else None

    def request(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None, *, malformed: bool) -> int:
        """Keep a request that is about to be sent, or has come, and return its number.

        :param malformed: a scenario bends it on purpose.
        """
        entry: JsonObject = {"method": method, "url": url, "headers": self._headers(headers), "body": self._body(body)}
        if malformed:
            entry["malformedOnPurpose"] = True
        number = self._keep(self.requester, "request", entry)
        if kind_of(entry["body"]) is Kind.REQUEST and self.requester is Origin.HARNESS and not malformed:
            self._asked[number] = str(as_object(entry["body"])["method"])
        return number

    def response(self, answers: int, status: int, headers: Mapping[str, str]) -> None:
        """Keep the head of the response to request `answers`."""
        method = self._asked.pop(answers, None)
        if method is not None and 200 <= status < 300:
            self.answered += 1
            if media_type(headers) not in {JSON, EVENT_STREAM}:
                self.mistyped.append(MistypedAnswer(method=method, status=status, type=media_type(headers)))
        self._keep(
            self._responder, "response", {"answers": answers, "status": status, "headers": self._headers(headers)}
        )

    def body(self, answers: int, content: bytes) -> None:
        """Keep the body of the response to request `answers`."""
        if content:
            self._keep(self._responder, "body", {"answers": answers, "body": self._body(content)})

    def event(self, answers: int, event: Event) -> None:
        """Keep one event of the stream that answers request `answers`."""
        self._events[answers] += 1
        if (left_out := self._events[answers] - KEPT_EVENTS) > 0:
            more = f"{left_out} more event{'' if left_out == 1 else 's'} of the stream that answers {answers}, not kept"
            if left_out == 1:
                before = len(self.entries)
                self.note(more)
                if len(self.entries) > before:  # otherwise the transcript is full, and counts what it leaves out itself
                    self._left_out[answers] = self.entries[-1]
            elif answers in self._left_out:
                self._left_out[answers]["note"] = more
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
        self._keep(self._responder, "event", entry)

    def withhold(self, answers: int) -> None:
        """Leave out the body of the response to request `answers`, which is secret as a whole, and what else may hold of it."""
        for entry in self.entries:
            if entry.get("answers") != answers:
                continue
            if entry["kind"] == "body":
                entry["body"] = REDACTED
            elif entry["kind"] == "response":
                headers = as_object(entry["headers"])
                entry["headers"] = {
                    name: value if name.lower() in OPEN_HEADERS else REDACTED for name, value in headers.items()
                }

    def add_secrets(self, values: Iterable[str]) -> None:
        """Keep `values`, which came up in this run, out of the transcript too; very short ones would garble it."""
        found = {*self.secrets, *(value for value in values if len(value) >= SECRET_CHARACTERS)}
        self.secrets = tuple(sorted(found, key=len, reverse=True))

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
        excused: bool = False,
    ) -> bool:
        """Judge one message by the schema, count it, and tell whether it is valid.

        :param excused: the message repeats a value of the other side: that it is invalid is noted, and nobody's violation.
        """
        self.messages += 1
        judged_by = revision or self.revision
        errors = violations(message, revision=judged_by, request_method=request_method)
        if errors and excused:
            self.note(f"{context}: sent with a value that the other side gave, and so not valid: {'; '.join(errors)}")
        elif errors:
            self._violated(origin, judged_by, context, errors, message)
        return not errors

    def unreadable(self, event: Event, error: NotJson, *, context: str, revision: Revision | None = None) -> None:
        """Count an event whose data is no JSON as a violation of who sent it.

        Empty data carries no message (an event that only names the place to resume from), and an event that the end of the
        stream cut off is none.
        """
        if not event.data.strip():
            return
        self.note(f"the data of an event is {error}")
        if event.complete:
            # What a stream carries is JSON-RPC messages, in UTF-8: 2025-03-26 to 2025-11-25, basic/transports
            self.messages += 1
            self._violated(
                self._responder,
                revision or self.revision,
                context,
                (f"no JSON-RPC message: the data of an event is {error}",),
                shown(event.data),
            )

    def _violated(
        self, origin: Origin, revision: Revision, context: str, errors: tuple[str, ...], message: JsonValue
    ) -> None:
        self.violated[origin] += 1
        if self.violated[origin] <= KEPT_VIOLATIONS:
            kept = message if len(dumps(message)) <= KEPT_CHARACTERS else shown(message)
            self.violations.append(
                Violation(origin=origin, revision=revision, context=context, errors=errors, message=kept)
            )

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
            value = _blotted(value, secret)
        return value
    if isinstance(value, list):
        return [without_secrets(entry, secrets) for entry in value]
    if isinstance(value, dict):
        return {str(without_secrets(key, secrets)): without_secrets(member, secrets) for key, member in value.items()}
    return value


def _blotted(text: str, secret: str) -> str:
    """Return `text` without `secret`, nor the part of it that stands where the text was cut short."""
    text = text.replace(secret, REDACTED)
    if CUT not in text or secret[:SECRET_CHARACTERS] not in text:
        return text
    *cut, last = text.split(CUT)
    return CUT.join([*(_without_start(part, secret) for part in cut), last])


def _without_start(text: str, secret: str) -> str:
    """Return `text` without the start of `secret`, where it ends with that."""
    start = secret[:SECRET_CHARACTERS]
    at = text.find(start, max(0, len(text) - len(secret)))
    while at >= 0:
        if secret.startswith(text[at:]):
            return f"{text[:at]}{REDACTED}"
        at = text.find(start, at + 1)
    return text
