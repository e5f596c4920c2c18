"""What idle workers evaluate ahead of need: the most likely first, bounded, deciding nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.core.budget import Budget
from racing.race import speculation
from racing.race.speculation import allowance, chance, expected, shrinkage
from racing.rules import RULES
from tests.worlds import (
    facts,
    finish,
    hard_world,
    normal_world,
    outcome,
    race_over,
    replay,
    shuffled_finish,
)

FIELDS = st.integers(2, 200)
RATES = st.floats(1e-3, 1.0)


@given(field=FIELDS, rate=RATES, rows=st.integers(1, 50), data=st.data())
def test_worse_places_and_later_rows_are_less_likely_to_be_needed(field, rate, rows, data):
    place = data.draw(st.integers(0, field - 1))
    known = {"field": field, "rate": rate, "enough": 1}
    likely = chance(place, rows, **known)
    assert 0 < likely <= 1
    assert chance(place, rows + 1, **known) < likely or likely == 1
    if place + 1 < field:
        assert chance(place + 1, rows, **known) <= likely


@given(field=FIELDS, rate=RATES, rows=st.integers(1, 30))
def test_the_chance_is_that_of_the_model(field, rate, rows):
    """By numerical integration over the exponential factor of the speed."""
    x = (np.arange(200_000) + 0.5) / 200_000 * 40
    weight = np.exp(-x) * 40 / 200_000
    for place in {0, field // 2, field - 1}:
        threshold = min(max(place, 1) + 0.5, field - 0.5)
        by_hand = float(weight[field * np.exp(-x * rate * rows) > threshold].sum())
        likely = chance(place, rows, field=field, rate=rate, enough=1)
        assert likely == pytest.approx(by_hand, abs=1e-3)


@given(field=FIELDS, rate=RATES, rows=st.integers(1, 60), enough=st.integers(1, 5))
def test_the_evaluations_expected_are_those_of_the_model(field, rate, rows, enough):
    """By numerical integration over the exponential factor of the speed."""
    x = (np.arange(20_000) + 0.5) / 20_000 * 40
    weight, by_hand = np.exp(-x) * 40 / 20_000, 0.0
    for r in range(rows):
        size = field * np.exp(-x * rate * (r + 0.5))
        by_hand += float((weight * size)[size > enough + 0.5].sum())
    found = expected(rows, field=field, rate=rate, enough=enough)
    assert found == pytest.approx(by_hand, rel=0.02, abs=0.05 * rows)
    assert found <= field * rows


@given(field=FIELDS, rate=RATES, rows=st.integers(101, 20_000))
def test_many_rows_are_summed_as_if_one_by_one(field, rate, rows):
    known = {"field": field, "rate": rate, "enough": 1}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(speculation, "_ONE_BY_ONE", rows)
        exact = expected(rows, **known)
    found = expected(rows, **known)
    assert found == pytest.approx(exact, rel=5e-3)
    assert found <= expected(math.inf, **known)


def test_the_best_is_no_more_certain_than_that_the_race_goes_on():
    known = {"field": 10, "rate": 0.1}
    assert chance(0, 3, enough=4, **known) == chance(4, 3, enough=4, **known)
    assert chance(0, 3, enough=1, **known) == chance(1, 3, enough=1, **known)


def test_shrinkage_is_the_mean_fall_of_the_logarithm_with_a_little_added():
    assert shrinkage([(8, 4), (4, 4), (4, 2)], 2) == pytest.approx(
        (math.log(4) + math.log(1.25)) / 3.5
    )
    assert shrinkage([], 30) == pytest.approx(2 * math.log1p(0.5 / 30))
    assert shrinkage([(30, 30)] * 5, 30) < shrinkage([(30, 30)] * 2, 30)


def test_the_allowance_is_a_share_of_the_budget_or_of_what_was_decided():
    assert allowance(0.1, Budget(evaluations=119), 7) == 11
    assert allowance(0.1, Budget(instances=5), 45) == 4
    assert allowance(0.0, Budget(evaluations=100), 7) == 0


@pytest.mark.parametrize("budget", [Budget(), Budget(evaluations=90), Budget(target_time=90.0)])
@pytest.mark.parametrize("rule", ["auto", "sign", "successive-halving", "t-test"])
@pytest.mark.parametrize("seed", range(2))
def test_it_never_decides_anything(rule, budget, seed):
    costs = hard_world(9, 20, seed=seed)
    alone = finish(race_over(costs, RULES[rule](), budget=budget, seed=seed), costs)
    for workers in (2, 7, 30):
        race = race_over(costs, RULES[rule](), budget=budget, seed=seed)
        told = shuffled_finish(race, costs, workers=workers, seed=seed, speculate=workers)
        assert facts(race) == facts(alone)
        cut = len(told) // 2
        resumed = replay(race_over(costs, RULES[rule](), budget=budget, seed=seed), told[:cut])
        shuffled_finish(resumed, costs, workers=workers, seed=seed + 1, speculate=workers)
        assert facts(resumed) == facts(alone)


def test_every_outcome_is_decided_under_way_speculative_or_wasted():
    costs = normal_world(12, 25, seed=5, noise=0.5)
    race = race_over(costs, RULES["sign"](), first_test=3, each_test=2)
    rng = np.random.default_rng(1)
    most = 0
    while not race.done:
        race.ask(20 - len(race.pending), speculate=20)
        certain = {race.instances_seen}  # the open row at least
        assert race.speculative <= race.outcomes + len(race.pending) - race.spent.evaluations
        open_ = race.outcomes - race.spent.evaluations - race.wasted
        assert open_ >= 0
        most = max(most, race.speculative)
        assert sum(e.instance.step in certain for e in race.pending) <= len(race.survivors)
        race.tell(outcome(costs, race.pending[rng.integers(len(race.pending))]))
    assert most > 5
    assert race.speculative == 0
    assert race.wasted == race.outcomes - race.spent.evaluations > 0


def test_what_may_not_be_begun_is_not_speculated_on():
    costs = normal_world(4, 50, seed=1)
    race = race_over(costs, RULES["sign"](), budget=Budget(evaluations=22), first_test=2)
    assert {e.instance.step for e in race.ask(speculate=1000)} == set(range(5))
    assert len(race.pending) == 20
    again = race_over(costs, RULES["sign"](), budget=Budget(instances=3), first_test=2)
    assert {e.instance.step for e in again.ask(speculate=1000)} == {0, 1, 2}


def test_the_limit_holds_for_both_together_and_certain_ones_come_first():
    costs = normal_world(6, 20, seed=2)
    race = race_over(costs, RULES["sign"](), first_test=1)
    assert len(race.ask(4, speculate=3)) == 4
    asked = race.ask(4, speculate=3)
    assert [e.instance.step for e in asked] == [0, 0, 1, 1]
    assert len(race.ask(10, speculate=3)) == 3
    assert race.speculative == 5
