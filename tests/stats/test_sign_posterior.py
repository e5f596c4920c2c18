"""Pairwise posteriors against the paper, their closed forms, quadrature and Monte Carlo."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy import stats

from racing.base.errors import InputError
from racing.stats.sign_posterior import Bound, beta_shapes, beta_tail, marginal_posteriors

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
    with pytest.raises(InputError, match="prior weight"):
        marginal_posteriors(1, 2, s=np.inf)
    with pytest.raises(InputError, match="bound"):
        marginal_posteriors(1, 2, bound="best")  # type: ignore[arg-type]
