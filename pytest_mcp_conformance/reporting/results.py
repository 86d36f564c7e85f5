"""Results on disk: one folder a scenario, in the published layout.

`<dir>/server-<scenario>-<timestamp>/checks.json` and `wire.jsonl`, for a client without `server-` and with what it wrote in
`stdout.txt` and `stderr.txt`; a run at several revisions has `@<revision>` before the timestamp. A slash in a scenario's
name makes a subfolder.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from pytest_mcp_conformance.json_values import dumps
from pytest_mcp_conformance.model import Leg, Outcome
from pytest_mcp_conformance.outcome_json import check_as_json

PREFIX = {Leg.SERVER: "server-", Leg.CLIENT: "", Leg.AUTHORIZATION: "authorization-server-"}


def write_results(folder: Path, outcome: Outcome, *, several_revisions: bool, now: datetime | None = None) -> Path:
    """Write the files of one outcome and return their folder.

    :raises OSError: the folder cannot be written.
    """
    stamp = (now or datetime.now(UTC)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    revision = f"@{outcome.revision.value}" if several_revisions else ""
    name = f"{PREFIX[outcome.leg]}{outcome.scenario}{revision}-{re.sub('[:.]', '-', stamp)}"
    where = folder / name
    where.mkdir(parents=True, exist_ok=True)
    checks = [check_as_json(check) for check in outcome.checks]
    (where / "checks.json").write_text(dumps(checks, indent=2) + "\n", encoding="ascii")
    (where / "wire.jsonl").write_text("".join(f"{dumps(entry)}\n" for entry in outcome.transcript), encoding="ascii")
    if outcome.client is not None:
        (where / "stdout.txt").write_bytes(outcome.client.stdout)
        (where / "stderr.txt").write_bytes(outcome.client.stderr)
    return where
