"""Quade's test against the textbook, its formula, permutations and the null."""

from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from racing.base.errors import InputError
from racing.stats.weighted_ranks import quade
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
