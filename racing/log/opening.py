"""Connections to logs: a file is made whole or not at all, and checked before it is used."""

from __future__ import annotations

import os
import socket
import sqlite3
from contextlib import suppress
from pathlib import Path

from racing.errors import LogDamaged, LogError, LogVersionError
from racing.log import schema
from racing.log.explain import damaged, explained
from racing.log.log import Header
from racing.log.rows import HEADER, header_row

WAIT = 10.0  # seconds that a writer waits for an SQL shell that holds the file


def build(path: Path, header: Header) -> None:
    """Make the file of a new log under another name, then give it its own: all of it or nothing."""
    draft = path.with_name(path.name + ".new")
    _remove(draft)  # of a process killed at this very place
    with explained(path, "create the log"):
        db = connect(draft, "rwc")
        try:
            db.execute("PRAGMA journal_mode = WAL")
            schema.build(db)
            marks = ", ".join("?" * len(header_row(header)))
            db.execute(f"INSERT INTO run (id, {HEADER}) VALUES (1, {marks})", header_row(header))
        except BaseException:
            _remove(draft)
            raise
        finally:
            db.close()
    draft.replace(path)
    _sync_folder(path.parent)


def _remove(draft: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        draft.with_name(draft.name + ending).unlink(missing_ok=True)


def refuse_existing(path: Path) -> None:
    """Refuse to make a log where one is, or where one has left something behind."""
    if path.exists():
        raise LogError(
            f"{path} exists already: continue that run with `racing resume {path}`, "
            "name another log, or replace it, and lose that run, with `racing run --force`"
        )
    if _size_of_wal(path):
        raise LogError(
            f"{path}-wal belongs to a log that was moved or deleted, and a new log would take it "
            "for its own: move it back to its log, or delete it"
        )


def open_to_write(path: Path) -> sqlite3.Connection:
    """A connection for the one writer: WAL, schema brought up to date."""
    refuse_what_is_no_file(path)
    with explained(path, "open it"):
        db = connect(path, "rw")
        try:
            _check(db, path)
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("BEGIN")
            db.execute("UPDATE run SET id = 1")  # a file that is read-only or in use says so now
            db.execute("ROLLBACK")
            if db.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
                raise LogError(f"{path}: its file system has no WAL; keep logs on a local disk")
            db.execute("PRAGMA synchronous = NORMAL")
            if schema.version(db) < schema.current():
                schema.migrate(db, racing=_installed())
        except BaseException:
            db.close()
            raise
        return db


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, and neither waits for a writer nor holds one up.

    SQLite opens the file for writing where it may: the last of those who do so tidies up, whereas
    one who may only read leaves a -wal and a -shm file lying beside the log.
    """
    refuse_what_is_no_file(path)
    with explained(path, "read it"):
        db = connect(path, "rw")
        try:
            db.execute("PRAGMA query_only = ON")
            db = _readable(db, path)
            _check(db, path)
            _note_kill(db, path)
            return _migrated_copy(db) if schema.version(db) < schema.current() else db
        except BaseException:
            db.close()
            raise


def _note_kill(db: sqlite3.Connection, path: Path) -> None:
    """Note that the last session was killed, before its -wal file is tidied up.

    A session without an end and without this note, in a log without a -wal file, has lost that
    file: see `SQLiteLog.lost_wal`. What cannot be noted, in a folder that is read-only for example,
    is not.
    """
    if schema.version(db) < schema.current() or not _size_of_wal(path):
        return
    last = "SELECT number, pid, host FROM session WHERE ended IS NULL AND why IS NULL "
    row = db.execute(f"{last} ORDER BY number DESC LIMIT 1").fetchone()
    if row is None or row[2] != socket.gethostname() or is_alive(row[1]):
        return
    with suppress(sqlite3.Error):
        db.execute("PRAGMA busy_timeout = 0")
        db.execute("PRAGMA query_only = OFF")
        db.execute("UPDATE session SET why = 'killed' WHERE number = ?", row[:1])
    db.execute("PRAGMA query_only = ON")
    db.execute(f"PRAGMA busy_timeout = {int(1000 * WAIT)}")


def is_alive(pid: object) -> bool:
    """Whether a process of this machine may still be at work."""
    try:
        os.kill(int(pid), 0)  # type: ignore[call-overload]
    except (ProcessLookupError, ValueError, TypeError, OverflowError):
        return False
    except PermissionError:
        pass  # it is there, and somebody else's
    return True


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection without implicit transactions."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=WAIT)


def _readable(db: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """`db`, or a connection that can read a closed log in a folder that cannot be written."""
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
        return connect(path, "ro&immutable=1")  # nobody can be writing: all is in the file itself
    return db


def _migrated_copy(db: sqlite3.Connection) -> sqlite3.Connection:
    copy = sqlite3.connect(":memory:", isolation_level=None)
    db.backup(copy)
    db.close()
    schema.migrate(copy)
    return copy


def refuse_what_is_no_file(path: Path) -> None:
    if not path.exists():
        raise LogError(f"there is no log at {path}; `racing run` makes one")
    if not path.is_file():
        kind = "a folder" if path.is_dir() else "a device or a pipe"
        raise LogError(f"{path} is {kind}, not a log")
    if path.stat().st_size == 0:
        raise LogDamaged(f"{path} is empty, so it is not a log; delete it, and run again")


def _check(db: sqlite3.Connection, path: Path) -> None:
    """Refuse what is no log, what a newer version wrote, and what is damaged anywhere."""
    found = int(db.execute("PRAGMA application_id").fetchone()[0])
    if found != schema.APPLICATION_ID:
        raise LogDamaged(
            f"{path} is an SQLite database of something else, not a log "
            f"(application_id {found:#x}, a log has {schema.APPLICATION_ID:#x})"
        )
    if schema.version(db) > schema.current():
        raise LogVersionError(_too_new(db, path))
    size, page = path.stat().st_size, int(db.execute("PRAGMA page_size").fetchone()[0])
    if size % page and not _size_of_wal(path):  # SQLite would read zeros for what is missing
        raise damaged(path, f"{size} bytes are not whole pages of {page}")
    errors = [row[0] for row in db.execute("PRAGMA quick_check(1)")]
    if errors != ["ok"]:
        raise damaged(path, errors[0].replace("\n", " "))


def _too_new(db: sqlite3.Connection, path: Path) -> str:
    try:
        needed = str(db.execute("SELECT racing FROM run").fetchone()[0])
    except (sqlite3.Error, TypeError):
        needed = "a newer version"
    return (
        f"{path} was written by racing {needed} (tables of version {schema.version(db)}); this is "
        f"racing {_installed()}, which knows them up to version {schema.current()}: "
        f"pip install --upgrade racing"
    )


def has_wal(path: Path) -> bool:
    """Whether the log has a -wal file that holds anything."""
    return _size_of_wal(path) > 0


def identity(path: Path) -> tuple[int, int] | None:
    """Which file it is; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _size_of_wal(path: Path) -> int:
    real = Path(os.path.realpath(path))  # where SQLite puts it
    wal = real.with_name(real.name + "-wal")
    return wal.stat().st_size if wal.exists() else 0


def _installed() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("racing")
    except PackageNotFoundError:
        return "of an unknown version"


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
