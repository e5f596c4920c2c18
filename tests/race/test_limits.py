"""How many evaluations the time that is left is expected to cover."""

from __future__ import annotations

import math

import pytest

from racing.core.budget import Budget, Spent
from racing.core.experiment import Outcome
from racing.core.stop import Stop
from racing.race.limits import Prices, refusal


def pace(**seconds: float) -> Prices:
    """Of candidates a, b, … (1, 2, …) with two runs of so many seconds each."""
    out = Prices()
    for one, each in enumerate(seconds.values(), start=1):
        out.add(Outcome(one, step, cost=1.0, seconds=each) for step in (0, 1))
    return out


def test_what_is_left_is_divided_by_what_the_survivors_take():
    budget = Budget(target_time=100.0)
    spent = Spent(evaluations=4, target_time=22.0)
    both = pace(a=1.0, b=10.0)
    assert both.evaluations_left([1, 2], budget, spent) == pytest.approx(78 / 5.5)
    assert both.evaluations_left([1], budget, spent) == pytest.approx(78)
    assert both.evaluations_left([2], budget, spent) == pytest.approx(7.8)
    assert both.evaluations_left([3], budget, spent) == pytest.approx(78 / 5.5), "one that is new"


def test_on_the_clock_workers_share_the_work():
    spent = Spent(evaluations=4, target_time=22.0, wall_time=11.0)
    both = pace(a=1.0, b=10.0)
    left = both.evaluations_left([2], Budget(wall_time=61.0), spent)
    assert left == pytest.approx(50 / 5)
    limits = Budget(wall_time=61.0, target_time=42.0)
    assert both.evaluations_left([2], limits, spent) == pytest.approx(2)


def test_without_a_limit_of_time_or_a_measurement_there_is_no_end():
    spent = Spent(evaluations=4, target_time=22.0)
    assert pace(a=1.0).evaluations_left([1], Budget(evaluations=9), spent) == math.inf
    assert pace(a=0.0).evaluations_left([1], Budget(target_time=9.0), Spent()) == math.inf
    assert Prices().evaluations_left([1], Budget(target_time=9.0), Spent()) == math.inf


def test_evaluations_of_earlier_logs_do_not_make_those_to_come_look_quick():
    spent = Spent(evaluations=10, reused=8, target_time=20.0)
    assert refusal(2, spent, Budget(target_time=40.0)) is None
    assert refusal(3, spent, Budget(target_time=40.0)) is Stop.TARGET_TIME
    nothing_made = Spent(evaluations=8, reused=8)
    assert refusal(100, nothing_made, Budget(target_time=40.0)) is None
