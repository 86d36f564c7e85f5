"""One run of a client in a process of its own, which tells how much memory the harness took.

python -m tests.hostile.measured_client_run COMMAND REVISION
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys

from pytest_mcp_conformance.model import Leg, Revision
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running_client import run_client_scenario
from pytest_mcp_conformance.targets.client_command import CommandClient
from tests.hostile.measured_run import KIB
from tests.hostile.runs import said

PATIENCE_SECONDS = 30.0


def main() -> None:
    _, command, revision = sys.argv
    scenario = scenarios(Leg.CLIENT)["tools_call"]
    run = run_client_scenario(scenario, Revision(revision), CommandClient(command), timeout=PATIENCE_SECONDS)
    outcome = asyncio.run(run)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIB
    told = {"bytes": most, "seconds": outcome.seconds, "ending": outcome.ending, "said": said(outcome)}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
