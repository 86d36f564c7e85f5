"""Wall time and peak memory of the server leg, ours beside the published suite's, on the same server in one run.

python benchmarks/server_leg.py --suite active --revision 2025-11-25 --server mcp --rounds 5
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from measuring import HERE, OWN, PUBLISHED_VERSION, compare, published

from pytest_mcp_conformance.targets.command import CommandTarget

SERVERS = {
    "mcp": f"exec {sys.executable} {HERE.parent}/tests/implementations/mcp_server/server.py --port {{port}}",
    "reference": f"exec {sys.executable} -m pytest_mcp_conformance.reference --port {{port}}",
}


@contextmanager
def serving(name: str) -> Iterator[str]:
    """Run one of the servers and give its URL."""
    target = CommandTarget(SERVERS[name])
    try:
        yield target.start()
    finally:
        target.stop()


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="active")
    parser.add_argument("--revision", help="none: the one that each scenario implies")
    parser.add_argument("--server", choices=SERVERS, default="mcp")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--published-version", default=PUBLISHED_VERSION)
    parsed = parser.parse_args()
    with serving(parsed.server) as url, tempfile.TemporaryDirectory() as folder:
        theirs = [*published(parsed.published_version), "server", "--url", url]
        theirs += ["--suite", parsed.suite, "-o", f"{folder}/theirs"]
        ours = [*OWN, f"--mcp-server-url={url}", f"--mcp-suite={parsed.suite}", f"--mcp-results-dir={folder}/ours"]
        if parsed.revision:
            theirs += ["--spec-version", parsed.revision]
            ours += [f"--mcp-spec-version={parsed.revision}"]
        compare(theirs, ours, folder, rounds=parsed.rounds)


if __name__ == "__main__":
    main()
