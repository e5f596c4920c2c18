"""The Bayesian Friedman test against Monte Carlo, plain linear algebra, and its own limits."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from scipy import stats

from racing.base.errors import InputError
from racing.stats.dp_friedman import (
    bayesian_friedman,
    gate,
    minimum_instances,
    posterior_mean_ranks,
)
from racing.stats.friedman import friedman
from racing.stats.ranks import rank_rows

iman_davenport = partial(friedman, reference="F")


def rng(*key: int) -> np.random.Generator:
    return np.random.default_rng([2015, *key])


def normal_table(n: int, m: int, spread: float, seed: int = 0) -> NDArray[np.float64]:
    g = rng(seed)
    return spread * np.arange(m) + g.normal(size=(n, m))


@pytest.mark.parametrize("s", [0.5, 1.0, 4.0])
def test_mean_and_covariance_by_monte_carlo(s: float) -> None:
    X = np.round(normal_table(8, 4, 0.5), 0)  # with ties
    R = rank_rows(X)
    draws = 100_000
    w = rng(1).dirichlet(np.append(np.ones(8), s), size=draws)
    means = w @ np.vstack([R, np.full(4, 2.5)])
    mu, sigma = posterior_mean_ranks(X, s=s)
    deviation = np.sqrt(np.diag(sigma))
    assert (np.abs(means.mean(axis=0) - mu) < 4.5 * deviation / np.sqrt(draws)).all()
    noise = np.sqrt(2.0 / draws) * np.outer(deviation, deviation)
    assert (np.abs(np.cov(means.T) - sigma) < 6 * noise).all()


@pytest.mark.parametrize(("n", "m"), [(12, 3), (20, 7), (40, 20), (60, 2)])
@pytest.mark.parametrize("s", [0.0, 0.3, 1.0, 5.0])
def test_equation_19(n: int, m: int, s: float) -> None:
    """Dropping any one component gives the same value, and so does the pseudo-inverse."""
    X = normal_table(n, m, 0.2, seed=n)
    mu, sigma = posterior_mean_ranks(X, s=s)
    d = mu - (m + 1) / 2
    b = bayesian_friedman(X, s=s)
    for dropped in range(m):
        kept = np.delete(np.arange(m), dropped)
        value = d[kept] @ np.linalg.solve(sigma[np.ix_(kept, kept)], d[kept])
        assert b.statistic == pytest.approx(value, rel=1e-7)
    assert b.statistic == pytest.approx(d @ np.linalg.pinv(sigma, rcond=1e-10) @ d, rel=1e-7)
    np.testing.assert_allclose(b.mean_ranks, mu)
    rho = stats.f.ppf(0.95, m - 1, n - m + 1) * (n - 1) * (m - 1) / (n - m + 1)
    assert b.threshold == pytest.approx(rho, rel=1e-9)
    assert b.rejected == (b.statistic > rho) == (b.level < 0.05)


def test_minimum_instances() -> None:
    expected = {3: 5, 5: 8, 10: 13, 20: 24, 30: 34, 50: 54, 100: 104}
    assert {m: minimum_instances(m) for m in expected} == expected


@pytest.mark.parametrize("m", [2, 3, 5])
def test_below_the_minimum_nothing_can_be_rejected(m: int) -> None:
    least = minimum_instances(m)
    for n in range(1, least):
        g = rng(n)
        tables = [
            normal_table(n, m, 9.0),
            *(g.random((n, m)) + 0.5 * np.arange(m) for _ in [0] * 20),
        ]
        full = [b for X in tables if (b := bayesian_friedman(X)).rank == m - 1]
        assert not any(b.rejected for b in full)
    assert gate(normal_table(least, m, 9.0)).test == "ellipsoid"
    assert gate(normal_table(least - 1, m, 9.0)).test == "iman-davenport"


@pytest.mark.parametrize("s", [0.5, 1.0, 3.0])
def test_with_few_instances_the_statistic_is_a_constant(s: float) -> None:
    for n, m in ((3, 5), (10, 40), (1, 3)):
        b = bayesian_friedman(normal_table(n, m, 0.3), s=s)
        assert b.statistic == pytest.approx((s + n + 1) * n / s, rel=1e-9)
        assert (b.threshold, b.level, b.rejected) == (math.inf, 1.0, False)


@given(hnp.arrays(float, st.tuples(st.integers(1, 12), st.integers(1, 6)),
                  elements=st.integers(0, 4).map(float)))  # fmt: skip
def test_the_statistic_is_bounded_and_free_of_labels(X: NDArray[np.float64]) -> None:
    n, _ = X.shape
    b = bayesian_friedman(X)
    assert 0 <= b.statistic <= (n + 2) * n * (1 + 1e-9)
    mirrored = bayesian_friedman(X[::-1, ::-1])
    assert mirrored.statistic == pytest.approx(b.statistic, rel=1e-7, abs=1e-9)
    g = gate(X)
    assert g.test == ("ellipsoid" if n >= g.minimum else "iman-davenport")
    assert 0 <= g.level <= 1
    assert g.rejected == (g.level < 0.05)


def test_identical_rankings_are_judged_in_one_dimension() -> None:
    X = np.tile(np.arange(4.0), (12, 1))
    b = bayesian_friedman(X)
    assert b.rank == 1
    assert b.statistic == pytest.approx(14 * 12)
    assert b.threshold == pytest.approx(stats.f.ppf(0.95, 1, 11))
    assert b.rejected
    outside = bayesian_friedman(X, s=0)  # no prior: the posterior is one point, and not the null
    assert (outside.statistic, outside.rejected, outside.level) == (math.inf, True, 0.0)


@pytest.mark.parametrize("X", [np.zeros((9, 4)), np.full((9, 4), np.inf), np.ones((9, 1))])
def test_nothing_to_tell_apart(X: NDArray[np.float64]) -> None:
    for b in (bayesian_friedman(X), bayesian_friedman(region="monte carlo", X=X, rng=rng())):
        assert (b.statistic, b.level, b.rejected) == (0.0, 1.0, False)
    assert not gate(X).rejected
    assert bayesian_friedman(X, s=0).statistic == 0.0


def test_gate_repeats_its_test() -> None:
    X = normal_table(6, 30, 0.05)
    f, g = iman_davenport(X), gate(X)
    assert (g.test, g.statistic, g.level, g.minimum) == (
        "iman-davenport",
        f.statistic,
        f.pvalue,
        34,
    )
    assert g.threshold == pytest.approx(stats.f.ppf(0.95, 29, 29 * 5))
    assert g.rejected == (g.statistic > g.threshold)
    one = gate(X[:1])
    assert (one.rejected, one.threshold) == (False, math.inf)
    X = normal_table(40, 30, 0.05)
    b, g = bayesian_friedman(X), gate(X)
    assert (g.test, g.statistic, g.threshold, g.rejected) == (
        "ellipsoid", b.statistic, b.threshold, b.rejected,
    )  # fmt: skip


def test_gate_takes_ranks() -> None:
    X = normal_table(20, 5, 0.3)
    assert gate(rank_rows(X), ranked=True) == gate(X)


def test_size_of_the_ellipsoid() -> None:
    g = rng(4)
    rejected = [bayesian_friedman(g.normal(size=(30, 5))).rejected for _ in range(1500)]
    # four standard errors; the ranks are bounded, so Hotelling's F is an approximation
    assert np.mean(rejected) == pytest.approx(0.055, abs=4 * np.sqrt(0.055 * 0.945 / 1500))


def test_credible_region_against_plain_draws() -> None:
    X = normal_table(25, 4, 0.15)
    mu, sigma = posterior_mean_ranks(X)
    w = rng(1).dirichlet(np.ones(26), size=50_000)
    y = w @ np.vstack([rank_rows(X), np.full(4, 2.5)]) - mu
    distances = np.einsum("ij,jk,ik->i", y, np.linalg.pinv(sigma), y)
    r = bayesian_friedman(region="monte carlo", X=X, rng=rng(2), draws=50_000)
    assert r.statistic == pytest.approx(bayesian_friedman(X).statistic)
    assert r.threshold == pytest.approx(np.quantile(distances, 0.95), rel=0.03)
    level = np.mean(distances >= r.statistic)
    assert r.level == pytest.approx(level, abs=5 * np.sqrt(level * (1 - level) / 25_000))
    assert r.rejected == (r.level < 0.05)
    again = bayesian_friedman(region="monte carlo", X=X, rng=rng(2), draws=50_000)
    assert (again.level, again.threshold) == (r.level, r.threshold)


def test_refusals() -> None:
    with pytest.raises(InputError, match="NaN"):
        gate(np.full((3, 3), np.nan))
