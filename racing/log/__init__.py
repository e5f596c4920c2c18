"""The record of a run: outcomes, verdicts and sessions, each written before it has an effect.

`Log` is a protocol with two implementations: `SQLiteLog`, one file per run, and `MemoryLog`, for
embedded use and tests. A `Recorder` connects a race and its log; `replay` makes the race of a log.
To resume a run, a new race gets the outcomes of its log.
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
