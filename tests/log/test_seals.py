"""A change to any cell of a log is noticed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from racing.base.errors import LogDamaged, LogError, LogVersionError
from racing.core.budget import Budget
from racing.core.experiment import Status
from racing.log import SQLiteLog, rows, schema
from tests.log.samples import fill, instance, make, outcome

N = 15


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log with rows in every table."""
    path = make(tmp_path / "run.sqlite", N)
    with SQLiteLog.open(path, write=True) as log:
        log.begin_session(1, "here")
        failed = replace(outcome(N), status=Status.CRASHED, cost=float("inf"))
        log.record_failed_attempt(failed, instance(failed.step), then="retried")
        log.note_target({"target.py": "00ff"})
        log.note_dropped(2, 0.5)
        log.finish("evaluations", 1)
        log.extend(Budget(evaluations=50), [{"name": "late.cnf"}])
        log.begin([(1, N)])
        log.note_lost(1, {"usd": 0.5})
        fill(log, N + 3, start=N)
        log.end_session("interrupted", elapsed=3)
    return path


TABLES = [table for table in schema.SEALED if table != "metric"]  # see test_metric_costs.py


def cells() -> list[tuple[str, str]]:
    tables = {**{table: schema.SEALED[table] for table in TABLES}, "outcome": rows.OUTCOME}
    return [(table, column) for table in tables for column in tables[table].split(", ")]


def test_every_column_is_sealed_but_keys_of_its_own() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        schema.build(db)
        found = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        columns = {
            (table, row[1])
            for (table,) in found
            for row in db.execute(f"PRAGMA table_info({table})")
            if row[1] != "checksum"
        }
    keys = {(table, "number") for table in ("outcome", "failed_attempt", "session", "target_file")}
    keys |= {("extension", "number"), ("run", "id")}
    assert columns - set(cells()) == keys


def test_a_log_as_it_was_written_is_read(path: Path) -> None:
    with SQLiteLog.open(path, write=False) as log:
        assert len(log.outcomes()) == N + 3
        assert len(log.verdicts()) == len(log.extensions()) == 1
    with closing(sqlite3.connect(path)) as db:
        for table in TABLES:
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] > 0, table


@pytest.mark.parametrize(("table", "column"), [cell for cell in cells() if cell[1] != "checksum"])
def test_a_changed_cell_is_noticed(path: Path, table: str, column: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        before = db.execute(f"SELECT {column} FROM {table} WHERE rowid = 1").fetchone()[0]
        after = f"{before}x" if isinstance(before, str) else 17 + (before or 0)
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = 1", (after,))
        db.commit()
    with (
        pytest.raises(LogDamaged, match=r"not what was written|that is lost"),
        SQLiteLog.open(path, write=False) as log,
    ):
        log.outcomes()


def test_text_that_is_no_text_is_noticed(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE verdict SET about = CAST(x'ff41' AS TEXT)")
        db.commit()
    with pytest.raises(LogDamaged, match="verdict cannot be read"):
        SQLiteLog.open(path, write=True)


def kind_of_end(path: Path) -> str:
    try:
        SQLiteLog.open(path, write=False).close()
    except LogError as error:
        return type(error).__name__
    return "read"


def test_a_flipped_byte_of_the_schema_is_damage(path: Path) -> None:
    """Also where SQLite quotes it in a message that is then no text either."""
    whole, found = path.read_bytes(), set()
    start = whole.index(b"CREATE TABLE verdict")
    for place in range(start, start + 600, 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x80]) + whole[place + 1 :])
        found.add(kind_of_end(path))
    assert found == {"LogDamaged"}


# --- the tables of a log and their version --------------------------------------------------------


def test_a_new_log_has_the_mark_and_the_version(tmp_path: Path) -> None:
    db = sqlite3.connect(make(tmp_path / "log.sqlite"))
    assert db.execute("PRAGMA application_id").fetchone() == (schema.APPLICATION_ID,)
    assert schema.version(db) == schema.VERSION == 1
    db.close()


@pytest.mark.parametrize("write", [False, True])
def test_a_log_of_the_next_version_is_refused_and_left_as_it_is(
    tmp_path: Path, write: bool
) -> None:
    path = make(tmp_path / "log.sqlite")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    db.close()
    before = path.read_bytes()
    with pytest.raises(LogVersionError, match=r"tables of version 2.* reads them up to version 1:"):
        SQLiteLog.open(path, write=write)
    assert path.read_bytes() == before
