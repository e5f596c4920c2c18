"""The record of a run: outcomes, verdicts and sessions, each written before it has an effect.

`Log` is a protocol with two implementations: `SQLiteLog`, one file per run, and `MemoryLog`, SQLite
in memory, for embedded use and tests. A `Recorder` connects a race and its log; `replay` makes the
race of a log. To resume a run, a new race gets the outcomes of its log.

log, sqlite                the protocol, and its two implementations
recorder                   connects a decider and its log: commit, then tell
replay, searches, streams  makes the race or the search of a log, and its instances
schema, rows, tables       the tables of a file; records ↔ rows; rows as plain cells
goals, metric_costs        what a log has besides, if there are several metrics
opening, reading, lock     connections; one writer at a time
check, seals, sqlite_errors
                           repeated records agree, no cell was changed, and errors with advice
export                     a log as CSV files and JSON
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
from racing.log.recorder import Recorder
from racing.log.replay import header_of, replay
from racing.log.sqlite import MemoryLog, SQLiteLog

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
