"""What the options are called where they are typed behind `mcp-conformance`: messages name them as their reader does."""

from __future__ import annotations

import re
from collections.abc import Generator

import pytest

NAMES = {
    "--mcp-server-url": "--url",
    "--mcp-server-cmd": "--command",
    "--mcp-client-cmd": "--command",
    "--mcp-authorization": "--file",
    "--mcp-authorization-url": "--url",
    "--mcp-results-dir": "--output-dir",
    "--mcp-list": "mcp-conformance list",
    **{f"--mcp-authorization-{name}": f"--{name}" for name in ("client-id", "client-secret", "port", "resource")},
    **{
        f"--mcp-{name}": f"--{name}"
        for name in (
            *("scenario", "suite", "spec-version", "requirements"),
            *("force", "strict", "timeout", "expected-failures"),
        )
    },
}
OPTION = re.compile(r"--mcp-[a-z-]*[a-z]")


def in_console_names(text: str) -> str:
    """Return `text` with the options that the console command has under their names there; others go to pytest as they are."""
    return OPTION.sub(lambda found: NAMES.get(found[0], found[0]), text)


class ConsoleNames:
    """A plugin of pytest that words refusals for those who typed `mcp-conformance`."""

    @pytest.hookimpl(wrapper=True)
    def pytest_cmdline_main(self) -> Generator[None, object, object]:
        """Run pytest."""
        try:
            return (yield)
        except pytest.UsageError as error:
            raise pytest.UsageError(*(in_console_names(str(told)) for told in error.args)) from error
