"""The folder of material that is not part of the repository: the official schemas and examples that ours are compared with.

It is `shared` beside the checkout, or what MCP_CONFORMANCE_SHARED names. Tests that read it carry the marker
`needs_shared` and are skipped where it is missing.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

BESIDE_THE_CHECKOUT = Path(__file__).resolve().parents[2] / "shared"


def shared(*parts: str) -> Path:
    """Return a file or folder of the shared folder, or skip the test that asks for it."""
    path = Path(os.environ.get("MCP_CONFORMANCE_SHARED") or BESIDE_THE_CHECKOUT).joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{path} is missing; MCP_CONFORMANCE_SHARED names the folder that has it")
    return path
