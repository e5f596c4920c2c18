"""What rules average: scores, and by how much candidates differ in them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata

from racing.rules.scores import finite_costs, scores, stakes
from tests.rules.seen import noisy, seen

COSTS = arrays(
    float,
    st.tuples(st.integers(1, 6), st.integers(2, 6)),
    elements=st.sampled_from([-3.0, 0.0, 1.0, 2.5, np.inf]),
)


def shrinking(seed: int):
    """Failures and ties; two left, one came late, and one was gone before all others met."""
    costs = np.round(noisy(7, 14, seed=seed), 1)
    costs[np.random.default_rng(seed).random(costs.shape) < 0.1] = np.inf
    costs[5:, 2] = costs[9:, 4] = np.nan
    costs[:3, 6] = np.nan
    costs[2:, 0] = np.nan
    return seen(costs, survivors=[1, 3, 5, 6])


def stakes_by_hand(results, objective) -> float:
    """As the docstring tells it, number by number; failures are one range above the worst."""
    survivors = [int(j) for j in results.survivors]
    rows = [row for row in results.costs if not any(math.isnan(row[j]) for j in survivors)]
    finite = [c for row in rows for c in row if math.isfinite(c)]
    failure = max(finite) + (max(finite) - min(finite))
    behind: dict[int, list[float]] = {}
    for row in rows:
        there = [j for j, c in enumerate(row) if not math.isnan(c)]
        if objective == "mean":
            score = {j: failure if math.isinf(row[j]) else row[j] for j in there}
        else:
            ranks = rankdata([row[j] for j in there]) / len(there)
            score = dict(zip(there, ranks, strict=True))
        middle = sum(score[j] for j in survivors) / len(survivors)
        for j in there:
            behind.setdefault(j, []).append(score[j] - middle)
    distances = [sum(d) / len(d) for d in behind.values()]
    centre = sum(distances) / len(distances)
    return math.sqrt(sum((d - centre) ** 2 for d in distances) / (len(distances) - 1))


@pytest.mark.parametrize("objective", ["rank", "mean"])
@pytest.mark.parametrize("seed", range(5))
def test_stakes_are_what_the_docstring_says(objective, seed):
    results = shrinking(seed)
    assert stakes(results, objective) == pytest.approx(stakes_by_hand(results, objective))


def test_stakes_of_three_that_can_be_seen_through():
    costs = np.tile([0.0, 1.0, 5.0], (4, 1)) + np.arange(4)[:, None]
    assert stakes(seen(costs), "mean") == pytest.approx(math.sqrt(7))  # variance of 0, 1, 5
    assert stakes(seen(costs), "rank") == pytest.approx(1 / 3)


def test_who_was_dropped_counts_by_the_instances_that_it_saw():
    """The third is behind by 5 wherever it ran: when it left makes no difference for costs."""
    costs = np.tile([0.0, 1.0, 5.0], (6, 1)) + np.arange(6)[:, None]
    costs[2:, 2] = np.nan
    results = seen(costs, survivors=[0, 1])
    assert stakes(results, "mean") == pytest.approx(math.sqrt(7))
    # shares 1/3, 2/3, 1 on two instances, and 1/2, 1 on four
    ahead = (2 / 6 + 4 / 4) / 6
    assert stakes(results, "rank") == pytest.approx(np.std([-ahead, ahead, 0.5], ddof=1))


@pytest.mark.parametrize("objective", ["rank", "mean"])
def test_the_dropped_are_a_part_of_what_is_at_stake(objective):
    costs = noisy(4, 30, seed=1)
    costs[10:, 3] = np.nan
    among_survivors = stakes(seen(costs[:, :3]), objective)
    assert stakes(seen(costs, survivors=[0, 1, 2]), objective) > 1.2 * among_survivors


def test_what_an_instance_costs_all_is_not_at_stake():
    costs = noisy(5, 12, seed=1)
    effects = 100 * np.random.default_rng(2).normal(size=(12, 1))
    assert stakes(seen(costs + effects), "mean") == pytest.approx(stakes(seen(costs), "mean"))


@pytest.mark.parametrize("objective", ["rank", "mean"])
@pytest.mark.parametrize("value", [0.0, 2.0, np.inf])
def test_nothing_is_at_stake_among_equals(objective, value):
    assert stakes(seen(np.full((5, 3), value)), objective) == pytest.approx(0, abs=1e-15)


@given(costs=COSTS)
def test_ranks_are_shares_of_the_number_of_candidates(costs):
    expected = rankdata(costs, axis=1) / costs.shape[1]
    np.testing.assert_allclose(scores(seen(costs), "rank"), expected, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_with_some_gone_ranks_are_those_in_the_field(seed):
    results = shrinking(seed)
    y = scores(results, "rank")
    np.testing.assert_array_equal(y, results.field_ranks / 7)
    assert y.shape == (11, 4)
    assert (y >= 1 / 7).all()
    assert (y <= 1).all()


@pytest.mark.parametrize("objective", ["rank", "mean"])
def test_rows_that_a_survivor_has_not_seen_do_not_count(objective):
    results = shrinking(0)
    later = seen(results.costs[3:], survivors=results.survivors)
    np.testing.assert_allclose(scores(results, objective), scores(later, objective))
    assert stakes(results, objective) == pytest.approx(stakes(later, objective))


def test_costs_without_failures_are_scores_as_they_are():
    costs = noisy(3, 8, seed=1)
    np.testing.assert_array_equal(scores(seen(costs), "mean"), costs)


def test_a_failure_is_one_range_above_the_worst_cost():
    costs = np.array([[-5.0, np.inf, 3.0], [4.0, 0.0, np.inf]])
    expected = np.array([[-5.0, 13.0, 3.0], [4.0, 0.0, 13.0]])
    np.testing.assert_array_equal(scores(seen(costs), "mean"), expected)


@given(costs=COSTS)
def test_failures_are_alike_and_at_least_one_range_above_any_cost(costs):
    y, failed = finite_costs(costs), np.isinf(costs)
    assert np.isfinite(y).all()
    if failed.all():
        assert (y == 0).all()
    elif failed.any():
        np.testing.assert_array_equal(y[~failed], costs[~failed])
        assert np.ptp(y[failed]) == 0
        assert y[failed][0] - costs[~failed].max() >= max(np.ptp(costs[~failed]), 1e-9)


def test_who_did_not_run_stays_nan():
    y = finite_costs(np.array([[1.0, np.nan, np.inf], [0.0, np.nan, 2.0]]))
    assert np.isnan(y[:, 1]).all()
    assert not np.isnan(y[:, [0, 2]]).any()
