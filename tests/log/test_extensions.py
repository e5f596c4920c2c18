"""A run that is over goes on with other limits: what every log keeps of that."""

from __future__ import annotations

import pytest

from racing.base.errors import LogError
from racing.core.budget import Budget
from racing.log import Extension, Finish, MemoryLog, SQLiteLog
from tests.log.samples import CANDIDATES, HEADER, fill


@pytest.fixture(params=["memory", "sqlite"])
def log(request, tmp_path):
    if request.param == "memory":
        yield MemoryLog(HEADER)
        return
    with SQLiteLog.create(tmp_path / "log.sqlite", HEADER) as made:
        yield made


def test_it_keeps_when_with_what_limits_and_how_the_run_had_ended(log):
    log.add(CANDIDATES)
    fill(log, 3)
    log.finish("evaluations", 1)
    log.extend(Budget(evaluations=9, wall_time=2.5))
    assert log.finished is None
    fill(log, 5, start=3)
    log.finish("wall_time", 2)
    log.extend(Budget(target_time=7))
    assert log.extensions() == [
        Extension(
            after=3,
            budget=Budget(evaluations=9, wall_time=2.5),
            finish=Finish(stopped="evaluations", winner=1),
        ),
        Extension(
            after=5,
            budget=Budget(target_time=7),
            finish=Finish(stopped="wall_time", winner=2),
        ),
    ]


def test_a_run_that_is_not_over_is_not_extended(log):
    with pytest.raises(LogError, match="not over"):
        log.extend(Budget(evaluations=9))
    assert log.extensions() == []
