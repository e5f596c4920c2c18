"""Quade's test against the textbook, its formula, permutations and the null."""

from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.stats import norm, rankdata

from racing.base.errors import InputError
from racing.stats import aligned_ranks
from racing.stats.mean_ranks import quade
from tests.stats.garcia_2010 import COSTS

# Conover (1999), section 5.8: sales of five brands in seven stores; F = 3.83, p = .015.
STORES = [
    [5, 4, 7, 10, 12],
    [1, 3, 1, 0, 2],
    [16, 12, 22, 22, 35],
    [5, 4, 3, 5, 4],
    [10, 9, 7, 13, 10],
    [19, 18, 28, 37, 58],
    [10, 7, 6, 8, 7],
]


def test_the_textbook_example() -> None:
    result = quade(STORES)
    assert result.df == (4, 24)
    assert round(result.statistic, 4) == 3.8293
    assert round(result.pvalue, 5) == 0.01519
    assert result.weights.tolist() == [5, 2, 6, 1, 4, 7, 3]


def test_two_columns_are_wilcoxons_statistic() -> None:
    """With m = 2 the scores are the signed ranks of the differences."""
    d = np.array([3.0, -1.0, 2.0, 5.0, -4.0, 6.0])
    result = quade(np.column_stack([d, np.zeros(6)]))
    signed = np.sign(d) * [3, 1, 2, 5, 4, 6]
    a, b = (signed**2).sum() / 2, signed.sum() ** 2 / 2 / 6
    assert result.statistic == pytest.approx(5 * b / (a - b))


@given(
    arrays(
        np.float64,
        array_shapes(min_dims=2, max_dims=2, max_side=6),
        elements=st.sampled_from([0.0, 1.0, 2.0, 4.0, 1e308, -1e308, np.inf]),
    )
)
def test_laws(X: np.ndarray) -> None:
    result = quade(X)
    assert 0 <= result.pvalue <= 1
    assert result.statistic >= 0
    assert not np.isnan(result.scores).any()
    assert result.scores.sum() == pytest.approx(0, abs=1e-9)
    mirrored = quade(X[::-1, ::-1])
    assert mirrored.statistic == pytest.approx(result.statistic)
    assert mirrored.pvalue == pytest.approx(result.pvalue)


def test_nothing_to_tell_apart_and_everything() -> None:
    for X in (np.ones((4, 3)), np.full((2, 2), np.inf), [[1.0], [5.0]], [[1.0]]):
        result = quade(X)
        assert (result.statistic, result.pvalue) == (0.0, 1.0)
    alike = quade([[1, 2, 3]] * 3)  # one range, one ranking
    assert alike.statistic == math.inf
    assert alike.pvalue == pytest.approx(1 / 36)
    assert quade([[1, 2, 3]]).pvalue == 1.0


def test_failures_weigh_most_and_failed_rows_nothing() -> None:
    result = quade([[0, 100], [np.inf, 5], [np.inf, np.inf]])
    assert result.weights.tolist() == [2, 3, 1]
    with pytest.raises(InputError, match="NaN"):
        quade([[1.0, math.nan]])


def test_p_is_near_the_exact_one() -> None:
    X = np.random.default_rng(1).normal(size=(5, 3)) + np.array([0, 0.7, 1.2])
    observed = quade(X)
    centred = np.arange(1.0, 4) - 2
    totals = [
        np.dot(observed.weights, rows) for rows in product(*(list(permutations(centred)),) * 5)
    ]
    b = (np.array(totals) ** 2).sum(axis=1)
    exact = np.mean(b >= ((observed.scores * 15) ** 2).sum() - 1e-9)
    assert observed.pvalue == pytest.approx(exact, abs=0.03)


@pytest.mark.parametrize("levels", [3, 1000])
def test_calibration_under_the_null(levels: int) -> None:
    """4,000 null tables (n=12, m=4) at .05: standard error .0035."""
    rng = np.random.default_rng(levels)
    drawn = rng.integers(0, levels, (4000, 12, 4)).astype(float)
    rate = np.mean([quade(X).pvalue <= 0.05 for X in drawn])
    assert 0.035 < rate < 0.063


def test_equal_ranges_tie_whatever_the_noise_of_floats():
    """0.3 − 0.2 is not 0.2 − 0.1 in floats; the weights are the ranks of the ranges."""
    costs = np.array([[0.1, 0.2], [0.2, 0.3], [0.5, 0.9]])
    assert quade(costs).weights.tolist() == [1.5, 1.5, 3.0]
    assert sorted(quade(costs, digits=None).weights.tolist()) == [1.0, 2.0, 3.0]
    assert quade(costs * 1e300).weights.tolist() == [1.5, 1.5, 3.0]


def test_the_mean_ranks_and_p_value_of_garcia_et_al():
    found = quade(COSTS)
    assert found.statistic == pytest.approx(11.767101928445534)
    assert found.pvalue == pytest.approx(2.579837843238313e-06)
    ranks = found.scores + 2.5
    assert ranks == pytest.approx([1.38833333, 2.53833333, 2.59166667, 3.48166667])


# --- Friedman's aligned ranks: García et al. (2010), the definition, and edges -------------------


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
    with pytest.raises(InputError, match="X must be finite"):
        aligned_ranks([[1.0, np.inf], [1.0, 2.0]])
    with pytest.raises(InputError, match="control"):
        aligned_ranks([[1.0, 2.0]], control=2)
