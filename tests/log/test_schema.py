"""Versions of the tables: a frozen log of version 1, real migrations, and some made up."""

from __future__ import annotations

import sqlite3
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from racing.candidate import Candidate
from racing.decider import Entrant
from racing.errors import LogError
from racing.log import Finish, SQLiteLog, TargetFile, schema
from tests.log.samples import CANDIDATES, HEADER, VERDICT, fill, instance, make, outcome

V1 = Path(__file__).with_name("v1.sql")
RELEASED = list(schema.MIGRATIONS)
NEWEST = 1 + len(RELEASED)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A log of version 1 with 7 outcomes."""
    path = tmp_path / "old.sqlite"
    with sqlite3.connect(path) as db:
        db.executescript(V1.read_text())
    db.close()
    return path


def add_machine(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE outcome ADD COLUMN machine TEXT")


def fail(db: sqlite3.Connection) -> None:
    db.execute("DROP VIEW results")
    db.execute("DROP TABLE outcome")
    db.execute("no SQL at all")


def check(log: SQLiteLog) -> None:
    assert log.candidates() == CANDIDATES
    assert log.outcomes() == [outcome(k) for k in range(7)]
    assert log.instances() == [instance(step) for step in range(3)]
    assert log.verdicts() == [VERDICT]
    assert log.header.name == HEADER.name
    assert log.elapsed == 7.0
    assert log.sessions()[0].why == "interrupted"


def version(path: Path) -> int:
    db = sqlite3.connect(path)
    found = schema.version(db)
    db.close()
    return found


@pytest.mark.parametrize("write", [False, True])
def test_a_log_of_version_1_is_read_and_continued(old: Path, write: bool) -> None:
    with SQLiteLog.open(old, write=write) as log:
        check(log)
        if write:
            fill(log, 9, start=7)
            assert len(log.outcomes()) == 9


def test_version_1_is_frozen(old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables change by migrations only: what is built first is for ever what version 1 was."""
    monkeypatch.setattr(schema, "MIGRATIONS", [])
    definitions = []
    with sqlite3.connect(tmp_path / "new.sqlite", isolation_level=None) as db:
        schema.build(db)
    db.close()
    for path in (old, tmp_path / "new.sqlite"):
        db = sqlite3.connect(path)
        found = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY 1")
        definitions.append(found.fetchall())
        db.close()
    assert definitions[0] == definitions[1]


def test_a_writer_brings_the_tables_up_to_date(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "MIGRATIONS", [*RELEASED, add_machine])
    with SQLiteLog.open(old, write=True) as log:
        check(log)
        fill(log, 9, start=7)
        assert log.header.racing != ""
    assert version(old) == NEWEST + 1
    monkeypatch.setattr(schema, "MIGRATIONS", [*RELEASED, add_machine, lambda db: None])
    with SQLiteLog.open(old, write=True) as log:
        assert len(log.outcomes()) == 9
    assert version(old) == NEWEST + 2


def test_a_reader_leaves_an_older_log_as_it_is(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = old.read_bytes()
    monkeypatch.setattr(schema, "MIGRATIONS", [*RELEASED, add_machine])
    with SQLiteLog.open(old, write=False) as log:
        check(log)
        with pytest.raises(LogError, match="opened to be read"):
            fill(log, 9, start=7)
    assert old.read_bytes() == before


def test_a_new_log_has_the_newest_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "MIGRATIONS", [*RELEASED, add_machine])
    assert version(make(tmp_path / "new.sqlite")) == NEWEST + 1


def test_a_migration_that_fails_changes_nothing(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "MIGRATIONS", [*RELEASED, add_machine, fail])
    with pytest.raises(LogError, match="cannot open it"):
        SQLiteLog.open(old, write=True)
    assert version(old) == NEWEST + 1  # the steps that worked stay
    monkeypatch.setattr(schema, "MIGRATIONS", [*RELEASED, add_machine])
    with SQLiteLog.open(old, write=True) as log:
        check(log)


# --- what each version changed --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stopped", "budget", "told"),
    [
        ("instances", '{"instances": 3}', "instance_budget"),
        ("instances", '{"instances": 4}', "instances"),
        ("instances", '{"instances": null}', "instances"),
        ("survivors", '{"instances": 3}', "survivors"),
    ],
)
@pytest.mark.parametrize("write", [False, True])
def test_version_2_tells_the_budget_of_instances(
    old: Path, stopped: str, budget: str, told: str, write: bool
) -> None:
    scenario = f'{{"budget": {budget}}}'
    with sqlite3.connect(old) as db:  # 7 outcomes of 3 candidates: 3 instances were reached
        db.execute("UPDATE run SET stopped = ?, winner = 1, scenario = ?", (stopped, scenario))
    db.close()
    with SQLiteLog.open(old, write=write) as log:
        assert log.finished == Finish(stopped=told, winner=1)
        if write:
            log.finish(told, 1)


@pytest.mark.parametrize("write", [False, True])
def test_version_3_keeps_the_targets_files_from_then_on(old: Path, write: bool) -> None:
    with SQLiteLog.open(old, write=write) as log:
        assert log.target_files() == []
        if write:
            log.note_target({"solve.py": "aa"})
            assert log.target_files() == [TargetFile(path="solve.py", sha256="aa", since=8)]


@pytest.mark.parametrize("write", [False, True])
def test_version_4_keeps_when_and_why_candidates_entered(old: Path, write: bool) -> None:
    with SQLiteLog.open(old, write=write) as log:
        assert log.entrants() == [Entrant(candidate=candidate) for candidate in CANDIDATES]
        assert [(v.about, v.steps) for v in log.verdicts()] == [(None, None)]
        assert {(o.worker, o.started) for o in log.outcomes()} == {("", 0.0)}
        if write:
            late = Entrant(
                candidate=Candidate(9, {"alpha": 0.3}, parent=2),
                origin="model",
                draw=(7, 3),
                entered=4,
            )
            log.add([late])
            assert log.entrants()[-1] == late
            log.record(replace(outcome(7), worker="here:1", started=12.5), instance(2))
            assert log.outcomes()[-1].worker == "here:1"


def test_a_log_whose_execution_had_other_settings_is_read_and_continued(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    scenario = {"name": "x", "execution": {"jobs": 2, "ahead": 3, "backend": "loky"}, "n": 0.1}
    SQLiteLog.create(path, replace(HEADER, scenario=scenario)).close()
    with sqlite3.connect(path) as db:
        for column in ("dropped", "dropped_seconds"):
            db.execute(f"ALTER TABLE session DROP COLUMN {column}")
        db.execute("PRAGMA user_version = 6")
    db.close()
    for write in (False, True):
        with SQLiteLog.open(path, write=write) as log:
            assert log.header.scenario == {
                "name": "x", "execution": {"jobs": 2, "engine": "loky"}, "n": 0.1,
            }  # fmt: skip


def test_rows_without_a_bound_have_the_checksum_that_older_versions_gave_them(
    tmp_path: Path,
) -> None:
    path = make(tmp_path / "log.sqlite", 3)
    with sqlite3.connect(path) as db:
        kept = db.execute(
            "SELECT candidate, step, cost, seconds, status, message, attempts, elapsed, worker, "
            "started, checksum FROM outcome"
        ).fetchall()
    db.close()
    assert len(kept) == 3
    for *row, checksum in kept:
        assert zlib.crc32(repr(tuple(row)).encode()) == checksum
