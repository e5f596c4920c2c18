"""What only a log in a file does; the contract is in `test_contract.py`."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from racing.base.errors import LogBusy, LogError
from racing.log import SQLiteLog, sqlite
from tests.log.samples import CANDIDATES, HEADER, fill, instance, make, outcome
from tests.log.samples import instance as instance_at


def test_a_reader_sees_each_outcome_as_soon_as_it_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "log.sqlite"
    with SQLiteLog.create(path, HEADER) as log, SQLiteLog.open(path, write=False) as reader:
        log.add(CANDIDATES)
        for k in range(5):
            log.record(outcome(k), instance(outcome(k).step))
            assert reader.outcomes() == [outcome(j) for j in range(k + 1)]


def test_there_is_one_writer_and_the_next_can_follow(tmp_path: Path) -> None:
    path = make(tmp_path / "log.sqlite", 3)
    with SQLiteLog.open(path, write=True), pytest.raises(LogBusy):
        SQLiteLog.open(path, write=True)
    with SQLiteLog.open(path, write=True) as log:
        fill(log, 6, start=3)
    with SQLiteLog.open(path, write=False) as reader:
        assert len(reader.outcomes()) == 6
        with pytest.raises(LogError, match="it was opened to be read"):
            reader.record(outcome(6), instance(2))


@pytest.mark.parametrize("there", [True, False])
def test_a_log_under_a_link_is_written_where_the_link_leads(tmp_path: Path, there: bool) -> None:
    (real := tmp_path / "disk").mkdir()
    if not there:
        real.rmdir()
    (link := tmp_path / "run.sqlite").symlink_to("disk/run.sqlite")
    make(link)
    assert link.is_symlink()
    assert [file.name for file in real.iterdir()] == ["run.sqlite"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["disk", "run.sqlite"]
    with SQLiteLog.open(link, write=False) as log:
        assert len(log.outcomes()) == 15


def test_a_name_that_no_file_can_have_is_refused_in_few_words(tmp_path: Path) -> None:
    for path in (tmp_path / ("n" * 100_000), tmp_path / ("n/" * 3000), tmp_path / ("ü" * 121)):
        with pytest.raises(LogError, match="has at most 240 bytes") as caught:
            SQLiteLog.create(path, HEADER)
        assert len(str(caught.value)) < 300
        with pytest.raises(LogError, match="has at most 240 bytes"):
            SQLiteLog.open(path, write=False)
    with pytest.raises(LogError, match="half a character"):
        SQLiteLog.create(tmp_path / "\ud83d", HEADER)


# --- when a commit is synced to the disk, and that everything is committed at once ----------------


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
