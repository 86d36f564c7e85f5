"""Options on their way from the controller of pytest-xdist to its workers."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from pytest_mcp_conformance.options import Options


def packed_options(options: Options) -> str:
    """Return `options` as one text, header values included: it travels on the connection to the worker and nowhere else."""
    return json.dumps(asdict(options))


def unpacked(text: str) -> Options:
    """Return what `packed_options` packed."""
    values = json.loads(text)
    read: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    return Options(**read)
