"""Writing a report: whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write `text` to `path`, creating folders. A reader sees the file of before or all of the new one.

    :raises OSError: it cannot be written.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():  # a pipe or a device has no before and after
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_text(text, encoding="utf-8", errors="backslashreplace")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
