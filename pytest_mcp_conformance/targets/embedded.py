"""The reference server of this package, in a thread of this process."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack


class EmbeddedTarget:
    """The reference server.

    :param faults: what it does wrong on purpose.
    """

    def __init__(self, faults: Iterable[str] = ()) -> None:
        self._faults = tuple(faults)
        self._running = ExitStack()

    @property
    def description(self) -> str:
        """See `ServerTarget`."""
        with_faults = f" with {', '.join(self._faults)}" if self._faults else ""
        return f"the reference server of this package{with_faults}"

    def start(self) -> str:
        """See `ServerTarget.start`."""
        from pytest_mcp_conformance.reference.server import running_server

        return self._running.enter_context(running_server(self._faults))

    def stop(self, *, hurried: bool = False) -> None:  # noqa: ARG002 -- it is quick
        """See `ServerTarget.stop`."""
        self._running.close()

    def obituary(self) -> str | None:
        """Return nothing: it lives as long as this process."""
        return None
