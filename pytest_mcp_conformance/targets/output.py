"""What a process writes: drained as it comes, and the first and the last part of it kept."""

from __future__ import annotations

import os
import re
import selectors
import threading

FIRST_BYTES = 16 * 1024  # what a server says at its start
LAST_BYTES = 48 * 1024  # and at its end
READ_BYTES = 64 * 1024
JOIN_SECONDS = 2.0  # for the thread to take what is left in the pipe
LINE_CHARACTERS = 1000  # of one line that is shown

ANSI_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[@-_])")


class KeptOutput:
    """Drains the reading end of a pipe in a thread, so that the writer never waits, and closes it at the end.

    :param pipe: the file descriptor; it belongs to this object from now on.
    """

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe
        self._first = bytearray()
        self._last = bytearray()
        self._size = 0
        self._lock = threading.Lock()
        self._wake_reader, self._wake_writer = os.pipe()
        os.set_blocking(pipe, False)
        self._thread = threading.Thread(target=self._drain, name="mcp-target-output", daemon=True)
        self._thread.start()

    def text(self) -> str:
        """Return what was kept, in lines that are safe to show."""
        with self._lock:
            first, last, size = bytes(self._first), bytes(self._last[-LAST_BYTES:]), self._size
        left_out = size - len(first) - len(last)
        if left_out:
            return f"{readable(first)}\n... {left_out} bytes left out ...\n{readable(last)}"
        return readable(first + last)

    def finish(self) -> None:
        """Take what is left in the pipe until its writers have closed it, but wait no longer than `JOIN_SECONDS`."""
        self._thread.join(JOIN_SECONDS)

    def close(self) -> None:
        """Take what is there and stop, even if a process that left the group still holds the writing end."""
        if self._wake_writer >= 0:
            os.close(self._wake_writer)
            self._wake_writer = -1
        self._thread.join(JOIN_SECONDS)

    def _drain(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._pipe, selectors.EVENT_READ)
            selector.register(self._wake_reader, selectors.EVENT_READ)
            stopping = False
            while not stopping:
                stopping = any(key.fd == self._wake_reader for key, _ in selector.select())
                stopping = not self._take(at_most=LAST_BYTES if stopping else READ_BYTES) or stopping
        os.close(self._pipe)
        os.close(self._wake_reader)

    def _take(self, *, at_most: int) -> bool:
        """Keep what can be read now; tell whether more may come."""
        try:
            chunk = os.read(self._pipe, at_most)
        except BlockingIOError:
            return True
        with self._lock:
            self._size += len(chunk)
            room = FIRST_BYTES - len(self._first)
            self._first += chunk[:room]
            self._last += chunk[room:]
            if len(self._last) > 2 * LAST_BYTES:
                del self._last[:-LAST_BYTES]
        return bool(chunk)


def readable(output: bytes) -> str:
    """Return output as text without colours and without characters that would move a terminal's cursor."""
    text = ANSI_SEQUENCE.sub("", output.decode(errors="backslashreplace"))
    return "\n".join("".join(map(_visible, line)) for line in re.split(r"\r?\n", text)).strip("\n")


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    return "    " if character == "\t" else repr(character)[1:-1]


def tail(text: str, *, lines: int) -> str:
    """Return the last lines of a text, and say so where there are more; of a very long line the start."""
    every = [line if len(line) <= LINE_CHARACTERS else f"{line[:LINE_CHARACTERS]}..." for line in text.split("\n")]
    left_out = len(every) - lines
    return "\n".join(every if left_out <= 0 else [f"... {left_out} lines before ...", *every[-lines:]])
