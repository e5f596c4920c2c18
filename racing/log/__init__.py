"""A run's memory: outcomes, verdicts and sessions, kept before anybody acts on them.

A `Log` is a Protocol with two implementations: `SQLiteLog`, one file per run, and `MemoryLog`, for
embedded use and tests. A `Recorder` joins a race and its log; `replay` gives the race in a log.
Resuming a run is nothing but telling a race what its log holds.
"""

from __future__ import annotations

from racing.log.log import (
    Extension,
    FailedAttempt,
    Finish,
    Header,
    Log,
    Session,
    TargetFile,
    Unfinished,
)
from racing.log.memory import MemoryLog
from racing.log.recorder import Recorder
from racing.log.replay import header_of, replay
from racing.log.sqlite import SQLiteLog

__all__ = [
    "Extension",
    "FailedAttempt",
    "Finish",
    "Header",
    "Log",
    "MemoryLog",
    "Recorder",
    "SQLiteLog",
    "Session",
    "TargetFile",
    "Unfinished",
    "header_of",
    "replay",
]
