"""The plan of a budget: who has a place."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import special

from racing.rules.plan import LAST, digamma, places, planned_cost

COUNTS = st.integers(1, 60)


def cost_by_hand(kept, *, n, evaluations, instances) -> float:
    """The sum of the docstring, instance by instance."""
    end = n + min(instances, evaluations // 2)
    out = 0.0
    for j in range(n, math.ceil(end - 1e-9)):
        share = kept * n / j
        out += 0 if share < 1.5 else max(2, share)
    return out


@given(kept=COUNTS, n=COUNTS, budget=st.integers(2, 3000), ahead=st.integers(1, 300))
@settings(max_examples=100, deadline=None)
def test_the_closed_form_is_the_sum(kept, n, budget, ahead):
    kept = max(kept, 2)
    cost = planned_cost(np.array([float(kept)]), n=n, evaluations=budget, instances=ahead)[0]
    expected = cost_by_hand(kept, n=n, evaluations=budget, instances=ahead)
    assert cost == pytest.approx(expected, abs=2 + 1e-9)  # where kept·n/j is 2 or 1.5 exactly


@given(k=COUNTS, n=COUNTS, budget=st.integers(0, 3000), ahead=st.integers(0, 300))
@settings(max_examples=100, deadline=None)
def test_it_is_the_largest_number_that_can_be_paid(k, n, budget, ahead):
    kept = places(k, n=n, evaluations=budget, instances=ahead)
    assert min(k, LAST) <= kept <= k
    if k * ahead <= budget:
        assert kept == k
    elif kept > LAST:
        cost = planned_cost(np.array([float(kept)]), n=n, evaluations=budget, instances=ahead)[0]
        assert cost <= budget + 1e-6


@pytest.mark.parametrize(("k", "budget", "spent"), [(10, 10, [5, 3, 2]), (6, 6, [4, 2])])
def test_small_budgets_are_spent_to_the_last(k, budget, spent):
    """From the first instance on, row by row, until two cannot be paid for."""
    n, found = 1, []
    while budget >= 2:
        k = places(k, n=n, evaluations=budget, instances=100)
        n, budget = n + 1, budget - k
        found.append(k)
    assert (found, budget) == (spent, 0)


@given(k=COUNTS, n=COUNTS, budget=st.integers(2, 3000), ahead=st.integers(1, 300))
@settings(max_examples=100, deadline=None)
def test_more_evaluations_leave_no_less_room(k, n, budget, ahead):
    assume(budget > k)  # what suffices for one more instance only is spent on as many as it pays
    less, more = (places(k, n=n, evaluations=b, instances=ahead) for b in (budget, 2 * budget))
    assert less <= more


def test_without_an_end_of_instances_the_budget_is_the_end():
    endless = places(40, n=1, evaluations=120, instances=math.inf)
    assert endless == places(40, n=1, evaluations=120, instances=60)
    assert places(40, n=1, evaluations=math.inf, instances=50) == 40


def test_each_doubling_of_the_instances_costs_the_same():
    """40 candidates, 4000 instances: from 10 to 20 as much as from 20 to 40, and so on."""
    cost = [
        planned_cost(np.array([4000.0 / 10 * 10 / n]), n=n, evaluations=1e9, instances=n)[0]
        for n in (10, 20, 40, 80)
    ]
    assert cost == pytest.approx([cost[0]] * 4, rel=0.06)


def test_digamma_is_that_of_scipy():
    x = np.concatenate([np.arange(1, 200) / 2 + 0.5, np.geomspace(1, 1e9, 300)])
    np.testing.assert_allclose(digamma(x), special.digamma(x), rtol=2e-14, atol=1e-15)
    assert np.isinf(digamma(np.inf))
