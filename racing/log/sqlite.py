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
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Protocol, Self, TypeAlias

from racing.base.errors import InputError, LogError, must_be
from racing.log import opening
from racing.log.lock import WriterLock
from racing.log.log import WORTH_A_SYNC, Log
from racing.log.records import Header
from racing.log.sqlite_errors import explained

SYNC_EVERY = 1.0


class SQLiteLog(Log):
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
        super().__init__(str(path), db)

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
        return cls._to_write(path, header)

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
        return cls._to_write(path)

    @classmethod
    def _to_write(cls, path: Path, new: Header | None = None) -> Self:
        lock = WriterLock(path)
        try:
            if new is not None:
                opening.refuse_existing(path)  # made meanwhile by another process
                opening.build(path, new)
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


class MemoryLog(Log):
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


class HasLog(Protocol):
    """What has the log of a run: the result of `racing.minimize`."""

    @property
    def log(self) -> Path | Log:
        """The path of the log, or the log in memory."""


LogOf: TypeAlias = str | os.PathLike[str] | Log | HasLog
"""What a user may give where the log of a run is asked for."""


def log_in(given: LogOf, name: str = "log") -> Path | Log:
    """The path of a log that a user gives, or the log itself if it is in memory.

    Parameters
    ----------
    name
        Of the argument, for the message.

    Raises
    ------
    InputError
        If it is no log, and nothing that has one.
    """
    found = getattr(given, "log", given)
    found = getattr(found, "path", found)
    if isinstance(found, Log):
        return found
    if not isinstance(found, str | os.PathLike):
        allowed = "the path of a log, a log, or the result of racing.minimize"
        raise InputError(must_be(name, allowed, given))
    return Path(found)


def logs_in(given: LogOf | Iterable[LogOf], name: str = "log") -> list[Path | Log]:
    """One log or several that a user gives, each as `log_in` has it."""
    several = isinstance(given, Iterable) and not isinstance(given, str | os.PathLike)
    every: Iterable[Any] = given if several else [given]  # type: ignore[assignment]
    return [log_in(one, name) for one in every]


def path_in(given: LogOf, name: str = "log") -> Path:
    """The path of a log that a user gives.

    Raises
    ------
    InputError
        If it is no log, or in memory.
    """
    found = log_in(given, name)
    if isinstance(found, Log):
        raise InputError(
            f"{name}: {found.name} is in memory, and this needs one in a file; "
            "give racing.minimize the path of one: log=..."
        )
    return found


def reading(given: LogOf) -> AbstractContextManager[Log]:
    """A log that a user gives, open for reading; one in memory stays open.

    Raises
    ------
    InputError
        If it is no log.
    LogError
        If it cannot be read.
    """
    found = log_in(given)
    return nullcontext(found) if isinstance(found, Log) else SQLiteLog.open(found, write=False)
