"""Turns errors of SQLite into errors of the log, with advice."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from racing.base.errors import LogBusy, LogDamaged, LogError
from racing.evaluate.shortage import Shortage, shortage, spare

_KEPT = "everything recorded before is safe"


def explain(error: sqlite3.Error, path: Path | str, doing: str) -> LogError:
    """The `LogError` for an error of SQLite during the action `doing`."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF  # the other bits are details
    at = f"{path}: cannot {doing}: "
    if primary == sqlite3.SQLITE_FULL:
        return LogError(f"{at}the disk is full; {_KEPT}: make room, then `racing resume {path}`")
    if primary == sqlite3.SQLITE_IOERR:
        return LogError(
            f"{at}the disk refused ({error.sqlite_errorname}: it may be full, over a quota or a "
            f"limit, or failing); {_KEPT}: fix that, then `racing resume {path}`"
        )
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return LogError(f"{at}it is read-only; make it and its folder writable, or copy it")
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LogBusy(
            f"{at}another program keeps it locked, such as an SQL shell in a transaction"
        )
    if primary == sqlite3.SQLITE_CANTOPEN:
        if short := _short_of_files():
            return LogError(f"{at}{short}")
        return LogError(
            f"{at}it cannot be opened; in a folder that cannot be written, a log that is in use or "
            f"was not closed cannot be read: copy it with its -wal file to another folder"
        )
    if primary == sqlite3.SQLITE_NOTADB:
        return LogDamaged(f"{path} is not a log: it is not an SQLite database")
    missing = str(error).startswith(("no such table", "no such column"))
    if primary == sqlite3.SQLITE_CORRUPT or missing:
        return damaged(path, str(error))
    return LogError(f"{at}{error}")


def _short_of_files() -> Shortage | None:
    """What this process lacks, if it may open no more files: SQLite does not say why it cannot."""
    try:
        spare()
    except OSError as error:
        return shortage(error)
    return None


def damaged(path: Path | str, how: str) -> LogDamaged:
    """The error for a damaged log. Nothing writes to it any more."""
    return LogDamaged(
        f"{path} is damaged or truncated ({how}); it was left as it is: restore a copy, or save "
        f"what can be read with `sqlite3 {path} .recover > saved.sql`"
    )


@contextmanager
def explained(path: Path | str, doing: str) -> Iterator[None]:
    """Context manager that turns errors of SQLite into a `LogError`."""
    try:
        yield
    except UnicodeDecodeError as error:  # from a message of SQLite that quotes a damaged schema
        raise damaged(path, "its schema is not text") from error
    except sqlite3.Error as error:
        raise explain(error, path, doing) from error
    except OverflowError as error:
        raise LogError(f"{path}: cannot {doing}: a whole number is beyond 64 bits") from error
