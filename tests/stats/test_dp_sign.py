"""The Bayesian sign test, and bounds over all priors of one weight."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from racing.base.errors import InputError
from racing.stats import wilcoxon
from racing.stats._checks import as_generator
from racing.stats.sign_posterior import (
    PriorPlace,
    dp_sign,
    dp_sign_counts,
    marginal_posteriors,
    prior_bounds,
)

counts = st.integers(0, 30)
ALL = ("p_left", "p_rope", "p_right")


def by_quadrature(alpha: tuple[float, float, float]) -> float:
    """P(θ1 is the largest), over the simplex: θ1 = 1 − u, the others u·v and u·(1 − v)."""
    a, b, c = alpha

    def inner(t: float) -> float:
        # both others below t = θ1: v between 1 − t/(1 − t) and t/(1 − t)
        edge = min(1.0, t / (1 - t)) if t < 1 else 1.0
        share = stats.beta.cdf(edge, b, c) - stats.beta.cdf(1 - edge, b, c)
        return max(share, 0.0) * stats.beta.pdf(t, a, b + c)

    return integrate.quad(inner, 1 / 3, 1, points=[0.5], epsabs=1e-12, limit=200)[0]


class TestPosterior:
    @pytest.mark.parametrize("alpha", [(1, 1, 1), (5, 2, 3), (2.5, 7, 1.5), (40, 12, 30)])
    def test_largest_of_three(self, alpha: tuple[float, float, float]):
        result = dp_sign_counts(*alpha, rope=0.1, s=0)
        expected = [by_quadrature((alpha[i], *(alpha[:i] + alpha[i + 1 :]))) for i in range(3)]
        got = [getattr(result, name) for name in ALL]
        np.testing.assert_allclose(got, expected, atol=1e-9)

    @pytest.mark.parametrize("alpha", [(0.3, 0.4, 0.5), (1e6, 1e6, 1e6), (3, 1e-7, 1), (1, 0, 900)])
    def test_largest_of_three_far_out(self, alpha: tuple[float, float, float]):
        """200,000 draws: standard error up to .0011."""
        theta = np.random.default_rng(0).standard_gamma(alpha, (200_000, 3))
        sampled = np.bincount(theta.argmax(axis=1), minlength=3) / 200_000
        result = dp_sign_counts(*alpha, rope=0.1, s=0)
        got = [getattr(result, name) for name in ALL]
        np.testing.assert_allclose(got, sampled, atol=4 * 0.0011)

    def test_two_integers_in_closed_form(self):
        """Dirichlet(1, 1, 1) is even; Dirichlet(2, 1, 1): θ1 is Beta(2, 2), done by hand."""
        assert dp_sign_counts(1, 1, 1, rope=1, s=0).p_left == pytest.approx(1 / 3, abs=1e-13)
        # P(G2 > both of two Exp(1)) = ∫ g e^-g (1 − e^-g)² dg = 1 − 2/4 + 1/9
        assert dp_sign_counts(2, 1, 1, rope=1, s=0).p_left == pytest.approx(11 / 18, abs=1e-13)

    @given(counts, counts, counts)
    def test_without_an_inner_mass_it_is_a_beta_tail(self, left: int, right: int, s: int):
        if left + right == 0:
            return
        roped = dp_sign_counts(left, 0, right, rope=1.0, s=0)
        plain = dp_sign_counts(left, s, right, s=s)
        assert roped.p_left == pytest.approx(float(plain.p_left), abs=1e-12)

    @given(counts, counts, counts, st.sampled_from(["left", "rope", "right", "symmetric"]))
    def test_probabilities_add_up_and_swap(self, left: int, inside: int, right: int, prior: str):
        mirror = {"left": "right", "right": "left"}.get(prior, prior)
        one = dp_sign_counts(left, inside, right, rope=1, prior=prior)
        two = dp_sign_counts(right, inside, left, rope=1, prior=mirror)
        assert one.p_left + one.p_rope + one.p_right == pytest.approx(1, abs=1e-12)
        assert one.p_left == pytest.approx(float(two.p_right), abs=1e-12)

    def test_theorem_2(self):
        """Benavoli et al. (2015): 20 wins out of 30 err with .0307, 15 with .5, whatever s is."""
        for s in (0.5, 1, 5):
            assert dp_sign_counts(20, 0, 10, s=s).p_right == pytest.approx(0.0307, abs=5e-5)
            assert dp_sign_counts(15, 0, 15, s=s).p_right == pytest.approx(0.5)
        assert dp_sign_counts(7, 4, 3).p_left == pytest.approx(float(marginal_posteriors(7, 3)))

    def test_prior_places(self):
        p = {
            place: float(dp_sign_counts(3, 3, 3, rope=1, s=2, prior=place).p_left)
            for place in ("left", "rope", "right", "symmetric")
        }
        assert p["left"] > p["symmetric"] > p["rope"]
        assert p["rope"] == pytest.approx(p["right"])

    def test_sample_has_the_moments_of_the_dirichlet(self):
        result = dp_sign_counts([6, 0], [2, 1], [1, 3], rope=1, s=1)
        theta = result.sample(50_000, np.random.default_rng(1))
        assert theta.shape == (50_000, 2, 3)
        mean = result.alpha / result.alpha.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(theta.mean(axis=0), mean, atol=0.004)
        assert (theta[:, 1, 0] == 0).all()
        most = np.mean(theta[:, 0].argmax(axis=1) == 0)
        assert most == pytest.approx(float(result.p_left[0]), abs=0.007)  # 3 standard errors


class TestData:
    def test_counts_and_edges_of_the_rope(self):
        x = np.array([0.2, 0.2, 0.3, 0.1, 0.5, np.inf, 0.1])
        y = np.array([0.3, 0.4, 0.2, 0.1, 0.1, np.inf, np.inf])
        result = dp_sign(x, y, rope=0.1)  # 0.3 - 0.2 and 0.2 - 0.3 are on the edge: inside
        assert (result.left, result.inside, result.right) == (2, 4, 1)
        assert dp_sign([0.7], [0.8], rope=0.1).inside == 1
        assert dp_sign([0.7], [0.8], rope=0.1, digits=None).left == 1  # float noise decides
        plain = dp_sign(x, y)
        assert (plain.left, plain.inside, plain.right) == (3, 2, 2)

    @pytest.mark.parametrize(("rope", "expected"), [(0.0, (0.5, 0, 0.5)), (0.1, (0, 1, 0))])
    def test_identical_columns(self, rope: float, expected: tuple):
        result = dp_sign(np.ones(5), np.ones(5), rope=rope)
        assert (result.p_left, result.p_rope, result.p_right) == expected

    def test_one_instance(self):
        assert dp_sign([1.0], [2.0]).p_left == 1  # the price of a prior that has no say
        assert prior_bounds(dp_sign, [1.0], [2.0]).p_left[0] == 0.5
        assert dp_sign([1.0], [2.0], rope=0.5).p_left == pytest.approx(0.5)

    def test_nothing_counted_and_no_prior(self):
        result = dp_sign_counts(0, 0, 0, rope=1, s=0)
        assert [getattr(result, name) for name in ALL] == [pytest.approx(1 / 3)] * 3

    def test_a_million_rows(self):
        x = np.random.default_rng(3).random(1_000_000)
        result = dp_sign(x, x[::-1], rope=0.3)
        assert result.p_rope > 0.999


class TestBounds:
    def test_closed_form_without_rope(self):
        """Benavoli et al. (2015), section 7: five straight wins are needed for .95 at s = 1."""
        for wins in range(1, 7):
            bounds = prior_bounds(dp_sign, np.zeros(wins), np.ones(wins))
            assert bounds.p_left[0] == pytest.approx(1 - 2.0**-wins)
            assert bounds.p_left[1] == 1
        x, y = np.array([0, 0, 0, 1, 2]), np.array([1, 1, 1, 1, 1])
        bounds = prior_bounds(dp_sign, x, y, s=2)
        assert bounds.p_left[0] == pytest.approx(
            float(marginal_posteriors(3, 1, s=2, bound="lower"))
        )
        assert bounds.p_left[1] == pytest.approx(
            float(marginal_posteriors(3, 1, s=2, bound="upper"))
        )

    @given(counts, counts, counts, st.floats(0.1, 5))
    def test_no_mixture_of_priors_escapes_them(self, left: int, inside: int, right: int, s: float):
        sides = np.repeat([0, 1, 2], [left, inside, right])
        if sides.size == 0:
            return
        bounds = prior_bounds(dp_sign, sides, np.ones(sides.size), rope=0.5, s=s)
        steps = np.linspace(0, 1, 5)
        mixtures = np.array([(a, b, 1 - a - b) for a in steps for b in steps if a + b <= 1])
        inner = dp_sign_counts(*(np.array([left, inside, right]) + s * mixtures).T, rope=0.5, s=0)
        for name in ALL:
            low, high = getattr(bounds, name)
            assert (getattr(inner, name) >= low - 1e-12).all()
            assert (getattr(inner, name) <= high + 1e-12).all()


class TestCalibration:
    def test_posterior_is_calibrated_when_the_prior_is_true(self):
        """θ drawn from Dirichlet(1, 2, 1), 10 instances with a rope: each side is the largest as
        often as stated. 5000 repetitions."""
        rng = np.random.default_rng(5)
        theta = rng.dirichlet([1, 2, 1], 5000)
        seen = np.array([rng.multinomial(10, t) for t in theta]) + np.array([1, 2, 1])
        result = dp_sign_counts(*seen.T, rope=1, s=0)
        for i, name in enumerate(ALL):
            stated, true = getattr(result, name), theta.argmax(axis=1) == i
            for low in (0.0, 0.25, 0.5, 0.75):
                chosen = (stated >= low) & (stated <= low + 0.25)
                error = np.sqrt(0.25 / chosen.sum())
                assert true[chosen].mean() == pytest.approx(stated[chosen].mean(), abs=3 * error)

    def test_lower_bound_keeps_its_level_under_the_null_with_ties(self):
        """Half of the instances tie: "left" at .95 on 4000 null tables; standard error .0034."""
        rng = np.random.default_rng(6)
        outcome = rng.choice([-1, 0, 0, 1], (4000, 20))
        left, right = (outcome > 0).sum(axis=1), (outcome < 0).sum(axis=1)
        lower = dp_sign_counts(left, 20 - left - right, right, prior="right").p_left
        assert np.mean(lower > 0.95) < 0.05 + 3 * 0.0034


class TestRefusals:
    def test_counts_and_generator(self):
        with pytest.raises(InputError, match="counts"):
            dp_sign_counts(-1, 0, 1)
        with pytest.raises(InputError, match="rng"):
            dp_sign_counts(1, 0, 1).sample(3, 42)


def test_bounds_are_the_lowest_and_highest_of_each_probability() -> None:
    x, y = np.random.default_rng(0).integers(0, 9, (2, 12)).astype(float)
    found = prior_bounds(dp_sign, x, y, s=0.5, rope=1.0)
    places: tuple[PriorPlace, ...] = ("left", "rope", "right")
    each = [dp_sign(x, y, s=0.5, rope=1.0, prior=place) for place in places]
    for name in ("p_left", "p_rope", "p_right"):
        values = [getattr(one, name) for one in each]
        assert getattr(found, name) == (min(values), max(values))


def test_a_generator_is_given_by_the_caller() -> None:
    rng = np.random.default_rng(1)
    assert as_generator(rng) is rng
    with pytest.raises(InputError, match=r"numpy\.random\.Generator"):
        as_generator(1)  # type: ignore[arg-type]


def test_a_float_has_15_digits() -> None:
    for digits in (15, None):
        assert float(wilcoxon([1, 2], [2, 4], digits=digits).pvalue) == 0.5
