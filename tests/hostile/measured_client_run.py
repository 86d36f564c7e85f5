"""One run of a client in a process of its own, which tells how much memory and time the harness took.

python -m tests.hostile.measured_client_run COMMAND REVISION [SCENARIO]
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

from pytest_mcp_conformance.model import Leg, Revision
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running_client import run_client_scenario
from pytest_mcp_conformance.targets.client_command import CommandClient
from tests.hostile.memory import most_bytes
from tests.hostile.runs import said

PATIENCE_SECONDS = 30.0


def main() -> None:
    _, command, revision, *named = sys.argv
    scenario = scenarios(Leg.CLIENT)[named[0] if named else "tools_call"]
    run = run_client_scenario(scenario, Revision(revision), CommandClient(command), timeout=PATIENCE_SECONDS)
    outcome = asyncio.run(run)
    told = {
        "bytes": most_bytes(),
        "seconds": outcome.seconds,
        "processor_seconds": time.process_time(),
        "ending": outcome.ending,
        "said": said(outcome),
    }
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
