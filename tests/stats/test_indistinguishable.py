"""Practical equality against closed forms, Monte Carlo and the printed size."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from racing.base.errors import InputError
from racing.stats.sign_posterior import indistinguishable


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


def test_refusals() -> None:
    with pytest.raises(InputError, match="epsilon"):
        indistinguishable(1, 2, epsilon=0.5)
    with pytest.raises(InputError, match="reading"):
        indistinguishable(1, 2, reading="half")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="from 0"):
        indistinguishable(1, -2)
