"""The witnesses: for every check a fault that turns it red, as data, and how they are read."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import yaml

from pytest_mcp_conformance.model import Leg, Revision

FOLDER = Path(__file__).parent
ABSENT = "ABSENT"


@dataclass(frozen=True, kw_only=True)
class Witness:
    """With `fault`, `scenario` at `revision` gives `check` the status `status`, and changes those of `also` with it."""

    scenario: str
    check: str
    revision: Revision
    fault: str
    status: str
    also: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.scenario}@{self.revision}-{self.check}-{self.fault}"

    def __hash__(self) -> int:
        return hash(str(self))


def witnesses(leg: Leg = Leg.SERVER) -> list[Witness]:
    """Return every witness of the YAML files in this folder whose names begin with that of the leg."""
    entries = (
        entry for path in sorted(FOLDER.glob(f"{leg.value}*.yaml")) for entry in yaml.safe_load(path.read_text())
    )
    return [Witness(**{**entry, "revision": Revision(entry["revision"])}) for entry in entries]
