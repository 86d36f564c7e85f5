"""What travelled in a test of the project's own, in the report of the test if it fails."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import pytest

from pytest_mcp_conformance.json_values import JsonValue
from pytest_mcp_conformance.reporting.transcript_text import transcript_text

PLUGIN = "mcp-conformance-transcripts"


@dataclass(frozen=True, kw_only=True)
class Kept:
    """One conversation of a test. `entries` is asked when the test has failed, and not before."""

    title: str
    entries: Callable[[], Sequence[JsonValue]]


KEPT = pytest.StashKey[list[Kept]]()


def keep(item: pytest.Item, kept: Kept) -> None:
    """Show a conversation if `item` fails."""
    plugins = item.config.pluginmanager
    if not plugins.has_plugin(PLUGIN):  # with the first conversation: runs without one pay nothing for it
        plugins.register(Sections(), PLUGIN)
    item.stash.setdefault(KEPT, []).append(kept)


class Sections:
    """Adds the conversations of an item to the report of its failure."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add them once, to the first report that is a failure."""
        report = yield
        if report.failed:
            kept = item.stash.get(KEPT, [])
            told = ((each.title, transcript_text(each.entries())) for each in kept)
            report.sections.extend((title, text) for title, text in told if text)
            kept.clear()
        return report
