"""The text of one outcome for its reader: what failed, expected and got, where it is written, how to run it again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pytest_mcp_conformance.judgement import Judgement
from pytest_mcp_conformance.model import Check, Ending, Leg, Outcome, Status
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.reporting.decisions import decision_lines, decisions_of, received, sent
from pytest_mcp_conformance.reporting.exchanges import exchanges_of, last_refusal
from pytest_mcp_conformance.reporting.judgement_text import excused_checks, listed_lines, stale_lines
from pytest_mcp_conformance.targets.output import readable, tail
from pytest_mcp_conformance.verdict import Counting, collapsed, fails

MOST_OF_ONE_ID = 20  # different things that are told of it; no scenario has as many to ask
LINES_SHOWN = 15  # of what a client wrote: the end of a traceback
MARKS = {Status.FAILURE: "✗", Status.WARNING: "!", Status.SUCCESS: "✓", Status.SKIPPED: "-", Status.INFO: "i"}


def failure_text(
    outcome: Outcome, judgement: Judgement, *, again: str, counting: Counting, secret_headers: Iterable[str] = ()
) -> str:
    """Return the message of a failed scenario, or of one that the baseline lists and that does not fail any more.

    :param again: the command line that runs it again.
    :param counting: which checks fail the scenario.
    :param secret_headers: names of headers that every request carries; their values are shown nowhere.
    """
    counted = [check for check in outcome.checks if check.status is not Status.INFO]
    bad = _bad(counted, judgement, counting)
    lines = [f"{len(bad)} of {len(counted)} checks failed"] if bad else []
    lines += check_lines_of(bad)
    lines += decision_lines(decisions_of(outcome, [group[0] for group in alike(bad)], secret_headers=secret_headers))
    lines += stale_lines(judgement)
    lines += listed_lines(judgement)
    others = [check for check in counted if check.status is Status.WARNING and not fails(check, counting)]
    if others:
        lines += ["warnings, which fail only under --mcp-strict:"]
        lines += check_lines_of(others)
    if bad:
        lines += needs_lines(outcome)
        lines += client_lines(outcome)
    if outcome.unreached:
        lines.append(f"  not reached: {', '.join(outcome.unreached)}")
    if outcome.beside_others:
        lines.append(f"  run twice: {outcome.beside_others.value} beside other scenarios, {outcome.ending.value} alone")
    lines.append(f"again: {again}")
    return "\n".join(lines)


def headline(outcome: Outcome, judgement: Judgement, *, counting: Counting) -> str:
    """Return one line for a list of failures: which checks failed, or what else there is to say."""
    told = (outcome.reason or "").strip().splitlines() or [""]
    if outcome.ending is Ending.COULD_NOT_RUN:
        return f"could not run: {told[0]}"
    if outcome.ending is Ending.HARNESS_ERROR:
        return f"harness error: {told[-1]}"  # of a traceback
    bad = dict.fromkeys(check.id for check in _bad(outcome.checks, judgement, counting))
    return ", ".join(bad) or " ".join(stale_lines(judgement)) or "; ".join(listed_lines(judgement))


def _bad(checks: Iterable[Check], judgement: Judgement, counting: Counting) -> list[Check]:
    """Return the checks that fail the scenario and that no entry of the baseline excuses."""
    excused = excused_checks(judgement)
    return [check for check in checks if fails(check, counting) and check.id not in excused]


def needs_lines(outcome: Outcome) -> Iterable[str]:
    """Give the line that names what the scenario needs the server to have, for who wonders whether it is there."""
    scenario = scenarios(outcome.leg).get(outcome.scenario)
    if scenario is None:
        return
    if scenario.task:
        yield f"  the client's task: {scenario.task}"
    needs = scenario.needs
    named = [f"tool {tool.name}" for tool in needs.tools]
    named += [f"resource {resource.uri}" for resource in needs.resources]
    named += [f"prompt {prompt.name}" for prompt in needs.prompts]
    if named:
        yield f"  the server needs for this: {', '.join(named)}"


def client_lines(outcome: Outcome) -> Iterable[str]:
    """Give where the client under test was stopped: the refusal that it last got, how it ended and what it wrote last.

    How it ended is told where that was seen, and it did not end well, or no request came.
    """
    if outcome.leg is not Leg.CLIENT:
        return
    end = outcome.client
    if (refusal := last_refusal(exchanges_of(outcome.transcript))) is not None:
        yield "  the last message of the client was refused:"
        yield f"    > {sent(refusal)}"
        yield f"    < {received(refusal, refusal.answers[-1] if refusal.answers else None)}"
    if end is not None and ended_oddly(outcome):
        yield f"  the client {end.told}{'; --mcp-timeout gives it more time' if end.timed_out else ''}"
        yield from output_lines(outcome)


def ended_oddly(outcome: Outcome) -> bool:
    """Tell whether the end of the client under test is worth reading: it did not end well, or no request came."""
    end = outcome.client
    return end is not None and (end.timed_out or end.exit_code != 0 or not outcome.transcript)


def output_lines(outcome: Outcome) -> Iterable[str]:
    """Give the end of what the client under test wrote, what it wrote about errors first."""
    if outcome.client is None:
        return
    for name, output in (("stderr", outcome.client.stderr), ("stdout", outcome.client.stdout)):
        text = readable(output)
        if text:
            yield f"  its {name}:"
            yield from (f"    {line}" for line in tail(text, lines=LINES_SHOWN).split("\n"))
            return


def could_not_run_text(outcome: Outcome, *, again: str) -> str:
    """Return the message of a scenario that could not run: nothing is said about conformance."""
    told = [f"could not run: {outcome.reason}", *output_lines(outcome)]
    return "\n".join([*told, "Nothing is said about conformance.", f"again: {again}"])


def harness_error_text(outcome: Outcome) -> str:
    """Return the message of a fault of our own, with its traceback."""
    return f"harness error: a fault of pytest-mcp-conformance, not of the implementation under test\n{outcome.reason}"


def alike(checks: Iterable[Check]) -> list[list[Check]]:
    """Return the checks in groups that read the same, in the order of their first ones."""
    groups: dict[tuple[str, Status, str | None, str], list[Check]] = {}
    for check in checks:
        told = "" if check.message else check.description
        groups.setdefault((check.id, check.status, check.message, told), []).append(check)
    return list(groups.values())


def check_lines_of(checks: Iterable[Check]) -> Iterable[str]:
    """Give the lines that tell checks which are no successes: what reads the same once, of each id the first few."""
    shown, left_out = _first_of_each(alike(checks))
    for group in shown:
        yield from check_lines(group[0], times=len(group))
    for name, number in left_out.items():
        yield f"  {name}: {number} more; checks.json has them (--mcp-results-dir)"


def check_lines(check: Check, *, times: int = 1) -> Iterable[str]:
    """Give the lines that tell one check that is not a success.

    :param times: how often it was decided so.
    """
    places = ", ".join(reference.id for reference in check.spec)
    tag = f"[{check.level.value}{f', {places}' if places else ''}{', addition' if check.addition else ''}]"
    yield f"  {check.id}: {check.message or check.description}   {tag}{_often(times)}"
    if check.spec:
        yield f"      {check.spec[0].url}"


def status_lines(outcome: Outcome) -> Iterable[str]:
    """Give one line a check, for verbose output: what reads the same once, of each id the first few."""
    shown, left_out = _first_of_each(alike(outcome.checks))
    for group in shown:
        check = group[0]
        reason = f"  {check.message}" if check.message else ""
        yield f"    {MARKS[check.status]} {check.status.value:<7} {check.id}{reason}{_often(len(group))}"
    for name, number in left_out.items():
        yield f"    ... {number} more of {name}; checks.json has them"
    for name in outcome.unreached:
        yield f"    ? not reached {name}"


def _first_of_each(groups: Iterable[list[Check]]) -> tuple[list[list[Check]], dict[str, int]]:
    """Return the groups that are shown, and how many checks of which id are not."""
    shown: list[list[Check]] = []
    seen: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    for group in groups:
        name = group[0].id
        seen[name] += 1
        if seen[name] <= MOST_OF_ONE_ID:
            shown.append(group)
        else:
            left_out[name] += len(group)
    return shown, dict(left_out)


def _often(times: int) -> str:
    return f" {times} times" if times > 1 else ""


def compact_checks(checks: Iterable[Check]) -> str:
    """Return the ids with their statuses in one line, the worst of each id: `ping: SUCCESS; wire-schema-valid: FAILURE`."""
    return "; ".join(f"{name}: {check.status.value}" for name, check in collapsed(checks).items())


def warnings_of(outcome: Outcome) -> list[Check]:
    """Return the checks of a good outcome that are worth reading: warnings and failed additions."""
    if outcome.ending not in (Ending.PASSED, Ending.WARNED):
        return []
    found = collapsed(outcome.checks).values()
    return [check for check in found if check.status in (Status.WARNING, Status.FAILURE)]
