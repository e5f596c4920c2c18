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
    p[[j for j in range(6) if j != best and (costs[:, best] <= costs[:, j]).all()]] = 0.0
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


def test_never_better_counts_as_certain_and_an_equal_mean_as_nothing():
    never_better = [[0.0, 0.0], [0.0, 0.0], [0.0, 1e-3], [0.0, 9.0]]
    assert [e.value for e in judge(TTest(), never_better, "mean").eliminated] == [0.0]
    assert not out(TTest(), [[0.0, 1.0], [1.0, 0.0]] * 9, "mean")
    assert not out(TTest(), [[1.0, 1.0]] * 9, "mean")


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


def test_whoever_has_a_lower_mean_than_the_leader_stays():
    """The leader failed less often, yet its mean is significantly higher: a test has two sides."""
    costs = noisy(2, 20, seed=6, gap=0.0)
    costs[:, 0] += 100
    costs[3, 1] = np.inf
    verdict = judge(TTest(), costs, "mean")
    assert verdict.leader == 1
    assert not verdict.eliminated
    penalized = np.where(np.isinf(costs), 200.0, costs)  # a failure counts a range above the worst
    assert scipy.stats.ttest_rel(penalized[:, 0], penalized[:, 1]).pvalue < 0.05
