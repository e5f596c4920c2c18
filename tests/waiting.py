"""Waits for what another process or thread does."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def eventually(condition: Callable[[], object], *, within: float = 60.0) -> bool:
    """Whether it becomes true within so many seconds, which a busy machine may need."""
    limit = time.monotonic() + within
    while not condition():
        if time.monotonic() > limit:
            return False
        time.sleep(0.01)
    return True


def runs(pid: int) -> bool:
    """Whether a process runs; one that has ended may still wait to be noticed."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
