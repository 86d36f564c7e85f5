"""A server that somebody else runs: only its URL is known."""

from __future__ import annotations

import time

from pytest_mcp_conformance.exceptions import PeerUnreachable
from pytest_mcp_conformance.targets.address import read_url
from pytest_mcp_conformance.targets.listening import Unresolved, resolve, why_silent

PATIENCE_SECONDS = 0.4  # for a server that was started in the same breath
CONNECT_SECONDS = 3.0  # for a distant one: a lost first packet is sent again after one second
AGAIN_SECONDS = 0.05


class UrlTarget:
    """The server at a URL.

    :raises Misuse: the URL cannot be used.
    """

    def __init__(
        self, url: str, *, patience: float = PATIENCE_SECONDS, connect_within: float = CONNECT_SECONDS
    ) -> None:
        self._address = read_url(url)
        self._patience = patience
        self._connect_within = connect_within

    @property
    def description(self) -> str:
        """See `ServerTarget`."""
        return f"the server at {self._address.url}"

    def start(self) -> str:
        """Make sure that something listens: see `ServerTarget.start`."""
        deadline = time.monotonic() + self._patience
        try:
            endpoints = resolve(self._address.host, self._address.port)
            while reason := why_silent(endpoints, within=self._connect_within):
                if time.monotonic() >= deadline:
                    break
                time.sleep(AGAIN_SECONDS)
        except Unresolved as error:
            reason = str(error)
        if reason:
            raise PeerUnreachable(
                f"nothing listens at {self._address.url}: {reason}. Start the server first, or have it started with"
                " --mcp-server-cmd."
            )
        return self._address.url

    def stop(self, *, hurried: bool = False) -> None:
        """Do nothing: the server is not ours to end."""

    def obituary(self) -> str | None:
        """Return nothing: of a server that somebody else runs we know only what it answers."""
        return None
