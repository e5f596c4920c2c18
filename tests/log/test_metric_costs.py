"""The costs of several metrics in a log: kept to the last digit, and sealed."""

from __future__ import annotations

import math
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from racing.base.errors import LogDamaged
from racing.core.experiment import Outcome, Status
from racing.log import Header, MemoryLog, SQLiteLog
from racing.log.export import _by_name
from racing.log.rows import metrics_of
from tests.log.samples import CANDIDATES, HEADER, instance, outcome

SEVERAL = replace(
    HEADER,
    scenario={"metrics": {"quality": {"direction": "maximize"}, "time": {"measure": "cpu_time"}}},
)


def measured(k: int) -> Outcome:
    one = outcome(k)
    one = replace(one, started=12.5 + k)
    return one if one.failed else replace(one, metrics=(-k / 3, math.pi * k))


def make(path: Path, header: Header = SEVERAL) -> Path:
    with SQLiteLog.create(path, header) as log:
        log.add(CANDIDATES)
        for k in range(9):
            log.record(measured(k), instance(measured(k).step))
    return path


def test_all_values_are_kept(tmp_path: Path) -> None:
    memory = MemoryLog(SEVERAL)
    memory.add(CANDIDATES)
    for k in range(9):
        memory.record(measured(k), instance(measured(k).step))
    with SQLiteLog.open(make(tmp_path / "log.sqlite"), write=False) as log:
        assert log.outcomes() == memory.outcomes() == [measured(k) for k in range(9)]
        assert list(log.each_outcome()) == log.outcomes()


def test_a_log_of_one_cost_has_no_tables_of_metrics(tmp_path: Path) -> None:
    path = make(tmp_path / "log.sqlite", HEADER)
    with closing(sqlite3.connect(path)) as db:
        found = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
    assert not {name for name in found if "metric" in name}
    with SQLiteLog.open(path, write=False) as log:
        assert {one.metrics for one in log.outcomes()} == {()}


def test_a_view_has_the_scores_by_name(tmp_path: Path) -> None:
    with closing(sqlite3.connect(make(tmp_path / "log.sqlite"))) as db:
        found = db.execute("SELECT metric, score FROM metrics WHERE number = 3").fetchall()
    assert dict(found) == {"quality": 2 / 3, "time": 2 * math.pi}


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE metric_cost SET cost = cost + 1 WHERE outcome = 3 AND metric = 1",
        "UPDATE metric_cost SET outcome = 4 WHERE outcome = 3",
        "UPDATE metric_cost SET checksum = checksum + 1 WHERE outcome = 3",
        "DELETE FROM metric_cost WHERE outcome = 3 AND metric = 0",
        "DELETE FROM metric_cost WHERE outcome = 3",
        "DELETE FROM outcome WHERE number = 9",
        "UPDATE metric SET direction = 'minimize'",
        "DROP TABLE metric_cost",
    ],
)
def test_a_change_is_noticed(tmp_path: Path, damage: str, write: bool) -> None:
    path = make(tmp_path / "log.sqlite")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP VIEW metrics")
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute(damage)
    with pytest.raises(LogDamaged), SQLiteLog.open(path, write=write) as log:
        log.outcomes()


def test_a_header_names_its_metrics() -> None:
    assert metrics_of(SEVERAL) == {"quality": "maximize", "time": "minimize"}
    assert metrics_of(HEADER) == {}


def test_a_failure_has_the_worst_score_of_each_metric() -> None:
    failed = Outcome(1, 0, math.inf, status=Status.CRASHED)
    assert _by_name(failed, metrics_of(SEVERAL)) == {"quality": -math.inf, "time": math.inf}
