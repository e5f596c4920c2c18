"""Tests of a mean difference: paired, of correlated folds, and over data sets."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from racing.base.errors import InputError
from racing.stats.t_tests import (
    NormalGamma,
    correlated_t,
    correlated_t_test,
    paired_t,
    poisson_binomial_cdf,
    poisson_binomial_pmf,
    poisson_binomial_sf,
    poisson_binomial_test,
)
from racing.stats.wilcoxon import wilcoxon
from tests.stats.columns import of_every_pair

SCIPY = {"two-sided": "two-sided", "better": "less", "worse": "greater"}  # x has lower costs


@pytest.mark.parametrize("alternative", SCIPY)
@pytest.mark.parametrize("n", [2, 3, 30])
def test_agrees_with_scipy(n, alternative):
    rng = np.random.default_rng(n)
    x, y = rng.normal(5, 1, n), rng.normal(5.3, 1, n)
    expected = stats.ttest_rel(x, y, alternative=SCIPY[alternative])
    result = paired_t(x, y, alternative=alternative)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-10)
    assert result.t == pytest.approx(-expected.statistic)
    low, high = stats.ttest_rel(y, x).confidence_interval(0.95)
    assert (result.low, result.high) == pytest.approx((low, high))
    assert result.effect == pytest.approx(np.mean(y - x) / np.std(y - x, ddof=1))


def test_relative_differences():
    """d = (c1 - c2) / ((c1 + c2)/2), Demsar (2006), section 3.1.2."""
    x, y = np.array([1.0, 20.0, 300.0, 0.0]), np.array([1.2, 19.0, 350.0, 0.0])
    with np.errstate(invalid="ignore"):
        d = np.nan_to_num((y - x) / ((x + y) / 2))
    result = paired_t(x, y, difference="relative")
    assert result.pvalue == pytest.approx(stats.ttest_1samp(d, 0).pvalue)
    scaled = paired_t(x * [1, 7, 0.01, 3], y * [1, 7, 0.01, 3], difference="relative")
    assert scaled.t == pytest.approx(result.t)


def test_scores_as_negative_costs_keep_their_direction():
    accuracies = np.array([0.9, 0.8, 0.95]), np.array([0.7, 0.75, 0.9])
    result = paired_t(-accuracies[0], -accuracies[1], difference="relative")
    assert result.t > 0


def test_no_variance():
    assert paired_t([1, 2, 3], [2, 3, 4]).t == np.inf
    assert paired_t([1, 2, 3], [2, 3, 4]).pvalue == 0.0
    assert paired_t([1, 2, 3], [2, 3, 4], alternative="worse").pvalue == 1.0
    assert paired_t([2, 3, 4], [1, 2, 3]).t == -np.inf
    same = paired_t([1, 2, 3], [1, 2, 3])
    assert (same.t, same.pvalue, same.mean, same.low, same.high) == (0.0, 1.0, 0.0, 0.0, 0.0)
    one_sided = paired_t([1, 2, 3], [1, 2, 3], alternative="better")
    assert one_sided.pvalue == 0.5


def test_rounding_noise_is_no_difference():
    assert paired_t(np.full(5, 0.1) + 0.2, np.full(5, 0.3)).pvalue == 1.0
    x = np.array([0.1, 0.7, 1.3, 2.9])
    assert paired_t(x, x + 0.1).t == np.inf


def test_constant_columns():
    result = of_every_pair(paired_t, np.ones((4, 3)))
    assert np.all(result.pvalue == 1.0)
    assert of_every_pair(paired_t, [[1.0], [2.0]]).pvalue.tolist() == [[1.0]]


def test_has_its_level():
    x, y = np.random.default_rng(9).normal(size=(2, 4000, 8))
    assert np.mean(paired_t(x, y).pvalue <= 0.05) == pytest.approx(
        0.05, abs=3 * np.sqrt(0.05 * 0.95 / 4000)
    )


@pytest.mark.parametrize(
    ("x", "y", "options"),
    [
        ([1.0], [2.0], {}),
        ([1.0, np.inf], [2.0, 1.0], {}),
        ([1.0, 1e308], [2.0, -1e308], {}),
        ([1.0, -2.0], [2.0, 1.0], {"difference": "relative"}),
    ],
)
def test_refusals(x, y, options):
    with pytest.raises(InputError):
        paired_t(x, y, **options)


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


probabilities = st.lists(st.floats(0, 1), min_size=1, max_size=10)


def all_outcomes(p: list[float]) -> np.ndarray:
    """Corani and Benavoli (2015), eq. 10, as it is written: a sum over all subsets."""
    pmf = np.zeros(len(p) + 1)
    for wins in product((0, 1), repeat=len(p)):
        pmf[sum(wins)] += np.prod([b if w else 1 - b for b, w in zip(p, wins, strict=True)])
    return pmf


def one_by_one(p: np.ndarray) -> np.ndarray:
    """Adding one coin after the other: exact, and slow."""
    pmf = np.r_[1.0, np.zeros(p.size)]
    for b in p:
        pmf[1:] = pmf[1:] * (1 - b) + pmf[:-1] * b
        pmf[0] *= 1 - b
    return pmf


class TestDistribution:
    @given(probabilities)
    def test_all_outcomes(self, p: list[float]):
        np.testing.assert_allclose(poisson_binomial_pmf(p), all_outcomes(p), atol=1e-15)

    @pytest.mark.parametrize("q", [31, 32, 33, 64, 65, 500, 1000])
    def test_large_relative_accuracy_in_the_tails_too(self, q: int):
        p = np.random.default_rng(q).random(q)
        exact = one_by_one(p)
        seen = exact > 1e-290
        np.testing.assert_allclose(poisson_binomial_pmf(p)[seen], exact[seen], rtol=1e-12)

    @pytest.mark.parametrize("q", [100, 5000])
    def test_equal_biases_are_binomial(self, q: int):
        pmf = poisson_binomial_pmf(np.full(q, 0.3))
        np.testing.assert_allclose(pmf, stats.binom.pmf(np.arange(q + 1), q, 0.3), atol=1e-13)

    def test_very_many(self):
        p = np.random.default_rng(1).random(20_000)
        pmf = poisson_binomial_pmf(p)
        mean = pmf @ np.arange(p.size + 1)
        assert pmf.sum() == pytest.approx(1, abs=1e-12)
        assert mean == pytest.approx(p.sum(), rel=1e-12)
        variance = pmf @ (np.arange(p.size + 1) - mean) ** 2
        assert variance == pytest.approx((p * (1 - p)).sum(), rel=1e-9)

    def test_certain_coins_only_shift(self):
        p = np.r_[np.ones(40), np.zeros(30), 0.5]
        pmf = poisson_binomial_pmf(p)
        assert pmf[40] == pmf[41] == 0.5
        assert np.count_nonzero(pmf) == 2

    @given(probabilities)
    def test_tails_add_up(self, p: list[float]):
        cdf, sf = poisson_binomial_cdf(p), poisson_binomial_sf(p)
        np.testing.assert_allclose(cdf + sf, 1.0, atol=1e-14)
        assert (np.diff(cdf) >= 0).all()
        assert sf[-1] == 0

    @pytest.mark.parametrize("q", [7, 70])
    def test_many_at_once(self, q: int):
        p = np.random.default_rng(2).random((3, 4, q))
        pmf = poisson_binomial_pmf(p)
        assert pmf.shape == (3, 4, q + 1)
        np.testing.assert_allclose(pmf[2, 1], poisson_binomial_pmf(p[2, 1]), rtol=1e-13)


class TestComparison:
    @given(probabilities)
    def test_win_tie_loss_without_rope(self, p: list[float]):
        pmf, q = all_outcomes(p), len(p)
        result = poisson_binomial_test(p)
        k = np.arange(q + 1)
        assert result.p_win == pytest.approx(pmf[k > q / 2].sum(), abs=1e-14)
        assert result.p_tie == pytest.approx(pmf[k == q / 2].sum(), abs=1e-14)
        assert result.p_loss == pytest.approx(pmf[k < q / 2].sum(), abs=1e-14)
        assert result.majority[0] == pytest.approx(float(result.p_win), abs=1e-14)
        assert result.majority[1] == 0

    def test_even_number_of_fair_coins(self):
        result = poisson_binomial_test(np.full(10, 0.5))
        assert result.p_tie == pytest.approx(0.24609375)
        assert result.p_win == result.p_loss == pytest.approx((1 - 0.24609375) / 2)

    def test_rope_against_all_outcomes(self):
        rng = np.random.default_rng(3)
        left, rope, right = rng.dirichlet(np.ones(3), 7).T
        result = poisson_binomial_test(left, right)
        win = tie = loss = most_rope = 0.0
        for sides in product((1, 0, -1), repeat=7):
            chance = np.prod([{1: left, 0: rope, -1: right}[s][i] for i, s in enumerate(sides)])
            lead = sum(sides)
            win, tie, loss = (
                win + chance * (lead > 0), tie + chance * (lead == 0), loss + chance * (lead < 0)
            )  # fmt: skip
            most_rope += chance * (sides.count(0) > 3.5)
        assert (result.p_win, result.p_tie, result.p_loss) == pytest.approx((win, tie, loss))
        assert result.majority[1] == pytest.approx(most_rope)
        assert result.expected == pytest.approx((left - right).sum())
        assert result.lead @ np.arange(-7, 8) == pytest.approx(float(result.expected))

    @pytest.mark.parametrize("q", [20, 101])
    def test_swapping_sides(self, q: int):
        left, _, right = np.random.default_rng(q).dirichlet(np.ones(3), q).T
        one, two = poisson_binomial_test(left, right), poisson_binomial_test(right, left)
        assert one.p_win == pytest.approx(float(two.p_loss), rel=1e-12)
        np.testing.assert_allclose(one.lead, two.lead[::-1], rtol=1e-12)

    def test_a_rope_of_no_weight_changes_nothing(self):
        p = np.random.default_rng(4).random(75)
        plain, roped = poisson_binomial_test(p), poisson_binomial_test(p, 1 - p)
        np.testing.assert_allclose(plain.lead, roped.lead, rtol=1e-12, atol=1e-300)

    def test_from_cross_validation_to_decision(self):
        """The two pieces of the paper together: correlated t-tests, then how many are won."""
        rng = np.random.default_rng(5)
        x = rng.normal(0.20, 0.02, (15, 10))
        y = rng.normal(0.25, 0.02, (15, 10))
        result = poisson_binomial_test(correlated_t(x, y, rho=0.1).p_left)
        assert result.p_win > 0.999
        roped = correlated_t(x, y, rho=0.1, rope=0.2)
        assert poisson_binomial_test(roped.p_left, roped.p_right).majority[1] > 0.999

    def test_data_sets_without_any_difference_say_nothing(self):
        same = np.ones((9, 10))
        result = poisson_binomial_test(correlated_t(same, same, rho=0.1).p_left)
        assert result.p_win == result.p_loss == pytest.approx(0.5)


class TestExample:
    """Section 3.1, "Example": the numbers of its table are not in the text, the story is."""

    def test_uncertain_data_sets_count_less(self):
        """Five data sets won, five lost, by the same mean; case 2 trebles the noise of the lost.

        The chance of winning more of them than losing must move from even to nearly sure, and the
        Wilcoxon test must not notice: its mean p-value stays within three standard errors. That
        holds while the noise of a mean (here .1 and .3) is less than the difference (.5).
        """
        rng = np.random.default_rng(6)
        means = np.repeat([-0.5, 0.5], 5)[:, None]
        odds, p = {}, {}
        for case, sigma in ((1, np.full((10, 1), 0.3)), (2, np.repeat([[0.3], [0.9]], 5, axis=0))):
            d = means + sigma * rng.standard_normal((400, 10, 10))
            result = poisson_binomial_test(correlated_t(d, 0 * d, rho=0).p_left)
            odds[case] = np.mean(result.p_win / (result.p_win + result.p_loss))
            means_seen = d.mean(axis=2)
            p[case] = wilcoxon(means_seen, 0 * means_seen, alternative="better").pvalue
        error = np.hypot(p[1].std(), p[2].std()) / np.sqrt(400)
        assert abs(p[1].mean() - p[2].mean()) < 3 * error
        assert odds[1] == pytest.approx(0.5, abs=0.05)
        assert odds[2] > 0.95


class TestRefusalsOverDataSets:
    @pytest.mark.parametrize(
        "wrong",
        [[], 0.5, [np.nan], [1.1], [-0.1], [np.inf], ["a"], [[0.1], [0.2, 0.3]], [None]],
    )
    def test_no_probabilities(self, wrong: object):
        with pytest.raises(InputError, match="p_left"):
            poisson_binomial_test(wrong)
        with pytest.raises(InputError, match=r"^p must be"):
            poisson_binomial_pmf(wrong)

    def test_sides_that_do_not_fit(self):
        with pytest.raises(InputError, match="at most 1"):
            poisson_binomial_test([0.7], [0.4])
        with pytest.raises(InputError, match="one shape"):
            poisson_binomial_test([0.7, 0.2], [0.1])
