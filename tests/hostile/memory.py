"""How much memory this process has taken at most."""

from __future__ import annotations

import re
import resource
from pathlib import Path

STATUS = Path("/proc/self/status")
KIB = 1024


def most_bytes() -> int:
    """Return the peak of the resident memory. `ru_maxrss` begins, on Linux, with that of the process that started us."""
    if STATUS.exists() and (peak := re.search(r"^VmHWM:\s*(\d+) kB$", STATUS.read_text(), re.MULTILINE)):
        return int(peak[1]) * KIB
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
