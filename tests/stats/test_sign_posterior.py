"""Pairwise posteriors against the paper, their closed forms, quadrature and Monte Carlo."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy import stats

from racing.base.errors import InputError
from racing.stats.sign_posterior import (
    Bound,
    beta_shapes,
    beta_tail,
    indistinguishable,
    marginal_posteriors,
)

DATA = Path(__file__).parents[1] / "data"


def statement_errors(wins: ArrayLike, losses: ArrayLike, bound: Bound = "precise") -> np.ndarray:
    """One minus `marginal_posteriors`, exact also where that is far below machine precision."""
    return beta_tail(*beta_shapes(np.asarray(wins), np.asarray(losses), s=1.0, bound=bound))


def test_table_1_marginals() -> None:
    with (DATA / "benavoli_2015_table1.csv").open() as file:
        printed = [float(row["one_minus_posterior"]) for row in csv.DictReader(file)]
    wins = np.array([30, 30, 30, 20, 20, 15])
    np.testing.assert_allclose(statement_errors(wins, 30 - wins), printed, atol=5e-5)


def test_theorem_2_is_a_beta_tail() -> None:
    w, l_ = np.meshgrid(np.arange(1, 40), np.arange(1, 40))
    expected = stats.beta.sf(0.5, w, l_)
    np.testing.assert_allclose(marginal_posteriors(w, l_), expected, atol=1e-14)
    np.testing.assert_allclose(marginal_posteriors(w, l_, s=7.0), expected, atol=1e-14)


def test_theorem_2_by_monte_carlo() -> None:
    rng = np.random.default_rng(1)
    s, signs = 2.5, np.array([1.0] * 9 + [-1.0] * 5 + [0.0] * 4)
    w = rng.dirichlet(np.append(np.ones(18), s), size=40_000)
    theta = w @ np.append((signs + 1) / 2, 0.5)
    error = 4 * np.sqrt(0.25 / 40_000)
    assert np.mean(theta > 0.5) == pytest.approx(marginal_posteriors(9, 5, s=s), abs=error)


def test_degenerate_counts() -> None:
    w, l_ = np.array([0, 3, 0]), np.array([0, 0, 3])
    assert marginal_posteriors(w, l_).tolist() == [0.5, 1, 0]
    assert marginal_posteriors(w, l_, bound="lower").tolist() == [0, 1 - 2.0**-3, 0]
    assert marginal_posteriors(w, l_, bound="upper").tolist() == [1, 1, 2.0**-3]
    assert marginal_posteriors(w, l_, bound="lower", s=0).tolist() == [0.5, 1, 0]


def test_bounds_enclose_and_close_with_the_prior() -> None:
    w, l_ = np.meshgrid(np.arange(20), np.arange(20))
    low, mid, high = (marginal_posteriors(w, l_, bound=b) for b in ("lower", "precise", "upper"))
    assert (low <= mid).all()
    assert (mid <= high).all()
    tight = marginal_posteriors(w, l_, bound="lower", s=1e-9)
    np.testing.assert_allclose(tight.flat[1:], mid.flat[1:], atol=1e-6)


def test_lower_bound_at_s_1_is_the_sign_test() -> None:
    for n in (1, 5, 30):
        w = np.arange(n + 1)
        p = stats.binom.sf(w - 1, n, 0.5)
        np.testing.assert_allclose(statement_errors(w, n - w, bound="lower"), p, rtol=1e-12)


def test_small_errors_keep_their_digits() -> None:
    assert statement_errors(600, 1) == pytest.approx(2.0**-600, rel=1e-9)
    assert marginal_posteriors(600, 1) == 1


def test_refusals() -> None:
    with pytest.raises(InputError, match="0 or more"):
        marginal_posteriors([1, -1], 2)
    with pytest.raises(InputError, match="finite"):
        marginal_posteriors(np.nan, 2)
    with pytest.raises(InputError, match="of shapes that fit"):
        marginal_posteriors([1, 2], [1, 2, 3])


# --- practical equality against closed forms, Monte Carlo and the printed size -------------------


def test_without_ties_it_is_a_beta_probability() -> None:
    w, l_ = np.meshgrid(np.arange(1, 60), np.arange(1, 60))
    expected = stats.beta.cdf(0.55, w, l_) - stats.beta.cdf(0.45, w, l_)
    np.testing.assert_allclose(indistinguishable(w, l_, s=0), expected, atol=1e-12)
    np.testing.assert_allclose(indistinguishable(w, l_, reading="decided"), expected, atol=1e-12)
    np.testing.assert_allclose(indistinguishable(w, l_, s=1e-9), expected, atol=1e-6)


@pytest.mark.parametrize("s", [0.1, 1.0, 5.0])
@pytest.mark.parametrize(
    ("w", "l_", "t"), [(1, 1, 0), (9, 5, 4), (20, 0, 10), (1, 0, 0), (3, 30, 200), (150, 150, 100)]
)
@pytest.mark.parametrize("epsilon", [0.01, 0.05, 0.3])
def test_split_ties_by_monte_carlo(w: int, l_: int, t: int, s: float, epsilon: float) -> None:
    rng = np.random.default_rng(3)
    draws = 40_000
    weights = rng.standard_gamma([max(w, 1e-12), max(l_, 1e-12), t + s], size=(draws, 3))
    weights /= weights.sum(axis=1, keepdims=True)
    inside = np.mean(np.abs(weights[:, 0] - weights[:, 1]) < 2 * epsilon)
    p = float(indistinguishable(w, l_, t, s=s, epsilon=epsilon))
    assert p == pytest.approx(inside, abs=4.5 * np.sqrt(p * (1 - p) / draws) + 1e-3)


def test_equal_wins_need_382_instances() -> None:
    n = np.arange(2, 500, 2)
    p = indistinguishable(n // 2, n // 2)
    assert n[np.argmax(p > 0.95)] == 382
    assert n[np.argmax(indistinguishable(n // 2, n // 2, reading="decided") > 0.95)] == 384


def test_identical_columns_are_indistinguishable() -> None:
    assert indistinguishable(0, 0, 0) == 1
    assert indistinguishable(0, 0, 30) == 1
    assert indistinguishable(0, 0, 30, s=0) == 1
    assert indistinguishable(0, 0, 30, reading="decided") == 0.5


def test_ties_speak_for_equality_only_if_split() -> None:
    ties = np.array([0, 100, 1000])
    assert (np.diff(indistinguishable(10, 5, ties)) > 0.04).all()
    assert np.ptp(indistinguishable(10, 5, ties, reading="decided")) == 0


def test_straight_wins_are_told_apart() -> None:
    assert indistinguishable(30, 0, s=0) == 0
    assert indistinguishable(30, 0, reading="decided") == 0
    # only the prior atom, of share Beta(1, 30), can hide the difference: .1^30
    assert indistinguishable(30, 0) == pytest.approx(0.1**30, rel=1e-9)


def test_symmetric_and_of_the_common_shape() -> None:
    rng = np.random.default_rng(5)
    w, l_, t = rng.integers(0, 40, size=(3, 4, 7))
    p = indistinguishable(w, l_, t)
    assert p.shape == (4, 7)
    assert np.array_equal(p, indistinguishable(l_, w, t))
    assert indistinguishable(w, l_[:, :1]).shape == (4, 7)
    assert indistinguishable([], []).shape == (0,)
    assert ((p >= 0) & (p <= 1)).all()


def test_large_counts_stay_exact() -> None:
    for n in (10_000, 1_000_000):
        p = indistinguishable(0.53 * n, 0.47 * n, epsilon=0.031)
        sd = 0.5 / np.sqrt(n)
        expected = stats.norm.cdf(0.001 / sd)
        assert p == pytest.approx(expected, abs=2e-3)


def test_refusals_of_indistinguishable() -> None:
    with pytest.raises(InputError, match="0 or more; got -2"):
        indistinguishable(1, -2)
