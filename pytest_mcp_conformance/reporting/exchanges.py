"""Which exchange decided a check: the request and what came back, found in the transcript.

A check knows the number of the last transcript entry when its decision fell. On a quiet wire that entry belongs to the exchange
that decided. Beside it other streams may have been heard of meanwhile, so an answer that holds what the check got comes first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, dumps
from pytest_mcp_conformance.model import Check

TELLING_CHARACTERS = 16  # of a value: `[]` and `200` stand in many answers and tell nothing
SHORTENED = re.compile(r"\.\.\. \(\d+ characters\)$")  # what `shown` writes behind the start of a long value


@dataclass(frozen=True, kw_only=True, eq=False)
class Exchange:
    """One request and what answered it, as transcript entries.

    :ivar head: status and headers of the response; none where none came.
    :ivar answers: bodies and events, in order of arrival.
    """

    request: JsonObject
    head: JsonObject | None
    answers: tuple[JsonObject, ...]

    @property
    def number(self) -> int:
        """The number of the request in the transcript."""
        return number_of(self.request)

    @property
    def method(self) -> str | None:
        """The JSON-RPC method of the request, if it is one."""
        method = as_object(self.request.get("body")).get("method")
        return method if isinstance(method, str) else None

    @cached_property
    def texts(self) -> tuple[tuple[int, str], ...]:
        """What came, as JSON, each with its number."""
        return tuple((number_of(entry), dumps(content_of(entry))) for entry in self.answers)

    @property
    def opens_conversation(self) -> bool:
        """Whether the request is one that a scenario sends, not what the wire does beside it.

        Beside it are the standing stream of a session and the replies to a server's own requests.
        """
        if self.request.get("method") == "GET":
            return any(name.lower() == "last-event-id" for name in as_object(self.request.get("headers")))
        body = as_object(self.request.get("body"))
        return "method" in body or not {"result", "error"} & body.keys()


def exchanges_of(transcript: Sequence[JsonValue]) -> tuple[Exchange, ...]:
    """Sort a transcript into exchanges, in the order of the requests."""
    entries = [entry for entry in transcript if isinstance(entry, dict)]
    heads: dict[int, JsonObject] = {}
    answers: dict[int, list[JsonObject]] = {}
    for entry in entries:
        answered = entry.get("answers")
        if not isinstance(answered, int):
            continue
        if entry.get("kind") == "response":
            heads[answered] = entry
        else:
            answers.setdefault(answered, []).append(entry)
    return tuple(
        Exchange(request=entry, head=heads.get(number_of(entry)), answers=tuple(answers.get(number_of(entry), ())))
        for entry in entries
        if entry.get("kind") == "request"
    )


def deciding(check: Check, exchanges: Sequence[Exchange]) -> tuple[Exchange, JsonObject | None] | None:
    """Return the exchange that decided `check`, and of what came the part that did, or nothing where none is known.

    A check of all messages of a run is about those that it names, whenever they came.
    """
    if check.entry is None:
        return None
    known = [exchange for exchange in exchanges if exchange.number <= check.entry]
    if violations := as_list((check.details or {}).get("violations")):
        return _that_holds(dumps(as_object(violations[0]).get("message")), known, check.entry)
    for evidence in _evidence(check.got):
        if found := _that_holds(evidence, known, check.entry):
            return found
    candidates = [each for each in known if each.opens_conversation] or known
    if not candidates:
        return None
    last = max(candidates, key=lambda each: _last_sign(each, check.entry or 0))
    heard = [entry for entry in last.answers if number_of(entry) <= check.entry]
    return last, heard[-1] if heard else None


def asking(check: Check, exchanges: Sequence[Exchange]) -> tuple[Exchange, JsonObject | None] | None:
    """Return the exchange whose request decided `check`, where the client is under test, and the answer to it.

    It is the one that the check names, else the latest that holds what the check got; where there is none, nothing is shown.
    """
    found = [each for each in exchanges if each.number == check.entry]
    if not found:
        violations = as_list((check.details or {}).get("violations"))
        pieces = [dumps(as_object(violations[0]).get("message"))] if violations else [*_evidence(check.got)]
        telling = [piece for piece in pieces if len(piece) >= TELLING_CHARACTERS]
        found = [each for each in exchanges if any(piece in dumps(each.request.get("body")) for piece in telling)]
    if not found:
        return None
    return found[-1], found[-1].answers[-1] if found[-1].answers else None


def last_refusal(exchanges: Sequence[Exchange]) -> Exchange | None:
    """Return the exchange of the last POST, if its answer is an error: where a client stops, that is often why."""
    last = next((each for each in reversed(exchanges) if each.request.get("method") == "POST"), None)
    if last is None or last.head is None:
        return None
    status = last.head.get("status")
    is_error = any("error" in as_object(content_of(answer)) for answer in last.answers)
    return last if is_error or (isinstance(status, int) and status >= 400) else None


def number_of(entry: Mapping[str, JsonValue]) -> int:
    """Return the number of a transcript entry; the remark that closes a full transcript has none."""
    number = entry.get("number")
    return number if isinstance(number, int) else -1


def content_of(answer: Mapping[str, JsonValue]) -> JsonValue:
    """Return what a body or an event carries."""
    return answer.get("data") if answer.get("kind") == "event" else answer.get("body")


def _that_holds(evidence: str, exchanges: Sequence[Exchange], entry: int) -> tuple[Exchange, JsonObject | None] | None:
    """Return the latest answer that holds `evidence`."""
    if len(evidence) < TELLING_CHARACTERS:
        return None
    found = [
        (number, exchange, answer)
        for exchange in exchanges
        for answer, (number, text) in zip(exchange.answers, exchange.texts, strict=True)
        if number <= entry and evidence in text
    ]
    if not found:
        return None
    _, exchange, answer = max(found, key=lambda each: each[0])
    return exchange, answer


def _evidence(got: str | None) -> Iterable[str]:
    """Give the JSON in what a check got, behind words of our own: all of it, then the first object, of several that came."""
    text = SHORTENED.sub("", got or "")
    value, first = re.search(r"[\[{]", text), text.find("{")
    if value is None:
        return
    yield text[value.start() :]
    if first > value.start():
        try:
            yield dumps(json.JSONDecoder().raw_decode(text, first)[0])
        except (ValueError, RecursionError):  # it was shortened within the object
            return


def _last_sign(exchange: Exchange, entry: int) -> int:
    """Return the number of the last entry of `exchange` up to `entry`."""
    numbers = [number_of(each) for each in (exchange.request, exchange.head, *exchange.answers) if each is not None]
    return max((number for number in numbers if number <= entry), default=-1)
