"""What a run costs, and how runs of ours and of the published suite are compared: in alternation, medians beside medians.

The published suite is fetched from npm by `../shared/tools/parity.py`, which a checkout of the project alone does not have.
"""

from __future__ import annotations

import importlib.util
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[1] / "shared"
PUBLISHED_VERSION = "0.2.0-alpha.12"
PARTS = ("wall", "processor", "peak")
OWN = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:asyncio", "-p", "no:anyio"]


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What one run took: seconds of wall and processor time, and the peak memory of its largest process in MiB."""

    wall: float
    processor: float
    peak: float


def published(version: str = PUBLISHED_VERSION) -> list[str]:
    """Return the command of the published suite, installing it first."""
    spec = importlib.util.spec_from_file_location("parity", SHARED / "tools" / "parity.py")
    if spec is None or spec.loader is None:
        sys.exit(f"{SHARED} is not there: the published suite cannot be had.")
    parity = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(parity)
    command: list[str] = parity.install_peer(Path.home() / ".cache" / "mcp-conformance-peer", version)
    return command


def cost_of(command: Sequence[str], folder: str) -> Cost:
    """Run `command` and return what it took."""
    # As a user has it: Python keeps the bytecode of what it imported in an earlier run.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, _, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = 0
    return Cost(wall=wall, processor=usage.ru_utime + usage.ru_stime, peak=usage.ru_maxrss / 1024)


def median(costs: Sequence[Cost], part: str) -> float:
    """Return the median of one part of the costs."""
    return statistics.median(float(getattr(cost, part)) for cost in costs)


def told(name: str, costs: Sequence[Cost]) -> str:
    """Return the line of one suite: medians."""
    wall, processor, peak = (median(costs, part) for part in PARTS)
    walls = " ".join(f"{cost.wall:.2f}" for cost in costs)
    return f"{name:<10} wall {wall:.2f} s ({walls}), processor {processor:.2f} s, peak {peak:.0f} MiB"


def compare(theirs: Sequence[str], ours: Sequence[str], folder: str, *, rounds: int) -> None:
    """Run both commands in alternation, so that a busy machine is busy for both, and print what they took."""
    their_costs: list[Cost] = []
    our_costs: list[Cost] = []
    for _ in range(rounds):
        their_costs.append(cost_of(theirs, folder))
        our_costs.append(cost_of(ours, folder))
    print(told("published", their_costs))
    print(told("ours", our_costs))
    ratios = {part: median(our_costs, part) / median(their_costs, part) for part in PARTS}
    print("ratio      " + ", ".join(f"{part} {ratio:.2f}" for part, ratio in ratios.items()))
