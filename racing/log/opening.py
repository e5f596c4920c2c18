"""Opens connections to logs; a new file is complete or absent, and files are checked."""

from __future__ import annotations

import os
import socket
import sqlite3
import weakref
from contextlib import suppress
from pathlib import Path

from racing.base.errors import LogDamaged, LogError, LogVersionError
from racing.base.plain import path_error
from racing.base.version import __version__
from racing.log import rows, schema
from racing.log.records import Header
from racing.log.sqlite_errors import damaged, explained

WAIT = 10.0  # seconds that a writer waits for an SQL shell that holds the file


def build(path: Path, header: Header) -> None:
    """Make the file of a new log under another name, then rename it; a link stays a link."""
    path = Path(os.path.realpath(path))
    draft = path.with_name(path.name + ".new")
    _remove(draft)  # of a process killed at this point
    with explained(path, "create the log"):
        db = connect(draft, "rwc")
        try:
            db.execute("PRAGMA journal_mode = WAL")
            begin(db, header)
        except BaseException:
            _remove(draft)
            raise
        finally:
            db.close()
    draft.replace(path)
    _sync_folder(path.parent)


def begin(db: sqlite3.Connection, header: Header) -> None:
    """Make the tables of a new log in an empty database, with the description of its run."""
    metrics = rows.metric_rows(header)
    schema.build(db, metrics=bool(metrics))
    db.execute(schema.insert("run"), (*rows.write(header, rows.HEADER), None, None))
    if metrics:
        db.executemany(schema.insert("metric"), metrics)


def in_memory(owner: object, name: str) -> sqlite3.Connection:
    """A connection to a new database in memory, for any thread, closed when its owner is gone."""
    with explained(name, "create the log"):
        db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        weakref.finalize(owner, db.close)
        schema.install(db)
        db.execute("PRAGMA foreign_keys = ON")
    return db


def _remove(draft: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        draft.with_name(draft.name + ending).unlink(missing_ok=True)


def to_open(path: str | os.PathLike[str]) -> Path:
    """The path, if a log can have it."""
    if wrong := path_error(path):
        raise LogError(wrong)
    return Path(path)


def refuse_existing(path: Path) -> None:
    """Refuse to create a log over another, or beside the -wal file of one."""
    if path.exists():
        raise LogError(
            f"{path} exists already: continue that run with `racing resume {path}`, "
            "name another log, or replace it (and lose that run) with `racing run --force`"
        )
    if _size_of_wal(path):
        raise LogError(
            f"{path}-wal belongs to a log that was moved or deleted, and would damage "
            "a new log: move it back to its log, or delete it"
        )


def open_to_write(path: Path) -> sqlite3.Connection:
    """A connection for the only writer, with WAL and foreign keys."""
    refuse_what_is_no_file(path)
    _refuse_hard_links(path)
    with explained(path, "open it"):
        db = connect(path, "rw")
        try:
            _check(db, path)
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("BEGIN")
            db.execute("UPDATE run SET id = 1")  # raises now if the file is read-only or in use
            db.execute("ROLLBACK")
            if db.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
                raise LogError(f"{path}: its file system has no WAL; keep logs on a local disk")
            db.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            db.close()
            raise
        return db


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, does not wait for a writer, and does not delay one.

    SQLite opens the file for writing if possible: the last such connection removes the -wal and
    -shm files, which a read-only one leaves.
    """
    refuse_what_is_no_file(path)
    with explained(path, "read it"):
        db = connect(path, "rw")
        try:
            db.execute("PRAGMA query_only = ON")
            db = _readable(db, path)
            _check(db, path)
            _note_kill(db, path)
            return db
        except BaseException:
            db.close()
            raise


def _note_kill(db: sqlite3.Connection, path: Path) -> None:
    """Note that the last session was killed, before its -wal file is removed.

    A session without an end and without this note, in a log without a -wal file, has lost that
    file: see `SQLiteLog.lost_wal`. In a read-only folder, the note is left out.
    """
    if not _size_of_wal(path):
        return
    last = "SELECT number, pid, host FROM session WHERE ended IS NULL AND why IS NULL "
    row = db.execute(f"{last} ORDER BY number DESC LIMIT 1").fetchone()
    if row is None or row[2] != socket.gethostname() or is_alive(row[1]):
        return
    with suppress(sqlite3.Error):
        db.execute("PRAGMA busy_timeout = 0")
        db.execute("PRAGMA query_only = OFF")
        db.execute(schema.update("session", f"number = {row[0]}", why="'killed'"))
    db.execute("PRAGMA query_only = ON")
    db.execute(f"PRAGMA busy_timeout = {int(1000 * WAIT)}")


def is_alive(pid: object) -> bool:
    """Whether a process of this machine may still run."""
    try:
        os.kill(int(pid), 0)  # type: ignore[call-overload]
    except (ProcessLookupError, ValueError, TypeError, OverflowError):
        return False
    except PermissionError:
        pass  # it exists, and belongs to another user
    return True


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection without implicit transactions."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=WAIT)
    schema.install(db)
    return db


def _readable(db: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """`db`, or a connection that can read a closed log in a read-only folder."""
    try:
        schema.version(db)
    except sqlite3.OperationalError as error:
        refused = error.sqlite_errorcode & 0xFF in (
            sqlite3.SQLITE_CANTOPEN,
            sqlite3.SQLITE_READONLY,
        )
        if not refused or _size_of_wal(path):
            raise
        db.close()
        return connect(path, "ro&immutable=1")  # no process can be writing: the file is complete
    return db


def refuse_what_is_no_file(path: Path) -> None:
    if not path.exists():
        raise LogError(f"there is no log at {path}; `racing run` creates one")
    if not path.is_file():
        kind = "a folder" if path.is_dir() else "a device or a pipe"
        raise LogError(f"{path} is {kind}, not a log")
    if path.stat().st_size == 0:
        raise LogDamaged(f"{path} is empty, so it is not a log; delete it, and run again")


def _refuse_hard_links(path: Path) -> None:
    """Refuse to write a file with two names: SQLite and the lock use the name.

    https://sqlite.org/howtocorrupt.html, 2.5
    """
    links = path.stat().st_nlink
    if links > 1:
        raise LogError(
            f"{path} has {links} names (hard links), and a run under another one would not be "
            f"noticed: make it a file of its own, with `cp {path} copy && mv copy {path}`"
        )


def _check(db: sqlite3.Connection, path: Path) -> None:
    """Refuse files that are no log, of a newer version, or damaged anywhere."""
    found = int(db.execute("PRAGMA application_id").fetchone()[0])
    if found != schema.APPLICATION_ID:
        raise LogDamaged(
            f"{path} is an SQLite database of something else, not a log "
            f"(application_id {found:#x}, a log has {schema.APPLICATION_ID:#x})"
        )
    if schema.version(db) > schema.VERSION:
        raise LogVersionError(_too_new(db, path))
    if wrong := schema.foreign(db):
        raise damaged(path, wrong)
    size, page = path.stat().st_size, int(db.execute("PRAGMA page_size").fetchone()[0])
    if size % page and not _size_of_wal(path):  # SQLite would read zeros for the missing part
        raise damaged(path, f"{size} bytes are not whole pages of {page}")
    errors = [row[0] for row in db.execute("PRAGMA integrity_check(1)")]
    if errors != ["ok"]:
        raise damaged(path, errors[0].replace("\n", " "))
    schema.check_rows(db, path)
    _refuse_losses(db, path)


def _refuse_losses(db: sqlite3.Connection, path: Path) -> None:
    """Refuse a log without some of its rows: a page may be sound and yet in a wrong place."""
    for table in ("candidate", "outcome", "verdict"):  # whose rows are numbered from 1
        found, last = db.execute(f"SELECT count(*), max(number) FROM {table}").fetchone()
        if found != (last or 0):
            raise damaged(path, f"it has {found} rows of its table {table}, the last is {last}")
    for table, row, other, _ in db.execute("PRAGMA foreign_key_check"):
        raise damaged(path, f"row {row} of its table {table} needs one of {other} that is lost")


def _too_new(db: sqlite3.Connection, path: Path) -> str:
    db.set_progress_handler(lambda: 1, 10_000)  # its tables are unknown: `run` may be any view
    try:
        needed = str(db.execute("SELECT racing FROM run").fetchone()[0])
    except (sqlite3.Error, TypeError):
        needed = "a newer version"
    return (
        f"{path} was written by racing {needed} (tables of version {schema.version(db)}); this is "
        f"racing {__version__}, which reads them up to version {schema.VERSION}: "
        f"pip install --upgrade racing"
    )


def has_wal(path: Path) -> bool:
    """Whether the log has a -wal file that is not empty."""
    return _size_of_wal(path) > 0


def identity(path: Path) -> tuple[int, int] | None:
    """The identity of the file; None if it does not exist."""
    try:
        found = os.stat(path)  # at each outcome, so without the detour by Path
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _size_of_wal(path: Path) -> int:
    real = Path(os.path.realpath(path))  # where SQLite puts it
    wal = real.with_name(real.name + "-wal")
    return wal.stat().st_size if wal.exists() else 0


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
