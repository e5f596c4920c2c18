"""The tables of a log and their version."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from racing.base.errors import LogDamaged, LogVersionError
from racing.log import SQLiteLog, schema
from tests.log.samples import CANDIDATES, HEADER, instance, make, outcome


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


@pytest.mark.parametrize("column", ["cost", "seconds", "elapsed", "started", "bound"])
def test_the_checksum_of_an_outcome_covers_its_row(tmp_path: Path, column: str) -> None:
    path = tmp_path / "log.sqlite"
    kept = replace(outcome(0), bound=8.0, worker="here:1", started=12.5)
    with SQLiteLog.create(path, HEADER) as log:
        log.add(CANDIDATES)
        log.record(kept, instance(0))
        assert log.outcomes() == [kept]
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"UPDATE outcome SET {column} = {column} + 1")
    db.close()
    with (
        SQLiteLog.open(path, write=False) as log,
        pytest.raises(LogDamaged, match="not what was written"),
    ):
        log.outcomes()
