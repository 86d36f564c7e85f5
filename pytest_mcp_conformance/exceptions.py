"""What can go wrong in a run, and whose fault it is.

The steps of a run, in order, and what each can raise:

1. reading options, suites, files            `Misuse`           the call: what was given and what is possible (exit 4)
2. having the target ready                   `PeerUnreachable`  the set-up: one error, no scenario fails for it
3. the conversation of a scenario            `Nonconforming`    the implementation under test: a failed check
                                             `PeerUnreachable`  it was there and is gone: the scenario could not run
4. anything else that escapes a scenario     any exception      ourselves: keeps its traceback, no baseline excuses it

`HarnessError` is a fault of ours that is found before anything runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_mcp_conformance.protocol.json_rpc import RpcError


class ConformanceError(Exception):
    """Root of what this package raises on purpose."""


class Misuse(ConformanceError):
    """An option, name or file that cannot be used. The message names what was given and what is possible."""


class PeerUnreachable(ConformanceError):
    """The implementation under test did not answer at all: nothing can be said about its conformance."""


class HarnessError(ConformanceError):
    """A fault of this package."""


@dataclass
class Nonconforming(ConformanceError):
    """The implementation under test broke the conversation; the scenario cannot go on.

    :param message: what happened, one sentence without a stop.
    :param expected: what should have come.
    :param got: what came.
    """

    message: str
    expected: str | None = None
    got: str | None = None

    def __str__(self) -> str:
        return self.message


@dataclass
class ErrorAnswer(Nonconforming):
    """The peer answered a request with a JSON-RPC error where the scenario needs a result."""

    error: RpcError | None = None
