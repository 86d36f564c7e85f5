"""Which part of a run its reports take: files of each scenario, run.json, summary and page, against the reference server.

    python benchmarks/reports.py --rounds 3

At most 5 % of the run are meant to be theirs. Rounds with a fault have failures to find the exchanges of.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

MOST_SHARE = 0.05
# A plugin of the measured run: it adds up what passes in the methods that make the reports.
TIMED = """
import atexit, json, time
STARTED = time.perf_counter()
spent = {}

def timed(owner, name):
    method = getattr(owner, name)

    def measured(*arguments, **named):
        before = time.thread_time()
        try:
            return method(*arguments, **named)
        finally:
            spent[name] = spent.get(name, 0.0) + time.thread_time() - before

    setattr(owner, name, measured)

def pytest_configure(config):
    from pytest_mcp_conformance.reporting import terminal
    from pytest_mcp_conformance.reporting.run_files import RunFiles
    timed(terminal, "write_results")
    timed(RunFiles, "take")
    timed(RunFiles, "_write_all")

def pytest_unconfigure(config):
    told = {"run": time.perf_counter() - STARTED, "reports": sum(spent.values()), "parts": spent}
    with open("spent.json", "w") as file:
        json.dump(told, file)
"""


def share(fault: str | None) -> tuple[float, float]:
    """Return the seconds of one run, and of its reports."""
    fault_words = f" --fault {fault}" if fault else ""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "timed.py").write_text(TIMED)
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "timed",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:asyncio",
            "-p",
            "no:anyio",
        ]
        command += [
            f"--mcp-server-cmd=exec {sys.executable} -m pytest_mcp_conformance.reference --port {{port}}{fault_words}"
        ]
        command += ["--mcp-results-dir=out", "--mcp-summary=summary.md", "--mcp-html=page.html"]
        subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": folder},
            stdout=subprocess.DEVNULL,
            check=fault is None,
        )
        told = json.loads(Path(folder, "spent.json").read_text())
    return told["run"], told["reports"]


def main() -> int:
    """Measure; end with 1 where the reports take more than they may."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parsed = parser.parse_args()
    worst = 0.0
    for fault in (None, "malformed-notification"):
        runs = [share(fault) for _ in range(parsed.rounds)]
        run, reports = min(runs, key=lambda each: each[1] / each[0])  # a busy machine only adds
        worst = max(worst, reports / run)
        print(f"{fault or 'no fault':<24} run {run:.2f} s, reports {reports:.3f} s, {100 * reports / run:.1f} %")
    return int(worst > MOST_SHARE)


if __name__ == "__main__":
    sys.exit(main())
