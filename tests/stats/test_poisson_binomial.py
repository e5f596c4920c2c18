"""The Poisson-binomial distribution against all outcomes, and the test built on it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from racing.base.errors import InputError
from racing.stats.t_tests import (
    correlated_t,
    poisson_binomial_cdf,
    poisson_binomial_pmf,
    poisson_binomial_sf,
    poisson_binomial_test,
)
from racing.stats.wilcoxon import wilcoxon

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


class TestRefusals:
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
