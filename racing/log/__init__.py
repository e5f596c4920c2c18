"""A run's memory: outcomes, verdicts and sessions, kept before anybody acts on them.

A `Log` is a Protocol with two implementations: `SQLiteLog`, one file per run, and `MemoryLog`, for
embedded use and tests. Resuming a run is nothing but telling a race what its log holds.
"""

from __future__ import annotations

from racing.log.log import (
    Attempt,
    Finish,
    Header,
    Log,
    Session,
    TargetFile,
)
from racing.log.memory import MemoryLog
from racing.log.sqlite import SQLiteLog
from racing.quantities import Direction

__all__ = [
    "Attempt",
    "Direction",
    "Finish",
    "Header",
    "Log",
    "MemoryLog",
    "SQLiteLog",
    "Session",
    "TargetFile",
]
