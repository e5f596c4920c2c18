"""The exact Friedman test against enumeration, published tables and Monte Carlo."""

from __future__ import annotations

import sys
from functools import partial
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from racing.base.errors import InputError
from racing.stats.friedman import friedman
from racing.stats.ranks import rank_rows

iman_davenport = partial(friedman, reference="F")
friedman_exact = partial(friedman, reference="exact")
friedman_permutation = partial(friedman, reference="permutation")


def p_by_enumeration(X: np.ndarray) -> float:
    """Every order of every row, counted."""
    R = rank_rows(X)
    observed = (R.sum(axis=0) ** 2).sum()
    squares = [(np.sum(rows, axis=0) ** 2).sum() for rows in product(*(permutations(r) for r in R))]
    return float(np.mean(np.array(squares) >= observed - 1e-9))


@settings(max_examples=60)
@given(
    st.sampled_from([(1, 3), (2, 2), (5, 2), (2, 3), (3, 3), (4, 3), (2, 4)]).flatmap(
        lambda shape: arrays(np.float64, shape, elements=st.sampled_from([0.0, 1.0, 2.0, np.inf]))
    )
)
def test_every_arrangement_counted(X: np.ndarray) -> None:
    result = friedman_exact(X)
    assert result.pvalue == pytest.approx(p_by_enumeration(X), abs=1e-12)
    assert result.statistic == friedman(X).statistic
    assert result.df == ()


# Friedman's exact upper tails as printed in the textbooks: (rank sums' χ², n, m, P).
PUBLISHED = [
    (6.0, 3, 3, 0.0278),
    (6.5, 4, 3, 0.0417),
    (8.0, 4, 3, 0.0046),
    (6.4, 5, 3, 0.0394),
    (7.4, 3, 4, 0.0330),
    (9.0, 3, 4, 0.0017),
    (7.8, 4, 4, 0.0364),
]


@pytest.mark.parametrize(("chi2", "n", "m", "p"), PUBLISHED)
def test_published_tails(chi2: float, n: int, m: int, p: float) -> None:
    rng = np.random.default_rng(1)
    for _ in range(20_000):  # any table with this χ² will do
        X = rng.permuted(np.tile(np.arange(m, dtype=float), (n, 1)), axis=1)
        if friedman(X).statistic == pytest.approx(chi2):
            assert round(friedman_exact(X).pvalue, 4) == p
            return
    pytest.fail("no table with this statistic was drawn")


def test_two_columns_are_the_sign_test() -> None:
    from scipy.stats import binomtest

    X = np.array([[0.0, 1.0]] * 11 + [[1.0, 0.0]] * 3 + [[1.0, 1.0]] * 4)  # ties carry nothing
    assert friedman_exact(X).pvalue == pytest.approx(binomtest(11, 14).pvalue)


def test_all_rows_alike() -> None:
    X = [[1, 2, 2, 3]] * 4
    assert friedman_exact(X).pvalue == pytest.approx(iman_davenport(X).pvalue)
    assert friedman_exact(np.ones((3, 4))).pvalue == 1.0
    assert friedman_exact([[1.0, 2.0, 3.0]]).pvalue == 1.0
    assert friedman_exact([[1.0]]).pvalue == 1.0


def test_larger_tables_meet_their_approximation() -> None:
    X = np.random.default_rng(3).normal(size=(60, 3)) + np.array([0, 0.2, 0.3])
    assert friedman_exact(X).pvalue == pytest.approx(iman_davenport(X).pvalue, rel=0.05)


def test_binary_outcomes_reach_further() -> None:
    X = np.random.default_rng(4).integers(0, 2, (12, 8)).astype(float)
    exact = friedman_exact(X)
    drawn = friedman_permutation(X, rng=np.random.default_rng(5), draws=20_000)
    assert drawn.pvalue == pytest.approx(exact.pvalue, abs=4 * drawn.p_error)


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(6).integers(0, 3, (7, 4)).astype(float)
    whole = friedman_exact(X).pvalue
    monkeypatch.setattr(sys.modules["racing.stats.friedman"], "_BLOCK", 7)
    assert friedman_exact(X).pvalue == pytest.approx(whole, abs=1e-14)


@pytest.mark.parametrize("shape", [(2, 12), (5, 9), (40, 8)])
def test_too_large_is_said_at_once(shape: tuple[int, int]) -> None:
    X = np.random.default_rng(7).random(shape)
    with pytest.raises(InputError, match="reference='permutation'"):
        friedman_exact(X)


def test_permutation_pvalues() -> None:
    X = np.random.default_rng(8).normal(size=(8, 4)) + np.array([0, 0, 0.5, 1])
    exact = friedman_exact(X).pvalue
    drawn = friedman_permutation(X, rng=np.random.default_rng(9), draws=40_000)
    assert drawn.df == ()
    assert drawn.pvalue == pytest.approx(exact, abs=4 * drawn.p_error)
    again = friedman_permutation(X, rng=np.random.default_rng(9), draws=40_000)
    assert again.pvalue == drawn.pvalue
    strong = np.tile(np.arange(10.0), (9, 1))
    assert friedman_permutation(strong, rng=np.random.default_rng(1), draws=99).pvalue == 0.01
    assert friedman_permutation(np.ones((3, 4)), rng=np.random.default_rng(1), draws=9).pvalue == 1
    with pytest.raises(InputError, match="draws"):
        friedman_permutation(X, rng=np.random.default_rng(1), draws=0)


@pytest.mark.parametrize("levels", [2, 50])
def test_exact_size_under_the_null(levels: int) -> None:
    """P(p <= .05) is at most .05 whatever the ties: 2,000 tables, standard error .005."""
    rng = np.random.default_rng(10 + levels)
    ps = [friedman_exact(rng.integers(0, levels, (6, 3)).astype(float)).pvalue for _ in range(2000)]
    assert 0.01 < np.mean(np.array(ps) <= 0.05) < 0.06
