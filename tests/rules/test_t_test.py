"""Paired t-tests against the leader."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from racing.rules import TTest
from racing.stats.corrections import adjust
from tests.rules.seen import judge, noisy, out


@pytest.mark.parametrize("correction", ["none", "holm", "bonferroni"])
@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_paired_t_test_of_costs(seed, correction):
    costs = noisy(6, 12, seed=seed, gap=0.3)
    best = int(costs.mean(axis=0).argmin())
    p = np.array([1.0 if j == best else scipy.stats.ttest_rel(costs[:, j], costs[:, best]).pvalue
                  for j in range(6)])  # fmt: skip
    p[[j for j in range(6) if j != best and (costs[:, best] < costs[:, j]).all()]] = 0.0
    expected = {int(j) + 1 for j in np.flatnonzero(adjust(p, correction) < 0.05)}
    assert out(TTest(correction=correction), costs, "mean") == expected


def test_corrections_only_ever_keep_more():
    kept = {"none": 0, "holm": 0, "bonferroni": 0}
    for seed in range(30):
        costs = noisy(8, 10, seed=seed, gap=0.2)
        gone = {name: out(TTest(correction=name), costs, "mean") for name in kept}
        assert gone["bonferroni"] <= gone["holm"] <= gone["none"]
        for name in kept:
            kept[name] += 8 - len(gone[name])
    assert kept["none"] < kept["holm"] <= kept["bonferroni"]


def test_always_worse_counts_as_certain_and_an_equal_mean_as_nothing():
    always_worse = [[0.0, 1e-4], [0.0, 1e-4], [0.0, 1e-3], [0.0, 9.0]]
    assert [e.value for e in judge(TTest(), always_worse, "mean").eliminated] == [0.0]
    assert not out(TTest(), [[0.0, 1.0], [1.0, 0.0]] * 9, "mean")
    assert not out(TTest(), [[1.0, 1.0]] * 9, "mean")
    assert not out(TTest(), [[1.0, 1.0 + 1e-9]] * 9, "mean")


def test_one_difference_among_ties_decides_nothing():
    assert not out(TTest(), [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]], "mean")


def test_one_instance_decides_nothing():
    assert not out(TTest(), [[0.0, 1.0, 2.0]], "mean")


def test_with_ranks_sizes_do_not_matter():
    costs = noisy(6, 25, seed=4)
    costs[:, 5] += 3
    assert judge(TTest(), costs) == judge(TTest(), np.exp(costs))
    assert out(TTest(), costs)


def test_a_failure_is_worse_than_any_cost():
    costs = noisy(3, 12, seed=5, gap=0.0)
    costs[::2, 2] = np.inf
    assert out(TTest(), costs, "mean") == {3}


def two_orders(seed: int) -> np.ndarray:
    """(40, 6) costs whose first two columns are in one order by levels, in another by means.

    The first is ahead by little on the usual instances, where costs lie close together, and
    behind by more on the others, where they do not.
    """
    rng = np.random.default_rng(seed)
    costs = rng.uniform(size=(40, 6))
    seldom = rng.random(40) < 0.4
    costs[seldom] = 100 * np.exp(0.5 * rng.normal(size=(seldom.sum(), 6)))
    costs *= 1 + 0.1 * np.arange(6)
    costs[:, 0] = costs[:, 1] + np.where(seldom, 1.0, -0.05)
    return costs


def test_whoever_has_a_lower_mean_than_the_leader_stays():
    """The leader has the best estimated mean; a test of plain means has two sides."""
    better = 0
    for seed in range(30):
        costs = two_orders(seed)
        verdict = judge(TTest(), costs, "mean")
        mean, leader = costs.mean(axis=0), verdict.leader - 1
        assert all(mean[e.candidate - 1] > mean[leader] for e in verdict.eliminated)
        below = np.flatnonzero(mean < mean[leader])
        p = scipy.stats.ttest_rel(costs[:, below], costs[:, [leader]]).pvalue
        better += int((p < 0.05).any())
    assert better >= 5
