"""Logs in SQLite: in one file, or in memory.

Durability of a file. Every method that writes commits before it returns, so a kill loses no
returned write. A power cut loses writes that were not synced to the disk. A commit is synced if its
evaluation took `WORTH_A_SYNC` seconds or more, or if `SYNC_EVERY` seconds have passed since the
last sync; so a power cut loses at most one second of cheap evaluations.
"""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Self

from racing.base.errors import LogError
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Instance, Outcome
from racing.core.verdict import Verdict
from racing.log import opening, rows, schema
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
from racing.log.lock import WriterLock
from racing.log.log import Finish, Header, now
from racing.log.reading import LogReader
from racing.log.sqlite_errors import explained

WORTH_A_SYNC = 0.1
SYNC_EVERY = 1.0


_LAST = "number = (SELECT max(number) FROM session)"

_MARKS = ", ".join("?" * len(rows.OUTCOME.split(",")))
_RECORD = f"INSERT INTO outcome ({rows.OUTCOME}) VALUES ({_MARKS})"
_MEASURE = f"INSERT INTO metric_cost ({rows.METRIC_COST}) VALUES (?, ?, ?, ?)"
_ENTER = schema.insert("candidate")
_USE = schema.insert("instance", ignore=True)
_FAIL = schema.insert("failed_attempt")
_JUDGE = schema.insert("verdict")
_DROP = schema.insert("elimination")
_TARGET = schema.insert("target_file")
_EXTEND, _ADD = schema.insert("extension"), schema.insert("added")
_PAY, _LOSE = schema.insert("begun"), schema.insert("lost")
_FINISH = schema.update("run", "id = 1", stopped=":stopped", winner=":winner")
_BEGIN = schema.insert("session")
_END = schema.update("session", _LAST, ended=":ended", why=":why", elapsed=":elapsed")
_UNFINISHED = schema.update(
    "session",
    _LAST,
    dropped="dropped + :evaluations",
    dropped_seconds="dropped_seconds + :seconds",
)


class LogWriter(LogReader):
    """The part of a log that writes.

    Parameters
    ----------
    name
        The log's name in errors.
    """

    def __init__(self, name: str, db: sqlite3.Connection) -> None:
        super().__init__(name, db)
        self._verdict = 0
        self._candidates = {entrant.candidate.id: entrant for entrant in self.entrants()}
        self._instances = {instance.step: instance for instance in self.instances()}

    def add(self, entrants: Iterable[Entrant | Candidate]) -> None:
        new: dict[int, Entrant] = {}
        for entrant in map(entrant_of, entrants):
            id = entrant.candidate.id
            known = self._candidates.get(id) or new.setdefault(id, entrant)
            check_entrant(known, entrant, self.name)
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
                number = self._db.execute(_RECORD, rows.outcome_row(outcome)).lastrowid
                if outcome.metrics and self._metrics:
                    costs = rows.cost_rows(number or 0, outcome)
                    self._db.executemany(_MEASURE, costs)
                for attempt in outcome.earlier:
                    self._db.execute(_FAIL, (*rows.attempt_row(attempt), "retried"))
        except LogError as error:
            if isinstance(error.__cause__, sqlite3.IntegrityError):
                for known in self._outcome(outcome.key):
                    refuse_outcome(known, outcome, self.name)
            raise
        self._instances.setdefault(instance.step, replace(instance, problem=None))

    def record_failed_attempt(
        self, outcome: Outcome, instance: Instance, *, then: Literal["retried", "stopped"]
    ) -> None:
        self._meet(outcome, instance)
        with self._transaction("record a failed attempt", outcome.seconds):
            self._use(instance)
            self._db.execute(_FAIL, (*rows.attempt_row(outcome), then))
        self._instances.setdefault(instance.step, replace(instance, problem=None))

    def note_dropped(self, evaluations: int, seconds: float) -> None:
        with self._transaction("note what was dropped"):
            more = {"evaluations": int(evaluations), "seconds": float(seconds)}
            self._db.execute(_UNFINISHED, more)

    def begin(self, keys: Iterable[tuple[int, int]]) -> None:
        if not (begun := [(int(candidate), int(step)) for candidate, step in keys]):
            return
        with self._transaction("note what begins", WORTH_A_SYNC):
            schema.add_table(self._db, "begun")
            self._db.executemany(_PAY, begun)

    def note_lost(self, evaluations: int, spent: Mapping[str, float]) -> None:
        with self._transaction("note what was lost"):
            paid = rows.plain_json(spent, "what was spent")
            self._db.execute(_LOSE, (self._recorded(), int(evaluations), paid))

    def record_verdict(self, verdict: Verdict) -> None:
        number = self._verdict + 1
        if known := self._verdicts("WHERE number = ?", number):
            if not self.outdated:
                check_verdict(known[0], verdict, number, self.name)
        else:
            self._add_verdict(number, verdict)
        self._verdict = number

    def note_target(self, files: Mapping[str, str]) -> None:
        known = {file.path: file.sha256 for file in self.target_files()}
        given = {rows.text(path): sha256 for path, sha256 in files.items()}
        with self._transaction("note the target's files"):
            since = 1 + self._recorded()
            new = ((path, sha256, since) for path, sha256 in given.items())
            self._db.executemany(_TARGET, [row for row in new if known.get(row[0]) != row[1]])

    def begin_session(self, pid: int, host: str) -> None:
        self._verdict = 0
        with self._transaction("begin a session"):
            self._db.execute(_BEGIN, (int(pid), rows.text(host), now(), None, None, None, 0, 0.0))
        # so that the loss of a -wal file is noticed
        with explained(self.name, "begin a session"):
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def end_session(self, why: str, *, elapsed: float | None = None) -> None:
        with self._transaction("end the session", WORTH_A_SYNC):
            seconds = None if elapsed is None else float(elapsed)
            self._db.execute(_END, {"ended": now(), "why": rows.text(why), "elapsed": seconds})

    def finish(self, stopped: str, winner: int | None) -> None:
        finish = Finish(stopped=str(stopped), winner=winner)  # `stopped` may be an Enum
        if not self.outdated:
            check_finish(self.finished or finish, finish, self.name)
        with self._transaction("finish the run", WORTH_A_SYNC):
            self._db.execute(_FINISH, {"stopped": finish.stopped, "winner": winner})

    def extend(
        self,
        budget: Budget,
        instances: Sequence[Mapping[str, object]] = (),
        *,
        ending: Finish | None = None,
    ) -> None:
        finish = check_over(self.finished or ending, self.name)
        added = [rows.plain_json(one, "an instance") for one in instances]
        with self._transaction("extend the run", WORTH_A_SYNC):
            limits = rows.budget_text(budget)
            self._db.execute(_EXTEND, (self._recorded(), limits, finish.stopped, finish.winner))
            if added:
                schema.add_table(self._db, "added")
                self._db.executemany(_ADD, [(self._extended(), one) for one in added])
            self._db.execute(_FINISH, {"stopped": None, "winner": None})

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _meet(self, outcome: Outcome, instance: Instance) -> None:
        refuse_stranger(outcome, instance, self._candidates, self.name)
        if known := self._instances.get(instance.step):
            check_instance(known, instance, self.name)

    def _use(self, instance: Instance) -> None:
        if instance.step not in self._instances:
            self._db.execute(_USE, rows.write(instance, rows.INSTANCE))

    def _extended(self) -> int:
        """The number of extensions."""
        return int(self._read("SELECT count(*) FROM extension")[0][0])

    def _recorded(self) -> int:
        """The number of outcomes."""
        return int(self._read("SELECT count(*) FROM outcome")[0][0])

    def _outcome(self, key: tuple[int, int]) -> list[Outcome]:
        where = "WHERE candidate = ? AND step = ?"
        found = self._read(f"SELECT {rows.OUTCOME} FROM outcome {where}", *map(int, key))
        return self._decoded(rows.outcome, found)

    def _add_verdict(self, number: int, verdict: Verdict) -> None:
        with self._transaction("record a verdict"):
            self._db.execute(_JUDGE, (number, *rows.verdict_row(verdict)))
            self._db.executemany(
                _DROP, [(number, *rows.write(out, rows.ELIMINATION)) for out in verdict.eliminated]
            )

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        yield  # no other process writes

    @contextmanager
    def _transaction(self, doing: str, seconds: float = 0.0) -> Iterator[None]:
        """A transaction with `seconds` of work."""
        with explained(self.name, doing):
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")


class SQLiteLog(LogWriter):
    """A `Log` in one file: `create` a new one or `open` an existing one.

    Examples
    --------
    >>> from racing.log import Header, SQLiteLog
    >>> with SQLiteLog.create("log.sqlite", Header(name="tune", seed=1)) as log:
    ...     log.finish("evaluations", winner=None)
    >>> with SQLiteLog.open("log.sqlite", write=False) as log:
    ...     print(log.header.name, log.finished.stopped)
    tune evaluations
    """

    def __init__(self, path: Path, db: sqlite3.Connection, lock: WriterLock | None) -> None:
        self.path = path
        self._lock = lock
        self._at = path.absolute()  # a target in this process may change the working folder
        self._file = opening.identity(self._at)
        self._synced = time.monotonic()
        try:
            super().__init__(str(path), db)
        except BaseException:
            db.close()
            raise

    @classmethod
    def create(cls, path: str | Path, header: Header) -> Self:
        """Create a log, open for writing; creates its folder if needed.

        Raises
        ------
        LogError
            If there is one already, or none can be made there.
        LogBusy
            If another process is making or writing it.
        """
        path = opening.to_open(path)
        opening.refuse_existing(path)
        try:
            Path(os.path.realpath(path)).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LogError(f"{path}: cannot make its folder: {error.strerror}") from error
        lock = WriterLock(path)
        try:
            opening.refuse_existing(path)  # made meanwhile by another process
            opening.build(path, header)
            return cls(path, opening.open_to_write(path), lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def open(cls, path: str | Path, *, write: bool) -> Self:
        """Open an existing log: as its only writer, or as one of many readers.

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
        path = opening.to_open(path)
        if not write:
            return cls(path, opening.open_to_read(path), None)
        opening.refuse_what_is_no_file(path)
        lock = WriterLock(path)
        try:
            return cls(path, opening.open_to_write(path), lock)
        except BaseException:
            lock.release()
            raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        if self._lock is not None or self._db.in_transaction:
            yield  # no other process writes; or a transaction is open already
            return
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            with explained(self.name, "read it"):
                if self._db.in_transaction:  # SQLite ends it itself where the file is damaged
                    self._db.execute("COMMIT")

    def close(self) -> None:
        super().close()
        if self._lock is not None:
            self._lock.release()

    @property
    def lost_wal(self) -> bool:
        """Whether the last session was killed and its -wal file with the latest outcomes is lost.

        An SQL shell opened on the log since may also have merged that file.
        """
        found = self.sessions()
        dead = bool(found) and found[-1].ended is None and found[-1].why is None
        here = dead and found[-1].host == socket.gethostname()
        gone = not opening.has_wal(self.path)
        return dead and gone and not (here and opening.is_alive(found[-1].pid))

    @contextmanager
    def _transaction(self, doing: str, seconds: float = 0.0) -> Iterator[None]:
        """A transaction; synced to the disk if it holds enough `seconds` of work."""
        if self._lock is None:
            raise LogError(f"{self.path}: cannot {doing}: it was opened to be read")
        if opening.identity(self._at) != self._file:
            raise LogError(
                f"{self.path}: cannot {doing}: the file was deleted, moved or replaced "
                "while it was being written; put it back with its -wal file if there is one, then "
                f"`racing resume {self.path}`"
            )
        if seconds < WORTH_A_SYNC and time.monotonic() - self._synced < SYNC_EVERY:
            with super()._transaction(doing):
                yield
            return
        with explained(self.name, doing):  # a cached statement may not set the pragma again
            self._db.executescript("PRAGMA synchronous = FULL")
            try:
                with super()._transaction(doing):
                    yield
            finally:
                self._db.executescript("PRAGMA synchronous = NORMAL")
                self._synced = time.monotonic()


class MemoryLog(LogWriter):
    """A `Log` in memory, lost with its last reference; it can be copied and pickled.

    Examples
    --------
    >>> import racing
    >>> from racing.log import MemoryLog, Recorder, header_of
    >>> race = racing.Race([{"x": 1}, {"x": 2}], range(10))
    >>> log = MemoryLog(header_of(race))
    >>> recorder = Recorder(race, log)
    >>> for experiment in recorder.ask(3):
    ...     recorder.tell(experiment.outcome(experiment.candidate.values["x"]))
    >>> [(outcome.candidate, outcome.cost) for outcome in log.outcomes()]
    [(1, 1.0), (2, 2.0), (1, 1.0)]
    """

    def __init__(self, header: Header) -> None:
        name = f"the log of {header.name}"
        db = opening.in_memory(self, name)
        with explained(name, "create the log"):
            opening.begin(db, header)
        super().__init__(name, db)

    def close(self) -> None:
        """Do nothing: it is closed with its last reference."""

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_db": self._db.serialize()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _db=opening.in_memory(self, state["name"]))
        self._db.deserialize(state["_db"])
