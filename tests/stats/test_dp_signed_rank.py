"""The Bayesian signed-rank test against grids over the simplex, counting, and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from racing.stats.dp_signed_rank import dp_signed_rank, dp_signed_rank_sample
from racing.stats.sign_posterior import dp_sign, prior_bounds
from racing.stats.wilcoxon import wilcoxon
from tests.stats.columns import of_every_pair

costs = st.sampled_from([0, 1, 0.1, 0.2, 0.3, -3, 1e-9, 5e-324, 1e300, 1e308, -1e308, np.inf])
PLACE = {"left": 1e9, "rope": 0.0, "right": -1e9}


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def sides(result: object) -> list[float]:
    return [float(getattr(result, name)) for name in ("p_left", "p_rope", "p_right")]


def judged(gains: np.ndarray, weights: np.ndarray, rope: float) -> list[float]:
    """The definition: all pairs, for each row of weights, then counting the largest θ."""
    sums = gains[:, None] + gains
    left = np.einsum("di,ij,dj->d", weights, 1.0 * (sums > 2 * rope), weights, optimize=True)
    right = np.einsum("di,ij,dj->d", weights, 1.0 * (sums < -2 * rope), weights, optimize=True)
    if rope == 0:
        return [float(np.mean(left > right)), 0.0, float(np.mean(right > left))]
    theta = np.stack([left, 1 - left - right, right], axis=1)
    return list(np.bincount(theta.argmax(axis=1), minlength=3) / len(weights))


def triangle(cells: int) -> np.ndarray:
    """A fine even grid over Dirichlet(1, 1, 1)."""
    edge = (np.arange(cells) + 1 / 3) / cells
    a, b = np.meshgrid(edge, edge)
    inside = a + b < 1
    return np.stack([a[inside], b[inside], 1 - a[inside] - b[inside]], axis=1)


class TestPosterior:
    @pytest.mark.parametrize("gains", [(1.0, -0.4, 0.3), (0.2, -0.5, 0.1), (1.0, -1.2, -0.1)])
    @pytest.mark.parametrize("rope", [0.0, 0.15, 0.3])
    def test_grid_integration(self, gains: tuple[float, ...], rope: float):
        """Three instances and no prior: all weights on a triangle, 500,000 cells."""
        result = dp_signed_rank(
            np.zeros(3), np.array(gains), rng=rng(), rope=rope, s=0, draws=10_000
        )
        # in hundredths, so that equal sums are equal
        expected = judged(np.rint(100 * np.array(gains)), triangle(1000), np.rint(100 * rope))
        tolerance = 4 * float(result.standard_error) + 2e-3  # the grid's jagged edges
        assert sides(result) == pytest.approx(expected, abs=tolerance)

    @pytest.mark.parametrize("n", [1, 2, 6, 20])
    @pytest.mark.parametrize("rope", [0.0, 0.1, 0.5])
    @pytest.mark.parametrize("place", ["left", "rope", "right"])
    def test_plain_counting(self, n: int, rope: float, place: str):
        """100,000 draws counted by the definition, on data with ties: error up to .0016."""
        draw = rng(n)
        gains = np.round(draw.normal(0.15, 0.6, n), 1)
        weights = draw.standard_gamma(np.r_[0.5, np.ones(n)], (100_000, n + 1))
        weights /= weights.sum(axis=1, keepdims=True)
        # the definition in tenths, so that equal sums are equal
        expected = judged(np.r_[PLACE[place], np.rint(10 * gains)], weights, np.rint(10 * rope))
        result = dp_signed_rank(np.zeros(n), gains, rng=rng(), rope=rope, prior=place, draws=5000)
        tolerance = 4 * np.hypot(0.0016, float(result.standard_error))
        if np.all(gains == 0) and rope == 0 and place == "rope":
            expected = [0.5, 0.0, 0.5]
        assert sides(result) == pytest.approx(expected, abs=tolerance)

    @pytest.mark.parametrize("rope", [0.0, 0.2])
    def test_stated_error_is_the_error(self, rope: float):
        """60 independent runs must scatter as much as each says it does."""
        gains = rng(1).normal(0.2, 0.5, 8)
        runs = [
            dp_signed_rank(0 * gains, gains, rng=rng(seed), rope=rope, draws=400)
            for seed in range(60)
        ]
        spread = max(np.std([getattr(r, side) for r in runs]) for side in ("p_left", "p_rope"))
        stated = np.mean([r.standard_error for r in runs])
        assert 0.7 < spread / stated < 1.4  # a standard deviation of 60 errs by a tenth

    def test_control_variates_leave_little_noise(self):
        gains = rng(2).normal(0.02, 0.5, 100)
        result = dp_signed_rank(0 * gains, gains, rng=rng())
        assert 0.3 < result.p_left < 0.9
        assert result.standard_error < 0.001  # counting: .011

    @settings(max_examples=30)
    @given(st.lists(st.integers(-4, 4), min_size=1, max_size=8), st.sampled_from([0.0, 0.5, 2.0]))
    def test_swapping_sides_swaps_the_answer(self, gains: list[int], rope: float):
        g = np.array(gains, dtype=float)
        one = dp_signed_rank(0 * g, g, rng=rng(), rope=rope, draws=1000)
        two = dp_signed_rank(g, 0 * g, rng=rng(), rope=rope, draws=1000)
        tolerance = 6 * float(one.standard_error + two.standard_error) + 1e-9
        assert sides(one) == pytest.approx(sides(two)[::-1], abs=tolerance)
        assert sum(sides(one)) == pytest.approx(1, abs=1e-9)

    def test_repeatable(self):
        x, y = rng(3).random((2, 30))
        one, two = (dp_signed_rank(x, y, rng=rng(7), rope=0.1) for _ in range(2))
        assert sides(one) == sides(two)

    def test_large_samples_agree_with_wilcoxon(self):
        """One minus the one-sided p-value, up to terms that vanish with n."""
        x = rng(4).random(3000)
        y = x + rng(5).normal(0.015, 0.5, 3000)
        p = wilcoxon(x, y, alternative="better").pvalue
        for method in ("monte carlo", "normal"):
            result = dp_signed_rank(x, y, rng=rng(), method=method, draws=200)
            assert result.p_left == pytest.approx(1 - p, abs=0.01)

    @pytest.mark.parametrize("rope", [0.0, 0.02, 0.1])
    def test_normal_approximation(self, rope: float):
        gains = rng(6).normal(0.05, 0.7, 1000)
        exact, normal = (
            dp_signed_rank(0 * gains, gains, rng=rng(), rope=rope, method=method, draws=500)
            for method in ("monte carlo", "normal")
        )
        assert (normal.method, normal.draws, normal.standard_error) == ("normal", 0, 0)
        assert sides(normal) == pytest.approx(sides(exact), abs=0.003)

    def test_sample_is_what_is_judged(self):
        gains = np.array([0.5, -0.1, 0.2, 0.9, -0.6])
        theta = dp_signed_rank_sample(0 * gains, gains, rng=rng(), rope=0.1, draws=40_000)
        np.testing.assert_allclose(theta.sum(axis=1), 1)
        counted = np.bincount(theta.argmax(axis=1), minlength=3) / 40_000
        result = dp_signed_rank(0 * gains, gains, rng=rng(), rope=0.1)
        assert sides(result) == pytest.approx(list(counted), abs=4 * 0.0025 + 0.01)


class TestClosedForms:
    @given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
    def test_differences_of_one_size_are_a_sign_test(self, won: int, tied: int, lost: int):
        gains = np.repeat([2.0, 0.0, -2.0], [won, tied, lost])
        if gains.size == 0:
            return
        result = dp_signed_rank(0 * gains, gains, rng=rng())
        assert (result.method, result.standard_error) == ("closed form", 0)
        assert result.p_left == pytest.approx(float(dp_sign(0 * gains, gains).p_left))

    def test_one_sign_is_certain(self):
        assert sides(dp_signed_rank([1, 2, 3], [2, 4, 9], rng=rng())) == [1, 0, 0]
        assert sides(dp_signed_rank([3, 5], [1, 2], rng=rng())) == [0, 0, 1]

    @pytest.mark.parametrize(("rope", "expected"), [(0.0, [0.5, 0, 0.5]), (0.1, [0, 1, 0])])
    def test_identical_columns(self, rope: float, expected: list[float]):
        assert sides(dp_signed_rank(np.ones(5), np.ones(5), rng=rng(), rope=rope)) == expected

    def test_one_instance_against_the_prior(self):
        """θ_left > θ_rope: with V the instance's share, V² + 2V(1 − V) > 1/2, V > 1 − 1/√2."""
        result = dp_signed_rank([0.0], [1.0], rng=rng(), rope=0.4, s=1)
        # V is even on [0, 1]
        assert result.p_left == pytest.approx(1 / np.sqrt(2), abs=4 * float(result.standard_error))
        assert result.standard_error < 0.011


class TestData:
    def test_failures_are_worse_than_anything(self):
        x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([np.inf, 1.9, 2.8, 3.7])
        big = np.where(np.isinf(y), 1e6, y)
        for rope in (0.0, 0.15):
            failed, large = (dp_signed_rank(x, other, rng=rng(), rope=rope) for other in (y, big))
            assert sides(failed) == pytest.approx(sides(large), abs=1e-12)
        both = dp_signed_rank([np.inf, np.inf], [np.inf, np.inf], rng=rng())
        assert sides(both) == [0.5, 0, 0.5]
        opposite = dp_signed_rank([np.inf, 1.0], [1.0, np.inf], rng=rng())
        assert sides(opposite) == [0.5, 0, 0.5]

    def test_float_noise_breaks_no_ties(self):
        """0.3 − 0.2 and 0.2 − 0.1 cancel; 0.1 + 0.2 is not above twice a rope of 0.15."""
        assert dp_signed_rank([0.3, 0.1], [0.2, 0.2], rng=rng()).method == "closed form"
        gains = np.array([0.1, 0.2])
        whole = dp_signed_rank([0, 0], [1, 2], rng=rng(), rope=1.5)
        assert sides(dp_signed_rank([0, 0], gains, rng=rng(), rope=0.15)) == sides(whole)

    def test_pairs_are_sides_of_one_another(self):
        X = rng(8).integers(0, 6, (15, 4)).astype(float)
        X[:, 3] = X[:, 2]
        pairs = of_every_pair(dp_signed_rank, X, rng=rng(), rope=0.5)
        np.testing.assert_allclose(pairs.p_left, pairs.p_right.T, atol=0.01)
        np.testing.assert_allclose(pairs.p_left + pairs.p_rope + pairs.p_right, 1)
        np.testing.assert_array_equal(np.diag(pairs.p_rope), 1)
        assert pairs.p_rope[2, 3] == 1

    def test_one_column_and_no_rope(self):
        pairs = of_every_pair(dp_signed_rank, [[1.0], [2.0]], rng=rng())
        assert pairs.p_left.tolist() == [[0.5]]
        assert pairs.p_rope.tolist() == [[0.0]]

    def test_a_million_rows(self):
        x = rng(9).random(1_000_000)
        y = x[::-1] + 1e-4
        for rope in (0.0, 0.01):
            result = dp_signed_rank(x, y, rng=rng(), rope=rope)
            assert result.method == "normal"
            assert sum(sides(result)) == pytest.approx(1)
        assert result.p_rope < 1e-3  # the rope has few of the sums

    @given(
        st.lists(st.tuples(costs, costs), min_size=1, max_size=6),
        st.sampled_from([0.0, 0.1, 1e-300, 1e300]),
        st.sampled_from([0.0, 1e-12, 1.0, 100.0]),
        st.sampled_from(["left", "rope", "right", "symmetric"]),
        st.sampled_from(["monte carlo", "normal"]),
    )
    def test_extremes_give_probabilities(
        self, pairs: list, rope: float, s: float, prior: str, method: str
    ):
        x, y = np.array(pairs).T
        with np.errstate(all="raise", under="ignore"):
            result = dp_signed_rank(
                x, y, rng=rng(), rope=rope, s=s, prior=prior, method=method, draws=50
            )
        assert all(0 <= p <= 1 for p in sides(result))
        assert sum(sides(result)) == pytest.approx(1)


class TestBounds:
    def test_they_hold_the_three_priors(self):
        gains = rng(10).normal(0.1, 0.5, 10)
        bounds = prior_bounds(dp_signed_rank, 0 * gains, gains, rng=rng(), s=1)
        for place in ("left", "rope", "right", "symmetric"):
            one = dp_signed_rank(0 * gains, gains, rng=rng(), s=1, prior=place)
            slack = 5 * float(one.standard_error)
            assert bounds.p_left[0] - slack <= one.p_left <= bounds.p_left[1] + slack
        assert bounds.p_left[0] < bounds.p_left[1]
        assert bounds.p_left[0] == pytest.approx(1 - float(bounds.p_right[1]))

    def test_no_prior_in_between_goes_further_without_rope(self):
        """A prior at any gain g, as an instance of weight 1: s = 1 and its place in the data."""
        gains = np.array([0.9, -0.4, 0.3, -0.2])
        bounds = prior_bounds(dp_signed_rank, 0 * gains, gains, rng=rng(), s=1, draws=10_000)
        for g in (-2.0, -0.5, -0.1, 0.25, 0.35, 2.0):
            more = np.r_[gains, g]
            p = dp_signed_rank(0 * more, more, rng=rng(), s=0, draws=10_000).p_left
            assert bounds.p_left[0] - 0.003 <= p <= bounds.p_left[1] + 0.003

    def test_five_straight_wins(self):
        """All won: the prior on the right, larger than any, must weigh less than half of all
        pairs: W < 1 − 1/√2 for its weight W ~ Beta(1, n)."""
        for n in (1, 5, 10):
            gains = np.arange(1.0, n + 1)
            bounds = prior_bounds(dp_signed_rank, 0 * gains, gains, rng=rng(), s=1)
            assert bounds.p_left[0] == pytest.approx(1 - 2.0 ** (-n / 2))
            assert bounds.p_left[1] == 1


class TestCalibration:
    @pytest.mark.parametrize("tied", [False, True])
    def test_under_the_null(self, tied: bool):
        """400 null tables of 20 symmetric gains: "left" at .95 in 5 %, standard error .011."""
        draw = rng(12)
        gains = draw.standard_t(3, (400, 20))
        if tied:
            gains = np.round(gains)
        left = np.array([dp_signed_rank(0 * g, g, rng=rng(), draws=100).p_left for g in gains])
        assert np.mean(left > 0.95) < 0.05 + 3 * 0.011
        assert np.mean(left) == pytest.approx(0.5, abs=3 * 0.0145)

    def test_close_to_normal_where_everything_is(self):
        """Posterior probabilities as z-scores: their spread under the null is one."""
        gains = rng(13).normal(size=(200, 60))
        left = np.array([dp_signed_rank(0 * g, g, rng=rng(), draws=100).p_left for g in gains])
        quarter = np.mean(left < ndtr(-0.6745))
        assert quarter == pytest.approx(0.25, abs=3 * 0.031)
