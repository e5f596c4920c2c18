"""How large differences are: A, locations, standardized differences, and contrasts of medians."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import median_abs_deviation, ttest_rel
from scipy.stats.mstats import hdquantiles

from racing.base.errors import InputError
from racing.stats import akinshin_gamma, cohens_d, contrast_estimation
from racing.stats.effects import harrell_davis, median_difference, vargha_delaney
from racing.stats.sign import sign_test
from racing.stats.wilcoxon import wilcoxon
from tests.stats.garcia_2010 import COSTS as CLASSIFIERS

COSTS = st.lists(st.sampled_from([0.0, 1.0, 2.0, 5.0, np.inf]), min_size=1, max_size=9)


class TestVarghaDelaney:
    @given(COSTS, COSTS)
    def test_unpaired_by_definition(self, x, y):
        a, b = np.array(x)[:, None], np.array(y)
        expected = np.mean(a < b) + np.mean(a == b) / 2
        result = vargha_delaney(x, y, paired=False)
        assert result.a == pytest.approx(expected)
        assert 0 <= result.low <= result.a <= result.high <= 1
        mirrored = vargha_delaney(y, x, paired=False)
        assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((result.low, result.high))

    @given(COSTS)
    def test_paired_by_definition(self, x):
        y = np.roll(x, 1)
        result = vargha_delaney(x, y, paired=True)
        assert result.a == pytest.approx(np.mean(x < y) + np.mean(x == y) / 2)
        assert 0 <= result.low <= result.a <= result.high <= 1

    def test_paired_and_unpaired_differ(self):
        x, y = [1.0, 11.0, 21.0], [2.0, 12.0, 22.0]
        assert vargha_delaney(x, y, paired=True).a == 1.0
        assert vargha_delaney(x, y, paired=False).a == pytest.approx(6 / 9)

    @pytest.mark.parametrize(
        ("wins", "words"), [(50, "negligible"), (57, "small"), (65, "medium"), (25, "large")]
    )
    def test_words(self, wins, words):
        x = np.r_[np.zeros(wins), np.full(100 - wins, 2.0)]
        assert vargha_delaney(x, np.ones(100), paired=True).magnitude == words

    def test_no_losses_is_not_certainty(self):
        for paired in (True, False):
            result = vargha_delaney([1, 2, 3], [4, 5, 6], paired=paired)
            assert result.a == result.high == 1.0
            assert result.low < 0.7

    @pytest.mark.parametrize("shift", [0.0, 1.0, 2.5])
    def test_unpaired_interval_covers(self, shift):
        """Normal costs, 12 against 8, 2,000 experiments: between .93 and .99."""
        from scipy.stats import norm

        rng = np.random.default_rng(11)
        truth = norm.cdf(shift / np.sqrt(2))
        hits = [
            (r := vargha_delaney(rng.normal(0, 1, 12), rng.normal(shift, 1, 8), paired=False)).low
            <= truth
            <= r.high
            for _ in range(2000)
        ]
        assert 0.93 <= np.mean(hits) <= 0.99


class TestMedianDifference:
    def test_estimates_by_definition(self):
        d = np.random.default_rng(1).normal(size=11)
        walsh = [(a + b) / 2 for i, a in enumerate(d) for b in d[i:]]
        x = np.zeros(11)
        assert median_difference(x, d).estimate == pytest.approx(np.median(walsh))
        plain = median_difference(x, d, estimator="median")
        assert plain.estimate == pytest.approx(np.median(d))

    @pytest.mark.parametrize("n", [6, 7, 12, 40])
    @pytest.mark.parametrize("level", [0.8, 0.95])
    def test_intervals_invert_the_tests(self, n, level):
        """Inside the interval: not rejected; outside: rejected. Exactly."""
        d = np.random.default_rng(n).normal(size=n)
        for estimator, test in [("hodges-lehmann", wilcoxon), ("median", sign_test)]:
            result = median_difference(np.zeros(n), d, estimator=estimator, level=level)
            assert result.coverage >= level
            for end, out in [(result.low, -1), (result.high, 1)]:
                if np.isfinite(end):
                    inside, outside = end - out * 1e-6, end + out * 1e-6
                    assert test(np.full(n, inside), d).pvalue > 1 - level
                    assert test(np.full(n, outside), d).pvalue <= 1 - level

    def test_textbook_order_statistics(self):
        """n = 10: the 2nd and 9th values hold the median with confidence .9785."""
        result = median_difference(np.zeros(10), np.arange(10.0), estimator="median")
        assert (result.low, result.high) == (1.0, 8.0)
        assert result.coverage == pytest.approx(0.978515625)

    def test_too_few_instances_have_no_finite_interval(self):
        for estimator in ("hodges-lehmann", "median"):
            result = median_difference([1.0], [3.0], estimator=estimator)
            assert (result.estimate, result.low, result.high) == (2.0, -np.inf, np.inf)
            assert result.coverage == 1.0
            five = median_difference(np.zeros(5), np.ones(5), estimator=estimator)
            assert np.isinf(five.low)  # 2/32 > .05

    @pytest.mark.parametrize("estimator", ["hodges-lehmann", "median"])
    def test_covers_under_asymmetry_free_noise(self, estimator):
        rng = np.random.default_rng(3)
        d = np.round(rng.normal(0.0, 1.0, (1500, 15)), 1)  # rounded: ties
        result = median_difference(0 * d, d, estimator=estimator)
        assert np.mean((result.low <= 0.0) & (result.high >= 0.0)) >= 0.95 - 3 * np.sqrt(
            0.05 * 0.95 / 1500
        )

    def test_normal_approximation_continues_the_exact_one(self):
        d = np.random.default_rng(5).normal(size=201)
        exact = median_difference(np.zeros(200), d[:200])
        approximate = median_difference(np.zeros(201), d)
        assert "normal" in approximate.interval
        assert approximate.low == pytest.approx(exact.low, abs=0.02)

    def test_failures(self):
        inf = np.inf
        x, y = [1, inf, inf, 2, 1], [inf, 1, inf, 3, 1]  # inf, -inf, 0, 1, 0
        for estimator in ("hodges-lehmann", "median"):
            assert median_difference(x, y, estimator=estimator).estimate == 0.0
        assert median_difference([1.0, inf], [inf, 1.0], estimator="median").estimate == 0.0
        assert median_difference([1.0, 1.0], [inf, inf]).estimate == inf

    def test_identical_columns(self):
        result = median_difference(np.ones(20), np.ones(20))
        assert (result.estimate, result.low, result.high) == (0.0, 0.0, 0.0)

    def test_too_many_averages(self):
        x = np.zeros(6000)
        with pytest.raises(InputError, match="estimator='median'"):
            median_difference(x, x)
        assert median_difference(x, x, estimator="median").estimate == 0.0


# --- Akinshin's gamma: its definition, quantiles of Harrell and Davis, outliers and failures -----


X, Y = [2.0, 4.0, 7.0, 3.0, 9.0], [6.0, 8.0, 7.0, 11.0]


def test_it_is_the_difference_of_medians_over_the_pooled_deviation():
    a, b = (median_abs_deviation(v, scale="normal") for v in (X, Y))
    pooled = np.sqrt((4 * a**2 + 3 * b**2) / 7)
    assert akinshin_gamma(X, Y) == pytest.approx((7.5 - 4.0) / pooled)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
def test_quantiles_of_harrell_and_davis(p):
    x = np.random.default_rng(0).normal(size=17)
    assert harrell_davis(x, p) == pytest.approx(float(hdquantiles(x, p)[0]), rel=1e-10)


@pytest.mark.parametrize("estimator", ["sample", "harrell-davis"])
def test_it_estimates_what_cohen_s_d_does_for_normal_costs(estimator):
    rng = np.random.default_rng(0)
    x, y = rng.normal(0.0, 2.0, 4000), rng.normal(1.0, 2.0, 4000)
    for p in (0.3, 0.5, 0.7):
        assert akinshin_gamma(x, y, quantile=p, estimator=estimator) == pytest.approx(0.5, abs=0.1)


def test_it_resists_outliers_and_failures():
    assert akinshin_gamma([*X, 1e6], [*Y, 1e6]) > 0.5
    assert np.isfinite(akinshin_gamma([*X, np.inf], [*Y, np.inf]))


def test_edges():
    assert akinshin_gamma([1.0, 1.0], [1.0, 1.0]) == 0.0
    assert akinshin_gamma([1.0, 1.0], [2.0, 2.0]) == np.inf
    with pytest.raises(InputError, match="two or more"):
        akinshin_gamma([1.0], [1.0, 2.0])
    with pytest.raises(InputError, match="Vargha"):
        akinshin_gamma([np.inf, np.inf, 1.0], [1.0, 2.0])


# --- Cohen's d: its definition, Student's t, normal costs and failures ---------------------------


def test_it_is_the_difference_over_the_pooled_deviation():
    pooled = np.sqrt((4 * np.var(X, ddof=1) + 3 * np.var(Y, ddof=1)) / 7)
    assert cohens_d(X, Y) == pytest.approx((8.0 - 5.0) / pooled)
    assert cohens_d(X, Y) == pytest.approx(-cohens_d(Y, X))


def test_that_of_the_differences_is_t_over_the_root_of_n():
    x, y = np.array(X[:4]), np.array(Y)
    t = ttest_rel(y, x).statistic
    assert cohens_d(x, y, standardizer="differences") == pytest.approx(t / 2)


def test_edges_of_cohens_d():
    assert cohens_d([1.0, 1.0], [1.0, 1.0]) == 0.0
    assert cohens_d([1.0, 1.0], [2.0, 2.0]) == np.inf
    with pytest.raises(InputError, match="two or more"):
        cohens_d([1.0], [1.0, 2.0])
    with pytest.raises(InputError, match="failures"):
        cohens_d([1.0, np.inf], [1.0, 2.0])


# --- A of all pairs is A of each pair ------------------------------------------------------------


SAMPLE = st.lists(st.sampled_from([0.0, 1.0, 2.0, np.inf]), min_size=1, max_size=6)


def test_a_sample_against_itself():
    found = vargha_delaney([[1, 2], [3]], paired=False)
    assert (found.a[0, 0], found.low[0, 0], found.high[0, 0]) == (0.5, 0.5, 0.5)


def by_the_book(costs):
    m = costs.shape[1]
    z = [[np.median([row[j] - row[i] for row in costs]) for j in range(m)] for i in range(m)]
    means = [sum(row) / m for row in z]
    return np.array([[means[i] - means[j] for j in range(m)] for i in range(m)])


@pytest.mark.parametrize("seed", range(5))
def test_the_definition(seed):
    costs = np.random.default_rng(seed).normal(size=(6 + seed, 5))
    assert contrast_estimation(costs).contrasts == pytest.approx(by_the_book(costs))


def test_of_the_classifiers_of_garcia_et_al():
    found = contrast_estimation(CLASSIFIERS)
    assert found.contrasts == pytest.approx(by_the_book(CLASSIFIERS))
    assert found.contrasts[0] == pytest.approx([0.0, 0.0225, 0.0198, 0.0592], abs=1e-4)
    assert found.advantages.argmax() == 0


def test_contrasts_add_up_and_recover_shifts():
    rng = np.random.default_rng(0)
    found = contrast_estimation(rng.normal(size=(9, 1)) + np.array([3.0, 1.0, 2.0]))
    assert found.contrasts == pytest.approx(np.array([[0, -2, -1], [2, 0, 1], [1, -1, 0]]))
    c = contrast_estimation(rng.normal(size=(9, 4))).contrasts
    assert c[0, 1] + c[1, 2] == pytest.approx(c[0, 2])
    assert c == pytest.approx(-c.T)


def test_failures_are_refused():
    with pytest.raises(InputError, match="finite for contrast estimation"):
        contrast_estimation([[1.0, np.inf]])
