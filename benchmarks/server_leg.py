"""Wall time and peak memory of the server leg, ours beside the published suite's, on the same server in one run.

    python benchmarks/server_leg.py --suite active --revision 2025-11-25 --server mcp --rounds 5

The published suite is fetched from npm by `../shared/tools/parity.py`, which a checkout of the project alone does not have.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pytest_mcp_conformance.targets.command import CommandTarget

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[1] / "shared"
SERVERS = {
    "mcp": f"exec {sys.executable} {HERE.parent}/tests/implementations/mcp_server/server.py --port {{port}}",
    "reference": f"exec {sys.executable} -m pytest_mcp_conformance.reference --port {{port}}",
}
PARTS = ("wall", "processor", "peak")


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What one run took: seconds of wall and processor time, and the peak memory of its largest process in MiB."""

    wall: float
    processor: float
    peak: float


def published(version: str) -> list[str]:
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


@contextmanager
def serving(name: str) -> Iterator[str]:
    """Run one of the servers and give its URL."""
    target = CommandTarget(SERVERS[name])
    try:
        yield target.start()
    finally:
        target.stop()


def median(costs: Sequence[Cost], part: str) -> float:
    """Return the median of one part of the costs."""
    return statistics.median(float(getattr(cost, part)) for cost in costs)


def told(name: str, costs: Sequence[Cost]) -> str:
    """Return the line of one suite: medians."""
    wall, processor, peak = (median(costs, part) for part in PARTS)
    walls = " ".join(f"{cost.wall:.2f}" for cost in costs)
    return f"{name:<10} wall {wall:.2f} s ({walls}), processor {processor:.2f} s, peak {peak:.0f} MiB"


def main() -> None:
    """Measure in alternation, so that a busy machine is busy for both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="active")
    parser.add_argument("--revision", help="none: the one that each scenario implies")
    parser.add_argument("--server", choices=SERVERS, default="mcp")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--published-version", default="0.2.0-alpha.12")
    parsed = parser.parse_args()
    theirs: list[Cost] = []
    ours: list[Cost] = []
    with serving(parsed.server) as url, tempfile.TemporaryDirectory() as folder:
        peer = [*published(parsed.published_version), "server", "--url", url]
        peer += ["--suite", parsed.suite, "-o", f"{folder}/theirs"]
        own = [sys.executable, "-m", "pytest", "-q", f"--mcp-server-url={url}", f"--mcp-suite={parsed.suite}"]
        own += ["-p", "no:cacheprovider", "-p", "no:asyncio", "-p", "no:anyio", f"--mcp-results-dir={folder}/ours"]
        if parsed.revision:
            peer += ["--spec-version", parsed.revision]
            own += [f"--mcp-spec-version={parsed.revision}"]
        for _ in range(parsed.rounds):
            theirs.append(cost_of(peer, folder))
            ours.append(cost_of(own, folder))
    print(told("published", theirs))
    print(told("ours", ours))
    ratios = {part: median(ours, part) / median(theirs, part) for part in PARTS}
    print("ratio      " + ", ".join(f"{part} {ratio:.2f}" for part, ratio in ratios.items()))


if __name__ == "__main__":
    main()
