"""Records every scenario name and check id in `recorded_names.txt`, so that a rename is seen in review.

Run it as `python -m tests.record_names`.
"""

from __future__ import annotations

from pathlib import Path

from pytest_mcp_conformance.listing import window
from pytest_mcp_conformance.model import Leg
from pytest_mcp_conformance.registry import scenarios

RECORD = Path(__file__).parent / "recorded_names.txt"


def names() -> str:
    """Return one line a scenario and one a check below it."""
    lines = []
    for leg in Leg:
        for scenario in scenarios(leg).values():
            pending = " pending" if scenario.pending else ""
            lines.append(f"{leg.value} {scenario.name} [{', '.join(window(scenario))}]{pending}")
            lines += [f"    {each.id} {each.name} {each.level.value}" for each in scenario.decides]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    RECORD.write_text(names())
