"""The exchanges that decided checks, for a reader: what was sent and what came.

Where one request is enough, what was sent is shown as the line that sends it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_mcp_conformance.json_values import JsonObject, as_object, shown
from pytest_mcp_conformance.model import Check, Leg, Outcome, Status
from pytest_mcp_conformance.reporting.curl import curl_line
from pytest_mcp_conformance.reporting.exchanges import Exchange, asking, content_of, deciding, exchanges_of

MOST_SHOWN = 3  # in a terminal, of one scenario; the rest is in its transcript
BAD = frozenset({Status.FAILURE, Status.WARNING})


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One exchange and the checks that it decided. The texts are one line each.

    :ivar number: of the request in the transcript.
    :ivar curl: the line that sends the request again; none where that would not show the same.
    """

    checks: tuple[str, ...]
    number: int
    request: str
    response: str
    curl: str | None


def decisions_of(
    outcome: Outcome, checks: Sequence[Check] | None = None, *, secret_headers: Iterable[str] = ()
) -> tuple[Decision, ...]:
    """Return each exchange that decided one of `checks`, once, in the order of the checks.

    :param checks: those that are asked about; all that failed or warned if none are given.
    :param secret_headers: names of headers that every request carries; their values are shown nowhere.
    """
    asked = [check for check in outcome.checks if check.status in BAD] if checks is None else checks
    if not asked:
        return ()
    exchanges = exchanges_of(outcome.transcript)
    found: dict[int, tuple[Exchange, JsonObject | None]] = {}
    decided: dict[int, dict[str, None]] = {}
    for check in asked:
        find = asking if outcome.leg is Leg.CLIENT else deciding
        if (decision := find(check, exchanges)) is not None:
            number = decision[0].number
            found.setdefault(number, decision)
            decided.setdefault(number, {})[check.id] = None
    return tuple(
        Decision(
            checks=tuple(decided[number]),
            number=number,
            request=sent(exchange),
            response=received(exchange, answer),
            # A request of a client was for a server that is no more.
            curl=None
            if outcome.leg is Leg.CLIENT
            else curl_line(exchange, outcome.revision, secret_headers=secret_headers),
        )
        for number, (exchange, answer) in found.items()
    )


def decision_lines(decisions: Sequence[Decision]) -> Iterable[str]:
    """Give the lines that show decisions in a terminal: the first few."""
    for decision in decisions[:MOST_SHOWN]:
        yield f"decided {', '.join(decision.checks)}:"
        yield f"  > {decision.curl or decision.request}"
        yield f"  < {decision.response}"
    if len(decisions) > MOST_SHOWN:
        yield f"{len(decisions) - MOST_SHOWN} more exchanges decided; the transcript has them (--mcp-results-dir)"


def sent(exchange: Exchange) -> str:
    """Return the request as one line."""
    request = exchange.request
    url = str(request.get("url"))
    line = f"{request.get('method')} {url if url.isprintable() else shown(url)}"
    return line if request.get("body") is None else f"{line} {shown(request['body'])}"


def received(exchange: Exchange, answer: JsonObject | None) -> str:
    """Return what came as one line: the head, and the body or the event that decided."""
    if exchange.head is None:
        return "no answer"
    line = f"HTTP {exchange.head.get('status')}"
    kind = as_object(exchange.head.get("headers")).get("content-type")
    if isinstance(kind, str):
        line += f" {kind if kind.isprintable() else shown(kind)}"
    if answer is None:
        return line if exchange.answers else f"{line}, no body"
    if answer.get("kind") == "event":
        events = [each for each in exchange.answers if each.get("kind") == "event"]
        line += f", event {events.index(answer) + 1} of {len(events)}:"
    return f"{line} {shown(content_of(answer))}"
