"""When a commit is synced to the disk, and that everything is committed at once."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from racing.base.errors import LogError
from racing.log import SQLiteLog, sqlite
from tests.log.samples import instance as instance_at
from tests.log.samples import make, outcome

FULL, NORMAL = "PRAGMA synchronous = FULL", "PRAGMA synchronous = NORMAL"


class Clock:
    now = 100.0

    def monotonic(self) -> float:
        return self.now


def test_what_is_worth_it_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(sqlite, "time", clock)
    with SQLiteLog.open(make(tmp_path / "run.sqlite"), write=True) as log:
        said: list[str] = []
        log._db.set_trace_callback(said.append)

        def synced(k: int, seconds: float) -> bool:
            said.clear()
            log.record(replace(outcome(k), seconds=seconds), instance_at(outcome(k).step))
            assert said[-1] in ("COMMIT", NORMAL)
            return FULL in said

        assert not synced(15, 0.01)
        assert synced(16, 0.1)
        clock.now += 0.9
        assert not synced(17, 0.01)
        clock.now += 0.1
        assert synced(18, 0.01)
        assert not synced(19, 0.01)
        assert log._db.execute("PRAGMA synchronous").fetchone() == (1,)


def test_a_record_is_committed_when_the_call_returns(tmp_path: Path) -> None:
    path = make(tmp_path / "run.sqlite")
    other = sqlite3.connect(path)
    with SQLiteLog.open(path, write=True) as log:
        for k in range(15, 25):
            log.record(outcome(k), instance_at(outcome(k).step))
            assert other.execute("SELECT count(*) FROM results").fetchone() == (k + 1,)
    other.close()


def test_what_fails_in_the_middle_leaves_nothing(tmp_path: Path) -> None:
    path = make(tmp_path / "run.sqlite")
    other = sqlite3.connect(path)
    with SQLiteLog.open(path, write=True) as log:
        other.execute(
            "CREATE TRIGGER t BEFORE INSERT ON outcome BEGIN SELECT raise(FAIL, 'no'); END"
        )
        with pytest.raises(LogError, match="cannot record an outcome: no"):
            log.record(outcome(15), instance_at(5))
        assert len(log.instances()) == 5
        other.execute("DROP TRIGGER t")
        log.record(outcome(15), instance_at(5))
        assert log.instances()[-1] == instance_at(5)
    other.close()
