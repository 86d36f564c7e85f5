"""What the harness itself costs per item: many items of a scenario that does nothing, with and without reports.

    python benchmarks/many_items.py --items 1000

The cost per item is the slope between a tenth of the items and all of them: starting pytest and its plugins, which every
run pays once, is not in it. At most 10 ms are meant to be the harness's own.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MOST_MS = 10.0
# A plugin of the measured run: it puts the scenarios in the place of ours.
SCENARIOS = """
import functools
from pytest_mcp_conformance import collection, registry, session
from pytest_mcp_conformance.model import Leg, Level, Requirement, Revision, Scenario

NOTHING = Requirement(id="nothing", name="Nothing", level=Level.MUST, text="Nothing is decided.", spec=())

async def body(peer, checks):
    checks.succeed(NOTHING)

def scenario(number):
    return Scenario(name=f"nothing-{number:05}", leg=Leg.SERVER, purpose="Nothing.", decides=(NOTHING,), body=body,
                    charged=NOTHING, introduced_in=Revision.V2025_11_25, lists=frozenset({"active"}))

KNOWN = {each.name: each for each in map(scenario, range(NUMBER))}
registry._declared_in = lambda package: KNOWN.values()
"""
WAYS = {
    "bare": (),
    "results": ("--mcp-results-dir=out",),
    "all reports": ("--mcp-results-dir=out", "--mcp-summary=s.md", "--mcp-html=p.html", "--junitxml=j.xml"),
    "two workers": ("-n", "2", "--mcp-results-dir=out"),
}


@dataclass(frozen=True, kw_only=True)
class Cost:
    """Seconds of one run."""

    wall: float
    processor: float


def cost_of(number: int, arguments: Sequence[str]) -> Cost:
    """Run that many items in a process of their own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "nothing_scenarios.py").write_text(SCENARIOS.replace("NUMBER", str(number)))
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "nothing_scenarios",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:asyncio",
        ]
        command += ["-p", "no:anyio", "--mcp-server-reference", "--mcp-suite=all", *arguments]
        started = time.perf_counter()
        environment = {**os.environ, "PYTHONPATH": folder}
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        output = process.stdout.read() if process.stdout else b""
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode or f"{number} passed".encode() not in output:
        sys.exit(output.decode(errors="replace"))
    return Cost(wall=wall, processor=usage.ru_utime + usage.ru_stime)


def main() -> int:
    """Measure each way; end with 1 where an item costs more than it may."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--way", choices=WAYS, action="append", help="default: all of them")
    parsed = parser.parse_args()
    few = parsed.items // 10
    worst = 0.0
    for way in parsed.way or WAYS:
        small, large = cost_of(few, WAYS[way]), cost_of(parsed.items, WAYS[way])
        more = parsed.items - few
        wall, processor = (
            1000 * (getattr(large, part) - getattr(small, part)) / more for part in ("wall", "processor")
        )
        worst = max(worst, processor)
        print(
            f"{way:<12} {parsed.items} items in {large.wall:.2f} s; per item {wall:.2f} ms, {processor:.2f} ms of the processor"
        )
    return int(worst > MOST_MS)


if __name__ == "__main__":
    sys.exit(main())
