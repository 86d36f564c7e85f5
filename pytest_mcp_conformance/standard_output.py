"""Standard output of a command that does more than print: what cannot be written there spoils nothing else."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO


class StandardOutput:
    """Takes lines for whoever reads standard output, and never raises.

    The reader may be gone (`| head`), or the disk full: then nothing more is said. A character that the encoding of the output
    does not have is spelled out.

    :ivar failure: why the output ended, if it did.
    """

    def __init__(self) -> None:
        self.failure: OSError | None = None

    def say(self, line: str) -> None:
        """Write a line at once."""
        stream: TextIO | None = sys.stdout  # none where it was closed before this process began
        if stream is None or self.failure is not None:
            return
        try:
            stream.write(carried(f"{line}\n", stream.encoding))
            stream.flush()
        except OSError as error:
            self.failure = error
            discard(stream)


def carried(text: str, encoding: str | None) -> str:
    """Return `text` with what `encoding` does not have spelled out."""
    return text.encode(encoding or "utf-8", "backslashreplace").decode(encoding or "utf-8")


def discard(stream: TextIO) -> None:
    """Let go of what could not be written, now and later: the end of the process would try again, and tell that it failed."""
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(null, stream.fileno())
        finally:
            os.close(null)
        stream.flush()
