"""`run.json`: a whole run for machines, by `schemas/run.schema.json`.

Two runs of the same scenarios differ in times, in how they were run (`timing`, `options`), and in the names of folders.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from typing import Any

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.judgement import Judgement, Listed
from pytest_mcp_conformance.model import Check, ClientEnd
from pytest_mcp_conformance.outcome_json import check_as_json
from pytest_mcp_conformance.reporting.decisions import Decision
from pytest_mcp_conformance.reporting.run_record import Rate, Result, RunRecord, Target, Unmeasured, counted_by_name

FORMAT = 1  # raised when a reader of the former one would misread the new one
DIGITS = 3  # of seconds


def run_as_json(run: RunRecord) -> JsonObject:
    """Return the content of `run.json`."""
    checks = [check for each in run.results for check in each.outcome.checks]
    return {
        "format": FORMAT,
        "tool": {"name": "pytest-mcp-conformance", **run.versions},
        "timing": {
            "started": run.started.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "seconds": round(run.seconds, DIGITS),
            "workers": run.workers,
        },
        "target": _target(run.target),
        "options": run.options,
        "exit_code": run.exit_code,
        "complete": run.complete,
        "counts": {
            "scenarios": len(run.results),
            "endings": counted_by_name(each.outcome.ending.value for each in run.results),
            "verdicts": counted_by_name(each.judgement.verdict.value for each in run.results),
            "checks": counted_by_name(check.status.value for check in checks if not check.addition),
            "additions": counted_by_name(check.status.value for check in checks if check.addition),
        },
        "revisions": {rate.revision.value: _rate(rate) for rate in run.rates()},
        "scenarios": [_result(each) for each in run.results],
        "not_measured": [_unmeasured(each) for each in run.unmeasured],
        "not_measured_legs": [
            {"leg": each.leg.value, "revision": each.revision.value, "scenarios": each.scenarios}
            for each in run.unmeasured_legs
        ],
    }


def _target(target: Target) -> JsonObject:
    return _without_none({"leg": target.leg.value, "kind": target.kind, "url": target.url, "command": target.command})


def _rate(rate: Rate) -> JsonObject:
    return {
        "measured": rate.measured,
        "passed": rate.passed,
        "warned": rate.warned,
        "failed": rate.failed,
        "excused": rate.excused,
        "not_applicable": rate.not_applicable,
        "not_measured": rate.unmeasured,
        "not_scored": rate.not_scored,
        "in_set": rate.in_set,
        "pass_rate": None if rate.share is None else round(rate.share, 4),
    }


def _result(result: Result) -> JsonObject:
    outcome = result.outcome
    return _without_none(
        {
            "scenario": outcome.scenario,
            "leg": outcome.leg.value,
            "revision": outcome.revision.value,
            "ending": outcome.ending.value,
            "judgement": _judgement(result.judgement),
            "reason": outcome.reason,
            "beside_others": outcome.beside_others.value if outcome.beside_others else None,
            "seconds": round(outcome.seconds, DIGITS),
            "client": _client(outcome.client) if outcome.client else None,
            "folder": result.folder,
            "again": result.again,
            "unreached": list(outcome.unreached),
            "checks": [_check(check) for check in outcome.checks],
            "decisions": [_decision(each) for each in result.decisions],
        }
    )


def _check(check: Check) -> JsonObject:
    """Return a check without its place in the transcript, which what happens at the same time moves."""
    return {name: value for name, value in check_as_json(check).items() if name != "entry"}


def _client(end: ClientEnd) -> JsonObject:
    return _without_none(
        {
            "exit_code": end.exit_code,
            "signal": end.signal,
            "timed_out": end.timed_out,
            "seconds": round(end.seconds, DIGITS),
        }
    )


def _judgement(judgement: Judgement) -> JsonObject:
    return _without_none(
        {
            "verdict": judgement.verdict.value,
            "score": judgement.score.value if judgement.score else None,
            "meets_set": judgement.meets_set,
            "expected": _listed(judgement.expected),
            "flaky": _listed(judgement.flaky),
            "flaky_passed": _listed(judgement.flaky_passed),
            "stale": _listed(judgement.stale),
            "unexpected": list(judgement.unexpected) or None,
        }
    )


def _listed(entries: tuple[Listed, ...]) -> list[JsonValue] | None:
    return [
        _without_none({"name": each.name, "place": each.place, "reason": each.reason, "link": each.link})
        for each in entries
    ] or None


def _decision(decision: Decision) -> JsonObject:
    return _without_none(
        {
            "checks": list(decision.checks),
            "request": decision.request,
            "response": decision.response,
            "curl": decision.curl,
        }
    )


def _unmeasured(each: Unmeasured) -> JsonObject:
    return {"scenario": each.scenario, "revision": each.revision.value, "reason": each.reason}


def _without_none(members: Mapping[str, Any]) -> JsonObject:
    return {name: value for name, value in members.items() if value is not None}
