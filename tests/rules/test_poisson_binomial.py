"""The race over data sets."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from racing.rules import PoissonBinomial
from racing.stats.t_tests import correlated_t_test
from tests.rules.seen import judge, noisy, out
from tests.rules.test_correlated import folds


def by_hand(costs: np.ndarray, groups: np.ndarray, leader: int, other: int) -> float:
    """P(the leader wins more data sets) + half of P(as many), over all ways to win."""
    p = [
        1 - float(correlated_t_test(
            costs[groups == g, leader], costs[groups == g, other], rho=0.1, alternative="better"
        ).pvalue)
        for g in np.unique(groups)
    ]  # fmt: skip
    total = 0.0
    for wins in itertools.product((0, 1), repeat=len(p)):
        weight = np.prod([q if win else 1 - q for q, win in zip(p, wins, strict=True)])
        balance = 2 * sum(wins) - len(p)
        total += weight * (1.0 if balance > 0 else 0.5 if balance == 0 else 0.0)
    return total


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("sets", [3, 4])
def test_it_counts_the_ways_to_win_most_data_sets(seed, sets):
    costs = noisy(5, 4 * sets, seed=seed, gap=0.7)
    groups = np.arange(4 * sets) % sets
    leader = int(costs.mean(axis=0).argmin())
    verdict = judge(PoissonBinomial(), folds(costs, groups), "mean", correlation=0.1)
    found = {e.candidate: e.value for e in verdict.eliminated}
    for j in set(range(5)) - {leader}:
        expected = by_hand(costs, groups, leader, j)
        assert (j + 1 in found) == (expected > 0.95)
        if j + 1 in found:
            assert found[j + 1] == pytest.approx(expected)


def test_one_data_set_with_huge_differences_does_not_decide():
    rng = np.random.default_rng(1)
    costs = rng.normal(size=(30, 2)) * 0.1
    groups = np.arange(30) % 3
    costs[groups == 0, 1] += 100.0
    assert not out(PoissonBinomial(), folds(costs, groups), "mean", correlation=0.1)
    costs[:, 1] += 1.0
    assert out(PoissonBinomial(), folds(costs, groups), "mean", correlation=0.1) == {2}


def test_single_folds_decide_nothing():
    assert not out(PoissonBinomial(), folds(noisy(4, 3, seed=1, gap=9), np.arange(3)), "mean")
