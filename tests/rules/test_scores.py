"""What rules average: scores, and by how much candidates differ in them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata

from racing.core.objective import standing
from racing.rules.scores import finite_costs, scores, stakes
from tests.rules.seen import noisy, seen

OBJECTIVES = st.sampled_from(["rank", "mean"])
both = pytest.mark.parametrize("objective", ["rank", "mean"])

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


def stakes_by_hand(results, objective, leader) -> float:
    """As the docstring tells it, number by number; failures are one range above the worst."""
    survivors = [int(j) for j in results.survivors]
    rows = [row for row in results.costs if not any(math.isnan(row[j]) for j in survivors)]
    finite = [c for row in rows for c in row if math.isfinite(c)] or [0.0]
    failure = max(finite) + ((max(finite) - min(finite)) or abs(max(finite)) or 1.0)
    behind: dict[int, list[float]] = {}
    for row in rows:
        there = [j for j, c in enumerate(row) if not math.isnan(c)]
        if objective == "mean":
            score = {j: failure if math.isinf(row[j]) else row[j] for j in there}
        else:
            ranks = rankdata([row[j] for j in there]) / len(there)
            score = dict(zip(there, ranks, strict=True))
        for j in there:
            behind.setdefault(j, []).append(score[j] - score[survivors[leader]])
    roots = [math.sqrt(abs(sum(d) / len(d))) for d in behind.values()]
    return (sum(roots) / len(roots)) ** 2


@both
@pytest.mark.parametrize("leader", range(4))
@pytest.mark.parametrize("seed", range(5))
def test_stakes_are_what_the_docstring_says(objective, leader, seed):
    """With any survivor for the leader, so that others are behind and ahead."""
    results = shrinking(seed)
    expected = stakes_by_hand(results, objective, leader)
    assert stakes(results, objective, leader) == pytest.approx(expected)


@given(costs=COSTS, objective=OBJECTIVES, data=st.data())
def test_so_they_are_with_any_number_dropped_at_any_time(costs, objective, data):
    """And with failures; who is dropped may have left before the first instance."""
    n, m = costs.shape
    alive = data.draw(st.integers(1, m))
    for j in range(alive, m):
        costs[data.draw(st.integers(0, n)) :, j] = np.nan
    results = seen(costs, survivors=range(alive))
    leader = data.draw(st.integers(0, alive - 1))
    expected = stakes_by_hand(results, objective, leader)
    assert stakes(results, objective, leader) == pytest.approx(expected, rel=1e-6, abs=1e-12)


def test_stakes_of_four_that_can_be_seen_through():
    costs = np.tile([0.0, 1.0, 4.0, 9.0], (4, 1)) + np.arange(4)[:, None]
    assert stakes(seen(costs), "mean", 0) == pytest.approx(1.5**2)
    assert stakes(seen(costs), "rank", 0) == pytest.approx((1 + 2**0.5 + 3**0.5) ** 2 / 4**3)
    assert stakes(seen(costs[:, :3]), "mean", 0) == pytest.approx(1)
    assert stakes(seen(costs[:, :2]), "mean", 0) == pytest.approx(0.5**2)


def test_who_was_dropped_counts_by_the_instances_that_it_saw():
    """The third is behind by 4 wherever it ran: when it left makes no difference for costs."""
    costs = np.tile([0.0, 9.0, 4.0], (6, 1)) + np.arange(6)[:, None]
    costs[2:, 2] = np.nan
    results = seen(costs, survivors=[0, 1])
    assert stakes(results, "mean", 0) == pytest.approx((5 / 3) ** 2)
    # Shares 1/3, 3/3 and 2/3 on two instances, 1/2 and 2/2 on four
    second, third = (2 * 2 / 3 + 4 * 1 / 2) / 6, 1 / 3
    assert stakes(results, "rank", 0) == pytest.approx((second**0.5 + third**0.5) ** 2 / 9)


@both
def test_the_dropped_are_a_part_of_what_is_at_stake(objective):
    costs = noisy(6, 30, seed=1)
    costs[10:, 3:] = np.nan
    among_survivors = stakes(seen(costs[:, :3]), objective, 0)
    assert stakes(seen(costs, survivors=[0, 1, 2]), objective, 0) > 1.2 * among_survivors


@pytest.mark.parametrize("there", [5, 20])
@pytest.mark.parametrize("far", [1e2, 1e6, np.inf])
def test_how_hopeless_a_few_are_does_not_matter_for_ranks(there, far):
    """Three of eight; dropped after five instances, or there to the end."""
    costs = noisy(8, 20, seed=1)
    found = []
    for distance in (10.0, far):
        costs[:there, 5:] = distance
        costs[there:, 5:] = np.nan
        found.append(stakes(seen(costs, survivors=range(5)), "rank", 0))
    assert found[1] == pytest.approx(found[0], rel=1e-12)


@pytest.mark.parametrize("there", [3, 10])
@pytest.mark.parametrize("far", [1.0, 10.0, 100.0])
def test_one_that_is_hopeless_among_many_raises_stakes_little(there, far):
    """Of m, at a distance of f times what is at stake: by (1 + √f/m)² at most.

    At 100 times, among 40: by at most 56 %; their mean distance would more than triple.
    """
    m, n = 40, 10
    costs = noisy(m, n, seed=1, gap=0.1)
    without = stakes(seen(costs[:, :-1]), "mean", 0)
    costs[:, -1] = costs[:, 0] + far * without
    costs[there:, -1] = np.nan
    found = stakes(seen(costs, survivors=range(m - 1)), "mean", 0)
    assert found == pytest.approx(without * ((m - 1) / m + math.sqrt(far) / m) ** 2)
    assert found <= without * (1 + math.sqrt(far) / m) ** 2


@both
def test_one_that_always_fails_raises_stakes_little(objective):
    """A failure is one range above the worst, so that nobody is farther than two ranges away."""
    m = 40
    costs = noisy(m, 10, seed=1, gap=0.1)
    without = stakes(seen(costs[:, :-1]), objective, 0)
    farthest = 2 * np.ptp(costs[:, :-1]) if objective == "mean" else 1.0
    costs[:, -1] = np.inf
    bound = without * (1 + math.sqrt(farthest / without) / m) ** 2
    assert stakes(seen(costs), objective, 0) <= bound < 1.2 * without


@both
def test_who_is_level_with_the_leader_counts_as_nothing(objective):
    costs = np.tile([0.0, 0.0, 0.0, 4.0, 9.0], (6, 1)) + np.arange(6)[:, None]
    expected = {"mean": 1.0, "rank": (math.sqrt(2 / 5) + math.sqrt(3 / 5)) ** 2 / 25}
    assert stakes(seen(costs), objective, 0) == pytest.approx(expected[objective])


def test_who_is_level_but_for_rounding_is_level():
    """Two of three have the same mean, by other costs: 0.1 + 0.1 + 0.1 is not 0.3."""
    costs = np.array([[0.1, 0.3, 2.0], [0.1, 0.0, 2.0], [0.1, 0.0, 2.0]])
    assert stakes(seen(costs), "mean", 1) == pytest.approx(1.9 / 3**2)


@given(
    seed=st.integers(0, 2**16),
    level=st.integers(0, 8),
    size=st.sampled_from([1e-12, 1e-9, 1e-6, 1e-3, 0.1, 1.0]),
)
def test_small_changes_of_costs_change_stakes_little(seed, level, size):
    """Distances change by no more than 2·size each, so √D by no more than √(2·size)."""
    rng = np.random.default_rng(seed)
    costs = noisy(9, 6, seed=seed)
    costs[:, :level] = costs[:, [0]]  # so that many may be level with the leader
    other = costs + rng.uniform(-size, size, size=costs.shape)
    before, after = (math.sqrt(stakes(seen(c), "mean", 0)) for c in (costs, other))
    assert abs(after - before) <= math.sqrt(2 * size)


def test_who_is_ahead_of_the_leader_counts_by_its_distance_too():
    """With `mean` the leader is who failed least, also where failures as numbers weigh less."""
    costs = np.tile([0.0, 0.0, 0.0, 100.0], (20, 1))
    costs[[0, 1, 2], [0, 1, 2]] = np.inf
    results = seen(costs)
    assert standing(results, "mean")[0] == 3
    assert stakes(results, "mean", 3) == pytest.approx((3 / 4) ** 2 * (100 - 200 / 20))


@pytest.mark.parametrize("constant", [-5.0, 0.1, 1e6])
def test_a_constant_added_to_all_costs_is_not_at_stake(constant):
    """Failures included, which are in units of the range."""
    costs = shrinking(1).costs
    one, other = (seen(c, survivors=[1, 3, 5, 6]) for c in (costs, costs + constant))
    for leader in range(4):
        assert stakes(other, "mean", leader) == pytest.approx(stakes(one, "mean", leader))


def test_what_an_instance_costs_all_is_not_at_stake():
    costs = noisy(5, 12, seed=1)
    effects = 100 * np.random.default_rng(2).normal(size=(12, 1))
    assert stakes(seen(costs + effects), "mean", 0) == pytest.approx(stakes(seen(costs), "mean", 0))


@pytest.mark.parametrize("factor", [1e-14, 0.3, 1e9])
def test_stakes_are_in_units_of_cost(factor):
    costs = noisy(5, 12, seed=1)
    expected = factor * stakes(seen(costs), "mean", 0)
    assert stakes(seen(factor * costs), "mean", 0) == pytest.approx(expected, rel=1e-12, abs=0)


@both
@pytest.mark.parametrize("value", [0.0, 0.1, 2.0, np.inf])
def test_nothing_is_at_stake_among_equals(objective, value):
    """Nor does it matter that instances differ."""
    costs = np.full((5, 3), value)
    assert stakes(seen(costs), objective, 0) == 0
    assert stakes(seen(costs + np.arange(5)[:, None]), objective, 0) == 0


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


@both
def test_rows_that_a_survivor_has_not_seen_do_not_count(objective):
    results = shrinking(0)
    later = seen(results.costs[3:], survivors=results.survivors)
    np.testing.assert_allclose(scores(results, objective), scores(later, objective))
    for leader in range(4):
        assert stakes(results, objective, leader) == pytest.approx(stakes(later, objective, leader))


def test_costs_without_failures_are_scores_as_they_are():
    costs = noisy(3, 8, seed=1)
    np.testing.assert_array_equal(scores(seen(costs), "mean"), costs)


def test_a_failure_is_as_many_ranges_above_the_worst_cost_as_there_are_instances():
    costs = np.array([[-5.0, np.inf, 3.0], [4.0, 0.0, np.inf]])
    expected = np.array([[-5.0, 22.0, 3.0], [4.0, 0.0, 22.0]])
    np.testing.assert_array_equal(scores(seen(costs), "mean"), expected)


@given(costs=COSTS)
def test_failures_are_alike_and_at_least_one_range_above_any_cost(costs):
    y, failed = finite_costs(costs, ranges=1), np.isinf(costs)
    assert np.isfinite(y).all()
    if failed.all():
        assert (y == 0).all()
    elif failed.any():
        np.testing.assert_array_equal(y[~failed], costs[~failed])
        assert np.ptp(y[failed]) == 0
        assert y[failed][0] - costs[~failed].max() >= max(np.ptp(costs[~failed]), 1e-9)


@given(costs=COSTS, factor=st.sampled_from([2.0**-30, 2.0**20]))
def test_units_of_cost_do_not_matter_to_what_a_failure_counts(costs, factor):
    assume((np.isfinite(costs) & (costs != 0)).any())  # else a failure is 1
    np.testing.assert_array_equal(
        finite_costs(factor * costs, ranges=3), factor * finite_costs(costs, ranges=3)
    )


def test_who_did_not_run_stays_nan():
    y = finite_costs(np.array([[1.0, np.nan, np.inf], [0.0, np.nan, 2.0]]), ranges=1)
    assert np.isnan(y[:, 1]).all()
    assert not np.isnan(y[:, [0, 2]]).any()
