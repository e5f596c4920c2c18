"""What can be read from a log's file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from racing.candidate import Candidate
from racing.experiment import Instance, Outcome
from racing.log import rows
from racing.log.faults import damaged, explained
from racing.log.log import Attempt, Finish, Header, Session, TargetFile
from racing.rules.verdict import Verdict

T = TypeVar("T")


class Reading:
    """The half of `SQLiteLog` that only reads."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path = path
        self._db = db

    @property
    def header(self) -> Header:
        return rows.header(self._read(f"SELECT {rows.HEADER} FROM run")[0])

    @property
    def elapsed(self) -> float:
        tables = "outcome", "failed_attempt", "sitting"
        found = (self._read(f"SELECT max(elapsed) FROM {table}")[0][0] for table in tables)
        return max(float(seconds or 0.0) for seconds in found)

    @property
    def finished(self) -> Finish | None:
        stopped, winner = self._read("SELECT stopped, winner FROM run")[0]
        return None if stopped is None else Finish(stopped=stopped, winner=winner)

    def candidates(self) -> list[Candidate]:
        found = self._read("SELECT id, name, parent, configuration FROM candidate ORDER BY id")
        return [self._decoded(rows.candidate, row) for row in found]

    def instances(self) -> list[Instance]:
        return [
            Instance(*row) for row in self._read("SELECT step, name, seed FROM instance ORDER BY 1")
        ]

    def outcomes(self) -> list[Outcome]:
        found = self._read(f"SELECT {rows.OUTCOME} FROM outcome ORDER BY number")
        return [self._decoded(rows.outcome, row) for row in found]

    def failed_attempts(self) -> list[Attempt]:
        found = self._read(
            f"SELECT consequence, {rows.ATTEMPT} FROM failed_attempt ORDER BY number"
        )
        return [
            Attempt(outcome=self._decoded(rows.attempt, row), then=then) for then, *row in found
        ]

    def verdicts(self) -> list[Verdict]:
        return self._verdicts("ORDER BY number")

    def target_files(self) -> list[TargetFile]:
        found = self._read("SELECT path, sha256, since FROM target_file ORDER BY number")
        return [TargetFile(path=path, sha256=sha256, since=since) for path, sha256, since in found]

    def sessions(self) -> list[Session]:
        found = self._read("SELECT pid, host, started, ended, why FROM sitting ORDER BY number")
        return [
            Session(pid=pid, host=host, started=started, ended=ended, why=why)
            for pid, host, started, ended, why in found
        ]

    def _verdicts(self, which: str, *values: int) -> list[Verdict]:
        found = self._read(f"SELECT number, {rows.VERDICT} FROM verdict {which}", *values)
        eliminated = f"SELECT {rows.ELIMINATION} FROM elimination WHERE verdict = ? ORDER BY rowid"
        return [
            self._decoded(rows.verdict, row, self._read(eliminated, number))
            for number, *row in found
        ]

    def _read(self, sql: str, *values: int) -> list[rows.Row]:
        with explained(self.path, "read it"):
            return self._db.execute(sql, values).fetchall()

    def _decoded(self, decode: Callable[..., T], *parts: object) -> T:
        try:
            return decode(*parts)
        except (TypeError, ValueError) as error:  # a word or a number that we never write
            raise damaged(self.path, str(error)) from error
