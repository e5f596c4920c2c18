"""Conover's comparisons against the F-race's rule, definitions and the null."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.special import stdtrit

from racing.base.errors import InputError
from racing.stats.friedman import friedman
from racing.stats.mean_ranks import conover
from racing.stats.ranks import rank_rows

tables = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, max_side=6),
    elements=st.sampled_from([0.0, 1.0, 2.0, np.inf]),
)


@given(arrays(np.float64, (6, 4), elements=st.integers(0, 5)))
def test_the_least_significant_difference_of_rank_sums(X: np.ndarray) -> None:
    """The race of the field's reference: |R_i − R_best| > t √(2(nA − ΣR²)/((n−1)(m−1)))."""
    n, m = X.shape
    R = rank_rows(X)
    totals = R.sum(axis=0)
    squared = 2 * (n * (R**2).sum() - (totals**2).sum()) / ((n - 1) * (m - 1))
    least = -stdtrit((n - 1) * (m - 1), 0.025) * math.sqrt(max(squared, 0))
    if least < 1e-6:
        return
    result = conover(X, control="best")
    assert result.critical_difference() == pytest.approx(least / n)
    beyond = totals - totals.min() > least
    borderline = np.abs(totals - totals.min() - least) < 1e-9
    assert ((result.pvalues < 0.05) == beyond)[~borderline].all()
    assert result.control == int(np.argmin(totals))


def test_two_columns_by_hand() -> None:
    X = np.array([[0.0, 1.0]] * 8 + [[1.0, 0.0]] * 2)
    result = conover(X)
    # Rank sums 12 and 18, Σr² = 50: √(2(500 − 468)/9) = 8/3.
    assert result.statistic[1, 0] == pytest.approx(6 / (8 / 3))
    assert result.df == 9
    assert result.standard_error == pytest.approx(8 / 30)


def test_anova_of_the_ranks() -> None:
    from racing.stats.anova import anova

    X = np.random.default_rng(1).integers(0, 6, (12, 5)).astype(float)
    n = X.shape[0]
    w = friedman(X).concordance
    f = (n - 1) * w / (1 - w)
    assert anova(rank_rows(X)).statistic == pytest.approx(f)
    # With two columns, t² is that F.
    pair = conover(X[:, :2])
    assert pair.statistic[0, 1] ** 2 == pytest.approx(anova(rank_rows(X[:, :2])).statistic)


@given(tables)
def test_laws(X: np.ndarray) -> None:
    pairs = conover(X)
    m = X.shape[1]
    np.testing.assert_array_equal(pairs.statistic, -pairs.statistic.T)
    np.testing.assert_array_equal(pairs.pvalues, pairs.pvalues.T)
    assert not np.isnan(pairs.statistic).any()
    assert ((pairs.pvalues >= 0) & (pairs.pvalues <= 1)).all()
    assert (np.diag(pairs.pvalues) == 1).all()
    for control in range(m):
        one = conover(X, control=control)
        np.testing.assert_array_equal(one.statistic, pairs.statistic[:, control])
        np.testing.assert_array_equal(one.pvalues, pairs.pvalues[:, control])
    assert conover(X, control="best").statistic.min() == 0
    again = conover(rank_rows(X), ranked=True)
    np.testing.assert_array_equal(again.statistic, pairs.statistic)
    assert pairs.critical_difference() >= 0


def test_rows_ranked_alike_claim_no_more_than_the_table_holds() -> None:
    result = conover([[1, 2, 2]] * 3)
    assert result.statistic[1, 0] == math.inf
    assert result.statistic[1, 2] == 0
    assert result.standard_error == 0
    assert result.pvalues[0, 1] == pytest.approx(1 / 9)
    assert result.pvalues[1, 2] == 1
    assert conover([[1, 2]] * 2).pvalues[0, 1] == pytest.approx(0.5)
    one = conover([[1, 2, 3]])
    assert (one.pvalues == 1).all()
    assert one.critical_difference() == math.inf
    assert (conover(np.ones((4, 3))).pvalues == 1).all()
    assert conover([[1.0], [2.0]]).pvalues.tolist() == [[1.0]]


def test_bad_arguments() -> None:
    X = np.ones((3, 3))
    for control, says in [("worst", "'best'"), (3, "0 to 2"), (1.0, "a column from")]:
        with pytest.raises(InputError, match=says):
            conover(X, control=control)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="alpha"):
        conover([[1, 2], [2, 1]]).critical_difference(2)
    with pytest.raises(InputError, match="NaN"):
        conover([[math.nan]])


@pytest.mark.parametrize("levels", [3, 1000])
def test_calibration_of_one_pair(levels: int) -> None:
    """4,000 null tables (n=12, m=5) at .05: standard error .0035."""
    rng = np.random.default_rng(levels)
    drawn = rng.integers(0, levels, (4000, 12, 5)).astype(float)
    rate = np.mean([conover(X, control=0).pvalues[1] <= 0.05 for X in drawn])
    assert 0.039 < rate < 0.061
