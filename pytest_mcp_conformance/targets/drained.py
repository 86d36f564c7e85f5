"""What a process writes into a pipe, taken in by an event loop: the first and the last part is kept, byte for byte."""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import IO

FIRST_BYTES = 256 * 1024
LAST_BYTES = 768 * 1024
READ_BYTES = 256 * 1024
READS_AT_ONCE = 4  # then others of the loop have their turn


class Drained:
    """Drains a pipe, so that the writer never waits, and closes it at the end. Made in the loop that drains."""

    def __init__(self, pipe: IO[bytes] | None) -> None:
        if pipe is None:
            raise ValueError("the process has no such pipe")
        self._pipe = pipe
        self._first = bytearray()
        self._last = bytearray()
        self._size = 0
        self._closed = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        os.set_blocking(pipe.fileno(), False)
        self._loop.add_reader(pipe.fileno(), self._take)

    async def finish(self, within: float) -> bool:
        """Take what is left until every writer has closed its end, and tell whether all have.

        :param within: seconds to wait for that.
        """
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closed.wait(), within)
            return self._closed.is_set()
        finally:
            self._close()

    def kept(self) -> bytes:
        """Return what was kept, with a line where something was left out."""
        last = bytes(self._last[-LAST_BYTES:])
        left_out = self._size - len(self._first) - len(last)
        if left_out:
            return bytes(self._first) + f"\n... {left_out} bytes left out ...\n".encode() + last
        return bytes(self._first) + last

    def _take(self) -> None:
        for _ in range(READS_AT_ONCE):
            try:
                chunk = os.read(self._pipe.fileno(), READ_BYTES)
            except BlockingIOError:
                return
            if not chunk:
                self._close()
                return
            self._size += len(chunk)
            room = FIRST_BYTES - len(self._first)
            self._first += chunk[:room]
            self._last += chunk[room:]
            if len(self._last) > 2 * LAST_BYTES:
                del self._last[:-LAST_BYTES]

    def _close(self) -> None:
        if not self._closed.is_set():
            self._loop.remove_reader(self._pipe.fileno())
            self._pipe.close()
            self._closed.set()
