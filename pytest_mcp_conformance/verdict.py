"""From checks to an ending: pure rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_mcp_conformance.model import Check, Ending, Revision, Scenario, Status

ON_ALL_TRAFFIC = frozenset(
    {"wire-schema-valid", "x-response-content-type"}
)  # decided of every run, whatever it is about
CLIENT_EXIT = "x-client-exit"  # decided of every run of a client command


def ending_of(checks: Iterable[Check]) -> Ending:
    """Judge the checks of a run that came to its end.

    Additions decide nothing here: what the published checks do not say fails nobody unasked.
    """
    checks = tuple(checks)
    if inapplicable(checks):
        return Ending.NOT_APPLICABLE
    statuses = {check.status for check in checks if not check.addition}
    if Status.FAILURE in statuses:
        return Ending.FAILED
    return Ending.WARNED if Status.WARNING in statuses else Ending.PASSED


def inapplicable(checks: Sequence[Check]) -> str | None:
    """Return why a scenario does not apply to the implementation: every check of it was skipped or is a remark.

    That all traffic was well formed is no verdict on the scenario; that it was not is one. How a client ended is none: one
    that does not know the scenario may well say so by its exit code.
    """
    own = [
        check
        for check in checks
        if check.id != CLIENT_EXIT and not (check.id in ON_ALL_TRAFFIC and check.status is Status.SUCCESS)
    ]
    if not own or any(check.status not in (Status.SKIPPED, Status.INFO) for check in own):
        return None
    reasons = [check.message for check in own if check.message]
    return reasons[0] if reasons else "nothing of it could be decided"


def unreached(scenario: Scenario, revision: Revision, checks: Sequence[Check]) -> tuple[str, ...]:
    """Return the ids that the scenario declares for `revision` and the run never decided.

    Ids that exist only to report a breakdown are left out: their absence is the good case.
    """
    decided = {check.id for check in checks}
    return tuple(
        requirement.id
        for requirement in scenario.decides
        if not requirement.exceptional and requirement.applies_at(revision) and requirement.id not in decided
    )


def collapsed(checks: Iterable[Check]) -> dict[str, Check]:
    """Return one check per id, the most severe; on a tie the last one. INFO decides nothing and is left out."""
    severity = {Status.FAILURE: 3, Status.WARNING: 2, Status.SUCCESS: 1}
    found: dict[str, Check] = {}
    for check in checks:
        if check.status is Status.INFO:
            continue
        seen = found.get(check.id)
        if seen is None or severity.get(check.status, 0) >= severity.get(seen.status, 0):
            found[check.id] = check
    return found


@dataclass(frozen=True, kw_only=True)
class Counting:
    """What fails a scenario beside a FAILURE of a published check.

    :ivar warnings: a WARNING does: under `--mcp-strict`, and where a baseline judges, which can list it.
    :ivar additions: checks of our own do: under `--mcp-strict`, but never for a requirement set.
    """

    warnings: bool = False
    additions: bool = False


def fails(check: Check, counting: Counting) -> bool:
    """Tell whether a check fails its scenario."""
    if check.addition and not counting.additions:
        return False
    return check.status is Status.FAILURE or (counting.warnings and check.status is Status.WARNING)
