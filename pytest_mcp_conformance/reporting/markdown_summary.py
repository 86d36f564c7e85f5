"""The summary of a run in Markdown, for a pull request or the page of a job."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pytest_mcp_conformance.judgement import Listed, Score, Verdict
from pytest_mcp_conformance.model import Check, Status
from pytest_mcp_conformance.reporting.judgement_text import excused_checks
from pytest_mcp_conformance.reporting.markdown_text import block, code, link, plain, table
from pytest_mcp_conformance.reporting.run_record import Result, RunRecord
from pytest_mcp_conformance.reporting.run_words import beyond, headline
from pytest_mcp_conformance.verdict import collapsed

MOST_CHARACTERS = 60_000  # a comment on a pull request has at most 65,536
REPEATED = 10  # failing scenarios whose exchanges are shown

CHECK_TABLE = ("scenario", "check", "expected", "got", "specification")


@dataclass(frozen=True, kw_only=True)
class Section:
    """A heading, a table, and what is said about it. Where there is no row, nothing is written."""

    title: str
    header: tuple[str, ...]
    rows: list[tuple[str, ...]]
    about: str | None = None


def markdown_summary(run: RunRecord) -> str:
    """Return the summary. What is too long for a comment is left out from the end, and counted."""
    lines = [f"## MCP conformance: {', '.join(headline(run))}", "", about(run), "", *rate_table(run)]
    lines += [line for sentence in beyond(run) for line in ("", sentence)]
    room = MOST_CHARACTERS - _length(lines)
    for section in sections(run):
        if not section.rows:
            continue
        written, room = section_lines(section, room)
        lines += written
    for text in repeats(run):
        if _length(["", text]) <= room:
            lines += ["", text]
            room -= _length(["", text])
    return "\n".join(lines) + "\n"


def about(run: RunRecord) -> str:
    """Return what was tested with what."""
    versions = f"pytest-mcp-conformance {run.versions['version']}, Python {run.versions['python']}"
    target = run.target.description
    target = plain(target[0].upper() + target[1:], limit=300)
    return f"{target}. {plain(versions)}; exit code {run.exit_code}; {run.seconds:.1f} s."


def rate_table(run: RunRecord) -> list[str]:
    """Return the pass rates by revision."""
    header = (
        "revision",
        "pass rate",
        "passed",
        "of them warned",
        "failed",
        "of them expected",
        "not applicable",
        "not measured",
    )
    rows = [
        (
            rate.revision.value,
            f"**{rate.percent}**",
            *map(
                str,
                (rate.passed, rate.warned, rate.failed, rate.excused, rate.not_applicable, rate.unmeasured),
            ),
            *([str(rate.not_scored)] if has_sets(run) else []),
        )
        for rate in run.rates()
    ]
    return table((*header, *(["not scored"] if has_sets(run) else [])), rows)


def has_sets(run: RunRecord) -> bool:
    """Tell whether a requirement set scores the run."""
    return any(each.judgement.score is not None for each in run.results)


def sections(run: RunRecord) -> Iterable[Section]:
    """Give the sections, the most pressing first."""
    scored = [each for each in run.results if each.scored]
    bad = [(each, check) for each in scored for check in red_checks(each)]
    yield Section(
        title="Failures",
        header=CHECK_TABLE,
        rows=[check_row(*each) for each in bad if not each[1].addition and fails_run(*each, strict=run.strict)],
    )
    yield Section(
        title="Stale entries of the baseline",
        header=("scenario", "entry", "place"),
        about="What these lines expect to fail does not fail any more. Remove them.",
        rows=[
            (plain(result.id), code(each.name), plain(each.place))
            for result in run.results
            for each in result.judgement.stale
        ],
    )
    yield Section(
        title="Not measured",
        header=("scenario", "reason"),
        about="Nothing is said about conformance here.",
        rows=[
            (plain(f"{each.scenario}@{each.revision.value}"), code(each.reason, limit=300)) for each in run.unmeasured
        ],
    )
    yield Section(
        title="Warnings",
        header=CHECK_TABLE,
        rows=[
            check_row(*each)
            for each in bad
            if each[1].status is Status.WARNING
            and not each[1].addition
            and not fails_run(*each, strict=run.strict)
            and not is_excused(*each)
        ],
    )
    yield Section(
        title="Additions",
        header=CHECK_TABLE,
        about="Failed checks that the published suite does not have. They count only under `--mcp-strict`.",
        rows=[check_row(*each) for each in bad if each[1].addition],
    )
    yield Section(
        title="Expected failures",
        header=("scenario", "entry", "kind", "reason"),
        rows=[
            (plain(result.id), *listed_row(each, kind))
            for result in run.results
            for kind, entries in (
                ("expected", result.judgement.expected),
                ("flaky, failed", result.judgement.flaky),
                ("flaky, passed", result.judgement.flaky_passed),
            )
            for each in entries
        ],
    )
    yield Section(
        title="Not scored",
        header=("scenario", "why", "ending"),
        about="What the requirement set does not count.",
        rows=[
            (plain(each.id), score.value, each.outcome.ending.value)
            for each in run.results
            if (score := each.judgement.score) not in (None, Score.SCORED) and score is not None
        ],
    )
    yield Section(
        title="Run twice",
        header=("scenario", "beside others", "alone"),
        about="What does not end well beside other scenarios is run again alone, and that counts.",
        rows=[
            (plain(each.id), each.outcome.beside_others.value, each.outcome.ending.value)
            for each in run.results
            if each.outcome.beside_others is not None
        ],
    )


def section_lines(section: Section, room: int) -> tuple[list[str], int]:
    """Return the lines of a section with the rows that there is room for, and the room that is left.

    That a section is there, and how many rows it has, is said even where no row fits.
    """
    lines = ["", f"### {section.title} ({len(section.rows)})", ""]
    lines += [section.about, ""] if section.about else []
    heading = table(section.header, [])
    room -= _length(lines) + _length(heading) + _length(["", _left_out(len(section.rows))])
    written = table(section.header, section.rows)[len(heading) :]
    fitting = 0
    for line in written:
        room -= _length([line])
        if room < 0:
            break
        fitting += 1
    lines += [*heading, *written[:fitting]] if fitting else []
    if fitting < len(written):
        lines += ["", _left_out(len(written) - fitting)]
    return lines, max(room, 0)


def _left_out(number: int) -> str:
    return f"{number} more are left out: there is no room for them in a comment."


def _length(lines: Iterable[str]) -> int:
    """Return the characters of lines with their ends."""
    return sum(len(line) + 1 for line in lines)


def repeats(run: RunRecord) -> Iterable[str]:
    """Give the exchanges that decided the first failures, folded, with the lines that repeat them."""
    failing = [each for each in run.results if each.judgement.verdict is Verdict.FAILED]
    for result in failing[:REPEATED]:
        lines = [f"# {told}" for told in client_facts(result)]
        for decision in result.decisions:
            lines.append(f"# {', '.join(decision.checks)}")
            lines += [decision.curl or f"> {decision.request}", f"< {decision.response}", ""]
        lines.append(result.again)
        title = f"{plain(result.id)}: what decided, and how to see it again"
        yield f"<details><summary>{title}</summary>\n\n{block(lines)}\n\n</details>"


def client_facts(result: Result) -> Iterable[str]:
    """Give what a client was to do and how it ended, where one was under test."""
    if result.task:
        yield f"the client's task: {result.task}"
    if result.outcome.client is not None:
        yield f"the client {result.outcome.client.told}"


def red_checks(result: Result) -> list[Check]:
    """Return the checks that failed or warned, the worst of each id."""
    return [
        check for check in collapsed(result.outcome.checks).values() if check.status in (Status.FAILURE, Status.WARNING)
    ]


def fails_run(result: Result, check: Check, *, strict: bool) -> bool:
    """Tell whether a published check is one of those that fail the run: a WARNING is one where a baseline judges, too."""
    if is_excused(result, check):
        return False
    return check.status is Status.FAILURE or strict or result.judgement.baseline


def is_excused(result: Result, check: Check) -> bool:
    """Tell whether the baseline lists the check, or its whole scenario."""
    judgement = result.judgement
    whole = any(":" not in each.name for each in (*judgement.expected, *judgement.flaky))
    return whole or check.id in excused_checks(judgement)


def check_row(result: Result, check: Check) -> tuple[str, ...]:
    """Return the row of one check."""
    place = link(check.spec[0].id, check.spec[0].url) if check.spec else ""
    if check.expected is None:  # there is but a message: a precondition was missing
        return plain(result.id), code(check.id), plain(check.message or check.description), "", place
    return plain(result.id), code(check.id), plain(check.expected), code(check.got or ""), place


def listed_row(listed: Listed, kind: str) -> tuple[str, ...]:
    """Return the row of one entry of the baseline."""
    reason = plain(listed.reason) if listed.reason else ""
    where = link(listed.link, listed.link) if listed.link else ""
    return f"{code(listed.name)} {plain(listed.place)}", kind, " ".join(filter(None, [reason, where]))
