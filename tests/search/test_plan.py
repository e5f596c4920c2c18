"""What a search is going to do, before it is run."""

from __future__ import annotations

import math

import pytest

from racing.budget import Budget
from racing.errors import InputError
from racing.instances import Instances
from racing.search.plan import evaluations_of, plan


def test_a_plan_adds_up():
    told = plan(Budget(evaluations=400), workers=2, window=8, seconds=36.0)
    assert sum(told.parts.values()) == pytest.approx(told.evaluations, abs=1)
    assert told.evaluations <= 400
    assert told.initial == 56  # 0.15 of the 372 that are not kept
    assert 1.6 <= told.hours <= 2.6  # 400 runs of 36 s or so on two workers, with little waiting
    assert told.use > 0.85
    assert told.recommended_window == 8
    assert told.notes == ()


def test_more_budget_buys_more_configurations_on_more_instances():
    told = plan(Budget(evaluations=400))
    assert told.smaller.challengers < told.challengers < told.larger.challengers
    assert told.smaller.instances < told.instances < told.larger.instances


def test_a_window_that_is_too_small_for_the_workers_is_told():
    told = plan(Budget(evaluations=300), workers=16, window=10)
    assert told.use < 0.9
    assert "a window of 10; 64 would keep them busy" in told.notes[-1]


def test_that_a_race_is_run_instead_is_told():
    assert "too few for a search" in plan(Budget(evaluations=40)).notes[0]
    assert "no more than 5" in plan(Budget(evaluations=200), configurations=5).notes[0]


def test_few_instances_limit_what_the_best_are_run_on():
    assert plan(Budget(evaluations=300), instances=Instances(range(5))).instances == 5
    assert plan(Budget(evaluations=300, instances=6)).instances == 6


@pytest.mark.parametrize(
    ("budget", "workers", "expected"),
    [
        (Budget(target_time=100.0), 4, 50),
        (Budget(wall_time=100.0), 4, 200),
        (Budget(wall_time=100.0, target_time=100.0), 4, 50),
        (Budget(evaluations=30, target_time=100.0), 4, 30),
    ],
)
def test_limits_of_time_are_evaluations_by_what_one_takes(budget, workers, expected):
    assert evaluations_of(budget, workers, 2.0) == expected


def test_time_alone_says_nothing_without_what_a_run_takes():
    with pytest.raises(InputError, match="say how many seconds"):
        plan(Budget(target_time=100.0))


def test_words_for_people():
    lines = plan(Budget(evaluations=200), seconds=3600.0).lines()
    assert lines[0].split(" evaluations: initial ")[0] in ("199", "200")
    assert any("days; the workers are busy" in line for line in lines)
    assert math.isnan(plan(Budget(evaluations=100)).hours)
