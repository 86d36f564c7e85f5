"""Telling a person something in the middle of a run: past pytest's capturing, from any process of the run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext

import pytest


def teller(config: pytest.Config) -> Callable[[str], None]:
    """Return what shows a line at once, whatever pytest captures, also from a worker of pytest-xdist."""
    capturing = config.pluginmanager.get_plugin("capturemanager")
    reporter = config.pluginmanager.get_plugin("terminalreporter")  # a worker has none

    def tell(line: str) -> None:
        with capturing.global_and_fixture_disabled() if capturing is not None else nullcontext():
            if reporter is not None:
                reporter.ensure_newline()  # of the progress, which begins its line anew afterwards
                reporter.flush()
            print(line, file=sys.stderr, flush=True)  # noqa: T201 -- somebody waits for it

    return tell
