"""The page of a run: one HTML file that needs no network, made by the Jinja template in `page_parts/`.

All that a peer sent is data here. The template escapes it, transcripts lie in the page as JSON that the script reads and shows
as text, and the page allows no script and no style but its own two (Content Security Policy, by their hashes).
"""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import jinja2
from markupsafe import Markup

from pytest_mcp_conformance.judgement import Score, Verdict
from pytest_mcp_conformance.model import Check, Ending, Revision, Status
from pytest_mcp_conformance.reporting.judgement_text import listed_text, stale_lines
from pytest_mcp_conformance.reporting.run_record import Result, RunRecord
from pytest_mcp_conformance.reporting.run_words import beyond, headline

PARTS = Path(__file__).parent / "page_parts"


class State(StrEnum):
    """What a reader filters by, the most pressing first."""

    FAILED = "failed"
    STALE = "stale"
    NOT_MEASURED = "not measured"
    WARNED = "warned"
    EXPECTED = "expected"
    NOT_SCORED = "not scored"
    NOT_APPLICABLE = "not applicable"
    PASSED = "passed"


MARKS = {
    State.FAILED: "✗",
    State.STALE: "✗",
    State.NOT_MEASURED: "?",
    State.WARNED: "!",
    State.EXPECTED: "x",
    State.NOT_SCORED: "x",
    State.NOT_APPLICABLE: "-",
    State.PASSED: "✓",
}
CHECK_MARKS = {Status.FAILURE: "✗", Status.WARNING: "!", Status.SUCCESS: "✓", Status.SKIPPED: "-", Status.INFO: "i"}
ORDER = (Status.FAILURE, Status.WARNING, Status.SKIPPED, Status.SUCCESS, Status.INFO)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One scenario at one revision on the page. `number` names it in links."""

    number: int
    scenario: str
    revision: Revision
    state: State
    reason: str | None = None
    result: Result | None = None

    @property
    def mark(self) -> str:
        """One character for the state; the word stands beside it or in its label."""
        return MARKS[self.state]

    @property
    def checks(self) -> list[Check]:
        """The checks, the worst first."""
        found = self.result.outcome.checks if self.result else ()
        return sorted(found, key=lambda check: ORDER.index(check.status))

    @property
    def remarks(self) -> list[str]:
        """What else is to be said: the baseline, the requirement set, a run beside others."""
        if self.result is None:
            return []
        outcome, judgement = self.result.outcome, self.result.judgement
        told = [f"Expected to fail: {listed_text(each)}." for each in judgement.expected]
        told += [f"Flaky, failed this time: {listed_text(each)}." for each in judgement.flaky]
        told += [f"Flaky, passed this time: {listed_text(each)}." for each in judgement.flaky_passed]
        told += stale_lines(judgement)
        if judgement.score not in (None, Score.SCORED):
            told.append(f"The requirement set does not score this scenario: {judgement.score}.")
        if outcome.beside_others is not None:
            told.append(
                f"Run twice: {outcome.beside_others.value} beside other scenarios, {outcome.ending.value} alone."
            )
        if outcome.client is not None and (outcome.client.timed_out or outcome.client.exit_code != 0):
            told.append(f"The client {outcome.client.told}.")
        if outcome.unreached:
            told.append(f"Not reached: {', '.join(outcome.unreached)}.")
        return told


@functools.cache
def template() -> jinja2.Template:
    """Return the template of the page. Loading and compiling it takes longer than filling it."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(PARTS),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalized,
    )
    return environment.get_template("page.html.jinja")


def page(run: RunRecord) -> str:
    """Return the whole page."""
    entries = entries_of(run)
    style, script = ((PARTS / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    states = [(state, sum(each.state is state for each in entries)) for state in State]
    return template().render(
        run=run,
        headline=headline(run),
        beyond=beyond(run),
        rates=run.rates(),
        states=[(state, MARKS[state], number) for state, number in states if number],
        revisions=run.revisions,
        rows=rows_of(entries, run.revisions),
        entries=sorted(entries, key=lambda each: (list(State).index(each.state), each.scenario, each.revision)),
        check_marks=CHECK_MARKS,
        transcripts=[
            (each.number, in_script(each.result.transcript))
            for each in entries
            if each.result is not None and each.result.transcript is not None
        ],
        style=Markup(style),  # noqa: S704 -- a file of ours
        script=Markup(script),  # noqa: S704 -- a file of ours
        policy=policy(style, script),
    )


def entries_of(run: RunRecord) -> list[Entry]:
    """Return what the page shows: the results, and what was not reported."""
    shown = [
        Entry(
            number=number,
            scenario=each.outcome.scenario,
            revision=each.outcome.revision,
            state=state_of(each),
            reason=each.outcome.reason,
            result=each,
        )
        for number, each in enumerate(run.results)
    ]
    missing = [
        Entry(
            number=number,
            scenario=each.scenario,
            revision=each.revision,
            state=State.NOT_MEASURED,
            reason=each.reason,
        )
        for number, each in enumerate(run.unreported, start=len(shown))
    ]
    return shown + missing


def rows_of(entries: Iterable[Entry], revisions: Iterable[Revision]) -> list[tuple[str, list[Entry | None]]]:
    """Return the rows of the matrix: a scenario, and its entry at each revision."""
    found = {(each.scenario, each.revision): each for each in entries}
    columns = list(revisions)
    names = sorted({name for name, _ in found})
    return [(name, [found.get((name, revision)) for revision in columns]) for name in names]


def state_of(result: Result) -> State:
    """Tell under which word a result is found."""
    return {
        Verdict.NONE: State.NOT_MEASURED,
        Verdict.NOT_APPLICABLE: State.NOT_APPLICABLE,
        Verdict.EXPECTED: State.EXPECTED,
        Verdict.FLAKY: State.EXPECTED,
        Verdict.STALE: State.STALE,
        Verdict.NOT_SCORED: State.NOT_SCORED,
        Verdict.FAILED: State.FAILED,
        Verdict.PASSED: State.WARNED if result.outcome.ending is Ending.WARNED else State.PASSED,
    }[result.judgement.verdict]


def in_script(text: str) -> Markup:
    """Return JSON that may stand in a `script` element: it has no character that could end one, and no other meaning."""
    escaped = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return Markup(escaped)  # noqa: S704 -- escaped in the line before


def policy(style: str, script: str) -> str:
    """Return the Content Security Policy that allows the two and nothing else."""
    style_hash, script_hash = (
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)
    )
    return (
        f"default-src 'none'; style-src 'sha256-{style_hash}'; script-src 'sha256-{script_hash}';"
        " base-uri 'none'; form-action 'none'"
    )


def _finalized(value: object) -> object:
    """Show what has no shape as its escape: control characters, marks that turn the direction, lone surrogates."""
    if isinstance(value, str) and not isinstance(value, Markup) and not value.isprintable():
        return "".join(each if each.isprintable() or each in "\n\t" else f"\\u{ord(each):04x}" for each in value)
    return value
