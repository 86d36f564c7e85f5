"""How a whole run went, in words."""

from __future__ import annotations

from pytest_mcp_conformance.judgement import Verdict
from pytest_mcp_conformance.reporting.run_record import MEASURED, RunRecord


def headline(run: RunRecord) -> list[str]:
    """Return how the run went: the most important first, each in a few words."""
    measured = [each for each in run.results if each.scored and each.outcome.ending in MEASURED]
    verdicts = [each.judgement.verdict for each in measured]
    failed = verdicts.count(Verdict.FAILED)
    excused = verdicts.count(Verdict.EXPECTED) + verdicts.count(Verdict.FLAKY)
    stale = verdicts.count(Verdict.STALE)
    parts = []
    if failed:
        parts.append(f"{failed} of {counted(len(measured))} failed")
    if stale:
        parts.append(f"{stale} of {counted(len(measured))} with a stale entry in the baseline")
    if not measured:
        parts.append("nothing was measured")
    elif not failed and not stale:
        parts.append(f"{len(measured) - excused} of {counted(len(measured))} passed")
    if excused:
        parts.append(f"{excused} failed as expected")
    if measured and (missing := len(run.unmeasured)):
        parts.append(f"{missing} not measured")
    return parts


def beyond(run: RunRecord) -> list[str]:
    """Return what the requirement sets of the run score beside what ran here, in sentences."""
    told = [
        f"The requirement set {rate.revision.value} scores {left} more that were not measured in this run."
        for rate in run.rates()
        if rate.in_set is not None and (left := rate.in_set - rate.measured) > 0
    ]
    for leg in run.unmeasured_legs:
        also = f"{counted(leg.scenarios)} of the {leg.leg.value} leg"
        told.append(f"The requirement set {leg.revision.value} also scores {also}, which this run is not about.")
    return told


def counted(number: int) -> str:
    """Return `1 scenario`, `2 scenarios`."""
    return f"{number} scenario{'' if number == 1 else 's'}"
