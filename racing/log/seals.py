"""Checksums of rows: changed cells are detected when the log is opened.

The SQL function `seal` of a connection is the CRC-32 of its arguments. Outcomes have checksums too;
they are many, so they are checked when they are read (`racing.log.rows.outcome`).
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from racing.log import rows
from racing.log.sqlite_errors import damaged

SEALED = {
    "run": f"{rows.HEADER}, stopped, winner",
    "candidate": rows.ENTRANT,
    "instance": rows.INSTANCE,
    "failed_attempt": f"{rows.ATTEMPT}, consequence",
    "verdict": f"number, {rows.VERDICT}",
    "elimination": f"verdict, {rows.ELIMINATION}",
    "session": "pid, host, started, ended, why, elapsed, dropped, dropped_seconds",
    "target_file": rows.TARGET_FILE,
    "extension": "after, budget, stopped, winner",
}
"""Table → the columns that its checksum covers."""

OPTIONAL = {
    "metric": "place, name, direction",
    "begun": "candidate, step",
    "lost": "after, evaluations, spent",
    "added": "extension, instance",
}
"""The same of tables that only some logs have."""


def install(db: sqlite3.Connection) -> None:
    """Add the function `seal` to a connection."""
    db.create_function("seal", -1, lambda *cells: rows.checksum(cells), deterministic=True)


def insert(table: str, *, ignore: bool = False) -> str:
    """The statement that adds a sealed row; its values are those of `SEALED`, in that order.

    Parameters
    ----------
    ignore
        Whether an existing row stays unchanged.
    """
    columns = {**SEALED, **OPTIONAL}[table]
    names = [f"column{place}" for place in range(1, columns.count(",") + 2)]  # as SQLite calls them
    marks = ", ".join("?" for _ in names)
    verb = "INSERT OR IGNORE" if ignore else "INSERT"
    values = f"SELECT *, seal({', '.join(names)}) FROM (VALUES ({marks}))"
    return f"{verb} INTO {table} ({columns}, checksum) {values}"


def update(table: str, where: str, **changes: str) -> str:
    """The statement that updates sealed rows: column = SQL expression."""
    settings = ", ".join(f"{column} = {value}" for column, value in changes.items())
    cells = ", ".join(changes.get(column, column) for column in SEALED[table].split(", "))
    return f"UPDATE {table} SET {settings}, checksum = seal({cells}) WHERE {where}"


def check(db: sqlite3.Connection, path: Path) -> None:
    """Refuse a log with a changed row.

    Raises
    ------
    LogDamaged
        If there is one.
    """
    there = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    optional = {table: columns for table, columns in OPTIONAL.items() if table in there}
    for table, columns in {**SEALED, **optional}.items():
        wrong = f"SELECT rowid FROM {table} WHERE checksum IS NOT seal({columns}) LIMIT 1"
        try:
            found = db.execute(wrong).fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            raise damaged(path, f"its table {table} cannot be read: {error}") from error
        if found is not None:
            raise damaged(path, f"row {found[0]} of its table {table} is not what was written")
