"""What is said of a budget beforehand is what comes of it."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racing.core.budget import Budget
from racing.rules import Auto, FTest, Keep, Outlook, SuccessiveHalving, SuccessiveRejects
from racing.rules.forecast import course, forecast
from tests.rules.seen import noisy
from tests.worlds import finish, race_over

PLANNED = [Auto(), SuccessiveHalving(), SuccessiveRejects()]


@pytest.mark.parametrize("rule", PLANNED)
@pytest.mark.parametrize(("m", "n", "budget"), [(12, 30, 40), (12, 30, 90), (9, 8, 60)])
def test_the_course_is_that_of_a_race_in_which_nothing_else_drops_anybody(rule, m, n, budget):
    costs = noisy(m, n, seed=1, gap=0.0)
    race = finish(race_over(costs, rule, seed=1, budget=Budget(evaluations=budget)), costs)
    alive = [int(count) for count in race.results.alive.sum(axis=1)]
    assert alive == course(rule, m, Outlook(evaluations=budget, instances=n), 1)
    said = forecast(rule, candidates=m, evaluations=budget, instances=n)
    all_see, ending = alive.count(m), "" if alive.count(m) == 1 else "s"
    assert f"all {m} see {all_see} instance{ending}, " in said
    assert f"the last {alive[-1]} see {len(alive)} instances" in said


@given(m=st.integers(1, 60), budget=st.integers(1, 4000), n=st.integers(1, 200))
@settings(max_examples=60, deadline=None)
def test_the_even_plan_stays_within_its_budget_and_never_grows(m, budget, n):
    alive = course(Auto(), m, Outlook(evaluations=budget, instances=n), 1)
    assert sum(alive) <= budget
    assert alive == sorted(alive, reverse=True)
    if alive and len(alive) < n:
        assert budget - sum(alive) < 3, "what is left covers no other instance"


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (math.inf, "no budget of evaluations"),
        (30, "0.75 for each candidate: not enough for all candidates on one instance"),
        (150, "they end before the first test, after 5 instances"),
        (300, "none is dropped before 5 instances; the last two can see up to 30 instances"),
        (1200, r"enough for all candidates on every instance \(1200\)"),
    ],
)
def test_what_is_said_of_a_test(budget, said):
    assert re.search(said, forecast(FTest(), candidates=40, evaluations=budget, instances=30))


def test_where_nobody_can_leave_it_is_said():
    late = forecast(Auto(), candidates=40, evaluations=150, instances=30, first_test=5)
    assert "so no candidate can be dropped" in late
    early = forecast(Auto(), candidates=40, evaluations=150, instances=30)
    assert "no candidate can be dropped" not in early
    kept = forecast(Keep(), candidates=40, evaluations=150, instances=30)
    assert "all see up to 3 instances" in kept
