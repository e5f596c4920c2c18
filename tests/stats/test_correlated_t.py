"""The correlated t-test against its own formulas, grid integration, and its own calibration."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from racing.base.errors import InputError
from racing.stats.t_tests import NormalGamma, correlated_t, correlated_t_test

numbers = st.floats(-100, 100).map(lambda v: round(v, 3))


def correlation(n: int, rho: float) -> np.ndarray:
    return np.full((n, n), rho) + (1 - rho) * np.eye(n)


def draw(rng: np.random.Generator, shape: tuple[int, ...], rho: float) -> np.ndarray:
    """Standard normal differences, equally correlated along the last axis."""
    shared = rng.standard_normal((*shape[:-1], 1))
    return np.sqrt(rho) * shared + np.sqrt(1 - rho) * rng.standard_normal(shape)


def grid_posterior(
    d: np.ndarray, rho: float, prior: NormalGamma, rope: float
) -> tuple[float, float, float]:
    """p_left, p_rope, p_right by adding up prior times likelihood over a grid of (μ, log ν).

    μ is a midpoint grid of cells that end at the edges of the rope.
    """
    n = d.size
    inverse = np.linalg.inv(correlation(n, rho))
    step = 0.005
    mu = np.arange(-12, 12, step) + step / 2
    log_nu = np.linspace(-9, 7, 600)[:, None]
    nu = np.exp(log_nu)
    deviations = d[:, None] - mu
    quadratic = np.einsum("im,ij,jm->m", deviations, inverse, deviations)
    log_likelihood = n / 2 * log_nu - nu / 2 * quadratic
    log_prior = (prior.a - 1) * log_nu - prior.b * nu
    if np.isfinite(prior.k0):
        log_prior = log_prior + log_nu / 2 - nu / (2 * prior.k0) * (mu - prior.mean) ** 2
    else:
        log_prior = log_prior + log_nu / 2
    log_density = log_likelihood + log_prior + log_nu  # the last for d(log ν)
    density = np.exp(log_density - log_density.max()).sum(axis=0)
    density /= density.sum()
    left, right = density[mu < -rope].sum(), density[mu > rope].sum()
    return float(left), float(1 - left - right), float(right)


class TestPublished:
    """Corani and Benavoli (2015): every statement about this test that can be computed again."""

    @pytest.mark.parametrize("rho", [0.0, 0.1, 0.5])
    @pytest.mark.parametrize("n", [2, 10, 100])
    def test_corollary_1_matching_prior_is_the_frequentist_test(self, n: int, rho: float):
        rng = np.random.default_rng(n)
        x, y = rng.random((2, 50, n)) + rng.normal(size=(2, 50, 1)) / n
        posterior = correlated_t(x, y, rho=rho)
        for alternative, p in (("better", posterior.p_left), ("worse", posterior.p_right)):
            test = correlated_t_test(x, y, rho=rho, alternative=alternative)
            np.testing.assert_allclose(p, 1 - test.pvalue, rtol=0, atol=1e-12)
        np.testing.assert_allclose(posterior.scale, test.standard_error, rtol=1e-12)
        assert posterior.df == n - 1

    def test_equation_1_in_both_its_forms(self):
        rng = np.random.default_rng(0)
        d, n_train, n_test = rng.normal(0.3, 1, 10), 90, 10
        test = correlated_t_test(d, np.zeros(10), rho=n_test / (n_train + n_test))
        printed = d.mean() / np.sqrt(d.var(ddof=1) * (1 / 10 + n_test / n_train))
        assert test.statistic == pytest.approx(printed, rel=1e-13)

    def test_uncorrelated_case_is_the_plain_t_test(self):
        rng = np.random.default_rng(1)
        x, y = rng.random((2, 15))
        peer = stats.ttest_rel(x, y)
        test = correlated_t_test(x, y, rho=0)
        assert (test.statistic, test.pvalue) == pytest.approx((peer.statistic, peer.pvalue))


class TestPosterior:
    @pytest.mark.parametrize(
        "prior",
        [
            NormalGamma(),
            NormalGamma(mean=0.5, k0=0.7, a=1.5, b=0.8),
            NormalGamma(mean=-1.0, k0=3.0, a=0.5, b=0.0),
        ],
    )
    @pytest.mark.parametrize("rho", [0.0, 0.2])
    @pytest.mark.parametrize("rope", [0.0, 0.3])
    def test_against_grid_integration(self, prior: NormalGamma, rho: float, rope: float):
        d = np.array([-1.3, 0.2, -0.4, -0.9, 0.6, -0.7, -1.1, 0.1, -0.2])
        posterior = correlated_t(d, np.zeros(9), rho=rho, prior=prior, rope=rope)
        got = posterior.p_left, posterior.p_rope, posterior.p_right
        assert got == pytest.approx(grid_posterior(d, rho, prior, rope), abs=2e-5)

    def test_vague_prior_tends_to_the_flat_one(self):
        d = np.random.default_rng(3).normal(0.2, 1, 10)
        flat = correlated_t(d, 0 * d, rho=0.1)
        vague = correlated_t(d, 0 * d, rho=0.1, prior=NormalGamma(mean=5, k0=1e12))
        assert vague.p_left == pytest.approx(float(flat.p_left), abs=1e-9)

    def test_one_difference_is_enough_for_a_proper_prior(self):
        posterior = correlated_t([1.0], [2.0], rho=0.1, prior=NormalGamma(k0=1, a=1, b=1))
        assert 0.5 < posterior.p_left < 1

    @given(st.lists(st.tuples(numbers, numbers), min_size=2, max_size=8), st.floats(0, 10))
    def test_swapping_sides_swaps_the_answer(self, pairs: list[tuple[float, float]], rope: float):
        x, y = np.array(pairs).T
        one, two = (correlated_t(*p, rho=0.1, rope=rope) for p in ((x, y), (y, x)))
        assert one.p_left == pytest.approx(float(two.p_right), abs=1e-12)
        assert one.p_rope == pytest.approx(float(two.p_rope), abs=1e-12)
        assert one.p_left + one.p_rope + one.p_right == pytest.approx(1)

    def test_units_do_not_matter_even_if_squares_overflow(self):
        rng = np.random.default_rng(4)
        x, y = rng.random((2, 10))
        plain = correlated_t(x, y, rho=0.1, rope=0.1)
        for unit in (1e-200, 1e200):
            scaled = correlated_t(x * unit, y * unit, rho=0.1, rope=0.1 * unit)
            assert scaled.p_left == pytest.approx(float(plain.p_left), rel=1e-9)

    def test_many_and_one_rho_per_comparison(self):
        rng = np.random.default_rng(5)
        x, y = rng.random((2, 3, 4, 10))
        rho = np.array([0.0, 0.1, 0.2, 0.3])
        many = correlated_t(x, y, rho=rho)
        assert many.p_left.shape == (3, 4)
        one = correlated_t(x[2, 3], y[2, 3], rho=0.3)
        assert many.p_left[2, 3] == pytest.approx(float(one.p_left), rel=1e-13)


class TestDegenerate:
    """No variance: the mean is held to be known."""

    @pytest.mark.parametrize(
        ("difference", "rope", "expected"),
        [
            (-1.0, 0.0, (1, 0, 0)),
            (1.0, 0.0, (0, 0, 1)),
            (0.0, 0.0, (0.5, 0, 0.5)),
            (0.0, 0.1, (0, 1, 0)),
            (-1.0, 0.5, (1, 0, 0)),
            (-1.0, 1.0, (0, 1, 0)),
            (-1.0, 2.0, (0, 1, 0)),
        ],
    )
    def test_constant_differences(self, difference: float, rope: float, expected: tuple):
        x = np.full(5, 2.0) + difference
        posterior = correlated_t(x, np.full(5, 2.0), rho=0.2, rope=rope)
        assert (posterior.p_left, posterior.p_rope, posterior.p_right) == expected
        assert posterior.degenerate

    def test_rounding_is_not_a_variance(self):
        x = np.array([0.3, 0.2, 0.7, 0.9])
        posterior = correlated_t(x, x - 0.1, rho=0.1)
        assert posterior.degenerate
        assert posterior.p_right == 1

    def test_frequentist(self):
        same = np.ones(4)
        for alternative, p in (("two-sided", 1.0), ("better", 0.5), ("worse", 0.5)):
            test = correlated_t_test(same, same, rho=0.1, alternative=alternative)
            assert (test.statistic, test.pvalue) == (0.0, p)
        assert correlated_t_test(same, same + 1, rho=0.1).pvalue == 0.0
        assert correlated_t_test(same, same + 1, rho=0.1, alternative="worse").pvalue == 1.0


class TestCalibration:
    def test_under_the_model_the_size_is_kept_and_the_plain_t_test_fails(self):
        """20,000 draws: standard error .0015 at .05."""
        d = draw(np.random.default_rng(6), (20_000, 10), rho=0.1)
        rates = {
            rho: np.mean(correlated_t_test(d, 0 * d, rho=rho).pvalue < 0.05) for rho in (0.1, 0.0)
        }
        assert rates[0.1] == pytest.approx(0.05, abs=3 * 0.0015)
        assert rates[0.0] > 0.1

    def test_with_many_ties(self):
        """Differences in {−1, 0, 1}: accuracies of small test sets. It may only be too careful."""
        d = np.random.default_rng(7).integers(-1, 2, (20_000, 10)).astype(float)
        rate = np.mean(correlated_t_test(d, 0 * d, rho=0.1).pvalue < 0.05)
        assert rate < 0.05 + 3 * 0.0015

    def test_posterior_is_calibrated_when_the_prior_is_true(self):
        """μ drawn from its prior: P(μ < 0 | data) must average to its own frequency."""
        rng, prior = np.random.default_rng(8), NormalGamma(mean=0.1, k0=0.5, a=3.0, b=2.0)
        nu = rng.gamma(prior.a, 1 / prior.b, 20_000)
        mu = prior.mean + np.sqrt(prior.k0 / nu) * rng.standard_normal(20_000)
        d = mu[:, None] + draw(rng, (20_000, 8), rho=0.2) / np.sqrt(nu)[:, None]
        p = correlated_t(d, 0 * d, rho=0.2, prior=prior).p_left
        for low in np.arange(0, 1, 0.2):
            inside = (p >= low) & (p < low + 0.2)
            error = np.sqrt(0.25 / inside.sum())
            assert np.mean(mu[inside] < 0) == pytest.approx(p[inside].mean(), abs=3 * error)


class TestRefusals:
    @pytest.mark.parametrize(
        ("x", "y", "options", "message"),
        [
            (
                [1.0, np.inf],
                [1.0, 2.0],
                {},
                "finite for the correlated t-test; got inf at position 1",
            ),
            (3.0, 3.0, {}, "one or more"),
            ([[1.0], [1.0, 2.0]], [1.0], {}, "equal length"),
            ([1.0], [2.0], {}, "degrees of freedom"),
            ([1e308, -1e308], [1.0, 2.0], {}, "small enough"),
            ([1.0, 2.0], [1.0, 3.0], {"rho": 1.0}, "rho"),
            ([1.0, 2.0], [1.0, 3.0], {"rho": -0.1}, "rho"),
            ([1.0, 2.0], [1.0, 3.0], {"rho": np.nan}, "rho"),
            ([1.0, 2.0], [1.0, 3.0], {"rho": [0.1, 0.2]}, "one per comparison"),
            ([1.0, 2.0], [1.0, 3.0], {"rope": -1.0}, "rope"),
        ],
    )
    def test_posterior(self, x: object, y: object, options: dict, message: str):
        with pytest.raises(InputError, match=message):
            correlated_t(x, y, **{"rho": 0.1, **options})

    def test_frequentist(self):
        with pytest.raises(InputError, match="two or more"):
            correlated_t_test([1.0], [2.0], rho=0.1)

    @pytest.mark.parametrize("wrong", [{"k0": 0.0}, {"b": -1.0}, {"a": np.inf}, {"mean": np.nan}])
    def test_prior(self, wrong: dict):
        with pytest.raises(InputError, match="prior"):
            NormalGamma(**wrong)


def test_masked_costs_are_refused():
    masked = np.ma.masked_array([1.0, 2.0, 3.0], [True, False, False])
    with pytest.raises(InputError, match="masked"):
        correlated_t(masked, [1.0, 2.0, 2.0], rho=0.1)
    with pytest.raises(InputError, match="masked"):
        correlated_t_test([1.0, 2.0, 2.0], masked, rho=0.1)
