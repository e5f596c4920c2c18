"""Successive halving and successive rejects: when how many leave, and what that spends."""

from __future__ import annotations

import math

import numpy as np
import pytest

from racing.budget import Budget
from racing.errors import InputError
from racing.instances import Instances
from racing.race import Race
from racing.rules import RULES, Reason, SuccessiveHalving, SuccessiveRejects
from tests.rules.seen import judge, noisy, out, seen
from tests.worlds import finish, race_over

SCHEDULES = ["successive-halving", "successive-rejects"]
every_schedule = pytest.mark.parametrize("name", SCHEDULES)


def alive_by_instance(rule, costs, **options) -> list[int]:
    """How many see each instance of a race that is judged after every one."""
    race = finish(race_over(costs, rule, first_test=1, seed=1, **options), costs)
    counts = race.results.alive.sum(axis=1)
    return [int(count) for count in counts]


def test_halving_spends_equal_parts():
    # 16 candidates, 4 parts of 128: 8, 16, 32 and 64 instances
    alive = alive_by_instance(
        SuccessiveHalving(), noisy(16, 500, seed=1), budget=Budget(evaluations=512)
    )
    assert [(m, alive.count(m)) for m in (16, 8, 4, 2)] == [(16, 8), (8, 16), (4, 32), (2, 64)]
    assert sum(alive) == 512


def test_halving_fits_its_parts_to_the_instances():
    alive = alive_by_instance(SuccessiveHalving(), noisy(8, 70, seed=2))
    assert [(m, alive.count(m)) for m in (8, 4, 2)] == [(8, 10), (4, 20), (2, 40)]


def test_a_third_may_stay():
    alive = alive_by_instance(SuccessiveHalving(keep=1 / 3), noisy(9, 40, seed=2))
    assert [(m, alive.count(m)) for m in (9, 3)] == [(9, 10), (3, 30)]


def test_rejects_leave_as_printed():
    """Audibert et al. (2010), figure 1, written out for 6 candidates and 300 evaluations."""
    m, budget = 6, 300
    log = 0.5 + sum(1 / i for i in range(2, m + 1))
    due = [math.ceil((budget - m) / (log * (m + 1 - k))) for k in range(1, m)]
    alive = alive_by_instance(
        SuccessiveRejects(), noisy(m, 300, seed=3), budget=Budget(evaluations=budget)
    )
    expected = [m - sum(d <= n for d in due) for n in range(due[-1])]
    assert alive == expected
    assert sum(alive) <= budget


def test_rejects_fit_the_instances():
    alive = alive_by_instance(SuccessiveRejects(), noisy(6, 50, seed=3))
    assert len(alive) == 50
    assert alive[-1] == 2


@every_schedule
def test_the_worst_leave_and_say_that_it_was_time(name):
    verdict = judge(RULES[name](), noisy(8, 30, seed=4, gap=2.0), instances=10, evaluations=0)
    gone = [e.candidate for e in verdict.eliminated]
    assert gone == list(range(9 - len(gone), 9))
    assert {e.reason for e in verdict.eliminated} == {Reason.SCHEDULE}
    assert all(e.value > e.threshold for e in verdict.eliminated)


@every_schedule
def test_who_stands_first_follows_the_objective(name):
    costs = noisy(4, 40, seed=5, gap=1.0)
    costs[0, 0] = 1e4
    assert out(RULES[name](), costs, "rank", instances=0) == {2, 3, 4}
    assert 1 in out(RULES[name](), costs, "mean", instances=0)


@every_schedule
@pytest.mark.parametrize("m", [1, 2, 3, 7])
@pytest.mark.parametrize("evaluations", [0, 1, 10])
def test_tiny_budgets_leave_somebody(name, m, evaluations):
    assert len(out(RULES[name](), np.ones((1, m)), evaluations=evaluations)) < m


@every_schedule
def test_without_an_end_there_is_nothing_to_divide(name):
    with pytest.raises(InputError, match=rf"{name} divides.*set budget\.evaluations"):
        judge(RULES[name](), np.ones((5, 3)))


@every_schedule
def test_a_race_that_ends_by_the_clock_is_refused(name):
    endless = Instances(("a",), repeat=True)
    candidates = [{"x": i} for i in range(4)]
    race = Race(
        candidates, endless, rule=RULES[name](), budget=Budget(wall_time=60.0), first_test=1
    )
    *others, last = race.ask()
    for experiment in others:
        race.tell(experiment.outcome(1.0))
    with pytest.raises(InputError, match="no limit of evaluations"):
        race.tell(last.outcome(1.0))


@every_schedule
def test_the_schedule_is_the_same_however_late_it_is_asked(name):
    costs = noisy(8, 60, seed=6)
    early = alive_by_instance(RULES[name](), costs)
    n = 30
    left = judge(RULES[name](), seen(costs[:n]), instances=60 - n)
    assert 8 - len(left.eliminated) == early[n]
