"""One run in a process of its own, which tells how much memory it took.

python -m tests.hostile.measured_run URL REVISION
"""

from __future__ import annotations

import json
import sys

from pytest_mcp_conformance.model import Revision
from tests.hostile.memory import most_bytes
from tests.hostile.runs import TIMEOUT, run, said


def main() -> None:
    _, url, revision = sys.argv
    outcome = run(url, Revision(revision), timeout=TIMEOUT)
    told = {"bytes": most_bytes(), "seconds": outcome.seconds, "ending": outcome.ending, "said": said(outcome)}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
