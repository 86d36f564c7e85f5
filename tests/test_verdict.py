"""From checks to an ending, by a table."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.model import Check, Ending, Level, Status
from pytest_mcp_conformance.verdict import ending_of, inapplicable


def check(status: Status, id_: str = "a", *, addition: bool = False, message: str | None = None) -> Check:
    return Check(
        id=id_, name="A", description="It holds.", status=status, level=Level.MUST, timestamp="", spec=(),
        addition=addition, message=message,
    )  # fmt: skip


WELL_FORMED = check(Status.SUCCESS, "wire-schema-valid")
MALFORMED = check(Status.FAILURE, "wire-schema-valid")


@pytest.mark.parametrize(
    ("checks", "ending"),
    [
        ([], Ending.PASSED),
        ([check(Status.SUCCESS)], Ending.PASSED),
        ([check(Status.SUCCESS), check(Status.SKIPPED), check(Status.INFO)], Ending.PASSED),
        ([check(Status.SUCCESS), check(Status.WARNING)], Ending.WARNED),
        ([check(Status.WARNING), check(Status.FAILURE)], Ending.FAILED),
        ([check(Status.SUCCESS), check(Status.FAILURE, addition=True)], Ending.PASSED),
        ([check(Status.SKIPPED), check(Status.SUCCESS, addition=True)], Ending.PASSED),
        ([check(Status.SKIPPED)], Ending.NOT_APPLICABLE),
        ([check(Status.INFO), WELL_FORMED], Ending.NOT_APPLICABLE),
        ([check(Status.SKIPPED), check(Status.SUCCESS, "x-client-exit", addition=True)], Ending.NOT_APPLICABLE),
        ([check(Status.SKIPPED), check(Status.FAILURE, "x-client-exit", addition=True)], Ending.NOT_APPLICABLE),
        ([check(Status.SKIPPED), MALFORMED], Ending.FAILED),
        ([WELL_FORMED], Ending.PASSED),
    ],
    ids=str,
)
def test_ending(checks: list[Check], ending: Ending) -> None:
    assert ending_of(checks) is ending


def test_the_reason_is_the_first_one_given() -> None:
    checks = [check(Status.INFO), check(Status.SKIPPED, message="no sessions"), WELL_FORMED]
    assert inapplicable(checks) == "no sessions"
