"""Friedman's aligned ranks: García et al. (2010), the definition, and edges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, rankdata

from racing.base.errors import InputError
from racing.stats import aligned_ranks
from tests.stats.garcia_2010 import COSTS


def test_the_mean_ranks_that_garcia_et_al_print():
    found = aligned_ranks(COSTS, digits=None)
    printed = [29.333333333, 46.791666667, 46.979166667, 70.895833333]
    assert found.comparisons.means == pytest.approx(printed, abs=0.05)


def test_their_p_values_against_the_control():
    """z = (R̂_i − R̂_j)/√(m(nm + 1)/6): their p-values hold with the number of cells for n."""
    found = aligned_ranks(COSTS, control=0)
    printed = [1.0, 0.029930144495582865, 0.02821169615547655, 2.3602680011265347e-7]
    assert found.comparisons.pvalues == pytest.approx(printed, rel=0.02)
    ranks = np.array([29.333333333333332, 46.79166666666666, 46.97916666666667, 70.89583333333334])
    z = (ranks[1:] - ranks[0]) / np.sqrt(4 * (4 * 24 + 1) / 6)
    assert 2 * norm.sf(z) == pytest.approx(printed[1:], rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_printed_formula(seed):
    rng = np.random.default_rng(seed)
    costs = np.round(rng.normal(size=(7, 4)), 2)
    n, m = costs.shape
    ranks = rankdata(np.round(costs - costs.mean(axis=1, keepdims=True), 10)).reshape(n, m)
    top = (m - 1) * ((ranks.sum(axis=0) ** 2).sum() - m * n**2 / 4 * (m * n + 1) ** 2)
    below = m * n * (m * n + 1) * (2 * m * n + 1) / 6 - (ranks.sum(axis=1) ** 2).sum() / m
    assert aligned_ranks(costs).statistic == pytest.approx(top / below)


def test_it_keeps_its_level():
    rng = np.random.default_rng(1)
    p = [aligned_ranks(rng.normal(size=(15, 4))).pvalue for _ in range(2000)]
    assert np.mean(np.array(p) < 0.05) == pytest.approx(0.05, abs=0.015)


def test_the_statistic_printed_by_garcia_et_al_cannot_be():
    """18.84 needs a denominator above Σ(r − r̄)², from which the formula only takes away."""
    found = aligned_ranks(COSTS, digits=None)
    totals = 24 * (found.comparisons.means - 48.5)
    assert 3 * (totals**2).sum() / 18.84087854240361 > 96 * (96**2 - 1) / 12
    assert found.statistic == pytest.approx(22.26, abs=0.01)


def test_shifts_of_instances_do_not_matter_and_equal_differences_tie():
    costs = np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [5.0, 5.1, 5.2]])
    found = aligned_ranks(costs)
    assert found.comparisons.means.tolist() == [2.0, 5.0, 8.0]


def test_edges():
    assert aligned_ranks(np.ones((3, 3))).pvalue == 1.0
    assert aligned_ranks([[1.0, 2.0]]).df == 1
    with pytest.raises(InputError, match="finite costs"):
        aligned_ranks([[1.0, np.inf], [1.0, 2.0]])
    with pytest.raises(InputError, match="control"):
        aligned_ranks([[1.0, 2.0]], control=2)
