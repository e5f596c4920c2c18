"""Durbin's test: Conover's example, Friedman's test as a special case, and permutations."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from scipy.stats import friedmanchisquare

from racing.base.errors import InputError
from racing.stats import durbin

NO = np.nan
ICE_CREAM = np.array(
    [
        [2, 3, NO, 1, NO, NO, NO], [NO, 3, 1, NO, 2, NO, NO], [NO, NO, 2, 1, NO, 3, NO],
        [NO, NO, NO, 1, 2, NO, 3], [3, NO, NO, NO, 1, 2, NO], [NO, 3, NO, NO, NO, 1, 2],
        [3, NO, 1, NO, NO, NO, 2],
    ]
)  # fmt: skip
"""Conover (1999), 5.9, example 1: seven varieties, three given to each of seven people."""


def test_conover_s_example():
    found = durbin(ICE_CREAM, reference="chi2")
    assert (found.k, found.r, found.pairs) == (3, 3, 1)
    assert found.statistic == pytest.approx(12.0)
    assert found.df == (6,)
    assert found.pvalue == pytest.approx(0.06197, abs=5e-6)
    f = durbin(ICE_CREAM)
    assert f.statistic == pytest.approx(8.0)
    assert f.df == (6, 8)


@pytest.mark.parametrize("seed", range(5))
def test_with_complete_blocks_it_is_friedman_s_test(seed):
    costs = np.round(np.random.default_rng(seed).normal(size=(6, 4)), 1)
    found = durbin(costs, reference="chi2")
    reference = friedmanchisquare(*costs.T)
    assert found.statistic == pytest.approx(reference.statistic)
    assert found.pvalue == pytest.approx(reference.pvalue)


def test_its_mean_and_level_over_all_rankings_of_a_design():
    """Over all 6⁴ rankings of 4 blocks of 3, the mean of T1 is its degrees of freedom."""
    blocks = [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    statistics = []
    for rankings in product(list(permutations((1.0, 2.0, 3.0))), repeat=4):
        costs = np.full((4, 4), NO)
        for row, (block, ranks) in enumerate(zip(blocks, rankings, strict=True)):
            costs[row, list(block)] = ranks
        statistics.append(durbin(costs, reference="chi2").statistic)
    assert np.mean(statistics) == pytest.approx(3.0)


def test_only_the_order_within_a_block_matters():
    shifted = np.exp(ICE_CREAM) + 10 * np.arange(7)[:, None]
    assert durbin(shifted).statistic == pytest.approx(durbin(ICE_CREAM).statistic)


def test_failures_are_worst_and_tie():
    costs = np.array([[1.0, np.inf, NO], [1.0, NO, np.inf], [NO, np.inf, np.inf]])
    assert durbin(costs).mean_ranks.tolist() == [1.0, 1.75, 1.75]


def test_edges():
    assert durbin(np.ones((3, 3))).pvalue == 1.0
    perfect = durbin([[1.0, 2.0], [1.0, 2.0]])
    assert (perfect.statistic, perfect.pvalue) == (np.inf, 0.0)
    for bad, what in (
        ([[1.0, NO], [1.0, 2.0]], "algorithms on each instance"),
        ([[1.0, 2.0, NO], [1.0, NO, 2.0]], "instances of each algorithm"),
        ([[1, 2, NO, NO], [NO, NO, 1, 2]], "common instances"),
        ([[1.0, -np.inf]], "infinitely good"),
        ([1.0, 2.0], "must be numbers"),
        (np.ma.masked_array([[1.0, 2.0]], [[True, False]]), "masked"),
    ):
        with pytest.raises(InputError, match=what):
            durbin(bad)
