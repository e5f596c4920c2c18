"""A log in one SQLite file.

Durability. Every method that writes commits before it returns, so a kill loses nothing that was
acknowledged. A power cut is another matter: it keeps what was synced to the disk. A commit is
synced if its evaluation took `WORTH_A_SYNC` seconds or more, or if `SYNC_EVERY` seconds have passed
since the last sync; so a power cut loses at most one second's worth of cheap evaluations.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from racing.budget import Budget
from racing.candidate import Candidate
from racing.decider import Entrant
from racing.errors import LogError
from racing.experiment import Instance, Outcome
from racing.log import opening, rows
from racing.log.check import (
    check_entrant,
    check_finish,
    check_instance,
    check_over,
    check_verdict,
    entrant_of,
    refuse_outcome,
    refuse_stranger,
)
from racing.log.explain import explained
from racing.log.lock import WriterLock
from racing.log.log import Finish, Header, now
from racing.log.reading import LogReader
from racing.rules.verdict import Verdict

WORTH_A_SYNC = 0.1
SYNC_EVERY = 1.0


def _insert(table: str, columns: str) -> str:
    marks = ", ".join("?" * (columns.count(",") + 1))
    return f"INSERT INTO {table} ({columns}) VALUES ({marks})"


_ENTER = _insert("candidate", rows.ENTRANT)
_RECORD = _insert("outcome", rows.OUTCOME)
_FAIL = _insert("failed_attempt", f"{rows.ATTEMPT}, consequence")
_JUDGE = _insert("verdict", f"number, {rows.VERDICT}")
_DROP = _insert("elimination", f"verdict, {rows.ELIMINATION}")


class SQLiteLog(LogReader):
    """A `Log` in one file: `create` a new one or `open` what is there."""

    def __init__(self, path: Path, db: sqlite3.Connection, lock: WriterLock | None) -> None:
        super().__init__(path, db)
        self._lock = lock
        self._at = path.absolute()  # a target in this process may change its folder
        self._file = opening.identity(self._at)
        self._told = 0
        self._synced = time.monotonic()
        try:
            self._candidates = {entrant.candidate.id: entrant for entrant in self.entrants()}
            self._instances = {instance.step: instance for instance in self.instances()}
        except BaseException:
            db.close()
            raise

    @classmethod
    def create(cls, path: str | Path, header: Header) -> Self:
        """A new log, open for writing; its folder is made if need be.

        Raises
        ------
        LogError
            If there is one already, or none can be made there.
        LogBusy
            If another process is making or writing it.
        """
        path = Path(path)
        opening.refuse_existing(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LogError(f"{path}: cannot make its folder: {error.strerror}") from error
        lock = WriterLock(path)
        try:
            opening.refuse_existing(path)  # made since by another process
            opening.build(path, header)
            return cls(path, opening.open_to_write(path), lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def open(cls, path: str | Path, *, write: bool) -> Self:
        """A log that exists: as its one writer, or as one of any number of readers.

        Raises
        ------
        LogError
            If there is none, or it cannot be written (or read).
        LogBusy
            If it is to be written, and another process does so.
        LogDamaged
            If the file is not a log, or damaged anywhere; it is left untouched.
        LogVersionError
            If a newer version of this package wrote it.
        """
        path = Path(path)
        if not write:
            return cls(path, opening.open_to_read(path), None)
        opening.refuse_what_is_no_file(path)
        lock = WriterLock(path)
        try:
            return cls(path, opening.open_to_write(path), lock)
        except BaseException:
            lock.release()
            raise

    def add(self, entrants: Iterable[Entrant | Candidate]) -> None:
        new: dict[int, Entrant] = {}
        for entrant in map(entrant_of, entrants):
            id = entrant.candidate.id
            known = self._candidates.get(id) or new.setdefault(id, entrant)
            check_entrant(known, entrant, str(self.path))
        if not new:
            return
        with self._transaction("add candidates"):
            self._db.executemany(
                _ENTER,
                [
                    rows.entrant_row(number, entrant)
                    for number, entrant in enumerate(new.values(), len(self._candidates) + 1)
                ],
            )
        self._candidates.update(new)

    def record(self, outcome: Outcome, instance: Instance) -> None:
        self._meet(outcome, instance)
        try:
            with self._transaction("record an outcome", outcome.seconds):
                self._use(instance)
                self._db.execute(_RECORD, rows.outcome_row(outcome))
                for attempt in outcome.earlier:
                    self._db.execute(_FAIL, (*rows.attempt_row(attempt), "retried"))
        except LogError as error:
            if isinstance(error.__cause__, sqlite3.IntegrityError):
                for known in self._outcome(outcome.key):
                    refuse_outcome(known, outcome, str(self.path))
            raise
        self._instances.setdefault(instance.step, instance)

    def record_failed_attempt(
        self, outcome: Outcome, instance: Instance, *, then: Literal["retried", "stopped"]
    ) -> None:
        self._meet(outcome, instance)
        with self._transaction("record a failed attempt", outcome.seconds):
            self._use(instance)
            self._db.execute(_FAIL, (*rows.attempt_row(outcome), then))
        self._instances.setdefault(instance.step, instance)

    def note_dropped(self, evaluations: int, seconds: float) -> None:
        with self._transaction("note what was dropped"):
            self._db.execute(
                "UPDATE session SET dropped = dropped + ?, "
                "dropped_seconds = dropped_seconds + ? "
                "WHERE number = (SELECT max(number) FROM session)",
                (int(evaluations), float(seconds)),
            )

    def record_verdict(self, verdict: Verdict) -> None:
        number = self._told + 1
        if known := self._verdicts("WHERE number = ?", number):
            check_verdict(known[0], verdict, number, str(self.path))
        else:
            self._add_verdict(number, verdict)
        self._told = number

    def note_target(self, files: Mapping[str, str]) -> None:
        known = {file.path: file.sha256 for file in self.target_files()}
        told = {rows.text(path): sha256 for path, sha256 in files.items()}
        with self._transaction("note the target's files"):
            self._db.executemany(
                "INSERT INTO target_file (path, sha256, since) "
                "VALUES (?, ?, 1 + (SELECT count(*) FROM outcome))",
                [(path, sha256) for path, sha256 in told.items() if known.get(path) != sha256],
            )

    def begin_session(self, pid: int, host: str) -> None:
        self._told = 0
        with self._transaction("begin a session"):
            self._db.execute(
                "INSERT INTO session (pid, host, started) VALUES (?, ?, ?)", (pid, host, now())
            )
        # so that a log that lost its -wal file knows that it had one
        with explained(self.path, "begin a session"):
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def end_session(self, why: str, *, elapsed: float | None = None) -> None:
        with self._transaction("end the session", WORTH_A_SYNC):
            self._db.execute(
                "UPDATE session SET ended = ?, why = ?, elapsed = ? "
                "WHERE number = (SELECT max(number) FROM session)",
                (now(), rows.text(why), elapsed),
            )

    def finish(self, stopped: str, winner: int | None) -> None:
        finish = Finish(stopped=str(stopped), winner=winner)  # `stopped` may be an Enum
        check_finish(self.finished or finish, finish, str(self.path))
        with self._transaction("finish the run", WORTH_A_SYNC):
            self._db.execute("UPDATE run SET stopped = ?, winner = ?", (finish.stopped, winner))

    def extend(self, budget: Budget) -> None:
        finish = check_over(self.finished, str(self.path))
        with self._transaction("extend the run", WORTH_A_SYNC):
            self._db.execute(
                "INSERT INTO extension (after, budget, stopped, winner) "
                "VALUES ((SELECT count(*) FROM outcome), ?, ?, ?)",
                (rows.budget_text(budget), finish.stopped, finish.winner),
            )
            self._db.execute("UPDATE run SET stopped = NULL, winner = NULL")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        if self._lock is not None or self._db.in_transaction:
            yield  # nobody else writes; or we are inside one already
            return
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("COMMIT")

    def close(self) -> None:
        self._db.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _meet(self, outcome: Outcome, instance: Instance) -> None:
        refuse_stranger(outcome, instance, self._candidates, str(self.path))
        if known := self._instances.get(instance.step):
            check_instance(known, instance, str(self.path))

    def _use(self, instance: Instance) -> None:
        if instance.step not in self._instances:
            self._db.execute(
                "INSERT OR IGNORE INTO instance (step, name, seed) VALUES (?, ?, ?)",
                (int(instance.step), rows.text(instance.name), int(instance.seed)),
            )

    def _outcome(self, key: tuple[int, int]) -> list[Outcome]:
        where = "WHERE candidate = ? AND step = ?"
        found = self._read(f"SELECT {rows.OUTCOME} FROM outcome {where}", *map(int, key))
        return [self._decoded(rows.outcome, row) for row in found]

    def _add_verdict(self, number: int, verdict: Verdict) -> None:
        with self._transaction("record a verdict"):
            self._db.execute(_JUDGE, (number, *rows.verdict_row(verdict)))
            self._db.executemany(
                _DROP, [(number, *rows.elimination_row(out)) for out in verdict.eliminated]
            )

    @contextmanager
    def _transaction(self, doing: str, seconds: float = 0.0) -> Iterator[None]:
        """All of it or nothing; synced to the disk if it holds `seconds` of work worth that."""
        if self._lock is None:
            raise LogError(f"{self.path}: cannot {doing}: it was opened to be read")
        if opening.identity(self._at) != self._file:
            raise LogError(
                f"{self.path}: cannot {doing}: the file was deleted, moved or replaced "
                "while it was being written; put it back with its -wal file if there is one, then "
                f"`racing resume {self.path}`"
            )
        sync = seconds >= WORTH_A_SYNC or time.monotonic() - self._synced >= SYNC_EVERY
        with explained(self.path, doing):
            if sync:  # by executescript, since a cached statement need not set it again
                self._db.executescript("PRAGMA synchronous = FULL")
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                if sync:
                    self._db.executescript("PRAGMA synchronous = NORMAL")
                    self._synced = time.monotonic()
