"""Successive halving and successive rejects: when how many leave, and what that spends."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from racing.base.errors import InputError
from racing.core.budget import Budget
from racing.core.instances import Instances
from racing.race import Race
from racing.rules import RULES, Outlook, Reason, SuccessiveHalving, SuccessiveRejects
from racing.rules.rule import check_outlook
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


@pytest.mark.parametrize("objective", ["rank", "mean"])
def test_who_leaves_is_told_with_what_the_objective_goes_by(objective):
    costs = noisy(8, 10, seed=2)
    verdict = judge(SuccessiveHalving(), costs, objective, evaluations=20)
    merits = costs.mean(axis=0) if objective == "mean" else rankdata(costs, axis=1).mean(axis=0)
    assert len(verdict.eliminated) > 2
    for one in verdict.eliminated:
        assert one.statistic == pytest.approx(merits[one.candidate - 1])


def test_halving_fits_its_parts_to_the_instances():
    alive = alive_by_instance(SuccessiveHalving(), noisy(8, 70, seed=2))
    assert [(m, alive.count(m)) for m in (8, 4, 2)] == [(8, 10), (4, 20), (2, 40)]


def printed(name: str, m: int, budget: float) -> tuple[list[int], list[int]]:
    """(sizes, ends) of the phases: Karnin et al. (2013), algorithm 1; Audibert et al., figure 1."""
    if name == "successive-rejects":
        log = 0.5 + sum(1 / i for i in range(2, m + 1))
        ends = [math.ceil((budget - m) / (log * (m + 1 - k)) - 1e-9) for k in range(1, m)]
        return list(range(m, 1, -1)), ends
    sizes = [m]
    while sizes[-1] > 2:
        sizes.append(math.ceil(sizes[-1] / 2))
    share = budget / len(sizes)
    return sizes, [math.floor(share * sum(1 / s for s in sizes[:r]) + 1e-9)
                   for r in range(1, len(sizes) + 1)]  # fmt: skip


def planned(name: str, m: int, budget: float, instances: int) -> list[int]:
    """How many would see each instance."""
    sizes, ends = printed(name, m, budget)
    left = [next((s for s, e in zip(sizes, ends, strict=True) if n < e), 1)
            for n in range(min(max(*ends, 1), instances))]  # fmt: skip
    return [m, *left[1:]]  # everybody sees the first


@every_schedule
@pytest.mark.parametrize(("m", "instances", "budget"), [(12, 30, 200), (12, 30, 260), (9, 50, 300)])
def test_where_the_instances_end_first_it_is_the_largest_schedule_that_can_be_paid(
    name, m, instances, budget
):
    """Found one by one; that whole races follow it shows that every look finds the same one."""
    assert printed(name, m, budget)[1][-1] > instances
    larger = budget
    while sum(planned(name, m, larger + 1, instances)) <= budget:
        larger += 1
    assert larger > budget
    alive = alive_by_instance(
        RULES[name](), noisy(m, instances, seed=1), budget=Budget(evaluations=budget)
    )
    assert alive == planned(name, m, larger, instances)


@every_schedule
@given(m=st.integers(2, 12), instances=st.integers(1, 40), budget=st.integers(2, 500))
@settings(max_examples=60, deadline=None)
def test_it_spends_what_it_is_given_and_no_more(name, m, instances, budget):
    budget = max(budget, m)
    alive = alive_by_instance(
        RULES[name](), noisy(m, instances, seed=1), budget=Budget(evaluations=budget)
    )
    assert sum(alive) <= budget
    if printed(name, m, budget)[1][-1] <= instances:
        plan = planned(name, m, budget, instances)
        assert alive[: len(plan)] == plan[: len(alive)]
        assert set(alive[len(plan) :]) <= {2}, "what is left over goes to the last two"
        assert len(alive) == instances or sum(alive) > budget - 2
    elif budget < m * instances:
        assert sum(alive) > budget - m


@every_schedule
@pytest.mark.parametrize("budget", [240, 241, 1000, 10**9])
def test_nobody_leaves_if_everybody_can_see_every_instance(name, budget):
    costs = noisy(8, 30, seed=2)
    race = race_over(costs, RULES[name](), first_test=1, seed=1, budget=Budget(evaluations=budget))
    assert len(finish(race, costs).survivors) == 8
    assert race.spent.evaluations == 240


def test_the_parts_that_the_instances_leave_keep_their_proportions():
    # the parts of 16, 8, 4 and 2 would end after 25, 75, 175 and 375
    alive = alive_by_instance(
        SuccessiveHalving(), noisy(16, 200, seed=1), budget=Budget(evaluations=1600)
    )
    # drawn out by s, the first two leave 4 on all 200: s·(8·25 + 4·75) + 4·200 = 1600, s = 1.6
    assert [(m, alive.count(m)) for m in (16, 8, 4, 2)] == [(16, 40), (8, 80), (4, 80), (2, 0)]


@pytest.mark.parametrize(("budget", "spent"), [(900, 868), (1300, 1256), (1800, 1799)])
def test_what_the_docs_say_of_60_candidates_on_100_instances(budget, spent):
    costs = noisy(60, 100, seed=1)
    alive = alive_by_instance(SuccessiveHalving(), costs, budget=Budget(evaluations=budget))
    assert sum(alive) == spent
    assert sum(alive_by_instance(SuccessiveHalving(), costs)) == 576


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
    assert alive[: due[-1]] == expected
    assert set(alive[due[-1] :]) <= {2}
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
    refusal = rf"{name} divides.*set budget\.evaluations"
    with pytest.raises(InputError, match=refusal):
        judge(RULES[name](), np.ones((5, 3)))
    with pytest.raises(InputError, match=refusal):
        check_outlook(RULES[name](), Outlook())
    check_outlook(RULES[name](), Outlook(evaluations=10))
    check_outlook(RULES[name](), Outlook(instances=10))


@every_schedule
def test_a_first_test_that_leaves_nothing_to_divide_is_refused(name):
    costs = noisy(40, 30, seed=1)
    refusal = r"cannot divide 150 .* 3\.75 for each.*first_test: 5.*200 or more"
    with pytest.raises(InputError, match=refusal):
        race_over(costs, RULES[name](), first_test=5, budget=Budget(evaluations=150))
    for settings_ in ({}, {"first_test": 3}):
        race = race_over(costs, RULES[name](), budget=Budget(evaluations=150), **settings_)
        assert len(finish(race, costs).survivors) < 20
        assert race.spent.evaluations > 140
    race_over(costs[:3], RULES[name](), first_test=3, budget=Budget(evaluations=150))


@every_schedule
def test_a_race_that_ends_by_the_clock_is_refused(name):
    endless = Instances(("a",), repeat=True)
    candidates = [{"x": i} for i in range(4)]
    with pytest.raises(InputError, match="no limit of evaluations"):
        Race(candidates, endless, rule=RULES[name](), budget=Budget(wall_time=60.0))


@every_schedule
def test_the_schedule_is_the_same_however_late_it_is_asked(name):
    costs = noisy(8, 60, seed=6)
    early = alive_by_instance(RULES[name](), costs)
    n = 30
    left = judge(RULES[name](), seen(costs[:n]), instances=60 - n)
    assert 8 - len(left.eliminated) == early[n]
