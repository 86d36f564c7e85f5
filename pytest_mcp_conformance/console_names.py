"""What the options are called where they are typed behind `mcp-conformance`: messages name them as their reader does."""

from __future__ import annotations

import re
from collections.abc import Generator

import pytest

from pytest_mcp_conformance.declared_options import DETAILS

NAMES = {
    "--mcp-server-url": "--url",
    "--mcp-server-cmd": "--command",
    "--mcp-client-cmd": "--command",
    "--mcp-authorization": "--file",
    "--mcp-authorization-url": "--url",
    "--mcp-results-dir": "--output-dir",
    "--mcp-list": "mcp-conformance list",
    **{option.flag: option.flag.replace("--mcp-authorization-", "--") for option in DETAILS},
    **{
        f"--mcp-{name}": f"--{name}"
        for name in (
            *("scenario", "suite", "spec-version", "requirements"),
            *("force", "strict", "timeout", "expected-failures"),
        )
    },
}
AS_IT_IS = ("again: ", "    ", "  > ", "  < ")  # lines that begin so
OPTION = re.compile(r"--mcp-[a-z-]*[a-z]")


def in_console_names(text: str) -> str:
    """Return `text` with the options that the console command has under their names there; others go to pytest as they are."""
    return OPTION.sub(lambda found: NAMES.get(found[0], found[0]), text)


def in_told_names(line: str) -> str:
    """Return a line of a failure with the names of options that its reader typed.

    What runs it again is a line of pytest, which works as it is; and what an implementation sent or wrote stays as it was.
    """
    return line if line.startswith(AS_IT_IS) else in_console_names(line)


class ConsoleNames:
    """A plugin of pytest that words refusals and failures for those who typed `mcp-conformance`."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Word a failure before anybody shows or keeps it."""
        for traceback, *_ in getattr(report.longrepr, "chain", ()):
            for entry in traceback.reprentries if traceback.style == "value" else ():  # a message without a traceback
                entry.lines[:] = map(in_told_names, entry.lines)

    @pytest.hookimpl(wrapper=True)
    def pytest_cmdline_main(self) -> Generator[None, object, object]:
        """Run pytest."""
        try:
            return (yield)
        except pytest.UsageError as error:
            raise pytest.UsageError(*(in_console_names(str(told)) for told in error.args)) from error
