"""Wall time of the client leg: ours beside the published suite's on the same client in one run, and beside the floor.

    python benchmarks/client_leg.py --client mcp --suite all --rounds 3
    python benchmarks/client_leg.py --own

The floor is the processor time of the same clients, run one by one, divided by the cores: what any suite has to wait for. Where
two cores share what is behind them, clients that run side by side take more of it each: that is measured beside it.
`--own` measures what is the harness's alone: with a client that does nothing, the processor time of a scenario beyond the
start of pytest.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from measuring import HERE, OWN, PUBLISHED_VERSION, compare, cost_of, published

from pytest_mcp_conformance.session import cores

CLIENTS = {
    "mcp": f"{sys.executable} {HERE.parent}/tests/implementations/mcp_client/client.py",
    "reference": f"{sys.executable} -m pytest_mcp_conformance.reference.client",
}
MINUTES = re.compile(r"(\d+)m([\d.]+)s")
TIMED = """sh -c '"$@"; code=$?; times >>{file}; exit $code' sh {command}"""


def floor(client: str, more: list[str], folder: str, *, at_once: int) -> float:
    """Return the seconds that the clients of a run take on all cores, by their processor time when so many run at once."""
    file = Path(folder, f"times-{at_once}")
    command = TIMED.format(file=file, command=CLIENTS[client])
    cost_of([*OWN, f"--mcp-client-cmd={command}", f"--mcp-concurrency={at_once}", *more], folder)
    # Every second line is of the children of a shell: POSIX, times.
    lines = file.read_text().splitlines()[1::2]
    seconds = sum(int(minutes) * 60 + float(rest) for line in lines for minutes, rest in MINUTES.findall(line))
    print(f"clients    {len(lines)} runs of them took {seconds:.2f} s of processor time, {at_once} at once")
    return seconds / cores()


def own(rounds: int, more: list[str], folder: str) -> None:
    """Print what a scenario costs where the client does nothing."""
    Path(folder, "test_nothing.py").write_text("def test_nothing(): pass\n")
    alone = statistics.median(cost_of([*OWN, "test_nothing.py"], folder).processor for _ in range(rounds))
    costs = [cost_of([*OWN, "--mcp-client-cmd=/bin/true", "--mcp-timeout=5", *more], folder) for _ in range(rounds)]
    run = statistics.median(cost.processor for cost in costs)
    listed = subprocess.run(
        [*OWN, "--mcp-client-cmd=/bin/true", "--mcp-list", *more],
        cwd=folder,
        capture_output=True,
        check=True,
        text=True,
    )
    number = len(listed.stdout.splitlines()) - 1
    print(
        f"own        {1000 * (run - alone) / number:.1f} ms of processor time a scenario, of {number}"
        f" ({run:.2f} s a run, {alone:.2f} s pytest alone)"
    )


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--client", choices=CLIENTS, default="mcp")
    parser.add_argument("--suite", default="all")
    parser.add_argument("--revision", help="none: the one that each scenario implies")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--own", action="store_true", help="measure the harness alone")
    parser.add_argument("--published-version", default=PUBLISHED_VERSION)
    parsed = parser.parse_args()
    more = [f"--mcp-suite={parsed.suite}", *([f"--mcp-spec-version={parsed.revision}"] if parsed.revision else [])]
    with tempfile.TemporaryDirectory() as folder:
        if parsed.own:
            own(parsed.rounds, more, folder)
            return
        lowest, full = (floor(parsed.client, more, folder, at_once=number) for number in (1, cores()))
        print(f"floor      {lowest:.2f} s on {cores()} cores; {full:.2f} s where they are kept full")
        ours = [*OWN, f"--mcp-client-cmd={CLIENTS[parsed.client]}", f"--mcp-results-dir={folder}/ours", *more]
        theirs = [*published(parsed.published_version), "client", "--command", CLIENTS[parsed.client]]
        theirs += ["-o", f"{folder}/theirs", *(["--spec-version", parsed.revision] if parsed.revision else [])]
        compare([*theirs, "--suite", parsed.suite], ours, folder, rounds=parsed.rounds)


if __name__ == "__main__":
    main()
