"""What is under test, as the rest of the package sees it: something that is started, awaited and stopped."""

from __future__ import annotations

from typing import Protocol


class ServerTarget(Protocol):
    """A server under test. Used from one thread, while scenarios talk to it from another."""

    @property
    def description(self) -> str:
        """What it is, for the reader of a report: a noun phrase."""
        ...

    def start(self) -> str:
        """Have the server ready and return its URL.

        :raises PeerUnreachable: it is not there or did not come up; the message says why and what to do.
        """
        ...

    def stop(self, *, hurried: bool = False) -> None:
        """End what `start` started. May be called any number of times and never raises for what the target does.

        :param hurried: the run is broken off, and somebody waits for the prompt.
        """
        ...

    def obituary(self) -> str | None:
        """Return how the server died since `start`, with the end of its output, or nothing while it lives."""
        ...
