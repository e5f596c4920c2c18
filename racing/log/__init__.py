"""The record of a run: outcomes, verdicts and sessions, each written before it has an effect.

A `Log` is an SQLite database: a `SQLiteLog` is one file per run, and a `MemoryLog` is in memory,
for embedded use and tests. A `Recorder` connects a race and its log; `replay` makes the race of a
log. To resume a run, a new race gets the outcomes of its log.

log, sqlite            what every log reads and writes; logs in files, and in memory
records                the records of logs
recorder               connects a decider and its log: commit, then tell
headers, replay        what a header keeps of a race or a search, and the one that a log makes
schema, rows           the tables with their checksums; records ↔ rows
opening, lock          connections; one writer at a time
check, sqlite_errors   repeated records agree, and errors with advice
export                 a log as tables, CSV files and JSON
"""

from __future__ import annotations

from racing.log.headers import header_of
from racing.log.log import Log
from racing.log.recorder import Recorder
from racing.log.records import (
    Extension,
    FailedAttempt,
    Finish,
    Header,
    Session,
    TargetFile,
    Unfinished,
)
from racing.log.replay import replay
from racing.log.sqlite import LogOf, MemoryLog, SQLiteLog, log_in, logs_in, path_in, reading

__all__ = [
    "Extension",
    "FailedAttempt",
    "Finish",
    "Header",
    "Log",
    "LogOf",
    "MemoryLog",
    "Recorder",
    "SQLiteLog",
    "Session",
    "TargetFile",
    "Unfinished",
    "header_of",
    "log_in",
    "logs_in",
    "path_in",
    "reading",
    "replay",
]
